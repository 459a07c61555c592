"""Where prices move on a stock chart: rows, arrows, ledges, gaps."""

import pytest

from engine.board.market import Chart

#: arrows in the middle of rows, a ledge above spaces, a row that begins late
ROWS = (
    "60   70  80p  90",
    "50v  60_ 70^  80",
    "40   50  60",
    "-    40  50",
)
CHART = Chart(ROWS)


@pytest.mark.parametrize(
    ("at", "steps", "then"),
    [
        ((0, 0), 1, (0, 1)),
        ((0, 2), 2, (0, 3)),  # the top row has no way up
        ((1, 1), 1, (1, 2)),
        ((1, 2), 1, (0, 2)),  # an arrow within a row
        ((1, 1), 2, (0, 2)),
        ((2, 2), 1, (1, 2)),  # the end of a row
        ((1, 2), 0, (1, 2)),
    ],
)
def test_right(at, steps, then):
    assert CHART.right(at, steps) == then


@pytest.mark.parametrize(
    ("at", "then"),
    [
        ((0, 1), (0, 0)),
        ((0, 0), (1, 0)),  # the beginning of a row
        ((1, 0), (2, 0)),  # an arrow there
        ((1, 2), (1, 1)),
        ((2, 0), (2, 0)),  # nothing is below
        ((3, 1), (3, 1)),  # a gap is no space
    ],
)
def test_left(at, then):
    assert CHART.left(at) == then


@pytest.mark.parametrize(
    ("at", "steps", "then"),
    [
        ((0, 0), 1, (1, 0)),
        ((0, 1), 3, (1, 1)),  # a ledge holds it
        ((0, 2), 9, (3, 2)),
        ((0, 3), 2, (1, 3)),  # so does the end of the column
        ((1, 0), 4, (2, 0)),  # and a gap
    ],
)
def test_down(at, steps, then):
    assert CHART.down(at, steps) == then


def test_an_arrow_crosses_no_ledge_of_another_space():
    assert Chart(("60v 70", "50_ 60", "40 50")).left((0, 0)) == (1, 0)


@pytest.mark.parametrize(
    ("at", "up", "diagonal"),
    [
        ((2, 1), (1, 1), (1, 1)),
        ((0, 0), (0, 0), (1, 1)),
        ((0, 3), (0, 3), (0, 3)),
        ((3, 1), (2, 1), (2, 1)),
    ],
)
def test_a_sold_out_company_goes_up_or_out_of_the_top_row_diagonally(at, up, diagonal):
    assert CHART.raised(at) == up
    assert Chart(ROWS, diagonal=True).raised(at) == diagonal


def test_letters_and_marks_are_told_apart():
    chart = Chart(("60pyv_ 70^",))
    assert (chart.kinds((0, 0)), chart.marks((0, 0))) == ("py", "v_")
    assert (chart.kinds((0, 1)), chart.marks((0, 1))) == ("", "^")
    assert chart.pars == {60: (0, 0)}
    assert CHART.has((3, 1)) and not CHART.has((3, 0))


@pytest.mark.parametrize("space", ["v60", "60_y", "x", "60é", "--"])
def test_what_is_no_space_is_refused(space):
    with pytest.raises(ValueError, match="not a space of a stock chart"):
        Chart((f"50 {space}",))

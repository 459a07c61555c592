"""Plots: scales, lines that differ by more than colour, names at their ends, words for the ear."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.drawing import Plot, Series, png
from service.drawing.labels import text_width
from service.drawing.plot import (
    DASHES,
    LINE,
    MARKS,
    PAPER,
    SCREEN,
    TEXT,
    plot_picture,
    plot_svg,
    scale,
)

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gil", "Hal", "Ida", "Jon")
PLOT = Plot(
    "Net worth",
    "Ann from $400 to $900",
    ("SR 1", "OR 1.1", "SR 2"),
    (Series("Ann", (400, 450, 900)), Series("Bob", (None, 300, 310))),
)


@given(st.lists(st.integers(-50_000, 50_000), max_size=30))
def test_a_scale_holds_all_dollars_and_zero_in_few_round_steps(values):
    low, high, step = scale(values)
    assert low <= min((0, *values)) and high >= max((0, *values)) and low < high
    assert low % step == high % step == 0 and 1 <= (high - low) // step <= 7
    assert str(step).rstrip("0") in ("1", "2", "5")


def test_lines_differ_by_dash_and_mark_together():
    seen = {(DASHES[n % len(DASHES)], MARKS[n % len(MARKS)]) for n in range(20)}
    assert len(seen) == 20


def test_names_stand_at_the_ends_of_their_lines_and_never_on_each_other():
    series = tuple(Series(name, (100, 100 + n)) for n, name in enumerate(NAMES))
    picture = plot_picture(Plot("Worth", "all alike", ("SR 1", "OR 1.1"), series), "one", SCREEN)
    heights = sorted(line.label[1] for line in picture.lines)
    assert len(heights) == len(NAMES)
    assert all(lower - upper >= LINE - 0.01 for upper, lower in pairwise(heights))
    assert heights[0] > 0 and heights[-1] < picture.height
    by_end = sorted(picture.lines, key=lambda line: line.end[1])
    assert [line.name for line in by_end] == [
        line.name for line in sorted(by_end, key=lambda one: one.label[1])
    ]
    assert all(line.label[0] > line.end[0] for line in picture.lines)


def test_a_line_begins_where_there_is_something_and_has_gaps_where_there_is_nothing():
    series = (Series("TC", (None, 90, 100, None, 80)), Series("none", (None,) * 5))
    picture = plot_picture(Plot("Prices", "", ("a", "b", "c", "d", "e"), series), "one", SCREEN)
    [line] = picture.lines
    assert [len(piece) for piece in line.pieces] == [2, 1]


def test_a_plot_speaks_to_a_screen_reader():
    root = ElementTree.fromstring(plot_svg(PLOT, "worth"))
    assert root.get("role") == "img" and root.get("aria-labelledby") == "worth-title worth-told"
    assert root.find(f"{SVG}title").text == "Net worth"
    assert root.find(f"{SVG}desc").text == "Ann from $400 to $900"
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert {"Ann", "Bob", "SR 1", "SR 2", "$0"} <= set(words)


def test_of_many_rounds_some_are_named_and_the_last_always():
    rounds = tuple(f"OR {n}" for n in range(1, 40))
    plot = Plot("Prices", "", rounds, (Series("TC", tuple(range(39))),))
    named = [tick.text for tick in plot_picture(plot, "one", SCREEN).rounds]
    assert len(named) <= 8 and named[-1] == "OR 39"


@pytest.mark.parametrize("count", range(2, 46))
@pytest.mark.parametrize("line", ["TC", "Bartholomew"])
def test_no_two_names_of_rounds_touch(count, line):
    rounds = tuple(f"OR {10 + n // 3}.{1 + n % 3}" for n in range(count))
    drawn = plot_picture(Plot("Worth", "", rounds, (Series(line, (9000,) * count),)), "one", SCREEN)
    ends = [(tick.at, text_width(tick.text, TEXT) / 2) for tick in drawn.rounds]
    assert all(one[0] + one[1] + 10 < two[0] - two[1] for one, two in pairwise(ends))
    assert len(ends) > 2 or count < 5


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_plot_of_few_rounds_is_drawn(rounds):
    plot = Plot("Worth", "", ("SR 1", "OR 1.1")[:rounds], (Series("Ann", (600, 610)[:rounds]),))
    assert png(plot_svg(plot, "few", PAPER), 400)


def test_names_that_look_like_markup_are_words():
    svg = plot_svg(Plot("a<b", "&", ("SR 1",), (Series("M&O<", (60,)),)), "one")
    assert ElementTree.fromstring(svg) is not None and "M&amp;O&lt;" in svg

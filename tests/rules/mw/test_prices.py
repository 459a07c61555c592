"""18MW Movement of Stock Prices, zones: where a price goes, and what a zone allows."""

import pytest

from engine.board.market import Cell
from engine.position.values import State
from tests.rules.mw.setting import on

CHART = on.title.chart


def turn(at: Cell, earned: int) -> State:
    """The Illinois Central has earned so much; its token lies on a space."""
    return on.turn("dividend", "IC", at=at, earned=earned)


def cell(state: State) -> Cell | None:
    """Where its token lies."""
    return on.table(state).cell("IC")


@pytest.mark.rule("18MW Blue Zone")
@pytest.mark.rule("18MW R10")
@pytest.mark.rule("18MW R11")
@pytest.mark.parametrize(
    ("earned", "column"), [(10, 13), (170, 13), (180, 14), (530, 14), (540, 15), (2000, 15)]
)
def test_in_the_blue_zone_a_dividend_of_the_price_moves_it(earned: int, column: int) -> None:
    """Less leaves $180 where it is, three times the price moves it twice, more no farther."""
    assert "u" in CHART.kinds((1, 13))
    assert CHART.price((1, 13)) == 180
    assert cell(on.after(turn((1, 13), earned), on.pay("IC"))) == (1, column)


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW White Zone")
@pytest.mark.rule("18MW Share Price Adjustment")
@pytest.mark.rule("18MW R10")
@pytest.mark.parametrize("earned", [10, 300, 1000])
@pytest.mark.parametrize("at", [(1, 6), (1, 11), (5, 2), (8, 1)])
def test_elsewhere_any_dividend_moves_it_one_space(at: Cell, earned: int) -> None:
    """In the white zone and in the coloured ones, never two."""
    assert cell(on.after(turn(at, earned), on.pay("IC"))) == (at[0], at[1] + 1)


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW Blue Zone")
def test_withheld_earnings_move_the_price_left_in_every_zone() -> None:
    """By one space."""
    assert cell(on.after(turn((1, 13), 600), on.withhold("IC"))) == (1, 12)
    assert cell(on.after(turn((1, 6), 600), on.withhold("IC"))) == (1, 5)


@pytest.mark.rule("18MW R12")
@pytest.mark.parametrize(
    ("at", "earned", "then"),
    [
        ((1, 20), 1200, (0, 21)),  # right, then up by the arrow
        ((1, 21), 1200, (0, 21)),  # up by the arrow, and there the top row ends
        ((2, 20), 1000, (1, 21)),  # up by the arrow, then right
        ((0, 21), 1300, (0, 21)),  # no space is left
    ],
)
def test_a_double_step_is_two_steps_with_their_arrows(at: Cell, earned: int, then: Cell) -> None:
    """The zone is that of the price before it."""
    assert cell(on.after(turn(at, earned), on.pay("IC"))) == then


@pytest.mark.rule("18MW Movement of Stock Prices")
def test_arrows_lead_up_instead_of_right_and_down_instead_of_left() -> None:
    """At the end of each row but the top one, and at the beginning of each."""
    assert CHART.right((4, 15)) == (3, 15)
    assert CHART.left((4, 0)) == (5, 0)
    assert CHART.left((4, 1)) == (4, 0)


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.parametrize(
    ("at", "sold", "then"), [((0, 6), 2, (2, 6)), ((9, 6), 3, (10, 6)), ((1, 21), 1, (1, 21))]
)
def test_a_sale_moves_the_price_a_row_a_share_and_never_below_a_ledge(
    at: Cell, sold: int, then: Cell
) -> None:
    """The ledge under column 6 lies below the price of 45, that under column 21 below 375."""
    assert CHART.down(at, sold) == then


@pytest.mark.rule("18MW Closed Zone")
def test_the_first_two_columns_lead_into_the_closed_zone() -> None:
    """Down or left: they have no ledge."""
    closed = [CHART.down((9, 0)), CHART.left((9, 0)), CHART.left((10, 1)), CHART.down((9, 1), 2)]
    assert closed == [(10, 0), (10, 0), (10, 0), (11, 1)]
    assert {CHART.kinds(space) for space in closed} == {"c"}
    assert {CHART.price(space) for space in closed} == {0}


def held(at: Cell, **elsewhere: int) -> State:
    """A stock round has ended; Ann holds 60% of the Illinois Central, Bob what is not told of."""
    owners = {"Ann": 60, "Bob": 40 - sum(elsewhere.values())}
    state = on.company(on.stock_turn(), "IC", owners, at=at, **elsewhere)
    return on.after(on.end_of_round(state), on.done())


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW R9")
@pytest.mark.parametrize(
    ("elsewhere", "then"),
    [
        ({}, (2, 6)),
        ({"treasury": 40}, (2, 6)),
        ({"offering": 10}, (3, 6)),
        ({"treasury": 30, "market": 10}, (3, 6)),
    ],
)
def test_the_price_of_a_fully_held_company_rises(elsewhere: dict[str, int], then: Cell) -> None:
    """Its own treasury counts, the initial offering and the open market do not."""
    assert cell(held((3, 6), **elsewhere)) == then


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW R12")
@pytest.mark.parametrize(("at", "then"), [((0, 6), (1, 7)), ((0, 20), (1, 21)), ((0, 21), (0, 21))])
def test_in_the_top_row_it_goes_right_and_down(at: Cell, then: Cell) -> None:
    """That is the same price, a row lower; from the last space there is no such step."""
    assert cell(held(at)) == then


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW Operations Round, Overview")
def test_an_arriving_token_goes_under_those_that_are_there() -> None:
    """So it operates after them, and after all farther right of the same price."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60, "Bob": 40}, at=(3, 6))
    state = on.company(state, "NP", {"Bob": 60}, at=(2, 6))
    state = on.company(state, "CNW", {"Cas": 60}, at=(1, 5))
    state = on.company(state, "MP", {"Cas": 60}, at=(3, 7))
    ended = on.after(on.end_of_round(state), on.done())
    assert [on.price(ended, name) for name in ("NP", "IC", "CNW", "MP")] == [85] * 4
    assert on.table(ended).priced() == ["MP", "NP", "IC", "CNW"]


@pytest.mark.rule("18MW Initial Value Zone")
def test_the_six_starting_values() -> None:
    """One below the other, and white for all else."""
    assert CHART.pars == {100: (0, 6), 90: (1, 6), 85: (2, 6), 80: (3, 6), 75: (4, 6), 70: (5, 6)}
    state = on.after(on.stock_turn(), on.par("IC", 100))
    assert on.table(state).counts("IC")
    on.refused(on.stock_turn(), on.par("IC", 65), "Initial Value Zone")


@pytest.mark.rule("18MW Yellow Zone")
@pytest.mark.rule("18MW Green Zone")
@pytest.mark.rule("18MW Brown Zone")
@pytest.mark.parametrize(
    ("at", "zone", "certificates", "most"),
    [
        ((5, 6), "p", 5, 60),
        ((4, 4), "", 5, 60),
        ((0, 11), "u", 5, 60),
        ((4, 3), "y", 0, 60),
        ((4, 0), "g", 0, 100),
        ((7, 0), "b", 0, 100),
    ],
)
def test_coloured_zones_lift_limits(at: Cell, zone: str, certificates: int, most: int) -> None:
    """Yellow that of certificates, green and brown that of sixty percent too."""
    table = on.table(on.company(on.stock_turn(), "IC", {"Ann": 60}, at=at))
    assert table.zone("IC") == zone
    assert (table.certificates("Ann"), table.player_limit("IC")) == (certificates, most)


@pytest.mark.rule("18MW Dividend Payment")
def test_offering_and_treasury_are_paid_to_the_company_the_market_to_nobody() -> None:
    """A tenth of the revenue for each share."""
    state = on.turn(
        "dividend", "IC", held={"Ann": 30, "Bob": 10}, treasury=20, market=10, cash=0, earned=200
    )
    paid = on.after(state, on.pay("IC"))
    assert paid.cash["IC"] == 20 * (2 + 3)
    assert paid.cash["Ann"] - state.cash["Ann"] == 60
    assert paid.cash["Bob"] - state.cash["Bob"] == 20
    assert state.cash["bank"] - paid.cash["bank"] == 180


@pytest.mark.rule("18MW Ending the Game")
def test_no_price_ends_the_game() -> None:
    """Not even the highest."""
    paid = on.after(turn((0, 20), 1200), on.pay("IC"))
    assert on.price(paid, "IC") == 400
    assert paid.ending is None

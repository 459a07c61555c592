"""18AL 4.2.4: paying out or withholding."""

import pytest
from msgspec.structs import replace

from engine.events import DividendPaid, EndForeseen, Withheld
from engine.position.values import BANK, State, Token
from tests.rules import setting as on


def earned(
    dollars: int, held: dict[str, int], *, market: int = 0, at: tuple[int, int] | None = None
) -> State:
    """L&N about to pay out or withhold what it has earned."""
    state = on.company(on.stock_turn(), "L&N", held, market=market, at=at, cash=1000)
    return replace(on.operating(state, "L&N", "dividend"), earned={"L&N": dollars})


@pytest.mark.rule("18AL 4.2.4")
def test_4_2_4_one_of_two() -> None:
    """Pay and withhold are the president's options; he cannot do without either."""
    state = earned(70, {"Ann": 60})
    kinds = {type(on.pay("L&N"))}
    assert {a for k in kinds for a in on.offered(state, "Ann", k)} == {
        on.pay("L&N"),
        on.withhold("L&N"),
    }
    on.refused(state, on.done(), "4.2.4", "$70")


@pytest.mark.rule("18AL 4.2.4(a)")
def test_a_players_by_their_shares() -> None:
    """Of $70 the holder of 60% gets $42, of 10% $7."""
    state = earned(70, {"Ann": 60, "Bob": 10})
    now = on.after(state, on.pay("L&N"))
    assert (now.cash["Ann"], now.cash["Bob"], now.cash["Cas"]) == (642, 607, 600)
    assert state.cash[BANK] - now.cash[BANK] == 49


@pytest.mark.rule("18AL 4.2.4(a)")
def test_a_open_market_pays_the_treasury() -> None:
    """20% in the market: $14 of $70 for the company."""
    state = earned(70, {"Ann": 60}, market=20)
    assert on.happened(state, on.pay("L&N"), DividendPaid) == [
        DividendPaid("L&N", 70, {"Ann": 42, "L&N": 14})
    ]
    assert on.after(state, on.pay("L&N")).cash["L&N"] == 1014


@pytest.mark.rule("18AL 4.2.4(a)")
def test_a_initial_offering_pays_nobody() -> None:
    """40% in the offering: their part stays in the bank."""
    state = earned(70, {"Ann": 60})
    now = on.after(state, on.pay("L&N"))
    assert (now.cash["L&N"], state.cash[BANK] - now.cash[BANK]) == (1000, 42)


@pytest.mark.rule("18AL 4.2.4(b)")
def test_b_all_of_it_to_the_treasury() -> None:
    """The company has $70 more, the players nothing."""
    state = earned(70, {"Ann": 60, "Bob": 20}, market=20)
    now = on.after(state, on.withhold("L&N"))
    assert on.happened(state, on.withhold("L&N"), Withheld) == [Withheld("L&N", 70)]
    assert (now.cash["L&N"], now.cash["Ann"], now.cash["Bob"]) == (1070, 600, 600)


@pytest.mark.rule("18AL 4.2.4")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ((0, 5), (0, 6)),
        ((6, 4), (5, 4)),  # the end of a row: up
        ((1, 14), (0, 14)),
        ((0, 14), (0, 15)),
        ((0, 15), (0, 15)),  # nowhere to go
    ],
)
def test_4_2_4_a_payout_moves_the_price_right(start: tuple[int, int], end: tuple[int, int]) -> None:
    """One space right, up where the row ends."""
    state = on.after(earned(70, {"Ann": 60}, at=start), on.pay("L&N"))
    assert state.tokens == (Token("L&N", end),)


@pytest.mark.rule("18AL 4.2.4")
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ((0, 5), (0, 4)),
        ((2, 0), (3, 0)),  # the leftmost column: down
        ((6, 0), (6, 0)),  # the lower left corner
    ],
)
def test_4_2_4_withholding_moves_the_price_left(
    start: tuple[int, int], end: tuple[int, int]
) -> None:
    """One space left, down in the leftmost column, and no farther than its end."""
    state = on.after(earned(70, {"Ann": 60}, at=start), on.withhold("L&N"))
    assert state.tokens == (Token("L&N", end),)


@pytest.mark.rule("18AL 4.2.4")
def test_4_2_4_no_run_moves_the_price_left() -> None:
    """A company without a train withholds nothing, and its price falls."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=1000)
    state = on.after(on.operating(state, "L&N"), on.done())
    assert on.price(state, "L&N") == 80


@pytest.mark.rule("18AL 4.2.4")
def test_4_2_4_a_moved_token_goes_under_the_others() -> None:
    """L&N pays its way into M&O's space and stands under it."""
    state = on.company(earned(70, {"Ann": 60}), "M&O", {"Bob": 60}, par=105)
    state = on.operating(state, "L&N", "dividend")
    assert on.table(on.after(state, on.pay("L&N"))).priced() == ["M&O", "L&N"]


@pytest.mark.rule("18AL 4.2.4")
def test_4_2_4_price_of_300_foretells_the_end() -> None:
    """The last space of the chart."""
    state = earned(70, {"Ann": 60}, at=(0, 14))
    assert on.happened(state, on.pay("L&N"), EndForeseen) == [EndForeseen("price")]

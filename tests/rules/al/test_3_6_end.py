"""18AL 3.6: the end of a stock round."""

import pytest

from engine.events import PriceMoved, RoundEnded
from engine.position.values import State
from tests.rules import setting as on


def sold_out(state: State, name: str, at: tuple[int, int], **more: int) -> State:
    """A company whose shares all are with players."""
    return on.company(state, name, {"Ann": 60, "Bob": 40}, at=at, **more)


@pytest.mark.rule("18AL 3.6")
def test_3_6_ends_when_all_pass_in_a_row() -> None:
    """A purchase between passes begins the count anew."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 30})
    state = on.after(
        state, on.done(), on.buy("L&N", "Bob"), on.done("Bob"), on.done("Cas"), on.done()
    )
    assert str(state.round) == "SR 2"
    state = on.after(state, on.done("Bob"))
    assert str(state.round) == "SR 3"


@pytest.mark.rule("18AL 3.6")
@pytest.mark.parametrize(("last", "next_"), [("Ann", "Bob"), ("Bob", "Cas"), ("Cas", "Ann")])
def test_3_6_priority_goes_to_the_player_after_the_last_who_acted(last: str, next_: str) -> None:
    """Whoever acted last, the next clockwise has the priority deal."""
    assert on.after(on.end_of_round(on.stock_turn(), last), on.done()).priority == next_


@pytest.mark.rule("18AL 3.6")
def test_3_6_priority_stays_if_nobody_acted() -> None:
    """A round of passes moves nothing."""
    assert on.after(on.end_of_round(on.stock_turn()), on.done()).priority == "Ann"


@pytest.mark.rule("18AL 3.6")
def test_3_6_a_sale_is_an_act() -> None:
    """Bob only sold; the priority deal is Cas's."""
    state = on.company(on.stock_turn("Bob"), "L&N", {"Bob": 30, "Ann": 20})
    state = on.after(state, on.sell(1, "L&N", "Bob"), *map(on.done, ("Bob", "Cas", "Ann", "Bob")))
    assert state.priority == "Cas"


@pytest.mark.rule("18AL 3.6")
def test_3_6_sold_out_price_rises() -> None:
    """All shares with players: one space up. One share in the market or the offering: none."""
    up = on.end_of_round(sold_out(on.stock_turn(), "WRA", (1, 3)))
    assert on.happened(up, on.done(), PriceMoved)[0] == PriceMoved("WRA", 70, 75)
    for market in (0, 10):
        held = {"Ann": 60, "Bob": 30}
        state = on.company(on.stock_turn(), "WRA", held, at=(1, 3), market=market)
        moved = on.happened(on.end_of_round(state), on.done(), PriceMoved)
        assert [m for m in moved if m.new > m.old] == []


@pytest.mark.rule("18AL 3.6")
def test_3_6_no_rise_above_the_top_row() -> None:
    """A token in the top row keeps its space and its place in the stack."""
    state = sold_out(on.stock_turn(), "L&N", (0, 6))
    state = on.company(state, "M&O", {"Cas": 60}, at=(0, 6))
    state = on.after(on.end_of_round(state), on.done())
    assert on.table(state).priced() == ["L&N", "M&O"]
    assert on.price(state, "L&N") == 105


@pytest.mark.rule("18AL 3.6")
def test_3_6_risen_token_goes_under_those_there() -> None:
    """WRA rises to the space of L&N and operates after it."""
    state = on.company(on.stock_turn(), "WRA", {"Ann": 60, "Bob": 40}, at=(1, 5))
    state = on.company(state, "L&N", {"Bob": 60}, at=(0, 5))
    state = on.after(on.end_of_round(state), on.done())
    assert on.table(state).priced() == ["L&N", "WRA"]


@pytest.mark.rule("18AL 3.6")
def test_3_6_rise_in_descending_order_of_value() -> None:
    """M&O at the higher price moves first, whatever the order of founding."""
    state = sold_out(on.stock_turn(), "L&N", (2, 4))
    state = on.company(state, "M&O", {"Ann": 60, "Bob": 40}, at=(1, 4))
    moved = on.happened(on.end_of_round(state), on.done(), PriceMoved)[:2]
    assert [m.company for m in moved] == ["M&O", "L&N"]


@pytest.mark.rule("18AL 3.6")
def test_3_6_operating_rounds_follow() -> None:
    """The round's end names who has priority, and operating round 2.1 begins."""
    state = on.end_of_round(on.company(on.stock_turn(), "L&N", {"Ann": 60}), last="Cas")
    assert on.happened(state, on.done(), RoundEnded)[0] == RoundEnded("SR 2", "Ann")
    assert str(on.after(state, on.done()).round) == "OR 2.1"

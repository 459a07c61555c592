"""18GL 4.6: private companies pay, then companies operate, who is next by the prices as they stand."""

import pytest
from msgspec.structs import replace

from engine.events import PrivatePaid
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.values import OFFERING, Round, State
from tests.rules.gl.setting import on

#: spaces of $100 in the top row and, further right, in the second; of $90 there, and of $120
TOP, SECOND, AT_90, AT_120 = (0, 3), (1, 4), (1, 3), (0, 5)


def beginning(**cells: tuple[int, int]) -> State:
    """An operating round of companies of Ann's with a train each, the first token the topmost."""
    state = on.stock_turn()
    for name, cell in cells.items():
        state = on.company(state, name, {"Ann": 60}, at=cell, trains=("2H",), cash=500)
    return replace(state, round=Round("OR", 2, 1, 1), stack=(OperatingRound(),))


def operating(state: State) -> str:
    """Whose turn it is."""
    return next(frame.company for frame in state.stack if isinstance(frame, OperatingTurn))


def order(state: State) -> list[str]:
    """Who operates, one after the other, all of them withholding."""
    state, found = on.waiting(state), []
    while state.round.kind == "OR":
        name = operating(state)
        found.append(name)
        acts = [on.withhold(name)] if on.allowed(state, on.withhold(name)) else []
        state = on.after(state, *acts)
        if state.round.kind == "OR" and operating(state) == name:
            state = on.after(state, on.done())
    return found


@pytest.mark.rule("18GL 4.6")
def test_the_higher_price_operates_first() -> None:
    """$120, $100, $90, however the tokens came there."""
    assert order(beginning(IC=AT_90, MR=AT_120, NPR=TOP)) == ["MR", "NPR", "IC"]


@pytest.mark.rule("18GL 4.6")
def test_of_equal_prices_the_one_further_right_operates_first_then_the_one_on_top() -> None:
    """$100 in the second row stands right of $100 in the top row, where IC lies on NPR."""
    assert order(beginning(IC=TOP, NPR=TOP, MR=SECOND)) == ["MR", "IC", "NPR"]


@pytest.mark.rule("18GL 4.6")
def test_the_order_follows_prices_that_change_in_the_round() -> None:
    """Ann sells IC at $100 for a train of MR: NPR at $90, further right than IC now, is next."""
    cells = {"MR": AT_120, "IC": TOP, "NPR": (2, 4)}
    state = on.phase(beginning(**cells), "D")
    state = on.own(on.own(state, OFFERING, "D"), "MR")
    assert order(beginning(**cells)) == ["MR", "IC", "NPR"]
    state = on.waiting(on.money(on.loans(state, {"MR": 2}), {"MR": 1000, "Ann": 10}))
    # $100 of interest leave $900 for a D
    state = on.after(state, on.sell(1, "IC"), on.buy_train("MR", "D", 1000))
    while operating(state) == "MR":
        state = on.after(state, on.done())
    assert operating(state) == "NPR"


@pytest.mark.rule("18GL 4.6")
def test_who_has_operated_does_not_again_in_the_round() -> None:
    """NPR falls to $90 and IC after it to $80: NPR would be next again."""
    assert order(beginning(NPR=TOP, IC=AT_90)) == ["NPR", "IC"]


@pytest.mark.rule("18GL 4.6")
def test_private_companies_pay_their_owners_first() -> None:
    """Before anybody operates; those of the bank and closed ones pay nobody."""
    state = on.privates(beginning(IC=TOP), {"Mine": "Bob", "C&A": "Cas"})
    outcome = on.settled(state)
    paid = [event for event in outcome.events if isinstance(event, PrivatePaid)]
    assert paid == [PrivatePaid("Mine", "Bob", 15), PrivatePaid("C&A", "Cas", 25)]
    assert outcome.state.cash["Bob"] == state.cash["Bob"] + 15
    assert operating(outcome.state) == "IC"


@pytest.mark.rule("18GL 4.6", "18GL 4.4")
def test_a_company_that_has_not_floated_does_not_operate() -> None:
    """NYC has 40% sold, at the highest price."""
    state = on.company(beginning(IC=TOP), "NYC", {"Bob": 40}, at=AT_120, offering=60)
    assert order(state) == ["IC"]

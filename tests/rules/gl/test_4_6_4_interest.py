"""18GL 4.6.4, 4.6.5: interest on loans, then on bonds, and what pays for it."""

import pytest
from msgspec.structs import replace

from engine.actions import GoBankrupt
from engine.events import BondsIssued, InterestPaid, LoanTaken, PresidentPaid
from engine.position.values import BANK, MARKET, State
from tests.rules.gl.setting import on


def owing(loans: int, *, cash: int, earned: int = 0, own: int = 400) -> State:
    """MR, at $100, is at its interest on loans and has earned something; Ann presides with 60%."""
    state = on.turn("interest", "MR", cash=cash, loans=loans)
    return replace(on.money(state, {"Ann": own}), earned={"MR": earned})


def conrail(bonds: dict[str, int], *, cash: int = 0, earned: int = 0, loans: int = 0) -> State:
    """CONRAIL, at $110, is at its interest; Ann presides with 60% and has $400."""
    start = on.phase(on.stock_turn(), "10H")
    held = {"Ann": 60, "Bob": 10}
    state = on.company(start, "CR", held, at=(0, 4), cash=cash, loans=loans, treasury=0)
    state = on.money(on.bonds(state, bonds), {"Ann": 400})
    return replace(on.operating(state, "CR", "interest"), earned={"CR": earned})


def interest(state: State) -> list[InterestPaid]:
    """What is paid, and from what."""
    return [event for event in on.settled(state).events if isinstance(event, InterestPaid)]


@pytest.mark.rule("18GL 4.6.4")
@pytest.mark.parametrize(("loans", "due"), [(1, 50), (2, 100)])
def test_4_6_4_fifty_dollars_for_each_loan_from_the_treasury(loans: int, due: int) -> None:
    """To the bank; the earnings stay as they were."""
    state = owing(loans, cash=100, earned=60)
    assert interest(state) == [InterestPaid("MR", "loans", due, due, 0)]
    now = on.waiting(state)
    assert (now.cash["MR"], now.earned["MR"]) == (100 - due, 60)
    assert now.cash[BANK] == state.cash[BANK] + due


@pytest.mark.rule("18GL 4.6.4")
def test_4_6_4_without_loans_nothing_is_paid() -> None:
    """The dividend follows the run at once."""
    assert interest(owing(0, cash=100, earned=60)) == []


@pytest.mark.rule("18GL 4.6.4")
def test_4_6_4_it_follows_the_run_by_itself() -> None:
    """MR runs for $60, pays $50 of them, and Ann decides about $10."""
    state = on.turn("run", "MR", trains=("2H",), cash=0, loans=1)
    now = on.after(state, on.run("MR", ("2H", "D12-D14")))
    on.refused(now, on.done(), "4.6.6", "$10")


@pytest.mark.rule("18GL 4.6.4", "18GL R32")
def test_4_6_4_what_the_treasury_cannot_pay_the_earnings_pay() -> None:
    """With $49 in the treasury all $50 come from the $60, and $10 are left to pay out."""
    state = owing(1, cash=49, earned=60)
    assert interest(state) == [InterestPaid("MR", "loans", 50, 0, 50)]
    now = on.waiting(state)
    assert (now.earned["MR"], now.cash) == (10, state.cash)


@pytest.mark.rule("18GL 4.6.4", "18GL R32")
def test_4_6_4_the_earnings_go_to_zero_then_the_treasury_pays() -> None:
    """$100 of interest: $60 earned, $40 of the $99; with nothing to pay out the price falls."""
    state = owing(2, cash=99, earned=60)
    assert interest(state) == [InterestPaid("MR", "loans", 100, 40, 60)]
    now = on.waiting(state)
    assert (now.cash["MR"], now.earned["MR"], on.price(now, "MR")) == (59, 0, 90)


@pytest.mark.rule("18GL 4.8", "18GL 4.7.2")
def test_4_8_a_loan_is_taken_where_treasury_and_earnings_do_not_do() -> None:
    """The earnings first, $10, then $20 and of a loan the rest; the price falls for both."""
    state = owing(1, cash=20, earned=10)
    events = on.settled(state).events
    assert LoanTaken("MR", 1, 500, 2) in events
    assert interest(state) == [InterestPaid("MR", "loans", 50, 40, 10)]
    now = on.waiting(state)
    assert (now.loans["MR"], now.cash["MR"], now.cash["Ann"]) == (2, 480, 400)
    assert on.price(now, "MR") == 80


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_then_the_president_pays_without_being_asked() -> None:
    """Two loans are the most: Ann adds the $70 that MR lacks."""
    outcome = on.settled(owing(2, cash=20, earned=10))
    assert PresidentPaid("Ann", "MR", 70) in outcome.events
    assert (outcome.state.cash["MR"], outcome.state.cash["Ann"]) == (0, 330)


@pytest.mark.rule("18GL 4.7.2", "18GL 4.6.4")
def test_4_7_2_he_sells_what_it_takes_to_pay_interest() -> None:
    """Ann has $10, $70 are missing: one share of MR at $100 will do, two are too many."""
    state = on.waiting(owing(2, cash=20, own=10))
    assert on.waits_for(state) == ("Ann",)
    on.refused(state, on.done(), "4.6.4", "$100", "$70")
    on.refused(state, on.buy_train("MR", "2H", 100), "4.6.4")
    on.refused(state, on.sell(2, "MR"), "4.7.2", "$70", "$130")
    on.refused(state, GoBankrupt(by="Ann", company="MR"), "4.7.3", "sell 1 MR")
    now = on.after(state, on.sell(1, "MR"))
    assert (now.cash["MR"], now.cash["Ann"]) == (0, 30)
    # one row down for the share, and left for no dividend
    assert on.price(now, "MR") == 80


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_nothing_is_sold_where_nothing_is_missing() -> None:
    """The interest is paid before anybody could."""
    state = on.operating(owing(2, cash=200, earned=60), "MR", "dividend")
    on.refused(state, on.sell(1, "MR"), "4.6.6")


@pytest.mark.rule("18GL 4.6.5")
def test_4_6_5_ten_dollars_for_each_bond_to_its_owner() -> None:
    """Bob has three, the open market two, which the bank is paid for; the treasury's are nobody's."""
    state = conrail({"Bob": 3, MARKET: 2, "CR": 5}, cash=60)
    now = on.waiting(state)
    assert (now.cash["CR"], now.cash["Bob"] - state.cash["Bob"]) == (10, 30)
    assert now.cash[BANK] == state.cash[BANK] + 20


@pytest.mark.rule("18GL 4.6.5")
def test_4_6_5_the_earnings_pay_all_if_the_treasury_cannot() -> None:
    """$50 are due, the treasury has $40: all come from the $70 earned."""
    state = conrail({"Bob": 5, "CR": 5}, cash=40, earned=70)
    now = on.waiting(state)
    assert (now.cash["CR"], now.earned["CR"], now.cash["Bob"]) == (40, 20, state.cash["Bob"] + 50)


@pytest.mark.rule("18GL 4.6.5", "18GL 4.6.4")
def test_4_6_5_loan_interest_comes_before_bond_interest() -> None:
    """The treasury of $60 pays $50 for the loan, and the earnings $30 for the bonds."""
    state = conrail({"Bob": 3, "CR": 7}, cash=60, earned=70, loans=1)
    assert [event.on for event in interest(state)] == ["loans", "bonds"]
    now = on.waiting(state)
    assert (now.cash["CR"], now.earned["CR"]) == (10, 40)


@pytest.mark.rule("18GL 4.7.4")
def test_4_7_4_for_interest_bonds_are_issued_before_loans() -> None:
    """$30 of interest and nothing to pay it with: one of the seven bonds does, it is paid for."""
    outcome = on.settled(conrail({"Bob": 3, "CR": 7}))
    assert BondsIssued("CR", 1, 100) in outcome.events
    now = outcome.state
    assert (now.bonds["CR"], now.bonds[MARKET], now.loans.get("CR", 0)) == (6, 1, 0)


@pytest.mark.rule("18GL 4.6.5", "18GL 4.7.2")
def test_4_6_5_the_president_sells_for_it_when_nothing_else_is_left() -> None:
    """CONRAIL's $100 go for its loans, all bonds are out, Ann has $30 of the $100 for them."""
    poor = on.money(conrail({"Bob": 10}, cash=100, loans=2), {"Ann": 30})
    state = on.waiting(poor)
    assert on.waits_for(state) == ("Ann",)
    on.refused(state, on.done(), "4.6.5", "$100", "$70")
    assert on.after(state, on.sell(1, "CR")).cash["Bob"] == state.cash["Bob"] + 100


@pytest.mark.rule("18GL 4.7.4", "18GL 4.8")
def test_4_7_4_without_bonds_a_loan_is_taken() -> None:
    """All ten are out: $100 are due, one loan of $500 comes in."""
    now = on.waiting(conrail({"Bob": 10}))
    assert (now.loans["CR"], now.cash["CR"]) == (1, 400)

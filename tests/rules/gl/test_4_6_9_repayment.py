"""18GL 4.6.9, 4.6.10: loans are repaid, bonds redeemed."""

import pytest

from engine.actions import RedeemBonds, RepayLoans
from engine.events import BondsRedeemed, LoansRepaid
from engine.position.values import BANK, MARKET, State
from tests.rules.gl.setting import on

#: top row: 75 80 90 100 110 120 140 …
AT_110 = (0, 4)


def owing(loans: int, cash: int) -> State:
    """MR, at $100, is at the repayment of loans; it has a train."""
    return on.turn("repay", "MR", loans=loans, cash=cash, trains=("2H",), at=(0, 3))


def repay(count: int, name: str = "MR") -> RepayLoans:
    """Repay loans."""
    return RepayLoans(by="Ann", company=name, count=count)


def conrail(cash: int, **owners: int) -> State:
    """CONRAIL at the redemption of bonds: "market" and "CR" are owners beside players."""
    start = on.phase(on.stock_turn(), "10H")
    state = on.company(start, "CR", {"Ann": 60}, at=AT_110, cash=cash, trains=("10H",))
    bonds = {MARKET if owner == "market" else owner: count for owner, count in owners.items()}
    return on.operating(on.bonds(state, bonds), "CR", "redeem")


def redeem(count: int, source: str) -> RedeemBonds:
    """Redeem bonds."""
    return RedeemBonds(by="Ann", company="CR", count=count, source=source)


@pytest.mark.rule("18GL 4.6.9", "18GL 4.8")
def test_4_6_9_a_loan_is_repaid_with_five_hundred_dollars() -> None:
    """One of two, or both; the price goes right for each."""
    state = owing(2, 1200)
    assert on.happened(state, repay(1), LoansRepaid) == [LoansRepaid("MR", 1, 500, 1)]
    one, both = on.after(state, repay(1)), on.after(state, repay(2))
    assert (one.loans["MR"], one.cash["MR"], on.price(one, "MR")) == (1, 700, 110)
    assert (both.loans["MR"], both.cash["MR"], on.price(both, "MR")) == (0, 200, 120)
    assert both.cash[BANK] == state.cash[BANK] + 1000
    assert on.after(one, repay(1)).loans["MR"] == 0


@pytest.mark.rule("18GL 4.6.9")
def test_4_6_9_not_more_than_it_owes_or_can_pay() -> None:
    """One loan of two with $999; never a third."""
    on.refused(owing(2, 999), repay(2), "4.6.9", "$1000", "$999")
    on.refused(owing(2, 5000), repay(3), "4.6.9", "2 loans")
    on.refused(owing(2, 5000), repay(0), "4.6.9")
    assert on.offered(owing(2, 999), "Ann", RepayLoans) == [repay(1)]


@pytest.mark.rule("18GL 4.6.9")
def test_4_6_9_it_need_not() -> None:
    """Done is done."""
    assert on.after(owing(1, 500), on.done()).loans["MR"] == 1


@pytest.mark.rule("18GL 4.6.9")
def test_4_6_9_who_cannot_repay_is_not_asked() -> None:
    """Without a loan, or with $499, the turn goes on by itself."""
    for state in (owing(0, 900), owing(1, 499)):
        now = on.waiting(state)
        assert not on.offered(now, "Ann", RepayLoans)


@pytest.mark.rule("18GL 4.6.10")
def test_4_6_10_bonds_of_the_open_market_first() -> None:
    """The bank gets $100 for each; Bob's have to wait until the market has none."""
    state = conrail(700, market=2, Bob=3, CR=5)
    on.refused(state, redeem(1, "Bob"), "4.6.10", "open market")
    act = redeem(2, MARKET)
    assert on.happened(state, act, BondsRedeemed) == [BondsRedeemed("CR", 2, MARKET, 200)]
    now = on.after(state, act)
    assert (now.cash["CR"], now.cash[BANK]) == (500, state.cash[BANK] + 200)
    assert (now.bonds[MARKET], now.bonds["CR"]) == (0, 7)
    assert on.allowed(now, redeem(3, "Bob"))


@pytest.mark.rule("18GL 4.6.10")
def test_4_6_10_else_those_of_one_player_who_is_not_asked() -> None:
    """Bob gets $100 for each at once; Cas keeps hers in this turn."""
    state = conrail(900, Bob=3, Cas=2, CR=5)
    now = on.after(state, redeem(2, "Bob"))
    assert on.waits_for(now) == ("Ann",)
    assert (now.cash["Bob"], now.bonds["Bob"]) == (state.cash["Bob"] + 200, 1)
    on.refused(now, redeem(1, "Cas"), "4.6.10", "one player", "Bob")
    assert on.allowed(now, redeem(1, "Bob"))


@pytest.mark.rule("18GL 4.6.10")
def test_4_6_10_as_many_as_there_are_and_money_pays_for() -> None:
    """Never more."""
    state = conrail(250, Bob=3, CR=7)
    on.refused(state, redeem(3, "Bob"), "4.6.10", "$300", "$250")
    on.refused(state, redeem(4, "Bob"), "4.6.10", "3 bonds")
    on.refused(state, redeem(1, "Cas"), "4.6.10", "Cas")
    assert on.offered(state, "Ann", RedeemBonds) == [redeem(1, "Bob"), redeem(2, "Bob")]


@pytest.mark.rule("18GL 4.6.10")
def test_4_6_10_the_price_does_not_move() -> None:
    """Only loans move it."""
    state = conrail(900, market=3)
    assert on.price(on.after(state, redeem(3, MARKET)), "CR") == on.price(state, "CR")


@pytest.mark.rule("18GL 4.6.10")
def test_4_6_10_without_bonds_outside_nobody_is_asked() -> None:
    """All in the treasury, or no money."""
    for state in (conrail(900, CR=10), conrail(99, Bob=2, CR=8)):
        assert not on.offered(on.waiting(state), "Ann", RedeemBonds)

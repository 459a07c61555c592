"""18GL 4.6.11: a corporation sells shares of its treasury, or buys its own back."""

import pytest

from engine.actions import BuyBack, IssueShares
from engine.events import SharesBoughtBack, SharesIssued
from engine.position.values import BANK, MARKET, State
from tests.rules.gl.setting import on


def trading(*, cash: int = 0, turns: int = 1, market: int = 10, treasury: int = 30) -> State:
    """MR, at $100 in the top row, is at its own shares; players hold the rest."""
    held = {"Ann": 60, "Bob": 40 - market - treasury}
    return on.turn("own shares", "MR", held=held, market=market, cash=cash, turns=turns, at=(0, 3))


def back(shares: int) -> BuyBack:
    """Buy shares back."""
    return BuyBack(by="Ann", company="MR", shares=shares)


@pytest.mark.rule("18GL 4.6.11", "18GL 3.5")
def test_4_6_11_it_sells_at_the_market_value_which_falls() -> None:
    """Two shares at $100 each, then two rows down."""
    state, act = trading(), on.issue("MR", 2)
    assert on.happened(state, act, SharesIssued) == [SharesIssued("MR", 20, 200)]
    now = on.after(state, act)
    assert (now.cash["MR"], on.price(now, "MR")) == (200, 80)
    assert on.percent(now, "MR") == {"Ann": 60, MARKET: 30, "MR": 10}


@pytest.mark.rule("18GL 4.6.11", "18GL 3.4")
def test_4_6_11_half_of_it_at_most_in_the_open_market() -> None:
    """The market has 40%: one more share."""
    state = on.turn("own shares", "MR", held={"Ann": 20}, market=40, turns=1, at=(0, 3))
    on.refused(state, on.issue("MR", 2), "3.4", "50%", "40%")
    assert on.offered(state, "Ann", IssueShares) == [on.issue("MR", 1)]


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_only_what_the_treasury_has() -> None:
    """Three shares, not four."""
    on.refused(trading(), on.issue("MR", 4), "4.6.11", "3 shares")
    on.refused(trading(), on.issue("MR", 0), "4.6.11")


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_it_buys_back_and_the_price_stays() -> None:
    """From the open market, the bank is paid."""
    state, act = trading(cash=350, market=30, treasury=10), back(2)
    assert on.happened(state, act, SharesBoughtBack) == [SharesBoughtBack("MR", 20, 200)]
    now = on.after(state, act)
    assert (now.cash["MR"], now.cash[BANK]) == (150, state.cash[BANK] + 200)
    assert on.price(now, "MR") == 100
    assert on.percent(now, "MR") == {"Ann": 60, MARKET: 10, "MR": 30}


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_it_may_own_more_than_half_of_itself() -> None:
    """The treasury has no limit."""
    state = on.turn("own shares", "MR", held={"Ann": 20}, market=20, cash=900, turns=1, at=(0, 3))
    assert on.percent(on.after(state, back(2)), "MR") == {"Ann": 20, "MR": 80}


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_no_more_than_there_is_and_money_pays_for() -> None:
    """$199 buy one share of three."""
    state = trading(cash=199, market=30, treasury=10)
    on.refused(state, back(2), "4.6.11", "$200", "$199")
    on.refused(trading(cash=999), back(2), "4.6.11", "1 shares")
    assert on.offered(state, "Ann", BuyBack) == [back(1)]


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_one_or_the_other() -> None:
    """After a purchase it buys on but sells nothing; a sale is one block and ends the turn."""
    state = trading(cash=500, market=20, treasury=20)
    bought = on.after(state, back(1))
    on.refused(bought, on.issue("MR", 1), "4.6.11", "bought")
    assert on.allowed(bought, back(1))
    sold = on.after(state, on.issue("MR", 1))
    assert on.why_not(sold, back(1)) is not None
    assert on.why_not(sold, on.issue("MR", 1)) is not None


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_neither_in_its_first_operating_round() -> None:
    """Not even when it has the money."""
    state = trading(cash=500, turns=0)
    on.refused(state, on.issue("MR", 1), "4.6.11", "first operating round")
    on.refused(state, back(1), "4.6.11", "first operating round")
    assert not on.offered(on.waiting(state), "Ann", IssueShares)


@pytest.mark.rule("18GL 4.6.11")
def test_4_6_11_who_can_do_neither_is_not_asked() -> None:
    """All shares are with players: the round goes on."""
    state = trading(cash=500, market=0, treasury=0)
    assert "own shares" not in str(on.waiting(state).stack)


@pytest.mark.rule("18GL 4.6.11", "18GL 4.5.1.2")
def test_4_6_11_conrails_presidents_certificate_is_not_among_them() -> None:
    """It lies in the treasury with one share of 10%: only that can be sold."""
    start = on.phase(on.stock_turn(), "10H")
    state = on.company(
        start,
        "CR",
        {"Ann": 10, "Bob": 10},
        at=(0, 4),
        treasury=30,
        trains=("10H",),
        president="CR",
        market=50,
    )
    state = on.operating(state, "CR", "own shares")
    on.refused(state, on.issue("CR", 2), "4.6.11", "1 shares")

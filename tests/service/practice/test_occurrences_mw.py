"""What is rare in stock rounds of 18MW is counted under its own name."""

import pytest

from engine import apply
from engine.actions import BuyShare
from engine.position.values import MARKET, State
from service.workshop.practice.occurrences import happened, privates_used, worth_counting
from tests.rules.mw.setting import on


def told(state: State, action: object) -> list[str]:
    """What an action is counted as."""
    return list(happened(on.title, state, action, apply(on.title, state, action)))


@pytest.fixture(name="turn")
def _turn() -> State:
    """Ann's turn; brown stock lies in the market and in a treasury."""
    held = {"Bob": 20, "Ann": 20}
    about = {"market": 30, "treasury": 20, "cash": 900, "at": (7, 0)}
    return on.company(on.stock_turn(), "IC", held, **about)


def test_what_stock_turns_bring(turn: State) -> None:
    """Redemption, reissue, several shares at once, prices kept or not."""
    assert told(turn, BuyShare(by="Ann", company="IC", source="IC")) == ["share reissued"]
    several = BuyShare(by="Ann", company="IC", source=MARKET, more=2)
    assert told(turn, several) == ["several shares in one purchase"]
    assert told(turn, on.buy_used("IC")) == []
    own = on.company(on.stock_turn(), "NP", {"Ann": 40}, market=20, cash=500)
    assert told(own, on.redeem(2, "NP")) == ["treasury shares bought back"]
    asked = on.after(turn, on.sell(1, "IC"), on.done())
    assert told(asked, on.protect("IC")) == ["price protected"]
    assert told(asked, on.let_fall("IC")) == ["price let fall"]


def test_an_exchange_counts_as_the_power_of_its_private(turn: State) -> None:
    """Between two turns too."""
    state, act = on.privates(turn, {"LCM": "Cas"}), on.swap("IC", MARKET, "Cas")
    used = privates_used(on.title, state, act, apply(on.title, state, act))
    assert list(used) == [("LCM", "swap")]


def test_all_of_it_is_worth_counting() -> None:
    """A zero is seen."""
    found = worth_counting(on.title)
    for name in ("price protected", "price let fall", "treasury shares bought back"):
        assert name in found
    assert {"share reissued", "several shares in one purchase"} <= set(found)

"""What a sensible player does in parallel auctions, about falling prices, and with exchanges."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.actions import BidPrivate, BuyBack, Pass, SwapPrivate
from engine.position.values import Bid, State
from service.workshop.practice import answers, finance
from service.workshop.practice.choices import Choices
from service.workshop.practice.investing import Investor
from tests.rules.mw.setting import on


def offer(state: State, seat: str = "Ann") -> Choices:
    """What a player may do in a position."""
    return Choices(on.title, state, seat)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_raises_an_own_high_bid(seed: int) -> None:
    """Every turn is a bid on another private company, or a pass."""
    random = Random(seed)
    state = replace(on.opening(), bids={"MO": (Bid("Ann", 180),)})
    found = Investor(random).parallel_bid(offer(state))
    assert on.allowed(state, found)
    assert not (isinstance(found, BidPrivate) and found.private == "MO")


def test_what_is_left_is_bid_on_in_later_rounds() -> None:
    """So that the game comes to its corporations."""
    sold = dict.fromkeys(("HSJ", "SLA", "SLFL", "LCM", "RI", "CFH"), "Bob")
    first = on.opening()
    state = replace(on.privates(first, sold), round=replace(first.round, number=2))
    random = Random(1)
    found = Investor(random).parallel_bid(offer(state))
    assert found == on.bid("MO", 180)


@pytest.mark.parametrize(
    ("cash", "earned", "meant"),
    [(300, 200, on.protect("IC")), (200, 200, on.let_fall("IC")), (300, 0, on.let_fall("IC"))],
)
def test_a_price_is_kept_of_what_earns_and_can_be_paid(
    cash: int, earned: int, meant: object
) -> None:
    """$170 for two shares at $85, and money for one more."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 20}, at=(2, 6))
    state = replace(on.money(state, {"Bob": cash}), earned={"IC": earned})
    asked = on.after(state, on.sell(2, "IC"), on.done())
    assert answers.kept_price(offer(asked, "Bob")) == meant


@pytest.mark.parametrize(("at", "kind"), [((0, 6), SwapPrivate), ((4, 6), Pass)])
def test_an_exchange_is_for_a_dear_share(at: tuple[int, int], kind: type) -> None:
    """$100 is more than the private cost, $75 is not."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 60}, at=at, trains=["2"])
    asked = on.operating_round(on.privates(state, {"LCM": "Ann"}))
    assert isinstance(answers.exchange(offer(asked)), kind)


def test_a_rich_company_redeems_now_and_then() -> None:
    """Never one that cannot easily pay."""
    rich = on.company(on.stock_turn(), "IC", {"Ann": 40}, market=20, cash=900, at=(0, 6))
    random = Random(1)
    found = [finance.redemption(offer(rich), random) for _ in range(100)]
    assert 0 < sum(isinstance(action, BuyBack) for action in found) < 50
    poor = on.money(rich, {"IC": 499})
    assert not any(finance.redemption(offer(poor), random) for _ in range(50))

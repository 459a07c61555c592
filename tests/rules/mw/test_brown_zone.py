"""18MW Brown Zone: several shares of the open market in one purchase."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyShare
from engine.events import ShareBought
from engine.notation import parse, write
from engine.position.values import MARKET, OFFERING, State
from tests.rules.mw.setting import on

RULE = "Brown Zone"
pytestmark = pytest.mark.rule("18MW Brown Zone")
BROWN, GREEN = (7, 0), (6, 0)


def buy(count: int, name: str = "IC", source: str = MARKET, *, double: bool = False) -> BuyShare:
    """Buy so many shares at once."""
    more = count - 1 - double
    return BuyShare(by="Ann", company=name, source=source, double=double, more=more)


def turn(at: tuple[int, int] = BROWN) -> State:
    """Ann's turn; five shares of a company at $30 lie in the market."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 30, "Ann": 10}, market=50, at=at)
    return on.company(state, "NP", {"Bob": 60}, market=20, at=BROWN)


def test_several_shares_are_one_purchase() -> None:
    """All at the market price; nothing more is bought then, of no company and no place."""
    state = turn()
    assert on.happened(state, buy(4), ShareBought) == [ShareBought("Ann", "IC", 40, MARKET, 120)]
    after = on.after(state, buy(4))
    assert state.cash["Ann"] - after.cash["Ann"] == 120
    assert on.percent(after, "IC") == {"Ann": 50, "Bob": 30, MARKET: 10, OFFERING: 10}
    for more in (on.buy_used("IC"), on.buy("IC"), on.buy_used("NP"), on.buy("NP")):
        on.refused(after, more, "Stock Round", "one purchase")


@pytest.mark.rule("18MW Change in Presidency")
def test_they_may_bring_the_presidency_and_all_there_are() -> None:
    """Neither of the limits holds in the brown zone."""
    after = on.after(turn(), buy(5))
    assert after.presidents["IC"] == "Ann"
    assert on.percent(after, "IC")["Ann"] == 60
    full = on.company(on.stock_turn(), "IC", {"Ann": 60}, market=40, at=BROWN)
    assert on.percent(on.after(full, buy(4)), "IC")["Ann"] == 100


@pytest.mark.parametrize("at", [GREEN, (5, 3), (4, 6)])
def test_elsewhere_one_share_is_bought_at_a_time(at: tuple[int, int]) -> None:
    """In the green zone too."""
    on.refused(turn(at), buy(2), RULE, "IC is not", "buy IC")
    assert on.allowed(turn(at), buy(1))


def test_only_of_the_open_market_and_only_what_is_there() -> None:
    """Not of the offering or the treasury; any number of shares there are."""
    on.refused(turn(), buy(6), RULE, "has 5 of IC")
    on.refused(turn(), buy(2, source=OFFERING), RULE, "open market")
    only = on.company(on.stock_turn(), "IC", {"Bob": 60}, at=BROWN)
    on.refused(only, buy(2), "Stock Round", "Several shares at once", "`buy IC ipo`")
    on.refused(turn(), buy(0), RULE)
    treasury = on.company(on.stock_turn(), "IC", {"Bob": 30}, market=20, treasury=20, at=BROWN)
    on.refused(treasury, buy(2, source="IC"), RULE, "open market")
    assert [a.more for a in on.offered(turn(), "Ann", BuyShare) if a.company == "IC" and a.more] == [
        1, 2, 3, 4,
    ]  # fmt: skip


def test_they_must_be_paid_for_together() -> None:
    """By the player, at once."""
    poor = on.money(turn(), {"Ann": 89})
    on.refused(poor, buy(3), "Stock Round", "$90", "$89")
    assert on.allowed(poor, buy(2))
    assert [a.more for a in on.offered(poor, "Ann", BuyShare) if a.company == "IC" and a.more] == [
        1
    ]


@pytest.mark.rule("18MW Stock Round")
def test_what_was_sold_is_not_bought_back_there_either() -> None:
    """For the rest of the stock round."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 30, "Ann": 10}, market=20, at=BROWN)
    on.refused(on.after(state, on.sell(1, "IC")), buy(2), "Stock Round", "sold IC")


@pytest.mark.rule("18MW Merger 8")
def test_half_shares_of_a_system_are_bought_together_too() -> None:
    """Each is half of the price; the double share is two of them."""
    held = {"Ann": (10, 5, 5), "Cas": (5,) * 6}
    state = on.system(on.phase(on.stock_turn(), "10"), "BN", held, at=BROWN)
    lie = {**state.shares["BN"], MARKET: (10, 5, 5, 5), "BN": (5,) * 5}
    state = replace(state, shares={**state.shares, "BN": lie})
    three, four = buy(3, "BN"), buy(4, "BN", double=True)
    assert state.cash["Ann"] - on.after(state, three).cash["Ann"] == 45
    assert state.cash["Ann"] - on.after(state, four).cash["Ann"] == 60
    assert on.after(state, four).shares["BN"]["Ann"] == (10, 10, 5, 5, 5, 5)
    on.refused(state, buy(4, "BN"), RULE, "has 3 of BN")
    for line, meant in (("buy 3 BN market", three), ("buy 4 BN market with double", four)):
        assert parse(on.title, state, "Ann", line) == meant
        assert write(on.title, state, meant) == line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("buy 3 IC market", buy(3)),
        ("buy 3 shares of IC from the open market", buy(3)),
        ("buy 2 IC", buy(2)),
        ("buy 2 IC offering", buy(2, source=OFFERING)),
        ("buy IC market", buy(1)),
    ],
)
def test_commands_for_several_shares(line: str, meant: BuyShare) -> None:
    """Read in many words, and written in one way that reads back."""
    found = parse(on.title, turn(), "Ann", line)
    assert found == meant
    assert parse(on.title, turn(), "Ann", write(on.title, turn(), found)) == meant

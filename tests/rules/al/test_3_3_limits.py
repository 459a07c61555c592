"""18AL 3.3: how much a player may own."""

import pytest

from engine.actions import Pass, SellShares
from engine.position.values import MARKET, State
from tests.rules import setting as on

#: a space of the yellow zone and one just above it in the same column
YELLOW, ABOVE = (4, 2), (3, 2)


def full(count: int = 15) -> State:
    """Ann has ``count`` certificates that count, the limit for three being 15, and $5000."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60, "Bob": 20})
    state = on.company(state, "M&O", {"Ann": 60, "Bob": 20})
    state = on.company(state, "WRA", {"Ann": 20, "Bob": 20})
    state = on.money(state, {"Ann": 3000})
    owned = on.table(state).certificates("Ann")
    assert owned == 11
    names = ("TR", "S&NA", "B&SLC", "M&C", "NDY")
    return on.privates(state, dict.fromkeys(names[: count - owned], "Ann"))


def over(by: int = 1) -> State:
    """Ann is over the limit, having 15 certificates and ``by``."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60, "Bob": 20})
    state = on.company(state, "M&O", {"Ann": 60, "Bob": 20})
    state = on.company(state, "WRA", {"Ann": 60, "Bob": 20})
    state = on.privates(on.money(state, {"Ann": 3000}), {"TR": "Ann"})
    assert on.table(state).certificates("Ann") == 16
    more = ("S&NA", "B&SLC", "M&C", "NDY")[: by - 1]
    return on.privates(state, dict.fromkeys(more, "Ann"))


@pytest.mark.rule("18AL 3.3(a)")
@pytest.mark.parametrize("source", ["offering", "market"])
def test_a_60_percent_at_most(source: str) -> None:
    """50% and a share are 60%; 60% and a share are refused, wherever it comes from."""
    act = on.buy("L&N") if source == "offering" else on.buy_used("L&N")
    assert on.allowed(on.company(on.stock_turn(), "L&N", {"Ann": 50}, market=10), act)
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, market=10)
    on.refused(state, act, "3.3(a)", "60%", "L&N")


@pytest.mark.rule("18AL 3.3(a)")
def test_a_limit_is_by_company() -> None:
    """60% of one company bar no share of another."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    assert on.allowed(on.company(state, "TAG", {"Bob": 20, "Ann": 50}, par=60), on.buy("TAG"))


@pytest.mark.rule("18AL 3.3(b)")
def test_b_what_counts() -> None:
    """Private companies of a player count, a president's certificate is one, those of companies do not."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40})
    state = on.privates(state, {"TR": "Ann", "NDY": "Ann", "M&C": "L&N"})
    assert on.table(state).certificates("Ann") == 3 + 2


@pytest.mark.rule("18AL 3.3(b)")
def test_b_at_the_limit_nothing_is_bought() -> None:
    """With 14 certificates Ann buys; with 15 she buys nothing of any kind."""
    assert on.allowed(full(14), on.buy("WRA"))
    for act in (on.buy("WRA"), on.par("ATN", 60)):
        on.refused(full(15), act, "3.3(b)", "15", "Sell one")


@pytest.mark.rule("18AL 3.3(b)")
def test_b_at_the_limit_no_private_is_bought() -> None:
    """A private counts too, on either player's turn."""
    state = on.privates(full(15), {"NDY": "Bob"})
    on.refused(state, on.trade("NDY", "Bob", "Ann", 50), "3.3(b)", "Ann")
    state = on.privates(full(14), {"NDY": "Bob"})
    assert on.allowed(state, on.trade("NDY", "Bob", "Ann", 50))


@pytest.mark.rule("18AL 3.3(b)")
def test_b_a_sale_makes_room() -> None:
    """After the sale of one certificate one is bought."""
    assert on.allowed(on.after(full(15), on.sell(1, "M&O")), on.buy("WRA"))


@pytest.mark.rule("18AL 3.3(b)")
def test_b_not_even_for_a_presidency_that_would_save_one() -> None:
    """Taking the presidency would turn two certificates into one; at the limit it is refused still."""
    state = on.company(full(12), "ATN", {"Bob": 30, "Ann": 30}, par=60)
    assert on.table(state).certificates("Ann") == 15
    on.refused(state, on.buy("ATN"), "3.3(b)", "15")


@pytest.mark.rule("18AL 3.3(b)")
def test_b_yellow_zone_is_free_of_the_limit() -> None:
    """Shares in the yellow zone do not count and are bought at the limit."""
    state = on.company(full(15), "TAG", {"Bob": 30, "Ann": 20}, par=60, at=YELLOW)
    assert on.table(state).certificates("Ann") == 15
    assert on.allowed(state, on.buy("TAG"))
    above = on.company(full(13), "TAG", {"Bob": 30, "Ann": 20}, par=60, at=ABOVE)
    assert on.table(above).certificates("Ann") == 15
    on.refused(above, on.buy("TAG"), "3.3(b)", "15")


@pytest.mark.rule("18AL 3.3(b)")
def test_b_over_the_limit_one_must_sell() -> None:
    """Ann cannot end her turn with 16, and can with 15."""
    state = over()
    on.refused(state, on.done(), "3.3(b)", "1 over", "L&N")
    assert Pass(by="Ann") not in on.offered(state, "Ann", Pass)
    now = on.after(state, on.sell(1, "L&N"))
    assert on.allowed(now, on.done())


@pytest.mark.rule("18AL 3.3(b)")
def test_b_all_that_is_over_must_go() -> None:
    """One sale does not do for two too many."""
    state = on.after(over(2), on.sell(1, "L&N"))
    on.refused(state, on.done(), "3.3(b)", "1 over")
    assert on.allowed(on.after(state, on.sell(1, "L&N")), on.done())


@pytest.mark.rule("18AL 3.3(b)")
def test_b_excess_waits_for_ones_own_turn() -> None:
    """On Bob's turn Ann's excess is nobody's concern."""
    state = on.company(on.stock_turn("Bob"), "L&N", {"Ann": 60, "Bob": 20})
    state = on.company(state, "M&O", {"Ann": 60})
    state = on.company(state, "WRA", {"Ann": 60})
    state = on.privates(state, {"TR": "Ann"})
    assert on.table(state).certificates("Ann") == 16
    assert on.allowed(state, on.done("Bob"))


@pytest.mark.rule("18AL 3.3(b)")
def test_b_a_lost_presidency_may_exceed_the_limit() -> None:
    """Bob takes ATN from Ann: she now has two certificates for one, 16 in all, and keeps them for now."""
    state = on.company(on.stock_turn("Bob"), "L&N", {"Ann": 60})
    state = on.company(state, "M&O", {"Ann": 60})
    state = on.company(state, "WRA", {"Ann": 50})
    state = on.company(state, "ATN", {"Ann": 20, "Bob": 20}, par=60)
    assert on.table(state).certificates("Ann") == 15
    now = on.after(state, on.buy("ATN", "Bob"))
    assert on.table(now).certificates("Ann") == 16
    assert on.percent(now, "ATN")["Ann"] == 20


@pytest.mark.rule("18AL 3.3(b)")
def test_b_sale_back_into_the_yellow_zone_is_enough() -> None:
    """Five too many of one company that rose out of the zone: one sale drops it in again."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60})
    state = on.company(state, "M&O", {"Ann": 60})
    state = on.company(state, "WRA", {"Ann": 60})
    state = on.company(state, "TAG", {"Ann": 60}, par=60, at=ABOVE)
    assert on.table(state).certificates("Ann") == 20
    now = on.after(state, on.sell(1, "TAG"))
    assert on.table(now).certificates("Ann") == 15
    assert on.allowed(now, on.done())


@pytest.mark.rule("18AL 3.3(b)")
def test_b_nobody_must_sell_what_he_may_not_sell() -> None:
    """All of Ann's companies fill the market to 50%: she ends her turn over the limit."""
    state = on.stock_turn()
    for name in ("L&N", "M&O", "WRA"):
        state = on.company(state, name, {"Ann": 50}, market=50)
    state = on.privates(state, dict.fromkeys(("TR", "S&NA", "B&SLC", "M&C"), "Ann"))
    assert on.table(state).certificates("Ann") == 16
    assert on.offered(state, "Ann", SellShares) == []
    assert on.allowed(state, on.done())


@pytest.mark.rule("18AL 3.3(b)")
def test_b_a_purchase_does_not_let_one_off() -> None:
    """Two too many: one sold, then a yellow share bought, would leave no sale for the second."""
    state = on.company(over(2), "TAG", {"Bob": 30}, par=60, at=YELLOW)
    state = on.after(state, on.sell(1, "L&N"))
    on.refused(state, on.buy("TAG"), "3.3(b)", "1 over")
    assert on.allowed(on.after(state, on.sell(1, "L&N")), on.buy("TAG"))


@pytest.mark.rule("18AL 3.3(b)")
def test_b_a_purchase_may_come_before_the_sales() -> None:
    """Nothing sold yet: the yellow share is bought, and the sales follow."""
    state = on.company(over(2), "TAG", {"Bob": 30}, par=60, at=YELLOW)
    state = on.after(state, on.buy("TAG"))
    on.refused(state, on.done(), "3.3(b)", "2 over")
    assert on.allowed(on.after(state, on.sell(2, "L&N")), on.done())


@pytest.mark.rule("18AL 3.3(b)")
def test_b_market_share_in_yellow_zone() -> None:
    """The exception holds for used shares as well."""
    state = on.company(full(15), "TAG", {"Bob": 60}, par=60, market=20, at=YELLOW)
    assert on.percent(on.after(state, on.buy_used("TAG")), "TAG")[MARKET] == 10

"""18AL 3.5: changes of presidency."""

import pytest

from engine.events import PresidentChanged
from engine.position.values import MARKET, OFFERING
from tests.rules import setting as on


@pytest.mark.rule("18AL 3.5")
def test_3_5_a_purchase_of_more_takes_the_presidency() -> None:
    """Ann's fourth share beats Bob's three."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 30, "Ann": 30})
    assert on.happened(state, on.buy("L&N"), PresidentChanged) == [
        PresidentChanged("L&N", "Bob", "Ann")
    ]
    assert on.after(state, on.buy("L&N")).presidents["L&N"] == "Ann"


@pytest.mark.rule("18AL 3.5")
def test_3_5_as_much_is_not_more() -> None:
    """Ann draws level with Bob, who stays."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 30, "Ann": 20})
    assert on.after(state, on.buy("L&N")).presidents["L&N"] == "Bob"


@pytest.mark.rule("18AL 3.5")
def test_3_5_a_sale_below_another_loses_the_presidency() -> None:
    """Ann falls from 40% to 20%, Bob has 30%."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 30})
    assert on.after(state, on.sell(1, "L&N")).presidents["L&N"] == "Ann"
    assert on.after(state, on.sell(2, "L&N")).presidents["L&N"] == "Bob"


@pytest.mark.rule("18AL 3.5")
def test_3_5_open_market_presides_nowhere() -> None:
    """The market has 50%, Ann 20%: Ann presides."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 30}, market=40)
    now = on.after(state, on.sell(1, "L&N"))
    assert (on.percent(now, "L&N")[MARKET], now.presidents["L&N"]) == (50, "Ann")


@pytest.mark.rule("18AL 3.5(a)")
def test_a_the_greatest_holding_presides() -> None:
    """Cas has more than Bob and presides after Ann, though Bob sits nearer."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 20, "Cas": 30})
    assert on.after(state, on.sell(3, "L&N")).presidents["L&N"] == "Cas"


@pytest.mark.rule("18AL 3.5(a)")
@pytest.mark.parametrize(
    ("seller", "new"), [("Ann", "Bob"), ("Bob", "Cas"), ("Cas", "Dan"), ("Dan", "Ann")]
)
def test_a_of_equals_the_first_clockwise(seller: str, new: str) -> None:
    """Two or three hold as much: the first clockwise from the outgoing president presides."""
    others = [s for s in on.SEATS[:4] if s != seller]
    held = {seller: 30} | dict.fromkeys(reversed(others), 20)
    state = on.company(on.stock_turn(seller, seats=4), "L&N", held)
    assert on.after(state, on.sell(2, "L&N", seller)).presidents["L&N"] == new


@pytest.mark.rule("18AL 3.5(a)")
def test_a_clockwise_passes_over_the_smaller_holding() -> None:
    """Bob is next but has 10%; of Cas and Dan, equal at 20%, Cas comes first."""
    held = {"Ann": 30, "Dan": 20, "Cas": 20, "Bob": 10}
    state = on.company(on.stock_turn(seats=4), "L&N", held)
    assert on.after(state, on.sell(2, "L&N")).presidents["L&N"] == "Cas"


@pytest.mark.rule("18AL 3.5(b)")
def test_b_two_shares_for_the_presidents_certificate() -> None:
    """After a purchase the old president has two ordinary certificates for his one."""
    state = on.after(on.company(on.stock_turn(), "L&N", {"Bob": 30, "Ann": 30}), on.buy("L&N"))
    assert state.shares["L&N"]["Ann"] == (20, 10, 10)
    assert state.shares["L&N"]["Bob"] == (10, 10, 10)


@pytest.mark.rule("18AL 3.5(b)")
def test_b_exchange_with_the_open_market() -> None:
    """Ann sold her president's certificate: the market has two shares of Bob's instead, Bob the certificate."""
    state = on.after(on.company(on.stock_turn(), "L&N", {"Ann": 20, "Bob": 40}), on.sell(2, "L&N"))
    assert state.shares["L&N"] == {"Bob": (20, 10, 10), MARKET: (10, 10), OFFERING: (10,) * 4}


@pytest.mark.rule("18AL 3.5(c)")
def test_c_the_company_keeps_what_it_has() -> None:
    """Money, trains, stations and privates stay with the company; its new president decides."""
    state = on.company(
        on.stock_turn(), "L&N", {"Bob": 30, "Ann": 30}, cash=77, trains=("2", "2"), stations=("C4",)
    )
    state = on.privates(state, {"TR": "L&N"})
    now = on.after(state, on.buy("L&N"))
    assert (now.cash["L&N"], now.trains["L&N"], now.privates["TR"]) == (77, ("2", "2"), "L&N")
    assert now.stations == state.stations
    now = on.after(now, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert on.waits_for(now) == ("Ann",)


@pytest.mark.rule("18AL 3.5(c)")
def test_c_presidency_changes_before_the_company_floats() -> None:
    """L&N has 40% with players and no charter yet; its presidency changes as any other."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 20, "Ann": 20}, turns=0)
    assert on.after(state, on.buy("L&N")).presidents["L&N"] == "Ann"

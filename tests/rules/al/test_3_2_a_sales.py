"""18AL 3.2(a): selling shares."""

import pytest
from msgspec.structs import replace

from engine.position.values import MARKET, OFFERING, State, Token
from tests.rules import setting as on


def ann_and_bob(**more: object) -> State:
    """Ann presides L&N with 30%, Bob has 20%; nothing is in the open market."""
    return on.company(on.stock_turn(), "L&N", {"Ann": 30, "Bob": 20}, **more)  # type: ignore[arg-type]


@pytest.mark.rule("18AL 3.2(a)")
def test_a_sale_at_market_value_to_the_open_market() -> None:
    """Two shares at $90 bring $180; the price falls two spaces for the two shares together."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 20})
    now = on.after(state, on.sell(2, "L&N"))
    assert now.cash["Ann"] - state.cash["Ann"] == 180
    assert on.percent(now, "L&N") == {"Ann": 20, "Bob": 20, MARKET: 20, OFFERING: 40}
    assert on.price(now, "L&N") == 75


@pytest.mark.rule("18AL 3.2(a)")
def test_a_price_stops_at_the_bottom() -> None:
    """Three shares sold one space above the lowest row move the price one space."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 50, "Bob": 20}, at=(5, 4))
    now = on.after(state, on.sell(3, "L&N"))
    assert now.tokens == (Token("L&N", (6, 4)),)


@pytest.mark.rule("18AL 3.2(a)")
def test_a_price_stops_where_its_column_ends() -> None:
    """Columns on the right are short: below $240 there is $215 and no more."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 50, "Bob": 20}, at=(0, 13))
    now = on.after(state, on.sell(3, "L&N"))
    assert now.tokens == (Token("L&N", (1, 13)),)


@pytest.mark.rule("18AL 3.2(a)")
def test_a_token_goes_under_those_of_its_new_space() -> None:
    """L&N falls on TAG's space and operates after it."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 30, "Bob": 30}, at=(0, 4))
    state = on.company(state, "TAG", {"Bob": 60}, at=(1, 4))
    assert on.table(state).priced() == ["L&N", "TAG"]
    now = on.after(state, on.sell(1, "L&N"))
    assert [t.cell for t in now.tokens] == [(1, 4), (1, 4)]
    assert on.table(now).priced() == ["TAG", "L&N"]


@pytest.mark.rule("18AL 3.2(a)")
def test_a_shares_one_has_not_are_not_sold() -> None:
    """Ann has 3 shares, not 4; nobody has shares of WRA, which is not founded."""
    on.refused(ann_and_bob(), on.sell(4, "L&N"), "3.2(a)", "3 shares")
    on.refused(ann_and_bob(), on.sell(0, "L&N"), "3.2(a)", "L&N")
    on.refused(ann_and_bob(), on.sell(1, "WRA"), "3.2(a)", "WRA")


@pytest.mark.rule("18AL 3.2(a)")
def test_a_shares_of_an_unfloated_company_are_sold() -> None:
    """L&N has 50% in the initial offering and has never operated; Ann sells all the same."""
    state = ann_and_bob(turns=0)
    assert state.floated == ()
    assert on.price(on.after(state, on.sell(1, "L&N")), "L&N") == 80


@pytest.mark.rule("18AL 3.2(a)(1)")
def test_a_1_no_sale_in_the_first_stock_round() -> None:
    """In round 1 nothing is sold to the bank, in round 2 it is."""
    first = replace(ann_and_bob(), round=replace(ann_and_bob().round, number=1))
    on.refused(first, on.sell(1, "L&N"), "3.2(a)(1)", "first stock round")
    assert on.offered(first, "Ann", type(on.sell(1, "L&N"))) == []
    assert on.allowed(ann_and_bob(), on.sell(1, "L&N"))


@pytest.mark.rule("18AL 3.2(a)(1)")
def test_a_1_privates_are_sold_to_players_in_the_first_round() -> None:
    """Only sales to the bank are barred."""
    state = on.privates(on.stock_turn(number=1), {"TR": "Ann"})
    assert on.allowed(state, on.trade("TR", "Ann", "Bob", 5))


@pytest.mark.rule("18AL 3.2(a)(2)")
def test_a_2_half_of_a_company_may_lie_in_the_market() -> None:
    """With 30% there, two shares more are allowed and three are not."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 40, "Ann": 30}, market=30)
    assert on.allowed(state, on.sell(2, "L&N"))
    on.refused(state, on.sell(3, "L&N"), "3.2(a)(2)", "50%", "30%", "sell 2 L&N")


@pytest.mark.rule("18AL 3.2(a)(2)")
def test_a_2_full_market_takes_nothing() -> None:
    """At 50% not one share more is taken."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 30, "Ann": 20}, market=50)
    on.refused(state, on.sell(1, "L&N"), "3.2(a)(2)", "50%")


@pytest.mark.rule("18AL 3.2(a)(2)")
def test_a_2_initial_offering_does_not_count() -> None:
    """50% in the offering and 30% in the market leave room for two shares."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 20, "Ann": 20}, market=10)
    assert on.percent(state, "L&N")[OFFERING] == 50
    assert on.allowed(state, on.sell(2, "L&N"))


@pytest.mark.rule("18AL 3.2(a)(3)")
def test_a_3_president_stays_if_nobody_else_has_20() -> None:
    """Ann can sell her ordinary share and no more, as Bob has 10%."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 30, "Bob": 10})
    assert on.allowed(state, on.sell(1, "L&N"))
    on.refused(state, on.sell(2, "L&N"), "3.2(a)(3)", "L&N", "sell 1 L&N")
    on.refused(state, on.sell(3, "L&N"), "3.2(a)(3)", "L&N")


@pytest.mark.rule("18AL 3.2(a)(3)")
def test_a_3_presidents_certificate_goes_to_one_with_20() -> None:
    """Bob has 20%: Ann may sell all she has, and Bob presides."""
    state = ann_and_bob()
    now = on.after(state, on.sell(3, "L&N"))
    assert now.presidents["L&N"] == "Bob"
    assert now.shares["L&N"] == {"Bob": (20,), MARKET: (10, 10, 10), OFFERING: (10,) * 5}


@pytest.mark.rule("18AL 3.2(a)(3)")
def test_a_3_presidents_certificate_needs_a_change_of_presidency() -> None:
    """Ann keeps 20% of her 40% without a change; a sale that leaves her 20% to Bob's 30% changes it."""
    equal = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 20})
    assert on.after(equal, on.sell(2, "L&N")).presidents["L&N"] == "Ann"
    more = on.company(on.stock_turn(), "L&N", {"Ann": 40, "Bob": 30})
    assert on.after(more, on.sell(2, "L&N")).presidents["L&N"] == "Bob"


@pytest.mark.rule("18AL 3.2(a)(3)")
def test_a_3_market_holds_no_presidents_certificate() -> None:
    """After the sale of a president's certificate only shares of 10% lie in the open market."""
    state = on.after(ann_and_bob(), on.sell(2, "L&N"))
    assert state.shares["L&N"][MARKET] == (10, 10)
    assert state.shares["L&N"]["Ann"] == (10,)


@pytest.mark.rule("18AL 3.2(a)(4)")
def test_a_4_half_of_the_presidents_certificate() -> None:
    """Ann has the certificate alone, Bob 20%: she sells one share and keeps one, Bob presides."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 20, "Bob": 20})
    now = on.after(state, on.sell(1, "L&N"))
    assert now.shares["L&N"] == {"Ann": (10,), "Bob": (20,), MARKET: (10,), OFFERING: (10,) * 6}
    assert now.presidents["L&N"] == "Bob"
    assert now.cash["Ann"] - state.cash["Ann"] == 90
    assert on.price(now, "L&N") == 80


@pytest.mark.rule("18AL 3.2(a)(4)")
def test_a_4_not_without_a_successor() -> None:
    """Bob has 10% only."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 20, "Bob": 10})
    on.refused(state, on.sell(1, "L&N"), "3.2(a)(3)", "20%")

"""18AL 3.2: the regular stock turn."""

import pytest
from msgspec.structs import replace

from engine.actions import Decline
from engine.events import Asked, Declined
from engine.flow import to_act
from engine.position.frames import StockTurn
from engine.position.values import MARKET, State
from engine.proposals import PrivateSale
from tests.rules import setting as on


def ann_and_bob(**more: object) -> State:
    """Ann presides L&N with 30%, Bob has 20%; nothing is in the open market."""
    return on.company(on.stock_turn(), "L&N", {"Ann": 30, "Bob": 20}, **more)  # type: ignore[arg-type]


@pytest.mark.rule("18AL 3.2")
def test_3_2_sell_and_buy_in_one_turn() -> None:
    """Sales of several companies and a purchase make one turn; it ends when Ann says so."""
    state = on.company(ann_and_bob(), "TAG", {"Bob": 30, "Ann": 20}, par=60)
    state = on.after(state, on.sell(1, "L&N"), on.sell(2, "TAG"), on.par("WRA", 60))
    assert on.waits_for(state) == ("Ann",)
    assert on.waits_for(on.after(state, on.done())) == ("Bob",)


@pytest.mark.rule("18AL 3.2")
def test_3_2_sales_after_the_purchase() -> None:
    """The purchase may come first, sales after it."""
    state = on.after(ann_and_bob(), on.par("WRA", 60), on.sell(1, "L&N"))
    assert on.percent(state, "L&N")[MARKET] == 10


@pytest.mark.rule("18AL 3.2")
def test_3_2_no_sale_on_both_sides_of_the_purchase() -> None:
    """Who sold before his purchase sells no more after it."""
    state = on.company(ann_and_bob(), "TAG", {"Bob": 30, "Ann": 20}, par=60)
    state = on.after(state, on.sell(1, "L&N"), on.par("WRA", 60))
    on.refused(state, on.sell(1, "TAG"), "3.2", "one purchase")


@pytest.mark.rule("18AL 3.2")
def test_3_2_private_between_players_counts_as_certificate_of_the_turn() -> None:
    """A private sold before the purchase shuts out sales after it, a private or a share."""
    state = on.privates(ann_and_bob(), {"TR": "Ann", "NDY": "Ann"})
    state = on.after(state, on.trade("TR", "Ann", "Bob", 20), on.accept("Bob"), on.par("WRA", 60))
    on.refused(state, on.sell(1, "L&N"), "3.2", "one purchase")
    on.refused(state, on.trade("NDY", "Ann", "Bob", 20), "3.2", "one purchase")


@pytest.mark.rule("18AL 3.2")
def test_3_2_pass() -> None:
    """A player need not do anything."""
    assert to_act(on.AL, on.after(ann_and_bob(), on.done())) == ("Bob",)


@pytest.mark.rule("18AL 3.2(b)")
def test_b_private_is_sold_to_a_player_who_agrees() -> None:
    """Bob is asked; on his word the private and $33 change hands."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    offer = on.trade("TR", "Ann", "Bob", 33)
    assert on.happened(state, offer, Asked) == [
        Asked("Bob", "Ann", PrivateSale("TR", "Ann", "Bob", 33))
    ]
    asked = on.after(state, offer)
    assert on.waits_for(asked) == ("Bob",)
    assert asked.privates["TR"] == "Ann"
    sold = on.after(asked, on.accept("Bob"))
    assert (sold.privates["TR"], sold.cash["Ann"], sold.cash["Bob"]) == ("Bob", 633, 567)
    assert on.waits_for(sold) == ("Ann",)


@pytest.mark.rule("18AL 3.2(b)")
def test_b_private_is_not_sold_to_a_player_who_declines() -> None:
    """On Bob's no everything is as it was and Ann goes on."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    asked = on.after(state, on.trade("TR", "Ann", "Bob", 33))
    assert on.happened(asked, Decline(by="Bob"), Declined) == [
        Declined("Bob", PrivateSale("TR", "Ann", "Bob", 33))
    ]
    no = on.after(asked, Decline(by="Bob"))
    assert (no.privates, no.cash, no.stack) == (state.privates, state.cash, state.stack)


@pytest.mark.rule("18AL 3.2(b)")
def test_b_nobody_else_answers_and_nothing_else_happens_meanwhile() -> None:
    """Cas cannot accept for Bob, and Ann cannot go on."""
    state = on.after(on.privates(on.stock_turn(), {"TR": "Ann"}), on.trade("TR", "Ann", "Bob", 33))
    on.refused(state, on.accept("Cas"), "3, 4", "Bob")
    on.refused(state, on.done("Bob"), "3, 4", "accept or decline")
    on.refused(state, on.par("L&N", 60), "3, 4", "Bob")


@pytest.mark.rule("18AL 3.2(b)")
@pytest.mark.parametrize("dollars", [0, -5])
def test_b_price_is_positive(dollars: int) -> None:
    """Nothing and less than nothing are no price; $1 is one."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    on.refused(state, on.trade("TR", "Ann", "Bob", dollars), "3.2(b)", "above 0")
    assert on.allowed(state, on.trade("TR", "Ann", "Bob", 1))


@pytest.mark.rule("18AL 3.2(b)")
def test_b_price_is_bounded_by_the_buyers_money_only() -> None:
    """Bob can pay $600 for the Tuscumbia and no more."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    assert on.allowed(state, on.trade("TR", "Ann", "Bob", 600))
    on.refused(state, on.trade("TR", "Ann", "Bob", 601), "3.2(b)", "$600", "$601")


@pytest.mark.rule("18AL 3.2(b)")
def test_b_only_its_owner_sells_it() -> None:
    """Ann cannot sell what Cas has, nor stand between Bob and Cas."""
    state = on.privates(on.stock_turn(), {"TR": "Cas"})
    on.refused(state, on.trade("TR", "Ann", "Bob", 20), "3.2(b)", "Cas")
    on.refused(state, on.trade("TR", "Cas", "Bob", 20), "3.2(b)", "Ann")


@pytest.mark.rule("18AL 3.2(b)")
def test_b_companies_do_not_trade_privates_in_a_stock_round() -> None:
    """L&N neither buys nor sells one here."""
    state = on.privates(on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=500), {"TR": "Ann"})
    on.refused(state, on.trade("TR", "Ann", "L&N", 20), "3.2(b)", "players only")
    state = on.privates(state, {"TR": "L&N"})
    on.refused(state, on.trade("TR", "L&N", "Ann", 20), "3.2(b)", "players only")


@pytest.mark.rule("18AL 3.2(b)")
def test_b_sale_on_the_sellers_turn_uses_up_nobodys_purchase() -> None:
    """Ann sells two privates and still buys; Bob has his purchase when his turn comes."""
    state = on.privates(on.stock_turn(), {"TR": "Ann", "NDY": "Ann"})
    state = on.after(state, on.trade("TR", "Ann", "Bob", 20), on.accept("Bob"))
    state = on.after(state, on.trade("NDY", "Ann", "Bob", 99), on.accept("Bob"))
    state = on.after(state, on.par("L&N", 60), on.done())
    assert on.allowed(state, on.par("TAG", 60, "Bob"))


@pytest.mark.rule("18AL 3.2(c)")
def test_c_one_purchase_a_turn() -> None:
    """After a founding no share is bought, and the other way round."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 40}, market=10)
    for first in (on.par("WRA", 60), on.buy("L&N"), on.buy_used("L&N")):
        now = on.after(state, first)
        on.refused(now, on.buy("L&N"), "3.2(c)", "one purchase")
        on.refused(now, on.par("TAG", 60), "3.2(c)", "one purchase")


@pytest.mark.rule("18AL 3.2(c)")
def test_c_no_purchase_of_what_one_sold_in_the_round() -> None:
    """Who sold L&N buys no L&N until the next stock round, on this turn or a later one."""
    state = on.after(ann_and_bob(), on.sell(1, "L&N"))
    on.refused(state, on.buy_used("L&N"), "3.2(c)", "sold L&N")
    on.refused(state, on.buy("L&N"), "3.2(c)", "sold L&N")
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"))
    on.refused(state, on.buy("L&N"), "3.2(c)", "sold L&N")
    state = on.after(state, on.done())
    assert str(state.round) == "SR 3"
    again = replace(state, stack=(state.stack[0], StockTurn("Ann")))
    assert on.allowed(again, on.buy("L&N"))


@pytest.mark.rule("18AL 3.2(c)")
def test_c_others_may_buy_what_one_sold() -> None:
    """Bob buys the share that Ann has sold."""
    state = on.after(ann_and_bob(), on.sell(1, "L&N"), on.done())
    assert on.allowed(state, on.buy_used("L&N", "Bob"))


@pytest.mark.rule("18AL 3.2(c)")
def test_c_nothing_on_credit() -> None:
    """$89 do not buy a share of $90."""
    state = on.money(ann_and_bob(), {"Ann": 89})
    on.refused(state, on.buy("L&N"), "3.2(c)", "$90", "$89")
    assert on.allowed(on.money(state, {"Ann": 90}), on.buy("L&N"))


@pytest.mark.rule("18AL 3.2(c)(1)")
@pytest.mark.parametrize("dollars", [60, 70, 75, 90, 105])
def test_c_1_par_values(dollars: int) -> None:
    """The five par values, each with its space on the chart where the market value begins."""
    state = on.stock_turn()
    now = on.after(state, on.par("L&N", dollars))
    assert (now.pars["L&N"], on.price(now, "L&N")) == (dollars, dollars)
    assert "p" in on.table(now).zone("L&N")
    assert state.cash["Ann"] - now.cash["Ann"] == 2 * dollars
    assert now.shares["L&N"]["Ann"] == (20,)
    assert now.presidents["L&N"] == "Ann"


@pytest.mark.rule("18AL 3.2(c)(1)")
@pytest.mark.parametrize("dollars", [0, 50, 65, 80, 100, 120])
def test_c_1_no_other_par_values(dollars: int) -> None:
    """Other prices of the chart are no par values."""
    on.refused(on.stock_turn(), on.par("L&N", dollars), "3.2(c)(1)", f"${dollars}", "$60", "$105")


@pytest.mark.rule("18AL 3.2(c)(1)")
def test_c_1_a_company_is_founded_once() -> None:
    """The president's certificate of L&N is sold."""
    on.refused(ann_and_bob(), on.par("L&N", 90), "3.2(c)(1)", "L&N", "buy L&N")


@pytest.mark.rule("18AL 3.2(c)(1)")
def test_c_1_new_token_goes_under_those_of_its_space() -> None:
    """TAG is founded at L&N's par and stands under it."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 60})
    assert on.table(on.after(state, on.par("TAG", 90))).priced() == ["L&N", "TAG"]


@pytest.mark.rule("18AL 3.2(c)(2)")
def test_c_2_shares_only_after_the_presidents_certificate() -> None:
    """Nobody has founded WRA, so none of its shares is for sale."""
    on.refused(on.stock_turn(), on.buy("WRA"), "3.2(c)(2)", "WRA", "par WRA 60")


@pytest.mark.rule("18AL 3.2(c)(2)")
def test_c_2_empty_offering_sells_nothing() -> None:
    """All shares are with players and in the market."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 60}, market=40)
    on.refused(state, on.buy("L&N"), "3.2(c)(2)", "IPO", "buy L&N market")


@pytest.mark.rule("18AL 3.2(c)(2)")
def test_c_2_sixth_share_floats_the_company() -> None:
    """The purchase that leaves 40% in the offering floats the company at once."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50})
    now = on.after(state, on.buy("L&N"))
    assert (state.floated, now.floated, now.cash["L&N"]) == ((), ("L&N",), 900)


@pytest.mark.rule("18AL 3.2(c)(3)")
def test_c_3_used_share_costs_market_value() -> None:
    """At $120 on the chart a share of the open market costs $120."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 40}, market=20, at=(0, 7))
    now = on.after(state, on.buy_used("L&N"))
    assert state.cash["Ann"] - now.cash["Ann"] == 120
    assert on.percent(now, "L&N")[MARKET] == 10


@pytest.mark.rule("18AL 3.2(c)(3)")
def test_c_3_empty_market_sells_nothing() -> None:
    """No share of L&N is in the market."""
    on.refused(ann_and_bob(), on.buy_used("L&N"), "3.2(c)(3)", "open market", "buy L&N ipo")


@pytest.mark.rule("18AL 3.2(c)(4)")
def test_c_4_private_on_the_buyers_turn_is_his_purchase() -> None:
    """Ann buys Bob's private on her turn; then she buys nothing else."""
    state = on.privates(ann_and_bob(), {"TR": "Bob"})
    state = on.after(state, on.trade("TR", "Bob", "Ann", 44), on.accept("Bob"))
    assert (state.privates["TR"], state.cash["Ann"]) == ("Ann", 556)
    on.refused(state, on.par("WRA", 60), "3.2(c)", "one purchase")


@pytest.mark.rule("18AL 3.2(c)(4)")
def test_c_4_no_private_after_another_purchase() -> None:
    """Ann has bought a share."""
    state = on.privates(ann_and_bob(), {"TR": "Bob"})
    state = on.after(state, on.buy("L&N"))
    on.refused(state, on.trade("TR", "Bob", "Ann", 44), "3.2(c)", "one purchase")


@pytest.mark.rule("18AL 3.2(c)(4)")
def test_c_4_declined_purchase_is_none() -> None:
    """Bob says no; Ann may still buy."""
    state = on.privates(ann_and_bob(), {"TR": "Bob"})
    state = on.after(state, on.trade("TR", "Bob", "Ann", 44), Decline(by="Bob"))
    assert on.allowed(state, on.buy("L&N"))

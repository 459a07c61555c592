"""18GL 4.1: turns of a stock round, sales before a purchase, bonds, the end of the round."""

import pytest
from msgspec.structs import replace

from engine.actions import SellShares, TradePrivate
from engine.events import BondBought, BondsSold, Floated, ParSet, ShareBought, SharesSold
from engine.position.frames import StockRound, StockTurn
from engine.position.values import BANK, MARKET, OFFERING, State
from tests.rules.gl.setting import on


def of(held: dict[str, int], **more: object) -> State:
    """Ann's stock turn; players hold these shares of IC."""
    return on.company(on.stock_turn(), "IC", held, **more)  # type: ignore[arg-type]


def bonded(**owners: int) -> State:
    """Ann's stock turn with bonds of players and of the open market."""
    state = on.company(on.stock_turn(), "CR", {"Bob": 30}, at=(0, 4), cash=0)
    return on.bonds(state, {"open market" if k == "market" else k: n for k, n in owners.items()})


@pytest.mark.rule("18GL 4")
@pytest.mark.rule("18GL 4.1")
def test_all_pass_in_a_row_and_priority_goes_to_the_player_after_the_last_who_acted() -> None:
    """Bob buys, everybody passes, Cas has the priority deal."""
    state = of({"Cas": 20})
    then = on.after(state, on.done(), on.buy_treasury("IC", "Bob"), on.done("Bob"))
    assert on.waits_for(then) == ("Cas",)
    then = on.after(then, on.done("Cas"), on.done("Ann"))
    assert then.round.kind == "SR"
    then = on.after(then, on.done("Bob"))
    assert (str(then.round), then.priority) == ("OR 2.1", "Cas")


@pytest.mark.rule("18GL 4.1")
def test_a_round_without_an_act_leaves_the_priority_deal_where_it_is() -> None:
    """Three passes."""
    then = on.after(of({"Cas": 20}), on.done(), on.done("Bob"), on.done("Cas"))
    assert (str(then.round), then.priority) == ("OR 2.1", "Ann")


@pytest.mark.rule("18GL 4.1")
def test_who_is_bankrupt_has_no_turn_and_is_not_waited_for() -> None:
    """With Bob out, Cas follows Ann, and two passes end the round."""
    state = replace(of({"Cas": 20}), out=("Bob",), priority="Bob")
    then = on.after(state, on.done())
    assert on.waits_for(then) == ("Cas",)
    then = on.after(then, on.done("Cas"))
    assert then.round.kind == "OR"
    passed = replace(state, stack=(StockRound("Ann", passes=0, turns=1), StockTurn("Ann")))
    on.refused(passed, on.done("Bob"), "4.1, 4.6", "turn")


@pytest.mark.rule("18GL 4.1.1")
def test_any_number_of_companies_each_as_one_block() -> None:
    """Two blocks of one company would fetch more and are not allowed."""
    state = on.company(of({"Bob": 40, "Ann": 30}), "MR", {"Bob": 40, "Ann": 30})
    then = on.after(state, on.sell(1, "IC"), on.sell(2, "MR"))
    on.refused(then, on.sell(1, "IC"), "4.1.1", "one block")
    assert not [a for a in on.offered(then, "Ann", SellShares) if a.company == "IC"]
    assert len(on.happened(state, on.sell(3, "IC"), SharesSold)) == 1


@pytest.mark.rule("18GL 4.1.1")
def test_a_company_that_has_not_operated_keeps_its_shareholders() -> None:
    """Its shares cannot be sold."""
    state = of({"Bob": 40, "Ann": 30}, turns=0)
    on.refused(state, on.sell(1, "IC"), "4.1.1", "has not operated")
    on.refused(on.stock_turn(), on.sell(1, "IC"), "4.1.1", "no market value")


@pytest.mark.rule("18GL 4.1.1")
def test_nobody_sells_what_he_has_not() -> None:
    """Nor nothing."""
    state = of({"Bob": 40, "Ann": 10})
    on.refused(state, on.sell(2, "IC"), "4.1.1", "holds 1")
    on.refused(state, on.sell(0, "IC"), "4.1.1")


@pytest.mark.rule("18GL 4.1.1")
def test_what_was_sold_is_not_bought_again_in_the_round() -> None:
    """Not in the same turn, not in a later one; in the next round it is."""
    state = of({"Bob": 40, "Ann": 30})
    then = on.after(state, on.sell(1, "IC"))
    on.refused(then, on.buy_treasury("IC"), "4.1.1", "sold IC")
    on.refused(then, on.buy_used("IC"), "4.1.1")
    later = on.after(then, on.done(), on.done("Bob"), on.done("Cas"))
    on.refused(later, on.buy_used("IC"), "4.1.1")
    assert on.allowed(replace(later, sold={}), on.buy_used("IC"))


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 4.1.1")
def test_who_holds_more_than_sixty_percent_sells_before_all_else() -> None:
    """Enough of it, since one block is all he may sell."""
    state = on.company(of({"Ann": 80}), "MR", {"Bob": 20})
    on.refused(state, on.done(), "3.4", "must sell", "`sell 2 IC`")
    on.refused(state, on.buy_treasury("MR"), "3.4", "must sell")
    on.refused(state, on.sell(1, "IC"), "4.1.1", "60%")
    assert on.allowed(on.after(state, on.sell(2, "IC")), on.buy_treasury("MR"))


@pytest.mark.rule("18GL 4.1.1")
def test_who_can_sell_too_little_sells_what_he_can() -> None:
    """The market takes one share only; then the turn goes on over the limit."""
    state = of({"Ann": 70}, market=30)
    on.refused(state, on.sell(3, "IC"), "3.4", "`sell 2 IC`")
    full = of({"Ann": 80}, market=20)
    full = replace(full, shares={**full.shares, "IC": {"Ann": (20, *[10] * 5), MARKET: (10,) * 5}})
    assert on.allowed(full, on.done())
    nearly = of({"Ann": 80}, market=20)
    shares = {"Ann": (20, *[10] * 6), MARKET: (10,) * 4}
    nearly = replace(nearly, shares={**nearly.shares, "IC": shares})
    on.refused(nearly, on.done(), "3.4", "must sell")
    assert on.allowed(on.after(nearly, on.sell(1, "IC")), on.done())


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 4.1.1")
def test_who_is_over_the_certificate_limit_sells_down_to_it() -> None:
    """Two over: one share here and one there, or both from one; one alone only with another."""
    state = on.money(on.stock_turn(), {"Ann": 2000})
    for name in ("IC", "MR", "NPR", "MON"):
        state = on.company(state, name, {"Ann": 60}, at=(1, 4), turns=0)
    state = on.company(state, "GT", {"Bob": 30, "Ann": 20}, at=(1, 4))
    on.refused(state, on.done(), "3.4", "2 over")
    on.refused(on.bonds(state, {MARKET: 1}), on.buy_bond(), "3.4", "must sell")
    on.refused(state, on.sell(1, "GT"), "4.1.1", "1 over")
    assert on.allowed(on.after(state, on.sell(2, "GT")), on.done())
    more = on.company(state, "LS&I", {"Bob": 30, "Ann": 10}, at=(7, 3))
    on.refused(more, on.sell(1, "GT"), "4.1.1")
    white = on.company(state, "LS&I", {"Bob": 30, "Ann": 10}, at=(0, 4))
    on.refused(white, on.done(), "3.4", "3 over")
    then = on.after(white, on.sell(2, "GT"))
    on.refused(then, on.done(), "3.4", "1 over")
    assert on.allowed(on.after(then, on.sell(1, "LS&I")), on.done())


def two_over(name: str, held: dict[str, int], at: tuple[int, int]) -> State:
    """Ann has twenty certificates of companies that have not operated, and some of one that has."""
    state = on.money(on.stock_turn(), {"Ann": 2000})
    for other in ("IC", "MR", "NPR", "MON"):
        state = on.company(state, other, {"Ann": 60}, at=(1, 4), turns=0)
    return on.company(state, name, held, at=at)


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 3.2")
def test_a_sale_that_brings_the_price_into_the_yellow_zone_frees_all_that_is_kept() -> None:
    """From $55 one share down: the other counts no more."""
    state = two_over("GT", {"Bob": 30, "Ann": 20}, (4, 1))
    on.refused(state, on.done(), "3.4", "2 over")
    then = on.after(state, on.sell(1, "GT"))
    assert on.table(then).certificates("Ann") == 20
    assert on.allowed(then, on.done())


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 4.5.2")
def test_a_sale_that_costs_the_presidency_frees_a_certificate_less_than_shares() -> None:
    """The president's certificate becomes two: two shares sold are one certificate fewer."""
    state = two_over("GT", {"Ann": 30, "Bob": 30}, (1, 4))
    on.refused(state, on.sell(2, "GT"), "4.1.1", "1 over")
    assert on.allowed(on.after(state, on.sell(3, "GT")), on.done())


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 3.2")
def test_sales_that_free_no_certificate_may_be_of_any_size() -> None:
    """Yellow shares of who is over the limit go as he likes, none of them counts."""
    state = replace(two_over("GT", {"Bob": 30, "Ann": 20}, (1, 4)), turns={})
    state = on.company(state, "LS&I", {"Bob": 30, "Ann": 20}, at=(7, 3))
    assert on.allowed(state, on.sell(1, "LS&I"))


@pytest.mark.rule("18GL R6")
@pytest.mark.rule("18GL 4.1.1")
def test_a_block_may_leave_to_other_companies_what_they_can_bring() -> None:
    """Two over: one of GT is enough if one of LS&I, all that the market takes, follows."""
    state = two_over("GT", {"Bob": 30, "Ann": 20}, (1, 4))
    shares = {"Bob": (20, 10), "Ann": (20, *[10] * 3), MARKET: (10,) * 2}
    state = replace(state, shares={**state.shares, "MON": shares})
    state = on.company(state, "LS&I", {"Bob": 20, "Ann": 20}, at=(1, 4), market=40)
    on.refused(state, on.done(), "3.4", "3 over")
    on.refused(state, on.sell(1, "GT"), "4.1.1", "1 over")
    shares["Ann"] = shares["Ann"][:-1]
    state = replace(state, shares={**state.shares, "MON": shares})
    then = on.after(state, on.sell(1, "GT"))
    on.refused(then, on.done(), "3.4", "1 over")
    assert on.allowed(on.after(then, on.sell(1, "LS&I")), on.done())


@pytest.mark.rule("18GL 4.1.2")
def test_the_purchase_ends_the_sales_and_there_is_one() -> None:
    """Sell, buy, and nothing more."""
    state = on.company(of({"Bob": 40, "Ann": 30}), "MR", {"Bob": 40, "Ann": 10})
    bought = on.after(state, on.buy_treasury("MR"))
    on.refused(bought, on.sell(1, "IC"), "4.1.2", "before")
    on.refused(bought, on.buy_treasury("IC"), "4.1.2", "one purchase")
    on.refused(bought, on.par("GT", 60), "4.1.2", "one purchase")
    both = on.after(state, on.sell(1, "IC"), on.buy_treasury("MR"))
    on.refused(both, on.sell(1, "MR"), "4.1.2")
    assert on.waits_for(on.after(both, on.done())) == ("Bob",)


@pytest.mark.rule("18GL 4.1.2")
def test_every_purchase_is_at_market_value_and_the_seller_is_paid() -> None:
    """The treasury for its own shares, the bank for those of the market and the offering."""
    state = of({"Bob": 30}, par=60, at=(0, 5), market=10, cash=7)
    (event,) = on.happened(state, on.buy_treasury("IC"), ShareBought)
    assert event == ShareBought("Ann", "IC", 10, "IC", 120)
    own = on.after(state, on.buy_treasury("IC"))
    assert (own.cash["IC"], own.cash["Ann"]) == (127, 680)
    used = on.after(state, on.buy_used("IC"))
    assert (used.cash["IC"], used.cash["Ann"]) == (7, 680)
    assert used.cash[BANK] == state.cash[BANK] + 120
    new = on.company(on.stock_turn(), "IC", {"Bob": 20}, par=60, offering=80)
    then = on.after(new, on.buy("IC"))
    assert (then.cash["IC"], then.cash["Ann"]) == (0, 740)


@pytest.mark.rule("18GL 4.1.2")
def test_shares_are_bought_where_they_lie() -> None:
    """After floating there are none in the offering, before it none in the treasury."""
    state = of({"Bob": 30})
    on.refused(state, on.buy("IC"), "4.1.2", "IPO", "treasury")
    on.refused(state, on.buy_used("IC"), "4.1.2", "open market", "treasury")
    new = on.company(on.stock_turn(), "IC", {"Bob": 20}, offering=80)
    on.refused(new, on.buy_treasury("IC"), "4.1.2", "treasury", "buy IC ipo")
    on.refused(on.stock_turn(), on.buy_treasury("IC"), "4.1.2", "has not been started")
    on.refused(state, on.buy_presidency("IC", "IC"), "4.1.2", "president's certificate")


@pytest.mark.rule("18GL 4.1.2")
def test_a_purchase_needs_its_price() -> None:
    """No credit."""
    state = on.money(of({"Bob": 30}), {"Ann": 99})
    on.refused(state, on.buy_treasury("IC"), "4.1.2", "$100", "$99")
    on.refused(state, on.par("MR", 60), "4.1.2", "$120")


@pytest.mark.rule("18GL 4.1.3")
def test_the_presidents_certificate_comes_first_and_costs_two_shares() -> None:
    """At the starting value, which its buyer names."""
    state = on.stock_turn()
    on.refused(state, on.buy("IC"), "4.1.2", "`par IC 60`")
    (event,) = on.happened(state, on.par("IC", 90), ParSet)
    then = on.after(state, on.par("IC", 90))
    assert (event.price, then.cash["Ann"]) == (90, 620)
    assert then.shares["IC"] == {"Ann": (20,), OFFERING: (10,) * 8}
    assert not on.happened(state, on.par("IC", 90), Floated)
    after = on.after(then, on.done())
    on.refused(after, on.par("IC", 60, "Bob"), "4.1.3", "$90")


@pytest.mark.rule("18GL R7")
@pytest.mark.rule("18GL 4.1.2")
def test_one_bond_is_bought_from_the_open_market_as_the_purchase_of_a_turn() -> None:
    """A hundred dollars to the bank; not from the treasury; the round stays open."""
    state = bonded(market=2, CR=8)
    (event,) = on.happened(state, on.buy_bond(), BondBought)
    then = on.after(state, on.buy_bond())
    assert (event.seat, event.amount) == ("Ann", 100)
    assert (then.bonds["Ann"], then.bonds[MARKET], then.cash["Ann"]) == (1, 1, 700)
    assert then.cash[BANK] == state.cash[BANK] + 100
    on.refused(then, on.buy_bond(), "4.1.2", "one purchase")
    on.refused(then, on.sell_bonds(1), "4.1.2", "before")
    on.refused(bonded(CR=8), on.buy_bond(), "4.1.2", "open market")
    on.refused(on.money(state, {"Ann": 99}), on.buy_bond(), "4.1.2", "$99")
    done = on.after(then, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.waits_for(done) == ("Ann",)
    assert on.after(done, on.done()).priority == "Bob"


@pytest.mark.rule("18GL 4.1.2")
def test_bonds_are_sold_in_any_number_before_the_purchase() -> None:
    """They can be bought again, and keep the round open."""
    state = bonded(Ann=3)
    (event,) = on.happened(state, on.sell_bonds(2), BondsSold)
    then = on.after(state, on.sell_bonds(2))
    assert (event.count, event.amount) == (2, 200)
    assert (then.bonds["Ann"], then.bonds[MARKET], then.cash["Ann"]) == (1, 2, 1000)
    on.refused(state, on.sell_bonds(4), "4.1.2", "3 bonds")
    on.refused(state, on.sell_bonds(0), "4.1.2")
    assert on.allowed(on.after(then, on.sell_bonds(1)), on.buy_bond())
    done = on.after(then, on.done(), on.done("Bob"), on.done("Cas"))
    assert on.waits_for(done) == ("Ann",)


@pytest.mark.rule("18GL 4.3")
def test_private_companies_stay_with_the_player_who_bought_them() -> None:
    """Nobody sells one to another player."""
    state = on.privates(of({"Bob": 30}), {"Mine": "Ann"})
    trade = TradePrivate(by="Ann", private="Mine", seller="Ann", buyer="Bob", price=70)
    on.refused(state, trade, "4.3", "no private companies")


@pytest.mark.rule("18GL Table 2")
@pytest.mark.rule("18GL 4.1.4")
@pytest.mark.parametrize(("phase", "rounds"), [("2H", 1), ("4H", 2), ("6H", 2), ("10H", 3)])
def test_the_phase_at_the_end_of_the_round_tells_the_number_of_operating_rounds(
    phase: str, rounds: int
) -> None:
    """Table 2; the number stays what it is."""
    state = on.phase(on.stock_turn(), phase)
    then = on.after(on.end_of_round(on.company(state, "IC", {"Bob": 60})), on.done())
    assert (then.round.part, then.round.parts) == (1, rounds)


@pytest.mark.rule("18GL 4.1.4")
@pytest.mark.rule("18GL R1")
def test_a_phase_that_begins_within_a_set_does_not_make_it_longer() -> None:
    """The first 4H is bought in the one round of phase 2H; a stock round follows."""
    state = on.turn("trains", "IC", trains=("2H",), cash=200)
    state = on.own(state, OFFERING, "4H", "4H", "6H")
    then = on.after(state, on.buy_train("IC", "4H", 200))
    assert (then.phase, str(then.round)) == ("4H", "OR 2.1")
    assert str(on.after(then, on.done()).round) == "SR 3"

"""Rules of the stock round that read the same in 18AL and its relatives, proved over all."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.events import AuctionBegan, PresidentChanged, PrivateBought
from engine.play.ending import worth
from engine.position.frames import Auction, StockTurn
from engine.position.values import CLOSED, MARKET, OFFERING, Bid, Ending, Round, State
from engine.titles.registry import load_title
from tests.rules.titled import Titled


class Family(Titled):
    """A title with names for what every title of the family has."""

    def __init__(self, name: str) -> None:
        super().__init__(load_title(name))
        self.one, self.two, self.three, self.four = list(self.title.companies)[:4]
        self.privates_by_par = self.title.privates_by_par

    def of(self, held: dict[str, int], **more: Any) -> State:
        """Ann's stock turn with one company at $90."""
        found: State = self.company(self.stock_turn(number=more.pop("number", 2)), self.one, held)
        return found


@pytest.fixture(params=["18AL", "18GA", "18TN"])
def on(request: pytest.FixtureRequest) -> Family:
    return Family(request.param)


@pytest.mark.rule("18GA 1")
def test_1_three_to_five_players(on: Family) -> None:
    """Two are too few and six too many."""
    assert list(on.title.seats) == [3, 4, 5]


@pytest.mark.rule("18GA 1.1")
def test_1_1_stock_rounds_and_operating_rounds_alternate(on: Family) -> None:
    """SR 2, OR 2.1, and without a company to operate SR 3 at once."""
    state = on.after(on.end_of_round(on.stock_turn()), on.done())
    assert str(state.round) == "SR 3"
    state = on.operating_round(on.company(on.stock_turn(), on.one, {"Ann": 60}))
    assert str(state.round) == "OR 2.1"


@pytest.mark.rule("18GA 1.3.1")
def test_1_3_1_a_private_has_one_certificate(on: Family) -> None:
    """Whoever owns it owns all of it."""
    first = on.privates_by_par[0]
    assert on.after(on.private_turn(), on.buy_private(first)).privates[first] == "Ann"


@pytest.mark.rule("18GA 1.3.2")
def test_1_3_2_nine_certificates_a_corporation(on: Family) -> None:
    """One of 20% and eight of 10%; in 18TN one company has seven beside one of 30%."""
    for name, held in on.opening().shares.items():
        first = on.title.companies[name].president or 20
        assert held == {OFFERING: (first, *[10] * ((100 - first) // 10))}


@pytest.mark.rule("18GA 1.4")
@pytest.mark.rule("18GA 1.5")
def test_1_4_new_shares_cost_par_and_used_ones_market_value(on: Family) -> None:
    """At a par of $90 and a price of $110 or so."""
    state = on.company(on.stock_turn(), on.one, {"Bob": 50}, at=(0, 7), market=10)
    cash = state.cash["Ann"]
    assert cash - on.after(state, on.buy(on.one)).cash["Ann"] == 90
    assert cash - on.after(state, on.buy_used(on.one)).cash["Ann"] == on.title.chart.price((0, 7))


@pytest.mark.rule("18GA 2")
def test_2_a_game_begins_with_a_stock_round(on: Family) -> None:
    """The bank has the rest of $8000, all trains and all shares; the map is empty."""
    state = on.opening()
    assert sum(state.cash.values()) == 8000
    assert (str(state.round), state.tiles, state.stations, state.tokens) == ("SR 1", {}, {}, ())


@pytest.mark.rule("18GA 3")
def test_3_the_priority_deal_begins(on: Family) -> None:
    """Ann acted last, so Bob begins the next round."""
    state = on.after(on.end_of_round(on.stock_turn(), last="Ann"), on.done())
    assert (state.priority, on.waits_for(state)) == ("Bob", ("Bob",))
    on.refused(state, on.par(on.one, 90), "3, 4", "Bob")


@pytest.mark.rule("18GA 3.1")
def test_3_1_one_act_a_turn_and_nothing_else_while_privates_are_unsold(on: Family) -> None:
    """A purchase ends the turn; no company is founded."""
    first = on.privates_by_par[0]
    state = on.after(on.private_turn(), on.buy_private(first))
    assert on.waits_for(state) == ("Bob",)
    on.refused(state, on.par(on.one, 90, "Bob"), "3, 4", "private companies")


@pytest.mark.rule("18GA 3.1(a)")
def test_a_the_cheapest_at_its_par(on: Family) -> None:
    """No other; and bids on the next are settled at once."""
    first, second, third = on.privates_by_par[:3]
    on.refused(on.private_turn(), on.buy_private(second), "3.1(a)", first)
    par = on.title.privates[second].par
    state = replace(on.private_turn(), bids={second: (Bid("Bob", par + 5),)})
    now = on.after(state, on.buy_private(first))
    assert (now.privates[first], now.privates[second]) == ("Ann", "Bob")
    assert now.cash["Bob"] == state.cash["Bob"] - par - 5
    assert now.privates[third] == OFFERING


@pytest.mark.rule("18GA 3.1(b)")
def test_b_a_bid_is_five_dollars_over_par_or_the_last_one(on: Family) -> None:
    """And the money is set aside."""
    second = on.privates_by_par[1]
    par = on.title.privates[second].par
    on.refused(on.private_turn(), on.bid(second, par + 4), "3.1(b)", f"${par + 5}")
    state = on.after(on.private_turn(), on.bid(second, par + 5))
    assert on.table(state).free_cash("Ann") == state.cash["Ann"] - par - 5
    on.refused(state, on.bid(second, par + 9, "Bob"), "3.1(b)", f"${par + 10}")
    on.refused(state, on.bid(on.privates_by_par[0], 40, "Bob"), "3.1(b)")


@pytest.mark.rule("18GA 3.1.1")
def test_3_1_1_bidders_raise_until_the_others_pass(on: Family) -> None:
    """Bob has the high bid, Ann raises, Bob passes and Ann pays."""
    first, second = on.privates_by_par[:2]
    par = on.title.privates[second].par
    bids = {second: (Bid("Ann", par + 5), Bid("Bob", par + 10))}
    state = replace(on.private_turn("Cas"), bids=bids)
    act = on.buy_private(first, "Cas")
    assert on.happened(state, act, AuctionBegan) == [AuctionBegan(second, ("Ann", "Bob"))]
    state = on.after(state, act)
    assert isinstance(state.stack[-1], Auction)
    on.refused(state, on.bid(second, par + 14), "3.1.1", f"${par + 15}")
    state = on.after(state, on.bid(second, par + 15))
    sold = on.happened(state, on.done("Bob"), PrivateBought)
    assert sold == [PrivateBought(second, "Ann", OFFERING, par + 15)]


@pytest.mark.rule("18GA 3.1.2")
def test_3_1_2_the_first_private_becomes_cheaper_and_is_forced_at_last(on: Family) -> None:
    """$20, 15, 10, 5 in the first four stock rounds; in the fifth it must be taken."""
    first = on.privates_by_par[0]
    for number, price in enumerate((20, 15, 10, 5), 1):
        state = on.private_turn(number=number)
        now = on.after(state, on.buy_private(first))
        assert state.cash["Ann"] - now.cash["Ann"] == price
    state = on.after(on.end_of_round(on.private_turn(number=4)), on.done())
    assert (str(state.round), state.privates[first]) == ("SR 5", "Ann")
    assert on.waits_for(state) == ("Bob",)


@pytest.mark.rule("18GA 3.2")
def test_3_2_a_sale_a_purchase_no_other_sale(on: Family) -> None:
    """Sales before or after the purchase, not both."""
    state = on.after(on.of({"Bob": 30, "Ann": 20}), on.sell(1, on.one))
    state = on.after(state, on.par(on.two, 70))
    on.refused(state, on.sell(1, on.one), "3.2")
    assert on.waits_for(on.after(state, on.done())) == ("Bob",)


@pytest.mark.rule("18GA 3.2(a)")
def test_a_a_block_of_shares_is_sold_at_one_price(on: Family) -> None:
    """Two shares at $90 each; the token falls two spaces."""
    state = on.of({"Ann": 40, "Bob": 20})
    now = on.after(state, on.sell(2, on.one))
    assert now.cash["Ann"] - state.cash["Ann"] == 180
    row, column = on.title.chart.pars[90]
    assert on.table(now).cell(on.one) == (row + 2, column)
    on.refused(on.stock_turn(), on.sell(1, on.one), "3.2(a)")


@pytest.mark.rule("18GA 3.2(a)(1)")
def test_a_1_no_sale_in_the_first_round(on: Family) -> None:
    """In round 2 it is allowed."""
    held = {"Ann": 40, "Bob": 20}
    on.refused(on.of(held, number=1), on.sell(1, on.one), "3.2(a)(1)")
    assert on.allowed(on.of(held), on.sell(1, on.one))


@pytest.mark.rule("18GA 3.2(a)(2)")
def test_a_2_half_of_a_company_in_the_market(on: Family) -> None:
    """Exactly half is allowed."""
    state = on.of({"Ann": 60, "Bob": 20})
    assert on.allowed(state, on.sell(5, on.one))
    on.refused(state, on.sell(6, on.one), "3.2(a)(2)", "50%")


@pytest.mark.rule("18GA 3.2(a)(3)")
def test_a_3_the_presidents_certificate_needs_another_president(on: Family) -> None:
    """Bob has 20%, or 10%."""
    assert on.allowed(on.of({"Ann": 30, "Bob": 20}), on.sell(2, on.one))
    on.refused(on.of({"Ann": 30, "Bob": 10}), on.sell(2, on.one), "3.2(a)(3)")


@pytest.mark.rule("18GA 3.2(a)(4)")
def test_a_4_half_of_a_presidents_certificate(on: Family) -> None:
    """Ann sells one of her two shares and keeps the other."""
    state = on.after(on.of({"Ann": 20, "Bob": 20}), on.sell(1, on.one))
    assert on.percent(state, on.one) == {"Ann": 10, "Bob": 20, MARKET: 10, OFFERING: 60}
    assert state.presidents[on.one] == "Bob"


@pytest.mark.rule("18GA 3.2(b)")
@pytest.mark.rule("18GA 3.2(c)(4)")
def test_b_private_companies_between_players(on: Family) -> None:
    """At any price both agree on; bought on one's own turn it is the purchase of the turn."""
    dear = on.privates_by_par[-1]
    state = on.privates(on.stock_turn(), {dear: "Ann"})
    sold = on.after(state, on.trade(dear, "Ann", "Bob", 3), on.accept("Bob"))
    assert sold.privates[dear] == "Bob"
    assert on.allowed(sold, on.par(on.one, 70))
    bought = on.privates(on.stock_turn(), {dear: "Bob"})
    bought = on.after(bought, on.trade(dear, "Bob", "Ann", 3), on.accept("Bob"))
    on.refused(bought, on.par(on.one, 70), "3.2(c)", "one purchase")
    on.refused(state, on.trade(dear, "Ann", "Bob", 0), "3.2(b)")


@pytest.mark.rule("18GA 3.2(c)")
def test_c_one_purchase_and_none_of_what_was_sold(on: Family) -> None:
    """Not a second certificate; not a share of a company sold in this round; not without money."""
    state = on.after(on.of({"Bob": 30}), on.buy(on.one))
    on.refused(state, on.buy(on.one), "3.2(c)", "one purchase")
    sold = on.after(on.of({"Bob": 30, "Ann": 20}), on.sell(1, on.one))
    on.refused(sold, on.buy(on.one), "3.2(c)", "sold")
    on.refused(on.money(on.of({"Bob": 30}), {"Ann": 89}), on.buy(on.one), "3.2(c)", "$89")


@pytest.mark.rule("18GA 3.2(c)(1)")
def test_c_1_a_president_sets_the_par(on: Family) -> None:
    """He pays twice the par and the token stands on it; no other par will do."""
    state = on.after(on.stock_turn(), on.par(on.one, 70))
    assert (state.pars[on.one], on.price(state, on.one)) == (70, 70)
    assert state.cash["Ann"] == 600 - 140
    on.refused(on.stock_turn(), on.par(on.one, 100), "3.2(c)(1)", "$100", "$70")


@pytest.mark.rule("18GA 3.2(c)(2)")
@pytest.mark.rule("18GA 3.2(c)(3)")
def test_c_2_shares_of_offering_and_market(on: Family) -> None:
    """Not before the president's certificate is sold, and not where none is."""
    on.refused(on.stock_turn(), on.buy(on.one), "3.2(c)(2)", "par")
    on.refused(on.of({"Bob": 30}), on.buy_used(on.one), "3.2(c)(3)")
    state = on.company(on.stock_turn(), on.one, {"Bob": 50}, market=50)
    on.refused(state, on.buy(on.one), "3.2(c)(2)")
    assert on.allowed(state, on.buy_used(on.one))


@pytest.mark.rule("18GA 3.3(a)")
def test_3_3_a_sixty_percent_of_one_company(on: Family) -> None:
    """The seventh share is refused."""
    on.refused(on.of({"Ann": 60}), on.buy(on.one), "3.3(a)", "60%")
    assert on.allowed(on.of({"Ann": 50}), on.buy(on.one))


@pytest.mark.rule("18GA 3.3(b)")
def test_3_3_b_the_certificate_limit(on: Family) -> None:
    """15 or 16 of three players, the privates among them; yellow ones do not count."""
    state = on.stock_turn()
    state = on.company(state, on.one, {"Ann": 60})
    state = on.company(state, on.two, {"Ann": 60})
    state = on.privates(state, dict.fromkeys(on.title.privates, "Ann"))
    limit = {"18AL": 15, "18GA": 15, "18TN": 16}[on.title.name]
    if left := limit - on.table(state).certificates("Ann"):
        state = on.company(state, on.four, {"Ann": 10 * left + 10})
    assert on.table(state).certificates("Ann") == limit
    state = on.company(state, on.three, {"Bob": 20})
    on.refused(state, on.buy(on.three), "3.3(b)", str(limit))
    yellow = on.company(on.stock_turn(), on.one, {"Ann": 60}, at=(3, 0))
    assert on.table(yellow).certificates("Ann") == 0
    over = on.company(state, on.three, {"Bob": 20, "Ann": 10})
    on.refused(over, on.done(), "3.3(b)", "must sell")


@pytest.mark.rule("18GA 3.4")
@pytest.mark.rule("18GA 3.4(a)")
@pytest.mark.rule("18GA 3.4(b)")
@pytest.mark.rule("18GA 3.4(c)")
def test_3_4_floating_brings_charter_stations_and_ten_times_par(on: Family) -> None:
    """With the sixth share, once; in the market they count as sold."""
    state = on.of({"Bob": 50})
    now = on.after(state, on.buy(on.one))
    assert (state.floated, now.floated) == ((), (on.one,))
    assert (now.cash[on.one], now.presidents[on.one]) == (900, "Bob")
    assert now.charters[on.one] == on.title.companies[on.one].tokens
    mixed = on.company(on.stock_turn(), on.one, {"Bob": 40}, market=10)
    assert on.after(mixed, on.buy(on.one)).floated == (on.one,)
    assert on.after(now, on.done(), on.buy(on.one, "Bob")).cash[on.one] == 900


@pytest.mark.rule("18GA 3.5")
@pytest.mark.rule("18GA 3.5(a)")
@pytest.mark.rule("18GA 3.5(b)")
@pytest.mark.rule("18GA 3.5(c)")
def test_3_5_the_greatest_holder_presides(on: Family) -> None:
    """Not on a tie; after a sale the first tied one clockwise; certificates are exchanged."""
    even = on.after(on.of({"Bob": 30, "Ann": 20}), on.buy(on.one))
    assert even.presidents[on.one] == "Bob"
    more = on.of({"Bob": 30, "Ann": 30})
    now = on.after(more, on.buy(on.one))
    assert now.presidents[on.one] == "Ann"
    assert now.shares[on.one]["Ann"] == (20, 10, 10)
    assert now.shares[on.one]["Bob"] == (10, 10, 10)
    tie = on.of({"Ann": 40, "Bob": 30, "Cas": 30})
    changed = on.happened(tie, on.sell(2, on.one), PresidentChanged)
    assert changed == [PresidentChanged(on.one, "Ann", "Bob")]


@pytest.mark.rule("18GA 3.6")
def test_3_6_passes_end_the_round_and_sold_out_companies_rise(on: Family) -> None:
    """The priority deal goes on after the last who acted; if nobody did, it stays."""
    state = on.company(on.stock_turn(), on.one, {"Ann": 60, "Bob": 40}, at=(1, 2))
    state = on.after(on.end_of_round(state, last="Bob"), on.done())
    assert on.table(state).cell(on.one) == (0, 2)
    assert state.priority == "Cas"
    idle = replace(on.end_of_round(on.stock_turn()), priority="Bob")
    assert on.after(idle, on.done()).priority == "Bob"


@pytest.mark.rule("18GA 4(a)")
@pytest.mark.rule("18GA 4.1")
def test_4_1_private_companies_pay_first(on: Family) -> None:
    """Their revenue goes to their owners before any company operates."""
    dear = on.privates_by_par[-1]
    state = on.company(on.privates(on.stock_turn(), {dear: "Bob"}), on.one, {"Ann": 60})
    now = on.operating_round(state)
    assert now.cash["Bob"] - state.cash["Bob"] == on.title.privates[dear].revenue


@pytest.mark.rule("18GA 4")
@pytest.mark.rule("18GA 4(b)")
def test_4_b_companies_operate_by_price_then_column_then_stack(on: Family) -> None:
    """The first to come to a space is on top; a tie goes to the token farther right."""
    state = on.company(on.stock_turn(), on.one, {"Ann": 60}, at=(0, 2))
    state = on.company(state, on.two, {"Bob": 60}, at=(0, 2))
    state = on.company(state, on.three, {"Cas": 60}, at=(0, 6))
    assert on.table(state).priced() == [on.three, on.one, on.two]
    state = on.operating_round(state)
    assert on.waits_for(state) == ("Cas",)
    early = on.buy_train(on.one, "2", 100, by="Cas")
    on.refused(state, early, "4(b)", on.one, on.three)


@pytest.mark.rule("18GA 5")
@pytest.mark.rule("18GA 5(a)")
def test_5_a_the_bank_breaks(on: Family) -> None:
    """In a stock round it and one operating round are played."""
    state = on.of({"Bob": 50})
    state = on.money(state, {"Cas": state.cash["Cas"] + state.cash["bank"] - 100})
    state = on.after(state, on.buy(on.one))
    assert state.ending == Ending("bank", 1)
    assert isinstance(state.stack[-1], StockTurn)
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"), on.done())
    assert (state.round, state.round.parts) == (Round("OR", 2, 1, 1), 1)


@pytest.mark.rule("18GA 5(b)")
def test_5_b_a_price_of_300_ends_the_round(on: Family) -> None:
    """The present operating round is the last, though the set has three."""
    last = len(on.title.chart.rows[0]) - 1
    state = on.company(on.stock_turn(), on.one, {"Ann": 60}, at=(0, last - 1))
    state = on.operating(state, on.one, "dividend", part=1, parts=3)
    state = on.after(replace(state, earned={on.one: 100}), on.pay(on.one))
    assert state.ending == Ending("price", 0)
    while state.stack:
        state = on.after(state, on.done(on.waits_for(state)[0]))
    assert (state.round.number, state.round.part) == (2, 1)


@pytest.mark.rule("18GA 5.1(a)")
@pytest.mark.rule("18GA 5.1(b)")
@pytest.mark.rule("18GA 5.1(c)")
def test_5_1_cash_stock_and_private_companies_are_counted(on: Family) -> None:
    """Two shares at market value and a private at par; nothing that companies own."""
    dear, cheap = on.privates_by_par[-1], on.privates_by_par[0]
    state = on.company(on.stock_turn(), on.one, {"Bob": 40, "Ann": 20}, at=(0, 7), cash=500)
    state = on.privates(state, {dear: "Ann", cheap: on.one})
    stock = 2 * on.title.chart.price((0, 7))
    total = state.cash["Ann"] + stock + on.title.privates[dear].par
    assert worth(on.table(state), "Ann") == total


@pytest.mark.rule("18GA 6")
def test_6_everything_is_public(on: Family) -> None:
    """The one position has everybody's money and certificates."""
    state = on.of({"Bob": 50})
    assert {"Ann", "Bob", "Cas", on.one} <= set(state.cash)
    assert set(state.privates.values()) == {CLOSED}


@pytest.mark.rule("18GA 1.3.1")
def test_1_3_1_a_private_that_there_is_not(on: Family) -> None:
    """It is refused with those that there are."""
    on.refused(on.private_turn(), on.bid("XYZ", 125), "1.3.1", "XYZ", on.privates_by_par[0])


@pytest.mark.rule("18GA 1.3.2")
def test_1_3_2_a_company_that_there_is_not(on: Family) -> None:
    """It is refused with those that there are."""
    for act in (on.par("XYZ", 60), on.buy("XYZ"), on.sell(1, "XYZ")):
        on.refused(on.of({"Ann": 30}), act, "1.3.2", "XYZ", on.one)


@pytest.mark.rule("18GA 4.2")
@pytest.mark.rule("18TN 4.2")
def test_4_2_trains_do_not_run_after_trains_are_bought(on: Family) -> None:
    """The refusal says which comes first, and when a new train runs."""
    state = on.company(on.stock_turn(), on.one, {"Ann": 60}, cash=500, trains=("2",))
    state = on.operating(state, on.one, "trains")
    on.refused(state, on.run(on.one), "4.2", "before the purchase of trains", "next turn")

"""18TN 1 to 3: the start, private companies, stock turns, limits, floating, presidencies."""

import pytest
from msgspec.structs import replace

from engine.events import AuctionBegan, Floated, ParSet, PrivateBought, PrivateClosed
from engine.flow import new_game
from engine.position.frames import Founding, PrivateTurn
from engine.position.values import CLOSED, MARKET, OFFERING, State
from tests.rules.tn.setting import on

ALL_SOLD = {"TCC": "Bob", "ET&WNC": "Bob", "M&C": "Cas", "O&W": "Cas"}


def of(name: str, held: dict[str, int], **more: object) -> State:
    """Ann's stock turn; players hold these shares of one company."""
    return on.company(on.stock_turn(), name, held, **more)  # type: ignore[arg-type]


@pytest.mark.rule("18TN 1")
@pytest.mark.rule("18TN 2")
@pytest.mark.parametrize(("count", "cash", "limit"), [(3, 600, 16), (4, 450, 12), (5, 360, 10)])
@pytest.mark.rule("18TN Table II 3 players")
@pytest.mark.rule("18TN Table II 4 players")
@pytest.mark.rule("18TN Table II 5 players")
def test_three_to_five_players_and_what_they_begin_with(count: int, cash: int, limit: int) -> None:
    """Table II; all money is $8,000; two and six players cannot play."""
    state = on.opening(count)
    assert [state.cash[seat] for seat in state.seats] == [cash] * count
    assert sum(state.cash.values()) == 8000
    assert on.table(state).certificate_limit() == limit
    for wrong in (2, 6):
        with pytest.raises(ValueError, match="3 to 5"):
            new_game(on.TN, [f"P{n}" for n in range(wrong)])


@pytest.mark.rule("18TN 1.3.2")
@pytest.mark.parametrize(
    ("name", "certificates"), [("L&N", (20,) + (10,) * 8), ("IC", (30,) + (10,) * 7)]
)
def test_nine_certificates_and_eight_of_the_illinois_central(
    name: str, certificates: tuple[int, ...]
) -> None:
    """A president's certificate of 20%, of 30% for IC."""
    assert on.opening().shares[name] == {OFFERING: certificates}


@pytest.mark.rule("18TN 3")
@pytest.mark.rule("18TN 3.1")
@pytest.mark.rule("18TN 3.1(a)")
@pytest.mark.rule("18TN 3.1(b)")
def test_the_cheapest_is_bought_and_the_others_are_bid_on() -> None:
    """At par; five dollars more than par at least."""
    state = on.private_turn()
    on.refused(state, on.buy_private("LNR"), "3.1(a)", "TCC")
    on.refused(state, on.bid("LNR", 179), "3.1(b)", "180")
    assert on.allowed(state, on.bid("LNR", 180))
    on.refused(state, on.par("IC", 70), "3, 4")
    then = on.after(state, on.buy_private("TCC"))
    assert (then.privates["TCC"], then.cash["Ann"]) == ("Ann", 580)


@pytest.mark.rule("18TN 3.1.1")
def test_the_bidders_of_the_last_private_raise_and_the_winner_founds_l_n() -> None:
    """After the purchase before it; then the round goes on behind the purchaser."""
    state = on.private_turn("Cas", sold=ALL_SOLD | {"O&W": OFFERING})
    state = on.after(state, on.done("Cas"), on.bid("LNR", 180), on.bid("LNR", 185, "Bob"))
    (began,) = on.happened(state, on.buy_private("O&W", "Cas"), AuctionBegan)
    assert began.seats == ("Ann", "Bob")
    state = on.after(state, on.buy_private("O&W", "Cas"), on.done())
    assert state.stack[-1] == Founding("Bob", "LNR", "L&N")
    assert (state.cash["Bob"], on.waits_for(state)) == (415, ("Bob",))
    assert on.waits_for(on.after(state, on.par("L&N", 80, "Bob"))) == ("Ann",)


@pytest.mark.rule("18TN Table III LNR")
@pytest.mark.rule("18TN A1 sixty percent float")
def test_the_buyer_of_lnr_founds_l_n_at_once() -> None:
    """Its president's certificate costs nothing more, it floats with 20%, the private is gone."""
    state = on.after(on.private_turn(sold=ALL_SOLD), on.buy_private("LNR"))
    assert state.stack[-1] == Founding("Ann", "LNR", "L&N")
    on.refused(state, on.done(), "3, 4", "par value")
    on.refused(state, on.par("IC", 70), "Table III", "L&N first")
    on.refused(state, on.par("L&N", 100), "3.2(c)(1)", "$90")
    on.refused(state, on.par("L&N", 90, "Bob"), "3, 4", "Ann")
    assert len(on.offered(state, "Ann", type(on.par("L&N", 90)))) == 5
    assert on.happened(state, on.par("L&N", 90), ParSet) == [ParSet("Ann", "L&N", 90)]
    assert on.happened(state, on.par("L&N", 90), Floated) == [Floated("L&N", 900)]
    assert on.happened(state, on.par("L&N", 90), PrivateClosed) == [PrivateClosed("LNR")]
    then = on.after(state, on.par("L&N", 90))
    assert (then.cash["Ann"], then.cash["L&N"]) == (425, 900)
    assert then.shares["L&N"] == {"Ann": (20,), OFFERING: (10,) * 8}
    assert (then.presidents["L&N"], then.floated) == ("Ann", ("L&N",))
    assert then.privates["LNR"] == CLOSED
    assert on.waits_for(then) == ("Bob",)
    on.refused(then, on.par("L&N", 90, "Bob"), "3.2(c)(1)", "sold")


@pytest.mark.rule("18TN 3.1.2")
@pytest.mark.parametrize(("number", "cost"), [(1, 20), (2, 15), (3, 10), (4, 5)])
def test_the_tennessee_copper_company_becomes_cheaper(number: int, cost: int) -> None:
    """Five dollars a round, while nobody buys it."""
    state = on.private_turn(number=number)
    assert on.happened(state, on.buy_private("TCC"), PrivateBought)[0].price == cost


@pytest.mark.rule("18TN 3.1.2")
def test_in_the_fifth_round_it_is_taken_for_nothing() -> None:
    """By the player with the priority deal, as his turn."""
    state = on.private_turn(number=4)
    state = on.after(state, on.done(), on.done("Bob"), on.done("Cas"))
    assert (state.round.number, state.privates["TCC"]) == (5, "Ann")
    assert on.waits_for(state) == ("Bob",)
    assert isinstance(state.stack[-1], PrivateTurn)


@pytest.mark.rule("18TN 3.2(c)")
@pytest.mark.rule("18TN 3.2(c)(1)")
@pytest.mark.rule("18TN 1.5")
@pytest.mark.parametrize("dollars", [65, 70, 75, 80, 90])
def test_par_values_and_the_price_of_a_president_s_certificate(dollars: int) -> None:
    """Double the par, three times the par for IC."""
    state = on.stock_turn()
    assert on.after(state, on.par("TC", dollars)).cash["Ann"] == 600 - 2 * dollars
    then = on.after(state, on.par("IC", dollars))
    assert (then.cash["Ann"], on.price(then, "IC")) == (600 - 3 * dollars, dollars)
    assert on.percent(then, "IC") == {OFFERING: 70, "Ann": 30}
    on.refused(state, on.par("TC", dollars + 1), "3.2(c)(1)")


@pytest.mark.rule("18TN 3.2(c)(2)")
@pytest.mark.rule("18TN 3.4")
@pytest.mark.rule("18TN 3.4(c)")
@pytest.mark.parametrize("name", ["GMO", "IC", "NCSL", "SOU", "TC"])
def test_sixty_percent_float_all_others_with_ten_times_par(name: str) -> None:
    """Not 50%."""
    state = of(name, {"Bob": 40})
    state = on.after(state, on.buy(name))
    assert state.floated == ()
    then = on.after(of(name, {"Bob": 50}), on.buy(name))
    assert (then.floated, then.cash[name]) == ((name,), 900)


@pytest.mark.rule("18TN 3.2(a)")
@pytest.mark.rule("18TN 3.2(a)(1)")
@pytest.mark.rule("18TN 3.2(a)(2)")
def test_sales_bring_the_market_value_and_lower_it() -> None:
    """Not in the first round; half of a company at most in the market."""
    state = of("TC", {"Ann": 60, "Bob": 30})
    then = on.after(state, on.sell(2, "TC"))
    assert (then.cash["Ann"], on.price(then, "TC")) == (780, 75)
    on.refused(of("TC", {"Ann": 50, "Bob": 10}, market=10), on.sell(5, "TC"), "3.2(a)(2)")
    first = on.company(on.stock_turn(number=1), "TC", {"Ann": 60})
    on.refused(first, on.sell(1, "TC"), "3.2(a)(1)")


@pytest.mark.rule("18TN 3.2(a)(3)")
@pytest.mark.rule("18TN 3.5")
@pytest.mark.rule("18TN 3.5(b)")
def test_the_30_percent_certificate_needs_a_successor_with_30_percent() -> None:
    """20% will do for the others."""
    poor = of("IC", {"Ann": 30, "Bob": 20})
    on.refused(poor, on.sell(2, "IC"), "3.2(a)(3)", "30%")
    two = of("TC", {"Ann": 20, "Bob": 20})
    assert on.after(two, on.sell(1, "TC")).presidents["TC"] == "Bob"
    state = of("IC", {"Ann": 40, "Bob": 30})
    on.refused(state, on.sell(5, "IC"), "3.2(a)")
    then = on.after(state, on.sell(2, "IC"))
    assert then.presidents["IC"] == "Bob"
    assert (then.shares["IC"]["Bob"], then.shares["IC"]["Ann"]) == ((30,), (10, 10))


@pytest.mark.rule("18TN 3.2(a)(4)")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_of_the_30_percent_certificate_a_part_may_be_sold(count: int) -> None:
    """10% or 20%, or the whole; the new president exchanges three shares."""
    state = of("IC", {"Ann": 30, "Bob": 30})
    then = on.after(state, on.sell(count, "IC"))
    assert then.presidents["IC"] == "Bob"
    assert then.shares["IC"]["Bob"] == (30,)
    assert then.shares["IC"].get("Ann", ()) == (10,) * (3 - count)
    assert then.shares["IC"][MARKET] == (10,) * count
    assert then.cash["Ann"] == 600 + 90 * count


@pytest.mark.rule("18TN 3.2(a)(4)")
def test_of_a_20_percent_certificate_one_share_may_be_sold() -> None:
    """And 10% is kept."""
    then = on.after(of("TC", {"Ann": 20, "Bob": 20}), on.sell(1, "TC"))
    assert then.shares["TC"]["Ann"] == (10,)


@pytest.mark.rule("18TN 3.5(a)")
@pytest.mark.rule("18TN 3.5(c)")
def test_of_several_successors_the_first_clockwise() -> None:
    """And the charter goes with the certificate."""
    state = of("IC", {"Ann": 40, "Cas": 30, "Bob": 30}, cash=200)
    then = on.after(state, on.sell(2, "IC"))
    assert then.presidents["IC"] == "Bob"
    assert then.cash["IC"] == 200


@pytest.mark.rule("18TN 3.2(b)")
@pytest.mark.rule("18TN 3.2(c)(4)")
@pytest.mark.rule("18TN A1 privates between players")
def test_privates_change_hands_between_players_at_any_price() -> None:
    """For a dollar and for more than par, both agreeing."""
    state = on.privates(on.stock_turn(), {"O&W": "Ann"})
    then = on.after(state, on.trade("O&W", "Ann", "Bob", 1), on.accept("Bob"))
    assert then.privates["O&W"] == "Bob"
    assert on.allowed(state, on.trade("O&W", "Ann", "Bob", 500))
    on.refused(state, on.trade("O&W", "Ann", "Bob", 0), "3.2(b)")


GREEN = (4, 0)  # $40
YELLOW = (4, 1)  # $45


@pytest.mark.rule("18TN 3.3(a)")
def test_in_the_green_zone_all_of_a_company_may_be_held() -> None:
    """Elsewhere 60%; the yellow zone is not enough."""
    for space, rest in ((GREEN, True), (YELLOW, False), ((3, 3), False)):
        state = of("TC", {"Ann": 60}, at=space, market=10)
        assert on.allowed(state, on.buy_used("TC")) is rest
    state = of("TC", {"Ann": 90}, at=GREEN, market=10)
    assert on.percent(on.after(state, on.buy_used("TC")), "TC") == {"Ann": 100}


@pytest.mark.rule("18TN 3.3(a)")
def test_who_holds_more_than_60_percent_outside_the_green_zone_must_sell() -> None:
    """In his next stock turn, down to the limit."""
    state = of("TC", {"Ann": 80, "Bob": 20}, at=(0, 5))
    on.refused(state, on.done(), "3.3(a)", "60%", "sell")
    on.refused(on.after(state, on.sell(1, "TC")), on.done(), "3.3(a)")
    assert on.allowed(on.after(state, on.sell(2, "TC")), on.done())
    assert on.allowed(of("TC", {"Ann": 80, "Bob": 20}, at=GREEN), on.done())


@pytest.mark.rule("18TN 3.3(a)")
@pytest.mark.rule("18TN 3.2")
def test_what_is_over_60_percent_goes_before_a_purchase_that_ends_all_sales() -> None:
    """A share or a private company bought after the first sale would leave the rest unsold."""
    state = on.company(of("TC", {"Ann": 90, "Bob": 10}, at=(0, 5)), "SOU", {"Bob": 30})
    state = on.privates(state, {"O&W": "Bob"})
    private = on.trade("O&W", "Bob", "Ann", 100)
    one = on.after(state, on.sell(1, "TC"))
    on.refused(one, on.buy("SOU"), "3.3(a)", "sell")
    on.refused(one, private, "3.3(a)", "sell")
    assert on.allowed(on.after(state, on.sell(3, "TC")), private)
    before = on.after(state, private, on.accept("Bob"))
    on.refused(before, on.done(), "3.3(a)", "sell")
    assert on.allowed(before, on.sell(3, "TC"))


@pytest.mark.rule("18TN 3.3(a)")
def test_a_sale_that_leads_into_the_green_zone_is_enough() -> None:
    """The price after the sale counts."""
    state = of("TC", {"Ann": 80, "Bob": 20}, at=(3, 0))
    then = on.after(state, on.sell(1, "TC"))
    assert on.price(then, "TC") == 40
    assert on.allowed(then, on.done())


@pytest.mark.rule("18TN 3.3(b)")
@pytest.mark.rule("18TN A1 yellow zone")
@pytest.mark.rule("18TN A1 privates count")
def test_certificates_in_the_yellow_and_green_zones_do_not_count() -> None:
    """Private companies do."""
    for space, counted in (((3, 3), 3), (YELLOW, 0), (GREEN, 0)):
        state = of("IC", {"Ann": 50}, at=space)
        assert on.table(state).certificates("Ann") == counted
        assert on.table(on.privates(state, {"TCC": "Ann"})).certificates("Ann") == counted + 1


@pytest.mark.rule("18TN 3.6")
def test_sold_out_companies_rise_at_the_end_of_a_stock_round() -> None:
    """One space up; the priority deal goes behind the last who acted."""
    state = of("TC", {"Ann": 60, "Bob": 40}, at=(3, 3), turns=0)
    then = on.after(on.end_of_round(state, "Bob"), on.done())
    assert on.price(then, "TC") == 70
    assert then.priority == "Cas"
    partly = of("TC", {"Ann": 60, "Bob": 30}, at=(3, 3), market=10, turns=0)
    assert on.price(on.after(on.end_of_round(partly), on.done()), "TC") == 65


@pytest.mark.rule("18TN 3.2")
@pytest.mark.rule("18TN 3.2(c)(3)")
def test_one_purchase_before_or_after_all_sales() -> None:
    """Not between them; and no share of a company sold in the round."""
    state = of("TC", {"Ann": 60, "Bob": 10}, market=10)
    state = on.company(state, "SOU", {"Bob": 30, "Ann": 20})
    between = on.after(state, on.sell(1, "TC"), on.buy("SOU"))
    on.refused(between, on.sell(1, "TC"), "3.2")
    on.refused(on.after(state, on.sell(1, "TC")), on.buy_used("TC"), "3.2(c)")
    on.refused(on.after(state, on.buy("SOU")), on.buy("SOU"), "3.2(c)")


@pytest.mark.rule("18TN 3.4(a)")
@pytest.mark.rule("18TN 3.4(b)")
@pytest.mark.parametrize(
    ("name", "tokens"), [("GMO", 4), ("IC", 3), ("L&N", 4), ("NCSL", 2), ("SOU", 4), ("TC", 2)]
)
def test_each_company_has_its_stations(name: str, tokens: int) -> None:
    """The home among them."""
    assert on.opening().charters[name] == tokens


def test_a_single_bidder_founds_l_n_without_an_auction() -> None:
    """He pays what he bid when the private before it is bought."""
    state = on.private_turn("Cas", sold=ALL_SOLD | {"O&W": OFFERING})
    state = on.after(state, on.done("Cas"), on.bid("LNR", 200), on.buy_private("O&W", "Bob"))
    assert state.stack[-1] == Founding("Ann", "LNR", "L&N")
    then = on.after(state, on.par("L&N", 65))
    assert (then.cash["Ann"], on.waits_for(then)) == (400, ("Cas",))
    assert replace(then, stack=()).bids == {}

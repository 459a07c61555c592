"""18GL 4.2: private companies are bought, bid on and auctioned before any company starts."""

import pytest
from msgspec.structs import replace

from engine.actions import Action, BidPrivate
from engine.events import AuctionBegan, Passed, PrivateBought, PrivatePaid
from engine.position.frames import Auction, Founding, PrivateTurn, StockTurn
from engine.position.values import BANK, OFFERING, State
from tests.rules.gl.setting import on

ORDER = ["C&E", "EJ&E", "Bridge", "RailWorks", "Mine", "ALCO", "Port", "Ferry", "C&A"]


def passes(*seats: str) -> tuple[Action, ...]:
    """These players pass, one after another."""
    return tuple(on.done(seat) for seat in seats)


def bid_on(**bids: int) -> State:
    """Three players each bid on the Mine in turn, seats in lower case; Ann is next again."""
    state = on.opening()
    for seat in ("Ann", "Bob", "Cas"):
        amount = bids.get(seat.lower())
        state = on.after(state, on.bid("Mine", amount, seat) if amount else on.done(seat))
    return state


def cheapest(private: str) -> State:
    """Ann's turn; those cheaper than the private are Cas's."""
    return on.private_turn(sold=dict.fromkeys(ORDER[: ORDER.index(private)], "Cas"))


@pytest.mark.rule("18GL 4.2")
def test_the_cheapest_is_bought_at_its_face_value_and_no_other() -> None:
    """The next costs what is printed on it."""
    state = on.opening()
    assert on.table(state).unsold() == ORDER
    on.refused(state, on.buy_private("Mine"), "4.2", "cheapest", "`bid Mine 75`")
    then = on.after(state, on.buy_private("C&E"))
    assert (then.privates["C&E"], then.cash["Ann"]) == ("Ann", 780)
    assert on.waits_for(then) == ("Bob",)
    on.refused(then, on.buy_private("C&E", "Bob"), "4.2", "no longer for sale")
    assert on.after(then, on.buy_private("EJ&E", "Bob")).cash["Bob"] == 760


@pytest.mark.rule("18GL 4.2")
def test_a_bid_is_a_multiple_of_five_and_five_above_cost_or_last_bid() -> None:
    """On any but the cheapest, out of money that is free."""
    state = on.opening()
    on.refused(state, on.bid("C&E", 25), "4.2", "bought, not bid on")
    on.refused(state, on.bid("Mine", 70), "4.2", "$75")
    on.refused(state, on.bid("Mine", 77), "4.2", "multiple of $5")
    on.refused(state, on.bid("Mine", 805), "4.2", "$800")
    then = on.after(state, on.bid("Mine", 75))
    on.refused(then, on.bid("Mine", 75, "Bob"), "4.2", "$80")
    assert on.allowed(then, on.bid("Mine", 80, "Bob"))
    odd = on.money(state, {"Ann": 83})
    (found,) = (a for a in on.offered(odd, "Ann", BidPrivate) if a.private == "Mine")
    assert found.amount == 75


@pytest.mark.rule("18GL 4.2")
def test_only_the_high_bidders_money_is_set_aside() -> None:
    """Ann is outbid and may spend her money again; Bob may not."""
    state = bid_on(ann=700, bob=705)
    table = on.table(state)
    assert [table.free_cash(seat) for seat in state.seats] == [800, 95, 800]
    assert on.allowed(state, on.bid("C&A", 800))
    then = on.after(state, on.done())
    on.refused(then, on.bid("C&A", 145, "Bob"), "4.2", "at most $95", "set aside")
    poor = on.money(state, {"Bob": 715})
    poor = on.after(poor, on.done())
    on.refused(poor, on.buy_private("C&E", "Bob"), "4.2", "$10 to spend")


@pytest.mark.rule("18GL 4.2")
def test_a_single_bidder_gets_it_when_all_cheaper_ones_are_sold() -> None:
    """At once, and the turn after is that of the player after the one who bought last."""
    state = on.after(cheapest("RailWorks"), on.done(), on.bid("Mine", 85, "Bob"), on.done("Cas"))
    then = on.after(state, on.buy_private("RailWorks"))
    assert then.privates["Mine"] == "Bob"
    assert (then.cash["Bob"], on.table(then).free_cash("Bob")) == (715, 715)
    assert on.table(then).unsold() == ORDER[5:]
    assert on.waits_for(then) == ("Bob",)


def auction() -> State:
    """Ann has bid 75, Bob 80, Cas 90 on the Mine, and Ann has bought what was cheaper."""
    state = on.private_turn(sold=dict.fromkeys(ORDER[:3], "Cas"))
    state = on.after(
        state, on.bid("Mine", 75), on.bid("Mine", 80, "Bob"), on.bid("Mine", 90, "Cas")
    )
    return on.after(state, on.buy_private("RailWorks"))


@pytest.mark.rule("18GL 4.2")
def test_several_bidders_hold_an_auction_that_begins_after_the_highest() -> None:
    """Each raises by five at least or is out of it for good; the last one pays his bid."""
    state = auction()
    assert isinstance(state.stack[-1], Auction)
    assert on.waits_for(state) == ("Ann",)
    on.refused(state, on.bid("Mine", 90), "4.2", "$95")
    on.refused(state, on.bid("Mine", 96), "4.2", "multiple of $5")
    on.refused(state, on.bid("Port", 95), "4.2", "Mine is being auctioned")
    then = on.after(state, on.bid("Mine", 95), on.done("Bob"), on.bid("Mine", 100, "Cas"))
    assert on.waits_for(then) == ("Ann",)
    then = on.after(then, on.bid("Mine", 105))
    assert on.waits_for(then) == ("Cas",)
    (event,) = on.happened(then, on.done("Cas"), PrivateBought)
    assert (event.private, event.buyer, event.price) == ("Mine", "Ann", 105)


@pytest.mark.rule("18GL R8")
@pytest.mark.rule("18GL 4.2")
def test_the_player_after_the_one_who_began_it_goes_on_after_an_auction() -> None:
    """Ann bought, so Bob has the next turn, whoever won."""
    then = on.after(auction(), on.done(), on.done("Bob"))
    assert (then.privates["Mine"], then.cash["Cas"]) == ("Cas", 710)
    assert on.waits_for(then) == ("Bob",)
    assert isinstance(then.stack[-1], PrivateTurn)


@pytest.mark.rule("18GL 4.2")
def test_in_an_auction_money_set_aside_for_others_is_not_free() -> None:
    """Who cannot raise passes by himself; what was set aside for this private counts."""
    state = on.money(auction(), {"Ann": 94})
    state = replace(state, stack=(*state.stack[:-1], Auction("Mine", "Ann", "Cas", 90)))
    on.refused(state, on.bid("Mine", 95), "4.2", "at most $94")
    tied = on.private_turn(sold=dict.fromkeys(ORDER[:3], "Cas"))
    tied = on.after(
        tied, on.bid("Mine", 75), on.bid("Mine", 80, "Bob"), on.done("Cas"), on.bid("C&A", 720)
    )
    events = on.happened(tied, on.buy_private("RailWorks", "Bob"), Passed)
    assert [event.seat for event in events] == ["Ann"]
    begun = on.happened(tied, on.buy_private("RailWorks", "Bob"), AuctionBegan)
    assert [event.seats for event in begun] == [("Ann", "Bob")]
    assert on.after(tied, on.buy_private("RailWorks", "Bob")).privates["Mine"] == "Bob"


@pytest.mark.rule("18GL 4.2")
def test_if_all_pass_before_any_is_sold_the_holder_of_priority_must_buy_the_first() -> None:
    """C&E for its $20, and the round goes on with the next player."""
    state = on.after(on.opening(), *passes("Ann", "Bob", "Cas"))
    assert (state.privates["C&E"], state.cash["Ann"]) == ("Ann", 780)
    assert (str(state.round), on.waits_for(state)) == ("SR 1", ("Bob",))
    then = on.after(state, *passes("Bob", "Cas", "Ann"))
    assert (str(then.round), then.priority) == ("SR 2", "Bob")


@pytest.mark.rule("18GL 4.2")
def test_bids_lapse_that_the_compelled_buyer_could_not_pay_any_more() -> None:
    """All of Ann's money is set aside; her bid on the dearest is void, the other stands."""
    state = on.after(on.opening(), on.bid("Mine", 600), *passes("Bob", "Cas"), on.bid("C&A", 200))
    assert on.table(state).free_cash("Ann") == 0
    then = on.after(state, *passes("Bob", "Cas", "Ann"))
    assert then.privates["C&E"] == "Ann"
    assert (then.cash["Ann"], on.table(then).free_cash("Ann")) == (780, 180)
    assert "C&A" not in then.bids and then.privates["C&A"] == OFFERING


@pytest.mark.rule("18GL 4.2")
def test_bids_of_others_stand_when_that_of_the_compelled_buyer_lapses() -> None:
    """Bob's lower bid is the high one then, unless he has set the money aside elsewhere since."""
    state = on.after(
        on.opening(), *passes("Ann"), on.bid("C&A", 145, "Bob"), *passes("Cas"), on.bid("C&A", 800)
    )
    then = on.after(state, *passes("Bob", "Cas", "Ann"))
    assert (then.privates["C&E"], on.table(then).free_cash("Ann")) == ("Ann", 780)
    assert [(bid.seat, bid.amount) for bid in then.bids["C&A"]] == [("Bob", 145)]
    assert on.table(then).free_cash("Bob") == 655
    spent = on.after(state, on.bid("Mine", 800, "Bob"), *passes("Cas", "Ann", "Bob"))
    assert spent.privates["C&E"] == "Ann"
    assert "C&A" not in spent.bids
    assert on.table(spent).free_cash("Bob") == 0


@pytest.mark.rule("18GL R7")
@pytest.mark.rule("18GL 4.2")
def test_if_all_pass_later_the_privates_pay_and_another_initial_round_follows() -> None:
    """One operating round, bids stay, and priority has gone on to the player after Ann."""
    state = on.after(on.opening(), on.buy_private("C&E"), on.bid("Mine", 75, "Bob"))
    state = on.after(state, *passes("Cas", "Ann"))
    paid = on.happened(state, on.done("Bob"), PrivatePaid)
    assert [(event.private, event.owner, event.amount) for event in paid] == [("C&E", "Ann", 5)]
    then = on.after(state, on.done("Bob"))
    assert (str(then.round), then.priority, on.waits_for(then)) == ("SR 2", "Cas", ("Cas",))
    assert isinstance(then.stack[-1], PrivateTurn)
    assert on.table(then).free_cash("Bob") == 725


@pytest.mark.rule("18GL 4.2")
def test_no_company_is_started_before_all_private_companies_are_sold() -> None:
    """Then the round goes on with stock turns."""
    state = on.private_turn(sold=dict.fromkeys(ORDER[:-1], "Cas"))
    on.refused(state, on.par("IC", 60), "4.1, 4.6", "private companies")
    then = on.after(state, on.buy_private("C&A"), on.par("PRR", 60))
    assert isinstance(then.stack[-1], StockTurn)
    assert (str(then.round), on.waits_for(then)) == ("SR 1", ("Bob",))


@pytest.mark.rule("18GL 4.3(12)")
def test_c_and_a_brings_the_presidents_certificate_of_the_pennsylvania() -> None:
    """Its buyer sets the starting value at once, pays nothing more, and C&A stays open."""
    state = on.after(cheapest("C&A"), on.buy_private("C&A"))
    assert isinstance(state.stack[-1], Founding)
    on.refused(state, on.done(), "4.1, 4.6", "par value")
    on.refused(state, on.par("IC", 60), "4.1.3", "PRR")
    on.refused(state, on.par("PRR", 140), "3.3", "6H")
    then = on.after(state, on.par("PRR", 100))
    assert (then.cash["Ann"], then.presidents["PRR"]) == (660, "Ann")
    assert then.shares["PRR"] == {"Ann": (20,), OFFERING: (10,) * 8}
    assert (then.privates["C&A"], then.pars["PRR"]) == ("Ann", 100)


@pytest.mark.rule("18GL R9")
@pytest.mark.rule("18GL 4.3(12)")
@pytest.mark.rule("18GL 4.4")
def test_the_two_shares_of_c_and_a_count_for_floating_and_capital() -> None:
    """Three more shares float the Pennsylvania with five times its starting value."""
    state = on.company(on.stock_turn(), "PRR", {"Ann": 40}, par=80, offering=60)
    bank = state.cash[BANK]
    then = on.after(state, on.buy("PRR"))
    assert then.cash["PRR"] == 400
    assert then.cash[BANK] == bank + 80 - 400
    assert then.shares["PRR"]["PRR"] == (10,) * 5

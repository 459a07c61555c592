"""What mails of 18MW say of fire sales and of companies in receivership."""

from msgspec.structs import replace

from engine.actions import BidLot, OfferShare, OfferStation
from engine.position.values import MARKET
from service.reports import PageLook, Scene, Since, turn_page
from service.reports.answers import status
from service.reports.decisions import task
from tests.rules.mw.setting import on
from tests.service.reports.games import to

OFFER = OfferShare(by="Ann", company="IC")
#: Des Moines, base of the Rock Island, and Omaha with the track between them
TRACK = "G9 57 1, G7 9 1, G5 57 1"


def scene(state):
    return Scene("river4", on.title, state)


def text_of(state, seat="Ann"):
    page = turn_page(to(seat), scene(state), Since(), PageLook(False))
    assert max(map(len, page.text.splitlines())) <= 78
    return " ".join(page.text.split())


def needing(**more):
    """IC has no train and a station in Omaha, which Bob's Rock Island reaches."""
    held = {"Ann": 40, "Bob": 10}
    state = on.turn("trains", "IC", at_phase="6", cash=0, held=held, stations=("G5",), **more)
    state = on.company(on.tiles(state, TRACK), "CRIP", {"Bob": 60}, cash=300, at=(2, 6))
    state = on.company(state, "NP", {"Ann": 60}, trains=("6",), at=(1, 7))
    return on.money(replace(state, priority="Bob"), {"Ann": 900, "Bob": 300, "Cas": 300})


def test_the_president_is_told_what_may_be_sold_for_the_train():
    text = text_of(needing(treasury=10))
    assert "`offer share` is auctioned among the others" in text
    assert "offer station" not in text
    later = text_of(needing())
    assert "`offer station G5 for 1`, or from another price on" in later


def test_bidders_are_told_what_is_for_sale_from_which_price_on():
    state = on.after(needing(treasury=10), OFFER)
    told = task(scene(state), "Bob")
    assert told.subject == "fire sale of IC, bids begin at $50"
    text = text_of(state, "Bob")
    assert "sells 10% of its shares, worth $100 at market value" in text
    assert "`bid 50` or up to $300" in text
    raised = on.after(state, BidLot(by="Bob", amount=60))
    assert task(scene(raised), "Cas").subject == "fire sale of IC, Bob bids $60"


def test_bidders_on_a_station_are_told_what_the_place_costs():
    sale = OfferStation(by="Ann", company="IC", hex="G5", price=40)
    text = text_of(on.after(needing(), sale), "Bob")
    assert "IC must buy a train and sells its token in G5 Omaha" in text
    assert "`bid 40 for CRIP` or up to $240, and $60 to the bank" in text


def received(**more):
    """NP in receivership, run by Bob."""
    state = on.company(on.phase(on.stock_turn(), "6"), "NP", {"Ann": 60}, cash=300, **more)
    pool = {MARKET: (20, *(10,) * 8)}
    return replace(
        state,
        shares={**state.shares, "NP": pool},
        presidents={},
        receivers={"NP": "Bob"},
        receiverships=("NP",),
    )


def test_everybody_sees_who_runs_a_company_in_receivership():
    (pairs,) = status(scene(received()), "NP").blocks
    assert ("none, in receivership: Bob runs it",) in [row.items for row in pairs.rows]
    text = text_of(received())
    assert "(Bob)" in text
    assert "In brackets: who runs a company in receivership." in text
    assert "`buy president NP market` $200" in text


def test_the_receiver_is_told_of_the_turn_and_of_the_borrowed_train():
    state = on.after(on.end_of_round(received()), on.done("Ann"))
    text = text_of(state, "Bob")
    assert "NP operates and you are its receiver, Bob." in text
    (pairs,) = status(scene(state), "NP").blocks
    assert ("its train is borrowed",) in [row.items for row in pairs.rows]

"""What is offered in a fire sale of 18MW, and bids on it, are written and read."""

import pytest

from engine.actions import BidLot, OfferShare, OfferStation
from engine.notation import Ambiguous, Incomplete, Malformed, UnknownName, parse, write
from tests.engine.notation.positions import TITLE as AL
from tests.engine.notation.positions import operating as al_turn
from tests.rules.mw.setting import on
from tests.rules.mw.test_fire_sale import OFFER, offer, selling

MW = on.title
OMAHA = offer("G5", 40)


def read(state, line, seat="Ann"):
    return parse(MW, state, seat, line)


@pytest.mark.parametrize(
    "line",
    ["offer share", "offer a share", "offer treasury share", "auction share", "IC: offer share"],
)
def test_a_share_is_offered(line):
    state = selling(treasury=10)
    assert read(state, line) == OfferShare(by="Ann", company="IC")
    assert write(MW, state, OFFER) == "offer share"


@pytest.mark.parametrize(
    "line",
    [
        "offer station G5 for 40",
        "offer station in Omaha for $40",
        "offer G5 at 40",
        "offer token G5 from 40",
        "offer the station omaha 40",
    ],
)
def test_a_station_is_offered_by_its_place(line):
    assert read(selling(), line) == OfferStation(by="Ann", company="IC", hex="G5", price=40)
    assert write(MW, selling(), OMAHA) == "offer station G5 for 40"


def test_what_is_missing_is_asked_for():
    with pytest.raises(Incomplete, match="Offer what"):
        read(selling(), "offer")
    with pytest.raises(Incomplete, match="price at which bids begin"):
        read(selling(), "offer station G5")
    with pytest.raises(UnknownName):
        read(selling(), "offer station Atlantis for 40")


def test_titles_without_fire_sales_know_none():
    with pytest.raises((UnknownName, Malformed)):
        parse(AL, al_turn(), "Ann", "offer share")


@pytest.mark.parametrize("line", ["bid 60", "60", "bid $60", "bid at 60"])
def test_a_bid_on_a_share_is_an_amount(line):
    state = on.after(selling(treasury=10), OFFER)
    assert read(state, line, "Bob") == BidLot(by="Bob", amount=60)
    assert write(MW, state, BidLot(by="Bob", amount=60)) == "bid 60"


@pytest.mark.parametrize(
    "line", ["bid 60 for CRIP", "bid 60 for CRI&P", "60 for CRIP", "bid 60", "CRIP: bid 60"]
)
def test_a_bid_on_a_station_is_for_a_company(line):
    state = on.after(selling(), OMAHA)
    bid = BidLot(by="Bob", amount=60, buyer="CRIP")
    assert read(state, line, "Bob") == bid
    assert read(state, write(MW, state, bid), "Bob") == bid


def test_of_several_companies_that_could_bid_one_is_asked_for():
    state = on.company(selling(), "MP", {"Bob": 60}, cash=300, at=(3, 6), stations=("G9",))
    with pytest.raises(Ambiguous, match="For which company"):
        read(on.after(state, OMAHA), "bid 60", "Bob")


def test_a_pass_is_written_as_one():
    state = on.after(selling(treasury=10), OFFER)
    assert write(MW, state, on.done("Bob")) == "pass"
    assert read(state, "pass", "Bob") == on.done("Bob")

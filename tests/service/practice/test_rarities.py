"""What no single event tells is counted too: by what means, in what round, for what company."""

import pytest
from msgspec.structs import replace

from engine import Outcome, load_title
from engine.actions import BuyShare, Pass
from engine.events import (
    BridgePaid,
    ConnectionMade,
    DividendPaid,
    EndForeseen,
    LotSold,
    PassagesPaid,
    PlaceDoubled,
    PresidentChanged,
    PrivateSwapped,
    ReceivershipEnded,
    ShareBought,
    StationPlaced,
    StationSold,
    SystemFormed,
    TrainBought,
)
from engine.position.frames import Connected, FireSale
from engine.position.values import Round
from service.workshop.practice.occurrences import happened, worth_counting
from service.workshop.practice.rarities import rarities
from tests.rules.mw.setting import on

PASS = Pass(by="Ann")


def system(*trains):
    """The Burlington Northern with these trains; Ann has 25% of it, Bob 20%, Cas an odd 5%."""
    held = {"Ann": (10, 5, 5, 5), "Bob": (10, 5, 5), "Cas": (5,)}
    return on.own(on.system(on.phase(on.stock_turn(), "10"), "BN", held), "BN", *trains)


def told(*events, action=PASS, state=None, top=None, **changes):
    """What the events of an action are counted as; ``top`` is what was being decided."""
    before = state or system()
    before = replace(before, stack=(*before.stack, top)) if top else before
    after = replace(before, **changes)
    return list(rarities(on.title, before, action, Outcome(after, events)))


@pytest.mark.parametrize(
    ("action", "names"),
    [
        (
            BuyShare(by="Ann", company="IC", source="open market", more=2),
            ["several shares in one purchase"],
        ),
        (BuyShare(by="Ann", company="IC", source="open market"), []),
    ],
)
def test_actions_that_are_rare(action, names):
    assert told(action=action) == names


def test_a_share_of_the_treasury_is_reissued():
    assert told(ShareBought("Ann", "BN", 5, "BN", 50)) == ["share reissued"]
    assert told(ShareBought("Ann", "BN", 5, "open market", 50)) == []


def test_where_a_station_is_sold():
    sold = StationSold("IC", "G13", "MP", 100, 60)
    assert told(sold) == ["station sold to a company"]
    assert told(sold, top=FireSale("IC", ("Bob",), 1)) == ["fire sale of a station"]


def test_a_fire_sale_may_change_the_president():
    share, change = LotSold("IC", 10, "Bob", 60), PresidentChanged("IC", "Ann", "Bob")
    assert told(share, change) == ["president changed by a fire sale"]
    assert told(change) == []


def test_mergers_and_what_systems_may_have():
    formed = SystemFormed("BN", ("IC", "MP"), "Ann", 100, 90, {}, 0, (), (), 0)
    bought = TrainBought("BN", "10", "initial offering", 900, 0, "")
    assert told(formed) == ["merger"]
    assert told(formed, state=system("8", "8", "10")) == ["merger", "system with a train more"]
    assert told(bought, state=system("8", "8", "10")) == ["system with a train more"]
    assert told(bought, state=system("8", "10")) == []


@pytest.mark.parametrize(
    ("paid", "names"),
    [({"Ann": 25, "Bob": 20}, ["odd half share paid"]), ({"Bob": 20}, [])],
)
def test_an_odd_half_share_is_paid(paid, names):
    assert told(DividendPaid("BN", 100, paid)) == names


def test_how_a_company_leaves_receivership():
    whole = BuyShare(by="Ann", company="IC", source="open market", president=True)
    part = BuyShare(by="Ann", company="IC", source="open market")
    over = ReceivershipEnded("IC", "Ann")
    assert told(over, action=whole) == ["taken over by the certificate"]
    assert told(over, action=part) == ["taken over by the missing part"]


def test_connections_and_their_tokens():
    first = on.title.facts.connections[0]
    assert told(ConnectionMade("IC", first.id, 250)) == [f"{first.id} connected"]
    assert told(PlaceDoubled("IC", first.token, 400)) == [f"{first.id} token at once"]
    put = StationPlaced("IC", first.token, 0)
    assert told(put) == [f"{first.id} token later"]
    assert told(put, top=Connected("IC", (), (first.id,))) == []
    assert told(StationPlaced("SP", "M7", 0, True)) == []


@pytest.mark.parametrize(("kind", "word"), [("SR", "a stock"), ("OR", "an operating")])
def test_in_which_round_the_bank_breaks(kind, word):
    now = Round(kind, 9, 1 if kind == "OR" else 0, 3 if kind == "OR" else 0)
    assert told(EndForeseen("bank"), round=now) == [f"bank broken in {word} round"]
    assert told(EndForeseen("survivor"), round=now) == []


def test_what_a_title_s_games_should_show():
    names = worth_counting(on.title)
    assert {
        "merger",
        "treasury shares bought back",
        "station sold to a company",
        "company closed",
    } <= set(names)
    assert len(names) == len(set(names))
    assert "merger" not in worth_counting(load_title("18AL"))


def test_each_of_these_is_counted_once():
    state = system()
    events = (StationSold("IC", "G13", "MP", 100, 60), ConnectionMade("IC", "x", 1))
    found = list(happened(on.title, state, PASS, Outcome(state, events)))
    assert found == ["station sold to a company", "x connected"]


@pytest.mark.parametrize(
    "event",
    [
        PassagesPaid("SLFL", "Ann", 10),
        BridgePaid("RI", "Ann", 20),
        PrivateSwapped("Ann", "LCM", "IC", 10, "initial offering"),
    ],
)
def test_powers_that_pay_are_counted_by_their_private(event):
    state = system()
    assert list(happened(on.title, state, PASS, Outcome(state, (event,)))) == []

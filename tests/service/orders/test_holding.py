"""What conditions mean: figures of the position, events since the order was given, alarms."""

import pytest
from msgspec.structs import replace

import engine
from engine.events import (
    AuctionBegan,
    BidMade,
    Floated,
    ParSet,
    PhaseBegan,
    PresidentChanged,
    RoundEnded,
    ShareBought,
    SharesSold,
    TrainBought,
)
from service.orders import sight
from service.orders.building import Names
from service.orders.grammar import read
from service.orders.holding import holds
from service.orders.sight import ALARMS, Sight, alarm
from tests.engine.notation import positions

TITLE = positions.TITLE if hasattr(positions, "TITLE") else engine.load_title("18AL")
STATE = positions.operating("trains")
NAMES = Names(TITLE, STATE.seats)


def sees(text, *happened, state=STATE, seat="Ann"):
    order = read(NAMES, f"next: pass if {text}")
    [guard] = order.steps[0].actions[0].acts[0].guards
    return holds(guard.test, Sight(TITLE, state, seat, happened))


@pytest.mark.parametrize("text, event, other", [
    ("anyone sells L&N", SharesSold("Bob", "L&N", 10, 90), SharesSold("Ann", "L&N", 10, 90)),
    ("anyone sells", SharesSold("Bob", "M&O", 10, 90), ShareBought("Bob", "M&O", 10, "market", 9)),
    ("Bob buys L&N", ShareBought("Bob", "L&N", 10, "market", 9), ShareBought("Cat", "L&N", 10, "m", 9)),
    ("anyone buys L&N", ParSet("Bob", "L&N", 90), ParSet("Bob", "M&O", 90)),
    ("me buys", ShareBought("Ann", "L&N", 10, "m", 9), ShareBought("Bob", "L&N", 10, "m", 9)),
    ("anyone bids", BidMade("Cat", "NDY", 125), BidMade("Ann", "NDY", 125)),
    ("Cat bids NDY", BidMade("Cat", "NDY", 125), BidMade("Cat", "TR", 125)),
    ("outbid", AuctionBegan("NDY", ("Ann", "Bob")), AuctionBegan("NDY", ("Bob", "Cat"))),
    ("L&N is started", ParSet("Bob", "L&N", 90), ParSet("Bob", "M&O", 90)),
    ("L&N floats", Floated("L&N", 900), Floated("M&O", 900)),
    ("president of L&N changes", PresidentChanged("L&N", "Bob", "Cat"), PresidentChanged("M&O", "Bob", "Cat")),
    ("train 4 is bought", TrainBought("L&N", "4", "bank", 300), TrainBought("L&N", "3", "bank", 180)),
    ("phase changes", PhaseBegan("3"), RoundEnded("SR 1", "Ann")),
    ("round ends", RoundEnded("SR 1", "Ann"), PhaseBegan("3")),
])  # fmt: skip
def test_an_event_counts_and_another_does_not(text, event, other):
    assert sees(text, event)
    assert sees(text, other, event)
    assert not sees(text, other)
    assert not sees(text)
    assert sees(f"not {text}") and not sees(f"not {text}", event)


def test_figures_are_compared_with_numbers_and_with_each_other():
    cash = STATE.cash["Ann"]
    assert (
        sees(f"cash me = {cash}") and sees(f"cash Ann >= {cash}") and sees(f"cash me < {cash + 1}")
    )
    assert not sees(f"cash me > {cash}") and not sees(f"cash me <= {cash - 1}")
    treasury = STATE.cash["L&N"]
    assert sees(f"cash L&N = {treasury}")
    assert sees("price L&N = price L&N") and not sees("price L&N > price L&N")
    left = STATE.trains["initial offering"].count("4")
    assert sees(f"trains left 4 = {left}")


def test_trains_and_phases_are_compared_by_their_order():
    phases = [phase.id for phase in TITLE.facts.phase]
    assert sees(f"phase = {STATE.phase}") and sees(f"phase <= {phases[-1]}")
    assert not sees(f"phase > {phases[-1]}")
    offered = STATE.trains["initial offering"][0]
    assert sees(f"next train = {offered}")
    sold_out = replace(STATE, trains={**STATE.trains, "initial offering": ()})
    assert not sees("next train <= 7", state=sold_out) or "7" not in TITLE.trains


def test_states_of_companies_and_hexes():
    assert sees("L&N is floated") and not sees("TAG is floated")
    assert sees("Ann presides L&N") == (STATE.presidents.get("L&N") == "Ann")
    with_train = replace(STATE, trains={**STATE.trains, "L&N": ("2",)})
    assert sees("L&N has a train", state=with_train)
    without = replace(STATE, trains={**STATE.trains, "L&N": ()})
    assert not sees("L&N has a train", state=without)
    hex_, (tile, _) = next(iter(STATE.tiles.items()))
    assert sees(f"{hex_} has {tile}") and not sees(f"{hex_} is free")


def test_and_binds_closer_than_or():
    assert sees("alarm and phase changes or cash me >= 0")
    assert not sees("alarm and (phase changes or cash me >= 0)")


class TestAlarm:
    def wakes(self, *happened, state=STATE, seat="Ann", alarms=frozenset(ALARMS)):
        return alarm(Sight(TITLE, state, seat, happened, alarms))

    def test_a_sale_of_a_company_that_one_holds(self):
        sold = SharesSold("Bob", "L&N", 10, 90)
        holder = next(o for o in STATE.shares["L&N"] if o in STATE.seats and o != "Bob")
        why = sight.SOLD.format(seat="Bob", company="L&N")
        assert self.wakes(sold, seat=holder) == why
        assert not self.wakes(sold, seat=holder, alarms=frozenset())
        assert not self.wakes(SharesSold(holder, "L&N", 10, 90), seat=holder)

    def test_nothing_wakes_where_nothing_happened(self):
        assert not self.wakes()

    def test_a_purchase_that_comes_close_to_the_presidency(self):
        shares = {
            **STATE.shares,
            "L&N": {"Ann": (20, 10), "Bob": (10, 10, 10), "open market": (10, 10, 10, 10)},
        }
        state = replace(STATE, shares=shares, presidents={**STATE.presidents, "L&N": "Ann"})
        bought = ShareBought("Bob", "L&N", 10, "open market", 90)
        why = sight.COULD_TAKE.format(seat="Bob", company="L&N")
        assert self.wakes(bought, state=state) == why
        given = ShareBought("Ann", "L&N", 10, "open market", 90)
        why = sight.COULD_MAKE_YOU.format(company="L&N")
        assert self.wakes(given, state=state, seat="Bob") == why
        assert not self.wakes(given, state=state)

    def test_more_than_one_may_hold(self):
        shares = {**STATE.shares, "L&N": {"Ann": (20, 10, 10, 10, 10, 10, 10)}}
        why = sight.TOO_MUCH.format(company="L&N")
        assert self.wakes(state=replace(STATE, shares=shares)) == why

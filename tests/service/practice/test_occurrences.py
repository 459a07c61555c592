"""What is rare in games is counted from events, under names that no title owns."""

from collections import Counter

import pytest
from msgspec.structs import replace

from engine import Outcome, load_title, new_game
from engine.actions import Accept, KeepStation, LayTile, Par, Pass, PlaceMark
from engine.events import (
    BondsRedeemed,
    Declined,
    DividendPaid,
    FerryActivated,
    FerryPaid,
    GameEnded,
    MarkPlaced,
    MarksGiven,
    Merged,
    MergerExchanged,
    PlayerOut,
    PresidentPaid,
    TileLaid,
    TrainBought,
    TrainExtended,
    WentBankrupt,
)
from engine.position.frames import Founding, MergerStations, Question
from engine.proposals import BarredLay, PowerUse, TrainSale
from service.workshop.practice.occurrences import happened, privates_used, worth_counting
from service.workshop.practice.selfplay import SelfPlayedGame, Summary
from tests.service.practice.lakes import TITLE, late

PASS = Pass(by="Ann")
MARK = PlaceMark(by="Bob", company="CR", private="Port", hex="E3")


def told(*events, state=None, action=PASS, **changes):
    """What the events are counted as, after which the position has these changes."""
    before = state or late()
    outcome = Outcome(replace(before, **changes), events)
    return list(happened(TITLE, before, action, outcome))


def used(*events, state=None, action=PASS):
    before = state or late()
    return list(privates_used(TITLE, before, action, Outcome(before, events)))


@pytest.mark.parametrize(
    ("event", "names"),
    [
        (Merged("CR", ("NYC", "GT"), 10, 110), ["merger at D", "merger of 2"]),
        (MergerExchanged("CR", "Ann", 4, 1, 1), ["bonds exchanged"]),
        (MergerExchanged("CR", "Ann", 4, 2, 0), []),
        (DividendPaid("B&O", 100, {"Ann": 30}, 50), ["half dividend"]),
        (DividendPaid("B&O", 100, {"Ann": 60}), []),
        (BondsRedeemed("CR", 1, "Ann", 100), ["bonds redeemed"]),
        (FerryPaid("B&O", "CR", 1, 50), ["foreign ferry used"]),
        (PlayerOut("Cas"), ["bankruptcy, others play on"]),
        (WentBankrupt("Cas", "B&O"), ["bankruptcy"]),
        (PresidentPaid("Ann", "B&O", 40), ["president's aid"]),
        (TrainBought("B&O", "D", "initial offering", 1000, 30), ["president's aid"]),
        (TrainBought("B&O", "D", "initial offering", 1000), []),
        (Declined("Ann", PowerUse("Port", "B&O", MARK)), ["leave refused"]),
        (Declined("Ann", TrainSale("D", "B&O", "CR", 500)), []),
        (GameEnded("survivor", {}), ["last survivor"]),
    ],
)
def test_events_are_counted_by_what_they_are(event, names):
    assert told(event) == names


def test_a_game_that_ends_without_the_merger_tells_so():
    never = replace(late(), pars={"B&O": 100})
    assert told(GameEnded("bank", {}), state=never) == ["no merger"]
    assert told(GameEnded("bank", {}), state=replace(never, gone=("CR",))) == []


def test_a_bankruptcy_that_ends_the_game_leaves_nobody_to_play_on():
    assert told(PlayerOut("Cas"), stack=()) == []


def test_a_chosen_station_and_leave_are_counted_by_the_action():
    keep = KeepStation(by="Bob", company="CR", hex="D12")
    merged = replace(late(), stack=(*late().stack, MergerStations("CR", {"B&O": 1}, ())))
    assert told(state=merged, action=keep) == ["merger station chosen"]
    assert told(state=merged) == []
    asked = Question("Ann", "Bob", PowerUse("Port", "CR", MARK))
    waiting = replace(late(), stack=(*late().stack, asked))
    assert told(state=waiting, action=Accept(by="Ann")) == ["leave given"]


@pytest.mark.parametrize(
    ("event", "uses"),
    [
        (TileLaid("B&O", "7", "C11", 0, 0, "EJ&E"), [("EJ&E", "own hexes")]),
        (TileLaid("B&O", "7", "C11", 0, 0), []),
        (MarkPlaced("B&O", "port", "E3"), [("Port", "mark")]),
        (MarksGiven("B&O", ("bridge",)), [("Bridge", "terrain")]),
        (FerryActivated("B&O", "any", (), 0), [("Ferry", "ferry")]),
        (TrainExtended("B&O", "ALCO", "4H", "4H+2"), [("ALCO", "extend")]),
    ],
)
def test_a_power_is_counted_for_its_private_and_its_kind(event, uses):
    assert used(event) == uses


def test_founding_and_leave_to_lay_are_uses_of_a_private():
    founding = replace(late(), stack=(Founding("Ann", "C&A", "PRR"),))
    assert used(state=founding, action=Par(by="Ann", company="PRR", price=100)) == [
        ("C&A", "founding")
    ]
    lay = LayTile(by="Bob", company="CR", tile="57", hex="L14", rotation=0)
    asked = Question("Ann", "Bob", BarredLay("C&E", "CR", lay))
    waiting = replace(late(), stack=(*late().stack, asked))
    assert used(state=waiting, action=Accept(by="Ann")) == [("C&E", "leave")]


def test_what_a_title_could_show_is_counted_from_zero():
    names = worth_counting(TITLE)
    assert {"merger at 10H", "merger at E", "no merger", "last survivor"} <= set(names)
    start = new_game(TITLE, ["Ann", "Bob"]).state
    summary = Summary("18GL", (), "random", 1)
    game = SelfPlayedGame(
        TITLE, ("Ann", "Bob"), 1, start, start, happened=Counter({"loan taken": 2})
    )
    summary.add(game)
    summary.add(game)
    assert summary.happened["loan taken"] == 4
    assert summary.as_dict()["happened"]["last survivor"] == 0
    assert any("last survivor 0" in line for line in summary.lines())
    assert set(summary.privates) == {*TITLE.privates}


def test_other_titles_count_only_what_they_have():
    for name in ("18AL", "18GA", "18TN"):
        assert worth_counting(load_title(name)) == []

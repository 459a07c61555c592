"""Runs as sums: their parts add up to what the rules pay, whatever the title."""

import pytest
from msgspec.structs import replace

from engine.actions import TrainRun
from engine.events import TrainsRan
from engine.position.table import Table
from engine.position.values import Mark
from engine.runs.explaining import sums
from engine.runs.routes import revenue
from service.workshop.practice.script import recorded_game
from tests.rules.gl.setting import GreatLakes

on = GreatLakes()


@pytest.mark.long
@pytest.mark.parametrize("title", ["18AL", "18GA", "18TN", "18GL"])
def test_every_run_of_a_game_adds_up(title):
    played = recorded_game(title)
    every = 0
    for before, outcome in zip(played.states, played.outcomes, strict=False):
        for ran in (event for event in outcome.events if isinstance(event, TrainsRan)):
            table = Table(played.title, before)
            found = sums(table, ran.company, ran.runs)
            assert sum(one.total for one in found) == revenue(table, ran.company, ran.runs)
            for one in found:
                bonuses = sum(dollars for _, dollars in one.bonuses)
                assert sum(stop.total for stop in one.stops) + bonuses == one.total
                assert one.used <= one.reach or one.counts == "nothing"
                every += 1
    assert every > 50


LAKE = "D10 730 0,F10 724 0,E9 722 1"


def explained(state, *runs):
    return sums(Table(on.title, state), "MR", [TrainRun(train, path) for train, path in runs])


def test_hexes_that_a_train_enters_are_counted():
    state = on.turn("run", "MR", trains=["4H"], laid="D10 730 0")
    (one,) = explained(state, ("4H", ("D10", "D12", "D14")))
    assert (one.counts, one.used, one.reach) == ("hexes", 2, 4)


def test_cities_that_count_twice_and_a_marker_are_told_apart():
    state = on.turn("run", "MR", trains=["E"], laid="D10 730 0", at_phase="E")
    state = replace(state, marks=(Mark("port", "MR", "Port", "D10"),))
    (one,) = explained(state, ("E", ("D10", "D12", "D14")))
    milwaukee, north, _ = one.stops
    assert (milwaukee.times, milwaukee.marks) == (2, (("port", 20),))
    assert milwaukee.total == 2 * milwaukee.printed + 20
    assert (north.times, north.marks) == (2, ())
    assert (one.counts, one.used) == ("cities", 3)


def test_towns_that_earn_nothing_are_told_so():
    state = on.turn("run", "MR", trains=["E"], laid=LAKE, at_phase="E")
    state = replace(state, ferries={"Milwaukee–Muskegon": "IC"})
    (one,) = explained(state, ("E", ("F10", "E9", "D10", "D12")))
    assert (one.stops[0].times, one.stops[0].total) == (0, 0)
    assert one.ferries == (("Milwaukee–Muskegon", "IC"),)

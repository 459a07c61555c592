"""The map of 18GA with Charleston, an optional rule of 18xx.games."""

import pytest

from engine.actions import Run, TrainRun
from engine.position.values import Station
from engine.steps.judging.station_cost import station_cost
from engine.titles.registry import load_title
from tests.rules.titled import Titled

PORT = Titled(load_title("18GA", frozenset({"cotton-port"})))


def test_ga_puts_two_home_stations_free_of_charge() -> None:
    state = PORT.company(PORT.stock_turn(), "GA", {"Ann": 60}, turns=0, cash=500)
    begun = PORT.operating_round(state)
    assert begun.stations["D10"] == begun.stations["E15"] == (Station("GA", 0),)
    assert begun.cash["GA"] == 500


@pytest.mark.parametrize(("more", "cost"), [((), 40), (("F6",), 100)])
def test_stations_beside_both_homes_cost_what_they_do_beside_one(
    more: tuple[str, ...], cost: int
) -> None:
    state = PORT.company(PORT.stock_turn(), "GA", {"Ann": 60}, stations=("E15", *more))
    assert station_cost(PORT.table(state), "GA") == cost


def test_a_run_from_charleston_ends_there() -> None:
    state = PORT.company(PORT.stock_turn(), "GA", {"Ann": 60}, stations=("E15",), trains=("3",))
    state = PORT.operating(PORT.tiles(state, "F14 9 0,E13 9 1,E11 8 2,D10 57 2"), "GA", "run")
    there = Run(by="Ann", company="GA", runs=(TrainRun("3", ("E15", "F14", "G13")),))
    assert PORT.after(state, there).earned["GA"] == 60
    through = TrainRun("3", ("G13", "F14", "E15", "E13", "E11", "D10"))
    PORT.refused(state, Run(by="Ann", company="GA", runs=(through,)), "4.2.3(h)")


def test_savannah_is_printed_and_its_tiles_are_left_out() -> None:
    assert "G13" not in PORT.title.facts.reserved
    tiles = {tile for supply in PORT.title.facts.supply.values() for tile in supply}
    assert not tiles & {"454a", "459a"}
    assert PORT.title.printed["G13"].stops[0].slots == 2

"""Best runs and options are timed on positions of games and on made-up networks."""

import pytest

from engine.actions import Run
from engine.position.table import Table
from engine.runs.best import dispatch
from engine.runs.best.search import best_run
from engine.runs.routes import check_runs, revenue
from engine.track.ferries import ferry_users
from engine.track.links import board
from service.workshop.benches.bench_routes import bench_options, bench_routes
from service.workshop.practice.bench import peer_recordings
from service.workshop.practice.late_networks import TRAINS, network, networks, title
from service.workshop.practice.positions import all_games, positions
from tests.engine.boards import section
from tests.need import peer_games
from tests.service.practice.positions import part


def unheard(done, note):
    """Nobody looks on."""


@pytest.mark.long
def test_turns_of_games_are_timed_by_title_and_by_kind_of_train():
    games = [part("18GL", 560, 640), part("18AL", 300, 330)]
    found = bench_routes(unheard, games)
    assert set(found) == {"real"}
    real = found["real"]
    assert real["all"]["count"] == real["18GL"]["count"] + real["18AL"]["count"] > 10
    kinds = [real[group]["count"] for group in real if group.startswith("18GL, ")]
    assert len(kinds) > 1
    assert sum(kinds) == real["18GL"]["count"]
    assert real["all"]["unproved"] == 0
    assert 0 < real["all"]["median_ms"] <= real["all"]["p99_ms"] <= real["all"]["max_ms"]


def test_a_solver_that_proves_nothing_is_not_asked_and_is_in_use_again_afterwards():
    def nothing(question):
        return None

    dispatch.use(nothing)
    try:
        found = bench_routes(unheard, networks=[network(title(), 1, hexes=40)])["synthetic"]
        assert dispatch.use() is nothing
    finally:
        dispatch.use()
    assert found["all"]["count"] == len(TRAINS)
    assert found["all"]["unproved"] == 0


def test_made_up_networks_are_late_and_alike_for_a_seed():
    at, company = network(title(), 3)
    net = board(at)
    assert len(at.at.tiles) == 80
    assert len(net.stops) > 50
    assert len(net.links) > 120
    assert network(title(), 3).table.at == at.at
    assert network(title(), 4).table.at != at.at
    at.at.trains[company] = ("6", "8")
    found = best_run(at, company)
    assert check_runs(at, company, found.runs, section) is None
    assert revenue(at, company, found.runs) == found.total


def test_options_of_late_track_steps_are_timed():
    found = bench_options(unheard, [part("18TN", 430, 498), part("18TN", 0, 60)])
    assert found["all"] == found["18TN"]
    assert found["all"]["count"] > 5


@pytest.mark.long
def test_all_games_are_those_of_the_titles():
    assert [game.name for game in all_games(0, titles=("18TN", "18GL"))] == ["18gl", "18tn"]


@pytest.mark.long
def test_all_games_are_also_as_many_of_bots():
    assert [game.name for game in all_games(1, titles=("18GA",))] == ["18ga", "18GA bots 1"]


def test_networks_are_as_many_as_are_asked_for():
    assert [found.company for found in networks(2)] == [network(title(), 1).company] * 2


@pytest.mark.peer
def test_the_best_run_is_never_less_than_what_players_ran():
    ran = 0
    for game in peer_recordings(peer_games()):
        for _, of, state, action in positions(game, lambda state, action: isinstance(action, Run)):
            table, company = Table(of, state), action.company
            found = best_run(table, company, fares=len(ferry_users(table, company, action.runs)))
            assert found.proved
            assert found.total >= revenue(table, company, action.runs), (game.name, state.number)
            assert check_runs(table, company, found.runs, section) is None
            assert revenue(table, company, found.runs) == found.total
            ran += bool(action.runs)
    assert ran > 100

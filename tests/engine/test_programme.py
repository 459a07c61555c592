"""The integer programme finds what trying all routes finds, and says when its branches are used up."""

from random import Random

import pytest

from engine.cuts import loops
from engine.dispatch import Dispatch
from engine.ferries import ferry_users
from engine.hops import plan
from engine.hunt import Task
from engine.links import board, joined
from engine.programme import Programme, Unproved
from engine.routes import check_runs, revenue
from engine.search import TRIAL, best_run
from tests.engine import brute
from tests.engine.boards import full_board, section
from tests.engine.test_search import random_case


def tasks(at, company, trains):
    """What each train is to do, without bonuses and foreign ferries left out."""
    value, stops = at.title.rules.stop_value, board(at).stops
    found = []
    for train in sorted(trains):
        kind = at.train_kind(train)
        worth = tuple(value(at, company, kind, *place) for place in stops)
        found.append(Task(kind, plan(at, company, at.towns_free(kind)), worth))
    return found


def best(at, company, trains, branches=1000):
    """The most that the programme finds, with its run: (number of the train, path)."""
    total, runs, todo = 0, [], tasks(at, company, trains)
    for run in Dispatch(board(at).links, todo, branches).solve(0):
        stops = [{s for link in route for s in link.ends} for _, route in run]
        worth = [todo[n].worth for n, _ in run]
        earned = sum(sum(w[s] for s in there) for w, there in zip(worth, stops, strict=True))
        assert earned > total
        total, runs = earned, [(number, joined(route)) for number, route in run]
    return total, runs


@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.rule("18GL 4.9")
@pytest.mark.rule("18GL 4.10")
@pytest.mark.parametrize("name", ["18GL", "18TN", "18AL"])
def test_the_programme_finds_what_trying_everything_finds(name):
    earning = several = 0
    company, longest = {"18GL": ("NYC", "D"), "18TN": ("SOU", "8"), "18AL": ("TAG", "7")}[name]
    for seed in range(500, 620):
        at, trains = random_case(seed, name)
        if at.at.marks or len(brute.routes(at, company, longest)) ** len(trains) > 5_000:
            continue
        total, runs = best(at, company, trains)
        assert total == brute.best(at, company, trains, len(trains)), seed
        paths = {train: {r.path for r in brute.routes(at, company, train)} for train in trains}
        assert all(path in paths[sorted(trains)[number]] for number, path in runs), seed
        earning += total > 0
        several += len(runs) > 1
    assert earning > 40
    assert several > 3


@pytest.mark.rule("18GL 4.10")
@pytest.mark.parametrize("trains", [("D",), ("10H", "D")])
def test_an_unlimited_train_is_proved_on_a_full_map(trains):
    at = full_board(Random(1), "18GL")
    found = best_run(at, "NYC", trains)
    assert found.proved
    assert found.nodes > TRIAL
    at.at.trains["NYC"] = trains
    assert check_runs(at, "NYC", found.runs, section) is None
    assert revenue(at, "NYC", found.runs) == found.total
    assert not ferry_users(at, "NYC", found.runs)
    least = best_run(at, "NYC", trains, budget=5_000)
    assert not least.proved
    assert least.total <= found.total


def test_branches_that_run_out_are_admitted():
    at = full_board(Random(1), "18GL")
    with pytest.raises(Unproved):
        list(Programme(board(at).links, tasks(at, "NYC", ("D",)), 0).solve(0))


def test_a_loop_is_a_set_that_is_visited_more_than_it_is_joined_to_the_ends():
    route = [((1, 2), 1.0)]
    ring = [((3, 4), 1.0), ((4, 5), 1.0), ((3, 5), 1.0)]
    visits = dict.fromkeys((1, 2, 3, 4, 5), 1.0)
    ends = {1: 1.0, 2: 1.0}
    assert loops(route + ring, visits, ends) == [frozenset({3, 4, 5})]
    assert loops(route, {1: 1.0, 2: 1.0}, ends) == []
    half = [*route, ((2, 3), 0.5), *ring]
    assert loops(half, visits, ends) == [frozenset({3, 4, 5})]

"""The integer programme finds what trying all routes finds, and says when its branches are used up."""

from dataclasses import replace
from random import Random

import pytest

from engine.actions import TrainRun
from engine.facts.title import Title
from engine.position.rules import RouteBonus, rules_of
from engine.position.table import Table
from engine.runs.best.cuts import loops
from engine.runs.best.dispatch import answers
from engine.runs.best.hops import plan
from engine.runs.best.problem import Duty, Problem
from engine.runs.best.programme import Programme, Unproved
from engine.runs.best.search import TRIAL, best_run
from engine.runs.routes import check_runs, passed, revenue
from engine.track.ferries import ferry_users
from engine.track.links import board, joined
from tests.engine import brute
from tests.engine.boards import full_board, section, table
from tests.engine.test_search import HOME, LINE, random_case

#: titles whose trains reach far: all that they could do takes long to try
LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("18GL", "18TN")]


def question(at, company, trains, branches=1000):
    """What each train is to do, with foreign ferries left in."""
    value, stops = rules_of(at.title).stop_value, board(at).stops
    found = []
    for train in sorted(trains):
        kind = at.train_kind(train)
        worth = tuple(value(at, company, kind, *place) for place in stops)
        net = plan(at, company, at.towns_free(kind)).net
        found.append(Duty(kind.type, kind.counts, kind.reach, net, worth))
    bonuses = rules_of(at.title).bonuses(at, company)
    return Problem(board(at).links, tuple(found), bonuses, 0, branches)


def earned(at, company, asked, answer):
    """What an answer earns, and its runs."""
    rules, total, runs = rules_of(at.title), 0, []
    for number, route in answer.run:
        duty = asked.duties[number]
        stops = {stop for link in route for stop in link.ends}
        total += sum(duty.worth[stop] for stop in stops)
        path = joined(route)
        there = [duty.net.stops[stop] for stop in stops]
        runs.append(TrainRun(duty.train, path, passed(at, path, there)))
    return total + sum(dollars for _, dollars, _ in rules.set_bonus(at, company, runs)), runs


def best(at, company, trains):
    """The most that the programme finds, with its runs."""
    asked = question(at, company, trains)
    *_, last = answers(asked)
    assert last.proved
    return earned(at, company, asked, last)


@pytest.mark.long
@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.rule("18GL 4.9")
@pytest.mark.rule("18GL 4.10")
@pytest.mark.parametrize("name", [*LONG, "18AL"])
def test_the_programme_finds_what_trying_everything_finds(name):
    earning = several = 0
    company, longest = {"18GL": ("NYC", "D"), "18TN": ("SOU", "8"), "18AL": ("TAG", "7")}[name]
    for seed in range(500, 620):
        at, trains = random_case(seed, name)
        if len(brute.routes(at, company, longest)) ** len(trains) > 5_000:
            continue
        total, runs = best(at, company, trains)
        assert total == brute.best(at, company, trains, len(trains)), seed
        paths = {train: {r.path for r in brute.routes(at, company, train)} for train in trains}
        assert all(run.path in paths[run.train] for run in runs), seed
        earning += total > 0
        several += len(runs) > 1
    assert earning > 40
    assert several > 3


@pytest.mark.rule("18AL Table III M&C")
@pytest.mark.rule("18GL 4.3(6)")
@pytest.mark.parametrize("name", LONG)
def test_bonuses_for_places_on_one_route_are_exact_by_either_way(name):
    paid = 0
    company, longest = {"18GL": ("NYC", "D"), "18TN": ("SOU", "8")}[name]
    for seed in range(700, 800):
        plain, trains = random_case(seed, name)
        if not plain.at.tiles:
            continue
        at = with_bonuses(plain, Random(seed), trains)
        if len(brute.routes(at, company, longest)) ** len(trains) > 5_000:
            continue
        total, runs = best(at, company, trains)
        most = brute.best(at, company, trains, len(trains))
        found = best_run(at, company, fares=len(trains))
        assert (total, found.total, found.proved) == (most, most, True), seed
        paid += bool(brute.bonuses(at, company, runs))
    assert paid > 20


def with_bonuses(at, rng, trains):
    """A position whose title pays for some hexes on a route, for each train or once."""
    near = sorted(at.at.tiles)
    bonuses = tuple(
        RouteBonus(
            rng.choice([10, 20, 50]),
            tuple(rng.sample(near, min(len(near), rng.choice([1, 2])))),
            rng.choice(["", *trains]),
            rng.random() < 0.3,
            rng.random() < 0.3,
            rng.choice([-1, 0]) if number else -1,
        )
        for number in range(4)
    )
    rules = replace(
        at.title.rules,
        bonuses=lambda table, company: bonuses,
        set_bonus=brute.bonuses,
    )
    return Table(Title(at.title.facts, rules, frozenset()), at.at)


@pytest.mark.long
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
    least = best_run(at, "NYC", trains, budget=1_000)
    assert not least.proved
    assert least.total <= found.total


def test_branches_that_run_out_are_admitted():
    at = full_board(Random(1), "18GL")
    with pytest.raises(Unproved):
        list(Programme(question(at, "NYC", ("D",), branches=0)).solve(0))


def test_no_run_is_overlooked_above_a_floor_that_no_run_earns():
    at = table(LINE, HOME, {"L&N": ("3",)})
    most = brute.best(at, "L&N", ("3",))
    asked = question(at, "L&N", ("3",))
    assert {worth % 10 for worth in asked.duties[0].worth} == {0}
    for floor in range(most - 10, most):
        *_, last = answers(asked._replace(floor=floor))
        assert (earned(at, "L&N", asked, last)[0], last.proved) == (most, True), floor
    assert list(answers(asked._replace(floor=most)))[-1][:2] == ((), True)


def test_a_loop_is_a_set_that_is_visited_more_than_it_is_joined_to_the_ends():
    route = [((1, 2), 1.0)]
    ring = [((3, 4), 1.0), ((4, 5), 1.0), ((3, 5), 1.0)]
    visits = dict.fromkeys((1, 2, 3, 4, 5), 1.0)
    ends = {1: 1.0, 2: 1.0}
    assert loops(route + ring, visits, ends) == [frozenset({3, 4, 5})]
    assert loops(route, {1: 1.0, 2: 1.0}, ends) == []
    half = [*route, ((2, 3), 0.5), *ring]
    assert loops(half, visits, ends) == [frozenset({3, 4, 5})]

"""Bonuses that routes count themselves: never less than they earn, and no search of all sets."""

from dataclasses import replace
from random import Random

import pytest
from msgspec.structs import replace as with_

from engine.facts.title import Title
from engine.position.rules import RouteBonus
from engine.position.table import Table
from engine.runs.best.hops import plan
from engine.runs.best.prizes import Prize, apart, earned, prizes
from engine.runs.best.search import best_run
from tests.engine import brute
from tests.engine.test_mixed_trains import anywhere, small
from tests.engine.test_programme import best
from tests.rules.mw.setting import on

LINE = "G17 9 1,G15 9 1,G13 57 1,G11 4 1,G9 57 1,G7 9 1,G5 57 1,G3 9 1"
BOTH = RouteBonus(250, ("G19", "G1"), beside=True)


def burlington(*trains):
    return on.table(on.turn("run", "CBQ", laid=LINE, at_phase="6", trains=trains))


def counted(table, train, *bonuses):
    """What a type of train may count of bonuses."""
    kind = table.train_kind(train)
    return prizes(bonuses, kind, plan(table, "CBQ", table.towns_free(kind)))


def test_a_train_counts_a_bonus_only_if_it_runs_so_far():
    """Six stops from Chicago to San Francisco: a 5 never comes to both."""
    table = burlington("5", "6", "D")
    assert counted(table, "5", BOTH) == ()
    assert [prize.dollars for prize in counted(table, "6", BOTH)] == [250]
    assert [prize.dollars for prize in counted(table, "D", BOTH)] == [250]
    assert counted(table, "6", BOTH._replace(train="5")) == ()


def test_bonuses_of_which_a_train_earns_one_are_left_to_the_sum_of_all():
    """So are those of hexes with several stops."""
    name = RouteBonus(50, ("G19", "G13"))
    each = RouteBonus(20, ("G1",), each=True)
    hexes = ["G1", "G13", "G19", "X", "X"]
    assert apart((BOTH, name, each), hexes) == (name,)
    assert apart((each._replace(hexes=("X",)),), hexes) == (each._replace(hexes=("X",)),)


def test_a_prize_needs_all_its_stops():
    assert earned((Prize(250, 0b101), Prize(20, 0b10)), 0b111) == 270
    assert earned((Prize(250, 0b101), Prize(20, 0b10)), 0b011) == 20


def test_a_bonus_out_of_reach_costs_no_steps():
    """The same search as without it."""
    state = burlington("3", "4").at
    without = with_(state, connected={"Chicago–San Francisco": "CRIP"})
    found, plain = best_run(on.table(state), "CBQ"), best_run(on.table(without), "CBQ")
    assert (found.total, found.nodes) == (plain.total, plain.nodes)


@pytest.mark.long
def test_bonuses_that_need_each_other_are_exact_on_any_board():
    """By routes, by the programme and by trying everything."""
    paid = 0
    for seed in range(900, 960):
        at = anywhere(seed, "18TN")
        company, trains = next(iter(at.at.trains.items()))
        near = sorted(at.at.tiles)
        if not small(at) or len(near) < 3:
            continue
        rng = Random(seed)
        bonuses = (
            RouteBonus(60, tuple(rng.sample(near, 2)), beside=True),
            RouteBonus(30, (rng.choice(near),), each=True, needs=0),
            RouteBonus(50, tuple(rng.sample(near, 2)), beside=True),
        )
        at = ruled(at, bonuses)
        most = brute.best(at, company, trains, len(trains))
        found = best_run(at, company, fares=len(trains))
        assert (found.total, found.proved) == (most, True), seed
        assert best(at, company, trains)[0] == most, seed
        paid += bool(brute.bonuses(at, company, found.runs))
    assert paid > 5


def ruled(at, bonuses):
    """The position with these bonuses and no others."""
    rules = replace(at.title.rules, bonuses=lambda table, company: bonuses, set_bonus=brute.bonuses)
    return Table(Title(at.title.facts, rules, frozenset()), at.at)

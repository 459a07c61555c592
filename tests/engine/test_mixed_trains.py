"""The best run of trains that count differently, on made-up titles, within any budget, on parallel tracks."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from engine.facts.facts import TrainKind
from engine.facts.title import Title
from engine.position.table import Table
from engine.runs.best import search
from engine.runs.best.search import best_run, better_than
from engine.runs.routes import check_runs, revenue
from tests.engine import brute
from tests.engine.boards import (
    COMPANIES,
    fitting,
    open_ferries,
    random_stations,
    random_tiles,
    section,
    table,
    title,
)
from tests.engine.test_programme import best, with_bonuses

KINDS = (
    TrainKind(type="2S", price=0, count=0, reach=2),
    TrainKind(type="4S", price=0, count=0, reach=4),
    TrainKind(type="3SD", price=0, count=0, reach=3, doubles=("city", "offboard")),
    TrainKind(type="2ST", price=0, count=0, reach=2, doubles=("town",)),
    TrainKind(type="3H", price=0, count=0, reach=3, counts="hexes"),
    TrainKind(type="5H", price=0, count=0, reach=5, counts="hexes"),
    TrainKind(type="2C", price=0, count=0, reach=2, counts="cities"),
    TrainKind(type="3C", price=0, count=0, reach=3, counts="cities"),
    TrainKind(type="U", price=0, count=0, reach=0, counts="nothing"),
)
MOST = 4_000


def mixed(at, rng, number):
    """A position with so many trains of any kinds, on a title whose towns count or not."""
    company = next(iter(at.at.trains))
    trains = tuple(rng.choice(KINDS).type for _ in range(number))
    operating = replace(at.title.facts.operating, towns_count=rng.random() < 0.5)
    facts = replace(at.title.facts, operating=operating, train=(*at.title.facts.train, *KINDS))
    state = replace(at.at, trains={company: trains})
    made_up = Table(Title(facts, at.title.rules, frozenset()), state)
    return made_up if rng.random() < 0.5 else with_bonuses(made_up, rng, trains)


def anywhere(seed, name):
    rng = Random(seed)
    tiles = random_tiles(rng, rng.randint(5, 12), 6, name)
    stations = random_stations(rng, tiles, rng.choice([0.1, 0.4, 0.9]), name)
    ferries = open_ferries(rng, tiles, 0.7, name)
    phase = rng.choice(title(name).phase_order)
    at = table(tiles, stations, {COMPANIES[name][0]: ()}, phase=phase, name=name, ferries=ferries)
    return mixed(at, rng, rng.choice([1, 2, 2, 3]))


def small(at):
    """Whether all runs can be tried."""
    (company, trains), ways = next(iter(at.at.trains.items())), 1
    for train in trains:
        ways *= 1 + len(brute.routes(at, company, train))
    return ways <= MOST


def doubly_used(runs):
    """Whether two trains cross the same side."""
    sides = Counter(frozenset(pair) for run in runs for pair in pairwise(run.path))
    return max(sides.values(), default=0) > 1


def proved(at):
    """The runs of the best total, which routes, the programme and trying everything find alike."""
    company, trains = next(iter(at.at.trains.items()))
    most = brute.best(at, company, trains, len(trains))
    found = best_run(at, company, fares=len(trains))
    assert (found.total, found.proved) == (most, True)
    assert check_runs(at, company, found.runs, section) is None
    assert revenue(at, company, found.runs) == most
    assert best(at, company, trains)[0] == most
    return found.runs


@pytest.mark.long
@pytest.mark.parametrize("name", COMPANIES)
def test_trains_that_count_differently_run_together_for_the_most(name):
    cases = [at for seed in range(40) if small(at := anywhere(seed, name))]
    assert sum(len(proved(at)) > 1 for at in cases) > 5


@pytest.mark.rule("18GL 4.6.3")
def test_two_trains_use_both_tracks_between_the_halves_of_chicago():
    chicago = {
        hex_: [laid for laid in fitting(hex_, "18GL") if _parallel(*laid)]
        for hex_ in ("D12", "D14")
    }
    used = 0
    for seed in range(30):
        rng = Random(seed)
        tiles = {hex_: rng.choice(laid) for hex_, laid in chicago.items()}
        for hex_ in ("C11", "C13", "C15", "E13", "E15", "D16"):
            tiles[hex_] = rng.choice(fitting(hex_, "18GL"))
        at = table(tiles, {"NYC": [("D12", 0), ("D14", 0)]}, {"NYC": ()}, phase="E", name="18GL")
        at = mixed(at, rng, 2)
        used += small(at) and doubly_used(proved(at))
    assert used > 5


def _parallel(tile, rotation):
    track = title("18GL").face(tile, rotation).track
    return len(set(track)) < len(track)


@pytest.mark.long
@pytest.mark.parametrize("name", ["18GL", "18TN"])
def test_what_is_proved_within_a_small_budget_is_true(name, monkeypatch):
    answers = Counter()
    for seed in range(100, 130):
        at = anywhere(seed, name)
        if not small(at):
            continue
        rng, (company, trains) = Random(seed), next(iter(at.at.trains.items()))
        fares = rng.randint(0, 2)
        most = brute.best(at, company, trains, fares)
        for budget in (0, 5, 40, 200, 1000):
            monkeypatch.setattr(search, "TRIAL", rng.choice([0, 5, 50]))
            monkeypatch.setattr(search, "ROUTED", rng.choice([0, 5, 50]))
            monkeypatch.setattr(search, "WORTH", rng.choice([0, 1_000_000]))
            monkeypatch.setattr(search, "BRANCH", rng.choice([20, 200]))
            total = rng.randint(0, most + 10)
            more = better_than(at, company, total, fares=fares, budget=budget)
            assert more in (None, most > total), (seed, budget)
            found = best_run(at, company, fares=fares, budget=budget)
            assert found.total == most or (found.total < most and not found.proved), (seed, budget)
            answers[more] += 1
    assert min(answers[True], answers[False], answers[None]) > 5

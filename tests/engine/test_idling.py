"""Where the poorest run earns nothing, the best of the others is what trying everything finds."""

from functools import cache
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from engine.facts.title import Title
from engine.position.rules import rules_of
from engine.position.table import Table
from engine.runs.routes import check_runs
from engine.steps.operating.running import best_of_turn, earned
from engine.track.network import has_route
from tests.engine import brute
from tests.engine.boards import COMPANIES, random_stations, random_tiles, section, table
from tests.engine.boards import title as plain_title

TRAINS = {
    "18TN": (("3",), ("2", "3"), ("3", "3"), ("4", "2"), ("2", "2", "3"), ("4", "3", "2")),
    "18AL": (("4", "4D"), ("2", "3"), ("2", "2", "3")),
}


@cache
def losing(name: str) -> Title:
    """A title where the poorest run of a company that is idle earns nothing."""
    there = plain_title(name)
    operating = replace(there.facts.operating, idle="poorest run")
    return Title(replace(there.facts, operating=operating), there.rules, frozenset())


def random_case(seed: int, name: str) -> tuple[Table, tuple[str, ...]]:
    rng = Random(seed)
    tiles = random_tiles(rng, rng.randint(5, 16), rng.choice([4, 12]), name)
    stations = random_stations(rng, tiles, rng.choice([0.1, 0.3, 0.9]), name)
    trains, company = rng.choice(TRAINS[name]), COMPANIES[name][0]
    at = table(tiles, stations, {company: trains}, phase="4", name=name)
    return Table(losing(name), replace(at.at, idle=(company,))), trains


def most(at: Table, company: str, trains: tuple[str, ...]) -> int:
    """The most that all but the poorest of some routes earn, every combination tried."""
    value = rules_of(at.title).stop_value
    choices = [
        [None]
        + [
            (route, sum(value(at, company, at.train_kind(train), *stop) for stop in route.stops))
            for route in brute.routes(at, company, train)
        ]
        for train in trains
    ]
    found = 0
    for choice in product(*choices):
        running = [pair for pair in choice if pair]
        sections = [section for route, _ in running for section in route.sections]
        if running and len(sections) == len(set(sections)):
            dollars = [earns for _, earns in running]
            found = max(found, sum(dollars) - min(dollars))
    return found


@pytest.mark.parametrize("name", TRAINS)
def test_the_best_run_without_its_poorest_route_is_what_trying_everything_finds(name):
    earning = costly = 0
    company = COMPANIES[name][0]
    for seed in range(150):
        at, trains = random_case(seed, name)
        if len(brute.routes(at, company, max(trains))) ** len(trains) > 20_000:
            continue
        best = best_of_turn(at, company)[1]
        expected = most(at, company, trains)
        assert (best.total, best.proved) == (expected, True), seed
        assert check_runs(at, company, best.runs, section) is None, seed
        assert earned(at, company, best.runs) == expected, seed
        earning += expected > 0
        alone = Table(at.title, replace(at.at, idle=()))
        runs = best_of_turn(alone, company)[1].runs
        costly += earned(at, company, runs) < expected
    assert earning > 40
    assert costly > 0


def test_a_single_route_is_lost():
    company = COMPANIES["18TN"][0]
    cases = (random_case(seed, "18TN")[0] for seed in range(20))
    alone = [Table(at.title, replace(at.at, trains={company: ("3",)})) for at in cases]
    running = [at for at in alone if has_route(at, company)]
    assert running
    assert all(best_of_turn(at, company)[1].total == 0 for at in running)

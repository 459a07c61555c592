"""The best run is what trying everything finds, within its budget, and always the same."""

from random import Random

import pytest

from engine.calls import can_run_to
from engine.routes import check_runs, revenue
from engine.search import best_run, better_than
from engine.values import Mark
from tests.engine import brute
from tests.engine.boards import random_stations, random_tiles, section, table

#: A4 Nashville - C4 Decatur - E4 - G4 Birmingham, straight down
LINE = {"C4": ("57", 0), "E4": ("9", 0), "G4": ("442a", 0)}
HOME = {"L&N": [("A4", 0)]}
TRAINS = (
    ("2",),
    ("3",),
    ("7",),
    ("4D",),
    ("2", "2"),
    ("3", "2"),
    ("4", "4"),
    ("5", "4D"),
    ("2", "2", "3"),
)
CHITS = ("Robert E. Lee", "Pan American")


def random_case(seed):
    """A board with TAG's trains, sometimes with names on them."""
    rng = Random(seed)
    tiles = random_tiles(rng, rng.randint(5, 20), rng.choice([4, 12]))
    stations = random_stations(rng, tiles, rng.choice([0.1, 0.3, 0.9]))
    trains = rng.choice(TRAINS)
    marks = []
    if rng.random() < 0.4:
        marks = [Mark(chit, "TAG", "M&C", train=rng.choice(trains)) for chit in CHITS]
    return table(tiles, stations, {"TAG": trains}, phase=rng.choice("45"), marks=marks), trains


@pytest.mark.rule("18AL 4.2.3.1")
@pytest.mark.parametrize("block", range(4))
def test_the_best_run_is_what_trying_everything_finds(block):
    earning = several = 0
    for seed in range(100 * block, 100 * block + 100):
        at, trains = random_case(seed)
        if len(brute.routes(at, "TAG", "7")) ** len(trains) > 20_000:
            continue
        most = brute.best(at, "TAG", trains)
        found = best_run(at, "TAG")
        assert (found.total, found.proved) == (most, True), seed
        assert check_runs(at, "TAG", found.runs, section) is None, seed
        assert revenue(at, "TAG", found.runs) == most, seed
        assert better_than(at, "TAG", most) is False, seed
        assert not most or better_than(at, "TAG", most - 1), seed
        earning += most > 0
        several += len(found.runs) > 1
    assert earning > 50
    assert several > 10


def test_a_name_can_be_worth_more_than_a_better_stop():
    # from G6 to Atlanta, and on to E6 for 20 or to G4 for 10 and a name's 20
    tiles = {"G4": ("441a", 4), "F5": ("8", 5), "G6": ("15", 2), "E6": ("57", 0), "H7": ("8", 2)}
    own, trains = {"ABC": [("G6", 0)]}, {"ABC": ("3",)}
    plain = best_run(table(tiles, own, trains), "ABC")
    assert (plain.total, plain.runs[0].path) == (90, ("E6", "G6", "H7", "G8"))
    mark = Mark("Robert E. Lee", "ABC", "M&C", train="3")
    named = best_run(table(tiles, own, trains, marks=[mark]), "ABC")
    assert (named.total, named.runs[0].path) == (100, ("G4", "F5", "G6", "H7", "G8"))


def test_trains_without_a_route_stay_at_home():
    at = table(LINE, HOME, {"L&N": ("3", "2")})
    found = best_run(at, "L&N")
    assert [(run.train, run.path) for run in found.runs] == [("3", ("A4", "C4", "E4", "G4"))]
    assert found.total == 90
    assert best_run(at, "L&N", ("2",)).total == 60
    assert best_run(at, "L&N", ()).runs == ()
    assert best_run(at, "M&O").runs == ()


def test_the_order_in_which_tiles_were_laid_does_not_matter():
    runs = 0
    for seed in range(40):
        at, trains = random_case(seed)
        tiles = dict(reversed(list(at.at.tiles.items())))
        stations = {}
        for hex_, there in reversed(list(at.at.stations.items())):
            for station in there:
                stations.setdefault(station.company, []).append((hex_, station.stop))
        turned = table(tiles, stations, {"TAG": trains}, phase=at.at.phase, marks=at.at.marks)
        assert best_run(turned, "TAG") == best_run(at, "TAG"), seed
        runs += len(best_run(at, "TAG").runs)
    assert runs > 20


def test_a_budget_that_runs_out_is_admitted():
    at = table(LINE, HOME, {"L&N": ("3",)})
    none = best_run(at, "L&N", budget=0)
    assert (none.runs, none.proved) == ((), False)
    some = best_run(at, "L&N", budget=1)
    assert (some.total, some.proved) == (60, False)
    assert better_than(at, "L&N", 100, budget=0) is None
    assert better_than(at, "L&N", 50, budget=1) is True
    assert better_than(at, "L&N", 60, budget=1) is None


def test_a_later_position_is_searched_anew():
    at = table({"C4": ("57", 0)}, HOME, {"L&N": ("3",)})
    assert best_run(at, "L&N").total == 60
    assert best_run(table(LINE, HOME, {"L&N": ("3",)}), "L&N").total == 90
    assert best_run(table(LINE, HOME, {"L&N": ("3",)}, phase="5"), "L&N").total == 100


@pytest.mark.rule("18AL Table III S&NA")
def test_a_train_visits_a_place_within_its_reach_only():
    two, three = (table(LINE, HOME, {"L&N": (train,)}) for train in "23")
    assert can_run_to(two, "L&N", "C4")
    assert not can_run_to(two, "L&N", "G4")
    assert can_run_to(three, "L&N", "G4")
    assert can_run_to(two, "L&N", "A4")
    assert not can_run_to(table(LINE, HOME), "L&N", "C4")
    assert not can_run_to(table({}, HOME, {"L&N": ("2",)}), "L&N", "A4")
    assert not can_run_to(two, "L&N", "E4")


def test_places_that_can_be_visited_are_those_on_some_route():
    seen = 0
    for seed in range(80):
        at, trains = random_case(seed)
        routes = [route for train in set(trains) for route in brute.routes(at, "TAG", train)]
        there = {hex_ for route in routes for hex_, _ in route.stops}
        stops = [hex_ for hex_ in at.title.hexes if at.face(hex_).stops]
        assert {hex_ for hex_ in stops if can_run_to(at, "TAG", hex_)} == there, seed
        seen += len(there)
    assert seen > 100

"""The best run is what trying everything finds, within its budget, and always the same."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.actions import TrainRun
from engine.facts.title import Title
from engine.position.table import Table
from engine.position.values import Mark
from engine.runs.best.calls import can_run_to
from engine.runs.best.hops import plan
from engine.runs.best.search import best_run, better_than
from engine.runs.routes import BLOCKED_CITIES, check_runs, revenue
from engine.track.ferries import ferry_users
from engine.track.network import reach
from tests.engine import brute
from tests.engine.boards import (
    COMPANIES,
    open_ferries,
    random_stations,
    random_tiles,
    section,
    table,
)

#: A4 Nashville - C4 Decatur - E4 - G4 Birmingham, straight down
LINE = {"C4": ("57", 0), "E4": ("9", 0), "G4": ("442a", 0)}
HOME = {"L&N": [("A4", 0)]}
TRAINS = {
    "18AL": (
        ("2",),
        ("3",),
        ("7",),
        ("4D",),
        ("2", "2"),
        ("3", "2"),
        ("4", "4"),
        ("5", "4D"),
        ("2", "2", "3"),
    ),
    "18TN": (("2",), ("4",), ("8",), ("3", "2"), ("4", "4"), ("5", "6"), ("2", "2", "3")),
    "18GL": (
        ("4H",),
        ("6H",),
        ("D",),
        ("E",),
        ("4H", "4H"),
        ("4H", "2H", "4H+2"),
        ("E", "4H"),
        ("E", "E"),
        ("D", "4H"),
        ("D", "E"),
        ("10H", "2H"),
    ),
}
CHITS = ("Robert E. Lee", "Pan American")


def random_case(seed, name="18AL"):
    """A board with trains of the first company; in 18AL sometimes with names on them."""
    rng = Random(seed)
    tiles = random_tiles(rng, rng.randint(5, 20), rng.choice([4, 12]), name)
    stations = random_stations(rng, tiles, rng.choice([0.1, 0.3, 0.9]), name)
    trains = rng.choice(TRAINS[name])
    company, marks = COMPANIES[name][0], []
    if rng.random() < 0.4 and name == "18AL":
        marks = [Mark(chit, "TAG", "M&C", train=rng.choice(trains)) for chit in CHITS]
    ferries = open_ferries(rng, tiles, 0.7, name)
    phase = rng.choice(["E", "D"] if name == "18GL" else ["4", "5"])
    owned = {company: trains}
    at = table(tiles, stations, owned, phase=phase, marks=marks, name=name, ferries=ferries)
    return at, trains


def test_what_no_train_of_the_company_comes_to_is_not_planned():
    def starts(stations, company):
        at = table(LINE, stations)
        return {hop.path[0] for hop in plan(at, company, towns_free=False).hops}

    assert starts(HOME, "L&N") == {"A4", "C4", "G4"}
    # trains end at the blocked city, and none comes to Birmingham to go on from there
    assert starts({**HOME, "M&O": [("C4", 0)]}, "L&N") == {"A4", "C4"}
    assert starts(HOME, "M&O") == set()


@pytest.mark.long
@pytest.mark.rule("18AL 4.2.3.1")
@pytest.mark.rule("18TN 4.2.3.1")
@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.parametrize("name", TRAINS)
@pytest.mark.parametrize(
    "block", [pytest.param(n, marks=[pytest.mark.long] * (n > 0)) for n in range(4)]
)
def test_the_best_run_is_what_trying_everything_finds(block, name):
    earning = several = 0
    company, longest = COMPANIES[name][0], TRAINS[name][2][0]
    for seed in range(100 * block, 100 * block + 100):
        at, trains = random_case(seed, name)
        fares = seed % 3 if at.at.ferries else 0
        if len(brute.routes(at, company, longest)) ** len(trains) > 20_000:
            continue
        most = brute.best(at, company, trains, fares)
        found = best_run(at, company, fares=fares)
        assert (found.total, found.proved) == (most, True), seed
        assert check_runs(at, company, found.runs, section) is None, seed
        assert revenue(at, company, found.runs) == most, seed
        paid = ferry_users(at, company, found.runs)
        assert paid == [f for run in found.runs for f in brute.foreign(at, company, run.path)], seed
        assert better_than(at, company, most, fares=fares) is False, seed
        assert not most or better_than(at, company, most - 1, fares=fares), seed
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
    assert better_than(at, "L&N", 80, budget=0) is None
    # no three stops earn as much, so there is nothing to search
    assert better_than(at, "L&N", 100, budget=0) is False
    assert better_than(at, "L&N", 50, budget=1) is True
    assert better_than(at, "L&N", 60, budget=1) is None


def test_a_later_position_is_searched_anew():
    at = table({"C4": ("57", 0)}, HOME, {"L&N": ("3",)})
    assert best_run(at, "L&N").total == 60
    assert best_run(table(LINE, HOME, {"L&N": ("3",)}), "L&N").total == 90
    assert best_run(table(LINE, HOME, {"L&N": ("3",)}, phase="5"), "L&N").total == 100


@pytest.mark.rule("18GA 4.2.3(e)")
def test_a_city_opens_when_the_company_that_it_waits_for_has_gone():
    # I9 Waycross - J10 - J12 Jacksonville, shut before ACL is there - I11 Brunswick
    tiles = {"I11": ("57", 2), "J10": ("8", 2), "I9": ("5", 5)}
    plain = table(tiles, {"GA": [("I11", 0)]}, {"GA": ("3",)}, name="18GA")
    facts = plain.title.facts
    shut = replace(facts.hex["J12"], stops=("city 60",), shut_before_home=True)
    facts = replace(facts, hex={**facts.hex, "J12": shut})
    title = Title(facts, plain.title.rules, frozenset())
    waiting = Table(title, plain.at)
    gone = Table(title, replace(plain.at, gone=("ACL",)))
    assert best_run(waiting, "GA").runs[0].path == ("I11", "J12")
    assert best_run(gone, "GA").runs[0].path == ("I11", "J12", "J10", "I9")
    assert ("I9", 0) not in reach(waiting, "GA").stops
    assert ("I9", 0) in reach(gone, "GA").stops


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


@pytest.mark.long
@pytest.mark.parametrize("name", ["18AL", "18TN", "18GL"])
def test_places_that_can_be_visited_are_those_on_some_route(name):
    seen, company = 0, COMPANIES[name][0]
    for seed in range(80):
        at, trains = random_case(seed, name)
        routes = [route for train in set(trains) for route in brute.routes(at, company, train)]
        there = {hex_ for route in routes for hex_, _ in route.stops}
        stops = [hex_ for hex_ in at.title.hexes if at.face(hex_).stops]
        assert {hex_ for hex_ in stops if can_run_to(at, company, hex_)} == there, seed
        seen += len(there)
    assert seen > 100


#: F11 - E10 - D11 - C12 - B13 Louisville - B15 - A16 Cincinnati; there is a track past Louisville, too
PAST = {"B15": ("8", 1), "E10": ("58", 3), "F11": ("TN2", 1)}


def louisville(trains, stations=(("SOU", "A16"), ("L&N", "B13"))):
    own = {company: [(hex_, 0)] for company, hex_ in stations}
    return table(PAST, own, {"SOU": trains, "L&N": trains}, name="18TN")


@pytest.mark.rule("18TN 4.2.3(e)")
@pytest.mark.rule("18TN 4.2.3(i)")
def test_a_train_runs_past_a_city_that_its_track_does_not_touch():
    at = louisville(("2",))
    path = ("A16", "B15", "B13", "C12", "D11")
    stopping, passing = TrainRun("2", path), TrainRun("2", path, ("B13",))
    assert check_runs(at, "SOU", [stopping], section).rule == BLOCKED_CITIES
    assert check_runs(at, "SOU", [passing], section) is None
    assert revenue(at, "SOU", [passing]) == 60
    found = best_run(at, "SOU").runs
    assert found == (TrainRun("2", ("A16", "B15", "B13")),)
    farther = best_run(louisville(("4",)), "SOU")
    assert (farther.total, farther.runs[0].past) == (110, ("B13",))
    assert best_run(louisville(("5",)), "SOU").total == 110
    own = best_run(louisville(("5",)), "L&N")
    assert (own.total, own.runs[0].past) == (140, ())


@pytest.mark.rule("18TN 4.2.3(a)")
def test_a_route_ends_at_stops_and_never_past_one():
    at = louisville(("3",))
    ending = TrainRun("3", ("A16", "B15", "B13"), ("B13",))
    assert check_runs(at, "SOU", [ending], section).rule == "route"
    plain = TrainRun("3", ("A16", "B15", "B13"), ("B15",))
    assert check_runs(at, "SOU", [plain], section).rule == "route"

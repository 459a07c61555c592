"""Routes that players name: each clause of 4.2.3 by its own board, and what legal runs earn."""

from random import Random

import pytest

from engine.actions import TrainRun
from engine.position.values import Mark
from engine.runs import routes
from engine.runs.routes import Traced, check_runs, explain, revenue, stops_of, trace
from tests.engine import brute
from tests.engine.boards import random_stations, random_tiles, section, table

#: A4 Nashville - C4 Decatur - E4 - G4 Birmingham, straight down; E4 forks to D5, and D5-F5-G4 is a loop
TILES = {
    "C4": ("57", 0),
    "E4": ("23", 0),
    "G4": ("442a", 0),
    "D5": ("7", 0),
    "F5": ("8", 1),
}
HOME = {"L&N": [("A4", 0)], "TAG": [("G4", 0)]}
DOWN = ("A4", "C4", "E4", "G4")


def board(trains=("3", "4"), tiles=TILES, stations=HOME, **more):
    return table(tiles, stations, {"L&N": trains, "TAG": trains}, **more)


def key(at, *runs, company="L&N"):
    """The key of the rule that the runs break, or None."""
    refusal = check_runs(
        at, company, [TrainRun(train, tuple(path)) for train, path in runs], section
    )
    return refusal and refusal.rule


def test_a_legal_run_is_allowed_either_way():
    assert key(board(), ("3", DOWN)) is None
    assert key(board(), ("3", DOWN[::-1])) is None
    assert key(board()) is None


def test_a_company_runs_only_trains_it_owns_each_once():
    assert key(board(), ("2", DOWN[:2])) == routes.OWN_TRAINS
    assert key(board(), ("3", DOWN), ("3", DOWN)) == routes.OWN_TRAINS
    assert key(board(), ("3", DOWN), company="M&O") == routes.OWN_TRAINS
    other = table(TILES, HOME, {"L&N": ("3", "3")})
    assert key(other, ("3", ("A4", "C4")), ("3", ("A4", "C4"))) == routes.SEPARATE_TRACK


@pytest.mark.rule("18AL 4.2.3(a)")
@pytest.mark.parametrize(
    "path",
    [
        (),
        ("A4",),
        ("A4", "Z9"),
        ("A4", "E4"),
        ("A4", "B3"),
        ("A4", "C4", "B5"),
        ("A4", "C4", "E4"),
        ("E4", "G4"),
        ("G4", "F3"),
    ],
)
def test_a_route_follows_track_from_stop_to_stop(path):
    assert key(board(), ("3", path)) == routes.ROUTE


@pytest.mark.rule("18AL 4.2.1(i)")
def test_a_route_does_not_cross_an_impassable_side():
    tiles = {**TILES, "B3": ("8", 4), "D3": ("9", 0)}
    assert key(board(tiles=tiles), ("3", ("A4", "B3", "D3"))) == routes.ROUTE


@pytest.mark.rule("18AL 4.2.3(b)")
def test_a_route_uses_track_once():
    path = ("A4", "C4", "E4", "G4", "F5", "D5", "E4", "G4")
    assert key(board(), ("4", path)) == routes.TRACK_ONCE


@pytest.mark.rule("18AL 4.2.3(c)")
def test_a_route_does_not_turn_at_a_fork():
    assert key(board(), ("4", ("A4", "C4", "E4", "D5", "F5", "G4"))) == routes.FORKS
    assert key(board(), ("4", ("G4", "E4", "G4"))) == routes.FORKS


@pytest.mark.rule("18AL 4.2.3(d)")
def test_a_route_leaves_a_city_by_other_track():
    assert key(board(), ("4", ("A4", "C4", "A4"))) == routes.THROUGH_CITIES


@pytest.mark.rule("18AL 4.2.3(e)")
def test_a_route_ends_at_a_blocked_city_or_passes_it_by():
    at = board(stations={**HOME, "M&O": [("C4", 0)]})
    assert key(at, ("3", DOWN)) == routes.BLOCKED_CITIES
    assert key(at, ("3", DOWN[:2])) is None
    half_full = {**HOME, "M&O": [("G4", 0)], "WRA": [("C4", 0)]}
    tiles = {**TILES, "C4": ("14", 0)}
    assert key(board(tiles=tiles, stations=half_full), ("3", DOWN)) is None
    assert key(board(stations={"L&N": [("A4", 0), ("C4", 0)]}), ("3", DOWN)) is None


@pytest.mark.rule("18AL 4.2.3(f)")
def test_a_route_stops_at_an_own_station():
    assert key(board(), ("3", ("C4", "E4", "G4"))) == routes.OWN_STATION
    assert key(board(), ("3", ("C4", "E4", "G4")), company="TAG") is None


@pytest.mark.rule("18AL 4.2.3(g)")
def test_a_route_stops_once_at_each_stop():
    tiles = {**TILES, "E4": ("8", 4)}
    loop = ("G4", "E4", "D5", "F5", "G4")
    assert key(board(tiles=tiles), ("4", loop), company="TAG") == routes.STOPS_ONCE


@pytest.mark.rule("18AL 4.2.3(h)")
def test_a_route_does_not_run_through_an_offboard_place():
    tiles = {**TILES, "B3": ("9", 1), "C2": ("4", 1)}
    assert key(board(tiles=tiles), ("3", ("C2", "B3", "A4"))) is None
    assert key(board(tiles=tiles), ("3", ("C2", "B3", "A4", "C4"))) == routes.OFFBOARD_ENDS


@pytest.mark.rule("18AL 4.2.3(i)")
def test_towns_do_not_count_toward_the_reach():
    assert key(board(("2",)), ("2", DOWN)) == routes.TRAIN_REACH
    # A4 - C4 - B5 - C6 Stevenson - B7 Chattanooga: three that count, one town
    tiles = {"C4": ("5", 3), "B5": ("8", 5), "C6": ("58", 2)}
    path = ("A4", "C4", "B5", "C6", "B7")
    assert key(board(("2", "3"), tiles), ("2", path)) == routes.TRAIN_REACH
    assert key(board(("2", "3"), tiles), ("3", path)) is None
    assert key(board(("2", "3"), tiles), ("2", path[:4])) is None


@pytest.mark.rule("18AL 4.2.3(j)")
def test_no_two_trains_share_track():
    assert key(board(), ("3", DOWN), ("4", ("A4", "C4"))) == routes.SEPARATE_TRACK
    tiles = {**TILES, "E4": ("23", 0), "C4": ("5", 3), "B5": ("8", 5), "C6": ("58", 2)}
    tiles |= {"B3": ("9", 1), "C2": ("4", 1)}
    apart = [("3", ("A4", "B3", "C2")), ("4", ("A4", "C4", "B5", "C6"))]
    assert key(board(tiles=tiles), *apart) is None


@pytest.mark.rule("18AL 4.2.3(j)")
def test_trains_share_a_hex_where_their_track_only_crosses():
    # tile 20: straight down from C4 to G4, and D5 to F3 across it
    tiles = {"C4": ("5", 5), "D5": ("7", 1), "E4": ("20", 0), "F3": ("7", 4), "G4": ("442a", 0)}
    at = board(tiles=tiles, stations={"L&N": [("C4", 0)]})
    straight, across = ("C4", "E4", "G4"), ("C4", "D5", "E4", "F3", "G4")
    assert key(at, ("3", straight), ("4", across)) is None
    assert key(at, ("3", ("C4", "E4", "F3", "G4"))) == routes.ROUTE


def test_refusals_name_hexes_and_cite_the_rule_they_are_given():
    refusal = check_runs(
        board(("2",)), "L&N", [TrainRun("2", DOWN)], lambda found: f"18AL <{found}>"
    )
    assert refusal.rule == "18AL <train reach>"
    assert refusal.code == "reach"
    assert "3 stops" in refusal.text
    refusal = check_runs(board(), "L&N", [TrainRun("3", ("C4", "E4", "G4"))], section)
    assert "A4 Nashville" in refusal.hint


def test_revenue_counts_each_stop_once_and_doubles_for_a_4d():
    at = board(("3", "4D"))
    assert stops_of(at, TrainRun("3", DOWN)) == (("A4", 0), ("C4", 0), ("G4", 0))
    assert routes.values(at, "L&N", TrainRun("3", DOWN)) == (
        ("A4", 0, 40),
        ("C4", 0, 20),
        ("G4", 0, 30),
    )
    assert revenue(at, "L&N", [TrainRun("3", DOWN)]) == 90
    assert revenue(at, "L&N", [TrainRun("4D", DOWN)]) == 180
    assert revenue(board(phase="5"), "L&N", [TrainRun("3", DOWN)]) == 100
    with pytest.raises(ValueError, match="not neighbours"):
        revenue(at, "L&N", [TrainRun("3", ("A4", "G4"))])


@pytest.mark.rule("18AL 4.2.3.1")
def test_a_bonus_for_two_places_is_shown_with_the_train_that_earns_it():
    tiles = {"G4": ("442a", 0), "F5": ("8", 5), "G6": ("57", 2), "H7": ("8", 2)}
    mark = Mark("Robert E. Lee", "ABC", "M&C", train="3")
    at = table(tiles, {"ABC": [("G6", 0)]}, {"ABC": ("3", "2")}, marks=[mark])
    path = ("G4", "F5", "G6", "H7", "G8")
    found = trace(at, TrainRun("3", path))
    assert isinstance(found, Traced), found
    (value,) = explain(at, "ABC", [TrainRun("3", path)])
    assert value.bonuses == (("Robert E. Lee", 20),)
    assert value.total == sum(dollars for _, _, dollars in value.stops) + 20
    assert revenue(at, "ABC", [TrainRun("3", path)]) == value.total
    assert revenue(at, "ABC", [TrainRun("2", path[2:])]) == 60


def test_every_route_that_exists_is_allowed_and_no_other_prefix_of_it():
    seen = 0
    for seed in range(60):
        rng = Random(seed)
        tiles = random_tiles(rng, rng.randint(6, 14), 8)
        at = table(tiles, random_stations(rng, tiles, 0.4), {"TAG": ("4",)})
        legal = {route.path for route in brute.routes(at, "TAG", "4")}
        for path in sorted(legal):
            assert key(at, ("4", path), company="TAG") is None, (seed, path)
            for cut in range(2, len(path)):
                part = min(path[:cut], path[cut - 1 :: -1])
                allowed = key(at, ("4", path[:cut]), company="TAG") is None
                assert allowed == (part in legal), (seed, path[:cut])
            seen += 1
    assert seen > 300

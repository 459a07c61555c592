"""What companies reach along track, the links of a position, and paths filled in between named hexes."""

from random import Random

import pytest

from engine.position.draft import Draft
from engine.track.distance import distance
from engine.track.ground import forget
from engine.track.links import board
from engine.track.network import Way, enters, has_route, paths, reach, reaches
from tests.engine import brute
from tests.engine.boards import COMPANIES, open_ferries, random_stations, random_tiles, table

#: title → its last phase
LAST = {"18AL": "7", "18TN": "8", "18GL": "D", "18GA": "8"}
#: A4 Nashville - C4 Decatur - E4 - G4 Birmingham, straight down
LINE = {"C4": ("57", 0), "E4": ("9", 0), "G4": ("442a", 0)}
#: track from E4 to the south, north-west C4 and north-east D5
FORK = {**LINE, "E4": ("23", 0)}
#: and on from D5 by F5 back to G4
LOOP = {**FORK, "D5": ("7", 0), "F5": ("8", 1)}
HOME = {"L&N": [("A4", 0)]}


def test_a_trace_follows_track_and_enters_hexes_without_any():
    found = reach(table(LINE, HOME), "L&N")
    assert found.stops == {("A4", 0), ("C4", 0), ("G4", 0)}
    assert found.passable == found.stops
    assert {("B3", 4), ("I4", 3), ("F3", 5), ("F5", 1)} <= found.arrivals
    assert ("D3", 5) not in found.arrivals


def test_a_company_without_stations_reaches_nothing():
    found = reach(table(LINE, HOME), "TAG")
    assert not found.stops
    assert not found.arrivals
    assert not has_route(table(LINE, HOME), "TAG")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_a_trace_does_not_turn_at_a_fork():
    from_north = reach(table(FORK, HOME), "L&N")
    assert ("G4", 0) in from_north.stops
    assert ("D5", 1) not in from_north.arrivals
    assert ("D5", 1) in reach(table(FORK, {"ABC": [("G4", 0)]}), "ABC").arrivals


@pytest.mark.rule("18AL 4.2.1(j)")
def test_a_trace_does_not_come_back_round_a_loop():
    # down to G4, round by F5 and D5 to the fork again: from there only track already used leads on
    found = reach(table(LOOP, HOME), "L&N")
    assert {("G4", 3), ("F5", 1), ("D5", 0), ("E4", 4)} <= found.arrivals
    assert not {("E4", 0), ("C4", 0), ("A4", 0), ("D5", 1)} & found.arrivals


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_trace_ends_at_a_blocked_city():
    blocked = table(LINE, {**HOME, "M&O": [("C4", 0)]})
    found = reach(blocked, "L&N")
    assert found.stops == {("A4", 0), ("C4", 0)}
    assert found.passable == {("A4", 0)}
    assert ("E4", 3) not in found.arrivals
    assert ("G4", 0) in reach(blocked, "M&O").stops


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_trace_ends_at_an_offboard_place_without_an_own_station():
    tiles = {**LINE, "B3": ("9", 1)}
    found = reach(table(tiles, {"L&N": [("G4", 0)]}), "L&N")
    assert ("A4", 0) in found.stops - found.passable
    assert ("B3", 4) not in found.arrivals


@pytest.mark.rule("18AL 4.2.1(i)")
def test_no_trace_crosses_an_impassable_side():
    found = reach(table({"B3": ("8", 4)}, HOME), "L&N")
    assert ("B3", 4) in found.arrivals
    assert ("D3", 3) not in found.arrivals


@pytest.mark.parametrize("tiles", [LINE, FORK, LOOP])
def test_what_is_asked_before_the_network_is_known_is_the_same_afterwards(tiles):
    stations = {**HOME, "M&O": [("G4", 0)]}
    for hex_ in ("B3", "C4", "D5", "E4", "F3", "F5", "G4", "I4", "K8"):
        for side in range(6):
            fresh = table(dict(tiles), stations)
            before = enters(fresh, "L&N", hex_, (side,))
            arrives = (hex_, side) in reach(fresh, "L&N").arrivals
            assert before == arrives == enters(fresh, "L&N", hex_, (side,)), (hex_, side)


@pytest.mark.parametrize("tiles", [LINE, FORK, LOOP])
def test_a_stop_that_is_looked_for_is_one_that_is_reached(tiles):
    found = {}
    for hex_ in ("A4", "C4", "G4", "H3", "F5", "K4"):
        fresh = table(dict(tiles), HOME)
        found[hex_] = reaches(fresh, "L&N", {(hex_, 0)}.__contains__)
        there = (hex_, 0) in reach(fresh, "L&N").stops
        assert found[hex_] == there == reaches(fresh, "L&N", {(hex_, 0)}.__contains__), hex_
    assert found["G4"] and not found["K4"]
    assert not reaches(table(dict(tiles), HOME), "TAG", lambda place: True)


def test_an_answer_is_kept_for_the_next_position_with_the_same_fields():
    at = table(LINE, HOME)
    draft = Draft(at.title, at.at)
    draft.set_earned("L&N", 10)
    known = reach(at, "L&N")
    assert reach(draft.table, "L&N") is known
    draft.keep_station("TAG", "G4", 0)
    assert reach(draft.table, "L&N") is not known
    assert reach(at, "L&N") == known


def test_track_put_back_is_track_as_it_was():
    """The map is worked out from the one before it, hex by hex: also where tiles are lifted."""
    at = table(LINE, HOME)
    draft = Draft(at.title, at.at)
    before = board(at)
    draft.lift_tile("E4")
    assert not any("E4" in link.path for link in board(draft.table).links)
    assert any("E4" in link.path for link in before.links)
    draft.lay("E4", "9", 0)
    forget()
    assert board(draft.table) == before


def test_an_answer_follows_each_change_of_a_draft():
    at = table({"C4": ("57", 0)}, HOME)
    draft = Draft(at.title, at.at)
    for tile, arrives in (("8", False), ("9", True), ("8", False)):
        draft.lay("E4", tile, 0)
        assert (("G4", 3) in reach(draft.table, "L&N").arrivals) is arrives


def test_a_draft_writes_to_no_dict_twice():
    at = table({"C4": ("57", 0)}, HOME)
    draft = Draft(at.title, at.at)
    before = draft.earned
    for dollars in (10, 20):
        former = draft.earned
        draft.set_earned("L&N", dollars)
        assert draft.earned is not former
        assert draft.table.recall("earned", lambda: draft.earned["L&N"]) == dollars
    assert "L&N" not in before


@pytest.mark.long
@pytest.mark.parametrize("name", COMPANIES)
@pytest.mark.parametrize("tight", [4, 12])
def test_reach_is_what_trying_everything_finds(tight, name):
    met, shortest = 0, {"18GL": "D"}.get(name, "2")
    for seed in range(120):
        rng = Random(seed)
        tiles = random_tiles(rng, rng.randint(6, 20 if name == "18AL" else 14), tight, name)
        stations = random_stations(rng, tiles, rng.choice([0.05, 0.3, 0.9]), name)
        at = table(
            tiles,
            stations,
            name=name,
            ferries=open_ferries(rng, tiles, 0.7, name),
            phase=LAST[name],
        )
        every = [(h, stop) for h in at.title.hexes for stop in range(len(at.face(h).stops))]
        for company in COMPANIES[name][:2]:
            stops, arrivals = brute.connections(at, company)
            looked_for = {p for p in every if reaches(at, company, {p}.__contains__)}
            assert looked_for == stops, (seed, company)
            found = reach(at, company)
            assert (found.stops, found.arrivals) == (stops, arrivals), (seed, company)
            runs = bool(brute.routes(at, company, shortest))
            assert has_route(at, company) == runs, (seed, company)
            lengths = brute.distances(at, company)
            assert {place: distance(at, company, place) for place in lengths} == lengths, seed
            met += len(arrivals)
    assert met > 1000


def test_a_board_has_every_link_once():
    for seed in range(60):
        rng = Random(seed)
        tiles = random_tiles(rng, 12, 12)
        at = table(tiles, {})
        net = board(at)
        tried = set()
        for number, place in enumerate(net.stops):
            for route, stopped in brute.walks(at, "TAG", *place):
                if stopped and len(route.stops) == 2:
                    other = net.stops.index(route.stops[1])
                    path = route.path if number < other else route.path[::-1]
                    tried.add((tuple(sorted((number, other))), path))
        assert {(link.ends, link.path) for link in net.links} == tried
        assert len(net.links) == len(tried)


def test_paths_fill_in_plain_hexes():
    at = table(LINE, HOME)
    full = ("A4", "C4", "E4", "G4")
    assert paths(at, "L&N", ("A4", "C4", "G4")) == [Way(full, ())]
    assert paths(at, "L&N", full) == [Way(full, ())]
    assert paths(at, "L&N", ("G4", "C4", "A4")) == [Way(full[::-1], ())]


def test_paths_stop_only_where_they_are_told():
    at = table(LINE, HOME)
    assert paths(at, "L&N", ("A4", "G4")) == []
    assert paths(at, "L&N", ("A4", "C4", "E4")) == []
    assert paths(at, "L&N", ("A4",)) == []
    assert paths(at, "L&N", ("A4", "Z9")) == []
    assert paths(at, "L&N", ("E4", "G4")) == []


def test_paths_give_every_way_the_shortest_first_up_to_the_limit():
    at = table({**LINE, "C4": ("5", 5), "D5": ("8", 0), "F5": ("8", 1)}, HOME)
    two = [Way(("C4", "E4", "G4"), ()), Way(("C4", "D5", "F5", "G4"), ())]
    assert paths(at, "L&N", ("C4", "G4")) == two
    assert paths(at, "L&N", ("C4", "F5", "G4")) == two[1:]
    assert paths(at, "L&N", ("C4", "G4"), limit=1) == two[:1]

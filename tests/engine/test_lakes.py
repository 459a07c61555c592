"""Trains of the Great Lakes: hexes and cities that count, ferries, parallel tracks, and places of several hexes."""

import pytest

from engine.actions import TrainRun
from engine.position.values import BANK
from engine.runs import routes
from engine.runs.best.search import best_run
from engine.runs.routes import check_runs, passed, runs_past
from engine.track.distance import distance
from engine.track.ferries import ferry_users
from engine.track.network import reach
from tests.engine.boards import section, table

#: Chicago's two hexes with two tracks between them
CHICAGO = {"D12": ("743", 0), "D14": ("744", 0)}
FERRY = "Milwaukee–Muskegon"
#: Milwaukee with its ferry to Muskegon
LAKE = {"D10": ("730", 0), "F10": ("725", 0), "E9": ("722", 1)}


def lakes(tiles, stations, trains=(), **more):
    return table(
        tiles, stations, {"MR": trains}, name="18GL", phase=more.pop("phase", "6H"), **more
    )


def key(at, *runs):
    refusal = check_runs(
        at, "MR", [TrainRun(t, tuple(path.split("-"))) for t, path in runs], section
    )
    return refusal and refusal.rule


def ferry(holder, trains=("4H", "4H")):
    at = lakes(LAKE, {"MR": [("D10", 0)]}, trains, ferries={FERRY: holder})
    return at, [TrainRun("4H", ("D10", "E9", "F10"))]


@pytest.mark.rule("18GL 4.6.3")
def test_an_h_train_counts_the_hexes_it_enters():
    assert key(ferry("MR", ("2H",))[0], ("2H", "D10-E9-F10")) is None
    tiles = {"D10": ("730", 0), "D12": ("734", 0), "D14": ("735", 0), "D16": ("57", 0)}
    at = lakes(tiles, {"MR": [("D10", 0)]}, ("2H", "4H"))
    assert key(at, ("2H", "D10-D12-D14")) is None
    assert key(at, ("2H", "D10-D12-D14-D16")) == routes.TRAIN_REACH
    assert key(at, ("4H", "D10-D12-D14-D16")) is None
    refusal = check_runs(at, "MR", [TrainRun("2H", ("D10", "D12", "D14", "D16"))], section)
    assert refusal.text == routes.TOO_MANY_HEXES.format(train="2H", entered=3, most=2)


@pytest.mark.rule("18GL 4.9")
def test_an_e_train_needs_two_cities_and_goes_as_far_as_their_number_says():
    at = lakes(LAKE, {"MR": [("D10", 0)]}, ("E",), phase="E", ferries={FERRY: "MR"})
    assert key(at, ("E", "D10-E9-F10")) == routes.ROUTE
    assert best_run(at, "MR").runs[0].path == ("D10", "D12")
    line = {"D10": ("730", 0), "D12": ("734", 0), "D14": ("735", 0)}
    own, three = {"MR": [("D10", 0)]}, "D10-D12-D14"
    one, more, last = (
        table(line, own, {"MR": ("E",), "IC": others}, name="18GL", phase=phase)
        for others, phase in (((), "E"), (("E",), "E"), ((), "D"))
    )
    assert [at.reach_of("E") for at in (one, more, last)] == [2, 3, 5]
    assert [key(at, ("E", three)) for at in (one, more, last)] == [routes.TRAIN_REACH, None, None]
    assert [at.train_kind("E").doubles != () for at in (one, more, last)] == [True, True, False]
    assert [len(best_run(at, "MR").runs[0].path) for at in (one, more, last)] == [2, 3, 3]


@pytest.mark.rule("18GL 4.10")
def test_a_d_train_goes_on_for_ever():
    line = {"D10": ("730", 0), "D12": ("734", 0), "D14": ("735", 0), "D16": ("57", 0)}
    at = lakes(line, {"MR": [("D10", 0)]}, ("D",), phase="D")
    assert key(at, ("D", "D10-D12-D14-D16")) is None
    assert best_run(at, "MR").runs[0].path == ("D10", "D12", "D14", "D16")


@pytest.mark.rule("18GL 4.6.3")
def test_a_ferry_is_track_while_it_runs_and_others_pay_for_it():
    dry = lakes({"D10": LAKE["D10"], "F10": LAKE["F10"]}, {"MR": [("D10", 0)]}, ("4H",))
    assert key(dry, ("4H", "D10-E9-F10")) == routes.ROUTE
    assert ("F10", 0) not in reach(dry, "MR").stops
    for holder, fares in (("MR", 0), ("IC", 1), (BANK, 1)):
        at, runs = ferry(holder)
        assert check_runs(at, "MR", runs, section) is None
        assert ("F10", 0) in reach(at, "MR").stops
        assert distance(at, "MR", ("F10", 0)) == 2
        assert ferry_users(at, "MR", runs) == [(FERRY, holder)] * fares
        without, paying = best_run(at, "MR"), best_run(at, "MR", fares=1)
        assert len(ferry_users(at, "MR", paying.runs)) == fares
        assert ferry_users(at, "MR", without.runs) == []
        assert paying.total - without.total == (40 if fares else 0)


@pytest.mark.rule("18GL 4.6.3")
def test_two_trains_run_between_the_chicago_hexes_where_both_have_two_tracks():
    trip = ("4H", "D12-D14")
    for tiles, together in (
        (CHICAGO, None),
        ({**CHICAGO, "D12": ("734", 0)}, routes.SEPARATE_TRACK),
    ):
        at = lakes(tiles, {"MR": [("D12", 0)]}, ("4H", "4H", "4H"), phase="10H")
        assert key(at, trip, trip) == together
        assert key(at, trip, trip, trip) == routes.SEPARATE_TRACK
        assert len(best_run(at, "MR").runs) == (1 if together else 2)
    assert key(at, ("4H", "D12-D14-D12")) == routes.THROUGH_CITIES


@pytest.mark.rule("18GL 4.6.3")
def test_hexes_of_one_place_are_one_stop_and_share_a_station_where_they_have_one():
    tiles = {"C17": ("55", 0), "B16": ("57", 0)}
    at = table(tiles, {"NYC": [("N14", 0)]}, name="18GL", phase="6H")
    assert set(at.stands_at("NYC")) == {("N12", 0), ("N14", 0)}
    assert at.stations_of("NYC") == (("N14", 0),)
    assert distance(at, "NYC", ("N12", 0)) == distance(at, "NYC", ("N14", 0)) == 0
    alone = table(tiles, {"WAB": [("B18", 0)]}, name="18GL", phase="6H")
    assert alone.stands_at("WAB") == (("B18", 0),)


@pytest.mark.rule("18GL 4.6.3")
def test_a_route_that_runs_past_a_city_and_later_stops_there_says_which_is_which():
    tiles = {**CHICAGO, "C15": ("8", 3), "E13": ("5", 1)}
    run = TrainRun("D", ("C15", "D14", "E13", "D12", "D14"), ("D14",))
    at = lakes(tiles, {"MR": [("D12", 0)]}, ("D",), phase="D")
    assert runs_past(at, run) == [False, True, False, False, False]
    assert passed(at, run.path, [("E13", 0), ("D12", 0), ("D14", 0)]) == ("D14",)
    assert passed(at, run.path[1:], [("E13", 0), ("D12", 0)]) == ()

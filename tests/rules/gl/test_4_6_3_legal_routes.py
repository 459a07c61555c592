"""18GL 4.6.3, 4.9: what makes a route legal, between the off-map locations south of Lake Erie."""

import pytest

from engine.position.values import State
from tests.rules.gl.setting import on

#: Cincinnati – Dayton – Columbus – West Virginia, and on from there to Pittsburgh
SOUTH = "I19 57 1,J18 6 5,K19 9 2,M19 9 1"
WHOLE = "H20-I19-J18-K19-L20"
#: Ann Arbor, a brown town, and a loop from it through Toledo and back
LOOP = "I11 146 5,H10 57 2,I13 5 2,H12 7 4"


def monon(*trains: str, at_phase: str = "6H", laid: str = SOUTH) -> State:
    """A run of the Monon, whose station is in Cincinnati."""
    return on.turn("run", "MON", trains=trains, laid=laid, at_phase=at_phase)


@pytest.mark.rule("18GL 4.6.3")
def test_a_train_may_run_from_one_off_map_location_to_another() -> None:
    """$60 and $50 at its ends, two cities of $20 between them."""
    state = monon("4H")
    assert on.after(state, on.run("MON", ("4H", WHOLE))).earned["MON"] == 60 + 20 + 20 + 50


@pytest.mark.rule("18GL 4.6.3")
def test_an_off_map_location_is_an_end_of_a_route() -> None:
    """B&O's station in M21 stands in L20 too, but no train of its goes on from there."""
    state = on.turn("run", "B&O", trains=("6H",), laid=SOUTH, at_phase="6H")
    on.refused(state, on.run("B&O", ("6H", "J18-K19-L20-M19-N18")), "4.6.3", "runs through L20")
    assert on.allowed(state, on.run("B&O", ("6H", WHOLE)))


@pytest.mark.rule("18GL 4.6.3")
def test_a_train_runs_to_a_filled_city_and_not_through_it() -> None:
    """NYC fills Columbus; with a station of its own there the Monon would pass."""
    state = on.station(monon("4H"), "NYC", "J18")
    on.refused(state, on.run("MON", ("4H", WHOLE)), "4.6.3", "Columbus", "filled")
    assert on.allowed(state, on.run("MON", ("4H", "H20-I19-J18")))
    wider = on.station(on.tiles(monon("4H"), "J18 15 5"), "NYC", "J18")
    assert on.allowed(wider, on.run("MON", ("4H", WHOLE)))


@pytest.mark.rule("18GL 4.6.3")
def test_a_route_has_two_stops_and_one_of_them_a_station_of_the_company() -> None:
    """Neither Cincinnati alone nor Dayton and Columbus will do."""
    state = monon("4H")
    on.refused(state, on.run("MON", ("4H", "H20")), "4.6.3", "two or more stops")
    on.refused(state, on.run("MON", ("4H", "I19-J18")), "4.6.3", "no token of MON")
    own = on.station(state, "MON", "J18")
    assert on.allowed(own, on.run("MON", ("4H", WHOLE)))


@pytest.mark.rule("18GL 4.6.3")
def test_the_station_may_stand_in_the_middle_of_a_route() -> None:
    """That of the Monon in Columbus, for a run from Dayton to West Virginia, where H20 is too far."""
    state = on.station(monon("2H"), "MON", "J18")
    on.refused(state, on.run("MON", ("2H", WHOLE)), "4.6.3", "enters 4 hexes, it may enter 2")
    assert on.allowed(state, on.run("MON", ("2H", "H20-I19-J18")))
    far = on.turn("run", "NYC", trains=("4H",), laid=SOUTH, stations=("J18",), at_phase="6H")
    assert on.after(far, on.run("NYC", ("4H", WHOLE))).earned["NYC"] == 150


@pytest.mark.rule("18GL 4.6.3")
def test_trains_of_a_company_meet_in_a_city_and_share_no_track() -> None:
    """Both may stop in Columbus, only one goes on to West Virginia."""
    state = on.station(monon("2H", "2H"), "MON", "J18")
    act = on.run("MON", ("2H", "H20-I19-J18"), ("2H", "J18-K19-L20"))
    assert on.after(state, act).earned["MON"] == (60 + 20 + 20) + (20 + 50)
    twice = on.run("MON", ("2H", "J18-K19-L20"), ("2H", "J18-K19-L20"))
    on.refused(state, twice, "4.6.3", "both use the track")


@pytest.mark.rule("18GL 4.9")
def test_an_e_train_comes_to_no_town_twice() -> None:
    """Ann Arbor earns it nothing, but it is passed on the way to Toledo and may not be again."""
    state = on.turn("run", "DT&I", trains=("E", "E", "E"), laid=LOOP, at_phase="E")
    on.refused(state, on.run("DT&I", ("E", "J12-I11-I13-H12-I11-H10")), "4.6.3", "I11", "twice")
    on.refused(state, on.run("DT&I", ("E", "J12-I11")), "4.6.3", "fewer than two cities")


@pytest.mark.rule("18GL 4.9", "18GL 4.10")
def test_towns_earn_for_a_d_train_and_not_for_an_e_train() -> None:
    """Detroit is worth $40, brown Ann Arbor and Lansing $20 each."""
    earned = []
    for train in ("D", "E"):
        state = on.turn("run", "DT&I", trains=(train,), laid="I11 146 5,H10 57 2", at_phase="D")
        earned.append(on.after(state, on.pay("DT&I")).earned["DT&I"])
    assert earned == [40 + 20 + 20, 40 + 20]

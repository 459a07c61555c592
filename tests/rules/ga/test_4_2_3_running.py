"""18GA 4.2.3: routes and what they earn."""

import pytest
from msgspec.structs import replace

from engine.events import TrainsRan
from engine.position.values import State
from engine.runs.best.search import best_run
from tests.rules.ga.setting import ATLANTA, LINE, SHORT, on, turn

#: Rome and Montgomery, and both ends of Atlanta's first city
MONTGOMERY = f"{ATLANTA},E3 8 1,D2 9 0,C3 57 0"
#: brown Atlanta, its three cities joined by loops
LOOPS = "D4 455a 0,D6 7 1,C5 7 5,E3 7 3,E5 7 1"


def earns(state: State, *routes: tuple[str, str], name: str = "ACL") -> int:
    """Revenue of a run."""
    (ran,) = on.happened(state, on.run(name, *routes), TrainsRan)
    revenue: int = ran.revenue
    return revenue


def acl(*trains: str, laid: str = LINE, phase: str = "1") -> State:
    """ACL at its run."""
    return turn("ACL", "run", *trains, laid=laid, phase=phase)


@pytest.mark.rule("18GA 4.2.3")
def test_4_2_3_a_company_runs_its_own_trains() -> None:
    """A 3 that it does not have stays where it is."""
    on.refused(acl("2"), on.run("ACL", ("3", "J12-I11")), "4.2.3", "3")
    twice = on.run("ACL", ("2", "J12-I11"), ("2", "I11-H10-I9"))
    on.refused(acl("2"), twice, "4.2.3")


@pytest.mark.rule("18GA 4.2.3(a)")
def test_a_a_route_is_track_between_two_stops() -> None:
    """No track leads from Jacksonville to the west, and open ground is no end."""
    on.refused(acl("2"), on.run("ACL", ("2", "J12-J10-I9")), "4.2.3(a)")
    on.refused(acl("2"), on.run("ACL", ("2", "J12-I11-H10")), "4.2.3(a)")
    assert earns(acl("2"), ("2", "J12-I11")) == 30 + 20


@pytest.mark.rule("18GA 4.2.3(b)")
def test_b_no_section_twice() -> None:
    """Round the ring of Brunswick and Waycross and back on the line to Macon."""
    ring = "F6 57 1,F8 8 5,G9 9 2,H10 23 2,I11 5 1,I9 5 3"
    state = turn("CoG", "run", "5", laid=ring, phase="3")
    path = "F6-F8-G9-H10-I11-I9-H10-G9-F8-F6"
    on.refused(state, on.run("CoG", ("5", path)), "4.2.3(b)", "twice")
    assert earns(state, ("5", "F6-F8-G9-H10-I11-I9"), name="CoG") == 60


@pytest.mark.rule("18GA 4.2.3(g)")
def test_g_no_place_twice() -> None:
    """Round Jacksonville, whose arrows are one place."""
    around = "I11 14 2,J10 7 3"
    state = acl("3", laid=around)
    on.refused(state, on.run("ACL", ("3", "J12-I11-J10-J12")), "4.2.3(g)", "Jacksonville")


@pytest.mark.rule("18GA 4.2.3(c)")
def test_c_no_turning_at_a_fork() -> None:
    """Southeast and southwest meet in H10 only on the way northwest."""
    state = acl("3", laid="I11 57 2,H10 23 2,I9 57 0", phase="3")
    on.refused(state, on.run("ACL", ("3", "J12-I11-H10-I9")), "4.2.3(c)", "H10")


@pytest.mark.rule("18GA 4.2.3(d)")
def test_d_a_city_is_left_by_any_track() -> None:
    """From Brunswick on to Waycross, but not back where the train came from."""
    back = on.run("ACL", ("3", "J12-I11-J12"))
    on.refused(acl("3"), back, "4.2.3(d)", "Brunswick")
    assert earns(acl("3"), ("3", "J12-I11-H10-I9")) == 30 + 20 + 20


@pytest.mark.rule("18GA 4.2.3(e)")
def test_e_a_city_full_of_others_is_an_end() -> None:
    """CoG's station in Brunswick."""
    state = on.station(acl("3"), "CoG", "I11")
    on.refused(state, on.run("ACL", ("3", "J12-I11-H10-I9")), "4.2.3(e)", "Brunswick")
    assert earns(state, ("3", "J12-I11")) == 50


@pytest.mark.rule("18GA 4.2.3(e)")
def test_e_a_city_without_circles_is_never_blocked() -> None:
    """Through Montgomery every train may run."""
    state = turn("W&A", "run", "3", laid=MONTGOMERY)
    assert earns(state, ("3", "D4-E3-E1-D2-C3"), name="W&A") == 30 + 30 + 20


@pytest.mark.rule("18GA 4.2.3(f)")
def test_f_an_own_station_on_each_route() -> None:
    """Brunswick to Waycross has none of ACL."""
    on.refused(acl("2"), on.run("ACL", ("2", "I11-H10-I9")), "4.2.3(f)")


@pytest.mark.rule("18GA 4.2.3(g)")
def test_g_the_cities_of_atlanta_are_three() -> None:
    """One train counts each of them once: 70 three times for a 3."""
    state = turn("W&A", "run", "3", laid=LOOPS, phase="5")
    path = "D4-D6-C5-D4-E3-E5-D4"
    assert earns(state, ("3", path), name="W&A") == 210
    assert best_run(on.table(state), "W&A").total == 210
    two = turn("W&A", "run", "2", laid=LOOPS, phase="1")
    on.refused(two, on.run("W&A", ("2", path)), "4.2.3(i)", "3")


@pytest.mark.rule("18GA 4.2.3(h)")
def test_h_no_train_runs_through_jacksonville_acls_neither() -> None:
    """From Brunswick to Waycross by the red area."""
    state = acl("3", laid="I11 57 2,J10 8 2,I9 57 2")
    on.refused(state, on.run("ACL", ("3", "I11-J12-J10-I9")), "4.2.3(h)", "Jacksonville")
    assert earns(state, ("3", "J12-J10-I9")) == 50


@pytest.mark.rule("18GA 4.2.3(i)")
def test_i_cities_and_red_areas_are_counted_towns_are_not() -> None:
    """Three cities are too many for a 2; two and a town are not."""
    on.refused(acl("2"), on.run("ACL", ("2", "J12-I11-H10-I9")), "4.2.3(i)", "3")
    town = acl("2", laid="I11 57 2,H10 8 3,G11 4 0")
    assert earns(town, ("2", "J12-I11-H10-G11")) == 30 + 20 + 10


@pytest.mark.rule("18GA 4.2.3(i)")
def test_i_montgomery_counts_as_a_city() -> None:
    """Atlanta, Montgomery and Rome are three."""
    state = turn("W&A", "run", "2", laid=MONTGOMERY)
    on.refused(state, on.run("W&A", ("2", "D4-E3-E1-D2-C3")), "4.2.3(i)", "3")
    assert earns(state, ("2", "D4-E3-E1"), name="W&A") == 60


@pytest.mark.rule("18GA 4.2.3(j)")
def test_j_no_track_for_two_trains() -> None:
    """Both between Jacksonville and Brunswick; to the same city by other track they may."""
    both = on.run("ACL", ("2", "J12-I11"), ("3", "J12-I11-H10-I9"))
    on.refused(acl("2", "3"), both, "4.2.3(j)")
    state = acl("2", "2", laid=f"{SHORT},J10 8 2,I9 57 2")
    assert earns(state, ("2", "J12-I11"), ("2", "J12-J10-I9")) == 100


@pytest.mark.rule("18GA 4.2.3.1")
def test_4_2_3_1_the_best_run_if_a_shareholder_insists() -> None:
    """Bob has a share and insists on $70; Cas has none."""
    state = turn("ACL", "run", "3", laid=LINE, held={"Ann": 50, "Bob": 10})
    worse = on.run("ACL", ("3", "J12-I11"))
    on.refused(replace(state, insist=("Bob",)), worse, "4.2.3.1", "$70", "$50", "Bob")
    assert on.allowed(replace(state, insist=("Cas",)), worse)


@pytest.mark.rule("18GA 4.2.3.1")
@pytest.mark.parametrize(
    ("hex_", "low", "high"),
    [("E1", 30, 40), ("J4", 20, 50), ("A3", 30, 60), ("B10", 30, 40), ("J12", 30, 60)],
)
def test_4_2_3_1_values_that_the_first_5_raises(hex_: str, low: int, high: int) -> None:
    """Montgomery, Tallahassee and the red areas."""
    for phase, value in [(p, low) for p in "1234"] + [(p, high) for p in "568"]:
        table = on.table(on.phase(on.stock_turn(), phase))
        stop = table.face(hex_).stops[0]
        assert stop.value(table.phase.tiles[-1]) == value

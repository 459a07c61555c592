"""18GA 4.2.2: further stations."""

import pytest
from msgspec.structs import replace

from engine.events import StationPlaced
from engine.position.values import Station
from tests.rules.ga.setting import ATLANTA, LINE, on, turn


@pytest.mark.rule("18GA 4.2.2")
def test_4_2_2_forty_for_the_first_and_a_hundred_for_the_others() -> None:
    """Beside the home."""
    first = turn("ACL", "token", laid=LINE)
    act = on.token("ACL", "I11")
    assert on.happened(first, act, StationPlaced) == [StationPlaced("ACL", "I11", 40)]
    second = turn("ACL", "token", laid=LINE, stations=("F6",))
    assert on.happened(second, act, StationPlaced) == [StationPlaced("ACL", "I11", 100)]
    on.refused(turn("ACL", "token", laid=LINE, cash=39), act, "4.2.2", "$40")


@pytest.mark.rule("18GA 4.2.2")
def test_4_2_2_a_token_and_a_free_circle_are_needed() -> None:
    """G&F has two stations in all; Montgomery has no circle; a full city has no room."""
    none = turn("G&F", "track", laid="H4 57 0", stations=("G3",))
    on.refused(none, on.token("G&F", "I9"), "4.2.2", "no token")
    montgomery = turn("W&A", "token", laid=f"{ATLANTA},E3 8 1")
    on.refused(montgomery, on.token("W&A", "E1"), "4.2.2", "Montgomery", "no circle")
    full = on.station(turn("ACL", "token", laid=LINE), "CoG", "I11")
    on.refused(full, on.token("ACL", "I11"), "4.2.2", "Brunswick")
    on.refused(turn("ACL", "token", laid=LINE), on.token("ACL", "H10"), "4.2.2")


@pytest.mark.rule("18GA 4.2.2(a)")
def test_a_the_city_is_connected() -> None:
    """Waycross is, Rome is not; not through a city that others fill."""
    state = turn("ACL", "token", laid=LINE)
    assert on.allowed(state, on.token("ACL", "I9"))
    on.refused(state, on.token("ACL", "C3"), "4.2.2(a)", "Rome")
    blocked = on.station(state, "CoG", "I11")
    on.refused(blocked, on.token("ACL", "I9"), "4.2.2(a)", "Waycross")


@pytest.mark.rule("18GA 4.2.2(b)")
def test_b_one_station_of_a_company_in_a_hex() -> None:
    """W&A in one city of Atlanta cannot have another there."""
    state = turn("W&A", "token", laid="D4 452a 0")
    on.refused(state, on.token("W&A", "D4", stop=1), "4.2.2(b)", "Atlanta")


@pytest.mark.rule("18GA 4.2.2(c)")
def test_c_one_city_of_atlanta_is_kept_for_wa() -> None:
    """With CoG and GA in two of them SAL cannot have the third before W&A has its home."""
    state = turn("SAL", "token", laid=f"{ATLANTA},C3 57 2", stations=("C3",))
    one = replace(state, stations={**state.stations, "D4": (Station("CoG", 0),)})
    assert on.allowed(one, on.token("SAL", "D4", stop=1))
    two = replace(one, stations={**one.stations, "D4": (Station("CoG", 0), Station("GA", 2))})
    on.refused(two, on.token("SAL", "D4", stop=1), "4.2.2(c)", "W&A")


@pytest.mark.rule("18GA 4.2.2(c)")
def test_c_homes_of_others_are_kept_free() -> None:
    """Albany is G&F's until it has operated."""
    state = turn("ACL", "token", laid="H4 57 0,I3 9 0", stations=("G3",))
    on.refused(state, on.token("ACL", "H4"), "4.2.2(c)", "Albany", "G&F")

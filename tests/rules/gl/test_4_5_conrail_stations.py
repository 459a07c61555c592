"""Which stations CONRAIL keeps of those of the companies that merged into it (18GL 4.5.1.2)."""

import pytest

from engine.actions import KeepStation, Pass
from engine.events import StationsReplaced
from engine.position.values import State
from tests.rules.gl.setting import on
from tests.rules.gl.test_4_5_conrail import BUY_10H, formed, two


@pytest.mark.rule("18GL 4.5.1.2")
def test_it_takes_over_all_homes_and_other_stations_where_there_is_no_choice():
    state = on.station(two(), "NYC", "J12", "L14")
    (event,) = on.happened(state, BUY_10H, StationsReplaced)
    assert set(event.hexes) == {"N14", "N18", "J12", "L14"}
    after = formed(state)
    assert {hex_ for hex_, _ in on.table(after).stations_of("CR")} == {"N14", "N18", "J12", "L14"}
    assert after.charters["CR"] == 5


def scattered() -> State:
    """Beside their homes NYC has stations in three cities, PRR in three, one city is the same."""
    state = on.tiles(two(), "J12 732 0,L14 733 0,I9 15 0,F18 57 0,G15 57 0")
    state = on.station(state, "NYC", "J12", "L14", "I9")
    return on.station(state, "PRR", "J12", "F18", "G15")


def keep(hex_: str) -> KeepStation:
    """Bob keeps a station."""
    return KeepStation(by="Bob", company="CR", hex=hex_)


@pytest.mark.rule("18GL 4.5.1.2")
@pytest.mark.parametrize("order", [("J12", "L14", "I9", "F18"), ("F18", "I9", "L14", "J12")])
def test_its_president_chooses_two_stations_of_each_merged_company_besides_the_home(order):
    """That in J12 is counted for whichever of the two leaves room for the others."""
    state = formed(scattered())
    assert on.waits_for(state) == ("Bob",)
    on.refused(state, keep("D12"), "4.5.1.2", "J12")
    on.refused(state, KeepStation(by="Bob", company="NYC", hex="J12"), "4.5.1.2", "CR")
    for hex_ in order:
        state = on.after(state, keep(hex_))
    kept = {hex_ for hex_, _ in on.table(state).stations_of("CR")}
    assert kept == {"N14", "N18", *order}
    assert on.waits_for(state) == ("Ann",)


@pytest.mark.rule("18GL 4.5.1.2")
def test_no_third_station_of_a_merged_company_is_kept():
    state = on.after(formed(scattered()), keep("L14"), keep("I9"), keep("F18"), keep("G15"))
    assert on.waits_for(state) == ("Ann",)
    assert "J12" not in state.stations
    state = on.after(formed(scattered()), keep("L14"), keep("I9"), keep("J12"))
    assert {action.hex for action in on.offered(state, "Bob", KeepStation)} == {"F18", "G15"}
    two_left = on.after(formed(scattered()), keep("J12"), keep("F18"), keep("G15"))
    on.refused(on.after(two_left, keep("L14")), keep("I9"), "4.1, 4.6")


@pytest.mark.rule("18GL 4.5.1.2")
def test_a_city_of_two_merged_companies_is_kept_as_that_of_who_has_room():
    """NYC has three stations beside its home, one of them where PRR is: nothing is lost."""
    state = on.tiles(two(), "J12 732 0,L14 733 0,I9 15 0")
    state = on.station(on.station(state, "NYC", "J12", "L14", "I9"), "PRR", "J12")
    after = formed(state)
    assert on.waits_for(after) == ("Ann",)
    kept = {hex_ for hex_, _ in on.table(after).stations_of("CR")}
    assert kept == {"N14", "N18", "J12", "L14", "I9"}


@pytest.mark.rule("18GL 4.5.1.2")
def test_stations_beyond_two_of_a_company_are_lost_and_the_rest_may_be_given_up():
    state = on.tiles(two(), "J12 732 0,L14 733 0,I9 15 0")
    state = formed(on.station(state, "NYC", "J12", "L14", "I9"))
    chosen = (KeepStation(by="Bob", company="CR", hex=hex_) for hex_ in ("J12", "I9"))
    kept = on.after(state, *chosen)
    assert {h for h, _ in on.table(kept).stations_of("CR")} == {"N14", "N18", "J12", "I9"}
    assert "L14" not in kept.stations
    assert on.waits_for(kept) == ("Ann",)
    given_up = on.after(state, Pass(by="Bob"))
    assert {h for h, _ in on.table(given_up).stations_of("CR")} == {"N14", "N18"}

"""18AL 4.2.2: stations and historical objectives."""

import pytest

from engine.events import BonusPaid, StationPlaced
from engine.position.values import BANK, State
from tests.rules import setting as on

#: Decatur and Birmingham joined to Nashville
LINE = "C4 57 0,E4 9 0,G4 441a 3"


def standing(name: str, laid: str, *, cash: int = 500, train: bool = True) -> State:
    """A company at its station step, with its home station alone."""
    trains = ("2",) if train else ()
    state = on.company(on.stock_turn(), name, {"Ann": 60}, cash=cash, trains=trains)
    return on.operating(on.tiles(state, laid), name, "token")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_in_a_free_circle_that_track_reaches() -> None:
    """Birmingham, two hexes and a city away, takes L&N's station."""
    state = standing("L&N", LINE)
    now = on.after(state, on.token("L&N", "G4"))
    assert [s.company for s in now.stations["G4"]] == ["L&N"]
    assert now.charters["L&N"] == state.charters["L&N"] - 1


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_first_40_then_100() -> None:
    """Beside the home the first station costs $40, each later one $100, paid to the bank."""
    act = on.token("L&N", "G4")
    first = standing("L&N", LINE)
    assert on.happened(first, act, StationPlaced) == [StationPlaced("L&N", "G4", 40)]
    second = on.station(first, "L&N", "C4")
    assert on.happened(second, act, StationPlaced) == [StationPlaced("L&N", "G4", 100)]
    third = on.station(second, "L&N", "J7")
    assert on.happened(third, act, StationPlaced) == [StationPlaced("L&N", "G4", 100)]
    paid = on.after(standing("L&N", "C4 57 0"), on.token("L&N", "C4"))
    assert paid.cash[BANK] == first.cash[BANK] + 40


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_the_treasury_must_have_it() -> None:
    """$99 do not buy a second station."""
    poor = on.station(standing("L&N", LINE, cash=99), "L&N", "C4")
    on.refused(poor, on.token("L&N", "G4"), "4.2.2", "$100", "$99")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_not_without_a_token() -> None:
    """TAG has two tokens in all."""
    state = on.station(standing("TAG", "F5 9 1,E6 15 1,G4 441a 4"), "TAG", "J7")
    on.refused(state, on.token("TAG", "G4"), "4.2.2", "TAG", "token")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_only_in_cities() -> None:
    """Not on plain track, in a town, or in a red area; nor where no hex is."""
    state = standing("L&N", LINE + ",B3 9 1,C2 4 1")
    for hex_ in ("E4", "C2", "B7"):
        on.refused(state, on.token("L&N", hex_), "4.2.2", hex_, "city")
    on.refused(state, on.token("L&N", "Z9"), "4.2.2", "Z9")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_only_in_an_unoccupied_circle() -> None:
    """TAG fills Decatur's only circle."""
    state = on.station(standing("L&N", LINE), "TAG", "C4")
    on.refused(state, on.token("L&N", "C4"), "4.2.2", "Decatur", "taken")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_options_are_the_cities_with_room() -> None:
    """Decatur and Birmingham are offered."""
    found = on.offered(standing("L&N", LINE), "Ann", type(on.token("L&N", "C4")))
    assert found == [on.token("L&N", "C4"), on.token("L&N", "G4")]


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_track_must_lead_there() -> None:
    """E4 has no tile: Birmingham is not reached, Decatur is."""
    state = standing("L&N", "C4 57 0,G4 441a 3")
    found = on.refused(state, on.token("L&N", "G4"), "4.2.2(a)", "Birmingham", "Decatur")
    assert "Nashville" not in found.hint, "a red area is no place for it"
    full = on.refused(on.station(state, "TAG", "C4"), on.token("L&N", "G4"), "4.2.2(a)")
    assert "Decatur" not in full.hint, "its circle is taken"


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_not_through_a_blocked_city() -> None:
    """TAG fills Decatur on the way to Birmingham; with a second circle the way is open."""
    state = on.station(standing("L&N", LINE), "TAG", "C4")
    on.refused(state, on.token("L&N", "G4"), "4.2.2(a)", "Birmingham")
    free = on.station(standing("L&N", LINE.replace("57", "14")), "TAG", "C4")
    assert on.allowed(free, on.token("L&N", "G4"))


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_not_through_a_red_area() -> None:
    """ABC would reach West Point through Atlanta only; by the direct line it is allowed."""
    through = standing("ABC", "G6 57 2,H7 8 2,I8 8 1,J7 57 1")
    on.refused(through, on.token("ABC", "J7"), "4.2.2(a)", "West Point")
    direct = standing("ABC", "G6 57 2,H7 8 0,J7 57 0")
    assert on.allowed(direct, on.token("ABC", "J7"))


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_from_a_station_in_a_red_area() -> None:
    """Mobile is red and M&O's home: traces begin there."""
    state = standing("M&O", "O2 9 0,M2 9 0,K2 57 0")
    assert on.allowed(state, on.token("M&O", "K2"))


@pytest.mark.rule("18AL 4.2.2(a)")
def test_a_no_turning_back_at_a_fork() -> None:
    """On F3 the lines from E4 and from Birmingham join toward Tuscaloosa, which alone is reached."""
    state = standing("L&N", "C4 57 0,E4 8 1,F3 28 0,G4 441a 2,H3 57 0")
    on.refused(state, on.token("L&N", "G4"), "4.2.2(a)", "Birmingham", "Tuscaloosa")
    assert on.allowed(state, on.token("L&N", "H3"))


@pytest.mark.rule("18AL 4.2.2(b)")
def test_b_one_station_of_a_company_in_a_hex() -> None:
    """Birmingham has a second circle, but L&N is there."""
    state = on.station(standing("L&N", LINE.replace("441a 3", "442a 0")), "L&N", "G4")
    on.refused(state, on.token("L&N", "G4"), "4.2.2(b)", "Birmingham", "L&N")


@pytest.mark.rule("18AL 4.2.2(c)")
def test_c_a_home_is_kept_free() -> None:
    """Gadsden's circle waits for TAG, which nobody has founded."""
    state = on.station(standing("L&N", LINE + ",F5 9 1,E6 15 1"), "L&N", "G4")
    full = on.tiles(state, "G4 442a 0")
    one = on.after(full, on.token("L&N", "E6"))
    assert [s.company for s in one.stations["E6"]] == ["L&N"], "of two circles one is left for TAG"
    taken = on.station(full, "ABC", "E6")
    on.refused(taken, on.token("L&N", "E6"), "4.2.2(c)", "Gadsden", "TAG")


@pytest.mark.rule("18AL 4.2.2(c)")
def test_c_only_circle_of_a_home_is_kept_free() -> None:
    """Montgomery with one circle is closed to M&O until WRA is there, and taken then."""
    laid = "P3 9 1,O4 8 1,M4 8 4,L5 57 1"
    state = standing("M&O", laid)
    on.refused(state, on.token("M&O", "L5"), "4.2.2(c)", "Montgomery", "WRA")
    there = on.station(state, "WRA", "L5")
    on.refused(there, on.token("M&O", "L5"), "4.2.2", "Montgomery", "taken")
    two = on.tiles(there, "L5 443a 1")
    assert on.allowed(two, on.token("M&O", "L5"))


@pytest.mark.rule("18AL 4.2.2(c)")
def test_c_a_floated_company_keeps_its_home_until_its_first_turn() -> None:
    """WRA has floated but not operated."""
    state = standing("M&O", "P3 9 1,O4 8 1,M4 8 4,L5 57 1")
    state = on.company(state, "WRA", {"Bob": 60}, turns=0)
    on.refused(state, on.token("M&O", "L5"), "4.2.2(c)", "WRA")


@pytest.mark.rule("18AL 4.2.2")
def test_4_2_2_a_station_stays() -> None:
    """No action moves a station: all that a company may do with stations is to place one more."""
    state = on.after(standing("L&N", LINE), on.token("L&N", "G4"))
    later = on.operating(state, "L&N", "token")
    assert on.offered(later, "Ann", type(on.token("L&N", "C4"))) == [on.token("L&N", "C4")]


OBJECTIVES = [
    ("L&N", "G4", LINE),
    ("M&O", "K2", "O2 9 0,M2 9 0,K2 57 0"),
    ("WRA", "J7", "L5 57 1,K6 9 1,J7 57 1"),
    ("ATN", "L1", "H1 9 0,J1 9 0"),
    ("ABC", "G4", "G6 57 1,G4 441a 5"),
    ("TAG", "G4", "E6 15 1,F5 9 1,G4 441a 4"),
]


@pytest.mark.rule("18AL 4.2.2.1")
@pytest.mark.parametrize(("name", "hex_", "laid"), OBJECTIVES)
def test_4_2_2_1_the_bank_pays_100(name: str, hex_: str, laid: str) -> None:
    """Each company's objective, reached: the bank pays the treasury."""
    state = standing(name, laid)
    act = on.token(name, hex_)
    assert on.happened(state, act, BonusPaid) == [BonusPaid(name, hex_, 100)]
    assert on.after(state, act).cash[name] == 500 - 40 + 100


@pytest.mark.rule("18AL 4.2.2.1")
def test_4_2_2_1_elsewhere_nothing() -> None:
    """Decatur is nobody's objective, Meridian is ATN's alone."""
    assert on.happened(standing("L&N", LINE), on.token("L&N", "C4"), BonusPaid) == []
    state = standing("M&O", "O2 9 0,M2 9 0,K2 5 0")
    assert on.happened(state, on.token("M&O", "L1"), BonusPaid) == []


@pytest.mark.rule("18AL 4.2.2.1")
def test_4_2_2_1_the_station_is_paid_first() -> None:
    """With $39 the $100 to come are of no use."""
    on.refused(standing("L&N", LINE, cash=39), on.token("L&N", "G4"), "4.2.2", "$40", "$39")
    assert on.after(standing("L&N", LINE, cash=40), on.token("L&N", "G4")).cash["L&N"] == 100

"""18GL 4.6.1, 4.6.1.1, 8: tiles of a turn, what fits where, what it costs."""

import pytest

from engine.actions import LayTile
from engine.events import TileLaid
from engine.position.values import State
from tests.rules.gl.setting import on


def ic(at_phase: str = "2H", laid: str = "", **more: object) -> State:
    """A turn of Illinois Central, which is in Chicago."""
    return on.turn("track", "IC", at_phase=at_phase, laid=laid, **more)  # type: ignore[arg-type]


def cost(state: State, lay: LayTile) -> int:
    """What a lay costs."""
    return on.happened(state, lay, TileLaid)[0].cost


SOUTH = on.lay("IC", "9", "D16", 0)
WEST = on.lay("IC", "9", "C15", 1)
GARY = on.lay("IC", "6", "E13", 5)
CHICAGO = on.lay("IC", "735", "D14", 0)


@pytest.mark.rule("18GL 4.6.1")
def test_one_yellow_tile_or_one_upgrade() -> None:
    """Not both, and no second one."""
    state = ic("4H")
    on.refused(on.after(state, SOUTH), WEST, "4.6.1.1")
    on.refused(on.after(state, SOUTH), CHICAGO, "4.6.1.1")
    on.refused(on.after(state, CHICAGO), SOUTH, "4.6.1.1")


@pytest.mark.rule("18GL 4.6.1.1")
def test_two_yellow_tiles_or_one_upgrade_in_a_companys_first_turn() -> None:
    """Three are too many, and an upgrade goes with nothing else."""
    state = ic("4H", turns=0)
    two = on.after(state, SOUTH, WEST)
    assert {"D16", "C15"} <= set(two.tiles)
    on.refused(two, GARY, "4.6.1.1")
    on.refused(on.after(state, SOUTH), CHICAGO, "4.6.1.1")
    on.refused(on.after(state, CHICAGO), SOUTH, "4.6.1.1")


@pytest.mark.rule("18GL 4.6.1")
@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.parametrize("turns", [0, 1])
def test_there_is_no_second_upgrade_in_a_turn(turns: int) -> None:
    """Not in the first turn either."""
    state = ic("4H", "D16 9 0", turns=turns)
    second = on.lay("IC", "23", "D16", 3)
    assert on.allowed(state, second)
    on.refused(on.after(state, CHICAGO), second, "4.6.1.1", "laid its tiles")


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL 4.5.1.2")
def test_conrail_lays_one_tile_in_its_first_turn_too() -> None:
    """Unlike all others."""
    state = on.turn(
        "track", "CR", at_phase="10H", at=(0, 4), turns=0, stations=("D14",), laid="D14 735 0"
    )
    then = on.after(state, on.lay("CR", "9", "D16", 0))
    on.refused(then, on.lay("CR", "9", "C15", 1), "4.6.1.1")


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.parametrize(
    ("before", "phase", "laid", "lay"),
    [
        ("2H", "4H", "", CHICAGO),
        ("6H", "10H", "D14 735 0", on.lay("IC", "744", "D14", 0)),
        ("E", "D", "D14 744 0", on.lay("IC", "748", "D14", 0)),
    ],
)
def test_colours_come_with_their_phases(before: str, phase: str, laid: str, lay: LayTile) -> None:
    """Green with 4H, brown with 10H, gray with D."""
    on.refused(ic(before, laid), lay, "4.6.1.1", before)
    assert on.allowed(ic(phase, laid), lay)


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL 8")
def test_plain_yellow_tiles_are_unlimited_and_others_are_not() -> None:
    """Twenty straights more than the sheet has; five straight cities and no sixth."""
    plains = [
        hex_ for hex_, f in on.title.hexes.items() if not f.colour and not f.stops and hex_ != "D16"
    ]
    assert on.allowed(ic(laid=",".join(f"{hex_} 9 0" for hex_ in plains)), SOUTH)
    cities = "B6 57 0,B10 57 0,B12 57 0,F18 57 0,I19 57 0"
    straight = on.lay("IC", "57", "E13", 0)
    on.refused(ic(laid=cities), straight, "8", "57")
    on.refused(ic(), on.lay("IC", "1000", "E13", 0), "8")


@pytest.mark.rule("18GL 4.6.1.1")
def test_special_tiles_lie_in_their_places_and_nowhere_else() -> None:
    """Chicago, Milwaukee, and those of which a place takes one of two."""
    green = ic("4H")
    on.refused(green, on.lay("IC", "14", "D14", 0), "4.6.1.1", "735")
    on.refused(green, on.lay("IC", "734", "D14", 0), "4.6.1.1", "735")
    on.refused(green, on.lay("IC", "730", "E13", 0), "4.6.1.1", "D10")
    on.refused(green, on.lay("IC", "57", "G7", 0), "4.6.1.1", "728", "729")
    on.refused(green, on.lay("IC", "728", "E13", 0), "4.6.1.1", "L10", "G7")
    on.refused(green, on.lay("IC", "58", "F10", 0), "4.6.1.1", "724", "725")


@pytest.mark.rule("18GL 4.6.1.1")
def test_ferry_lines_of_tiles_lie_on_those_of_the_map() -> None:
    """One of six ways fits; so do upgrades that keep the line, whether it runs or not."""
    state = on.turn("track", "LS&I", laid="D2 57 2", at_phase="4H")
    ways = [r for r in range(6) if on.allowed(state, on.lay("LS&I", "725", "E3", r))]
    assert ways == [4]
    on.refused(state, on.lay("LS&I", "725", "E3", 0), "4.6.1.1", "ferry")
    laid = on.tiles(state, "E3 725 4")
    assert on.allowed(laid, on.lay("LS&I", "726", "E3", 4))
    on.refused(laid, on.lay("LS&I", "142", "E3", 4), "4.6.1.1", "726")


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.parametrize(
    ("hex_", "tile"), [("E13", "9"), ("E13", "58"), ("D16", "57"), ("D16", "58"), ("I11", "56")]
)
def test_towns_cities_and_open_ground_take_their_own_kind(hex_: str, tile: str) -> None:
    """One town, two towns, a city, or nothing."""
    on.refused(ic(), on.lay("IC", tile, hex_, 0), "4.6.1.1")


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.parametrize(
    ("name", "tile", "hex_", "rotation", "words"),
    [
        ("IC", "57", "E13", 1, "NE"),  # an impassable side
        ("IC", "6", "E13", 1, "N,"),  # the lake
        ("LS&I", "57", "D2", 1, "E1"),  # a blank side of the mines
        ("LS&I", "57", "D2", 0, "N,"),  # off the map
    ],
)
def test_no_track_to_a_prohibited_hex(
    name: str, tile: str, hex_: str, rotation: int, words: str
) -> None:
    """Impassable sides, lakes, blank sides, the edge."""
    on.refused(on.turn("track", name), on.lay(name, tile, hex_, rotation), "4.6.1.1", words)


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL R23")
@pytest.mark.rule("18GL R24")
def test_terrain_is_paid_once_and_upgrades_are_free_but_for_chicago() -> None:
    """A hill of $20; $50 for green and brown in Chicago, nothing for gray."""
    lsi = on.turn("track", "LS&I", laid="D2 6 5", at_phase="4H")
    hill = on.lay("LS&I", "9", "C3", 1)
    assert cost(lsi, hill) == 20
    on.refused(on.money(lsi, {"LS&I": 19}), hill, "4.6.1.1", "$20", "$19")
    over = on.tiles(lsi, "C3 9 1")
    assert cost(over, on.lay("LS&I", "23", "C3", 4)) == 0
    assert cost(ic("4H"), CHICAGO) == 50
    assert cost(ic("10H", "D14 735 0"), on.lay("IC", "744", "D14", 0)) == 50
    assert cost(ic("D", "D14 744 0"), on.lay("IC", "748", "D14", 0)) == 0
    on.refused(on.money(ic("4H"), {"IC": 49}), CHICAGO, "4.6.1.1", "735", "$50")
    npr = on.turn("track", "NPR", at_phase="4H")
    assert cost(npr, on.lay("NPR", "733", "L14", 0)) == 0


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL R21")
def test_new_track_makes_or_extends_a_route() -> None:
    """One new piece is enough, but it must be one that a train of the company could use."""
    on.refused(ic(), on.lay("IC", "8", "D18", 1), "4.6.1.1", "no track of IC")
    green = ic("4H", "D16 9 0")
    on.refused(green, on.lay("IC", "23", "D16", 0), "4.6.1.1")
    assert on.allowed(green, on.lay("IC", "23", "D16", 3))


@pytest.mark.rule("18GL 4.6.1.1")
def test_a_city_in_reach_may_be_upgraded_for_its_earnings() -> None:
    """Even where no new track is of use; one out of reach may not."""
    laid = "E13 6 5,F14 57 2"
    lay = on.lay("IC", "15", "E13", 5)
    assert on.allowed(ic("4H", laid), lay)
    on.refused(ic("4H", "F14 57 2"), on.lay("IC", "14", "F14", 1), "4.6.1.1")


@pytest.mark.rule("18GL 4.6.1.1")
def test_an_upgrade_keeps_all_connections_and_stations() -> None:
    """Straight track stays; the station of Gary stays in it."""
    on.refused(ic("4H", "D16 9 0"), on.lay("IC", "26", "D16", 1), "4.6.1.1", "track")
    state = ic("4H", "E13 6 5", stations=("E13",))
    then = on.after(state, on.lay("IC", "15", "E13", 5))
    assert [s.company for s in then.stations["E13"]] == ["IC"]
    assert then.tiles["E13"] == ("15", 5)
    assert on.table(then).tiles_left("6") == 5

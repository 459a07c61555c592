"""18TN 4.2(b), 4.2.1, Table III, Table IV: laying tiles, and the free ones of private companies."""

import pytest

from engine.actions import LayTile
from engine.events import TileLaid
from engine.position.frames import Track
from engine.position.values import State
from tests.rules.tn.setting import EAST, on


@pytest.mark.rule("18TN 4.2(b)")
def test_two_yellow_tiles_or_one_upgrade() -> None:
    """Never both, and not two upgrades."""
    state = on.turn("SOU", at_phase="3")
    one = on.after(state, on.lay("SOU", "57", "F17", 1))
    on.refused(one, on.lay("SOU", "14", "F17", 0), "4.2(b)")
    two = on.after(one, on.lay("SOU", "9", "F15", 1))
    on.refused(two, on.lay("SOU", "8", "F19", 1), "4.2(b)")
    first = on.after(on.turn("SOU", at_phase="3", laid=EAST), on.lay("SOU", "14", "F17", 0))
    on.refused(first, on.lay("SOU", "9", "F15", 1), "4.2(b)")
    on.refused(first, on.lay("SOU", "28", "F19", 1), "4.2(b)")


@pytest.mark.rule("18TN 4.2.1(a)")
@pytest.mark.rule("18TN 4.2.1(c)")
def test_colours_come_with_phases_and_in_their_order() -> None:
    """Green on yellow, not on open ground; never on gray and red."""
    state = on.turn("SOU", laid=EAST)
    on.refused(state, on.lay("SOU", "14", "F17", 0), "4.2.1(a)", "phase 2")
    on.refused(on.turn("SOU", at_phase="3"), on.lay("SOU", "14", "F17", 0), "4.2.1(c)")
    on.refused(on.turn("L&N"), on.lay("L&N", "57", "B13", 0), "4.2.1(c)", "never")
    on.refused(on.turn("SOU", laid=EAST), on.lay("SOU", "9", "E22", 0), "4.2.1(c)", "never")


@pytest.mark.rule("18TN 4.2.1(d)")
@pytest.mark.rule("18TN 4.2.1(e)")
def test_cities_and_towns_stay_what_they_are() -> None:
    """No plain track on a city, no town on open ground."""
    on.refused(on.turn("SOU"), on.lay("SOU", "9", "F17", 0), "4.2.1(d)")
    on.refused(on.turn("SOU", laid="F17 57 1"), on.lay("SOU", "58", "F19", 1), "4.2.1(e)")


@pytest.mark.rule("18TN 4.2.1(f)")
def test_mountains_and_rivers_cost_with_the_first_tile_only() -> None:
    """$120 in the east, nothing for an upgrade."""
    state = on.turn("SOU", laid="F17 57 1")
    (laid,) = on.happened(state, on.lay("SOU", "8", "F19", 1), TileLaid)
    assert laid.cost == 120
    poor = on.turn("SOU", laid="F17 57 1", cash=119)
    on.refused(poor, on.lay("SOU", "8", "F19", 1), "4.2.1(f)", "120")
    green = on.turn("SOU", laid=EAST, at_phase="3")
    assert on.happened(green, on.lay("SOU", "14", "F17", 0), TileLaid)[0].cost == 0


@pytest.mark.rule("18TN 4.2.1(g)")
def test_chattanooga_and_nashville_have_green_tiles_of_their_own() -> None:
    """And no other green tile."""
    state = on.turn("NCSL", at_phase="3")
    on.refused(state, on.lay("NCSL", "15", "H15", 1), "4.2.1(g)", "TN1")
    on.refused(state, on.lay("NCSL", "TN2", "H15", 0), "4.2.1(g)")
    assert on.allowed(state, on.lay("NCSL", "TN1", "H15", 0))
    tc = on.turn("TC", at_phase="3", laid="F11 57 1")
    on.refused(tc, on.lay("TC", "14", "F11", 0), "4.2.1(g)", "TN2")
    assert on.allowed(tc, on.lay("TC", "TN2", "F11", 0))


@pytest.mark.rule("18TN 4.2.1(g)")
@pytest.mark.rule("18TN Table IV brown")
def test_two_brown_tiles_and_one_gray_for_three_cities() -> None:
    """Who comes too late gets none, and no other of the colour."""
    laid = "F11 TN2 0,H15 TN1 0,H3 14 0,F17 57 1"
    state = on.turn("TC", at_phase="8", laid=laid)
    assert on.allowed(state, on.lay("TC", "170", "F11", 3))
    on.refused(state, on.lay("TC", "63", "F11", 0), "4.2.1(g)", "170")
    on.refused(
        on.turn("SOU", at_phase="8", laid="F17 14 0"), on.lay("SOU", "170", "F17", 0), "4.2.1(g)"
    )
    both = on.turn("TC", at_phase="8", laid="F11 TN2 0,H15 170 0,H3 170 0")
    on.refused(both, on.lay("TC", "170", "F11", 3), "4.2.1(b)")
    on.refused(both, on.lay("TC", "63", "F11", 0), "4.2.1(g)")
    gray = on.turn("TC", at_phase="8", laid="F11 170 3,H3 TN3 0")
    on.refused(gray, on.lay("TC", "TN3", "F11", 0), "4.2.1(b)")
    last = on.turn("TC", at_phase="8", laid="F11 170 3")
    then = on.after(last, on.lay("TC", "TN3", "F11", 0))
    assert on.table(then).free_circles("F11", 0) == 2


@pytest.mark.rule("18TN 4.2.1(h)")
@pytest.mark.rule("18TN Table IV yellow")
def test_upgrades_keep_track_and_follow_the_chart() -> None:
    """57 leads to 14 and 15, not to 619, though that would keep its track."""
    state = on.turn("SOU", at_phase="3", laid=EAST)
    assert on.allowed(state, on.lay("SOU", "15", "F17", 1))
    on.refused(state, on.lay("SOU", "15", "F17", 2), "4.2.1(h)")
    keeping = [r for r in range(6) if {1, 4} <= on.TN.face("619", r).exits]
    assert keeping
    for rotation in keeping:
        on.refused(state, on.lay("SOU", "619", "F17", rotation), "Table IV", "57")
    sharp = on.turn("SOU", at_phase="3", laid="F17 5 1")
    assert any(on.allowed(sharp, on.lay("SOU", "619", "F17", r)) for r in range(6))


@pytest.mark.rule("18TN Table IV green")
@pytest.mark.rule("18TN Table IV printed")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("16", "43 70"),
        ("17", "47"),
        ("18", "43"),
        ("19", "45 46"),
        ("20", "44 47"),
        ("23", "41 43 45 47"),
        ("24", "42 43 46 47"),
        ("25", "40 45 46"),
        ("28", "39 43 46 70"),
        ("29", "39 43 45 70"),
        ("141", "145 146 147"),
        ("142", "145 146 147"),
        ("143", "146 147"),
        ("144", "147"),
        ("14", "63 170"),
        ("15", "63 170"),
        ("619", "63 170"),
        ("C12", "18 19 20 23 24"),
        ("D11", "141 142"),
    ],
)
def test_the_chart_of_upgrades_follows_from_what_tiles_keep(old: str, new: str) -> None:
    """The tiles that keep all of another one in some rotation are those of Table IV."""
    face = on.TN.printed[old] if old in on.TN.hexes else on.TN.face(old, 0)
    colour = {"yellow": "green", "green": "brown"}[face.colour]
    found = {
        tile
        for tile in on.TN.facts.supply[colour]
        if any(on.TN.keeps(face, tile, rotation) for rotation in range(6))
    }
    assert found == set(new.split())


@pytest.mark.rule("18TN 4.2.1(i)")
def test_no_track_off_the_map_or_into_a_blank_side() -> None:
    """Birmingham has no track to the south-west; red places take track at their arrows."""
    state = on.turn("SOU", laid="F17 57 1,F19 8 1")
    assert on.allowed(state, on.lay("SOU", "8", "E20", 4))
    blank = on.turn("L&N", laid="B15 8 1")
    on.refused(blank, on.lay("L&N", "9", "C14", 2), "4.2.1(i)")


@pytest.mark.rule("18TN 4.2.1(j)")
@pytest.mark.rule("18TN A1 replacing without new track")
def test_a_tile_needs_new_track_or_a_city_that_a_station_reaches() -> None:
    """An ordinary tile does; next to nothing there is none."""
    on.refused(on.turn("SOU"), on.lay("SOU", "9", "H17", 0), "4.2.1(j)")
    on.refused(on.turn("SOU"), on.lay("SOU", "57", "F11", 1), "4.2.1(j)")
    # tile 20 adds a line across that of F15, tile 24 one that branches off it, to be reached from
    # Knoxville in the east if it begins there
    state = on.turn("SOU", laid="F17 57 1,F15 9 1,F13 4 1,F11 57 1", at_phase="3")
    east = on.TN.grid.side_between("F15", "F17")
    for tile in ("20", "24"):
        for rotation in keeping(state, "F15", tile):
            lay = on.lay("SOU", tile, "F15", rotation)
            track = on.TN.face(tile, rotation).track
            if sum(east in piece for piece in track) == 2:
                assert on.allowed(state, lay)
            else:
                on.refused(state, lay, "4.2.1(j)")
    assert on.allowed(state, on.lay("SOU", "24", "F15", 4))
    # Nashville is reached, so its tile is replaced whatever track it gains
    assert all(
        on.allowed(state, on.lay("SOU", "TN2", "F11", r)) for r in keeping(state, "F11", "TN2")
    )


@pytest.mark.rule("18TN 4.2.1(j)")
def test_track_connects_past_a_full_louisville_and_not_through_it() -> None:
    """TC reaches the hex behind it by the track beside the city, Bowling Green on the way."""
    laid = "F11 57 2,E10 58 3"
    state = on.company(on.turn("TC", laid=laid), "L&N", {"Bob": 20})
    assert on.allowed(state, on.lay("TC", "8", "B15", 1))
    through = on.station(on.turn("TC", "token", laid=laid), "L&N", "B13")
    on.refused(through, on.token("TC", "B13"), "4.2.2", "taken")


def keeping(state: State, hex_: str, tile: str) -> list[int]:
    """Rotations in which a tile keeps all that lies on a hex."""
    old = on.table(state).face(hex_)
    found = [r for r in on.TN.rotations[tile] if on.TN.keeps(old, tile, r)]
    assert found
    return found


@pytest.mark.rule("18TN 4.2.1(j)")
def test_a_company_lays_its_first_tile_in_the_city_of_its_station() -> None:
    """A city without track is reached by the station in it, and by no other company."""
    assert on.allowed(on.turn("IC"), on.lay("IC", "5", "D7", 0))
    on.refused(on.turn("SOU"), on.lay("SOU", "5", "D7", 0), "4.2.1(j)")


@pytest.mark.rule("18TN Table III TCC")
@pytest.mark.rule("18TN Table III ET&WNC")
@pytest.mark.rule("18TN Table III M&C")
@pytest.mark.rule("18TN Table III O&W")
@pytest.mark.parametrize(
    ("private", "hex_"), [("TCC", "H17"), ("ET&WNC", "F19"), ("M&C", "H5"), ("O&W", "E16")]
)
def test_a_private_lays_a_free_tile_in_its_hex(private: str, hex_: str) -> None:
    """Unconnected, for nothing, beside the two others, once; the private stays."""
    state = on.privates(on.turn("IC", cash=30), {private: "IC"})
    lay = on.lay("IC", "9", hex_, 0, power=private)
    (laid,) = on.happened(state, lay, TileLaid)
    assert (laid.cost, laid.power) == (0, private)
    then = on.after(state, lay)
    assert then.stack[-1] == Track("IC")
    assert then.privates[private] == "IC"
    on.refused(then, on.lay("IC", "9", hex_, 0, power=private), "Table III", "used up")
    assert len([a for a in on.offered(state, "Ann", LayTile) if a.power == private]) > 5
    assert not [a for a in on.offered(then, "Ann", LayTile) if a.power]


@pytest.mark.rule("18TN Table III TCC")
def test_the_power_is_for_its_owner_its_hex_and_a_yellow_tile() -> None:
    """And ends when another tile lies there."""
    state = on.privates(on.turn("SOU"), {"TCC": "SOU"})
    on.refused(state, on.lay("SOU", "9", "E16", 1, power="TCC"), "Table III", "H17")
    on.refused(state, on.lay("SOU", "57", "H17", 1, power="TCC"), "4.2.1(d)")
    on.refused(state, on.lay("SOU", "23", "H17", 1, power="TCC"), "4.2.1(c)")
    on.refused(state, on.lay("SOU", "9", "H17", 0, power="LNR"), "Table III")
    others = on.privates(on.turn("SOU"), {"TCC": "Ann"})
    on.refused(others, on.lay("SOU", "9", "H17", 0, power="TCC"), "Table III", "Ann")
    gone = on.privates(on.turn("SOU", laid="H17 8 1"), {"TCC": "SOU"})
    on.refused(gone, on.lay("SOU", "9", "H17", 0, power="TCC"), "Table III", "lost")
    assert not [a for a in on.offered(gone, "Ann", LayTile) if a.power]


@pytest.mark.rule("18TN 1.3.1")
@pytest.mark.rule("18TN 4.2(b)")
def test_a_free_tile_comes_beside_the_ordinary_ones() -> None:
    """After two yellow tiles, and after an upgrade, but not after the station or the run."""
    state = on.privates(on.turn("SOU", at_phase="3"), {"TCC": "SOU"})
    two = on.after(state, on.lay("SOU", "57", "F17", 1), on.lay("SOU", "9", "F15", 1))
    assert on.allowed(two, on.lay("SOU", "9", "H17", 0, power="TCC"))
    up = on.privates(on.turn("SOU", at_phase="3", laid=EAST), {"TCC": "SOU"})
    up = on.after(up, on.lay("SOU", "14", "F17", 0))
    assert on.allowed(up, on.lay("SOU", "9", "H17", 0, power="TCC"))
    late = on.privates(on.turn("SOU", "trains"), {"TCC": "SOU"})
    on.refused(late, on.lay("SOU", "9", "H17", 0, power="TCC"), "3, 4")


@pytest.mark.rule("18TN A1 privates block no hex")
def test_a_player_s_private_blocks_no_hex() -> None:
    """An ordinary tile on F19 while Bob has its private."""
    state = on.privates(on.turn("SOU", laid="F17 57 1"), {"ET&WNC": "Bob"})
    assert on.allowed(state, on.lay("SOU", "8", "F19", 1))

"""18TN 4: operating rounds, tiles, stations, running, dividends, private companies for companies."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile
from engine.events import DividendPaid, PrivatePaid, StationPlaced, TileLaid, TrainsRan
from engine.frames import Home, OperatingRound, OperatingTurn, Track
from engine.search import best_run
from engine.values import Round, State
from tests.rules.tn.setting import on

#: Knoxville with track W-E, and on to Bristol
EAST = "F17 57 1,F19 8 1,E20 8 4"


@pytest.mark.rule("18TN 4(a)")
@pytest.mark.rule("18TN 4.1")
def test_private_companies_pay_before_companies_operate() -> None:
    """Players and companies alike; the bank's own not at all."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60}, turns=0)
    state = on.privates(state, {"TCC": "Ann", "ET&WNC": "TC", "O&W": "Bob"})
    assert on.happened(on.end_of_round(state), on.done(), PrivatePaid) == [
        PrivatePaid("TCC", "Ann", 5),
        PrivatePaid("ET&WNC", "TC", 10),
        PrivatePaid("O&W", "Bob", 20),
    ]


@pytest.mark.rule("18TN 4(b)")
def test_the_dearest_operates_first_of_equals_the_one_farthest_right() -> None:
    """And of two in one space the one that came there first."""
    state = on.stock_turn()
    state = on.company(state, "TC", {"Ann": 60}, at=(3, 4), turns=0)  # $75
    state = on.company(state, "SOU", {"Ann": 60}, at=(4, 5), turns=0)  # $75, farther right
    state = on.company(state, "GMO", {"Ann": 60}, at=(3, 4), turns=0)
    state = on.company(state, "IC", {"Ann": 60}, at=(1, 4), turns=0)  # $90
    assert on.table(state).priced() == ["IC", "SOU", "TC", "GMO"]


@pytest.mark.rule("18TN 4.2(a)")
@pytest.mark.rule("18TN A1 time of the home station")
def test_the_home_station_is_put_at_the_first_turn_for_nothing() -> None:
    """In a city without a tile as well."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, turns=0)
    placed = on.happened(on.end_of_round(state), on.done(), StationPlaced)
    assert placed == [StationPlaced("IC", "D7", 0, True)]
    turn = on.turn("SOU")
    at_home = replace(turn, stack=(*turn.stack[:-1], Home("SOU")))
    on.refused(at_home, on.token("SOU", "G12"), "4.2(a)", "Knoxville")


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
        if any(on.TN.keeps(face, old, tile, rotation) for rotation in range(6))
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
    found = [r for r in on.TN.rotations[tile] if on.TN.keeps(old, hex_, tile, r)]
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


@pytest.mark.rule("18TN 4.2.2")
@pytest.mark.rule("18TN 4.2.2(a)")
@pytest.mark.rule("18TN 4.2.2(b)")
@pytest.mark.rule("18TN 4.2.2(c)")
def test_stations_cost_40_then_100_and_need_a_connection_and_room() -> None:
    """None in the last circle of a home."""
    laid = "F17 57 1,F15 9 1,F13 58 4,G12 57 0,F11 TN2 0"
    state = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 TN2 0")
    (placed,) = on.happened(state, on.token("SOU", "F11"), StationPlaced)
    assert placed.cost == 40
    on.refused(on.after(state, on.token("SOU", "F11")), on.token("SOU", "F11"), "3, 4")
    on.refused(state, on.token("SOU", "G12"), "4.2.2(a)")
    on.refused(state, on.token("SOU", "F15"), "4.2.2", "no city")
    on.refused(on.money(state, {"SOU": 39}), on.token("SOU", "F11"), "4.2.2", "$40")
    again = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 TN2 0", stations=("B17",))
    assert on.happened(again, on.token("SOU", "F11"), StationPlaced)[0].cost == 100
    yellow = on.turn("SOU", "token", laid="F17 57 1,F15 9 1,F13 4 1,F11 57 1")
    on.refused(yellow, on.token("SOU", "F11"), "4.2.2(c)", "TC")
    there = on.turn("SOU", "token", laid=laid, stations=("F11",))
    on.refused(there, on.token("SOU", "F11"), "4.2.2(b)")


WEST = "F17 57 1,F15 9 1,F13 4 1,F11 TN2 0"


@pytest.mark.rule("18TN 4.2.3(i)")
@pytest.mark.rule("18TN A1 towns and length")
def test_towns_count_toward_the_length_of_a_route() -> None:
    """Knoxville, Lebanon and Nashville are three stops."""
    state = on.turn("SOU", "run", laid=WEST, trains=("2",))
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13-F11")), "4.2.3(i)", "3 stops", "Towns count")
    assert on.allowed(state, on.run("SOU", ("2", "F17-F15-F13")))
    three = on.turn("SOU", "run", laid=WEST, trains=("3",))
    (ran,) = on.happened(three, on.run("SOU", ("3", "F17-F15-F13-F11")), TrainsRan)
    assert ran.revenue == 70
    assert best_run(on.table(state), "SOU").total == 30


@pytest.mark.rule("18TN 4.2.3")
@pytest.mark.rule("18TN 4.2.3(a)")
@pytest.mark.rule("18TN 4.2.3(b)")
@pytest.mark.rule("18TN 4.2.3(f)")
@pytest.mark.rule("18TN 4.2.3(g)")
@pytest.mark.rule("18TN 4.2.3(j)")
def test_a_route_has_two_stops_an_own_station_and_no_track_twice() -> None:
    """Nor do two trains share track."""
    state = on.turn("SOU", "run", laid=WEST, trains=("3", "3"))
    on.refused(state, on.run("SOU", ("3", "F17")), "4.2.3(a)")
    on.refused(state, on.run("SOU", ("3", "F13-F11")), "4.2.3(f)")
    on.refused(state, on.run("SOU", ("3", "F17-F15-F13-F15")), "4.2.3(d)")
    both = on.run("SOU", ("3", "F17-F15-F13"), ("3", "F17-F15-F13-F11"))
    on.refused(state, both, "4.2.3(j)")
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13")), "4.2.3", "does not own")
    around = on.turn("SOU", "run", laid="F17 5 3,E18 7 5,F19 7 1", trains=("3",))
    on.refused(around, on.run("SOU", ("3", "F17-E18-F19-F17")), "4.2.3(g)", "Knoxville")
    loop = on.turn("SOU", "run", laid="F17 57 2,E16 25 5,D17 7 0,E14 7 3,D15 8 4", trains=("3",))
    back = on.run("SOU", ("3", "F17-E16-D17-D15-E14-E16-F17"))
    on.refused(loop, back, "4.2.3(b)", "twice")


@pytest.mark.rule("18TN 4.2.3(d)")
@pytest.mark.rule("18TN 4.2.3(e)")
@pytest.mark.rule("18TN 4.2.3(h)")
def test_a_blocked_city_ends_a_route_and_so_does_a_red_place() -> None:
    """Louisville is full with the station of L&N; its other track runs past it."""
    laid = "B15 8 1,E10 58 3,F11 57 2"
    state = on.company(on.turn("TC", "run", laid=laid, trains=("4",)), "L&N", {"Bob": 20})
    full = "F11-E10-D11-C12-B13-B15-A16"
    on.refused(state, on.run("TC", ("4", "F11-E10-D11-C12-B13-B15-A16")), "4.2.3(e)", "B13")
    assert on.allowed(state, on.run("TC", ("4", "F11-E10-D11-C12-B13")))
    past = on.run_past("TC", "4", full, "B13")
    assert on.happened(state, past, TrainsRan)[0].revenue == 20 + 10 + 10 + 50
    north = on.turn("SOU", "run", laid="B17 57 2,B15 8 1", trains=("3",), stations=("B17",))
    through = on.run("SOU", ("3", "B17-A16-B15-B13"))
    on.refused(north, through, "4.2.3(h)", "Cincinnati")


@pytest.mark.rule("18TN 4.2.3.1")
@pytest.mark.rule("18TN A1 better run pointed out")
def test_a_shareholder_insists_on_the_best_run() -> None:
    """And nobody else; off-board places change with the first 5 train."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), bob=10)
    assert on.allowed(state, on.run("SOU"))
    strict = replace(state, insist=("Bob",))
    on.refused(strict, on.run("SOU"), "4.2.3.1", "Bob")
    assert best_run(on.table(state), "SOU").total == 80
    assert best_run(on.table(on.phase(state, "5")), "SOU").total == 60


@pytest.mark.rule("18TN 4.2.4")
@pytest.mark.rule("18TN 4.2.4(a)")
@pytest.mark.rule("18TN A1 market and dividends")
@pytest.mark.rule("18TN A1 offering and dividends")
def test_paying_moves_the_price_right_and_gives_the_market_s_part_to_the_treasury() -> None:
    """Nothing for the initial offering; at the end of a row one up."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), bob=10, market=10)
    state = on.after(state, on.run("SOU", ("2", "F17-F19-E20-E22")))
    assert on.happened(state, on.pay("SOU"), DividendPaid)[0].paid == {
        "Ann": 48,
        "Bob": 8,
        "SOU": 8,
    }
    assert on.price(on.after(state, on.pay("SOU")), "SOU") == 100
    edge = on.turn("SOU", "run", laid=EAST, trains=("2",), at=(3, 7))
    edge = on.after(edge, on.run("SOU", ("2", "F17-F19-E20-E22")), on.pay("SOU"))
    assert on.table(edge).cell("SOU") == (2, 7)


@pytest.mark.rule("18TN 4.2.4(b)")
@pytest.mark.rule("18TN 4.2(e)")
def test_withholding_moves_it_left_in_the_first_column_down() -> None:
    """So does a turn without a run."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",), at=(4, 0))
    state = on.after(state, on.run("SOU", ("2", "F17-F19-E20-E22")), on.withhold("SOU"))
    assert (state.cash["SOU"], on.price(state, "SOU")) == (580, 35)
    idle = on.after(on.turn("SOU", at=(6, 0)), on.done())
    assert on.price(idle, "SOU") == 25


def first_round(number: int = 1, part: int = 1) -> State:
    """IC's turn in the first operating round; Ann has two privates, Bob one."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60}, cash=600, turns=0)
    state = on.station(state, "IC", "D7")
    state = on.company(state, "SOU", {"Bob": 60}, cash=500, turns=0)
    state = on.privates(state, {"TCC": "Ann", "O&W": "Ann", "M&C": "Bob"})
    return replace(
        state,
        round=Round("OR", number, part, 2),
        stack=(OperatingRound(True, ("IC",)), OperatingTurn("IC", 2), Track("IC")),
    )


@pytest.mark.rule("18TN 4.2.6")
@pytest.mark.rule("18TN 4.2(h)")
@pytest.mark.rule("18TN A1 privates in phase 2")
def test_in_the_first_operating_round_one_private_at_par() -> None:
    """One for a company, one of a player, and no other price."""
    state = first_round()
    on.refused(state, on.trade("TCC", "Ann", "IC", 21), "4.2.6", "exactly $20")
    on.refused(state, on.trade("TCC", "Ann", "IC", 19), "4.2.6")
    bought = on.after(state, on.trade("TCC", "Ann", "IC", 20))
    assert (bought.privates["TCC"], bought.cash["IC"]) == ("IC", 580)
    on.refused(bought, on.trade("M&C", "Bob", "IC", 70), "4.2.6", "IC has bought")
    sou = on.after(bought, on.done())
    assert isinstance(sou.stack[-1], Track)
    on.refused(sou, on.trade("O&W", "Ann", "SOU", 100, by="Bob"), "4.2.6", "Ann has sold")
    own = on.after(sou, on.trade("M&C", "Bob", "SOU", 70, by="Bob"))
    assert own.privates["M&C"] == "SOU"


@pytest.mark.rule("18TN 4.2.6")
def test_a_private_bought_in_the_first_round_lays_its_tile_at_once() -> None:
    """Which is what the rule is for."""
    state = on.after(first_round(), on.trade("TCC", "Ann", "IC", 20))
    assert on.allowed(state, on.lay("IC", "9", "H17", 0, power="TCC"))


@pytest.mark.rule("18TN 4.2.6")
@pytest.mark.rule("18TN Table I 3")
def test_later_from_phase_3_on_for_half_to_one_and_a_half_times_par() -> None:
    """Not in the second operating round of phase 2; any number."""
    for state in (first_round(2), first_round(1, 2)):
        on.refused(state, on.trade("TCC", "Ann", "IC", 20), "4.2.6", "phase 1")
    three = replace(first_round(), phase="3")
    for cost, legal in ((9, False), (10, True), (30, True), (31, False)):
        assert on.allowed(three, on.trade("TCC", "Ann", "IC", cost)) is legal
    twice = on.after(three, on.trade("TCC", "Ann", "IC", 10))
    assert on.allowed(twice, on.trade("O&W", "Ann", "IC", 150))
    on.refused(twice, on.trade("TCC", "SOU", "IC", 10), "4.2.6", "not to a player")

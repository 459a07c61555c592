"""18AL 4.2.1: laying tiles."""

import pytest

from engine.actions import LayTile
from engine.events import TileLaid
from engine.position.values import State, Station
from tests.rules import setting as on


def nashville(laid: str = "", *, cash: int = 500, phase: str = "1") -> State:
    """L&N at its tile step, with its station in Nashville alone."""
    state = on.company(on.phase(on.stock_turn(), phase), "L&N", {"Ann": 60}, cash=cash)
    return on.operating(on.tiles(state, laid) if laid else state, "L&N")


def at_home(name: str, laid: str = "", *, phase: str = "1", cash: int = 500) -> State:
    """Another company at its tile step, with its home station alone."""
    state = on.company(on.phase(on.stock_turn(), phase), name, {"Ann": 60}, cash=cash)
    return on.operating(on.tiles(state, laid) if laid else state, name)


@pytest.mark.rule("18AL 4.2.1")
def test_4_2_1_a_tile_lies_where_it_was_laid() -> None:
    """The tile is on the map in its rotation, and the event says so."""
    state = nashville()
    act = on.lay("L&N", "57", "C4")
    assert on.happened(state, act, TileLaid) == [TileLaid("L&N", "57", "C4", 0, 20)]
    assert on.after(state, act).tiles == {"C4": ("57", 0)}


@pytest.mark.rule("18AL 4.2.1")
def test_4_2_1_options_are_all_legal_lays() -> None:
    """What a company is offered at the start: Decatur and the plain hex to the southwest, any way round."""
    found = on.offered(nashville(), "Ann", LayTile)
    lays = {(act.hex, act.tile, act.rotation) for act in found if isinstance(act, LayTile)}
    assert {hex_ for hex_, _, _ in lays} == {"C4", "B3"}
    assert {(t, r) for h, t, r in lays if h == "C4" and t == "57"} == {("57", 0)}
    assert {(t, r) for h, t, r in lays if h == "B3"} == {("8", 2), ("9", 1), ("7", 4)}


@pytest.mark.rule("18AL 4.2.1(a)")
@pytest.mark.parametrize(
    ("before", "since", "tile", "rotation", "laid", "hex_"),
    [
        ("2", "3", "14", 0, "C4 57 0", "C4"),
        ("4", "5", "63", 0, "C4 14 0", "C4"),
        ("7", "4D", "446", 0, "C4 57 0,E4 9 0,G4 444b 0", "G4"),
    ],
)
def test_a_colours_come_with_phases(
    before: str, since: str, tile: str, rotation: int, laid: str, hex_: str
) -> None:
    """Green with the first 3, brown with the first 5, gray with the first 4D."""
    act = on.lay("L&N", tile, hex_, rotation)
    on.refused(nashville(laid, phase=before), act, "4.2.1(a)", f"phase {before}")
    assert on.allowed(nashville(laid, phase=since), act)


@pytest.mark.rule("18AL 4.2.1(a)")
def test_a_yellow_at_once() -> None:
    """Yellow tiles are there from the beginning to the end."""
    assert all(on.allowed(nashville(phase=p), on.lay("L&N", "57", "C4")) for p in ("1", "4D"))


@pytest.mark.rule("18AL 4.2.1(b)")
def test_b_a_tile_is_laid_as_often_as_there_are_copies() -> None:
    """Four tiles 57 are all there is; one of them upgraded is there again."""
    laid = "K2 57 0,H3 57 0,J7 57 0,L5 57 0"
    on.refused(nashville(laid), on.lay("L&N", "57", "C4"), "4.2.1(b)", "57")
    assert on.allowed(nashville(laid.replace("L5 57", "L5 443a")), on.lay("L&N", "57", "C4"))


@pytest.mark.rule("18AL 4.2.1(b)")
def test_b_there_is_no_other_tile() -> None:
    """Tile 1 is not in this game."""
    on.refused(nashville(), on.lay("L&N", "1", "C4"), "4.2.1(b)", "tile 1")


@pytest.mark.rule("18AL 4.2.1(b)")
def test_b_tiles_are_everybodys() -> None:
    """A tile that L&N laid, TAG replaces."""
    state = at_home("TAG", "E6 15 1,F5 9 1,G4 441a 4", phase="3")
    assert on.allowed(state, on.lay("TAG", "442a", "G4", 0))


@pytest.mark.rule("18AL 4.2.1(c)")
def test_c_yellow_on_open_ground_only() -> None:
    """Neither on a tile nor on printed yellow."""
    on.refused(nashville("C4 57 0"), on.lay("L&N", "6", "C4"), "4.2.1(c)", "Decatur", "green")
    on.refused(at_home("TAG"), on.lay("TAG", "6", "E6"), "4.2.1(c)", "Gadsden", "green")


@pytest.mark.rule("18AL 4.2.1(c)")
def test_c_green_on_yellow_printed_or_laid() -> None:
    """Never on open ground, and on Gadsden's printed yellow at once."""
    on.refused(nashville(phase="3"), on.lay("L&N", "14", "C4"), "4.2.1(c)", "yellow")
    assert on.allowed(at_home("TAG", phase="3"), on.lay("TAG", "15", "E6", 1))
    on.refused(nashville("C4 14 0", phase="3"), on.lay("L&N", "15", "C4"), "4.2.1(c)", "brown")


@pytest.mark.rule("18AL 4.2.1(c)")
def test_c_brown_on_green() -> None:
    """Not on yellow and not on open ground."""
    on.refused(nashville("C4 57 0", phase="5"), on.lay("L&N", "63", "C4"), "4.2.1(c)", "green")
    on.refused(nashville(phase="5"), on.lay("L&N", "63", "C4"), "4.2.1(c)", "yellow")


@pytest.mark.rule("18AL 4.2.1(c)")
def test_c_gray_birmingham_on_brown() -> None:
    """Not on green."""
    laid = "C4 57 0,E4 9 0,G4 442a 0"
    on.refused(nashville(laid, phase="4D"), on.lay("L&N", "446", "G4"), "4.2.1(c)", "brown")


@pytest.mark.rule("18AL 4.2.1(c)")
@pytest.mark.parametrize("hex_", ["A4", "B1", "B7", "G8", "P7", "Q2", "D7", "F1", "H5", "L1", "M8"])
def test_c_no_tile_on_red_or_gray(hex_: str) -> None:
    """Off-board places and gray hexes take none, of whatever kind."""
    for tile in ("9", "57", "4"):
        on.refused(nashville(), on.lay("L&N", tile, hex_), "4.2.1(c)", hex_)


@pytest.mark.rule("18AL 4.2.1(c)")
def test_c_no_tile_off_the_map() -> None:
    """There is no hex Z9."""
    on.refused(nashville(), on.lay("L&N", "9", "Z9"), "4.2.1(c)", "Z9")


@pytest.mark.rule("18AL 4.2.1(d)")
def test_d_city_tiles_for_cities() -> None:
    """A city tile on a plain hex, a plain tile on a city, a town tile on a city: none of it."""
    on.refused(nashville("C4 57 0"), on.lay("L&N", "57", "E4"), "4.2.1(d)", "E4", "city")
    on.refused(nashville(), on.lay("L&N", "9", "C4"), "4.2.1(d)", "Decatur", "city")
    on.refused(nashville(), on.lay("L&N", "4", "C4"), "4.2.1(d)", "Decatur")


@pytest.mark.rule("18AL 4.2.1(d)")
def test_d_more_circles_are_no_more_cities() -> None:
    """One circle becomes two, two in Birmingham become three; a station finds room there."""
    one = on.after(nashville("C4 57 0", phase="3"), on.lay("L&N", "14", "C4"))
    assert on.table(one).free_circles("C4", 0) == 2
    three = nashville("C4 57 0,E4 9 0,G4 444b 0", phase="4D")
    assert on.table(on.after(three, on.lay("L&N", "446", "G4"))).free_circles("G4", 0) == 3


@pytest.mark.rule("18AL 4.2.1(d)")
@pytest.mark.parametrize("tile", ["5", "6", "57"])
def test_d_any_city_tile_will_do(tile: str) -> None:
    """The three yellow city tiles all fit a city."""
    assert on.allowed(at_home("WRA"), on.lay("WRA", tile, "L5", 3))


@pytest.mark.rule("18AL 4.2.1(e)")
def test_e_town_tiles_for_towns() -> None:
    """A town tile on a plain hex, a plain tile on a town: neither."""
    on.refused(nashville("C4 57 0"), on.lay("L&N", "4", "E4"), "4.2.1(e)", "E4", "town")
    on.refused(nashville("B3 9 1"), on.lay("L&N", "9", "C2", 1), "4.2.1(e)", "Florence", "town")


@pytest.mark.rule("18AL 4.2.1(e)")
@pytest.mark.parametrize(("tile", "rotation"), [("3", 3), ("4", 1), ("58", 4)])
def test_e_bar_and_dot_are_alike(tile: str, rotation: int) -> None:
    """Each of the town tiles fits any town."""
    assert on.allowed(nashville("B3 9 1"), on.lay("L&N", tile, "C2", rotation))


@pytest.mark.rule("18AL 4.2.1(e)")
def test_e_town_stays_a_town() -> None:
    """A green tile without the town is refused, one with it is not."""
    state = nashville("B3 9 1,C2 4 1", phase="3")
    on.refused(state, on.lay("L&N", "23", "C2", 1), "4.2.1(e)", "Florence", "town")
    assert on.allowed(state, on.lay("L&N", "142", "C2", 1))


@pytest.mark.rule("18AL 4.2.1(f)")
@pytest.mark.parametrize(
    ("laid", "act", "dollars"),
    [
        ("", on.lay("L&N", "57", "C4"), 20),
        ("C4 57 0,E4 9 0", on.lay("L&N", "441a", "G4", 3), 60),
        ("C4 6 3", on.lay("L&N", "9", "D5", 2), 60),
        ("C4 57 0", on.lay("L&N", "9", "E4"), 0),
    ],
)
def test_f_first_tile_costs_what_the_hex_says(laid: str, act: LayTile, dollars: int) -> None:
    """River $20, mountain $60, open ground nothing; the bank gets it."""
    state = nashville(laid)
    now = on.after(state, act)
    assert state.cash["L&N"] - now.cash["L&N"] == dollars
    assert now.cash["bank"] - state.cash["bank"] == dollars


@pytest.mark.rule("18AL 4.2.1(f)")
def test_f_upgrades_are_free() -> None:
    """The river is paid for with the first tile only."""
    state = nashville("C4 57 0", phase="3", cash=0)
    assert on.after(state, on.lay("L&N", "14", "C4")).cash["L&N"] == 0


@pytest.mark.rule("18AL 4.2.1(f)")
def test_f_the_treasury_must_have_it() -> None:
    """$59 build nothing on a mountain of $60; $60 do."""
    act = on.lay("L&N", "441a", "G4", 3)
    on.refused(nashville("C4 57 0,E4 9 0", cash=59), act, "4.2.1(f)", "$60", "$59", "Birmingham")
    assert on.allowed(nashville("C4 57 0,E4 9 0", cash=60), act)


@pytest.mark.rule("18AL 4.2.1(f)")
def test_f_costs_of_the_map() -> None:
    """Rivers and swamps $20, mountains $60."""
    by_terrain: dict[str, set[int]] = {}
    for facts in on.AL.hexes.values():
        for terrain in facts.terrain:
            by_terrain.setdefault(terrain, set()).add(facts.cost)
    assert by_terrain == {"river": {20, 60}, "swamp": {20}, "mountain": {60}}
    assert [h for h, f in on.AL.hexes.items() if f.terrain == ("mountain", "river")] == ["D5"]


@pytest.mark.rule("18AL 4.2.1(g)")
def test_g_named_tile_for_its_hex_alone() -> None:
    """Birmingham's tile does not lie in Decatur."""
    on.refused(nashville(), on.lay("L&N", "441a", "C4"), "4.2.1(g)", "441a", "Birmingham")
    state = nashville("C4 57 0", phase="3")
    for tile in ("442a", "443a"):
        on.refused(state, on.lay("L&N", tile, "C4"), "4.2.1(g)", tile)


@pytest.mark.rule("18AL 4.2.1(g)")
def test_g_named_hex_takes_its_tile_alone() -> None:
    """Birmingham takes no other yellow, green or brown tile, Montgomery no other green or brown one."""
    yellow = nashville("C4 57 0,E4 9 0")
    on.refused(yellow, on.lay("L&N", "57", "G4"), "4.2.1(g)", "441a")
    green = nashville("C4 57 0,E4 9 0,G4 441a 3", phase="3")
    on.refused(green, on.lay("L&N", "14", "G4"), "4.2.1(g)", "442a")
    brown = nashville("C4 57 0,E4 9 0,G4 442a 0", phase="5")
    on.refused(brown, on.lay("L&N", "63", "G4"), "4.2.1(g)", "444b")
    on.refused(brown, on.lay("L&N", "444m", "G4"), "4.2.1(g)", "444b")
    on.refused(at_home("WRA", "L5 57 0", phase="3"), on.lay("WRA", "14", "L5"), "4.2.1(g)", "443a")
    on.refused(
        at_home("WRA", "L5 443a 0", phase="5"), on.lay("WRA", "63", "L5"), "4.2.1(g)", "444m"
    )


@pytest.mark.rule("18AL 4.2.1(h)")
def test_h_track_is_kept() -> None:
    """Decatur's line from north to south stays: the tile laid so that it would go is refused."""
    state = nashville("C4 57 0", phase="3")
    on.refused(state, on.lay("L&N", "14", "C4", 1), "4.2.1(h)", "Decatur")
    assert on.allowed(state, on.lay("L&N", "14", "C4", 0))
    assert on.allowed(state, on.lay("L&N", "14", "C4", 2))


@pytest.mark.rule("18AL 4.2.1(h)")
def test_h_plain_track_is_kept() -> None:
    """Sides that were joined stay joined; a tile that cannot keep them is refused however it lies."""
    state = nashville("C4 57 0,E4 9 0", phase="3")
    assert on.allowed(state, on.lay("L&N", "23", "E4", 3))
    on.refused(state, on.lay("L&N", "23", "E4", 1), "4.2.1(h)", "E4", "Turn it")
    on.refused(state, on.lay("L&N", "16", "E4", 0), "4.2.1(h)", "E4", "Another tile")


@pytest.mark.rule("18AL 4.2.1(h)")
def test_h_printed_track_is_kept() -> None:
    """Gadsden's printed lines to the north and northeast stay."""
    state = at_home("TAG", phase="3")
    on.refused(state, on.lay("TAG", "15", "E6", 0), "4.2.1(h)", "Gadsden")
    assert all(on.allowed(state, on.lay("TAG", "15", "E6", r)) for r in (1, 2, 3))


@pytest.mark.rule("18AL 4.2.1(h)")
def test_h_stations_and_markers_move_to_the_new_tile() -> None:
    """L&N's station in Decatur is there after the upgrade."""
    state = on.station(nashville("C4 57 0", phase="3"), "L&N", "C4")
    now = on.after(state, on.lay("L&N", "14", "C4"))
    assert now.stations["C4"] == (Station("L&N", 0),)


@pytest.mark.rule("18AL 4.2.1(h)")
def test_h_old_tile_is_there_again() -> None:
    """The tile 57 that came off the map can be laid elsewhere."""
    state = nashville("C4 57 0", phase="3")
    assert on.table(state).tiles_left("57") == 3
    assert on.table(on.after(state, on.lay("L&N", "14", "C4"))).tiles_left("57") == 4


@pytest.mark.rule("18AL 4.2.1(i)")
@pytest.mark.parametrize(
    ("hex_", "tile", "rotation", "word"),
    [
        ("B3", "7", 3, "to the N"),  # north of B3 is no hex
        ("B3", "8", 4, "to the S"),  # the side to D3 is impassable
        ("D3", "9", 0, "to the N"),  # from the south as well
        ("D1", "9", 0, "Tupelo"),  # a gray hex without track on that side
        ("F7", "7", 5, "Atlanta"),  # a red place without an arrow there
        ("A2", "7", 0, "Corinth"),
    ],
)
def test_i_no_track_into_nothing(hex_: str, tile: str, rotation: int, word: str) -> None:
    """Off the map, across the impassable side, against blank sides of gray and red."""
    on.refused(nashville(), on.lay("L&N", tile, hex_, rotation), "4.2.1(i)", word)


@pytest.mark.rule("18AL 4.2.1(i)")
def test_i_arrows_and_gray_track_may_be_met() -> None:
    """Track to Atlanta's arrow and to Oxmoor's line is allowed."""
    state = at_home("ABC", "G6 57 2")
    assert on.allowed(state, on.lay("ABC", "8", "H7", 2))
    assert on.allowed(at_home("ABC"), on.lay("ABC", "57", "G6", 1))


@pytest.mark.rule("18AL 4.2.1(i)")
def test_i_holds_for_upgrades() -> None:
    """A green tile on B3 that would leave the map is refused, turned the other way it is not."""
    state = nashville("B3 9 1", phase="3")
    on.refused(state, on.lay("L&N", "24", "B3", 1), "4.2.1(i)", "tile 24", "to the N")
    assert on.allowed(state, on.lay("L&N", "23", "B3", 4))


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_new_track_is_connected_to_an_own_station() -> None:
    """Decatur touches Nashville, E4 does not before Decatur has its tile."""
    on.refused(nashville(), on.lay("L&N", "9", "E4"), "4.2.1(j)", "L&N", "E4", "C4")
    assert on.allowed(nashville("C4 57 0"), on.lay("L&N", "9", "E4"))
    on.refused(nashville(), on.lay("L&N", "57", "C4", 1), "4.2.1(j)", "Decatur")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_stations_of_others_connect_nothing() -> None:
    """WRA's station in Montgomery is of no use to L&N."""
    state = on.station(nashville(), "WRA", "L5")
    on.refused(state, on.lay("L&N", "57", "L5"), "4.2.1(j)", "Montgomery")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_city_of_the_own_station_needs_no_track_yet() -> None:
    """A first tile under WRA's home is connected however it lies."""
    state = at_home("WRA")
    assert all(on.allowed(state, on.lay("WRA", "57", "L5", r)) for r in (0, 1, 2))


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_no_limit_of_cities() -> None:
    """From Nashville by Decatur and Birmingham, farther than any first train runs."""
    state = nashville("C4 57 0,E4 9 0,G4 442a 0,I4 9 0,K4 14 2")
    assert on.allowed(state, on.lay("L&N", "9", "M4"))


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_connection_may_not_pass_a_blocked_city() -> None:
    """TAG fills Decatur's circle: nothing beyond is connected for L&N, Decatur itself is."""
    state = on.station(nashville("C4 57 0", phase="3"), "TAG", "C4")
    on.refused(state, on.lay("L&N", "9", "E4"), "4.2.1(j)", "E4")
    assert on.allowed(state, on.lay("L&N", "14", "C4"))
    own = on.station(nashville("C4 14 0", phase="3"), "TAG", "C4")
    assert on.allowed(own, on.lay("L&N", "9", "E4")), "a circle is free"
    full = on.station(own, "ABC", "C4")
    on.refused(full, on.lay("L&N", "9", "E4"), "4.2.1(j)", "E4")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_connection_passes_a_full_city_with_an_own_station() -> None:
    """L&N and TAG fill Decatur: it is not blocked for L&N."""
    state = on.station(on.station(nashville("C4 14 0"), "TAG", "C4"), "L&N", "C4")
    assert on.allowed(state, on.lay("L&N", "9", "E4"))


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_connection_may_not_pass_a_red_area() -> None:
    """ABC reaches Atlanta from the west; the other arrow of Atlanta leads nowhere for it."""
    state = at_home("ABC", "G6 57 2,H7 8 2")
    on.refused(state, on.lay("ABC", "9", "I8"), "4.2.1(j)", "I8")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_connection_may_not_turn_back_at_a_fork() -> None:
    """On E4 two lines join toward the south: from Decatur D5 is not reached; with the fork turned it is."""
    act = on.lay("L&N", "9", "D5", 1)
    on.refused(nashville("C4 57 0,E4 23 0"), act, "4.2.1(j)", "D5")
    assert on.allowed(nashville("C4 57 0,E4 29 3"), act)


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_upgrade_needs_new_track_that_is_connected() -> None:
    """Of the green tiles for E4 the one whose new line begins at Decatur, not those that only pass by."""
    state = nashville("C4 57 0,E4 9 0", phase="3")
    assert on.allowed(state, on.lay("L&N", "23", "E4", 3))
    on.refused(state, on.lay("L&N", "20", "E4", 0), "4.2.1(j)", "E4")
    on.refused(state, on.lay("L&N", "23", "E4", 0), "4.2.1(j)", "E4")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_upgrade_of_a_city_needs_no_new_track() -> None:
    """Brown Birmingham to gray: it is enough that the city is connected."""
    state = nashville("C4 57 0,E4 9 0,G4 444b 0", phase="4D")
    assert on.allowed(state, on.lay("L&N", "446", "G4"))
    apart = nashville("C4 57 0,G4 444b 0", phase="4D")
    on.refused(apart, on.lay("L&N", "446", "G4"), "4.2.1(j)", "Birmingham")


@pytest.mark.rule("18AL 4.2.1(j)")
def test_j_new_track_from_a_connected_town() -> None:
    """Florence is reached, so its third line counts as connected."""
    state = nashville("B3 9 1,C2 4 1", phase="3")
    assert on.allowed(state, on.lay("L&N", "142", "C2", 1))
    apart = nashville("C2 4 1", phase="3")
    on.refused(apart, on.lay("L&N", "142", "C2", 1), "4.2.1(j)", "Florence")


@pytest.mark.rule("18AL 4.2.1")
def test_4_2_1_a_tile_stays_until_it_is_replaced() -> None:
    """Gray Birmingham is the last tile there."""
    state = nashville("C4 57 0,E4 9 0,G4 446 0", phase="4D")
    for tile in ("441a", "442a", "444b", "446", "63"):
        on.refused(state, on.lay("L&N", tile, "G4"), "4.2.1(c)", "Birmingham", "never")

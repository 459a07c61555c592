"""18GA 4.2.1: laying tiles."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile
from engine.events import TileLaid
from engine.position.values import CLOSED, State, Station
from tests.rules.ga.setting import GA, LINE, SHORT, on, turn


def cog(**more: object) -> State:
    """CoG at Macon, whose tile leads northeast and southwest."""
    return turn("CoG", laid=str(more.pop("laid", "F6 57 0")), **more)  # type: ignore[arg-type]


@pytest.mark.rule("18GA 4.2.1")
def test_4_2_1_a_tile_is_laid_on_a_hex_of_the_map() -> None:
    """And nowhere else."""
    on.refused(cog(), on.lay("CoG", "9", "Z9"), "4.2.1(c)", "Z9")
    on.refused(cog(), on.lay("CoG", "999", "F8"), "4.2.1(b)", "999")


@pytest.mark.rule("18GA 4.2.1(a)")
def test_a_colours_come_with_the_phases() -> None:
    """Green from 3, brown from 5."""
    green, brown = on.lay("CoG", "14", "F6"), on.lay("CoG", "458a", "F6", 3)
    for phase in ("1", "2"):
        on.refused(cog(phase=phase), green, "4.2.1(a)", "green")
    for phase in ("3", "4"):
        assert on.allowed(cog(phase=phase), green)
        on.refused(cog(phase=phase, laid="F6 14 0"), brown, "4.2.1(a)", "brown")
    for phase in ("5", "6", "8"):
        assert on.allowed(cog(phase=phase, laid="F6 15 2"), brown)


@pytest.mark.rule("18GA 4.2.1(b)")
def test_b_tiles_are_limited() -> None:
    """Two tiles 6; an upgraded one comes back."""
    act = on.lay("CoG", "6", "F6")
    state = cog(laid="C3 6 0,H4 6 0")
    on.refused(state, act, "4.2.1(b)", "6")
    assert on.allowed(cog(laid="C3 6 0,H4 14 0"), act)


@pytest.mark.rule("18GA 4.2.1(c)")
def test_c_yellow_then_green_then_brown_and_none_on_gray_and_red() -> None:
    """The next colour only; Montgomery and Chattanooga take nothing."""
    on.refused(cog(), on.lay("CoG", "5", "F6"), "4.2.1(c)", "green")
    on.refused(cog(phase="5"), on.lay("CoG", "458a", "F6"), "4.2.1(c)", "green")
    on.refused(cog(), on.lay("CoG", "57", "E1"), "4.2.1(c)", "Montgomery")
    on.refused(cog(), on.lay("CoG", "57", "J4"), "4.2.1(c)", "Tallahassee")
    on.refused(cog(), on.lay("CoG", "57", "A3"), "4.2.1(c)", "Chattanooga")
    on.refused(cog(phase="8", laid="F6 458a 0"), on.lay("CoG", "63", "F6"), "4.2.1(c)", "never")


@pytest.mark.rule("18GA 4.2.1(d)")
def test_d_cities_go_on_cities() -> None:
    """Plain track not on Macon, a city not on open ground."""
    on.refused(cog(laid=LINE), on.lay("CoG", "9", "F6"), "4.2.1(d)", "Macon")
    on.refused(cog(), on.lay("CoG", "57", "G5"), "4.2.1(d)")


@pytest.mark.rule("18GA 4.2.1(e)")
def test_e_towns_go_on_towns() -> None:
    """Milledgeville takes a town, open ground does not."""
    on.refused(cog(), on.lay("CoG", "9", "E7"), "4.2.1(e)", "Milledgeville")
    on.refused(cog(), on.lay("CoG", "58", "G5"), "4.2.1(e)")
    assert on.allowed(cog(), on.lay("CoG", "4", "E7"))


@pytest.mark.rule("18GA 4.2.1(f)")
def test_f_the_first_tile_pays_for_the_terrain() -> None:
    """$20 at Milledgeville once; an upgrade is free."""
    act = on.lay("CoG", "4", "E7")
    assert on.happened(cog(cash=20), act, TileLaid) == [TileLaid("CoG", "4", "E7", 0, 20)]
    on.refused(cog(cash=19), act, "4.2.1(f)", "$20", "$19")
    upgrade = on.lay("CoG", "141", "E7")
    assert on.allowed(cog(cash=0, phase="3", laid="F6 57 0,E7 4 0"), upgrade)


@pytest.mark.rule("18GA 4.2.1(f)")
def test_f_costs_as_on_the_first_map() -> None:
    """Mountains of the north 60, rivers 20 and 40, swamp and marsh 40."""
    costs: dict[int, set[str]] = {}
    for hex_, facts in GA.hexes.items():
        costs.setdefault(facts.cost, set()).add(hex_)
    assert costs[60] == {"B2", "B6", "B8", "C1"}
    assert costs[40] == {"E3", "F2", "F12", "G3", "H2", "I3", "J10"}
    assert costs[20] == {"C5", "E7", "F8", "G9", "H10", "H12"}
    assert set(costs) == {0, 20, 40, 60}


@pytest.mark.rule("18GA 4.2.1(g)")
def test_g_labelled_tiles_and_their_hexes() -> None:
    """Each for its own place, and no other of its colour there."""
    wa = turn("W&A")
    on.refused(wa, on.lay("W&A", "57", "D4"), "4.2.1(g)", "451a")
    on.refused(turn("CoG"), on.lay("CoG", "451a", "F6"), "4.2.1(g)", "Atlanta")
    ga = turn("GA", laid="D10 57 2", phase="3")
    on.refused(ga, on.lay("GA", "14", "D10"), "4.2.1(g)", "453a")
    assert on.allowed(ga, on.lay("GA", "453a", "D10"))
    on.refused(cog(phase="3"), on.lay("CoG", "453a", "F6"), "4.2.1(g)", "Augusta")
    on.refused(cog(phase="5", laid="F6 14 0"), on.lay("CoG", "63", "F6"), "4.2.1(g)", "458a")
    brunswick = turn("ACL", laid="I11 15 2", phase="5")
    on.refused(brunswick, on.lay("ACL", "63", "I11"), "4.2.1(g)", "457a")
    savannah = turn("SAL", laid="G13 5 0", phase="3")
    on.refused(savannah, on.lay("SAL", "15", "G13"), "4.2.1(g)", "454a")


@pytest.mark.rule("18GA 4.2.1(h)")
def test_h_track_is_kept() -> None:
    """14 turned away from the old exits is refused."""
    on.refused(cog(phase="3"), on.lay("CoG", "14", "F6", 1), "4.2.1(h)", "Macon")
    assert on.allowed(cog(phase="3"), on.lay("CoG", "14", "F6", 0))


@pytest.mark.rule("18GA 4.2.1(h)")
@pytest.mark.parametrize("rotation", [0, 1])
@pytest.mark.parametrize("stop", [0, 1, 2])
def test_h_stations_keep_their_city_of_atlanta(rotation: int, stop: int) -> None:
    """The side that a station had, it has on the green tile and on the brown one."""
    state = turn("W&A", laid=f"D4 451a {rotation}", phase="5")
    state = replace(state, stations={"D4": (Station("W&A", stop),)})
    side = (2 * stop + rotation) % 6
    for tile in ("452a", "455a"):
        state = on.after(on.operating(state, "W&A"), on.lay("W&A", tile, "D4"))
        (station,) = state.stations["D4"]
        exits = {one for one, end in on.table(state).face("D4").track if end == 6 + station.stop}
        assert side in exits


@pytest.mark.rule("18GA 4.2.1(i)")
def test_i_no_track_off_the_map() -> None:
    """East of Augusta there is nothing."""
    on.refused(turn("GA"), on.lay("GA", "57", "D10", 1), "4.2.1(i)", "E")
    assert on.allowed(turn("GA"), on.lay("GA", "57", "D10", 2))


@pytest.mark.rule("18GA 4.2.1(j)")
def test_j_new_track_or_a_city_connects_with_a_station() -> None:
    """Far from Macon nothing is laid; a replaced city may add nothing that connects."""
    on.refused(cog(), on.lay("CoG", "9", "H8"), "4.2.1(j)", "CoG")
    assert on.allowed(cog(), on.lay("CoG", "9", "G5", 0))
    on.refused(turn("ACL", laid=SHORT), on.lay("ACL", "9", "H8"), "4.2.1(j)")


@pytest.mark.rule("18GA 4.2.1(j)")
def test_j_the_connection_runs_neither_through_red_nor_through_blocked_cities() -> None:
    """CoG's station fills Brunswick; Jacksonville is no way to the other side."""
    act = on.lay("SAL", "9", "J10", 1)
    state = turn("SAL", laid=SHORT, stations=("I11",))
    on.refused(state, act, "4.2.1(j)")
    full = on.station(turn("ACL", laid=SHORT), "CoG", "I11")
    on.refused(full, on.lay("ACL", "9", "H10", 2), "4.2.1(j)")


#: a private of (k), its hex, and a tile that CoG could lay there from Macon
BARRED = [("M&B", "F4", "F6 57 1", 1), ("OSR", "G7", "F6 57 2", 2)]


@pytest.mark.rule("18GA 4.2.1(k)")
@pytest.mark.parametrize(("private", "hex_", "laid", "rotation"), BARRED)
def test_k_a_players_private_bars_its_hex(
    private: str, hex_: str, laid: str, rotation: int
) -> None:
    """To every company, its own president's too; until any company owns it or it closes."""
    act = on.lay("CoG", "9", hex_, rotation)
    for owner in ("Ann", "Bob"):
        on.refused(cog(laid=laid, owns={private: owner}), act, "4.2.1(k)", private, owner)
    for owner in ("CoG", "GA", CLOSED):
        assert on.allowed(cog(laid=laid, owns={private: owner}), act)


@pytest.mark.rule("18GA 4.2.1(k)")
def test_k_upgrades_are_barred_too() -> None:
    """A player's private can lie under a tile only if a company laid it by power before."""
    state = cog(laid="F6 57 1,F4 9 1", phase="3", owns={"M&B": "Bob"})
    on.refused(state, on.lay("CoG", "23", "F4", 1), "4.2.1(k)", "M&B")


@pytest.mark.rule("18GA 4.2.1(k)")
def test_k_the_midlands_hex() -> None:
    """SAL comes from Savannah; F12 opens when a company has bought the Midland."""
    assert GA.barred == {"F12": ("MRC",), "G7": ("OSR",), "F4": ("M&B",)}
    act = on.lay("SAL", "9", "F12", 2)
    state = turn("SAL", laid="G13 57 2", owns={"MRC": "Bob"})
    on.refused(state, act, "4.2.1(k)", "MRC", "Bob")
    assert on.allowed(on.privates(state, {"MRC": "CoG"}), act)


@pytest.mark.rule("18GA 4.2.1(k)")
def test_k_waycross_and_the_lexington_bar_nothing() -> None:
    """Tiles are laid at I9 though Bob owns the W&S and the LT."""
    state = turn("ACL", laid="I11 57 2,H10 7 5", owns={"W&S": "Bob", "LT": "Bob"})
    assert on.allowed(state, on.lay("ACL", "57", "I9"))


@pytest.mark.rule("18GA 4.2.1(k)")
def test_k_barred_hexes_are_not_among_the_options() -> None:
    """What is offered can be laid."""
    state = cog(laid="F6 57 1", owns={"M&B": "Bob"})
    hexes = {action.hex for action in on.offered(state, "Ann", LayTile)}
    assert hexes == {"F8"}

"""18GL 4.3(11): the Ferry private opens one of four ferries instead of a turn's tiles."""

import pytest

from engine.actions import ActivateFerry, LayTile
from engine.events import FerryActivated
from engine.position.frames import Track
from engine.position.values import Mark
from engine.track.network import reach
from tests.rules.gl.lent import ESCANABA, LONDON, MILWAUKEE, ONTARIO, decline, ferry, mark
from tests.rules.gl.setting import on

MR = on.turn("track", "MR", laid="D10 730 0", owns={"Ferry": "Ann", "Port": "Ann"})
OPEN = ferry("MR", MILWAUKEE, "F10 724 0")
#: a station of LS&I in Sault Ste. Marie, beside Northern Ontario
LSI = on.turn("track", "LS&I", laid="H2 57 1", stations=("H2",), owns={"Ferry": "Ann"})
BOTH = "I5 727 0,L8 724 0"


@pytest.mark.rule("18GL 4.3(11)")
def test_a_company_connected_to_one_end_opens_the_ferry() -> None:
    """Ferry tiles, a tile for the other end with its cost, the token, free use; Ferry stays."""
    (event,) = on.happened(MR, OPEN, FerryActivated)
    assert event.cost == 20
    assert set(event.tiles) == {("F10", "724", 0), ("E9", "722", 1)}
    then = on.after(MR, OPEN)
    assert then.cash["MR"] == MR.cash["MR"] - 20
    assert then.tiles["E9"] == ("722", 1)
    assert then.ferries == {MILWAUKEE: "MR"}
    assert then.marks == (Mark("ferry", "MR", "Ferry"),)
    assert then.privates["Ferry"] == "Ann"
    assert ("F10", 0) in reach(on.table(then), "MR").stops


@pytest.mark.rule("18GL 4.3(11)")
@pytest.mark.rule("18GL R15")
def test_it_takes_the_place_of_the_whole_track_step() -> None:
    """No normal tile before it, none after it, not even in a company's first turn."""
    laid = on.after(MR, on.lay("MR", "9", "D8", 0))
    on.refused(laid, OPEN, "4.3(11)", "laid")
    assert not isinstance(on.after(MR, OPEN).stack[-1], Track)
    first = on.turn("track", "MR", laid="D10 730 0", owns={"Ferry": "Ann"}, turns=0)
    assert not isinstance(on.after(first, OPEN).stack[-1], Track)
    assert on.allowed(on.after(MR, OPEN), mark("MR", "Port", "F10"))


def by_railworks(tile: str, hex_: str, rotation: int) -> LayTile:
    """A tile by RailWorks."""
    return on.lay("MR", tile, hex_, rotation, power="RailWorks")


@pytest.mark.rule("18GL 4.3(11)")
@pytest.mark.rule("18GL 4.3(7)")
@pytest.mark.rule("18GL R15")
def test_tiles_of_other_privates_are_laid_before_it_or_after_it() -> None:
    """They come beside the normal tile, which alone it replaces, and go on over the lake."""
    state = on.privates(MR, {"RailWorks": "Ann"})
    then = on.after(state, OPEN, by_railworks("57", "G11", 2), by_railworks("9", "D8", 0))
    assert {"F10", "G11", "D8"} <= set(then.tiles)
    on.refused(then, on.lay("MR", "9", "D6", 0), "4.6.1.1", "laid its tiles")
    then = on.after(state, by_railworks("9", "D8", 0), OPEN, by_railworks("57", "G11", 2))
    assert then.ferries == {MILWAUKEE: "MR"}
    assert {"G11", "D8"} <= set(then.tiles)
    green = on.phase(state, "4H")
    then = on.after(green, OPEN)
    on.refused(then, by_railworks("726", "F10", 0), "4.3(7)", "F10")
    on.refused(then, on.lay("MR", "731", "D10", 0), "4.6.1.1", "laid its tiles")
    assert on.allowed(then, by_railworks("731", "D10", 0))


@pytest.mark.rule("18GL 4.3(11)")
def test_one_ferry_in_a_game() -> None:
    """The power is used up."""
    then = on.operating(on.after(MR, OPEN), "MR")
    on.refused(then, ferry("MR", LONDON), "4.3(11)", "used up")


@pytest.mark.rule("18GL 4.3(11)")
@pytest.mark.rule("18GL R15")
def test_a_route_to_a_stop_whose_tile_shows_the_line_is_needed() -> None:
    """Milwaukee without a tile shows nothing that runs; other ferries are out of reach."""
    bare = on.turn("track", "MR", owns={"Ferry": "Ann"})
    on.refused(bare, ferry("MR", MILWAUKEE, "D10 730 0,F10 724 0"), "4.3(11)", "no track of MR")
    on.refused(MR, ferry("MR", LONDON, "L10 728 1"), "4.3(11)", "no track of MR")
    on.refused(MR, ferry("MR", ESCANABA, "G7 728 3,E3 724 4"), "4.3(11)")
    on.refused(MR, ferry("MR", "Dover–Calais"), "4.3(11)", "no ferry")


@pytest.mark.rule("18GL 4.3(11)")
def test_cleveland_shows_its_line_from_the_start() -> None:
    """Nickel Plate opens the ferry to London with a tile for London, and C&E is not asked."""
    state = on.turn("track", "NPR", owns={"Ferry": "Ann", "C&E": "Bob"})
    then = on.after(state, ferry("NPR", LONDON, "L10 729 1"))
    assert then.tiles["L12"] == ("721", 0)
    assert ("L10", 0) in reach(on.table(then), "NPR").stops


@pytest.mark.rule("18GL 4.3(11)")
@pytest.mark.rule("18GL R15")
def test_northern_ontario_shows_it_too_and_two_towns_may_lack_tiles() -> None:
    """Both get one at once, and both segments run."""
    then = on.after(LSI, ferry("LS&I", ONTARIO, BOTH))
    assert {"I5", "L8", "I3", "J4", "J6", "K7"} <= set(then.tiles)
    assert then.ferries == {ONTARIO: "LS&I"}


@pytest.mark.rule("18GL 4.3(11)")
def test_the_tiles_of_the_ends() -> None:
    """One each where there is none, of those on hand, laid so that the lines meet, and paid."""
    on.refused(LSI, ferry("LS&I", ONTARIO, "I5 727 0"), "4.3(11)", "L8")
    on.refused(LSI, ferry("LS&I", ONTARIO, f"{BOTH},E3 725 4"), "4.3(11)")
    on.refused(LSI, ferry("LS&I", ONTARIO, "I5 727 0,L8 724 1"), "4.6.1.1")
    on.refused(LSI, ferry("LS&I", ONTARIO, "I5 57 0,L8 724 0"), "4.6.1.1", "727")
    on.refused(on.money(MR, {"MR": 19}), OPEN, "4.6.1.1", "$20")
    laid = on.tiles(MR, "F10 725 0")
    on.refused(laid, OPEN, "4.3(11)", "lacks")
    assert on.after(laid, ferry("MR", MILWAUKEE)).cash["MR"] == MR.cash["MR"]


@pytest.mark.rule("18GL 4.3(11)")
def test_without_a_tile_for_an_end_the_ferry_cannot_be_opened() -> None:
    """724 and 725 exist once each, for three towns."""
    state = on.tiles(MR, "E3 724 4,L8 725 0")
    on.refused(state, OPEN, "8", "724")
    ours = [
        a
        for a in on.offered(state, "Ann", ActivateFerry)
        if isinstance(a, ActivateFerry) and a.ferry == MILWAUKEE
    ]
    assert not ours
    assert len(on.offered(MR, "Ann", ActivateFerry)) == 2


@pytest.mark.rule("18GL 4.3(11)")
def test_bridge_halves_what_the_end_costs() -> None:
    """Muskegon lies on a river."""
    marked = on.marks(MR, Mark("bridge", "MR", "Bridge"))
    assert on.happened(marked, OPEN, FerryActivated)[0].cost == 10


@pytest.mark.rule("18GL 4.3(11)")
def test_the_ferry_of_another_player_needs_his_leave() -> None:
    """Bob is asked; without it Ann has her tiles."""
    state = on.privates(MR, {"Ferry": "Bob"})
    waiting = on.after(state, OPEN)
    assert on.waits_for(waiting) == ("Bob",)
    assert on.after(waiting, on.accept("Bob")).ferries == {MILWAUKEE: "MR"}
    assert on.after(waiting, decline("Bob")).stack[-1] == Track("MR")


@pytest.mark.rule("18GL 4.3(11)")
@pytest.mark.rule("18GL 4.3")
@pytest.mark.rule("18GL R17")
def test_the_ferry_stays_when_other_markers_leave() -> None:
    """Phase E takes special tokens, not the ferry's."""
    then = on.after(MR, OPEN)
    state = on.operating(on.money(on.own(then, "MR", "10H"), {"MR": 2000}), "MR", "trains")
    state = on.phase(state, "10H", left=5)
    last = on.after(state, on.buy_train("MR", "E", 800))
    assert last.phase == "E"
    assert last.ferries == {MILWAUKEE: "MR"}
    assert [m.kind for m in last.marks] == ["ferry"]

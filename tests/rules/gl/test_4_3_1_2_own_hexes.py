"""18GL 4.3(1), (2): C&E and EJ&E bar their hexes, and EJ&E lays there beside the turn's tiles."""

import pytest

from engine.actions import LayTile
from engine.events import PrivateClosed
from engine.position.values import CLOSED
from tests.rules.gl.setting import on

#: Nickel Plate in Cleveland, and Chicago with track toward C13 and C11
NPR = on.turn("track", "NPR", at_phase="4H", owns={"C&E": "Bob"})
MR = on.turn("track", "MR", laid="D10 730 0", owns={"EJ&E": "Ann"})
IC = on.turn("track", "IC", owns={"EJ&E": "Ann"})


@pytest.mark.rule("18GL 4.3(1)")
@pytest.mark.rule("18GL R10")
def test_an_upgrade_of_cleveland_needs_the_leave_of_the_owner_of_c_and_e() -> None:
    """The block covers every tile; with leave the lay is one of the turn's, and C&E stays."""
    lay = on.lay("NPR", "733", "L14")
    waiting = on.after(NPR, lay)
    assert on.waits_for(waiting) == ("Bob",)
    then = on.after(waiting, on.accept("Bob"))
    assert then.tiles["L14"] == ("733", 0)
    assert then.privates["C&E"] == "Bob"
    on.refused(then, on.lay("NPR", "57", "L16", 0), "4.6.1.1")


@pytest.mark.rule("18GL 4.3(1)")
def test_the_owners_own_company_and_a_closed_private_need_no_leave() -> None:
    """Ann presides."""
    lay = on.lay("NPR", "733", "L14")
    for owner in ("Ann", CLOSED):
        assert on.after(on.privates(NPR, {"C&E": owner}), lay).tiles["L14"] == ("733", 0)


@pytest.mark.rule("18GL 4.3(2)")
@pytest.mark.rule("18GL R10")
def test_a_normal_lay_with_leave_does_not_close_ej_and_e() -> None:
    """Only the extra lay closes it."""
    state = on.privates(on.tiles(IC, "C15 7 3"), {"EJ&E": "Bob"})
    waiting = on.after(state, on.lay("IC", "9", "C13", 0))
    assert on.waits_for(waiting) == ("Bob",)
    then = on.after(waiting, on.accept("Bob"))
    assert then.privates["EJ&E"] == "Bob"
    on.refused(then, on.lay("IC", "9", "D16", 0), "4.6.1.1")


@pytest.mark.rule("18GL 4.3(2)")
@pytest.mark.rule("18GL R11")
def test_two_yellow_tiles_beside_the_normal_lay_that_join_each_other() -> None:
    """Unconnected to any route; after the first EJ&E is closed, the second still follows."""
    first = on.lay("IC", "9", "C11", 0, power="EJ&E")
    assert on.happened(IC, first, PrivateClosed) == [PrivateClosed("EJ&E")]
    then = on.after(IC, first)
    for rotation in (1, 2):
        on.refused(then, on.lay("IC", "9", "C13", rotation, power="EJ&E"), "4.3(2)", "join")
    then = on.after(then, on.lay("IC", "9", "C13", 0, power="EJ&E"))
    assert then.privates["EJ&E"] == CLOSED
    assert on.allowed(then, on.lay("IC", "9", "D16", 0))


@pytest.mark.rule("18GL 4.3(2)")
def test_one_tile_is_enough_and_the_hexes_are_free_then() -> None:
    """In the next turn nothing of EJ&E is left."""
    then = on.after(IC, on.lay("IC", "7", "C13", 4, power="EJ&E"))
    later = on.operating(then, "IC")
    on.refused(later, on.lay("IC", "9", "C11", 0, power="EJ&E"), "4.3", "closed")
    free = on.privates(later, {"C&E": "Bob"})
    assert on.after(free, on.lay("IC", "8", "C11", 3)).tiles["C11"] == ("8", 3)


@pytest.mark.rule("18GL 4.3(2)")
@pytest.mark.rule("18GL R11")
def test_what_ej_and_e_does_not_lay() -> None:
    """Other hexes, other colours, tiles with stops, tracks into the lake."""
    on.refused(IC, on.lay("IC", "9", "D16", 0, power="EJ&E"), "4.3(2)", "C11")
    green = on.phase(on.tiles(IC, "C13 9 0"), "4H")
    on.refused(green, on.lay("IC", "23", "C13", 0, power="EJ&E"), "4.3(2)", "yellow")
    on.refused(IC, on.lay("IC", "57", "C13", 0, power="EJ&E"), "4.6.1.1")
    third = on.after(IC, on.lay("IC", "9", "C11", 0, power="EJ&E"))
    third = on.after(third, on.lay("IC", "9", "C13", 0, power="EJ&E"))
    assert not [a for a in on.offered(third, "Ann", LayTile) if a.power]


@pytest.mark.rule("18GL 4.3(2)")
def test_ej_and_e_needs_its_owners_leave_once() -> None:
    """Cas owns it: he is asked for the first tile and not for the second."""
    state = on.privates(MR, {"EJ&E": "Cas"})
    waiting = on.after(state, on.lay("MR", "9", "C11", 0, power="EJ&E"))
    assert on.waits_for(waiting) == ("Cas",)
    then = on.after(waiting, on.accept("Cas"), on.lay("MR", "9", "C13", 0, power="EJ&E"))
    assert then.tiles["C13"] == ("9", 0)

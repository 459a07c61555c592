"""18GL 4.3(7): RailWorks lays two yellow tiles or upgrades one, beside the turn's own lay."""

import pytest

from engine.actions import LayTile
from engine.events import PrivateClosed, TileLaid
from engine.position.values import CLOSED
from tests.rules.gl.setting import on

IC = on.turn("track", "IC", owns={"RailWorks": "Ann"})
GREEN = on.turn("track", "IC", at_phase="4H", laid="D16 9 0,C15 9 1", owns={"RailWorks": "Ann"})


def extra(tile: str, hex_: str, rotation: int = 0) -> LayTile:
    """A tile by RailWorks."""
    return on.lay("IC", tile, hex_, rotation, power="RailWorks")


@pytest.mark.rule("18GL 4.3(7)")
def test_two_yellow_tiles_beside_the_normal_lay() -> None:
    """In any order, none of them joined to another; the private closes with the first."""
    assert on.happened(IC, extra("9", "D16"), PrivateClosed) == [PrivateClosed("RailWorks")]
    then = on.after(IC, extra("9", "D16"), on.lay("IC", "9", "C15", 1), extra("6", "E13", 5))
    assert set(then.tiles) == {"D16", "C15", "E13"}
    on.refused(then, extra("8", "D18", 1), "4.3(7)", "2 yellow")
    on.refused(then, on.lay("IC", "8", "D18", 1), "4.6.1.1")


@pytest.mark.rule("18GL 4.3(7)")
def test_one_upgrade_from_yellow_to_green_beside_the_normal_lay() -> None:
    """And no yellow tile after it."""
    then = on.after(GREEN, extra("23", "D16", 3))
    assert then.tiles["D16"] == ("23", 3)
    assert then.privates["RailWorks"] == CLOSED
    on.refused(then, extra("8", "D18", 1), "4.3(7)")
    on.refused(then, extra("23", "C15", 4), "4.3(7)")
    assert on.allowed(then, on.lay("IC", "23", "C15", 4))


@pytest.mark.rule("18GL 4.3(7)")
def test_no_upgrade_after_a_yellow_tile_and_none_of_a_tile_of_this_turn() -> None:
    """Whoever laid it."""
    then = on.after(GREEN, extra("8", "D18", 1))
    on.refused(then, extra("23", "D16", 3), "4.3(7)", "not both")
    fresh = on.after(GREEN, on.lay("IC", "8", "D18", 1))
    on.refused(fresh, extra("23", "D18"), "4.3(7)", "D18")


@pytest.mark.rule("18GL 4.3(7)")
def test_no_upgrade_to_brown() -> None:
    """Yellow to green only."""
    brown = on.turn("track", "IC", at_phase="6H", laid="D16 23 3", owns={"RailWorks": "Ann"})
    on.refused(brown, extra("41", "D16"), "4.3(7)", "green")


@pytest.mark.rule("18GL 4.3(7)")
def test_its_tiles_extend_a_route_and_are_paid_as_usual() -> None:
    """C3 costs $20, Chicago $50."""
    on.refused(IC, extra("8", "D18", 1), "4.6.1.1", "no track of IC")
    lsi = on.turn("track", "LS&I", laid="D2 6 5", owns={"RailWorks": "Ann"}, cash=30)
    lay = on.lay("LS&I", "9", "C3", 1, power="RailWorks")
    assert on.happened(lsi, lay, TileLaid)[0].cost == 20
    assert on.after(lsi, lay).cash["LS&I"] == 10
    on.refused(on.money(lsi, {"LS&I": 19}), lay, "4.6.1.1", "$20")
    assert on.happened(GREEN, extra("735", "D14"), TileLaid)[0].cost == 50


@pytest.mark.rule("18GL 4.3(7)")
def test_a_second_tile_waits_for_no_second_leave_and_not_for_the_next_turn() -> None:
    """Bob gives leave once; what is not laid in the step is lost."""
    state = on.privates(IC, {"RailWorks": "Bob"})
    then = on.after(state, extra("9", "D16"), on.accept("Bob"), extra("9", "C15", 1))
    assert {"D16", "C15"} <= set(then.tiles)
    one = on.after(state, extra("9", "D16"), on.accept("Bob"))
    on.refused(on.operating(one, "IC"), extra("9", "C15", 1), "4.3", "closed")

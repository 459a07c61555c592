"""18MW Lay or Upgrade Track: rivers along hexsides, and what a tile with a bridge costs."""

import pytest

from engine.actions import LaidTile
from engine.events import BridgePaid, TileLaid
from engine.position.values import State
from engine.steps.judging.cost import bridges
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Lay or Upgrade Track")


def missouri_pacific(laid: str = "", at_phase: str = "1", cash: int = 500) -> State:
    """A turn of MoPac in St. Louis: the Missouri to the north-west, the Mississippi east of it."""
    return on.turn("track", "MP", laid=laid, at_phase=at_phase, cash=cash)


def cost(state: State, tile: str, hex_: str, rotation: int) -> int:
    """What a lay of MoPac takes from its treasury, and tells."""
    lay = on.lay("MP", tile, hex_, rotation)
    told = on.happened(state, lay, TileLaid)[0].cost
    assert state.cash["MP"] - on.after(state, lay).cash["MP"] == told
    return told


@pytest.mark.rule("18MW R29")
@pytest.mark.rule("18MW R30")
@pytest.mark.parametrize(
    ("tile", "rotation", "dollars"),
    [
        ("5", 0, 0),  # SW and W, away from both rivers
        ("6", 0, 20),  # SW and NW, over the Missouri
        ("57", 1, 40),  # W and E, over the Mississippi
        ("57", 2, 60),  # NW and SE, over both
        ("6", 3, 80),  # NE and SE, twice over the Mississippi
    ],
)
def test_track_to_a_river_hexside_is_paid_side_by_side(
    tile: str, rotation: int, dollars: int
) -> None:
    """$40 for the Mississippi, $20 for any other river; a hex beside a river costs nothing."""
    assert cost(missouri_pacific(), tile, "J14", rotation) == dollars


def test_both_tiles_that_meet_at_a_river_are_paid() -> None:
    """The other side of the bridge costs as much again, also the same company."""
    state = missouri_pacific("J14 57 1")
    assert cost(state, "9", "J16", 1) == 40
    both = on.after(missouri_pacific(), on.lay("MP", "57", "J14", 1), on.lay("MP", "9", "J16", 1))
    assert both.cash["MP"] == 500 - 80


def test_a_bridge_is_paid_beside_the_cost_of_the_hex() -> None:
    """The hills of K15 cost $20, the Mississippi on its side $40."""
    assert cost(missouri_pacific("J14 57 2"), "9", "K15", 2) == 60


def test_an_upgrade_pays_for_new_bridges_only() -> None:
    """Terrain costs nothing any more, and a side that had track is not paid again."""
    state = missouri_pacific("J14 57 1", "3")
    assert cost(state, "14", "J14", 0) == 40  # new to NE; E had its bridge
    assert cost(state, "14", "J14", 1) == 60  # new to NW and SE
    assert cost(state, "15", "J14", 1) == 60  # new to NW and NE
    green = missouri_pacific("J14 14 0", "5")
    assert cost(green, "StL", "J14", 0) == 60  # NW and SE at last
    assert cost(missouri_pacific("J14 57 2,K15 9 2", "3"), "24", "K15", 2) == 0


def test_a_bridge_that_the_treasury_cannot_pay_is_refused() -> None:
    """The refusal names the river."""
    poor = missouri_pacific(cash=59)
    on.refused(
        poor, on.lay("MP", "57", "J14", 2),
        "Lay or Upgrade Track", "$60", "bridges over the Missouri and the Mississippi", "$59",
    )  # fmt: skip
    assert on.allowed(poor, on.lay("MP", "57", "J14", 1))


def test_which_sides_of_a_tile_have_bridges() -> None:
    """By side and river, as each of the two hexes numbers the side."""
    table = on.table(missouri_pacific())
    assert bridges(table, LaidTile("J14", "57", 2)) == [(2, "Missouri"), (5, "Mississippi")]
    assert bridges(table, LaidTile("I13", "4", 2)) == [(5, "Missouri")]


def test_lakes_and_impassable_land_are_prohibited() -> None:
    """No track leads to Lake Michigan or into the Boston Mountains, nor is a tile laid there."""
    milwaukee = on.turn("track", "CMSP")
    rule = "Tile Placement and Tile Upgrades"
    on.refused(milwaukee, on.lay("CMSP", "57", "E17", 1), rule, "Lake Michigan")
    on.refused(milwaukee, on.lay("CMSP", "9", "M11", 0), rule, "never takes a tile")


@pytest.mark.rule("18MW Rock Island")
@pytest.mark.rule("18MW R23")
@pytest.mark.parametrize(
    ("rotation", "half"),
    [(0, 10), (2, 30), (3, 40)],  # of $20, of $60, of $80
)
def test_the_owner_of_the_rock_island_gets_half_of_every_bridge(rotation: int, half: int) -> None:
    """The company pays in full, the bank keeps the other half, and the owner is told."""
    tile = "57" if rotation == 2 else "6"
    state = on.privates(missouri_pacific(), {"RI": "Bob"})
    lay = on.lay("MP", tile, "J14", rotation)
    after = on.after(state, lay)
    assert after.cash["Bob"] - state.cash["Bob"] == half
    assert state.cash["MP"] - after.cash["MP"] == 2 * half
    assert after.cash["bank"] - state.cash["bank"] == half
    assert on.happened(state, lay, BridgePaid) == [BridgePaid("RI", "Bob", half)]


@pytest.mark.rule("18MW Rock Island")
@pytest.mark.rule("18MW R23")
def test_a_company_that_owns_it_gets_back_half_of_its_own_bridges() -> None:
    """And half of those of others."""
    own = on.privates(missouri_pacific(), {"RI": "MP"})
    assert own.cash["MP"] - on.after(own, on.lay("MP", "57", "J14", 2)).cash["MP"] == 30
    other = on.privates(on.company(missouri_pacific(), "IC", {"Bob": 60}), {"RI": "IC"})
    assert on.after(other, on.lay("MP", "57", "J14", 2)).cash["IC"] == 30


@pytest.mark.rule("18MW Rock Island")
def test_it_gets_nothing_of_terrain_and_nothing_once_it_is_closed() -> None:
    """K15 costs $20 for its hills and $40 for its bridge."""
    state = on.privates(missouri_pacific("J14 57 2"), {"RI": "Bob"})
    hill = on.lay("MP", "9", "K15", 2)
    assert on.happened(state, hill, BridgePaid) == [BridgePaid("RI", "Bob", 20)]
    for place in ("closed", "initial offering"):
        nobody = on.privates(state, {"RI": place})
        assert on.happened(nobody, hill, BridgePaid) == []

"""18MW Lay or Upgrade Track: how many tiles, and what they must be connected to."""

import pytest
from msgspec.structs import replace

from engine.facts.title import Title
from engine.position.frames import OperatingRound
from engine.position.values import State
from tests.rules import setting
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Lay or Upgrade Track")

FIRST, SECOND, THIRD = (
    on.lay("MP", "57", "J14", 1),
    on.lay("MP", "9", "J16", 1),
    on.lay("MP", "9", "J12", 1),
)
UPGRADE = on.lay("MP", "14", "J14", 0)


def missouri_pacific(laid: str = "") -> State:
    """A turn of MoPac in phase 3."""
    return on.turn("track", "MP", laid=laid, at_phase="3")


def test_two_yellow_tiles_or_one_upgrade() -> None:
    """The second tile may build on the first; nothing goes with an upgrade."""
    rule = "Lay or Upgrade Track"
    two = on.after(missouri_pacific(), FIRST, SECOND)
    on.refused(two, THIRD, rule)
    one = on.after(missouri_pacific("J14 57 1"), SECOND)
    on.refused(one, UPGRADE, rule)
    upgraded = on.after(missouri_pacific("J14 57 1"), UPGRADE)
    on.refused(upgraded, SECOND, rule)


@pytest.mark.rule("18MW R28")
def test_new_track_need_not_be_open_to_the_company_that_lays_it() -> None:
    """The old track of J16 is reached, the new one from SW to NE is not."""
    state = missouri_pacific("J14 57 1,J16 9 1")
    crossing = on.lay("MP", "20", "J16", 0)
    assert on.allowed(state, crossing)
    facts = on.title.facts
    strict = replace(facts, operating=replace(facts.operating, permissive=False))
    title = Title(strict, on.title.rules, frozenset())
    setting.refused(state, crossing, "Lay or Upgrade Track", "new track", title=title)


@pytest.mark.rule("18MW R28")
def test_some_track_of_the_tile_must_be_reached() -> None:
    """A tile whose track ends before the company's, or far from it, is refused."""
    state = missouri_pacific("J14 57 1")
    on.refused(state, on.lay("MP", "8", "J16", 2), "Lay or Upgrade Track", "reaches track")
    on.refused(state, on.lay("MP", "9", "D8", 1), "Lay or Upgrade Track", "J12, J16")


@pytest.mark.rule("18MW Tile Placement and Tile Upgrades")
def test_cities_take_city_tiles_and_dots_town_tiles() -> None:
    """Nothing else, and plain ground takes plain track."""
    rule = "Tile Placement and Tile Upgrades"
    on.refused(missouri_pacific(), on.lay("MP", "9", "J14", 1), rule, "city")
    beside = missouri_pacific("J14 57 2")
    on.refused(beside, on.lay("MP", "9", "I13", 2), rule, "town")
    assert on.allowed(beside, on.lay("MP", "4", "I13", 2))


@pytest.mark.rule("18MW Tile Placement and Tile Upgrades")
def test_an_upgrade_keeps_all_track() -> None:
    """Turned otherwise it is refused, and so is a colour left out."""
    state = on.turn("track", "MP", laid="J14 57 1", at_phase="5")
    rule = "Tile Placement and Tile Upgrades"
    on.refused(state, on.lay("MP", "14", "J14", 2), rule, "loses track")
    on.refused(state, on.lay("MP", "StL", "J14", 0), rule, "green tile next")


@pytest.mark.rule("18MW Game Phases")
def test_colours_come_with_phases() -> None:
    """Green with the first 3."""
    state = on.turn("track", "MP", laid="J14 57 1", at_phase="2")
    on.refused(state, UPGRADE, "Game Phases", "green")


@pytest.mark.rule("18MW Tile Placement and Tile Upgrades")
@pytest.mark.rule("18MW R36")
@pytest.mark.parametrize(("turns", "barred"), [(0, True), (1, True), (2, False)])
def test_no_tile_blocks_a_corporation_that_has_not_operated_before_this_round(
    turns: int, barred: bool
) -> None:
    """The last way out of the Southwest; the Southern Pacific has had its turn of this round."""
    state = on.turn("track", "SLSF", laid="L10 57 1,M9 7 2", stations=("L10",))
    state = on.company(state, "SP", {"Bob": 60}, turns=turns, at=(0, 8))
    below, *others = state.stack
    assert isinstance(below, OperatingRound)
    state = replace(state, stack=(replace(below, done=("SP", *below.done)), *others))
    past = on.lay("SLSF", "58", "L8", 2)
    if barred:
        on.refused(state, past, "Tile Placement and Tile Upgrades", "SP no way", "this round")
    else:
        assert on.allowed(state, past)
    assert on.allowed(state, on.lay("SLSF", "58", "L8", 4))

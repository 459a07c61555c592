"""18GL 4.6.1.1: no tile may shut out a company that has not operated."""

import pytest
from msgspec.structs import replace

from engine.position.values import State
from engine.steps.judging.shut_out import ways
from tests.rules.gl.setting import on

#: Pittsburgh, PRR's home, has track to M17 and M19; a straight on M17 passes it by
BO = on.turn("track", "B&O", laid="M17 9 0")
PASSING = on.lay("B&O", "9", "M19", 0)
JOINING = on.lay("B&O", "8", "M19", 4)


def at(phase: str) -> State:
    """B&O's turn in another phase."""
    return on.phase(BO, phase)


def without_opening(state: State) -> State:
    """The position with all green tiles used, far away, that could open the straights."""
    opening = [t for t in on.title.facts.supply["green"] if t in ("18", "19", "20", "26", "27")]
    opening += ["23", "24"]
    far = [h for h, f in on.title.hexes.items() if not f.colour and not f.stops and h < "J"]
    tiles = [t for t in opening for _ in range(on.title.supply[t])]
    assert len(far) >= len(tiles)
    return on.tiles(state, ",".join(f"{h} {t} 0" for h, t in zip(far, tiles, strict=False)))


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL R22")
def test_a_tile_may_not_take_the_last_way_from_a_home() -> None:
    """Both neighbours of Pittsburgh would have track past it, and no green tile is there yet."""
    on.refused(BO, PASSING, "4.6.1.1", "PRR", "N18")
    assert on.allowed(BO, JOINING)


@pytest.mark.rule("18GL 4.6.1.1")
@pytest.mark.rule("18GL R22")
def test_tiles_on_hand_that_could_open_a_way_again_are_enough() -> None:
    """With green tiles the straights can be opened; without those that could they cannot."""
    green = at("4H")
    assert on.allowed(green, PASSING)
    on.refused(without_opening(green), PASSING, "4.6.1.1", "PRR")


@pytest.mark.rule("18GL 4.6.1.1")
def test_a_way_that_was_open_is_not_taken_for_open_later() -> None:
    """PRR's way is lost to a tile on it, or to the use of the tiles that it needs elsewhere."""
    assert "PRR" in ways(on.table(BO))
    assert "PRR" not in ways(on.table(on.tiles(BO, "M19 9 0")))
    assert "PRR" in ways(on.table(BO))
    passing = on.tiles(at("4H"), "M19 9 0")
    assert "PRR" in ways(on.table(passing))
    assert "PRR" not in ways(on.table(without_opening(passing)))


@pytest.mark.rule("18GL 4.6.1.1")
def test_a_company_that_has_operated_or_left_is_not_protected() -> None:
    """PRR has had its turn, or is out of the game."""
    assert on.allowed(replace(BO, turns={**BO.turns, "PRR": 1}), PASSING)
    assert on.allowed(replace(BO, gone=("PRR",)), PASSING)


@pytest.mark.rule("18GL 4.6.1.1")
def test_a_company_that_is_shut_out_already_bars_nothing_more() -> None:
    """The next tile is not to blame."""
    lost = on.tiles(BO, "M19 9 0")
    assert "PRR" not in ways(on.table(lost))
    assert on.allowed(lost, on.lay("B&O", "4", "M15", 0))


@pytest.mark.rule("18GL 4.6.1.1")
def test_every_company_has_a_way_at_the_start() -> None:
    """A second stop that scores, and not another hex of the same location."""
    found = ways(on.table(on.opening()))
    assert set(found) == set(on.title.companies) - {"CR"}
    homes = {hex_ for hex_ in ("N6", "N8") if hex_ in found["GT"].hexes}
    assert homes
    assert found["GT"].hexes - {"N6", "N8"}

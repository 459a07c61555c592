"""Every way a tile can lie has words of its own."""

import pytest
from msgspec.structs import replace

from engine.actions import LayTile
from engine.facts.places import TileFacts
from engine.facts.title import Title
from engine.notation import orientation, parse, write

from .positions import TITLE, operating


@pytest.mark.parametrize("tile", TITLE.tiles)
def test_each_look_of_a_tile_reads_back(tile):
    state = operating()
    hex_ = TITLE.reserved_tiles.get(tile, ("E4",))[0]
    power = TITLE.power_tiles.get(tile, "")
    for rotation in TITLE.rotations[tile]:
        action = LayTile(
            by="Ann", company="L&N", tile=tile, hex=hex_, rotation=rotation, power=power
        )
        assert parse(TITLE, state, "Ann", write(TITLE, state, action)) == action


@pytest.mark.parametrize("tile", TITLE.tiles)
def test_compass_words_differ_for_ways_that_differ(tile):
    words = [orientation(TITLE, tile, rotation) for rotation in TITLE.rotations[tile]]
    assert len(set(words)) == len(words)
    assert not any(word.startswith("r") for word in words)


def test_a_tile_that_looks_the_same_from_all_sides_needs_none():
    assert orientation(TITLE, "63", 4) == ""


def with_tile(tile, facts):
    """18AL with one more yellow tile."""
    known = TITLE.facts
    yellow = {**known.supply["yellow"], tile: 1}
    changed = replace(
        known, supply={**known.supply, "yellow": yellow}, tile={**known.tile, tile: facts}
    )
    return Title(changed, TITLE.rules, frozenset())


def test_where_exits_do_not_tell_the_rotation_has_a_number():
    unlike = TileFacts("yellow", ("town 10", "town 20"), "0-a 1-a 3-b 4-b")
    title = with_tile("X1", unlike)
    assert (orientation(title, "X1", 0), orientation(title, "X1", 3)) == ("r0", "r3")
    action = LayTile(by="Ann", company="L&N", tile="X1", hex="E4", rotation=3)
    assert parse(title, operating(), "Ann", "lay X1 E4 r3") == action


def test_towns_that_are_alike_may_change_places():
    alike = TileFacts("yellow", ("town 10", "town 10"), "0-a 1-a 3-b 4-b")
    assert with_tile("X1", alike).rotations["X1"] == (0, 1, 2)

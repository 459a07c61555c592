"""What may become of a tile: tiles of the next colour that keep what it has (18AL 4.2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.steps.judging.fit import colour_after

if TYPE_CHECKING:
    from engine.facts.title import Title


def upgrades(title: Title, tile: str) -> tuple[str, ...]:
    """The tiles by which a tile may be replaced in some rotation, in the order of the supply.

    Phases, what is left of a tile, and the hex are not asked; a tile reserved for hexes is among
    them. Tiles of powers are replaced by nothing, and replace nothing in an ordinary lay.
    """
    if tile in title.power_tiles:
        return ()
    old = title.face(tile, 0)
    colour = colour_after(old, old)
    barred = title.facts.barred_upgrades.get(tile, ())
    return tuple(
        new
        for new in title.facts.supply.get(colour, ())
        if new not in barred
        and new not in title.power_tiles
        and any(title.keeps(old, "", new, turn) for turn in title.rotations[new])
    )


def rebuilt(title: Title, tile: str) -> tuple[str, ...]:
    """The tiles by which the town of a tile may be rebuilt later (18MW R31)."""
    facts = title.facts.small_cities
    return tuple(facts.tiles.get(tile, ())) if facts else ()

"""The upgrades of a tile: tiles of the next color that keep what it has (18AL 4.2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.steps.judging.fit import colour_after

if TYPE_CHECKING:
    from engine.facts.title import Title


def upgrades(title: Title, tile: str) -> tuple[str, ...]:
    """The tiles that may replace a tile in some rotation, in the order of the supply.

    Phases, the supply and the hex do not count; tiles reserved for some hexes are included. Tiles
    of powers are never replaced, and replace nothing in an ordinary lay.
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
        and any(title.keeps(old, new, turn) for turn in title.rotations[new])
    )


def rebuilt(title: Title, tile: str) -> tuple[str, ...]:
    """The tiles that may rebuild the town of a tile later (18MW R31)."""
    facts = title.facts.small_cities
    return tuple(facts.tiles.get(tile, ())) if facts else ()

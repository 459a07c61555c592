"""Faults of a title's tiles: their numbers, their hexes, and what they can be laid on.

It knows nothing of the other facts.
"""

from collections.abc import Iterator

from engine.board.tiles import COLOURS, Face, keeps
from engine.facts.title import Title
from engine.titles.checks.places import FIXED


def tile_findings(title: Title) -> Iterator[str]:
    """The supply has each tile once, under its color, and all colors that the phases allow."""
    supply = title.facts.supply
    for colour, tiles in supply.items():
        if colour not in COLOURS:
            yield f"supply.{colour}: {', '.join(COLOURS)} are the colors of tiles"
        for tile, count in tiles.items():
            place = f"supply.{colour}.{tile}"
            if title.tiles[tile].colour != colour:
                yield f"{place}: the tile is {title.tiles[tile].colour}"
            if count < 0:
                yield f"{place}: the number is negative"
    listed = [tile for tiles in supply.values() for tile in tiles]
    for tile in sorted({tile for tile in listed if listed.count(tile) > 1}):
        yield f"supply: tile {tile} is counted under two colors"
    # an optional rule may leave tiles out
    unused = [tile for tile in title.facts.tile if tile not in listed and not title.variants]
    yield from (f"tile {tile}: is not in the supply" for tile in unused)
    allowed = {colour for phase in title.facts.phase for colour in phase.tiles}
    for colour in COLOURS:
        if colour in allowed and not supply.get(colour):
            yield f"supply.{colour}: a phase allows it, but there are no such tiles"
        if supply.get(colour) and colour not in allowed:
            yield f"supply.{colour}: no phase allows it"


def reserved_findings(title: Title) -> Iterator[str]:
    """Reserved tiles exist in their color, for hexes that take tiles, and are all needed."""
    takers: dict[str, set[str]] = {}
    for table, hex_, colour, tile in _reserved(title):
        place = f"{table}.{hex_}"
        if hex_ not in title.hexes:
            yield f"{place}: is not a hex of the map"
        elif title.hexes[hex_].colour in FIXED:
            yield f"{place}: takes no tiles"
        takers.setdefault(tile, set()).add(hex_)
        if not title.supply.get(tile):
            yield f"{place}.{colour}: tile {tile} is not in the supply"
        elif title.tiles[tile].colour != colour:
            yield f"{place}.{colour}: tile {tile} is {title.tiles[tile].colour}"
    for tile, hexes in takers.items():
        count = title.supply.get(tile, 0)
        if count > len(hexes):
            where = ", ".join(sorted(hexes))
            yield f"supply: {count} tiles {tile}, but only {where} can take them"


def _reserved(title: Title) -> Iterator[tuple[str, str, str, str]]:
    """(table, hex, color, tile) for all tiles that are reserved for hexes."""
    for hex_, tiles in title.facts.reserved.items():
        yield from (("reserved", hex_, colour, tile) for colour, tile in tiles.items())
    for hex_, choices in title.facts.choices.items():
        for colour, several in choices.items():
            yield from (("choices", hex_, colour, tile) for tile in several)


def exception_findings(title: Title) -> Iterator[str]:
    """Rules for single tiles name tiles of the supply, and existing hexes and tiles."""
    facts = title.facts
    for table, found, known, what in (
        ("labelled", facts.labelled, set(title.hexes), "hex of the map"),
        ("off_map", facts.off_map, set(title.hexes), "hex of the map"),
        ("barred_upgrades", facts.barred_upgrades, set(title.supply), "tile of the supply"),
    ):
        for tile, others in found.items():
            place = f"{table}.{tile}"
            if not title.supply.get(tile):
                yield f"{place}: tile {tile} is not in the supply"
            yield from (f"{place}: {one} is not a {what}" for one in others if one not in known)


def rebuild_findings(title: Title) -> Iterator[str]:
    """Yellow town tiles that may be replaced, by yellow tiles without town on the same track."""
    facts = title.facts.small_cities
    if facts is None:
        return
    if facts.phase not in title.phases:
        yield f"small_cities.phase: there is no phase {facts.phase}"
    for tile, others in facts.tiles.items():
        place = f"small_cities.tiles.{tile}"
        unknown = [one for one in (tile, *others) if not title.supply.get(one)]
        yield from (f"{place}: tile {one} is not in the supply" for one in unknown)
        if unknown:
            continue
        old = title.tiles[tile]
        if old.colour != COLOURS[0] or not old.towns:
            yield f"{place}: a {COLOURS[0]} tile with a town is expected"
        for one in others:
            new = title.tiles[one]
            if (new.colour, new.exits, new.towns) != (old.colour, old.exits, 0):
                yield f"{place}: {one} does not lead the same way without a town"


UPGRADES_NOTHING = "tile {tile}: upgrades nothing that can lie there before it"
UPGRADES_NOTHING_ON = "tile {tile}: upgrades nothing on {hex} that can lie there before it"


def upgrade_findings(title: Title) -> Iterator[str]:
    """Each tile fits somewhere: on a hex, or on a tile of the color before its own.

    Tiles of powers and of ferries have their own rules.
    """
    apart = {*title.power_tiles, *(t.split()[1] for f in title.facts.ferries for t in f.tiles)}
    for tile, face in title.tiles.items():
        if tile in apart or face.colour not in COLOURS:
            continue
        takers = [hex_ for _, hex_, _, own in _reserved(title) if own == tile]
        for hex_ in takers or [""]:
            below = list(_below(title, face.colour, hex_))
            if not any(_upgrades(title, old, tile) for old in below):
                message = UPGRADES_NOTHING_ON if hex_ else UPGRADES_NOTHING
                yield message.format(tile=tile, hex=hex_)


def _below(title: Title, colour: str, hex_: str) -> Iterator[Face]:
    """The faces on which a tile of the color may be laid: on its reserved hex, or "" for any."""
    before = COLOURS[COLOURS.index(colour) - 1] if colour != COLOURS[0] else ""
    for printed, face in title.printed.items():
        if face.colour == before and printed == (hex_ or printed):
            yield face
    if not before:
        return
    own = title.own_tiles.get(hex_, {}).get(before)
    kept = {tile for _, _, _, tile in _reserved(title)}
    for tile, face in title.tiles.items():
        free = face.colour == before and tile not in kept and _fits(title, face, hex_)
        if tile in own if own is not None else free:
            yield from (title.face(tile, rotation) for rotation in title.rotations[tile])


def _fits(title: Title, face: Face, hex_: str) -> bool:
    """Whether a tile has the cities and towns of the hex; true if the hex is ""."""
    printed = title.printed.get(hex_)
    return printed is None or (printed.cities, printed.towns) == (face.cities, face.towns)


def _upgrades(title: Title, old: Face, tile: str) -> bool:
    return any(keeps(old, title.face(tile, rotation)) for rotation in title.rotations[tile])

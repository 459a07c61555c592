"""Whether a tile may be laid on a hex: color, supply, stops, track, exits, connection (4.2.1).

This module knows nothing of turns and money, nor how many tiles a company may lay.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.board.hexes import opposite
from engine.board.tiles import COLOURS, STOP, Face, stop_mapping
from engine.track.ground import Recent, ground
from engine.track.links import ways_of
from engine.track.network import enters, network_key, reach

if TYPE_CHECKING:
    from engine.actions import LaidTile
    from engine.board.hexes import Hex, Side
    from engine.facts.title import Title
    from engine.position.table import Table
    from engine.position.values import CompanyId
    from engine.refusal import Refusal

#: hexes of these colors never take a tile
SHUT = ("gray", "red", "blue", "dark green")


def colour_after(printed: Face, face: Face) -> str:
    """The color of the next tile for a hex with ``face`` on it; "" if it takes no more tiles."""
    if not face.colour:
        return COLOURS[0]
    if face == printed and face.colour in SHUT:
        return ""
    at = COLOURS.index(face.colour) + 1
    return COLOURS[at] if at < len(COLOURS) else ""


def next_colour(table: Table, hex_: Hex) -> str:
    """The color of the next tile that a hex may take; "" if it takes no more tiles."""
    colour = colour_after(table.title.printed[hex_], table.face(hex_))
    return colour if colour in table.title.facts.supply else ""


_ORDINARY: Recent[tuple[str, ...]] = Recent(1024)


def ordinary_of(title: Title, hex_: Hex, colour: str) -> tuple[str, ...]:
    """Tiles of a color that a hex may take, without private companies' own tiles."""

    def found() -> tuple[str, ...]:
        return title.own_tiles.get(hex_, {}).get(colour) or tuple(
            tile
            for tile in title.facts.supply[colour]
            if hex_ in title.reserved_tiles.get(tile, (hex_,)) and tile not in title.power_tiles
        )

    return _ORDINARY.get((title, hex_, colour), found)


def ordinary(table: Table, hex_: Hex, colour: str) -> tuple[str, ...]:
    """The tiles of `ordinary_of` if the phase has the color, otherwise none."""
    return ordinary_of(table.title, hex_, colour) if colour in table.phase.tiles else ()


def rebuilding(table: Table, hex_: Hex) -> tuple[str, ...]:
    """Tiles that may rebuild the town of a hex, once the phase for that has begun."""
    facts = table.title.facts.small_cities
    if facts is None or not table.begun(facts.phase):
        return ()
    return tuple(facts.tiles.get(table.face(hex_).tile, ()))


def why_not_fit(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse a tile for any reason but money and connection."""
    return why_not_colour(table, lay) or why_not_shape(table, lay)


_SHAPES: Recent[bool] = Recent(8192)


def why_not_shape(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse a tile that loses what is on the hex, or whose track ends where it may not."""

    def judge() -> Refusal | None:
        return (
            why_not_stops_and_track(table, lay)
            or _why_not_charted(table, lay)
            or why_not_exits(table, lay)
        )

    old = table.face(lay.hex)
    key = (table.title, lay.hex, old.tile, old.rotation, lay.tile, lay.rotation)
    return None if _SHAPES.get(key, lambda: judge() is None) else judge()


def fitting(table: Table, hex_: Hex, tile: str) -> tuple[Side, ...]:
    """Rotations in which an available tile keeps what is on a hex; only few of all."""
    if not table.tiles_left(tile):
        return ()
    return table.title.keeping(table.face(hex_), tile)


_FITTING: Recent[tuple[tuple[str, tuple[Side, ...]], ...]] = Recent(4096)


def fitting_tiles(table: Table, hex_: Hex) -> Iterator[tuple[str, Side]]:
    """Available tiles that color and phase allow on a hex, in the rotations that fit."""
    old = table.face(hex_)

    def found() -> tuple[tuple[str, tuple[Side, ...]], ...]:
        tiles = (*ordinary(table, hex_, next_colour(table, hex_)), *rebuilding(table, hex_))
        each = ((tile, table.title.keeping(old, tile)) for tile in tiles)
        return tuple((tile, turns) for tile, turns in each if turns)

    key = (table.title, hex_, old.tile, old.rotation, table.at.phase)
    for tile, turns in _FITTING.get(key, found):
        if table.tiles_left(tile):
            yield from ((tile, turn) for turn in turns)


def why_not_colour(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse by (a) the phase, (b) the supply, (c) the order of colors, (g) reserved hexes."""
    title, tile, place = table.title, lay.tile, table.place
    if title.rebuilds(table.face(lay.hex), tile):
        return _why_not_rebuilt(table, lay)
    colour = title.tiles[tile].colour
    wanted = next_colour(table, lay.hex)
    if not wanted:
        return table.refuse("tile colours", "place", f"{place(lay.hex)} never takes a tile")
    if table.at.tiles.get(lay.hex, ("",))[0] in title.power_tiles:
        text = f"Tile {table.at.tiles[lay.hex][0]} on {place(lay.hex)} is never replaced"
        return table.refuse("power tile", "place", text)
    if colour != wanted:
        text = f"{place(lay.hex)} takes a {wanted} tile next, {tile} is {colour}"
        return table.refuse("tile colours", "colour", text)
    if colour not in table.phase.tiles:
        text = f"{colour} tiles are not available in phase {table.at.phase}"
        return table.refuse("tile phases", "phase", text, f"Now: {', '.join(table.phase.tiles)}.")
    if not table.tiles_left(tile):
        return table.refuse("tile supply", "supply", f"All tiles {tile} are on the map")
    own = title.own_tiles.get(lay.hex, {}).get(colour)
    if own and tile not in own:
        where, one = place(lay.hex), len(own) == 1
        are = f"tile for {where} is" if one else f"tiles for {where} are"
        text = f"The only {colour} {are} {' and '.join(own)}"
        return table.refuse("reserved tiles", "place", text)
    only = title.reserved_tiles.get(tile)
    if only and lay.hex not in only:
        text = f"Tile {tile} is for {' or '.join(map(table.place, only))} alone"
        return table.refuse("reserved tiles", "place", text)
    return _why_not_barred(table, lay)


def _why_not_rebuilt(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse to rebuild a town except by a tile with a city, or with plain track (18MW R31)."""
    facts, place = table.title.facts.small_cities, table.place(lay.hex)
    if facts and not table.begun(facts.phase):
        text = f"The small city of {place} may be rebuilt from phase {facts.phase} on"
        return table.refuse("small cities", "phase", text)
    if not table.tiles_left(lay.tile):
        return table.refuse("tile supply", "supply", f"All tiles {lay.tile} are on the map")
    return None


def _why_not_barred(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse a hex (k) blocked by a player's private company that cannot give permission."""
    if table.title.facts.operating.powers == "player":
        return None
    for private in table.title.barred.get(lay.hex, ()):
        owner = table.at.privates[private]
        if table.is_player(owner):
            text = f"{private} of {owner} bars {table.place(lay.hex)} to tiles"
            hint = "It opens when a company buys the private company, or when it closes."
            return table.refuse("barred hexes", "place", text, hint)
    return None


def why_not_stops_and_track(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse by (d) cities, (e) towns, (h) track that must be kept."""
    old, new = table.face(lay.hex), table.title.face(lay.tile, lay.rotation)
    place = table.place
    rebuilt = table.title.rebuilds(old, lay.tile)
    if old.cities != new.cities and not rebuilt:
        has, brings = _count(old.cities, "city"), _count(new.cities, "city")
        text = f"{place(lay.hex)} has {has}, tile {lay.tile} has {brings}"
        return table.refuse("cities on tiles", "place", text)
    if old.towns != new.towns and not rebuilt:
        has, brings = _count(old.towns, "town"), _count(new.towns, "town")
        text = f"{place(lay.hex)} has {has}, tile {lay.tile} has {brings}"
        return table.refuse("towns on tiles", "place", text)
    if not table.title.keeps(old, lay.tile, lay.rotation):
        where = place(lay.hex)
        text = f"Tile {lay.tile} laid so loses track that {where} has"
        if old.ferry or new.ferry:
            text = f"Tile {lay.tile} laid so does not keep track and ferry line of {where}"
        kept = table.title.keeping(old, lay.tile)
        hint = "Turn it." if kept else "Another tile may keep it: `tiles " + lay.hex + "`."
        return table.refuse("track kept", "track", text, hint)
    return None


def _why_not_charted(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse upgrades that keep everything but are not in the rulebook's chart."""
    old = table.face(lay.hex).tile
    if lay.tile not in table.title.facts.barred_upgrades.get(old, ()):
        return None
    text = f"The chart of upgrades leads from {old} to other tiles than {lay.tile}"
    return table.refuse("upgrade chart", "place", text)


def _count(number: int, word: str) -> str:
    many = {"city": "cities", "town": "towns"}[word]
    return f"no {word}" if not number else f"1 {word}" if number == 1 else f"{number} {many}"


def bad_exits(title: Title, hex_: Hex, tile: str, rotation: int) -> Iterator[tuple[Side, Hex]]:
    """Sides where a tile's track may not leave the hex, each with the hex beyond, "" for none.

    These are sides off the map, impassable sides, and sides without track of a hex that never takes
    a tile.
    """
    barred = barred_sides(title, hex_)
    if not barred:
        return
    exits, may_end = title.face(tile, rotation).exits, hex_ in title.facts.off_map.get(tile, ())
    for side, beyond in barred:
        if side in exits and (beyond or not may_end):
            yield side, beyond


# some hundreds of tiles and rotations ask about the same hex; 512 are the hexes of five titles
@lru_cache(512)
def barred_sides(title: Title, hex_: Hex) -> tuple[tuple[Side, Hex], ...]:
    """Sides across which no track may leave a hex, each with the hex beyond, "" for none."""
    found: list[tuple[Side, Hex]] = []
    for side, beyond in enumerate(title.across[hex_]):
        if beyond is None:
            found.append((side, ""))
        else:
            printed = title.printed[beyond]
            if printed.colour in SHUT and opposite(side) not in printed.exits:
                found.append((side, beyond))
    return tuple(found)


def why_not_exits(table: Table, lay: LaidTile) -> Refusal | None:
    """Refuse (i) track off the map, across an impassable side, or against a blank printed side."""
    for side, beyond in bad_exits(table.title, lay.hex, lay.tile, lay.rotation):
        word = table.title.grid.word(side)
        if beyond:
            where = f"run into a blank side of {table.place(beyond)}, {word}"
        else:
            where = f"have track to the {word}, where none may run"
        text = f"Tile {lay.tile} would {where}"
        return table.refuse("exits of tiles", "track", text)
    return None


NOT_REACHED = "No track of {company} reaches {what} on {place}"


def why_not_connected(table: Table, company: CompanyId, lay: LaidTile) -> Refusal | None:
    """Refuse a tile (j) whose new track or city no trace from an own token reaches."""
    if meets(table, company, lay.hex, lay.tile, lay.rotation):
        return None
    near = _near(table, company)
    what = "track" if table.title.facts.operating.permissive else "new track or a city"
    place = table.place(lay.hex)
    text = NOT_REACHED.format(company=company, what=what, place=place)
    hint = f"It could lay at {', '.join(near)}." if near else ""
    return table.refuse("tile connection", "track", text, hint)


_NEAR: Recent[tuple[Hex, ...]] = Recent(64)


def _near(table: Table, company: str) -> tuple[Hex, ...]:
    """Hexes that a trace from the company's tokens enters and that may take a tile now."""

    def found() -> tuple[Hex, ...]:
        entered = {hex_ for hex_, _ in reach(table, company).arrivals}
        return tuple(h for h in sorted(entered) if next_colour(table, h) in table.phase.tiles)

    return _NEAR.get((network_key(table, company), table.at.phase), found)


class _Meeting(NamedTuple):
    """The places of a hex where a trace can meet what a tile brings; any of them is enough."""

    #: stops of the present hex that a trace ends at, or goes on from
    stops: tuple[int, ...]
    passable: tuple[int, ...]
    #: sides of the hex that a trace crosses to enter
    sides: tuple[Side, ...]


#: a town that is rebuilt always becomes the city
_REBUILT = _Meeting((0,), (), ())


def meets(table: Table, company: str, hex_: Hex, tile: str, rotation: int) -> bool:
    """Whether a trace from the company's tokens meets what a tile brings to a hex (4.2.1(j)).

    If track is permissive, the trace may meet any track of the tile (18MW R28).
    """
    title, old = table.title, table.face(hex_)
    there = _REBUILT
    if not title.rebuilds(old, tile):
        there = _meeting(old, title.face(tile, rotation), title.facts.operating.permissive)
    # the company's own tokens need no trace
    own = [s.stop for s in table.at.stations.get(hex_, ()) if s.company == company]
    if any(stop in there.stops or stop in there.passable for stop in own):
        return True
    through = (stop for stop in there.passable if not table.blocked(hex_, stop, company))
    stops = {*there.stops, *through}
    lead = ways_of(table, ground(title).index[hex_]).stops
    sides = {*there.sides, *(side for side in range(6) if not stops.isdisjoint(lead[side]))}
    return bool(sides) and enters(table, company, hex_, sides)


@cache
def _meeting(old: Face, new: Face, permissive: bool) -> _Meeting:
    """Where a trace meets new track, or a city on the tile; the tile keeps what is on the hex."""
    places = stop_mapping(old, new)
    if places is None:
        raise ValueError(f"{new.tile} does not keep what {old.tile or old.name} has")
    before = {place: i for i, place in enumerate(places)}
    kept = {frozenset(_onto(places, piece)) for piece in old.track if not permissive}
    ends = {end for piece in new.track if frozenset(piece) not in kept for end in piece}
    return _Meeting(
        tuple(i for place, i in before.items() if new.stops[place].kind == "city"),
        tuple(before[end - STOP] for end in ends if end - STOP in before),
        tuple(end for end in ends if end < STOP),
    )


def _onto(places: tuple[int, ...], piece: tuple[int, int]) -> tuple[int, int]:
    """A piece of the old track, with stops numbered as on the new tile."""
    one, other = (end if end < STOP else STOP + places[end - STOP] for end in piece)
    return one, other

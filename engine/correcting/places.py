"""Corrections of tiles and tokens: what is wrong with them, and how they are carried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.refusal import Refusal
from engine.runs.connections import note_station

if TYPE_CHECKING:
    from engine.board.tiles import Face
    from engine.corrections import StationPut, TilePut
    from engine.position.draft import Draft
    from engine.position.table import Table


def no(text: str, hint: str = "") -> Refusal:
    """A refusal of a part of a correction."""
    return Refusal("", "correction", text, hint)


NO_TILE = "no tile lies on {place}"
NOT_IN_PHASE = "tile {tile} is {color}, and phase {phase} has no such tile"


def why_not_tile(table: Table, part: TilePut) -> Refusal | None:
    """Require a tile of the title, in a color of the phase, that keeps the tokens there."""
    title, hex_ = table.title, part.hex
    if hex_ not in title.hexes:
        return no(f"there is no hex {hex_}")
    if not part.tile:
        if hex_ not in table.at.tiles:
            return no(NO_TILE.format(place=table.place(hex_)))
        return _why_not_stations(table, part, title.printed[hex_])
    if part.tile not in title.tiles:
        return no(f"{title.name} has no tile {part.tile}")
    if part.rotation not in title.rotations[part.tile]:
        return no(f"tile {part.tile} does not lie like that")
    if table.at.tiles.get(hex_) == (part.tile, part.rotation):
        return no(f"tile {part.tile} lies like that on {table.place(hex_)} already")
    face = title.face(part.tile, part.rotation)
    if face.colour not in table.phase.tiles:
        text = NOT_IN_PHASE.format(tile=part.tile, color=face.colour, phase=table.phase.id)
        return no(text)
    own = title.own_tiles.get(hex_, {}).get(face.colour)
    if own is not None and part.tile not in own:
        return no(f"{table.place(hex_)} takes only {' or '.join(own)} in {face.colour}")
    if table.at.tiles.get(hex_, ("",))[0] != part.tile and table.tiles_left(part.tile) < 1:
        return no(f"no tile {part.tile} is left")
    return _why_not_stations(table, part, face)


def _why_not_stations(table: Table, part: TilePut, new: Face) -> Refusal | None:
    """Refuse a tile that does not decide which of its cities the tokens there go to."""
    there, old = table.at.stations.get(part.hex, ()), table.face(part.hex)
    if not there or max(len(old.stops), len(new.stops)) < 2 or _maps(table, part):
        return None
    text = f"it would be open where the tokens on {table.place(part.hex)} stand then"
    return no(text, "Take them off in the same correction, and put them again.")


def _maps(table: Table, part: TilePut) -> bool:
    """Whether the tile keeps the present track, so that the tokens keep their cities."""
    old = table.face(part.hex)
    return bool(part.tile) and table.title.keeps(old, part.tile, part.rotation)


def put_tile(draft: Draft, part: TilePut) -> None:
    """Lay the tile, or remove the one that is there."""
    if part.tile:
        draft.lay(part.hex, part.tile, part.rotation)
    else:
        draft.lift_tile(part.hex)


NO_TOKEN = "{company} has no token there: {place}"
HAS_TOKEN = "{company} has a token there already: {place}"


def why_not_station(table: Table, part: StationPut) -> Refusal | None:
    """Require a token of a company that operates, in a city with room for it."""
    company, hex_ = part.company, part.hex
    if hex_ not in table.title.hexes:
        return no(f"there is no hex {hex_}")
    if company in table.at.gone or company not in table.at.pars:
        return no(f"{company} is not in the game")
    own = [stop for where, stop in table.stations_of(company) if where == hex_]
    place = table.place(hex_)
    if part.off:
        return None if part.stop in own else no(NO_TOKEN.format(company=company, place=place))
    stops = table.face(hex_).stops
    if part.stop >= len(stops) or not stops[part.stop].slots:
        return no(f"there is no such city: {place}")
    if own:
        return no(HAS_TOKEN.format(company=company, place=place))
    if hex_ in table.at.shut:
        return no(f"{place} no longer takes a token")
    if not table.at.charters.get(company):
        return no(f"{company} has no token left on its charter")
    taken = sum(station.stop == part.stop for station in table.at.stations.get(hex_, ()))
    if taken >= stops[part.stop].slots:
        return no(f"no circle is free there: {place}")
    return None


def put_station(draft: Draft, part: StationPut) -> None:
    """Move the token."""
    if part.off:
        draft.take_station(part.company, part.hex, part.stop)
    else:
        note_station(draft, part.company, part.hex)
        draft.put_station(part.company, part.hex, part.stop)

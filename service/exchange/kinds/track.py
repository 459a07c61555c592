"""The map: tiles, tokens and markers, some of them by the power of a private company."""

from engine.actions import LayTile, PlaceMark, PlaceStation
from engine.facts.powers import HexTilePower, MarkPower, StationPower, TilePower
from engine.position.frames import CityChoice
from engine.position.table import Table
from engine.position.values import CompanyId, State
from service.exchange.dialect import NeighbourError
from service.exchange.history import Deed, Raw
from service.exchange.kinds.kind import DeedKind, RefusedDeed
from service.exchange.pace import Stage
from service.exchange.pieces import Pieces
from service.exchange.translator import Translator, Writing, field_of

NO_SUCH_TILE = "there is no tile {tile} beside the map"
NO_TOKEN_OF = "{company} places no token of {owner}"


def _read_tile(to: Translator, state: State, deed: Deed) -> LayTile:
    """A tile lay, with a private company's power if that lays the tile."""
    company = to.company(state, deed)
    laid = field_of(deed, "tile")
    if not to.pieces.tiles.is_free(laid):
        raise RefusedDeed(deed.id, NO_SUCH_TILE.format(tile=laid))
    tile = laid.rpartition("-")[0]
    tile = to.dialect.tiles.get(tile, tile)
    rotation = int(field_of(deed, "rotation"))
    if rotation not in range(6):
        raise NeighbourError(deed.id, f"a tile is turned by 0 to 5 sides, not by {rotation}")
    power = to.power(deed)
    facts = to.title.privates[power].power if power else None
    if power and not isinstance(facts, TilePower | HexTilePower):
        raise NeighbourError(deed.id, f"{power} lays no tiles")
    return LayTile(
        by=to.president(state, deed, company),
        company=company,
        tile=tile,
        hex=str(field_of(deed, "hex")),
        rotation=rotation,
        power=power,
    )


def _write_tile(to: Translator, table: Table, action: LayTile) -> Writing:
    tile = to.pieces.tiles.first(to.their_tile(action.tile))
    where = {"hex": action.hex, "tile": tile, "rotation": action.rotation}
    return to.by_company("lay_tile", action.company, action.power, **where)


def _note_tile(pieces: Pieces, raw: Raw, action: LayTile, before: State, now: State) -> None:
    pieces.tiles.lay(action.hex, raw["tile"])


LAY_TILE = DeedKind(
    "lay_tile",
    (LayTile,),
    ("corporation", "company"),
    _read_tile,
    _write_tile,
    _note_tile,
    stage=Stage.TRACK,
    strange=("combo_entities",),
)


def _read_token(to: Translator, state: State, deed: Deed) -> PlaceStation:
    """A token; the city's id is a tile's id and the number of the city on that tile."""
    company = to.company(state, deed)
    company = _layer(to, state, deed, company)
    tile, _, city = str(field_of(deed, "city")).rpartition("-")
    hex_, printed = to.pieces.tiles.hex(tile), tile.rpartition("-")[0]
    if hex_ is None and to.pieces.tiles.on(printed) is None:
        hex_ = printed
    if hex_ is None or hex_ not in to.title.hexes:
        raise RefusedDeed(deed.id, f"no tile {tile} lies on the map")
    stops = Table(to.title, state).face(hex_).stops
    cities = [index for index, stop in enumerate(stops) if stop.kind != "town"]
    by = to.president(state, deed, company)
    power = to.power(deed)
    if power and not isinstance(to.title.privates[power].power, StationPower):
        raise NeighbourError(deed.id, f"{power} places no token")
    stop = cities[int(city)]
    return PlaceStation(by=by, company=company, hex=hex_, stop=stop, power=power)


def _layer(to: Translator, state: State, deed: Deed, company: CompanyId) -> CompanyId:
    """The company that places a token; the file names the token's owner separately.

    Only a company that lays the first tile with several cities may have to place another
    company's token.
    """
    owner, frame = deed.raw.get("tokener"), state.stack[-1]
    owner = company if owner is None else to.named(deed, str(owner))
    if isinstance(frame, CityChoice) and owner == frame.stations[0]:
        return frame.company
    if owner != company:
        raise NeighbourError(deed.id, NO_TOKEN_OF.format(company=company, owner=owner))
    return company


def _write_token(to: Translator, table: Table, action: PlaceStation) -> Writing:
    stops = table.face(action.hex).stops
    city = sum(stop.kind != "town" for stop in stops[: action.stop])
    tile = to.pieces.tiles.on(action.hex) or f"{action.hex}-0"
    place = {"city": f"{tile}-{city}", "slot": _slot(table, action)}
    return to.by_company("place_token", action.company, action.power, **place)


def _slot(table: Table, action: PlaceStation) -> int:
    """The first circle that is neither taken nor reserved for a home."""
    there = table.at.stations.get(action.hex, ())
    taken = sum(station.stop == action.stop for station in there)
    kept = sum(company != action.company for company in table.reserved_for(action.hex))
    slots = table.face(action.hex).stops[action.stop].slots
    return min(taken + kept, slots - 1) if taken < slots else taken


PLACE_TOKEN = DeedKind(
    "place_token",
    (PlaceStation,),
    ("corporation", "company"),
    _read_token,
    _write_token,
    stage=Stage.TOKEN,
)


def _read_mark(to: Translator, state: State, deed: Deed) -> PlaceMark:
    """A marker on the map."""
    company, private = to.company(state, deed), to.power(deed)
    power = to.title.privates[private].power if private else None
    if not isinstance(power, MarkPower) or deed.raw.get("target_type") != "hex":
        kind = deed.raw.get("target_type", "thing")
        raise NeighbourError(deed.id, f"{deed.raw['entity']} is assigned to a {kind}")
    by = to.president(state, deed, company)
    return PlaceMark(by=by, company=company, private=private, hex=str(field_of(deed, "target")))


def _write_mark(to: Translator, table: Table, action: PlaceMark) -> Writing:
    where = {"target": action.hex, "target_type": "hex"}
    return to.by_company("assign", action.company, action.private, **where)


ASSIGN = DeedKind("assign", (PlaceMark,), ("company",), _read_mark, _write_mark)

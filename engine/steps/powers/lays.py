"""Tiles laid by a private company's power, in addition to or instead of those of the turn."""

from collections.abc import Iterator

from engine.actions import LayTile
from engine.board.hexes import Hex, opposite
from engine.board.tiles import COLOURS
from engine.facts.powers import HexTilePower, LaysPower, OwnHexesPower, TilePower
from engine.position.frames import Track
from engine.position.table import Table
from engine.position.values import PrivateId
from engine.refusal import Refusal
from engine.steps.base import why_not_power
from engine.steps.judging.cost import why_not_money
from engine.steps.judging.fit import (
    next_colour,
    ordinary,
    why_not_colour,
    why_not_connected,
    why_not_exits,
    why_not_fit,
    why_not_stops_and_track,
)
from engine.steps.judging.shut_out import why_not_shut_out
from engine.track.network import reach

#: powers that lay several tiles in one step, at the usual cost
SEVERAL = (LaysPower, OwnHexesPower)


def lays_several(table: Table, private: PrivateId) -> bool:
    """Whether the private company's power lays more than one tile in a step."""
    facts = table.title.privates.get(private)
    return facts is not None and isinstance(facts.power, SEVERAL)


def hexes_by(frame: Track, private: PrivateId) -> list[Hex]:
    """Hexes where the private company's power has laid tiles in this step."""
    return [hex_ for by, hex_ in frame.by_power if by == private]


def lays_by_power(table: Table, frame: Track) -> Iterator[tuple[PrivateId, Hex, str]]:
    """Powers that the company may use now, with the hexes and tiles they could be used for."""
    begun = dict.fromkeys(private for private, _ in frame.by_power)
    for private in dict.fromkeys((*begun, *table.powers_for(frame.company))):
        for hex_, tile in meant_for(table, frame.company, private):
            yield private, hex_, tile


def meant_for(table: Table, company: str, private: PrivateId) -> Iterator[tuple[Hex, str]]:
    """Hexes and tiles that a private company's power could be used for on the present map."""
    power = table.title.privates[private].power
    if isinstance(power, HexTilePower):
        if power.first_only and power.hex in table.at.tiles:
            return
        for tile in ordinary(table, power.hex, next_colour(table, power.hex)):
            if not power.tiles or tile in power.tiles:
                yield power.hex, tile
    elif isinstance(power, TilePower):
        for hex_, facts in table.title.hexes.items():
            if power.terrain in facts.terrain and hex_ not in table.at.tiles:
                for tile in power.tiles:
                    yield hex_, tile
    elif isinstance(power, SEVERAL):
        for hex_ in power.hexes if isinstance(power, OwnHexesPower) else near(table, company):
            for tile in ordinary(table, hex_, next_colour(table, hex_)):
                yield hex_, tile


def near(table: Table, company: str) -> list[Hex]:
    """Hexes that a trace from the company's tokens enters or stops in."""
    here = reach(table, company)
    return sorted({hex_ for hex_, _ in here.arrivals} | {hex_ for hex_, _ in here.stops})


def why_not_by_power(table: Table, frame: Track, action: LayTile) -> Refusal | None:
    """Refuse a tile laid by a power where the power does not allow it (Table III, 18GL 4.3)."""
    private = action.power or table.title.power_tiles[action.tile]
    facts = table.title.privates.get(private)
    power = facts.power if facts else None
    if isinstance(power, HexTilePower):
        return _why_not_on_its_hex(table, action, power)
    if isinstance(power, SEVERAL):
        if not hexes_by(frame, private) and (
            refusal := why_not_power(table, private, action.company, "power tile")
        ):
            return refusal
        if isinstance(power, LaysPower):
            return _why_not_beside(table, frame, action, power)
        return _why_not_own_hex(table, frame, action, power)
    if not isinstance(power, TilePower) or action.tile not in power.tiles:
        text = f"{private} has no power to lay tile {action.tile}"
        return table.refuse("power tile", "place", text)
    return _why_not_on_terrain(table, action, private, power)


def _why_not_on_terrain(
    table: Table, action: LayTile, private: PrivateId, power: TilePower
) -> Refusal | None:
    """Require a private company's own tile on an empty hex of its terrain; free, no connection
    (Table III)."""
    if not action.power:
        text = f"Tile {action.tile} is laid by the power of {private} alone"
        hint = f"`use {private}: lay {action.tile} {action.hex}`."
        return table.refuse("power tile", "place", text, hint)
    if refusal := why_not_power(table, private, action.company, "power tile"):
        return refusal
    ground = table.title.hexes[action.hex]
    if action.hex in table.at.tiles or ground.colour or power.terrain not in ground.terrain:
        free = [
            h
            for h, f in table.title.hexes.items()
            if power.terrain in f.terrain and h not in table.at.tiles
        ]
        text = f"Tile {action.tile} goes on an empty {power.terrain} hex"
        return table.refuse("power tile", "place", text, f"Free: {', '.join(free) or 'none'}.")
    if not table.tiles_left(action.tile):
        return table.refuse("tile supply", "supply", f"All tiles {action.tile} are on the map")
    return why_not_exits(table, action.laid)


def _why_not_on_its_hex(table: Table, action: LayTile, power: HexTilePower) -> Refusal | None:
    """Refuse a tile on the private company's hex; connection, cost and number do not count."""
    private, place = action.power, table.place(power.hex)
    if action.hex != power.hex:
        text = f"{private} lays a tile on {place} only"
        return table.refuse("power tile", "place", text)
    if refusal := why_not_power(table, private, action.company, "power tile"):
        return refusal
    if power.first_only and power.hex in table.at.tiles:
        text = f"A tile lies on {place}, so the power of {private} is lost"
        return table.refuse("power tile", "place", text)
    if power.tiles and action.tile not in power.tiles:
        text = f"{private} lays no tile {action.tile}"
        return table.refuse("power tile", "place", text, f"It lays {', '.join(power.tiles)}.")
    return (
        why_not_colour(table, action.laid)
        or why_not_stops_and_track(table, action.laid)
        or why_not_exits(table, action.laid)
    )


def _why_not_beside(
    table: Table, frame: Track, action: LayTile, power: LaysPower
) -> Refusal | None:
    """Allow a few yellow tiles, or one upgrade of a tile older than this turn (18GL 4.3(7))."""
    private, colour = action.power, table.title.tiles[action.tile].colour
    laid = hexes_by(frame, private)
    upgraded = any(table.face(hex_).colour != COLOURS[0] for hex_ in laid)
    new = colour == COLOURS[0]
    if upgraded or len(laid) >= (power.yellow if new else 1):
        text = f"{private} lays {power.yellow} {COLOURS[0]} tiles or one upgrade, not both"
        return table.refuse("lays", "limit", text)
    if not new and colour != power.upgrade_to:
        text = f"{private} lays {COLOURS[0]} tiles, or upgrades one to {power.upgrade_to}"
        return table.refuse("lays", "colour", text)
    if not new and action.hex in frame.hexes:
        text = f"{private} upgrades no tile of this turn, as that on {table.place(action.hex)}"
        return table.refuse("lays", "place", text)
    return why_not_laid(table, action)


def why_not_laid(table: Table, action: LayTile) -> Refusal | None:
    """Refuse as for an ordinary tile, apart from the number of lays and the cost."""
    return (
        why_not_fit(table, action.laid)
        or why_not_money(table, action.company, action.laid, action.power)
        or why_not_connected(table, action.company, action.laid)
        or why_not_shut_out(table, action.company, {action.hex: (action.tile, action.rotation)})
    )


def _why_not_own_hex(
    table: Table, frame: Track, action: LayTile, power: OwnHexesPower
) -> Refusal | None:
    """Allow yellow tiles on the private company's hexes, without connection but joined (18GL
    4.3(2))."""
    private, laid = action.power, hexes_by(frame, action.power)
    if action.hex not in power.hexes:
        places = " and ".join(map(table.place, power.hexes))
        return table.refuse("own hexes", "place", f"{private} lays tiles on {places} only")
    if table.title.tiles[action.tile].colour != COLOURS[0]:
        return table.refuse("own hexes", "colour", f"{private} lays {COLOURS[0]} tiles only")
    if refusal := why_not_fit(table, action.laid) or why_not_money(
        table, action.company, action.laid, action.power
    ):
        return refusal
    if laid and not _join(table, laid[0], action):
        text = f"The tile must join that on {table.place(laid[0])}, which {private} laid too"
        return table.refuse("own hexes", "track", text)
    lays = {action.hex: (action.tile, action.rotation)}
    return why_not_shut_out(table, action.company, lays)


def _join(table: Table, hex_: Hex, action: LayTile) -> bool:
    """Whether the action's tile would meet the track of a hex."""
    side = table.title.grid.side_between(action.hex, hex_)
    exits = table.title.face(action.tile, action.rotation).exits
    return side is not None and side in exits and opposite(side) in table.face(hex_).exits

"""Lists the tiles that a company may lay now, by hex, at several lengths."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine import Choice, Seat
from engine.actions import LaidTile, LayTile
from engine.board.hexes import Hex
from engine.inquiry import TrackStep, allowance, laying_cost
from engine.position.frames import Track
from engine.wording import counted
from service.reports.position import way
from service.reports.scene import Scene
from service.reports.tables import Row

#: the actions that these lists have
KINDS = (LayTile,)

LEVELS = 4
"""The lengths of the list in an email, 0 to 3: all ways, single ways, only tiles, only hexes."""
EVERY = -1
"""The list with a line for each hex, however many there are."""
_LINES = 8
"""The most hexes that have a line of their own in an email."""


@dataclass
class LaySite:
    """A hex and the tiles that may be laid on it, each with its ways."""

    hex: str
    name: str
    power: str = ""
    #: tile → way → dollars
    tiles: dict[str, dict[str, int]] = field(default_factory=dict)

    @property
    def costs(self) -> set[int]:
        """The different costs of the ways, in dollars."""
        return {cost for ways in self.tiles.values() for cost in ways.values()}


def sites(scene: Scene, seat: Seat) -> list[LaySite]:
    """The hexes where the operating company may lay, in the order of the map's coordinates."""
    found: dict[tuple[str, str], LaySite] = {}
    for option in scene.options(seat):
        if isinstance(option, Choice) and isinstance(option.action, LayTile):
            lay = option.action
            key = (lay.power, lay.hex)
            if key not in found:
                name = scene.title.hexes[lay.hex].name
                found[key] = LaySite(lay.hex, name, lay.power)
            ways = found[key].tiles.setdefault(lay.tile, {})
            cost = laying_cost(scene.table, lay.company, lay.laid, lay.power)
            ways[way(scene.title, lay.tile, lay.rotation)] = cost
    return list(found.values())


def lays_on(scene: Scene, hex_: Hex, company: str) -> Iterator[tuple[LaidTile, int]]:
    """The tiles that a company could lay on a hex if it operated now, with dollars."""
    step, turn = TrackStep(), Track(company)
    for option in step.candidates(scene.table, turn):
        lay = option.action if isinstance(option, Choice) else None
        if not isinstance(lay, LayTile) or lay.hex != hex_:
            continue
        if step.why_not(scene.table, turn, lay) is None:
            yield lay.laid, laying_cost(scene.table, company, lay.laid, lay.power)


HOW = "write `{lay}`; `tiles {hex}` shows all ways there"
HOW_OF_MANY = "write `{lay}`; `tiles {hex}` shows all ways there, `options` has a line for each hex"
IN_A_TURN = "in a turn at most {yellow}, or {upgrades}"
PRICES = "dollars after a hex are what the company pays for the tile"


def lay_rows(scene: Scene, seat: Seat, level: int) -> list[Row]:
    """One line for each hex if they are few, otherwise hexes with the same tiles together."""
    every = sites(scene, seat)
    plain = [site for site in every if not site.power]
    rows = []
    few = level == EVERY or len(plain) <= _LINES
    level = max(level, 0)
    if plain and level >= 3:
        names = ", ".join(site.hex for site in plain)
        rows.append(Row("lay", (f"on {names}; `options` has the tiles",)))
    elif plain:
        each = (f"{_place(site)}: {_tiles(site, level)}" for site in plain)
        lines = list(each if few else _together(scene, plain))
        first = plain[0]
        tile, ways = next(iter(first.tiles.items()))
        lay = f"lay {tile} {first.hex} {next(iter(ways))}".replace(" any way", "")
        lines.append((HOW if few else HOW_OF_MANY).format(lay=lay, hex=first.hex))
        lays = allowance(scene.table, scene.view.company)
        tiles = (counted(lays.yellow, "yellow tile"), counted(lays.upgrades, "upgrade"))
        lines.append(IN_A_TURN.format(yellow=tiles[0], upgrades=tiles[1]))
        if any(cost for site in plain for cost in site.costs):
            lines.append(PRICES)
        rows.append(Row("lay", tuple(lines), True))
    return rows + _by_power(every)


def price(dollars: int) -> str:
    """The cost of a tile in words."""
    return f"${dollars}" if dollars else "free"


def prices(costs: Collection[int]) -> str:
    """The lowest and the highest of these costs: "$40", "$0 to $20"."""
    low, high = min(costs), max(costs)
    return price(low) if low == high else f"${low} to ${high}"


def _place(site: LaySite) -> str:
    cost = f" {prices(site.costs)}" if any(site.costs) else ""
    return f"{site.hex} {site.name}".strip() + cost


def _together(scene: Scene, plain: Sequence[LaySite]) -> Iterator[str]:
    """Yellow tiles, then upgrades: the tiles and the hexes on which all of them may be laid."""
    tiles = scene.title.tiles
    for heading, yellow in (("yellow tiles", True), ("upgrades", False)):
        places: dict[str, list[str]] = {}
        for site in plain:
            if (tiles[next(iter(site.tiles))].colour == "yellow") == yellow:
                places.setdefault(" ".join(site.tiles), []).append(_place(site))
        if places:
            told = (f"{which} on {', '.join(there)}" for which, there in places.items())
            yield f"{heading}: {'; '.join(told)}"


def _tiles(site: LaySite, level: int) -> str:
    if level >= 2:
        return " ".join(site.tiles)
    priced = len(site.costs) > 1
    return "; ".join(f"{tile} {_ways(ways, level, priced)}" for tile, ways in site.tiles.items())


def _ways(ways: Mapping[str, int], level: int, priced: bool) -> str:
    """The ways of a tile if they are few; each with its cost if costs differ on the hex."""
    most = 1 if level else 3
    if len(ways) <= most:
        return " or ".join(f"{way} {price(cost)}" if priced else way for way, cost in ways.items())
    cost = f", {prices(ways.values())}" if priced else ""
    return f"({len(ways)} ways{cost})"


def _by_power(every: list[LaySite]) -> list[Row]:
    rows = []
    for power in dict.fromkeys(site.power for site in every if site.power):
        hexes = ", ".join(site.hex for site in every if site.power == power)
        tiles = next(" or ".join(site.tiles) for site in every if site.power == power)
        rows.append(Row("use", (f"`use {power}: lay {tiles} HEX EXITS` on {hexes}",)))
    return rows

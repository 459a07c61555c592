"""The cost of tiles for the company that lays them (4.2.1(f))."""

from engine.actions import LaidTile
from engine.board.hexes import Side
from engine.facts.powers import HexTilePower, TerrainPower, TilePower
from engine.position.table import Table
from engine.position.values import CompanyId, PrivateId
from engine.refusal import Refusal


def laying_cost(table: Table, company: CompanyId, lay: LaidTile, power: PrivateId = "") -> int:
    """Dollars to the bank for a tile; 0 for one that a private company's power lays free."""
    facts = table.title.privates[power].power if power else None
    return 0 if isinstance(facts, TilePower | HexTilePower) else _cost(table, company, lay)


def _cost(table: Table, company: CompanyId, lay: LaidTile) -> int:
    """Cost of the hex for its first tile, of an upgrade to the tile's color, and of bridges.

    The company's markers for a terrain lower the first of these (18GL 4.3(4), (5)).
    """
    facts = table.title.hexes[lay.hex]
    cost = 0 if lay.hex in table.at.tiles else facts.cost
    for mark in table.at.marks:
        power = table.title.privates[mark.private].power
        if mark.company == company and isinstance(power, TerrainPower):
            cost = cost * power.percent // 100 if power.terrain in facts.terrain else cost
    upgrade = facts.upgrade_costs.get(table.title.tiles[lay.tile].colour, 0)
    return cost + upgrade + bridge_cost(table, lay)


def bridge_cost(table: Table, lay: LaidTile) -> int:
    """Dollars for all bridges of a tile (18MW Lay or Upgrade Track)."""
    rivers = table.title.facts.rivers
    return sum(rivers[river].cost for _, river in bridges(table, lay))


def bridges(table: Table, lay: LaidTile) -> list[tuple[Side, str]]:
    """The sides along a river where a tile brings the first track, with the rivers' names.

    The tile on the other side of the river has its own bridge, and its own cost.
    """
    along = table.title.rivers[lay.hex]
    if not along:
        return []
    old, new = table.face(lay.hex), table.title.face(lay.tile, lay.rotation)
    return [(side, along[side]) for side in sorted(new.exits - old.exits) if side in along]


def why_not_money(
    table: Table, company: CompanyId, lay: LaidTile, power: PrivateId = ""
) -> Refusal | None:
    """Refuse a tile that the company cannot pay for (f): terrain and bridges."""
    cost = laying_cost(table, company, lay, power)
    cash = table.at.cash[company]
    if cost <= cash:
        return None
    what = "The first tile" if table.title.hexes[lay.hex].cost else f"Tile {lay.tile}"
    built = dict.fromkeys(river for _, river in bridges(table, lay))
    over = f" with bridges over the {' and the '.join(built)}" if built else ""
    text = (
        f"{what} on {table.place(lay.hex)} costs "
        f"{table.money(cost)}{over}, {company} has {table.money(cash)}"
    )
    return table.refuse("tile cost", "money", text)

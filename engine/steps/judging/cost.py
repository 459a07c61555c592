"""What tiles cost the company that lays them (4.2.1(f))."""

from engine.actions import LaidTile, LayTile
from engine.facts.powers import HexTilePower, TerrainPower, TilePower
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.refusal import Refusal


def laying_cost(table: Table, action: LayTile) -> int:
    """Dollars to the bank for a tile; none for one that a private's power lays free."""
    power = table.title.privates[action.power].power if action.power else None
    if isinstance(power, TilePower | HexTilePower):
        return 0
    return cost_of(table, action.company, LaidTile(action.hex, action.tile, action.rotation))


def cost_of(table: Table, company: CompanyId, lay: LaidTile) -> int:
    """The hex's cost for its first tile, and what an upgrade to the tile's colour costs there.

    The company's markers for a terrain lower the first (18GL 4.3(4), (5)).
    """
    facts = table.title.hexes[lay.hex]
    cost = 0 if lay.hex in table.at.tiles else facts.cost
    for mark in table.at.marks:
        power = table.title.privates[mark.private].power
        if mark.company == company and isinstance(power, TerrainPower):
            cost = cost * power.percent // 100 if power.terrain in facts.terrain else cost
    return cost + facts.upgrade_costs.get(table.title.tiles[lay.tile].colour, 0)


def why_not_money(table: Table, action: LayTile) -> Refusal | None:
    """(f): the cost of the terrain."""
    cost = laying_cost(table, action)
    cash = table.at.cash[action.company]
    if cost <= cash:
        return None
    what = "the first tile" if table.title.hexes[action.hex].cost else f"tile {action.tile}"
    text = f"{what} on {table.place(action.hex)} costs ${cost}, {action.company} has ${cash}"
    return table.refuse("tile cost", "money", text)

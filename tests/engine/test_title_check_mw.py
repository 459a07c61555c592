"""What is found wrong with the kinds of facts that 18MW brings, each by facts with just this fault."""

import pytest
from msgspec.structs import replace

from engine import check
from engine.facts.features import FireSaleFacts, ReceivershipFacts
from engine.facts.places import Borders, RiverFacts
from engine.facts.title import Title
from tests.rules.mw.setting import on

MW = on.title


def having(**changes):
    return Title(replace(MW.facts, **changes), MW.rules, MW.variants)


def part(name, **changes):
    """The facts with some of one part changed."""
    return {name: replace(getattr(MW.facts, name), **changes)}


def entry(table, id_, **changes):
    """The facts with one entry of a list of tables changed."""
    rows = getattr(MW.facts, table)
    return {table: tuple(replace(r, **changes) if r.id == id_ else r for r in rows)}


def rivers(name, cost, *sides):
    return {"rivers": {**MW.facts.rivers, name: RiverFacts(cost, sides)}}


def market(*rows):
    return part("market", rows=rows)


SMALL = MW.facts.small_cities.tiles
HALVES = MW.facts.systems.certificates
CASES = [
    (rivers("Rock", 0, "F14-F16"), "rivers.Rock: a bridge must cost something"),
    (rivers("Rock", 20), "rivers.Rock: runs along no side"),
    (rivers("Rock", 20, "F14-G13", "F12"), "rivers.Rock: F12 are not two hexes side by side"),
    (rivers("Rock", 20, "F14-F18"), "rivers.Rock: F14-F18 are not two hexes side by side"),
    (rivers("Rock", 20, "F14-Z9"), "rivers.Rock: F14-Z9 are not two hexes side by side"),
    (rivers("Rock", 20, "G13-F12"), "rivers.Rock: G13-F12 stands there twice"),
    (
        {**rivers("Rock", 20, "F14-F16"), "borders": Borders(("F14-F16",))},
        "rivers.Rock: F14-F16 is impassable",
    ),
    (market("70p^ 80"), "market.rows, row 1: the arrow at 70p leads up to no space"),
    (market("70pv 80", "- 70"), "market.rows, row 1: the arrow at 70p leads down to no space"),
    (market("70pv_ 80", "60 70"), "market.rows, row 1: the arrow at 70p leads down over a ledge"),
    (market("70p 80e"), "market.rows: 80 ends the game, but there is no end price"),
    (market("70p 80w"), "market.rows, row 1: nothing says what w means at 80w"),
    (part("market", dividend_steps={"u": (3, 1)}), "market.dividend_steps.u: times the price that rise from space to space"),
    (part("market", dividend_steps={"u": ()}), "market.dividend_steps.u: times the price that rise from space to space"),
    (part("stock", par_tokens={"95": 1}), "stock.par_tokens.95: a par value and the tokens that it brings, please"),
    (part("stock", par_tokens={"90": 0}), "stock.par_tokens.90: a par value and the tokens that it brings, please"),
    (part("operating", station_costs=(40,)), "operating.station_costs: a cost and that of each hex are expected"),
    (part("operating", station_trade=-1), "operating.station_trade: is negative"),
    (entry("phase", "4", revenue="middle"), "phase 4: revenue middle is not a color of tiles"),
    (entry("private", "HSJ", revenue_from={"7": 5}), "private HSJ: revenue_from.7: a phase and the revenue from then on, please"),
    (entry("private", "HSJ", revenue_from={"4": -5}), "private HSJ: revenue_from.4: a phase and the revenue from then on, please"),
    (entry("private", "CFH", power=replace(MW.privates["CFH"].power, hex="Z9")), "private CFH: hex names Z9, but there is no such hex of the map"),
    (entry("private", "SLFL", power=replace(MW.privates["SLFL"].power, until="7")), "private SLFL: until names 7, but there is no such phase"),
    (part("systems", companies=("BN", "CR", "CSX", "IC")), "systems.companies: IC is not a company with merger = true"),
    (part("systems", companies=("BN", "CR", "CSX")), "company NW: nothing says how it is formed"),
    (part("systems", phase="7"), "systems.phase: there is no phase 7"),
    (part("systems", certificates=HALVES[:-1]), "systems.certificates: a president's certificate of 10% and others, 100% in all"),
    (part("systems", certificates=(5, *HALVES[:-1])), "systems.certificates: a president's certificate of 10% and others, 100% in all"),
    (part("systems", certificates=(10,) * 10), "systems.certificates: certificates of 10% and 5% are expected"),
    (part("systems", certificates_less=-1), "systems.certificates_less: is negative"),
    ({"connections": MW.facts.connections * 2}, "connection Chicago–San Francisco: stands there twice"),
    (entry("connections", "Chicago–San Francisco", places=("G17", "G1")), "connection Chicago–San Francisco: G17 is not a place of the map"),
    (entry("connections", "Chicago–San Francisco", route=-1), "connection Chicago–San Francisco: its bonus is negative"),
    (entry("connections", "Chicago–San Francisco", token="M7"), "connection Chicago–San Francisco: its token goes to one of its two places, not to M7"),
    (
        {"hex": {**MW.facts.hex, "M7": replace(MW.facts.hex["M7"], stops=("offboard 30 x1",))}},
        "connection New Orleans–Southwest: M7 has 1 circles, 1 of them homes, and none for its token",
    ),
    (part("small_cities", phase="7"), "small_cities.phase: there is no phase 7"),
    (part("small_cities", tiles={**SMALL, "141": ("57",)}), "small_cities.tiles.141: tile 141 is not in the supply"),
    (part("small_cities", tiles={**SMALL, "8": ("6",)}), "small_cities.tiles.8: a yellow tile with a town is expected"),
    (part("small_cities", tiles={**SMALL, "4": ("6",)}), "small_cities.tiles.4: 6 does not lead the same way without a town"),
    (part("small_cities", tiles={**SMALL, "4": ("4",)}), "small_cities.tiles.4: 4 does not lead the same way without a town"),
    ({"fire_sale": FireSaleFacts(0, 5)}, "fire_sale.least: 0% is not a part of the market value"),
    ({"fire_sale": FireSaleFacts(50, 0)}, "fire_sale.step: a bid must be higher than the one before it"),
    ({"receivership": ReceivershipFacts("10")}, "receivership.train: 10 is not a train without limit"),
    ({"hex": {**MW.facts.hex, "M11": replace(MW.facts.hex["M11"], colour="gray")}}, "hex M11: no track leads there"),
    ({"hex": {**MW.facts.hex, "M11": replace(MW.facts.hex["M11"], cost=40)}}, "hex M11: has a cost, but takes no tile"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "said"), CASES, ids=[said for _, said in CASES])
def test_it_is_found(changes, said):
    assert said in check(having(**changes))


def test_a_chart_with_gaps_arrows_and_ledges_has_no_fault():
    rows = ("60 70 80p 90 100p", "50v 60_ 70p^ 80", "40 50 60", "- 40 50_", "- 30y")
    zones = {
        "par_tokens": {},
        "uncounted_zones": ("y",),
        "unlimited_zones": (),
        "several_zones": (),
    }
    facts = {
        **part("market", rows=rows, dividend_steps={}, closing_zones=()),
        **part("stock", **zones),
    }
    assert check(having(**facts)) == ()

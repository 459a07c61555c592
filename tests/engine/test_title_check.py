"""What is found wrong with a title's facts: each finding by facts that have just this fault."""

from importlib import import_module

import pytest
from msgspec.structs import replace

from engine import check, load_title, title_names
from engine.facts.facts import Lays, SeatFacts
from engine.facts.places import Borders, HexFacts, TileFacts
from engine.facts.powers import NameChit, NamesPower
from engine.facts.title import Title
from engine.play.rounds import TURN
from engine.steps.operating.turn_wide import TURN_WIDE
from engine.titles.checks.tiles import UPGRADES_NOTHING, UPGRADES_NOTHING_ON

AL = load_title("18AL")


@pytest.mark.parametrize("name", title_names())
def test_nothing_is_wrong_with_the_titles(name):
    assert check(load_title(name)) == ()
    for variant in import_module(f"engine.titles.t{name.lower()}").VARIANTS:
        assert check(load_title(name, frozenset({variant}))) == (), variant


def having(**changes):
    return Title(replace(AL.facts, **changes), AL.rules, AL.variants)


def stock(**changes):
    return {"stock": replace(AL.facts.stock, **changes)}


def operating(**changes):
    return {"operating": replace(AL.facts.operating, **changes)}


def market(end_price, *rows):
    return {"market": replace(AL.facts.market, end_price=end_price, rows=rows)}


def entry(table, id_, **changes):
    """The facts with one entry of a list of tables changed."""
    rows = getattr(AL.facts, table)
    name = "type" if table == "train" else "id"
    changed = (replace(r, **changes) if getattr(r, name) == id_ else r for r in rows)
    return {table: tuple(changed)}


def hexes(**changes):
    return {"hex": {**AL.facts.hex, **changes}}


def printed(hex_, **changes):
    return hexes(**{hex_: replace(AL.facts.hex[hex_], **changes)})


def supply(colour, **changes):
    return {"supply": {**AL.facts.supply, colour: {**AL.facts.supply[colour], **changes}}}


def reserved(**changes):
    return {"reserved": {**AL.facts.reserved, **changes}}


def power(private, **changes):
    return entry("private", private, power=replace(AL.privates[private].power, **changes))


SEATS = SeatFacts(400, 10)
NORTH = HexFacts(colour="gray", stops=("town 10",), track="5-a")
ROWS = AL.facts.market.rows
CASES = [
    ({"players": {**AL.facts.players, "7": SEATS}}, "players.7: numbers from 2 to 6 are expected"),
    ({"players": {"3": SEATS, "5": SEATS}}, "players: 4 is missing between its neighbours"),
    ({"players": {"3": SeatFacts(0, 10)}}, "players.3: cash and certificates must be more than 0"),
    ({"bank": 2000}, "players.5: they begin with $2000, the bank has $2000 in all"),
    (stock(president=25), "stock.president: a certificate of 25% and others of 10% do not make 100%"),
    (stock(market_limit=55), "stock.market_limit: 55 is not a number of shares of 10%"),
    (stock(float=10), "stock.float: is less than the president's certificate"),
    (stock(first_private=(5, 10)), "stock.first_private: prices that fall from round to round are expected"),
    (stock(bid_step=0), "stock.bid_step: a bid must be higher than the one before it"),
    (operating(lays=Lays(0, 1)), "operating.lays: at least one yellow tile is expected"),
    (operating(first_lays=Lays(2, -1)), "operating.first_lays: at least one yellow tile is expected"),
    (operating(station_costs=()), "operating.station_costs: a cost of the first further token is expected"),
    (operating(private_price=(150, 50)), "operating.private_price: 150% to 50% is not a range"),
    (operating(objective_bonus=-1), "operating.objective_bonus: is negative"),
    ({"turn": ("home", "dance")}, f"turn: dance is none of {', '.join(TURN)}"),
    ({"anytime": ("dance",)}, f"anytime: dance is none of {', '.join(TURN_WIDE)}"),
    ({"anytime": ("company privates",)}, "anytime: marks is missing, so nobody can use the power of S&NA"),
    (market(300, ROWS[0], "5", ROWS[1]), "market.rows, row 3: has 15 spaces, the row above has 1"),
    (market(90, "70p 60 90e"), "market.rows, row 1: 60 stands right of 70"),
    (market(90, "70p 80 90e", "75"), "market.rows, row 2: 75 stands below 70"),
    (market(90, "70px 80 90e"), "market.rows, row 1: nothing says what x means at 70px"),
    (market(90, "70 80 90e"), "market.rows: no space is a par value"),
    (market(90, "70 80p 90e", "60 80p"), "market.rows: the par value 80 stands at two spaces"),
    (market(100, "70p 80 90e"), "market.end_price: no space 100e is on the chart"),
    (market(90, "70p 80e 90e"), "market.rows: 80 ends the game, but the end price is 90"),
    (entry("phase", "4", on=""), "phase 4: no train begins it"),
    (entry("phase", "4", on="4E"), "phase 4: begins with a train 4E, which there is not"),
    (entry("phase", "4", on="2"), "phase 4: begins with a train 2, before the phase above it"),
    (entry("phase", "4", tiles=("yellow", "green", "blue")), "phase 4: tiles of yellow, green, brown, gray are expected"),
    (entry("phase", "4", nth=4), "phase 4: there is no train 4 of number 4"),
    (entry("phase", "4", nth=0), "phase 4: there is no train 4 of number 0"),
    (entry("phase", "4", tiles=("yellow",)), "phase 4: allows no more green"),
    (entry("phase", "4", rounds=0), "phase 4: train limit and rounds must be more than 0"),
    (entry("phase", "4", events=("flood",)), "phase 4: the rules know no event 'flood'"),
    (entry("train", "4", reach=0), "train 4: price, count and reach must not be negative, and reach not 0"),
    (entry("train", "4", obsolete_on="9"), "train 4: obsolete_on names 9, but there is no such phase"),
    (entry("train", "4", removed_on="3"), "train 4: removed_on names 3, which comes before it"),
    (entry("train", "4D", doubles=("port",)), "train 4D: doubles port, which is not a kind of stop"),
    (entry("private", "TR", par=0), "private TR: par must be more than 0, and revenue not less"),
    (power("B&SLC", tiles=("9999",)), "private B&SLC: tiles names 9999, but there is no such tile of the supply"),
    (power("B&SLC", terrain="desert"), "private B&SLC: terrain names desert, but there is no such hex with the terrain"),
    (power("B&SLC", lost_on="9"), "private B&SLC: lost_on names 9, but there is no such phase"),
    (power("S&NA", mark="ship"), "private S&NA: mark names ship, but there is no such hex with the icon"),
    (entry("private", "M&C", power=NamesPower((NameChit("Star", ("A4", "Z9"), 20),))), "private M&C: places names Z9, but there is no such hex of the map"),
    (entry("company", "TAG", tokens=0), "company TAG: needs a token for its home"),
    (entry("company", "TAG", home="Z9"), "company TAG: its home Z9 is not a hex of the map"),
    (entry("company", "TAG", home="B3"), "company TAG: its home B3 has no circle for a token"),
    (entry("company", "TAG", objective="B1"), "company TAG: its objective B1 has no circle for a token"),
    (entry("company", "TAG", president=45), "company TAG, president: a certificate of 45% and others of 10% do not make 100%"),
    (entry("company", "TAG", president=70), "company TAG, float: 60% are not 70% to 100% in shares of 10%"),
    (entry("company", "TAG", float=45), "company TAG, float: 45% are not 20% to 100% in shares of 10%"),
    (entry("company", "TAG", colour="yellow"), "company TAG: 'yellow' is not a color such as #1f4e9e"),
    (entry("company", "TAG", colour="#1F4E9E"), "company TAG: has the color of L&N"),
    (hexes(Z99=HexFacts()), "hex Z99: touches no other hex"),
    (printed("B3", colour="pink"), "hex B3: pink is not a color of a hex"),
    (printed("G4", cost=-20), "hex G4: its cost is negative"),
    (printed("B1", cost=20), "hex B1: has a cost, but takes no tile"),
    (printed("B1", track=""), "hex B1: no track leads there"),
    (printed("B1", track="3-a 5-a"), "hex B1: its track leaves the map on the N side"),
    (printed("B3", colour="yellow", track="0-3"), "hex B3: its track meets the impassable side to D3"),
    (hexes(F1=replace(AL.facts.hex["F1"], track="0-a 3-a"), D1=NORTH), "hex F1: its track on the N side meets nothing in D1"),
    ({"borders": Borders(("B3-F3",))}, "borders.impassable: B3-F3 are not two hexes side by side"),
    ({"borders": Borders(("B3",))}, "borders.impassable: B3 are not two hexes side by side"),
    (supply("green", **{"7": 1}), "supply.green.7: the tile is yellow"),
    (supply("green", **{"7": 1}), "supply: tile 7 is counted under two colors"),
    (supply("yellow", **{"7": -1}), "supply.yellow.7: the number is negative"),
    ({"supply": {**AL.facts.supply, "blue": {}}}, "supply.blue: yellow, green, brown, gray are the colors of tiles"),
    ({"tile": {**AL.facts.tile, "X1": TileFacts("yellow")}}, "tile X1: is not in the supply"),
    ({"supply": {**AL.facts.supply, "gray": {}}}, "supply.gray: a phase allows it, but there are no such tiles"),
    (entry("phase", "4D", tiles=("yellow", "green", "brown")), "supply.gray: no phase allows it"),
    (reserved(Z9={"yellow": "441a"}), "reserved.Z9: is not a hex of the map"),
    (reserved(B1={"yellow": "441a"}), "reserved.B1: takes no tiles"),
    (reserved(G4={"yellow": "9999"}), "reserved.G4.yellow: tile 9999 is not in the supply"),
    (reserved(G4={"yellow": "442a"}), "reserved.G4.yellow: tile 442a is green"),
    (supply("yellow", **{"441a": 2}), "supply: 2 tiles 441a, but only G4 can take them"),
    ({"labelled": {"9999": ("G4",)}}, "labelled.9999: tile 9999 is not in the supply"),
    ({"labelled": {"7": ("Z9",)}}, "labelled.7: Z9 is not a hex of the map"),
    ({"off_map": {"7": ("Z9",)}}, "off_map.7: Z9 is not a hex of the map"),
    ({"barred_upgrades": {"7": ("9999",)}}, "barred_upgrades.7: 9999 is not a tile of the supply"),
    (supply("green", **{"630": 1}), "supply.green.630: the tile is yellow"),
    (reserved(C4={"brown": "41"}), "tile 41: upgrades nothing on C4 that can lie there before it"),
    ({"phase": (*AL.facts.phase, AL.facts.phase[-1])}, "phase 4D: stands there twice"),
    (entry("company", "TAG", also=("LN",)), "company TAG: LN is written like company L&N"),
    (entry("company", "TAG", also=("p1",)), "private TR: p1 is written like company TAG"),
    (entry("private", "TR", also=("M & O",)), "private TR: M & O is written like company M&O"),
    (entry("company", "TAG", name="Mobile and Ohio Railroad"), "company TAG: Mobile and Ohio Railroad is written like company M&O"),
    (entry("company", "TAG", also=("&",)), "company TAG: '&' has no letter or digit to write it by"),
    (printed("K4", name="Florence"), "hex K4: Florence is written like hex C2"),
]  # fmt: skip


def test_an_unlimited_zone_says_what_its_letter_means():
    zones = replace(AL.facts.stock, unlimited_zones=("x",))
    assert not check(having(stock=zones, **market(90, "70px 80 90e")))


@pytest.mark.parametrize(("changes", "said"), CASES, ids=[said for _, said in CASES])
def test_it_is_found(changes, said):
    assert said in check(having(**changes))


def test_a_brown_tile_that_no_green_one_leads_to_is_found():
    greens = {t: n for t, n in AL.facts.supply["green"].items() if t not in ("14", "15")}
    found = check(having(supply={**AL.facts.supply, "green": greens}))
    assert found == (UPGRADES_NOTHING.format(tile=63),)


def test_a_tile_on_a_hex_must_follow_the_one_reserved_there():
    crooked = replace(AL.facts.tile["444b"], track="0-a 1-a")
    found = check(having(tile={**AL.facts.tile, "444b": crooked}))
    assert UPGRADES_NOTHING_ON.format(tile="444b", hex="G4") in found


def test_a_name_that_a_company_and_a_private_share_is_no_fault():
    assert check(having(**entry("private", "TR", name=AL.companies["L&N"].name))) == ()

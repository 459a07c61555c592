"""18TN, its tables, map and chart: figures that the other proofs take for granted."""

import pytest

from engine.events import PriceMoved, PrivatePaid
from engine.steps.stock.private_sale import lowest_bid
from tests.rules.tn.setting import on

#: the chart by its columns, from the top; y and g are the yellow and the green zone
COLUMNS = (
    "60 55 50 45y 40g 35g 25g",
    "70 60 55 50y 45y 40g 30g",
    "80 70 60 55 50y 45y 40g",
    "90 80 70 65 60 55y 50y",
    "100 90 80 75 70 65y 60y",
    "110 100 90 80 75",
    "120 110 100 90 80",
    "130 120 110 100",
    "150 130 120",
    "170 150 130",
    "190 170 150",
    "210 190 170",
    "230 210",
    "250 230",
    "275 250",
    "300",
)


@pytest.mark.rule("18TN 3.2(a)")
@pytest.mark.rule("18TN 3.3(b)")
@pytest.mark.parametrize(("column", "spaces"), list(enumerate(COLUMNS)))
def test_a_price_falls_down_its_column_and_stops_at_the_lowest_space(
    column: int, spaces: str
) -> None:
    """Each sale of a share one space; what lies in a zone does not count toward the limit."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60, "Bob": 20}, at=(0, column))
    for row, space in enumerate(spaces.split()):
        here = on.company(on.stock_turn(), "TC", {"Ann": 60, "Bob": 20}, at=(row, column))
        assert on.price(here, "TC") == int(space.rstrip("yg"))
        assert on.table(here).certificates("Ann") == (0 if space[-1] in "yg" else 5)
        assert on.table(here).player_limit("TC") == (100 if space[-1] == "g" else 60)
    fallen = on.after(state, *[on.sell(1, "TC")] * 4)
    lowest = spaces.split()[min(4, len(spaces.split()) - 1)]
    assert on.price(fallen, "TC") == int(lowest.rstrip("yg"))
    assert len(on.happened(here, on.sell(1, "TC"), PriceMoved)) == 0


@pytest.mark.rule("18TN 3.2(c)(1)")
def test_par_values_stand_on_the_chart_where_their_companies_begin() -> None:
    """$90 in the second row, $80 and $70 in the third, $75 and $65 in the fourth."""
    assert on.TN.chart.pars == {90: (1, 4), 80: (2, 4), 70: (2, 3), 75: (3, 4), 65: (3, 3)}


@pytest.mark.rule("18TN Table I start")
@pytest.mark.parametrize(
    ("train", "reach"), [("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("8", 8)]
)
def test_a_train_stops_as_often_as_its_number_says(train: str, reach: int) -> None:
    """No train of 18TN doubles anything."""
    assert (on.TN.trains[train].reach, on.TN.trains[train].doubles) == (reach, ())


@pytest.mark.rule("18TN Table III TCC")
@pytest.mark.rule("18TN Table III ET&WNC")
@pytest.mark.rule("18TN Table III M&C")
@pytest.mark.rule("18TN Table III O&W")
@pytest.mark.rule("18TN Table III LNR")
@pytest.mark.parametrize(
    ("private", "par", "revenue"),
    [("TCC", 20, 5), ("ET&WNC", 40, 10), ("M&C", 70, 15), ("O&W", 100, 20), ("LNR", 175, 0)],
)
def test_table_3_what_a_private_costs_and_pays(private: str, par: int, revenue: int) -> None:
    """The lowest bid is $5 over par."""
    assert lowest_bid(on.table(on.opening()), private) == par + 5
    state = on.company(on.stock_turn(), "TC", {"Ann": 60}, turns=0)
    state = on.privates(state, {private: "Ann"})
    paid = on.happened(on.end_of_round(state), on.done(), PrivatePaid)
    assert paid == ([PrivatePaid(private, "Ann", revenue)] if revenue else [])


@pytest.mark.rule("18TN Table III ET&WNC")
@pytest.mark.rule("18TN Table III M&C")
@pytest.mark.rule("18TN Table III O&W")
@pytest.mark.parametrize(
    ("private", "hex_"), [("TCC", "H17"), ("ET&WNC", "F19"), ("M&C", "H5"), ("O&W", "E16")]
)
def test_the_power_is_lost_with_any_other_tile_in_its_hex(private: str, hex_: str) -> None:
    """Also in a phase in which an upgrade would be had."""
    state = on.privates(on.turn("SOU", at_phase="3", laid=f"{hex_} 8 1"), {private: "SOU"})
    upgrade = on.lay("SOU", "23", hex_, 1, power=private)
    on.refused(state, upgrade, "Table III", "lost")


#: what the first tile costs, 4.2.1(f)
COSTS = {
    40: "C8 E8 F9 G8 G16 H9 I12 I10 D7 F11 F17 H7",
    60: "B15 C14 C18 D5 D15 D19 E4 E16 F3 F15 G2 G14 H11 H13 I14 I16 J13 H3",
    120: "F19 F21 G18 G20 H17",
}


@pytest.mark.rule("18TN 4.2.1(f)")
def test_what_first_tiles_cost() -> None:
    """All other hexes nothing."""
    found = {name: facts.cost for name, facts in on.TN.hexes.items() if facts.cost}
    assert found == {name: cost for cost, names in COSTS.items() for name in names.split()}


@pytest.mark.rule("18TN 4.2.3.1")
@pytest.mark.parametrize(
    ("hex_", "yellow", "brown"),
    [
        ("A16", 50, 80),
        ("C4", 40, 60),
        ("E22", 60, 40),
        ("H1", 20, 40),
        ("J5", 30, 50),
        ("J11", 30, 40),
        ("J17", 40, 60),
        ("B13", 30, 30),
        ("D11", 10, 10),
        ("G6", 20, 20),
        ("H15", 20, 20),
        ("F17", 0, 0),
    ],
)
def test_what_printed_places_earn(hex_: str, yellow: int, brown: int) -> None:
    """The second value from the first 5 train on, in the last phase as well."""
    (stop,) = on.TN.printed[hex_].stops
    values = {p.id: stop.value(p.tiles[-1]) for p in on.TN.facts.phase}
    late = dict.fromkeys(("5", "6", "6½", "8"), brown)
    assert values == dict.fromkeys(("1", "2", "3", "3½", "4"), yellow) | late


@pytest.mark.rule("18TN Table IV printed")
def test_cities_and_towns_of_the_map() -> None:
    """One circle in each city; P marks the three cities that share their brown and gray tiles."""
    kinds = {
        hex_: " ".join(f"{stop.kind} {stop.slots}" for stop in face.stops)
        for hex_, face in on.TN.printed.items()
        if face.stops and face.colour != "red"
    }
    cities = "B13 B17 D7 F11 F17 G6 G12 H3 H7 H15"
    towns = "C16 D11 E10 F5 F13 I10 J11"
    assert kinds == dict.fromkeys(cities.split(), "city 1") | dict.fromkeys(towns.split(), "town 0")
    labels = {hex_ for hex_, face in on.TN.printed.items() if face.label == "P"}
    assert labels == {"F11", "H3", "H15"}


@pytest.mark.rule("18TN Table IV yellow")
@pytest.mark.rule("18TN Table IV green")
@pytest.mark.rule("18TN Table IV brown")
@pytest.mark.parametrize(
    ("number", "tiles"),
    [
        (1, "16 17 18 19 143 144 TN1 TN2 44 45 46 70 TN3"),
        (2, "3 20 25 28 29 141 142 619 39 40 43 47 145 146 147 170"),
        (3, "4 5 6 14 15 41 42"),
        (4, "7 57 58 23 24 63"),
        (12, "9"),
        (13, "8"),
    ],
)
def test_table_4_how_many_tiles_there_are(number: int, tiles: str) -> None:
    """All others there are none."""
    found = {tile for tile, count in on.TN.supply.items() if count == number}
    assert found == set(tiles.split())


@pytest.mark.rule("18TN 4.2.1(g)")
@pytest.mark.parametrize(
    ("tile", "value", "circles", "exits"),
    [("TN1", 40, 2, 3), ("TN2", 40, 2, 5), ("170", 50, 2, 5), ("TN3", 60, 3, 6)],
)
def test_the_tiles_of_the_three_cities(tile: str, value: int, circles: int, exits: int) -> None:
    """What they earn, for how many stations they have room, how many ways lead out."""
    face = on.TN.face(tile, 0)
    (city,) = face.stops
    assert (city.value("gray"), city.slots, len(face.exits)) == (value, circles, exits)

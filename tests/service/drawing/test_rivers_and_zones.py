"""Rivers along sides of hexes on the map; zones, arrows, ledges and gaps of the stock chart."""

import re
from itertools import pairwise

import pytest

from engine import load_title
from engine.telling.showing import view
from engine.telling.view import ChartView, SpaceView
from service.drawing.geometry import distance
from service.drawing.highlights import Highlights
from service.drawing.map import map_picture, map_svg
from service.drawing.market import chart_picture, market_svg
from service.drawing.sheet import Legend, Livery, Look
from tests.rules.mw.setting import on
from tests.rules.tn.setting import on as tennessee

LAID = "J14 57 1,J16 9 1"
SEEN = view(on.title, on.turn("track", "MP", laid=LAID, at=(9, 3)))
LOOK = Look({c.id: Livery(c.colour, c.text, c.id) for c in SEEN.companies})


def picture():
    return map_picture(SEEN.map, "18MW", Legend("OR 2.1"), Highlights())


def test_rivers_are_drawn_by_what_a_bridge_costs_the_dearest_broad():
    others, mississippi = picture().rivers
    assert (others.broad, mississippi.broad) == (False, True)
    rivers = on.title.facts.rivers
    assert len(mississippi.sides) == len(rivers["Mississippi"].sides)
    assert len(others.sides) == sum(len(r.sides) for r in rivers.values()) - len(mississippi.sides)


def test_a_river_lies_on_the_side_that_it_is_named_for():
    spots = dict(zip((hex_.hex for hex_ in SEEN.map.hexes), picture().spots, strict=True))
    one, other = spots["J14"].at, spots["J16"].at
    left, top = picture().origin
    middle = ((one[0] + other[0]) / 2 - left, (one[1] + other[1]) / 2 - top)
    found = [
        (a, b)
        for a, b in picture().rivers[1].sides
        if distance(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), middle) < 1
    ]
    assert len(found) == 1


def test_the_sides_of_a_river_meet_from_its_source_to_its_mouth():
    sides = picture().rivers[1].sides
    for one, other in pairwise(sides):
        assert min(distance(a, b) for a in one for b in other) < 1


def test_track_is_drawn_over_the_river_that_it_crosses():
    svg = map_svg(SEEN.map, LOOK, "18MW", Legend("OR 2.1"))
    river, track = svg.index('stroke="#1c4f94"'), svg.index('stroke="#111" stroke-width="13"')
    assert river < track
    assert re.findall(r">(river, [^<]*)<", svg) == ["river, $20 a side", "river, $40 a side"]


def test_a_map_without_rivers_says_nothing_of_them():
    seen = view(load_title("18AL"), tennessee.opening(title=load_title("18AL")))
    assert "river," not in map_svg(seen.map, LOOK, "18AL", Legend("SR 1"))


def test_values_beside_four_circles_stand_in_a_column_within_the_hex():
    spot = next(s for s, h in zip(picture().spots, SEEN.map.hexes, strict=True) if h.hex == "G19")
    boxes = [worth.box for worth in spot.drawing.worths]
    assert [worth.text for worth in spot.drawing.worths] == ["40", "60", "80"]
    assert len({box.x for box in boxes}) == 1
    assert [box.y for box in boxes] == sorted(box.y for box in boxes)
    assert all(abs(box.x) + box.width / 2 <= 88 for box in boxes)


def test_the_key_tells_zones_arrows_and_ledges_by_the_facts_of_the_title():
    keys = chart_picture(SEEN.chart, "18MW").keys
    assert {key.kind: key.text for key in keys} == {
        "p": "par value",
        "y": "outside the certificate limit",
        "g": "outside both limits of holdings",
        "b": "outside both limits of holdings, several shares in one purchase",
        "u": "moves 1 right for its price, 2 right for 3 times the price",
        "c": "the company closes",
        "^": "up instead of right",
        "v": "down instead of left",
        "_": "falls no lower",
    }
    assert len({key.y for key in keys}) == 2
    tn = view(tennessee.title, tennessee.opening())
    assert [key.kind for key in chart_picture(tn.chart, "18TN").keys] == ["p", "y", "g", "e"]


def test_every_key_has_a_colour_of_its_own():
    svg = market_svg(SEEN.chart, LOOK, "18MW")
    fills = set(re.findall(r'height="98" fill="(#\w+)"', svg))
    assert len(fills) == 7


def test_closed_spaces_are_drawn_and_gaps_are_not():
    rows = (
        (SpaceView(60, "", ()), SpaceView(70, "p", ())),
        (SpaceView(0, "-", ()), SpaceView(0, "c", ())),
    )
    picture = chart_picture(ChartView(rows, (("c", "the company closes"),)), "18XX")
    assert [space.price for space in picture.spaces] == [60, 70, 0]


@pytest.mark.parametrize(("mark", "count"), [("^", 11), ("v", 10), ("_", 20)])
def test_arrows_and_ledges_are_those_of_the_chart(mark, count):
    spaces = chart_picture(SEEN.chart, "18MW").spaces
    assert sum(mark in space.marks for space in spaces) == count


def test_a_place_that_counts_double_bears_a_disc_in_the_colours_of_the_company():
    state = on.privates(on.turn("track", "MP", laid=LAID), {"CFH": "MP"})
    svg = map_svg(view(on.title, state).map, LOOK, "18MW", Legend("OR 2.1"))
    assert svg.count("×2") == 2  # on the map, and in the legend
    assert ">double value<" in svg
    assert "×2" not in map_svg(SEEN.map, LOOK, "18MW", Legend("OR 2.1"))

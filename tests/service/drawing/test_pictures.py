"""Whole pictures: what they say as SVG, and how large and how constant they are as PNG."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageColor

import engine
from engine import replay
from engine.telling.view import ChartView, MapView, SpaceView
from service.drawing import (
    COLOURS,
    Highlights,
    Legend,
    Livery,
    Look,
    Route,
    labels,
    map_svg,
    market_svg,
    png,
    raster,
    svg,
    tile_svg,
)
from service.drawing import map as board
from service.drawing.geometry import APOTHEM
from service.drawing.labels import text_width
from service.drawing.map import map_picture
from service.drawing.market import chart_picture
from service.reports import Scene
from service.reports.figures import look, map_figure
from service.workshop.practice.bench import recordings
from service.workshop.practice.script import recorded_game
from tests.service.drawing import sample

SVG = "{http://www.w3.org/2000/svg}"
LEGEND = Legend("OR 4.2 · phase 4 · #212", ("4: 1 left, $300",))
POINTED = Highlights(
    frozenset({"H3"}),
    frozenset({"I2", "I4"}),
    (Route(1, COLOURS[0], ("A4", "C4", "E4", "G4")),),
)
PIXELS = 1155
MOST = 125_000
STACKS = {(0, 9): ("L&N",), (1, 6): ("M&O", "WRA"), (2, 3): ("ATN", "ABC", "TAG")}


def words(svg):
    every = ElementTree.fromstring(svg).iter()
    return [text.text for text in every if text.tag in (f"{SVG}text", f"{SVG}tspan")]


def beginning(title):
    found = engine.load_title(title)
    return Scene("", found, engine.new_game(found, ["Ann", "Bob", "Cat"]).state)


def colours(data):
    """The colours of a PNG with the number of their pixels."""
    with Image.open(BytesIO(data)) as image:
        return Counter({c: n for n, c in image.convert("RGB").getcolors()})


def late():
    return map_svg(sample.late_map(), sample.look(), "18AL", LEGEND, POINTED)


def market():
    return market_svg(sample.chart(STACKS), sample.look(), "18AL", "SR 4")


def test_the_map_names_places_stations_and_what_the_legend_says():
    said = words(late())
    assert {"Nashville", "ATN", "WRA", "L&N", "18AL", LEGEND.heading, *LEGEND.lines} <= set(said)
    assert {"new since your last turn", "can be built in now", "run 1"} <= set(said)
    assert "G4" in said


def test_a_title_is_text_and_never_markup():
    svg = map_svg(sample.empty_map(), sample.look(), "<b>&", Legend())
    assert "<b>&" in words(svg)


def test_an_unknown_company_is_shown_by_its_id():
    svg = map_svg(sample.late_map(), Look({}), "18AL", Legend())
    assert "WRA" in words(svg)


def test_a_company_is_shown_by_its_label_in_its_colours():
    look = Look({"WRA": Livery("#123456", "#fedcba", "W")})
    svg = map_svg(sample.late_map(), look, "18AL", Legend())
    assert "W" in words(svg)
    assert "#123456" in svg


def test_a_side_that_is_named_from_both_hexes_is_drawn_once():
    assert len(sample.late_map().impassable) == 2
    assert len(map_picture(sample.late_map(), "18AL", LEGEND, Highlights()).barriers) == 1


def test_the_legend_takes_a_free_corner_and_else_a_strip_below():
    view = sample.empty_map()
    strip = map_picture(view, "18AL", LEGEND, Highlights())
    assert strip.legend.box.top > max(spot.at[1] for spot in strip.spots)
    few = MapView("flat", tuple(h for h in view.hexes if h.x <= 3 or h.y <= 4), ())
    corner = map_picture(few, "18AL", LEGEND, Highlights())
    box = corner.legend.box
    assert box.top + box.height <= max(spot.at[1] for spot in corner.spots) + APOTHEM + 1


def test_everything_lies_on_the_page():
    picture = map_picture(sample.late_map(), "18AL", LEGEND, POINTED)
    for spot in picture.spots:
        assert 100 < spot.at[0] < picture.width - 100
        assert 87 < spot.at[1] < picture.height - 87
    head = picture.head
    assert head.box.left + head.box.width + text_width(head.heading, head.heading_size) < (
        picture.width
    )


def test_the_page_of_a_small_map_has_room_for_its_head_and_legend():
    view = MapView("flat", sample.empty_map().hexes[:1], ())
    long = Legend(
        "OR 4.2 · phase 4 · #212", ("a line of the legend that is wider than a hex " * 2,)
    )
    picture = map_picture(view, "18AL", long, Highlights())
    assert picture.head.heading_size > 20
    assert picture.legend.entries[0].entry.width < picture.legend.box.width < picture.width
    assert abs(picture.spots[0].at[0] - picture.width / 2) < 1


def test_tiles_stand_in_a_row_with_their_captions():
    svg = tile_svg(
        "pointy", [sample.tile("57"), sample.tile("14", 1)], sample.look(), ["57", "14 b"]
    )
    assert {"57", "14 b", "20", "30"} <= set(words(svg))


def test_the_chart_shows_every_price_and_each_stack_from_the_top():
    said = words(market())
    prices = [str(space.price) for row in sample.chart({}).rows for space in row]
    assert sorted(w for w in said if w.isdigit() and int(w) >= 30) == sorted(prices)
    assert [w for w in said if w[:2] in ("1 ", "2 ", "3 ")] == [
        "1 M&O",
        "2 WRA",
        "1 ATN",
        "2 ABC",
        "3 TAG",
        "1 is the top of a stack",
    ]


def test_chips_stay_in_their_space_however_many():
    six = ("L&N", "M&O", "WRA", "ATN", "ABC", "TAG")
    for number in range(1, 7):
        picture = chart_picture(ChartView(((SpaceView(90, "p", six[:number]),),)), "18AL")
        space = picture.spaces[0]
        assert [chip.company for chip in space.chips] == list(six[:number])
        for chip in space.chips:
            assert chip.box.left >= space.box.left
            assert chip.box.top >= space.box.top + 28
            assert chip.box.top + chip.box.height <= space.box.top + space.box.height


def test_the_key_of_the_chart_explains_the_kinds_it_has_and_no_others():
    keys = chart_picture(sample.chart({}), "18AL").keys
    assert [key.kind for key in keys] == ["p", "y", "e"]
    assert not chart_picture(ChartView(((SpaceView(90, "", ()),),)), "18AL").keys


def test_the_same_position_gives_the_same_bytes_within_the_budget():
    picture = png(late(), PIXELS)
    png.cache_clear()
    labels.ink.cache_clear()
    assert png(late(), PIXELS) == picture
    assert len(picture) <= MOST
    with Image.open(BytesIO(picture)) as image:
        assert image.width == PIXELS
        assert image.mode == "P"
    assert len(png(market(), PIXELS)) <= 40_000


@pytest.mark.parametrize(
    "title",
    ["18AL", *(pytest.param(n, marks=pytest.mark.long) for n in ("18GA", "18GL", "18MW", "18TN"))],
)
def test_a_late_map_is_sharp_and_within_the_budget(title):
    game = next(game for game in recordings() if game.title.name == title)
    *_, last = (o.state for o in replay(game.title, game.start, game.actions) if o.state.stack)
    tiles = [*last.tiles]
    for new, buildable in ((tiles[-4:], []), (tiles[-12:], tiles[:12])):
        figure = map_figure(Scene("dixie7", game.title, last), frozenset(new), frozenset(buildable))
        assert figure.width == 700
        assert figure.pixels == PIXELS
        assert len(png(figure.svg, figure.pixels)) <= MOST


@pytest.mark.parametrize("title", engine.title_names())
def test_liveries_of_companies_are_exact_on_every_picture(title):
    scene = beginning(title)
    liveries = look(scene).companies
    spaces = tuple(SpaceView(90, "", (company,)) for company in liveries)
    there = colours(png(market_svg(ChartView((spaces,)), look(scene), title), PIXELS))
    for company, livery in liveries.items():
        # most of a disc 50 wide is neither its letters nor its ring
        assert there[ImageColor.getrgb(livery.fill)] > 400, company


@pytest.mark.long
@pytest.mark.parametrize("title", engine.title_names())
def test_a_picture_has_the_colours_of_all_companies_whether_they_are_on_it_or_not(title):
    scene = beginning(title)
    named = {c for one in look(scene).companies.values() for c in (one.fill, one.text)}
    with Image.open(BytesIO(png(map_figure(scene).svg, 300))) as image:
        palette = [*zip(*[iter(image.getpalette())] * 3, strict=True)]
    assert {ImageColor.getrgb(colour) for colour in named} <= set(palette)
    assert len(palette) == len(set(palette)) <= 256


def test_what_a_move_leaves_as_it_was_is_shared_by_both_pictures():
    lays = {**sample.LAYS, "K4": ("9", 0)}
    before = sample.board(sample.LAYS, sample.STATIONS, "brown")
    after = sample.board(lays, sample.STATIONS, "brown")
    png(map_svg(before, sample.look(), "18AL", LEGEND), PIXELS)
    hexes, drawn = svg._part.cache_info(), labels.ink.cache_info()
    texts = raster._texts.cache_info()
    outlines = board._outlines.cache_info(), svg.segments.cache_info()
    png(map_svg(after, sample.look(), "18AL", LEGEND), PIXELS)
    # of the hex itself track and the rest, and no label but the number of its tile
    assert svg._part.cache_info().misses - hexes.misses == 2
    assert labels.ink.cache_info().misses - drawn.misses <= 1
    assert raster._texts.cache_info().hits - texts.hits > len(before.hexes)
    for kept, then in zip((board._outlines, svg.segments), outlines, strict=True):
        assert kept.cache_info().misses == then.misses


@pytest.mark.parametrize(
    "title",
    ["18AL", *(pytest.param(n, marks=pytest.mark.long) for n in ("18GA", "18GL", "18MW", "18TN"))],
)
def test_a_map_of_which_only_the_changes_are_drawn_is_the_same_to_the_byte(title, monkeypatch):
    game, begun, parts = recorded_game(title), raster._begun, []
    compressed, packed = raster._compressed, []

    def noted(things, colours, whole):
        image, bands, found = begun(things, colours, whole)
        parts.append(sum(part.area for part in found) / whole.area)
        return image, bands, found

    def counted(lines, start, end):
        packed.append(end - start)
        return compressed(lines, start, end)

    monkeypatch.setattr(raster, "_begun", noted)
    monkeypatch.setattr(raster, "_compressed", counted)
    shown = []
    laid = [at for at, one in enumerate(game.actions, 1) if one.lays][-8:]
    for at in laid:
        scene, earlier = Scene("d1", game.title, game.states[at]), game.states[at - 12].tiles
        new = frozenset(h for h, lay in scene.state.tiles.items() if earlier.get(h) != lay)
        shown.append(map_figure(scene, new, runs=game.actions[at - 1].runs))
    png.cache_clear()
    raster._drawn.clear()
    after_others = [png(figure.svg, figure.pixels) for figure in shown]
    in_parts, after_changes = sum(share < 0.5 for share in parts), len(packed)
    assert len(laid) == len(parts) == 8
    for figure, drawn in zip(shown, after_others, strict=True):
        png.cache_clear()
        raster._drawn.clear()
        assert png(figure.svg, figure.pixels) == drawn
    assert in_parts >= 4
    # bands without a change are those of the earlier page
    assert after_changes < len(packed) - after_changes


def test_flat_colours_stay_what_they_are_in_the_picture():
    there = colours(png(late(), PIXELS))
    ground = {"#dfe8c5", "#fbdc4d", "#8fcb7b", "#bd8448", "#dd6a58", "#f6efdc"}
    assert all(there[ImageColor.getrgb(colour)] > 1000 for colour in ground)


def test_coordinates_lie_above_all_else_on_every_hex_large_and_in_a_light_rim():
    drawn = [e for e in ElementTree.fromstring(late()).iter() if not e.tag.endswith("}tspan")]
    last = max(i for i, e in enumerate(drawn) if len(e) and e.tag == f"{SVG}text")
    hexes = sample.late_map().hexes
    assert [part.text for part in drawn[last]] == [hex_.hex for hex_ in hexes]
    # behind them comes the legend alone
    assert all(e.tag != f"{SVG}polygon" for e in drawn[last:])
    style = drawn[last].attrib
    assert (style["fill"], style["stroke"], style["paint-order"]) == ("#111", "#fff", "stroke")
    # capitals of more than 4 px where the map is 640 px wide
    picture = map_picture(sample.late_map(), "18AL", LEGEND, POINTED)
    assert float(style["font-size"]) * 0.71 * 640 / picture.width > 4


def test_only_the_sides_where_the_map_ends_are_its_rim():
    alone = MapView("flat", sample.empty_map().hexes[:1], ())
    picture = map_picture(alone, "18AL", LEGEND, Highlights())
    assert len(picture.sides) == len(picture.rim) == 6
    whole = map_picture(sample.empty_map(), "18AL", LEGEND, Highlights())
    hexes = len(sample.empty_map().hexes)
    assert len(whole.rim) < len(whole.sides)
    assert len(whole.sides) * 2 - len(whole.rim) == hexes * 6


@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_text_is_really_drawn_with_the_shipped_fonts(weight):
    bold = ' font-weight="700"' if weight == "bold" else ""
    svg = market()
    picked = [
        t
        for t in re.findall(r"<text.*?</text>", svg, re.S)
        if (bold in t if bold else "font-weight" not in t)
    ]
    assert picked
    without = svg
    for text in picked:
        without = without.replace(text, "")
    assert png(svg, 500) != png(without, 500)


@pytest.mark.parametrize(("anchor", "left"), [("start", 60), ("middle", 40), ("end", 20)])
def test_a_label_lies_where_its_groups_put_it(anchor, left):
    inner = f'<text x="5" y="20" font-size="20" text-anchor="{anchor}" fill="#f00">HH</text>'
    groups = f'<g transform="translate(40,10)"><g transform="translate(10,5) scale(2)">{inner}'
    rect = '<rect width="200" height="100" fill="#fff"/>'
    page = f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 200 100">{rect}{groups}</g></g></svg>'
    with Image.open(BytesIO(png(page, 200))) as image:
        drawn = ImageChops.invert(image.convert("RGB").getchannel("G")).getbbox()
    wide = labels.text_width("HH", 40)
    aligned = {"start": 0, "middle": wide / 2, "end": wide}[anchor]
    assert drawn[0] == pytest.approx(60 - aligned, abs=5)
    assert drawn[2] == pytest.approx(60 - aligned + wide, abs=5)
    # its base line, and capitals above it
    assert drawn[3] == pytest.approx(55, abs=1)
    assert drawn[1] == pytest.approx(55 - 0.71 * 40, abs=1)


def test_the_rim_of_a_label_is_around_its_letters():
    text = '<text x="30" y="60" font-size="40" fill="#f00"{}>I</text>'
    rim = ' stroke="#00f" stroke-width="8" stroke-linejoin="round" paint-order="stroke"'
    page = (
        f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 80 80"><rect width="80" height="80" fill="#fff"/>'
    )
    plain, rimmed = (colours(png(f"{page}{text.format(style)}</svg>", 80)) for style in ("", rim))
    assert rimmed[255, 0, 0] == plain[255, 0, 0] > 50
    assert rimmed[0, 0, 255] > 100 and not plain[0, 0, 255]


@pytest.mark.parametrize(
    "svg",
    [
        "no picture",
        "",
        "<svg/>",
        f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 0 10"/>',
        f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 nan 10"/>',
        '<picture viewBox="0 0 10 10"/>',
        f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 10 10"><rect',
        f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 10 10"><rect width="9" height="9" fill="#12"/></svg>',
    ],
)
def test_what_is_no_svg_is_refused(svg):
    with pytest.raises(ValueError):
        png(svg, 100)


def test_a_picture_has_the_shape_of_its_view_and_the_width_that_was_asked_for():
    svg = f'<svg xmlns="{SVG[1:-1]}" viewBox="0 0 33.3 11.1"><rect width="9" height="9"/></svg>'
    with Image.open(BytesIO(png(svg, 300))) as image:
        assert image.size == (300, 100)


def test_pictures_are_drawn_in_any_thread():
    svg = tile_svg("flat", [sample.tile("57")], sample.look())
    here = png(svg, 210)
    png.cache_clear()
    with ThreadPoolExecutor(2) as threads:
        assert set(threads.map(png, [svg] * 4, [210] * 4)) == {here}

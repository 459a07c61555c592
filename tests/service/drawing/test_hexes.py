"""What is drawn in a hex, and that it keeps clear of itself."""

import pytest
from msgspec.structs import replace

from engine.telling.view import HexView, StopView
from service.drawing.geometry import CITY, distance, outside
from service.drawing.hexes import PLATE, SCALE, VALUE, drawing, token_size
from service.drawing.labels import text_width
from service.drawing.room import Box, Room, Wish, around, rows
from tests.service.drawing import sample

LAYOUTS = pytest.mark.parametrize("layout", ["flat", "pointy"])


def test_a_box_takes_the_free_wish_and_what_is_taken_stays_taken():
    room = Room("flat")
    wishes = [Wish((0, 0)), Wish((0, 40), 1)]
    assert room.put(30, 20, wishes).y == 0
    assert room.put(30, 20, wishes).y == 40


def test_a_disc_may_stand_deeper_in_a_corner_than_a_box():
    room = Room("flat")
    box, disc = Box(80, 0, 30, 30), Box(80, 0, 30, 30, True)
    assert room.crowding(disc, 0) < room.crowding(box, 0)


def test_what_collides_costs_more_the_deeper_it_does():
    room = Room("flat")
    room.take_disc((0, 0), 20)
    costs = [room.crowding(Box(x, 0, 10, 10)) for x in (10, 20, 30)]
    assert costs[0] > costs[1] > costs[2] == 0


def test_wishes_begin_with_the_nearest():
    assert min(around((5, 5), (20, 30), -45), key=lambda wish: wish.cost).cost == 0
    best = min(rows((0.0, 0.0)), key=lambda wish: wish.cost)
    assert best.point == (0.0, 0.0)


@LAYOUTS
@pytest.mark.parametrize("name", sorted(sample.faces()))
@pytest.mark.parametrize("rotation", [0, 1, 5])
def test_revenues_keep_clear_of_circles_and_within_the_hex(layout, name, rotation):
    drawn = drawing(layout, sample.tile(name, rotation, "D4"))
    assert len(drawn.values) == len(sample.faces()[name].stops)
    for value in drawn.values:
        at = (value.box.x, value.box.y)
        assert outside(layout, at, 0, 0, VALUE) < 1
        for city in drawn.cities:
            assert min(distance(at, c.point) for c in city.circles) >= CITY + VALUE - 2
        for other in drawn.values:
            if other is not value:
                assert distance(at, (other.box.x, other.box.y)) >= 2 * VALUE


def test_names_of_the_map_lie_within_their_hexes():
    for hex_ in (*sample.empty_map().hexes, *sample.late_map().hexes):
        name = drawing("flat", hex_).name
        if hex_.name:
            width = max(text_width(line, name.size, name.bold) for line in name.lines)
            assert outside("flat", (name.x, name.base - name.size / 3), width, 2) < 1
        else:
            assert name is None


def test_a_long_name_is_broken_at_a_space():
    hex_ = next(h for h in sample.empty_map().hexes if h.name == "Gulf of Mexico")
    assert " ".join(drawing("flat", hex_).name.lines) == "Gulf of Mexico"
    assert len(drawing("flat", hex_).name.lines) == 2


def test_the_same_hex_elsewhere_is_the_same_drawing():
    hex_ = sample.late_map().hexes[0]
    assert drawing("flat", hex_) is drawing("flat", replace(hex_, x=7, y=9))


def test_the_value_that_counts_now_is_the_newest_of_its_size():
    hex_ = next(h for h in sample.late_map().hexes if h.hex == "G8")
    worths = drawing("flat", hex_).worths
    assert [(w.colour, w.text, w.now) for w in worths] == [
        ("yellow", "40", False),
        ("brown", "70", True),
    ]
    hex_ = next(h for h in sample.empty_map().hexes if h.hex == "G8")
    assert [w.now for w in drawing("flat", hex_).worths] == [True, False]


def test_a_home_is_kept_in_the_first_free_circle():
    stop = StopView("city", 40, (), ("L&N", "", ""), ("WRA",))
    hex_ = HexView("D4", 0, 0, "", "brown", "", 0, (), (), (stop,), ((0, 6),), "", 0, ())
    circles = drawing("flat", hex_).cities[0].circles
    assert [(c.company, c.home) for c in circles] == [("L&N", ""), ("", "WRA"), ("", "")]


@LAYOUTS
def test_icons_with_names_in_capitals_are_whole_and_words_are_cut(layout):
    """A long name has a plate of its width under the terrain; short ones are alike."""
    icons = ("ET&WNC", "O&W", "hospital")
    hex_ = HexView("F19", 0, 0, "", "", "", 120, ("mountain",), icons, (), (), "", 0, ())
    drawn = drawing(layout, hex_)
    assert [sign.text for sign in drawn.signs] == ["ET&WNC", "O&W", "HOS"]
    assert [sign.width > PLATE for sign in drawn.signs] == [True, False, False]
    long = drawn.signs[0]
    assert text_width(long.text, 11, True) < long.width
    assert long.box.top >= drawn.toll.box.top + drawn.toll.box.height
    assert outside(layout, (long.box.x, long.box.y), SCALE * long.width, SCALE * 22) == 0


@pytest.mark.parametrize("label", ["B", "P", "Atl", "Sav"])
@LAYOUTS
def test_a_label_keeps_away_from_the_edge_of_its_hex_and_from_circles(layout, label):
    """In a hex with three cities as well as in one with one."""
    city = StopView("city", 0, (), ("",), ())
    for cities in (1, 3):
        stops = (city,) * cities
        hex_ = HexView("D4", 0, 0, "Atlanta", "", label, 0, (), (), stops, (), "", 0, ())
        drawn = drawing(layout, hex_)
        box = drawn.label.box
        assert outside(layout, (box.x, box.y), box.width, box.height, 7) < 1
        for found in drawn.cities:
            for circle in found.circles:
                dx = max(0.0, abs(circle.point[0] - box.x) - box.width / 2)
                dy = max(0.0, abs(circle.point[1] - box.y) - box.height / 2)
                assert distance((dx, dy), (0, 0)) >= CITY


def test_track_that_shares_no_end_is_bridged_and_track_that_does_is_joined():
    assert [len(t) for t in drawing("flat", sample.tile("20")).tracks] == [1, 1]
    assert [len(t) for t in drawing("flat", sample.tile("23")).tracks] == [2]
    assert [len(t) for t in drawing("flat", sample.tile("47")).tracks] == [4]


def test_terrain_is_drawn_until_a_tile_covers_it():
    empty = {h.hex: drawing("flat", h) for h in sample.empty_map().hexes}
    late = {h.hex: drawing("flat", h) for h in sample.late_map().hexes}
    assert empty["D5"].toll.text == "$60"
    assert empty["D5"].toll.terrain == ("mountain", "river")
    assert late["D5"].toll is None
    assert empty["A2"].toll is None


def test_off_the_board_track_is_an_arrow_a_side():
    drawn = {h.hex: drawing("flat", h) for h in sample.empty_map().hexes}
    assert [len(drawn[name].arrows) for name in ("B1", "A4", "Q2")] == [1, 2, 3]
    assert all(not drawn[name].tracks for name in ("B1", "A4", "Q2"))


@pytest.mark.parametrize("label", ["L&N", "M&O", "WRA", "ATN", "C", "NYNH&H"])
def test_the_text_of_a_token_fits_its_disc(label):
    assert text_width(label, token_size(label, 25), True) <= 2 * 25 - 11

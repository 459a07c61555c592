"""Points, curves and places of stops, as numbers."""

from math import isclose, radians, sin

import pytest

from engine.board.hexes import STEPS, opposite
from service.drawing.geometry import (
    APOTHEM,
    CITY,
    R,
    add,
    arrow,
    between_sides,
    centre,
    circles,
    corners,
    distance,
    middle,
    outside,
    plan,
    polar,
    side_angle,
    side_ends,
    to_point,
)

LAYOUTS = pytest.mark.parametrize("layout", ["flat", "pointy"])


def close(one, other):
    return distance(one, other) < 1e-6


@LAYOUTS
@pytest.mark.parametrize("side", range(6))
def test_neighbours_share_the_middle_and_the_ends_of_their_side(layout, side):
    near = centre(layout, *STEPS[layout][side])
    assert close(middle(layout, side), add(near, middle(layout, opposite(side))))
    one, other = side_ends(layout, side)
    theirs = [add(near, end) for end in side_ends(layout, opposite(side))]
    assert close(one, theirs[1])
    assert close(other, theirs[0])


def test_side_0_is_the_bottom_where_tops_are_flat_and_bottom_left_where_they_are_pointed():
    assert close(middle("flat", 0), (0, APOTHEM))
    assert close(middle("pointy", 0), (-APOTHEM / 2, APOTHEM * sin(radians(60))))
    assert close(middle("pointy", 1), (-APOTHEM, 0))


@LAYOUTS
def test_corners_lie_at_the_ends_of_the_sides(layout):
    for side in range(6):
        one, other = side_ends(layout, side)
        assert close(one, corners(layout)[side])
        assert close(other, corners(layout)[(side + 1) % 6])


@LAYOUTS
@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 5), (0, 2), (4, 2), (0, 3), (5, 2)])
def test_track_leaves_both_sides_at_right_angles(layout, one, other):
    curve = between_sides(layout, one, other)
    assert close(curve.start, middle(layout, one))
    assert close(curve.end, middle(layout, other))
    for side, towards in ((one, curve.one), (other, curve.two)):
        inwards = polar(side_angle(layout, side), APOTHEM - distance(towards, middle(layout, side)))
        assert close(towards, inwards)


def test_a_sharp_curve_is_an_arc_around_the_corner_and_a_gentle_one_around_the_neighbours():
    sharp, gentle = between_sides("flat", 0, 1), between_sides("flat", 0, 2)
    corner = corners("flat")[1]
    beyond = polar(side_angle("flat", 1), 2 * APOTHEM)
    for t in (0.1, 0.3, 0.5, 0.8):
        assert isclose(distance(sharp.at(t), corner), R / 2, rel_tol=0.01)
        assert isclose(distance(gentle.at(t), beyond), 1.5 * R, rel_tol=0.01)


def test_a_straight_is_straight_and_a_reversed_curve_runs_the_other_way():
    straight = between_sides("flat", 0, 3)
    assert all(abs(x) < 1e-6 for x, _ in straight.samples(7))
    assert isclose(straight.heading(0.5), -90)
    assert isclose(straight.reversed.heading(0.5), 90)
    assert close(straight.reversed.at(0.25), straight.at(0.75))


def test_parts_of_a_curve_join_where_it_was_split():
    before, after = between_sides("flat", 0, 2).split(0.3)
    assert close(before.end, after.start)
    assert close(before.at(0.5), between_sides("flat", 0, 2).at(0.15))


@LAYOUTS
def test_track_to_a_point_ends_there(layout):
    curve = to_point(layout, 2, (10, 20))
    assert close(curve.end, (10, 20))
    assert close(curve.start, middle(layout, 2))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_circles_of_a_city_touch_and_do_not_overlap(number):
    around = circles(number)
    assert len(around) == number
    apart = [distance(a, b) for i, a in enumerate(around) for b in around[:i]]
    if apart:
        assert isclose(min(apart), 2 * CITY - 2)
    assert isclose(sum(x for x, _ in around), 0, abs_tol=1e-6)


def test_two_circles_stand_in_a_row_and_three_in_a_triangle_with_a_level_base():
    assert {y for _, y in circles(2)} == {0.0}
    top, right, left = circles(3)
    assert top[1] < 0
    assert isclose(right[1], left[1])
    assert all(abs(one[1] - two[1]) < 1e-6 for one, two in (circles(4)[:2], circles(4)[2:]))


def test_a_city_alone_stands_in_the_middle():
    places = plan("flat", (("city", 2),), ((0, 6), (1, 6))).places
    assert places[0].point == (0, 0)
    assert places[0].heading is None


def test_a_town_between_two_sides_is_a_bar_across_the_curve():
    outline = plan("flat", (("town", 0),), ((0, 6), (6, 1)))
    whole = between_sides("flat", 0, 1)
    assert close(outline.places[0].point, whole.at(0.5))
    assert isclose(outline.places[0].heading, whole.heading(0.5))
    into, out = outline.curves
    assert close(into.start, middle("flat", 0))
    assert close(into.end, out.start)
    assert close(out.end, middle("flat", 1))


def test_a_town_where_three_sides_meet_is_a_dot_in_the_middle():
    place = plan("flat", (("town", 0),), ((0, 6), (2, 6), (4, 6))).places[0]
    assert place.heading is None
    assert place.point == (0, 0)


def test_towns_on_tracks_that_cross_stand_off_the_crossing():
    outline = plan("flat", (("town", 0), ("town", 0)), ((0, 6), (3, 6), (1, 7), (4, 7)))
    one, other = outline.places
    assert distance(one.point, other.point) > 30
    assert all(distance(place.point, (0, 0)) > 15 for place in outline.places)


@LAYOUTS
@pytest.mark.parametrize(
    "track",
    [
        (),
        ((0, 6), (2, 7), (4, 8)),
        ((0, 6), (1, 6), (2, 7), (3, 7), (4, 8), (5, 8)),
        ((0, 6), (1, 7), (2, 8)),
    ],
)
def test_three_cities_in_a_hex_keep_clear_of_each_other_and_within_it(layout, track):
    places = plan(layout, (("city", 1),) * 3, track).places
    points = [place.point for place in places]
    assert min(distance(a, b) for i, a in enumerate(points) for b in points[:i]) >= 2 * CITY
    assert all(outside(layout, point, 0, 0, CITY) == 0 for point in points)


def test_each_of_two_cities_stands_before_its_own_side():
    one, other = plan("flat", (("city", 1), ("city", 1)), ((0, 6), (3, 7))).places
    assert one.point[1] > 30
    assert other.point[1] < -30


def test_off_the_board_a_station_steps_back_from_the_arrows():
    place = plan("flat", (("offboard", 1),), ((0, 6),)).places[0]
    assert place.point[1] < 0
    assert len(place.circles) == 1
    assert plan("flat", (("offboard", 0),), ((0, 6),)).places[0].circles == ()


@LAYOUTS
def test_an_arrow_points_from_its_side_to_the_middle(layout):
    left, tip, right = arrow(layout, 3, 20, 30)
    assert isclose(distance(left, right), 20)
    assert isclose(distance(tip, (0, 0)), APOTHEM - 30)
    assert close(((left[0] + right[0]) / 2, (left[1] + right[1]) / 2), middle(layout, 3))


def test_outside_measures_how_far_a_box_leaves_the_hex():
    assert outside("flat", (0, 0), 90, 100) == 0
    assert isclose(outside("flat", (0, APOTHEM), 0, 10), 5)
    assert isclose(outside("flat", (0, APOTHEM), 0, 10, 3), 8)


def test_track_between_two_stops_joins_them():
    outline = plan("flat", (("city", 1), ("city", 1)), ((0, 6), (6, 7), (3, 7)))
    between = outline.curves[1]
    assert close(between.start, outline.places[0].point)
    assert close(between.end, outline.places[1].point)

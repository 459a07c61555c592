"""Routes follow the drawn track."""

import pytest

from engine.telling.view import HexView, MapView, StopView
from service.drawing.geometry import distance
from service.drawing.hexes import drawing
from service.drawing.highlights import COLOURS, Route, line
from tests.service.drawing import sample


def drawn(route):
    view = sample.late_map()
    return line(view, {h.hex: drawing(view.layout, h).plan for h in view.hexes}, route, [])


def test_a_route_is_one_unbroken_line_from_stop_to_stop():
    run = drawn(Route(1, COLOURS[0], ("A4", "C4", "E4", "G4", "F5", "G6")))
    for one, other in zip(run.curves, run.curves[1:], strict=False):
        assert distance(one.end, other.start) < 1e-6
    # Two hexes with one piece of track, two ends with one, and two pieces in each city between.
    assert len(run.curves) == 1 + 2 + 1 + 2 + 1 + 1
    assert len(run.badges) == 2


def over(hexes, route):
    view = MapView("flat", tuple(hexes), ())
    return line(view, {h.hex: drawing("flat", h).plan for h in hexes}, route, [])


def hex_(name, y, stops, track):
    places = tuple(StopView("city", 20, (), ("",), ()) for _ in range(stops))
    return HexView(name, 0, y, "", "green", "", 0, (), (), places, track, "", 0, ())


def test_a_route_stops_where_it_says_and_else_takes_the_plain_track():
    hexes = (
        hex_("A1", 0, 1, ((0, 6),)),
        hex_("A3", 2, 1, ((0, 3), (0, 6), (3, 6))),
        hex_("A5", 4, 1, ((3, 6),)),
    )
    way = ("A1", "A3", "A5")
    assert len(over(hexes, Route(1, COLOURS[0], way)).curves) == 3
    assert len(over(hexes, Route(1, COLOURS[0], way, (("A3", 0),))).curves) == 4


def test_a_route_may_run_from_stop_to_stop_in_one_hex():
    hexes = (hex_("A1", 0, 2, ((6, 7), (0, 7))), hex_("A3", 2, 1, ((3, 6),)))
    both = Route(1, COLOURS[0], ("A1", "A3"), (("A1", 0), ("A1", 1), ("A3", 0)))
    assert len(over(hexes, both).curves) == 3


def test_a_route_over_hexes_that_do_not_touch_is_refused():
    with pytest.raises(ValueError, match="A4 and G4 are not neighbours"):
        drawn(Route(1, COLOURS[0], ("A4", "G4")))


def test_a_route_where_no_track_lies_is_refused():
    with pytest.raises(ValueError, match="no track that way in J5"):
        drawn(Route(1, COLOURS[0], ("L5", "J5", "H5")))


def test_a_route_off_the_map_is_refused():
    with pytest.raises(ValueError, match="Z9, which is not on the map"):
        drawn(Route(1, COLOURS[0], ("Z9", "G4")))

"""Ferries, parallel tracks, track that passes a city, and places of several hexes."""

from msgspec.structs import replace

from engine import load_title, new_game
from engine.position.values import Mark, Station
from service.drawing import COLOURS, Legend, Route, map_svg
from service.drawing.geometry import CITY, PARALLEL, STOP, distance
from service.drawing.hexes import drawing
from service.drawing.highlights import line
from service.reports import Scene
from service.reports.figures import look, tile_view

GL = load_title("18GL")
FERRY = "Milwaukee–Muskegon"
START = new_game(GL, ("Ann", "Bob")).state
LAID = replace(
    START,
    tiles={
        "D10": ("730", 0),
        "D12": ("743", 0),
        "D14": ("744", 0),
        "E9": ("722", 1),
        "F10": ("724", 0),
    },
    ferries={FERRY: "GT"},
    stations={"M21": (Station("B&O", 0),)},
    marks=(Mark("port", "GT", "Port", "L14"),),
)


def hexes(state):
    return {h.hex: h for h in Scene("", GL, state).view.map.hexes}


def test_a_ferry_line_is_drawn_beside_the_track_and_knows_whether_it_runs():
    before, after = hexes(START)["E9"], hexes(LAID)["E9"]
    assert (before.ferry_runs, after.ferry_runs) == (False, True)
    assert (before.colour, after.colour) == ("blue", "blue")
    assert after.marks == (("ferry", "GT"),)
    for hex_ in (before, after):
        drawn = drawing("flat", hex_)
        assert (len(drawn.ferry), drawn.tracks) == (1, ())
    assert not hexes(LAID)["G7"].ferry_runs


def test_parallel_tracks_lie_apart_and_meet_those_of_the_next_hex():
    drawn = {name: drawing("flat", hexes(LAID)[name]).plan for name in ("D12", "D14")}
    ends = {}
    for name, side in (("D12", 0), ("D14", 3)):
        track = hexes(LAID)[name].track
        pieces = zip(track, drawn[name].curves, strict=True)
        ends[name] = [round(curve.start[0], 6) for piece, curve in pieces if side in piece]
    assert ends["D12"] == ends["D14"]
    assert abs(ends["D12"][0] - ends["D12"][1]) == 2 * PARALLEL


def test_two_runs_take_one_of_two_parallel_tracks_each():
    view = Scene("", GL, LAID).view.map
    plans = {h.hex: drawing(view.layout, h).plan for h in view.hexes}
    taken = []
    first, second = (line(view, plans, Route(n, COLOURS[n], ("D12", "D14")), taken) for n in (1, 2))
    assert distance(first.badges[0], second.badges[0]) > PARALLEL
    assert (len(first.curves), len(second.curves)) == (2, 2)


def test_a_run_goes_over_a_ferry():
    view = Scene("", GL, LAID).view.map
    plans = {h.hex: drawing(view.layout, h).plan for h in view.hexes}
    run = line(view, plans, Route(1, COLOURS[0], ("D10", "E9", "F10")), [])
    assert len(run.curves) == 3


def test_track_past_a_city_keeps_off_its_circles():
    scene = Scene("", GL, START)
    for tile in ("735", "744"):
        view = tile_view(scene, tile, 0)
        plan = drawing("flat", view).plan
        (past,) = (c for p, c in zip(view.track, plan.curves, strict=True) if max(p) < STOP)
        for circle in plan.places[0].circles:
            assert min(distance(circle, point) for point in past.samples(40)) > CITY + 6


def test_a_station_of_a_place_of_two_hexes_is_drawn_in_both():
    assert [hexes(START)[h].stops[0].stations for h in ("L20", "M21")] == [(), ("",)]
    assert [hexes(LAID)[h].stops[0].stations for h in ("L20", "M21")] == [("B&O",)] * 2
    joins = Scene("", GL, START).view.map.joins
    assert {hex_ for hex_, _ in joins} == set(GL.location)


def test_the_cost_shown_is_that_of_the_next_tile():
    assert (hexes(START)["D12"].cost, hexes(START)["B4"].cost) == (50, 40)
    assert hexes(LAID)["D12"].cost == 0
    green = replace(START, tiles={"D12": ("734", 0), "B4": ("9", 0)})
    assert (hexes(green)["D12"].cost, hexes(green)["B4"].cost) == (50, 0)


def test_the_legend_says_what_ferry_lines_and_signs_mean():
    svg = map_svg(Scene("", GL, LAID).view.map, look(Scene("", GL, LAID)), "18GL", Legend())
    for words in ("ferry that runs", "ferry that does not run yet", "port", "terminal", "mine"):
        assert f">{words}<" in svg
    al = load_title("18AL")
    scene = Scene("", al, new_game(al, ("Ann", "Bob", "Cas")).state)
    assert "ferry" not in map_svg(scene.view.map, look(scene), "18AL", Legend())


def test_ferry_tiles_of_a_sheet_lie_on_the_lake():
    scene = Scene("", GL, START)
    assert tile_view(scene, "722", 0).colour == "blue"
    assert tile_view(scene, "730", 0).colour == "yellow"

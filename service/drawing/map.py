"""Draws the map of a position, and rows of single tiles, as SVG; sees plain data and no rules."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from engine.telling.view import DOUBLE, HexView, MapView
from service.drawing.geometry import (
    APOTHEM,
    HexPlan,
    Point,
    R,
    add,
    beyond,
    centre,
    corners,
    side_ends,
)
from service.drawing.hexes import Drawing, drawing
from service.drawing.highlights import Highlights, Occupied, Route, RouteLine, line
from service.drawing.labels import text_width
from service.drawing.room import Box
from service.drawing.sheet import (
    HEAD,
    MARGIN,
    TEXT,
    Legend,
    LegendLine,
    Look,
    PageHeading,
    Plate,
    head,
    legend_plate,
    legend_strip,
)
from service.drawing.svg import render

Sides = tuple[tuple[Point, Point], ...]
"""Sides of hexes from corner to corner."""
_BOARDS = 64
"""Boards whose outlines are kept, 3 MB: a title's is the same in all its pictures, and answers show
parts of it."""
_MAPS = 64
"""Maps kept as SVG, 9 MB with their hexes: in a stock round the same map goes with each turn."""
NARROWEST = 700.0
"""Width of the page of a small map, which must have room for its head."""


class Spot(Struct, frozen=True):
    """A hex on the page."""

    at: Point
    drawing: Drawing
    new: bool
    buildable: bool


class River(Struct, frozen=True):
    """Rivers of one cost: their sides from corner to corner; only the most expensive are broad."""

    broad: bool
    sides: tuple[tuple[Point, Point], ...]


class MapPicture(Struct, frozen=True):
    """Values for the template of the map, in its units."""

    width: float
    height: float
    head: PageHeading
    legend: Plate | None
    #: corners of every hex around its center
    outline: tuple[Point, ...]
    spots: tuple[Spot, ...]
    #: the point of the hex at 0, 0, even if the map has no such hex; sides start from it
    origin: Point
    #: all sides of hexes, each once, and those at the edge of the map
    sides: Sides
    rim: Sides
    rivers: tuple[River, ...]
    #: sides that track may not cross
    barriers: Sides
    #: sides between hexes of one place
    joins: Sides
    lines: tuple[RouteLine, ...]


@lru_cache(maxsize=_MAPS)
def map_svg(
    view: MapView,
    look: Look,
    title: str,
    legend: Legend,
    highlights: Highlights | None = None,
) -> str:
    """The map as SVG.

    Raises ValueError if a highlighted route leaves the track of the map.
    """
    return render("map.svg.j2", map_picture(view, title, legend, highlights or Highlights()), look)


def map_picture(view: MapView, title: str, legend: Legend, highlights: Highlights) -> MapPicture:
    """The map as numbers; see ``map_svg`` for errors."""
    entries = [*_entries(legend, highlights), *_signs(view)]
    origin, field, width = _page(view, entries)
    points = [add(centre(view.layout, hex_.x, hex_.y), origin) for hex_ in view.hexes]
    spots = tuple(
        Spot(
            point,
            drawing(view.layout, hex_),
            hex_.hex in highlights.new,
            hex_.hex in highlights.buildable,
        )
        for hex_, point in zip(view.hexes, points, strict=True)
    )
    end = field.top + field.height
    plate = _legend(entries, spots, field, width)
    if plate:
        end = max(end, plate.box.top + plate.box.height)
    plans = {hex_.hex: spot.drawing.plan for hex_, spot in zip(view.hexes, spots, strict=True)}
    return MapPicture(
        width,
        end + MARGIN,
        head(title, legend.heading, width),
        plate,
        corners(view.layout),
        spots,
        origin,
        *_outlines(view.layout, tuple((hex_.x, hex_.y) for hex_ in view.hexes)),
        tuple(River(broad, _edges(view, sides)) for broad, _, sides in _rivers(view)),
        _edges(view, view.impassable),
        _edges(view, view.joins),
        _lines(view, plans, highlights.routes, origin),
    )


def _page(view: MapView, entries: Sequence[LegendLine]) -> tuple[Point, Box, float]:
    """The point of the hex at 0, 0, the box of all hexes, and the page's width."""
    half = _half(view.layout)
    points = [centre(view.layout, hex_.x, hex_.y) for hex_ in view.hexes]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    widest = max((entry.width for entry in entries), default=0.0) + 2 * MARGIN + 36
    width = max(right - left + 2 * half[0] + 2 * MARGIN, widest, NARROWEST)
    shift = ((width - left - right) / 2, MARGIN + HEAD + half[1] - top)
    height = bottom - top + 2 * half[1]
    field = Box(width / 2, MARGIN + HEAD + height / 2, width - 2 * MARGIN, height)
    return shift, field, width


def _half(layout: str) -> Point:
    return (R, APOTHEM) if layout == "flat" else (APOTHEM, R)


def _lines(
    view: MapView, plans: dict[str, HexPlan], routes: Sequence[Route], shift: Point
) -> tuple[RouteLine, ...]:
    """The routes on the page."""
    taken: Occupied = []
    lines = (line(view, plans, route, taken) for route in routes)
    return tuple(
        RouteLine(
            found.number,
            found.colour,
            found.dash,
            tuple(curve.moved(shift) for curve in found.curves),
            tuple(add(point, shift) for point in found.badges),
        )
        for found in lines
    )


def _entries(legend: Legend, highlights: Highlights) -> list[LegendLine]:
    entries = [LegendLine(text) for text in legend.lines]
    if highlights.new:
        entries.append(LegendLine(highlights.new_words, "new"))
    if highlights.buildable:
        entries.append(LegendLine("can be built in now", "buildable"))
    entries += [
        LegendLine(route.label or f"run {route.number}", "route", route.colour, route.number)
        for route in highlights.routes
    ]
    return entries


def _rivers(view: MapView) -> Iterator[tuple[bool, int, list[tuple[str, int]]]]:
    """Rivers by bridge cost, the cheapest first: whether broad, dollars, sides."""
    costs = sorted({river.cost for river in view.rivers})
    for cost in costs:
        sides = [side for river in view.rivers if river.cost == cost for side in river.sides]
        yield cost == costs[-1], cost, sides


def _signs(view: MapView) -> list[LegendLine]:
    """Signs of rivers, ferry lines and icons along them with their meaning, if the map has any."""
    return [
        *(
            LegendLine(f"river, ${cost} a side", "river", "broad" * broad)
            for broad, cost, _ in _rivers(view)
        ),
        *_ferries(view),
        *_doubled(view),
    ]


def _doubled(view: MapView) -> list[LegendLine]:
    marked = any(kind == DOUBLE for hex_ in view.hexes for kind, _ in hex_.marks)
    return [LegendLine(DOUBLE, "sign")] if marked else []


def _ferries(view: MapView) -> list[LegendLine]:
    lines = [hex_.ferry_runs for hex_ in view.hexes if hex_.ferry]
    if not lines:
        return []
    words = {False: "ferry that does not run yet", True: "ferry that runs"}
    found = [LegendLine(words[runs], "ferry", "runs" * runs) for runs in sorted(set(lines))]
    icons = {icon for hex_ in view.hexes for icon in hex_.icons}
    return [
        *found,
        *(LegendLine(icon, "sign") for icon in ("port", "terminal", "mine") if icon in icons),
    ]


def _legend(
    entries: list[LegendLine], spots: Sequence[Spot], field: Box, width: float
) -> Plate | None:
    if not entries:
        return None
    discs = ((spot.at[0], spot.at[1], R + 6) for spot in spots)
    return legend_plate(entries, field, discs) or legend_strip(
        entries, width, field.top + field.height + 16
    )


def _edges(view: MapView, sides: Iterable[tuple[str, int]]) -> Sides:
    """Each side once, although both of its hexes may name it."""
    cells = {hex_.hex: (hex_.x, hex_.y) for hex_ in view.hexes}
    named = ((*cells[name], side) for name, side in sides)
    return tuple(ends for ends, _ in _counted(view.layout, named))


@lru_cache(maxsize=_BOARDS)
def _outlines(layout: str, cells: tuple[tuple[int, int], ...]) -> tuple[Sides, Sides]:
    """All sides of hexes once, and the sides that only one hex has."""
    every = _counted(layout, ((x, y, side) for x, y in cells for side in range(6)))
    return tuple(ends for ends, _ in every), tuple(ends for ends, hexes in every if hexes == 1)


def _counted(
    layout: str, sides: Iterable[tuple[int, int, int]]
) -> list[tuple[tuple[Point, Point], int]]:
    """The corners of each side, given as x, y and side of a hex, and how many hexes name it."""
    found: dict[tuple[int, int], tuple[tuple[Point, Point], int]] = {}
    for x, y, side in sides:
        right, down = beyond(layout, side)
        one, other = (add(centre(layout, x, y), point) for point in side_ends(layout, side))
        ends, count = found.get((2 * x + right, 2 * y + down), ((one, other), 0))
        found[2 * x + right, 2 * y + down] = ends, count + 1
    return list(found.values())


class TilePicture(Struct, frozen=True):
    """Values for the template of a row of tiles."""

    width: float
    height: float
    outline: tuple[Point, ...]
    spots: tuple[Spot, ...]
    captions: tuple[tuple[str, Point], ...]


def tile_svg(
    layout: str,
    tiles: Sequence[HexView],
    look: Look,
    captions: Sequence[str] = (),
    columns: int = 0,
) -> str:
    """Single tiles as SVG, each with its caption below; ``columns`` 0 puts all in one row."""
    half = _half(layout)
    widest = max((text_width(text, TEXT) for text in captions), default=0.0)
    step = max(2 * half[0], widest) + MARGIN
    low = 2 * MARGIN + 2 * half[1]
    tall = low + (TEXT if captions else 0)
    columns = min(columns or len(tiles), len(tiles))
    rows = -(-len(tiles) // columns)
    spots = tuple(
        Spot(
            (
                MARGIN / 2 + step * (i % columns + 0.5),
                MARGIN + half[1] + tall * (i // columns),
            ),
            drawing(layout, tile),
            False,
            False,
        )
        for i, tile in enumerate(tiles)
    )
    return render(
        "tiles.svg.j2",
        TilePicture(
            step * columns + MARGIN,
            tall * rows,
            corners(layout),
            spots,
            tuple(
                (text, (spot.at[0], spot.at[1] - half[1] - MARGIN + low + TEXT * 0.3))
                for text, spot in zip(captions, spots, strict=False)
            ),
        ),
        look,
    )

"""Composes the drawing of one hex, with names and signs in free places; knows no page."""

from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from engine.telling.view import HexView, StopView
from service.drawing.geometry import (
    APOTHEM,
    CITY,
    STOP,
    Curve,
    HexPlan,
    Point,
    StopPlace,
    arrow,
    corners,
    distance,
    plan,
)
from service.drawing.labels import text_width
from service.drawing.room import Box, Room, Wish, around, rows
from service.drawing.worths import Worth, worths

TRACK = 13.0
"""Width of the black line; its white casing is 6 wider."""
_TOUCH = TRACK / 2 + 5
VALUE = 15.0
"""Radius of the disc with the revenue of a stop."""
LABELS = ((26.0, 0.0), (22.0, 6.0), (18.0, 12.0))
"""Sizes of a label, and what it costs to take one."""
COORDINATE = 22.0
"""Size of a coordinate; players write coordinates, and read them on phones."""
SIGN = 17.0
"""Radius of an icon or a mark."""
PLATE = 30.0
"""Width of the plate of an icon or a mark, drawn at SCALE."""
SCALE = 1.13


class Circle(Struct, frozen=True):
    """A circle of a city: the company of its token, or the company whose home is reserved here."""

    point: Point
    company: str
    home: str


class City(Struct, frozen=True):
    """A city, or an off-board location with room for tokens; its circles."""

    circles: tuple[Circle, ...]


class Town(Struct, frozen=True):
    """A town: a bar across its track, or a dot if ``heading`` is None."""

    point: Point
    heading: float | None
    #: whether track leads to it
    joined: bool


class Value(Struct, frozen=True):
    """Revenue in a disc."""

    box: Box
    text: str


class HexName(Struct, frozen=True):
    """A name in lines; ``base`` is the base line of the first one."""

    lines: tuple[str, ...]
    x: float
    base: float
    size: float
    bold: bool


class Sign(Struct, frozen=True):
    """An icon or a mark; ``company`` is "" if it is printed, ``width`` is that of its plate."""

    kind: str
    box: Box
    text: str
    width: float
    company: str = ""


class Toll(Struct, frozen=True):
    """Terrain with the cost of a first tile; "" if it costs nothing."""

    terrain: tuple[str, ...]
    box: Box
    text: str
    #: scale of its signs and text; 1 if they share the hex with a stop
    scale: float


class Note(Struct, frozen=True):
    """A line of small text: a label, a tile's number or a coordinate."""

    text: str
    box: Box
    size: float = 0.0


class Drawing(Struct, frozen=True, cache_hash=True):
    """The drawing of a hex with its center at 0, 0."""

    colour: str
    plan: HexPlan
    #: pieces of connected track; later ones bridge earlier ones
    tracks: tuple[tuple[Curve, ...], ...]
    #: ferry line
    ferry: tuple[Curve, ...]
    ferry_runs: bool
    arrows: tuple[tuple[Point, ...], ...]
    cities: tuple[City, ...]
    towns: tuple[Town, ...]
    values: tuple[Value, ...]
    worths: tuple[Worth, ...]
    name: HexName | None
    label: Note | None
    signs: tuple[Sign, ...]
    toll: Toll | None
    number: Note | None
    coordinate: Note


def drawing(layout: str, hex_: HexView) -> Drawing:
    """The drawing of a hex, without its place on the map."""
    return _drawing(layout, replace(hex_, x=0, y=0))


@lru_cache(maxsize=2048)
def _drawing(layout: str, hex_: HexView) -> Drawing:
    stops = tuple((s.kind, len(s.stations)) for s in hex_.stops)
    outline = plan(layout, stops, hex_.track + hex_.ferry)
    rails = len(hex_.track)
    arrows = _arrows(layout, hex_)
    room = _room(layout, hex_, outline, arrows)
    coordinate = _corner_note(room, hex_.hex, COORDINATE, 3, bold=True)
    number = _corner_note(room, hex_.tile, 13, 0)
    # Important things come first, because later ones get only the remaining room.
    changing = tuple(worths(room, outline, hex_))
    name = _name(room, outline, hex_)
    values = tuple(_values(room, outline, hex_))
    label = _label(room, hex_.label)
    signs = tuple(_signs(room, hex_))
    toll = _toll(room, hex_)
    return Drawing(
        hex_.colour,
        outline,
        () if arrows else _bundles(hex_.track, outline.curves[:rails]),
        outline.curves[rails:],
        hex_.ferry_runs,
        arrows,
        tuple(_cities(outline, hex_)),
        tuple(_towns(outline, hex_)),
        values,
        changing,
        name,
        label,
        signs,
        toll,
        number,
        coordinate or Note("", Box(0, 0, 0, 0)),
    )


def _room(
    layout: str, hex_: HexView, outline: HexPlan, arrows: tuple[tuple[Point, ...], ...]
) -> Room:
    """The free room beside track and stops."""
    room = Room(layout)
    _take_track(room, outline, arrows, len(hex_.track))
    for place, stop in zip(outline.places, hex_.stops, strict=True):
        _take_stop(room, place, stop)
    return room


def _corner_note(
    room: Room, text: str, size: float, corner: int, bold: bool = False
) -> Note | None:
    """Small text, easy to find in the same corner of every hex, unless a stop is there."""
    if not text:
        return None
    wishes = [
        Wish((x * near, y * near), (1 - near) * 10 + 12 * min(turn, 6 - turn))
        for turn in range(6)
        for x, y in [corners(room.layout, 86)[(corner + turn) % 6]]
        for near in (1, 0.97, 0.94, 0.91, 0.88, 0.85)
    ]
    # Frames run along the edge, so the text stays within them.
    box = room.put(text_width(text, size, bold), size * 0.75, wishes, 9)
    return Note(text, box, size)


def _arrows(layout: str, hex_: HexView) -> tuple[tuple[Point, ...], ...]:
    if not any(stop.kind == "offboard" for stop in hex_.stops):
        return ()
    sides = sorted({min(piece) for piece in hex_.track})
    return tuple(arrow(layout, side, TRACK + 10, APOTHEM * 0.32) for side in sides)


def _take_track(
    room: Room, outline: HexPlan, arrows: tuple[tuple[Point, ...], ...], rails: int
) -> None:
    """Occupy track and ferry line; ``rails`` are curves of track, or arrows off the board."""
    for one, tip, other in arrows:
        base = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        for i in range(4):
            room.take_disc(
                (base[0] + (tip[0] - base[0]) * i / 3, base[1] + (tip[1] - base[1]) * i / 3),
                12 - 2 * i,
            )
    for curve in outline.curves[rails if arrows else 0 :]:
        for point in curve.samples(9):
            room.take_disc(point, _TOUCH)


def _take_stop(room: Room, place: StopPlace, stop: StopView) -> None:
    for circle in place.circles:
        room.take_disc(circle, CITY + 5, 8.0)
    if len(place.circles) == 2:
        width = distance(*place.circles)
        room.take_box(Box(*place.point, width, 2 * CITY + 6))
    elif place.circles:
        room.take_disc(place.point, CITY, 8.0)
    if stop.kind == "town":
        room.take_disc(place.point, 20, 6.0)


def _bundles(
    track: tuple[tuple[int, int], ...], curves: tuple[Curve, ...]
) -> tuple[tuple[Curve, ...], ...]:
    bundles: list[tuple[set[int], list[Curve]]] = []
    for piece, curve in zip(track, curves, strict=True):
        ends, joined = set(piece), [curve]
        for bundle in [b for b in bundles if b[0] & ends]:
            ends |= bundle[0]
            joined = bundle[1] + joined
            bundles.remove(bundle)
        bundles.append((ends, joined))
    # Track past a stop shares its sides with track to the stop; between them it is a bridge.
    to_stops = {min(piece) for piece in track if max(piece) >= STOP}
    bridges = (
        (curve.split(0.2)[1].split(0.75)[0],)
        for piece, curve in zip(track, curves, strict=True)
        if set(piece) <= to_stops
    )
    return (*(tuple(joined) for _, joined in bundles), *bridges)


def _cities(outline: HexPlan, hex_: HexView) -> Iterator[City]:
    for place, stop in zip(outline.places, hex_.stops, strict=True):
        homes = list(stop.reserved)
        circles = []
        for point, station in zip(place.circles, stop.stations, strict=True):
            home = "" if station or not homes else homes.pop(0)
            circles.append(Circle(point, station, home))
        if circles:
            yield City(tuple(circles))


def _towns(outline: HexPlan, hex_: HexView) -> Iterator[Town]:
    for i, (place, stop) in enumerate(zip(outline.places, hex_.stops, strict=True)):
        if stop.kind == "town":
            joined = any(STOP + i in piece for piece in hex_.track)
            yield Town(place.point, place.heading, joined)


def _values(room: Room, outline: HexPlan, hex_: HexView) -> Iterator[Value]:
    for place, stop in zip(outline.places, hex_.stops, strict=True):
        if stop.revenue and not stop.values:
            near = 20 if stop.kind == "town" else place.radius + 3
            rings = [near + VALUE + step for step in (0, 6, 13, 22)]
            if len(place.circles) > 1:
                rings = [CITY + VALUE + 4, CITY + VALUE + 10, *rings]
            others = [other.point for other in outline.places if other is not place]
            wishes = [
                Wish(wish.point, wish.cost + sum(_doubt(wish.point, o) for o in others))
                for wish in around(place.point, rings, -45)
            ]
            yield Value(room.put_disc(VALUE + 2, wishes), str(stop.revenue))


def _doubt(point: Point, other: Point) -> float:
    """The cost of a place where readers might take a value for that of the other stop."""
    return 0.3 * max(0.0, 70 - distance(point, other))


def _name(room: Room, outline: HexPlan, hex_: HexView) -> HexName | None:
    if not hex_.name:
        return None
    stops = [place.point for place in outline.places]
    point = stops[0] if len(stops) == 1 else (0.0, 0.0)
    bold = not hex_.stops or any(stop.kind != "town" for stop in hex_.stops)
    best: tuple[float, HexName, Box] | None = None
    wishes = rows(point)
    for lines in _breaks(hex_.name):
        for size, smaller in ((20.0, 0.0), (18.0, 4.0), (16.0, 9.0)):
            dear = smaller + 5 * (len(lines) - 1)
            if best is not None and best[0] <= dear:
                continue
            width = max(text_width(text, size, bold) for text in lines)
            height = size * (1.05 * len(lines) - 0.1) + 6
            box, cost = room.best(width + 6, height, wishes)
            if best is None or cost + dear < best[0]:
                name = HexName(lines, box.x, box.top + 3 + size * 0.78, size, bold)
                best = cost + dear, name, box
    if best is None:
        return None
    room.take_box(best[2])
    return best[1]


def _breaks(name: str) -> Iterator[tuple[str, ...]]:
    """The name in one line, and in two lines for every space, hyphen or slash in it."""
    yield (name,)
    for i, sign in enumerate(name[:-1]):
        if sign in " /-" and i:
            yield name[: i + (sign != " ")], name[i + 1 :]


def _label(room: Room, text: str) -> Note | None:
    if not text:
        return None
    wishes = around((0.0, 0.0), (72, 78, 64, 56), 210, 0.02)
    found = []
    for size, dear in LABELS:
        # text is hard to read beside a line along the edge
        box, cost = room.best(text_width(text, size, True) + 4, size * 0.8, wishes, 9)
        found.append((cost + dear, Note(text, box, size)))
    note = min(found, key=lambda one: one[0])[1]
    room.take_box(note.box)
    return note


def _signs(room: Room, hex_: HexView) -> Iterator[Sign]:
    """Signs of names: all of a name in capitals, otherwise the first letters of its words."""
    for kind, company in [*((icon, "") for icon in hex_.icons), *hex_.marks]:
        text = kind if kind.isupper() else kind[:3].upper()
        if company or text_width(text, 10, True) <= PLATE - 4:
            wishes = around((0.0, 0.0), (70, 78, 64, 56, 46), 330, 0.02)
            yield Sign(kind, room.put_disc(SIGN + 2, wishes), text, PLATE, company)
        else:
            width = text_width(text, 11.5, True) + 5
            wishes = around((0.0, 0.0), (60, 66, 54), 90, 0.02)
            box = room.put(SCALE * width + 4, SCALE * 22 + 4, wishes)
            yield Sign(kind, box, text, width)


def _toll(room: Room, hex_: HexView) -> Toll | None:
    if not hex_.cost and (not hex_.terrain or hex_.colour):
        return None
    scale = 1.05 if hex_.stops else 1.4
    width = scale * 38.0 * max(1, len(hex_.terrain))
    height = scale * ((26.0 if hex_.terrain else 0.0) + (20.0 if hex_.cost else 0.0))
    wishes = around((0.0, 0.0), (66, 60, 54, 48), 90, 0.02)
    if not hex_.stops:
        wishes = [Wish((0.0, 0.0))]
    text = f"${hex_.cost}" if hex_.cost else ""
    return Toll(hex_.terrain, room.put(width, height, wishes), text, scale)


def token_size(label: str, radius: float = CITY) -> float:
    """Size of a token's text that fits its disc."""
    return min(24.0, 24.0 * (2 * radius - 12) / max(text_width(label, 24, True), 1.0))

"""Points, curves and the positions of stops in a hex, as numbers; knows no colors and no text.

Coordinates are those of SVG (x to the right, y down). The center of the hex is at 0, 0, and each
corner is at the distance ``R``. Sides are numbered 0 to 5 clockwise from the bottom.
"""

from collections.abc import Iterator
from functools import cache
from math import atan2, cos, degrees, hypot, pi, radians, sin, sqrt, tan

from msgspec import Struct

R = 100.0
APOTHEM = R * sqrt(3) / 2
STOP = 6
"""The end of track that is the first stop of a hex; smaller ends are sides."""
CITY = 28.0
"""Radius of the circle for a token, including its rim."""
TOWN = 16.0
"""Free space that the bar or dot of a town needs around its center."""
_GAP = 2 * CITY - 2
PARALLEL = 11.0
"""Distance of each of two parallel tracks from the line of a single track."""
_PAST = (26.0, 34.0)
"""Distance from the center at which straight track passes a city of one circle, or of more."""
_LEAN = (16.0, 28.0)
"""Distance by which such a city moves aside."""

Point = tuple[float, float]


class Curve(Struct, frozen=True):
    """A cubic Bézier curve."""

    start: Point
    one: Point
    two: Point
    end: Point

    def at(self, t: float) -> Point:
        """The point at ``t`` from 0 to 1."""
        return self.split(t)[0].end

    def heading(self, t: float) -> float:
        """The direction of travel at ``t`` in degrees, clockwise from the right."""
        here, there = self.split(t)
        back = here.two if t > 0 else here.start
        ahead = there.one if t < 1 else there.end
        return degrees(atan2(ahead[1] - back[1], ahead[0] - back[0]))

    def split(self, t: float) -> tuple["Curve", "Curve"]:
        """The parts before and after ``t`` (de Casteljau)."""
        a, b, c = (
            _between(self.start, self.one, t),
            _between(self.one, self.two, t),
            _between(self.two, self.end, t),
        )
        ab, bc = _between(a, b, t), _between(b, c, t)
        here = _between(ab, bc, t)
        return Curve(self.start, a, ab, here), Curve(here, bc, c, self.end)

    def samples(self, number: int) -> tuple[Point, ...]:
        """``number`` points spread over the curve, its ends left out."""
        return tuple(self.at((i + 0.5) / number) for i in range(number))

    @property
    def reversed(self) -> "Curve":
        """The same curve travelled the other way."""
        return Curve(self.end, self.two, self.one, self.start)

    def moved(self, by: Point) -> "Curve":
        """The curve shifted."""
        return Curve(
            *(add(point, by) for point in (self.start, self.one, self.two, self.end)),
        )


class StopPlace(Struct, frozen=True):
    """The place of a stop in its hex."""

    point: Point
    #: for a town that is a bar across its track: the direction of the track in degrees
    heading: float | None
    #: the centers of its circles
    circles: tuple[Point, ...]
    #: the free space around its point
    radius: float


class HexPlan(Struct, frozen=True):
    """Track and stops of a hex: a place for each stop, a curve for each piece, in their order."""

    places: tuple[StopPlace, ...]
    #: each from its first to its second end
    curves: tuple[Curve, ...]


def _between(one: Point, other: Point, t: float) -> Point:
    return one[0] + (other[0] - one[0]) * t, one[1] + (other[1] - one[1]) * t


def add(one: Point, other: Point) -> Point:
    """The sum of two points as vectors."""
    return one[0] + other[0], one[1] + other[1]


def polar(angle: float, length: float) -> Point:
    """The point at ``length`` in the direction ``angle``, in degrees clockwise from the right."""
    return length * cos(radians(angle)), length * sin(radians(angle))


def distance(one: Point, other: Point) -> float:
    """The distance between two points."""
    return hypot(one[0] - other[0], one[1] - other[1])


def side_angle(layout: str, side: int) -> float:
    """The direction from the center to a side's middle, in degrees clockwise from the right."""
    return (90.0 if layout == "flat" else 120.0) + 60.0 * side


def middle(layout: str, side: int) -> Point:
    """The middle of a side."""
    return polar(side_angle(layout, side), APOTHEM)


def corners(layout: str, radius: float = R) -> tuple[Point, ...]:
    """The six corners, clockwise from the first corner of side 0."""
    return tuple(polar(side_angle(layout, side) - 30, radius) for side in range(6))


def side_ends(layout: str, side: int) -> tuple[Point, Point]:
    """The two corners of a side."""
    angle = side_angle(layout, side)
    return polar(angle - 30, R), polar(angle + 30, R)


def centre(layout: str, x: int, y: int) -> Point:
    """The center of the hex ``x`` half-columns to the right and ``y`` half-rows down."""
    return (x * 1.5 * R, y * APOTHEM) if layout == "flat" else (x * APOTHEM, y * 1.5 * R)


@cache
def beyond(layout: str, side: int) -> tuple[int, int]:
    """The half-columns to the right and half-rows down to the hex beyond a side."""
    x, y = polar(side_angle(layout, side), 2 * APOTHEM)
    one, other = (1.5 * R, APOTHEM) if layout == "flat" else (APOTHEM, 1.5 * R)
    return round(x / one), round(y / other)


def outside(layout: str, point: Point, width: float, height: float, inset: float = 0) -> float:
    """How far a box around ``point`` reaches out of the hex, summed over its sides; 0 if inside."""
    x, y = point
    far = 0.0
    for nx, ny in _normals(layout):
        reach = abs(nx) * width / 2 + abs(ny) * height / 2 - APOTHEM + inset
        aside = abs(nx * x + ny * y)
        if reach + aside > 0:
            # A box may be so wide that it reaches out on the opposite side as well.
            far += reach + aside + max(0.0, reach - aside)
    return far


@cache
def _normals(layout: str) -> tuple[Point, ...]:
    """Directions across three sides; the other three sides are opposite."""
    return tuple(polar(side_angle(layout, side), 1) for side in range(3))


@cache
def between_sides(layout: str, one: int, other: int) -> Curve:
    """The arc from one side to another that leaves both at right angles."""
    start, end = middle(layout, one), middle(layout, other)
    apart = (other - one) % 6
    apart = min(apart, 6 - apart)
    if apart == 3:
        reach = APOTHEM * 2 / 3
    else:
        # The cubic that hugs an arc of this angle; 120 degrees around a corner, 60 around the
        # point where the two neighbouring sides would meet.
        angle, radius = (2 * pi / 3, R / 2) if apart == 1 else (pi / 3, 1.5 * R)
        reach = 4 / 3 * tan(angle / 4) * radius
    return Curve(start, _inwards(layout, one, reach), _inwards(layout, other, reach), end)


@cache
def to_point(layout: str, side: int, point: Point) -> Curve:
    """The curve that leaves a side at a right angle and goes to a point in the hex."""
    start = middle(layout, side)
    reach = distance(start, point)
    one = _inwards(layout, side, reach * 0.45)
    return Curve(start, one, _between(point, one, 0.4), point)


def _inwards(layout: str, side: int, reach: float) -> Point:
    return polar(side_angle(layout, side), APOTHEM - reach)


def arrow(layout: str, side: int, width: float, reach: float) -> tuple[Point, ...]:
    """The wedge of track that leads off the board: two points on the side, and the tip inside."""
    angle = side_angle(layout, side)
    base = polar(angle, APOTHEM)
    across = polar(angle + 90, width / 2)
    return (
        add(base, across),
        polar(angle, APOTHEM - reach),
        (base[0] - across[0], base[1] - across[1]),
    )


def circles(number: int) -> tuple[Point, ...]:
    """Centres of ``number`` circles: one, a row of two, a triangle, a square, then a ring."""
    if number <= 1:
        return ((0.0, 0.0),) * number
    if number == 2:
        return (-_GAP / 2, 0.0), (_GAP / 2, 0.0)
    radius = _GAP / 2 / sin(pi / number)
    first = -90 - (180 / number if number % 2 == 0 else 0)
    return tuple(polar(first + 360 / number * i, radius) for i in range(number))


@cache
def plan(
    layout: str, stops: tuple[tuple[str, int], ...], track: tuple[tuple[int, int], ...]
) -> HexPlan:
    """Places of the stops, given as (kind, circles), and curves of the track between them."""
    choices = [list(_choices(layout, stops, track, i)) for i in range(len(stops))]
    chosen = [options[0] for options in choices]
    # Each stop in turn takes the best place that the others leave, until no stop moves.
    for _ in range(4 if len(stops) > 1 else 0):
        before = list(chosen)
        for i, options in enumerate(choices):
            others = chosen[:i] + chosen[i + 1 :]
            chosen[i] = min(options, key=lambda choice: _crowding(choice, others))
        if chosen == before:
            break
    found = {piece: curve for choice in chosen for piece, curve in choice.curves}
    curves = [found.get(i) or _open(layout, piece, chosen) for i, piece in enumerate(track)]
    return HexPlan(
        tuple(choice.place for choice in chosen),
        tuple(_apart(layout, track, i, curve) for i, curve in enumerate(curves)),
    )


def _apart(layout: str, track: tuple[tuple[int, int], ...], i: int, curve: Curve) -> Curve:
    """One of several parallel tracks, in the same order seen from both hexes."""
    piece = track[i]
    same = [n for n, other in enumerate(track) if set(other) == set(piece)]
    if len(same) < 2 or min(piece) >= STOP:
        return curve
    along = (side_angle(layout, min(piece)) + 90) % 180
    return curve.moved(polar(along, (2 * same.index(i) - len(same) + 1) * PARALLEL))


class _LayoutChoice(Struct, frozen=True):
    place: StopPlace
    #: (number of the piece of track, its curve)
    curves: tuple[tuple[int, Curve], ...]
    #: how much worse it is than the best place of this stop alone
    cost: float


def _open(layout: str, piece: tuple[int, int], chosen: list[_LayoutChoice]) -> Curve:
    one, other = piece
    if one < STOP and len(chosen) == 1 and chosen[0].place.circles:
        return _past(layout, one, other, len(chosen[0].place.circles))
    if one < STOP:
        return between_sides(layout, one, other)
    a, b = chosen[one - STOP].place.point, chosen[other - STOP].place.point
    return Curve(a, _between(a, b, 1 / 3), _between(a, b, 2 / 3), b)


def _past(layout: str, one: int, other: int, circles: int) -> Curve:
    """Track from side to side that avoids a city at the center."""
    if (other - one) % 6 != 3:
        return between_sides(layout, one, other)
    # Inner points beyond the center let it leave the sides almost at right angles; it comes three
    # quarters of the way to them.
    shift = polar(_below(layout, one), _PAST[circles > 1] * 4 / 3)
    start, end = middle(layout, one), middle(layout, other)
    first, second = (_inwards(layout, side, 1.3 * APOTHEM) for side in (one, other))
    return Curve(start, add(first, shift), add(second, shift), end)


def _below(layout: str, side: int) -> float:
    """The downward direction at right angles to the line through a side's middle, in degrees."""
    return (side_angle(layout, side) + 90) % 180


def _crowding(choice: _LayoutChoice, others: list[_LayoutChoice]) -> float:
    cost = choice.cost
    for other in others:
        room = choice.place.radius + other.place.radius + 8
        cost += 5 * max(0.0, room - distance(choice.place.point, other.place.point))
        for mine, theirs in ((choice, other), (other, choice)):
            for _, curve in theirs.curves:
                for point in curve.samples(8):
                    cost += 2 * max(0.0, mine.place.radius + 10 - distance(point, mine.place.point))
    return cost


def _choices(
    layout: str,
    stops: tuple[tuple[str, int], ...],
    track: tuple[tuple[int, int], ...],
    i: int,
) -> Iterator[_LayoutChoice]:
    kind, number = stops[i]
    ends = [
        (n, min(piece)) for n, piece in enumerate(track) if STOP + i in piece and min(piece) < STOP
    ]
    sides = sorted({side for _, side in ends})
    alone = len(stops) == 1
    if len(ends) == 2 and len(sides) == 2 and (kind == "town" or not alone):
        yield from _on_curve(layout, kind, number, track, ends)
        return
    past = [one for one, other in track if max(one, other) < STOP and (other - one) % 6 == 3]
    for point, cost in _spots(layout, kind, sides, (i, len(stops))):
        if alone and number and past:
            point = add(point, polar(_below(layout, past[0]), -_LEAN[number > 1]))
        curves = tuple((n, _oriented(to_point(layout, side, point), track[n])) for n, side in ends)
        place = _place(kind, number, point, None)
        yield _LayoutChoice(place, curves, cost + _overhang(layout, place))


def _overhang(layout: str, place: StopPlace) -> float:
    return sum(outside(layout, circle, 0, 0, CITY + 5) for circle in place.circles)


def _spots(
    layout: str, kind: str, sides: list[int], which: tuple[int, int]
) -> Iterator[tuple[Point, float]]:
    """Points with their costs for a stop that is no bar on its track.

    ``which``: the stop's index, and the number of stops.
    """
    pull = (0.0, 0.0)
    for side in sides:
        pull = add(pull, polar(side_angle(layout, side), 1 / len(sides)))
    i, number = which
    if number == 1:
        # Off the board, arrows point at the middle: the stop steps back from their side.
        away = -0.1 * R if kind == "offboard" else 0.0
        yield (pull[0] * away, pull[1] * away), 0.0
    elif len(sides) == 1:
        for depth in (0.5, 0.42, 0.34, 0.58, 0.66):
            yield polar(side_angle(layout, sides[0]), APOTHEM * (1 - depth)), abs(depth - 0.5) * 40
    else:
        if sides:
            yield (0.0, 0.0), 40 * hypot(*pull)
        else:
            # Stops without track stand evenly around the center, and two of them side by side.
            pull = polar((180 if number == 2 else -90) + 360 / number * i, 0.5)
        for step in range(12):
            spot = polar(30 * step, 0.5)
            yield (spot[0] * R, spot[1] * R), 40 * distance(pull, spot)


def _on_curve(
    layout: str,
    kind: str,
    number: int,
    track: tuple[tuple[int, int], ...],
    ends: list[tuple[int, int]],
) -> Iterator[_LayoutChoice]:
    (n, one), (m, other) = ends
    whole = between_sides(layout, one, other)
    for t in (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78):
        before, after = whole.split(t)
        curves = (
            (n, _oriented(before, track[n])),
            (m, _oriented(after.reversed, track[m])),
        )
        place = _place(kind, number, whole.at(t), whole.heading(t))
        yield _LayoutChoice(place, curves, abs(t - 0.5) * 20 + _overhang(layout, place))


def _oriented(curve: Curve, piece: tuple[int, int]) -> Curve:
    """A curve from a side to a stop, reversed if the piece names the stop first."""
    return curve if piece[0] < STOP else curve.reversed


def _place(kind: str, number: int, point: Point, heading: float | None) -> StopPlace:
    around = tuple(add(point, offset) for offset in circles(number))
    if not around:
        radius = TOWN
    else:
        radius = CITY + max(distance(point, circle) for circle in around)
    return StopPlace(point, heading if kind == "town" else None, around, radius)

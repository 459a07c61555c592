"""Highlights of a map, and a route's line over the drawn track; knows no colors of its own."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from engine.board.hexes import STEPS, Hex
from engine.telling.view import HexView, MapView
from service.drawing.geometry import STOP, Curve, HexPlan, Point, centre

COLOURS = ("#0072b2", "#d55e00", "#8e3b86", "#00745a", "#a31515", "#4a4a00")
"""Colors of routes, which also differ in brightness; each route has its number all the same."""
DASHES = ("", "26 9", "10 8", "30 7 6 7", "16 5", "4 7")


class Route(Struct, frozen=True):
    """One train's run: its hexes in order, and its stops as (hex, index from 0)."""

    number: int
    colour: str
    hexes: tuple[Hex, ...]
    stops: tuple[tuple[Hex, int], ...] = ()
    #: its text in the legend
    label: str = ""


class Highlights(Struct, frozen=True):
    """Highlights of a picture: tiles new since the last turn, hexes to build in, and runs."""

    new: frozenset[Hex] = frozenset()
    buildable: frozenset[Hex] = frozenset()
    routes: tuple[Route, ...] = ()
    #: the legend's text for ``new``
    new_words: str = "new since your last turn"


class RouteLine(Struct, frozen=True):
    """A route on the page."""

    number: int
    colour: str
    dash: str
    curves: tuple[Curve, ...]
    #: the place of its number
    badges: tuple[Point, ...]


#: (hex, piece) of the track that routes have taken, each once
Occupied = list[tuple[Hex, frozenset[int]]]


def line(view: MapView, plans: Mapping[Hex, HexPlan], route: Route, taken: Occupied) -> RouteLine:
    """The route as curves on the page; of parallel tracks it takes one that is not in ``taken``.

    Raises ValueError if the map has no such track.
    """
    hexes = {hex_.hex: hex_ for hex_ in view.hexes}
    missing = [name for name in route.hexes if name not in hexes]
    if missing:
        raise ValueError(f"route {route.number} passes {missing[0]}, which is not on the map")
    sides = [
        _side(view.layout, hexes[one], hexes[other])
        for one, other in zip(route.hexes, route.hexes[1:], strict=False)
    ]
    curves: list[Curve] = []
    crossings: list[Point] = []
    for i, name in enumerate(route.hexes):
        hex_ = hexes[name]
        come = (sides[i - 1] + 3) % 6 if i else None
        go = sides[i] if i < len(sides) else None
        at = centre(view.layout, hex_.x, hex_.y)
        way = _through(route, hex_, plans[name], (come, go), taken)
        here = [curve.moved(at) for curve in way]
        if i and here:
            crossings.append(here[0].start)
        curves += here
    dash = DASHES[(route.number - 1) % len(DASHES)]
    return RouteLine(route.number, route.colour, dash, tuple(curves), _spread(crossings))


def _spread(crossings: Sequence[Point]) -> tuple[Point, ...]:
    """Every third crossing, starting with the first."""
    return tuple(crossings[::3])


def _side(layout: str, one: HexView, other: HexView) -> int:
    step = (other.x - one.x, other.y - one.y)
    if step not in STEPS[layout]:
        raise ValueError(f"{one.hex} and {other.hex} are not neighbours")
    return STEPS[layout].index(step)


def _through(
    route: Route,
    hex_: HexView,
    plan: HexPlan,
    sides: tuple[int | None, int | None],
    taken: Occupied,
) -> list[Curve]:
    """The curves between the sides of entry and exit; None means that the route ends there.

    Of several ways it takes the one with the most stops of the route, then the shortest.
    """
    come, go = sides
    wanted = {STOP + i for name, i in route.stops if name == hex_.hex}
    starts = list(range(STOP, STOP + len(hex_.stops))) if come is None else [come]
    pieces = _free(hex_, plan, taken)
    ways = [
        way
        for start in starts
        for way in _ways(pieces, (start,), [])
        if (way[0][-1] == go if go is not None else way[0][-1] >= STOP)
    ]
    if not ways:
        raise ValueError(f"route {route.number} has no track that way in {hex_.hex}")
    ends, curves = min(ways, key=lambda way: (-len(wanted & set(way[0])), len(way[1])))
    taken += [(hex_.hex, frozenset(piece)) for piece in pairwise(ends)]
    return curves


def _free(hex_: HexView, plan: HexPlan, taken: Occupied) -> dict[tuple[int, int], Curve]:
    """Track and ferry line of a hex; of parallel tracks, the next one that no route has taken."""
    several: dict[tuple[int, int], list[Curve]] = {}
    for piece, curve in zip(hex_.track + hex_.ferry, plan.curves, strict=True):
        several.setdefault(piece, []).append(curve)
    return {
        piece: curves[taken.count((hex_.hex, frozenset(piece))) % len(curves)]
        for piece, curves in several.items()
    }


def _ways(
    pieces: Mapping[tuple[int, int], Curve], ends: tuple[int, ...], curves: list[Curve]
) -> Iterator[tuple[tuple[int, ...], list[Curve]]]:
    """Every way on from the last of ``ends``; a side ends a way."""
    yield ends, curves
    if len(ends) > 1 and ends[-1] < STOP:
        return
    for (one, other), curve in pieces.items():
        for here, there, way in ((one, other, curve), (other, one, curve.reversed)):
            if here == ends[-1] and there not in ends:
                yield from _ways(pieces, (*ends, there), [*curves, way])

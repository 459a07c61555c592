"""Fills the SVG templates with numbers. Its callers decide what the pictures show."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache

from jinja2 import Environment, FileSystemLoader
from msgspec import Struct

from service.compiled import environment_from
from service.drawing.geometry import Curve, Point, R
from service.drawing.hexes import COORDINATE, SCALE, token_size
from service.drawing.labels import FAMILY, text_width
from service.drawing.sheet import Look, fitting
from service.resources import folder

_PARTS = 2048
"""Hexes and spaces of the chart that are kept as SVG, 4 MB. A move changes few of them, and filling
in the templates of all takes as long as drawing their shapes."""
_REACH = R + 10
"""How far from its center a hex draws: its track is broad, and ends at the sides."""
_OUTLINES = 128
"""Outlines of boards that are kept as SVG, two a board, 2 MB: they never change."""


def number(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """A point as SVG writes it."""
    return f"{number(point[0])},{number(point[1])}"


def pairs(points: Iterable[Point]) -> str:
    """The points of a polygon."""
    return " ".join(pair(point) for point in points)


def around(point: Point, reach: float) -> str:
    """The box of all points that are at most ``reach`` away: left, top, width and height."""
    return f"{number(point[0] - reach)} {number(point[1] - reach)} {2 * reach:g} {2 * reach:g}"


def along(curves: Sequence[Curve], reach: float) -> str:
    """The same for a line."""
    points = [point for one in curves for point in (one.start, one.one, one.two, one.end)]
    left, top = (min(point[at] for point in points) - reach for at in (0, 1))
    right, low = (max(point[at] for point in points) + reach for at in (0, 1))
    return f"{number(left)} {number(top)} {number(right - left)} {number(low - top)}"


def path(curves: Iterable[Curve]) -> str:
    """Curves as path data; a curve that begins at the last one's end continues from there."""
    parts: list[str] = []
    last = ""
    for curve in curves:
        if pair(curve.start) != last:
            parts.append(f"M{pair(curve.start)}")
        last = pair(curve.end)
        parts.append(f"C{pair(curve.one)} {pair(curve.two)} {last}")
    return "".join(parts)


@lru_cache(maxsize=_OUTLINES)
def segments(sides: tuple[tuple[Point, Point], ...]) -> str:
    """Straight lines from point to point, as path data."""
    return "".join(f"M{pair(one)}L{pair(other)}" for one, other in sides)


def render(template: str, picture: Struct, look: Look) -> str:
    """The picture from a template in the folder ``picture``."""
    found = templates().get_template(template)
    return found.render(picture=picture, look=look, family=FAMILY, liveries=_liveries(look))


def _liveries(look: Look) -> str:
    """The colors of all companies, so that a PNG has the same colors in every picture."""
    return " ".join(sorted({c for one in look.companies.values() for c in (one.fill, one.text)}))


@lru_cache(maxsize=_PARTS)
def _part(template: str, macro: str, shown: Struct, look: Look) -> str:
    """A part of a picture, from a macro in a template: a hex around 0, 0, or a space."""
    draw: Callable[[Struct, Look], str] = getattr(_macros(template), macro)
    return draw(shown, look)


@cache
def _macros(template: str) -> object:
    """The macros of a template."""
    return templates().get_template(template).module


@cache
def templates() -> Environment:
    """The templates of pictures, with what they call."""
    home = folder("templates") / "picture"
    found = environment_from(FileSystemLoader(home), home)
    found.filters.update(n=number, pair=pair, pairs=pairs, path=path, segments=segments)
    found.filters.update(around=around, along=along)
    found.globals.update(text_width=text_width, fitting=fitting, token_size=token_size)
    found.globals.update(sign_scale=SCALE, coordinate_size=COORDINATE, part=_part, hex_reach=_REACH)
    return found

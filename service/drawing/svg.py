"""Fills the SVG templates with pictures made of numbers; decides nothing about what they show."""

from collections.abc import Iterable
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from service.drawing.geometry import Curve, Point
from service.drawing.hexes import COORDINATE, SCALE, token_size
from service.drawing.sheet import FAMILY, Look, fitting, text_width
from service.resources import folder


def number(value: float) -> str:
    """A coordinate with one decimal at most."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """A point as SVG writes it."""
    return f"{number(point[0])},{number(point[1])}"


def pairs(points: Iterable[Point]) -> str:
    """The points of a polygon."""
    return " ".join(pair(point) for point in points)


def path(curves: Iterable[Curve]) -> str:
    """Curves as the data of a path; a curve that begins where the last ended goes on from there."""
    parts: list[str] = []
    last = ""
    for curve in curves:
        if pair(curve.start) != last:
            parts.append(f"M{pair(curve.start)}")
        last = pair(curve.end)
        parts.append(f"C{pair(curve.one)} {pair(curve.two)} {last}")
    return "".join(parts)


def segments(sides: Iterable[tuple[Point, Point]]) -> str:
    """Straight lines, each from point to point, as the data of a path."""
    return "".join(f"M{pair(one)}L{pair(other)}" for one, other in sides)


def render(template: str, picture: Struct, look: Look) -> str:
    """The picture in a template of the folder ``picture``."""
    return _templates().get_template(template).render(picture=picture, look=look, family=FAMILY)


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(folder("templates") / "picture"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters.update(n=number, pair=pair, pairs=pairs, path=path, segments=segments)
    templates.globals.update(text_width=text_width, fitting=fitting, token_size=token_size)
    templates.globals.update(sign_scale=SCALE, coordinate_size=COORDINATE)
    return templates

"""Draws the stock chart as SVG; sees plain data and no rules."""

from collections.abc import Iterator

from msgspec import Struct

from engine.telling.view import ChartView, SpaceView
from service.drawing.room import Box
from service.drawing.sheet import MARGIN, TEXT, Head, Look, head, text_width
from service.drawing.svg import render

WIDE, HIGH = 84.0, 98.0
NARROWEST = 700.0
"""Width of the page of a small chart, for the sake of its head."""
ZONES = {
    "p": "par value",
    "y": "outside the certificate limit",
    "o": "outside the limit of one company's shares",
    "b": "several shares may be bought in one turn",
    "e": "ends the game",
    "c": "the company is closed",
}
"""What the letters of a space mean, in the order of the key."""
_DISC = 25.0


class Chip(Struct, frozen=True):
    """A company's marker; ``place`` counts from the top of the stack where it is not alone."""

    company: str
    box: Box
    place: int


class Space(Struct, frozen=True):
    """A space on the page."""

    box: Box
    price: int
    kinds: str
    #: in the order of drawing
    chips: tuple[Chip, ...]


class Key(Struct, frozen=True):
    """A line of the key below the chart."""

    kind: str
    text: str
    x: float
    y: float


class ChartPicture(Struct, frozen=True):
    """What the template of the chart draws."""

    width: float
    height: float
    head: Head
    spaces: tuple[Space, ...]
    keys: tuple[Key, ...]
    note: str


def market_svg(view: ChartView, look: Look, title: str, heading: str = "") -> str:
    """The stock chart as SVG."""
    return render("market.svg.j2", chart_picture(view, title, heading), look)


def chart_picture(view: ChartView, title: str, heading: str = "") -> ChartPicture:
    """The stock chart as numbers."""
    columns = max(len(row) for row in view.rows)
    width = max(columns * WIDE + 2 * MARGIN, NARROWEST)
    top = 92.0
    spaces = tuple(
        _space(space, Box(MARGIN + WIDE * (x + 0.5), top + HIGH * (y + 0.5), WIDE, HIGH))
        for y, row in enumerate(view.rows)
        for x, space in enumerate(row)
        if space.price
    )
    low = top + HIGH * len(view.rows)
    kinds = [kind for kind in ZONES if any(kind in space.kinds for space in spaces)]
    keys = tuple(_keys(kinds, low + 34))
    stacked = any(len(space.chips) > 1 for space in spaces)
    return ChartPicture(
        width,
        low + (62 if keys or stacked else 24),
        head(title, heading, width),
        spaces,
        keys,
        "1 is the top of a stack" if stacked else "",
    )


def _keys(kinds: list[str], y: float) -> Iterator[Key]:
    x = MARGIN
    for kind in kinds:
        yield Key(kind, ZONES[kind], x, y)
        x += 40 + text_width(ZONES[kind], TEXT) + 30


def _space(space: SpaceView, box: Box) -> Space:
    chips = tuple(_chips(space.companies, box))
    return Space(box, space.price, space.kinds, chips)


def _chips(companies: tuple[str, ...], box: Box) -> Iterator[Chip]:
    """A disc for one company; several are a stack of flat chips, the top of the stack above."""
    number = len(companies)
    floor = box.top + 30
    if number == 1:
        yield Chip(companies[0], Box(box.x, floor + 33, 2 * _DISC, 2 * _DISC), 0)
        return
    columns = 1 if number <= 4 else 2
    lines = max(1, -(-number // columns))
    wide = (box.width - 10) / columns
    high = min(28.0, (box.height - 36) / lines)
    for i, company in enumerate(companies):
        x = box.left + 5 + wide * (i // lines + 0.5)
        yield Chip(company, Box(x, floor + high * (i % lines + 0.5), wide - 2, high - 2), i + 1)

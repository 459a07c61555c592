"""Draws the stock chart as SVG; sees plain data and no rules."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from engine.telling.view import ChartView, SpaceView
from service.drawing.labels import text_width
from service.drawing.room import Box
from service.drawing.sheet import MARGIN, TEXT, Look, PageHeading, head
from service.drawing.svg import render

WIDE, HIGH = 84.0, 98.0
NARROWEST = 700.0
"""Width of the page of a small chart, which must have room for its head."""
PAR, END = "par value", "ends the game"
MARKS = {"^": "up instead of right", "v": "down instead of left", "_": "falls no lower"}
"""What the marks of a space mean, in the order of the key."""
LINE = 30.0
"""Height of a line of the key."""
GAP = "-"
"""Kind of a cell that is not a space."""
_DISC = 25.0
_CHARTS = 64
"""Charts kept as SVG, 3 MB: in an operating round few moves change a price."""


class Chip(Struct, frozen=True):
    """A company's marker; ``place`` counts from the top of a stack of several."""

    company: str
    box: Box
    place: int


class DrawnSpace(Struct, frozen=True):
    """A space on the page."""

    box: Box
    price: int
    kinds: str
    #: an arrow, a ledge
    marks: str
    #: in the order of drawing
    chips: tuple[Chip, ...]


class Key(Struct, frozen=True):
    """A line of the key below the chart."""

    kind: str
    text: str
    x: float
    y: float


class ChartPicture(Struct, frozen=True):
    """Values for the template of the chart."""

    width: float
    height: float
    head: PageHeading
    spaces: tuple[DrawnSpace, ...]
    keys: tuple[Key, ...]
    note: str


@lru_cache(maxsize=_CHARTS)
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
        if space.kinds != GAP
    )
    low = top + HIGH * len(view.rows)
    keys = tuple(_keys(_signs(view, spaces), low + 34, width))
    end = keys[-1].y + 28 if keys else low + 62
    stacked = any(len(space.chips) > 1 for space in spaces)
    return ChartPicture(
        width,
        end if keys or stacked else low + 24,
        head(title, heading, width),
        spaces,
        keys,
        "1 is the top of a stack" if stacked else "",
    )


def _signs(view: ChartView, spaces: Sequence[DrawnSpace]) -> Iterator[tuple[str, str]]:
    """The letters and marks on this chart, with their meanings."""
    for kind, text in (("p", PAR), *view.zones, ("e", END)):
        if any(kind in space.kinds for space in spaces):
            yield kind, text
    for mark, text in MARKS.items():
        if any(mark in space.marks for space in spaces):
            yield mark, text


def _keys(signs: Iterable[tuple[str, str]], y: float, width: float) -> Iterator[Key]:
    """The key, in as many lines as it needs."""
    x = MARGIN
    for kind, text in signs:
        wide = 40 + text_width(text, TEXT)
        if x > MARGIN and x + wide > width - MARGIN:
            x, y = MARGIN, y + LINE
        yield Key(kind, text, x, y)
        x += wide + 30


def _space(space: SpaceView, box: Box) -> DrawnSpace:
    chips = tuple(_chips(space.companies, box))
    return DrawnSpace(box, space.price, space.kinds, space.marks, chips)


def _chips(companies: tuple[str, ...], box: Box) -> Iterator[Chip]:
    """A disc for one company; several are a stack of flat chips, with its top above."""
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

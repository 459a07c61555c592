"""A page for a picture: its title plate and its legend."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from service.drawing.labels import text_width
from service.drawing.room import Box

MARGIN = 26.0
HEAD = 76.0
LINE = 30.0
TEXT = 22.0


class Livery(Struct, frozen=True):
    """How a company is shown: colors as in SVG, and a few letters for a token."""

    fill: str
    text: str
    label: str


class Look(Struct, frozen=True):
    """The liveries of the companies by their ids."""

    companies: dict[str, Livery]

    def __hash__(self) -> int:
        return hash(frozenset(self.companies.items()))

    def of(self, company: str) -> Livery:
        """The livery of a company; a plain one if it has none."""
        return self.companies.get(company) or Livery("#5b5b5b", "#ffffff", company)


class Legend(Struct, frozen=True):
    """Texts beside a picture: a heading such as "OR 4.2 · phase 4 · #212", and more lines."""

    heading: str = ""
    lines: tuple[str, ...] = ()


class LegendLine(Struct, frozen=True):
    """A line of the legend; ``kind`` names the sample before it.

    It is "", new, buildable, route, ferry (``colour`` "runs" or ""), river (``colour`` "broad" or
    ""), or sign, the icon of ``text``.
    """

    text: str
    kind: str = ""
    colour: str = ""
    number: int = 0

    @property
    def indent(self) -> float:
        """Width of the sample with its gap."""
        return 38.0 if self.kind else 0.0

    @property
    def width(self) -> float:
        """Width of sample and text together."""
        return self.indent + text_width(self.text, TEXT)


class Placed(Struct, frozen=True):
    """An entry of the legend, and the left end of its base line."""

    entry: LegendLine
    x: float
    y: float


class Plate(Struct, frozen=True):
    """The legend on the page."""

    box: Box
    entries: tuple[Placed, ...]


class PageHeading(Struct, frozen=True):
    """The head of a page: the title plate, and the heading with the size of its text."""

    title: str
    size: float
    box: Box
    heading: str
    heading_size: float


def fitting(text: str, size: float, width: float, bold: bool = True) -> float:
    """The largest size up to ``size`` at which the text fits ``width``."""
    return min(size, size * width / max(text_width(text, size, bold), 1.0))


def head(title: str, heading: str, width: float) -> PageHeading:
    """The head of a page ``width`` wide: title left, heading right."""
    room = width - 2 * MARGIN
    size = fitting(title, 36, room * (0.55 if heading else 0.9))
    plate = text_width(title, size, True) + 48
    heading_size = fitting(heading, 26, room - plate - 24)
    return PageHeading(title, size, Box(MARGIN + plate / 2, 44, plate, 54), heading, heading_size)


def legend_plate(
    entries: Sequence[LegendLine], page: Box, taken: Iterable[tuple[float, float, float]]
) -> Plate | None:
    """The legend in a corner of ``page`` that no disc in ``taken`` covers, or None."""
    discs = list(taken)
    width = max(entry.width for entry in entries) + 36
    height = LINE * len(entries) + 22
    for right, low in ((1, 1), (1, 0), (0, 1), (0, 0)):
        x = page.left + (page.width - width / 2 if right else width / 2)
        y = page.top + (page.height - height / 2 if low else height / 2)
        if all(
            max(0.0, abs(cx - x) - width / 2) ** 2 + max(0.0, abs(cy - y) - height / 2) ** 2
            >= radius**2
            for cx, cy, radius in discs
        ):
            return _plate(entries, Box(x, y, width, height), 1)
    return None


def legend_strip(entries: Sequence[LegendLine], width: float, top: float) -> Plate:
    """The legend as a strip across a page ``width`` wide, with as many columns as fit."""
    room = width - 2 * MARGIN - 36
    widest = max(entry.width for entry in entries) + 36
    columns = max(1, min(int((room + 36) // widest), 3, len(entries)))
    lines = -(-len(entries) // columns)
    height = LINE * lines + 22
    box = Box(width / 2, top + height / 2, width - 2 * MARGIN, height)
    return _plate(entries, box, columns)


def _plate(entries: Sequence[LegendLine], box: Box, columns: int) -> Plate:
    lines = -(-len(entries) // columns)
    step = (box.width - 36) / columns
    return Plate(
        box,
        tuple(
            Placed(
                entry,
                box.left + 18 + step * (i // lines),
                box.top + 11 + LINE * (i % lines) + LINE * 0.72,
            )
            for i, entry in enumerate(entries)
        ),
    )

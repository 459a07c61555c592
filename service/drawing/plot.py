"""Draws lines of dollars by round as SVG; dashes, marks and labels distinguish the lines, too.

Knows numbers and names, and no game. Each line has a dash, a mark and its name at its end, so that
readers do not depend on color.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from service.drawing.geometry import Point
from service.drawing.labels import FAMILY, text_width
from service.drawing.sheet import Look
from service.drawing.svg import render

WIDTH, HIGH = 720.0, 420.0
TEXT = 22.0
#: the least distance between labels at the ends of lines
LINE = 24.0
_TOP, _BOTTOM, _LEFT, _GAP = 18.0, 46.0, 12.0, 14.0
#: the most rules above a plot's lowest one
_RULES = 5
#: the most rounds named below a plot, and the least distance between their names
_NAMED, _BETWEEN = 8, 18.0
#: dashes and marks by a line's place; they repeat at different lengths, so no two pairs are equal
DASHES = ("", "14 7", "3 6", "18 6 4 6", "9 4", "2 10")
MARKS = ("disc", "square", "triangle", "diamond", "cross", "ring", "bar")


class Series(Struct, frozen=True):
    """A line: its name, and dollars by round; None before its start and after its end."""

    name: str
    dollars: tuple[int | None, ...]


class Plot(Struct, frozen=True):
    """A plot; a screen reader reads ``title`` and ``told`` instead of it."""

    title: str
    told: str
    rounds: tuple[str, ...]
    series: tuple[Series, ...]


class PlotInk(Struct, frozen=True):
    """The colors of a plot: CSS for a page with two themes, or colors on paper."""

    lines: tuple[str, ...]
    text: str
    rule: str
    family: str = FAMILY


COLOURS = 8
"""Number of line colors; the page's style sheet has them for both themes."""
SCREEN = PlotInk(
    tuple(f"var(--line-{n})" for n in range(1, COLOURS + 1)), "var(--ink)", "var(--rule)", "inherit"
)
PAPER = PlotInk(
    ("#0b5394", "#a83a00", "#00684a", "#7a2a7d", "#7a5200", "#a3174f", "#33595f", "#3d3d3d"),
    "#221c14",
    "#cbb78c",
)


class Tick(Struct, frozen=True):
    """A rule across the plot with its dollars, or a round below the plot."""

    at: float
    text: str


class Drawn(Struct, frozen=True):
    """A line on the page; ``pieces`` are its unbroken stretches, as points."""

    name: str
    colour: str
    dash: str
    mark: str
    pieces: tuple[tuple[Point, ...], ...]
    #: the end of the line, and the place of its name beside it
    end: Point
    label: Point


class PlotPicture(Struct, frozen=True):
    """Values for the template of a plot."""

    id: str
    title: str
    told: str
    width: float
    height: float
    left: float
    right: float
    bottom: float
    ink: PlotInk
    dollars: tuple[Tick, ...]
    rounds: tuple[Tick, ...]
    lines: tuple[Drawn, ...]


def plot_svg(plot: Plot, id: str, ink: PlotInk = SCREEN) -> str:
    """The plot as SVG; ``id`` distinguishes its parts from those of other plots on a page."""
    return render("plot.svg.j2", plot_picture(plot, id, ink), Look({}))


def plot_picture(plot: Plot, id: str, ink: PlotInk) -> PlotPicture:
    """The plot as numbers."""
    low, high, step = scale([d for line in plot.series for d in line.dollars if d is not None])
    values = range(low, high + 1, step)
    left = _LEFT + max(text_width(_money(value), TEXT) for value in values) + 10
    names = max((text_width(line.name, TEXT, True) for line in plot.series), default=0.0)
    right = WIDTH - names - _GAP - 34
    bottom = HIGH - _BOTTOM

    def across(place: int) -> float:
        return left + (right - left) * (place / max(len(plot.rounds) - 1, 1))

    def up(dollars: int) -> float:
        return bottom - (bottom - _TOP) * (dollars - low) / (high - low)

    def points(line: Series) -> list[Point | None]:
        return [None if d is None else (across(n), up(d)) for n, d in enumerate(line.dollars)]

    lines = [_drawn(n, line.name, points(line), ink) for n, line in enumerate(plot.series)]
    return PlotPicture(
        id,
        plot.title,
        plot.told,
        WIDTH,
        HIGH,
        left,
        right,
        bottom,
        ink,
        tuple(Tick(up(value), _money(value)) for value in values),
        tuple(Tick(across(place), plot.rounds[place]) for place in _named(plot.rounds, across)),
        tuple(_spread([line for line in lines if line.pieces], right + 30, bottom)),
    )


def scale(values: Sequence[int]) -> tuple[int, int, int]:
    """The lowest and highest dollars of a plot, and the step between its rules.

    A step is 1, 2 or 5 times a power of ten; 0 is always one of the rules.
    """
    low, high = min((0, *values)), max((1, *values))
    steps = (factor * 10**power for power in range(12) for factor in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= _RULES)
    return low // step * step, -(-high // step) * step, step


def _money(dollars: int) -> str:
    return f"{'-' * (dollars < 0)}${abs(dollars)}"


def _named(rounds: Sequence[str], across: Callable[[int], float]) -> Iterator[int]:
    """The places of the named rounds: all if they fit, otherwise some, always with the last."""
    count = len(rounds)
    widest = max((text_width(name, TEXT) for name in rounds), default=0.0) + _BETWEEN
    every = max(1, -(-count // _NAMED))
    while every < count and across(every) - across(0) < widest:
        every += 1
    return (place for place in range(count) if (count - 1 - place) % every == 0)


def _drawn(number: int, name: str, points: Sequence[Point | None], ink: PlotInk) -> Drawn:
    pieces: list[tuple[Point, ...]] = []
    piece: list[Point] = []
    for point in (*points, None):
        if point is not None:
            piece.append(point)
        elif piece:
            pieces.append(tuple(piece))
            piece = []
    end = pieces[-1][-1] if pieces else (0.0, 0.0)
    return Drawn(
        name,
        ink.lines[number % len(ink.lines)],
        DASHES[number % len(DASHES)],
        MARKS[number % len(MARKS)],
        tuple(pieces),
        end,
        end,
    )


def _spread(lines: Sequence[Drawn], x: float, bottom: float) -> Iterator[Drawn]:
    """The lines with their names one below another, each as near as possible to its line's end."""
    ranked = sorted(lines, key=lambda line: line.end[1])
    heights: list[float] = []
    for line in ranked:
        heights.append(max(line.end[1], heights[-1] + LINE if heights else _TOP))
    lowest = max(bottom, _TOP + LINE * (len(ranked) - 1))
    for at in range(len(ranked) - 1, -1, -1):
        heights[at] = min(heights[at], lowest)
        lowest = heights[at] - LINE
    for line, height in zip(ranked, heights, strict=True):
        yield Drawn(
            line.name, line.colour, line.dash, line.mark, line.pieces, line.end, (x, height)
        )

"""Draws lines of dollars by round as SVG; dashes, marks and a label tell the lines apart, too.

It sees numbers and names, and no game. Colour is never alone: each line has a dash and a mark of
its own and its name at its end.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from service.drawing.geometry import Point
from service.drawing.labels import FAMILY, text_width
from service.drawing.sheet import Look
from service.drawing.svg import render

WIDTH, HIGH = 720.0, 420.0
TEXT = 22.0
#: how far apart the labels at the ends of lines stand at least
LINE = 24.0
_TOP, _BOTTOM, _LEFT, _GAP = 18.0, 46.0, 12.0, 14.0
#: rules across a plot above the lowest at most
_RULES = 5
#: rounds that are named below a plot at most, and how far apart their names stand at least
_NAMED, _BETWEEN = 8, 18.0
#: dashes and marks by the place of a line; both repeat at different lengths, so that pairs do not
DASHES = ("", "14 7", "3 6", "18 6 4 6", "9 4", "2 10")
MARKS = ("disc", "square", "triangle", "diamond", "cross", "ring", "bar")


class Series(Struct, frozen=True):
    """A line: its name, and dollars by round; None where there are none yet, or no more."""

    name: str
    dollars: tuple[int | None, ...]


class Plot(Struct, frozen=True):
    """What is drawn: ``title`` and ``told`` are what a screen reader says instead of it."""

    title: str
    told: str
    rounds: tuple[str, ...]
    series: tuple[Series, ...]


class PlotInk(Struct, frozen=True):
    """What is painted with: as CSS for a page of two themes, or colours on paper."""

    lines: tuple[str, ...]
    text: str
    rule: str
    family: str = FAMILY


COLOURS = 8
"""How many colours lines have; the page's style sheet says those of both themes."""
SCREEN = PlotInk(
    tuple(f"var(--line-{n})" for n in range(1, COLOURS + 1)), "var(--ink)", "var(--rule)", "inherit"
)
PAPER = PlotInk(
    ("#0b5394", "#a83a00", "#00684a", "#7a2a7d", "#7a5200", "#a3174f", "#33595f", "#3d3d3d"),
    "#221c14",
    "#cbb78c",
)


class Tick(Struct, frozen=True):
    """A rule across the plot with the dollars that it stands for, or a round below it."""

    at: float
    text: str


class Drawn(Struct, frozen=True):
    """A line on the page; ``pieces`` are its stretches without a gap, as points."""

    name: str
    colour: str
    dash: str
    mark: str
    pieces: tuple[tuple[Point, ...], ...]
    #: where the line ends, and where its name stands beside it
    end: Point
    label: Point


class PlotPicture(Struct, frozen=True):
    """What the template of a plot draws."""

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
    """The plot as SVG; ``id`` sets its parts apart from those of other plots on a page."""
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
    """The lowest and highest dollars of a plot and the step between its rules.

    A step is 1, 2 or 5 times a power of ten; 0 is always among the rules.
    """
    low, high = min((0, *values)), max((1, *values))
    steps = (factor * 10**power for power in range(12) for factor in (1, 2, 5))
    step = next(step for step in steps if (high - low) / step <= _RULES)
    return low // step * step, -(-high // step) * step, step


def _money(dollars: int) -> str:
    return f"{'-' * (dollars < 0)}${abs(dollars)}"


def _named(rounds: Sequence[str], across: Callable[[int], float]) -> Iterator[int]:
    """The places of the rounds that are named: not all where they are many, the last always."""
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
    """The lines with their names one below another, each as near to its line's end as can be."""
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

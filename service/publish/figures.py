"""The pictures of published pages: map and chart with their own font, and plots with tables.

A browser shows a picture only with the fonts of its own computer, but Waybill places the text of a
map by the widths of its own font. So each picture contains the few characters that pictures need.
"""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.telling.view import MapView
from service.drawing import Legend, Plot, Series, map_svg, market_svg
from service.drawing.labels import FAMILY, FONTS
from service.drawing.plot import PAPER, SCREEN, plot_svg
from service.publish.course import CourseRound
from service.reports import Scene
from service.reports.figures import look
from service.reports.position import reconstructed
from service.reports.tables import Column, Grid

_CHART = ("market",)
#: facts that no picture shows
_UNSEEN = ("bank",)


def map_picture(scene: Scene, seen: MapView, letters: bool = True) -> str:
    """The map as SVG, with a note if it is not the printed one; ``letters`` adds the font."""
    heading = reconstructed(scene, lambda part: part not in (*_CHART, *_UNSEEN))
    svg = map_svg(seen, look(scene), _titled(scene), Legend(heading))
    return with_letters(svg) if letters else svg


def chart_picture(scene: Scene, letters: bool = True) -> str:
    """The stock chart as SVG, with a note if it is not the printed one."""
    heading = reconstructed(scene, lambda part: part in _CHART)
    svg = market_svg(scene.view.chart, look(scene), _titled(scene), heading)
    return with_letters(svg) if letters else svg


def _titled(scene: Scene) -> str:
    return f"{scene.view.title} {scene.game}"


def with_letters(svg: str) -> str:
    """An SVG that contains the font of its text."""
    head, end, rest = svg.partition(">")
    return f"{head}{end}<style>{_faces()}</style>{rest}"


@cache
def _faces() -> str:
    """Both weights of the font as CSS, only with the boards' characters (``fonts/README.md``)."""
    faces = []
    for name, weight in (("Roboto-Regular.woff2", 400), ("Roboto-Bold.woff2", 700)):
        data = base64.b64encode((FONTS / name).read_bytes()).decode()
        source = f"src:url(data:font/woff2;base64,{data})"
        faces.append(f"@font-face{{font-family:{FAMILY};font-weight:{weight};{source}}}")
    return "".join(faces)


@dataclass(frozen=True)
class PlottedFigure:
    """A plot and its numbers; ``id`` is its name in the page."""

    id: str
    title: str
    plot: Plot
    table: Grid

    @property
    def screen(self) -> str:
        """The plot as SVG in the colors of the page, light or dark."""
        return plot_svg(self.plot, f"plot-{self.id}", SCREEN)

    @property
    def paper(self) -> str:
        """The plot as SVG in colors for paper."""
        return plot_svg(self.plot, f"plot-{self.id}", PAPER)


def curves(scene: Scene, stages: Sequence[CourseRound]) -> tuple[PlottedFigure, ...]:
    """Net worth of players, share prices, and income of companies, by round.

    A plot without data is left out. So is one with a single round, because it has no line, and the
    tables show its numbers.
    """
    seats = [player.seat for player in scene.view.players]
    companies = [company.id for company in scene.view.companies]
    ran = [stage for stage in stages if stage.income]
    found = (
        _curve("worth", "Net worth of the players", stages, seats, lambda s: s.worth),
        _curve("prices", "Share prices", stages, companies, lambda s: s.prices),
        _curve("income", "Income of the companies", ran, companies, lambda s: s.income),
    )
    return tuple(curve for curve in found if curve.plot.series and len(curve.plot.rounds) > 1)


def _curve(
    id: str,
    title: str,
    stages: Sequence[CourseRound],
    names: Sequence[str],
    dollars: Callable[[CourseRound], Mapping[str, int]],
) -> PlottedFigure:
    rounds = tuple(stage.round for stage in stages)
    every = (Series(name, tuple(dollars(stage).get(name) for stage in stages)) for name in names)
    series = tuple(line for line in every if any(d is not None for d in line.dollars))
    columns = (Column("Round"), *(Column(line.name, True) for line in series))
    rows = tuple(
        (name, *(_money(line.dollars[at]) for line in series)) for at, name in enumerate(rounds)
    )
    told = "; ".join(_told(line, rounds) for line in series) + ". The table has every round."
    return PlottedFigure(id, title, Plot(title, told, rounds, series), Grid("", columns, rows))


def _told(line: Series, rounds: Sequence[str]) -> str:
    """The first and last values of a line, in words."""
    known = [(name, d) for name, d in zip(rounds, line.dollars, strict=True) if d is not None]
    (first, low), (last, high) = known[0], known[-1]
    if len(known) == 1:
        return f"{line.name} {_money(low)} in {first}"
    return f"{line.name} from {_money(low)} in {first} to {_money(high)} in {last}"


def _money(dollars: int | None) -> str:
    return "-" if dollars is None else f"{'-' * (dollars < 0)}${abs(dollars)}"


def board(seen: MapView) -> Grid:
    """The map in words, for readers who cannot see it: hexes with tiles or tokens."""
    rows = tuple(_hex_rows(seen))
    columns = (Column("Hex"), Column("Place", name=True), Column("Tile"), Column("Stations"))
    return Grid("", columns, rows)


def _hex_rows(seen: MapView) -> Iterator[tuple[str, ...]]:
    for hex_ in seen.hexes:
        stations = [company for stop in hex_.stops for company in stop.stations if company]
        if hex_.tile or stations:
            yield hex_.hex, hex_.name or "-", hex_.tile or "-", " ".join(stations) or "-"

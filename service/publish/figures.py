"""The pictures of published pages: map and chart with their own letters, and plots with tables.

A browser shows a picture with no fonts but those of its own machine, and the letters of a map are
placed by the widths of ours: so each picture carries the few letters that pictures have.
"""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.telling.view import MapView
from service.drawing import Legend, Plot, Series, map_svg, market_svg
from service.drawing.labels import FAMILY, FONTS
from service.drawing.plot import PAPER, SCREEN, plot_svg
from service.publish.course import Stage
from service.reports import Scene
from service.reports.figures import look
from service.reports.position import reconstructed
from service.reports.tables import Column, Grid

_CHART = ("market",)
#: facts that are on no picture
_UNSEEN = ("bank",)


def map_picture(scene: Scene, seen: MapView, letters: bool = True) -> str:
    """The map as SVG, marked where it is not the printed one; it may carry its ``letters``."""
    heading = reconstructed(scene, lambda part: part not in (*_CHART, *_UNSEEN))
    svg = map_svg(seen, look(scene), _titled(scene), Legend(heading))
    return with_letters(svg) if letters else svg


def chart_picture(scene: Scene, letters: bool = True) -> str:
    """The stock chart as SVG, marked where it is not the printed one."""
    heading = reconstructed(scene, lambda part: part in _CHART)
    svg = market_svg(scene.view.chart, look(scene), _titled(scene), heading)
    return with_letters(svg) if letters else svg


def _titled(scene: Scene) -> str:
    return f"{scene.view.title} {scene.game}"


def with_letters(svg: str) -> str:
    """An SVG that carries the letters it is written in."""
    head, end, rest = svg.partition(">")
    return f"{head}{end}<style>{_faces()}</style>{rest}"


@cache
def _faces() -> str:
    """Both weights of our font as CSS, cut down to the letters of boards (``fonts/README.md``)."""
    faces = []
    for name, weight in (("Roboto-Regular.woff2", 400), ("Roboto-Bold.woff2", 700)):
        data = base64.b64encode((FONTS / name).read_bytes()).decode()
        source = f"src:url(data:font/woff2;base64,{data})"
        faces.append(f"@font-face{{font-family:{FAMILY};font-weight:{weight};{source}}}")
    return "".join(faces)


@dataclass(frozen=True)
class Curve:
    """A plot and the same in numbers; ``id`` is what the page calls it."""

    id: str
    title: str
    plot: Plot
    table: Grid

    @property
    def screen(self) -> str:
        """The plot as SVG in the colours of the page, light or dark."""
        return plot_svg(self.plot, f"plot-{self.id}", SCREEN)

    @property
    def paper(self) -> str:
        """The plot as SVG in colours for paper."""
        return plot_svg(self.plot, f"plot-{self.id}", PAPER)


def curves(scene: Scene, stages: Sequence[Stage]) -> tuple[Curve, ...]:
    """Net worth of the players, prices of the shares, incomes of the companies, by round.

    What there is nothing of yet is left out, and so is what there is of one round alone: that is
    no line, and the tables have it.
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
    stages: Sequence[Stage],
    names: Sequence[str],
    dollars: Callable[[Stage], Mapping[str, int]],
) -> Curve:
    rounds = tuple(stage.round for stage in stages)
    every = (Series(name, tuple(dollars(stage).get(name) for stage in stages)) for name in names)
    series = tuple(line for line in every if any(d is not None for d in line.dollars))
    columns = (Column("Round"), *(Column(line.name, True) for line in series))
    rows = tuple(
        (name, *(_money(line.dollars[at]) for line in series)) for at, name in enumerate(rounds)
    )
    told = "; ".join(_told(line, rounds) for line in series) + ". The table has every round."
    return Curve(id, title, Plot(title, told, rounds, series), Grid("", columns, rows))


def _told(line: Series, rounds: Sequence[str]) -> str:
    """How a line begins and ends, in words."""
    known = [(name, d) for name, d in zip(rounds, line.dollars, strict=True) if d is not None]
    (first, low), (last, high) = known[0], known[-1]
    if len(known) == 1:
        return f"{line.name} {_money(low)} in {first}"
    return f"{line.name} from {_money(low)} in {first} to {_money(high)} in {last}"


def _money(dollars: int | None) -> str:
    return "-" if dollars is None else f"{'-' * (dollars < 0)}${abs(dollars)}"


def board(seen: MapView) -> Grid:
    """The map in words: the hexes with tiles or stations, for who does not see it."""
    rows = tuple(_hex_rows(seen))
    columns = (Column("Hex"), Column("Place", name=True), Column("Tile"), Column("Stations"))
    return Grid("", columns, rows)


def _hex_rows(seen: MapView) -> Iterator[tuple[str, ...]]:
    for hex_ in seen.hexes:
        stations = [company for stop in hex_.stops for company in stop.stations if company]
        if hex_.tile or stations:
            yield hex_.hex, hex_.name or "-", hex_.tile or "-", " ".join(stations) or "-"

"""Fills the templates of a tournament: its page, its figures, its report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from service.games.games import GameTable
from service.publish.figures import map_picture
from service.publish.folder import public
from service.publish.pages import Around, fill, size
from service.publish.paper import as_data, pdf
from service.publish.tournament import page_data
from service.publish.tournament.page_data import TournamentView
from service.reports import Scene
from service.tournaments import listing

#: the most games whose final maps a report has
MOST_MAPS = 24


@dataclass(frozen=True)
class FinalMap:
    """The final map of a game, as SVG."""

    board: str
    game: str
    title: str
    svg: str

    @property
    def source(self) -> str:
        """The source of the picture, inside the page itself."""
        return as_data(self.svg)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return size(self.svg)


def tournament_page(view: TournamentView, around: Around) -> str:
    """The page of a tournament; when it is over, it links the report."""
    return fill("tournament.html.j2", around.templates, _common(view, around))


def figures_page(view: TournamentView, around: Around) -> str:
    """The origin of each figure in the standings, down to the games."""
    told = [(row.name, listing.followed(row)) for row in view.standings.rows if row.cells]
    found = {**_common(view, around), "told": told}
    return fill("figures.html.j2", around.templates, found)


def pictured(view: TournamentView) -> tuple[tuple[str, str], ...]:
    """The games whose maps a report has, the last round's first: their numbers and names."""
    found = [
        (f"{seating.round}.{table.number}", table.game)
        for seating in reversed(view.seatings)
        for table in seating.tables
        if table.game and (seating.round, table.number) in view.records
    ]
    return tuple(found[:MOST_MAPS])


def _common(view: TournamentView, around: Around) -> dict[str, object]:
    rules = view.tournament.rules
    return {
        "hidden": False,
        "canonical": "",
        "style": "",
        "root": around.root,
        "look": around.look,
        "view": view,
        "announcement": _paragraphs(rules.announcement),
        "prizes": _paragraphs(rules.prizes),
        "facts": tuple(page_data.facts(view)),
        "standings": listing.standings_grid(view.standings),
        "rounds": page_data.rounds(view),
        "entries": page_data.entries_grid(view),
        "rules": page_data.rules_told(view),
    }


def _paragraphs(text: str) -> tuple[str, ...]:
    """The parts of a text between empty lines."""
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())


def final_map(board: str, table: GameTable) -> FinalMap:
    """The present map of a game."""
    scene = Scene(table.row.name, table.title, table.state)
    svg = map_picture(scene, scene.view.map)
    return FinalMap(board, table.row.name, scene.view.title, svg)


def report_pdf(view: TournamentView, maps: Sequence[FinalMap], own: Path | None = None) -> bytes:
    """The report as PDF/UA; ``own`` are the operator's templates."""
    found = {
        **_common(view, Around("", "", own)),
        "maps": maps,
        "first": [row for row in view.standings.rows if row.place <= 3 and row.cells],
        "ties": listing.lots_told(view.standings),
    }
    return pdf(public(fill("report.html.j2", own, found)), own)

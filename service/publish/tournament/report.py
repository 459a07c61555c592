"""The report of a tournament, ready to print: HTML in one file, and PDF, with maps as pictures."""

from collections.abc import Sequence
from pathlib import Path

from service.games.games import GameTable
from service.publish.figures import map_picture
from service.publish.folder import public
from service.publish.pages import Around
from service.publish.paper import pdf
from service.publish.tournament.pages import FinalMap, report_page
from service.publish.tournament.sheet import CupView
from service.reports import Scene


def final_map(board: str, table: GameTable) -> FinalMap:
    """The map of a game as it is."""
    scene = Scene(table.row.name, table.title, table.state)
    svg = map_picture(scene, scene.view.map)
    return FinalMap(board, table.row.name, scene.view.title, svg)


def report_html(view: CupView, maps: Sequence[FinalMap]) -> str:
    """The report as one file: nothing of it lies elsewhere."""
    return public(report_page(view, maps, Around("", "", alone=True)))


def report_pdf(view: CupView, maps: Sequence[FinalMap], own: Path | None = None) -> bytes:
    """The same as PDF/UA; ``own`` are the operator's templates."""
    return pdf(public(report_page(view, maps, Around("", "", own), paper=True)), own)

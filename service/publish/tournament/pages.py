"""Fills the templates of a tournament: its page and its report."""

import re
from pathlib import Path

from service.publish.folder import public
from service.publish.pages import Around, fill
from service.publish.paper import pdf
from service.publish.tournament import page_data
from service.publish.tournament.page_data import TournamentView
from service.tournaments import listing


def tournament_page(view: TournamentView, around: Around) -> str:
    """The page of a tournament; when it is over, it links the report."""
    return fill("tournament.html.j2", around.templates, _common(view, around))


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
        "standings": listing.standings_grid(view.standings),
        "rounds": page_data.rounds(view),
        "entries": page_data.entries_grid(view),
        "rules": page_data.rules_told(view),
    }


def _paragraphs(text: str) -> tuple[str, ...]:
    """The parts of a text between empty lines."""
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())


def report_pdf(view: TournamentView, own: Path | None = None) -> bytes:
    """The report as PDF/UA; ``own`` are the operator's templates."""
    found = {
        **_common(view, Around("", "", own)),
        "first": [row for row in view.standings.rows if row.place <= 3 and row.cells],
        "ties": listing.lots_told(view.standings),
    }
    return pdf(public(fill("report.html.j2", own, found)), own)

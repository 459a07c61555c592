"""Fills the templates of a tournament: its page and its report."""

import re
from pathlib import Path

from service.publish.folder import public
from service.publish.pages import Around, fill
from service.publish.paper import pdf
from service.publish.tournament import page_data
from service.publish.tournament.page_data import TournamentView
from service.tournaments import listing, telling
from service.tournaments.standings import standings


def tournament_page(view: TournamentView, around: Around) -> str:
    """The page of a tournament; when it is over, it links the report."""
    return fill("tournament.html.j2", around.templates, _common(view, around))


def _common(view: TournamentView, around: Around) -> dict[str, object]:
    tournament, found = view.tournament, page_data.rounds(view)
    opened = {part.number for part in found}
    digests = enumerate(tournament.digests, 1)
    return {
        "hidden": False,
        "canonical": "",
        "style": "",
        "root": around.root,
        "look": around.look,
        "view": view,
        "over": tournament.over,
        "announcement": _paragraphs(tournament.rules.announcement),
        "prizes": _paragraphs(tournament.rules.prizes),
        "standings": listing.standings_grid(standings(tournament)),
        "rounds": found,
        # rounds whose seeds are still secret, with their digests
        "unopened": [(number, digest) for number, digest in digests if number not in opened],
        "rulings": tuple(telling.rulings(tournament)),
        "struck": tuple(telling.struck(tournament)),
        "entries": page_data.entries_grid(tournament),
        "rules": page_data.rules_told(tournament.rules),
    }


def _paragraphs(text: str) -> tuple[str, ...]:
    """The parts of a text between empty lines."""
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip())


def report_pdf(view: TournamentView, own: Path | None = None) -> bytes:
    """The report as PDF/UA; ``own`` are the operator's templates."""
    stands = standings(view.tournament)
    found = {
        **_common(view, Around("", "", own)),
        "first": [row for row in stands.rows if row.place <= 3 and row.cells],
        "ties": listing.lots_told(stands),
    }
    return pdf(public(fill("report.html.j2", own, found)), own)

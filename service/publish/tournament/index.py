"""The tournaments of a site: their folders, and which files to write again."""

import hashlib
from collections.abc import Mapping, Sequence

import structlog

from service.publish.folder import Folder
from service.publish.pages import Around
from service.publish.tournament.page_data import TournamentView
from service.publish.tournament.pages import report_pdf, tournament_page
from service.tournaments.listing import tournament_json
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament

#: the files of a tournament; the last has the key by which the others were made
FILES = PAGE, REPORT, JSON, MEMORY = "index.html", "report.pdf", "standings.json", ".waybill"


def key_of(view: TournamentView, look: str) -> str:
    """A digest that changes with everything that the pages of a tournament show."""
    one = view.tournament
    said = repr((one.id, one.created, one.last, sorted(view.games.items()), look))
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def write_files(folder: Folder, view: TournamentView, around: Around, key: str) -> None:
    """Write the files of a tournament; when it is over, also a report as PDF. Raises OSError."""
    tournament = view.tournament
    folder.write(JSON, tournament_json(tournament, standings(tournament)))
    folder.write(PAGE, tournament_page(view, around))
    if tournament.over:
        folder.write(REPORT, report_pdf(view, around.templates))
    folder.write(MEMORY, key)
    folder.keep(FILES, ())


log = structlog.get_logger()
_FOLDER = "tournaments"
_DOOR = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tournaments</title></head>
<body><main><h1>Tournaments</h1><p><a href="../index.html">All tournaments</a></p></main></body>
</html>
"""


def write(
    root: Folder,
    tournaments: Sequence[Tournament],
    games: Mapping[str, str],
    around: Around,
    spoilt: dict[str, str],
    anew: bool = False,
) -> tuple[tuple[TournamentView, ...], list[str]]:
    """Bring the folders of all tournaments up to date; ``games`` has the pages of listed games.

    A tournament whose pages cannot be made keeps its old ones. It is ``spoilt``, and tried again
    only after a change. Gives the tournaments, and the names of those that failed in this run.
    Raises OSError.
    """
    shelf, failed = root.inside(_FOLDER), []
    if tournaments:
        shelf.write("index.html", _DOOR)
    found = tuple(TournamentView(one, _its(one, games)) for one in tournaments)
    for view in found:
        folder, key = shelf.inside(view.name), key_of(view, around.look)
        if not anew and key in (folder.read(MEMORY).decode(), spoilt.get(view.name)):
            continue
        try:
            write_files(folder, view, around, key)
        except OSError:
            raise
        except Exception:
            log.exception("not published", tournament=view.name)
            failed.append(view.name)
            spoilt[view.name] = key
    _sweep(shelf, {view.name for view in found})
    return found, failed


def _sweep(shelf: Folder, wanted: set[str]) -> None:
    """Remove the pages of tournaments that are no longer shown."""
    for path in sorted(shelf.path.iterdir()) if shelf.path.is_dir() else ():
        if path.is_dir() and path.name not in wanted and shelf.inside(path.name).has(MEMORY):
            shelf.inside(path.name).remove(FILES)


def _its(tournament: Tournament, games: Mapping[str, str]) -> dict[str, str]:
    """The pages of a tournament's own games."""
    own = {table.game for seating in tournament.seatings for table in seating.tables}
    return {name: page for name, page in games.items() if name in own}

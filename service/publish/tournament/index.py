"""The tournaments of a site: their folders, and which files to write again."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import structlog

from service.publish.folder import Folder
from service.publish.pages import Around
from service.publish.tournament.page_data import TournamentView
from service.publish.tournament.pages import (
    report_pdf,
    tournament_page,
)
from service.tournaments.listing import tournament_json
from service.tournaments.standings import standings
from service.tournaments.tournament import Tournament

MEMORY = ".waybill"
PAGE, REPORT, JSON = "index.html", "report.pdf", "standings.json"


class KeptFolder(msgspec.Struct, frozen=True):
    """The notes on a tournament's folder: how it was made, and its files."""

    key: str
    files: tuple[str, ...]


def kept(folder: Folder) -> KeptFolder | None:
    """The notes on a folder; None if there are none."""
    try:
        return msgspec.json.decode(folder.read(MEMORY), type=KeptFolder)
    except msgspec.DecodeError:
        return None


def key_of(view: TournamentView, look: str) -> str:
    """A digest that changes with everything that the pages of a tournament show."""
    tournament = view.tournament
    said = repr(
        (tournament.id, tournament.created, tournament.last, sorted(view.games.items()), look)
    )
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def write_files(folder: Folder, view: TournamentView, around: Around, key: str) -> None:
    """Write the files of a tournament; when it is over, also a report as PDF. Raises OSError."""
    before, tournament = kept(folder), view.tournament
    files: dict[str, str | bytes] = {
        JSON: tournament_json(tournament, standings(tournament)),
        PAGE: tournament_page(view, around),
    }
    if tournament.over:
        files[REPORT] = report_pdf(view, around.templates)
    for name, data in files.items():
        folder.write(name, data)
    names = tuple(sorted([*files, MEMORY]))
    folder.write(MEMORY, msgspec.json.encode(KeptFolder(key, names)).decode())
    folder.keep(names, before.files if before else ())


log = structlog.get_logger()
_FOLDER = "tournaments"
_DOOR = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tournaments</title></head>
<body><main><h1>Tournaments</h1><p><a href="../index.html">All tournaments</a></p></main></body>
</html>
"""


@dataclass
class TournamentFolders:
    """The folder of all tournaments."""

    root: Folder
    around: Around
    #: pages that could not be made; they are tried again only after a change
    spoilt: dict[str, str] = field(default_factory=dict)
    #: tournaments whose pages could not be made in this run
    failed: list[str] = field(default_factory=list)

    def write(
        self, tournaments: Sequence[Tournament], games: Mapping[str, str], anew: bool = False
    ) -> tuple[TournamentView, ...]:
        """Bring the folders up to date; ``games`` has the pages of listed games.

        A tournament whose pages cannot be made keeps its old ones. Raises OSError.
        """
        shelf = self.root.inside(_FOLDER)
        if tournaments:
            shelf.write("index.html", _DOOR)
        found = tuple(TournamentView(one, _its(one, games)) for one in tournaments)
        for view in found:
            try:
                self._one(shelf.inside(view.name), view, anew)
            except OSError:
                raise
            except Exception:
                log.exception("not published", tournament=view.name)
                self.failed.append(view.name)
                self.spoilt[view.name] = key_of(view, self.around.look)
        self._sweep(shelf, {view.name for view in found})
        return found

    def _one(self, folder: Folder, view: TournamentView, anew: bool) -> None:
        key, before = key_of(view, self.around.look), kept(folder)
        if anew or key not in (before.key if before else "", self.spoilt.get(view.name)):
            write_files(folder, view, self.around, key)

    def _sweep(self, shelf: Folder, wanted: set[str]) -> None:
        """Remove the pages of tournaments that are no longer shown."""
        if not shelf.path.is_dir():
            return
        for path in sorted(shelf.path.iterdir()):
            if path.is_dir() and path.name not in wanted:
                folder = shelf.inside(path.name)
                if (before := kept(folder)) is not None:
                    folder.remove(before.files)


def _its(tournament: Tournament, games: Mapping[str, str]) -> dict[str, str]:
    """The pages of a tournament's own games."""
    own = {table.game for seating in tournament.seatings for table in seating.tables}
    return {name: page for name, page in games.items() if name in own}

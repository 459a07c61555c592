"""Keeps the folder of published pages up to date, and leaves unchanged files alone.

A game whose pages cannot be made keeps its old ones; the other games get theirs.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from math import inf
from pathlib import Path

import msgspec
import structlog

from service.games.games import GameSettings, load
from service.games.shown import GamePlace, place
from service.publish.feeds import FeedEntry, feed, identifier
from service.publish.folder import Folder, WrittenFiles
from service.publish.game_files import GameFileInputs, GameFiles, Header
from service.publish.game_files import header as header_of
from service.publish.pages import SCRIPT, STYLE, Around, file_of, index_page, look_of
from service.publish.tournament import index
from service.publish.tournament.page_data import TournamentView
from service.store import GameLine, Store, WaitingRow
from service.tournaments.tournament import Tournament

log = structlog.get_logger()

_GAMES = "games"
#: grows when pages change without a new version, template or style
_LAYOUT = 2
_DOOR = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Games</title>
<meta name="robots" content="noindex"></head>
<body><main><h1>Games</h1><p><a href="../index.html">All public games</a></p></main></body></html>
"""
"""The page in place of the list of addresses that a web server would show there otherwise."""


@dataclass(frozen=True)
class Site:
    """The folder of the pages, their address ("" if unknown), and the service's name.

    ``secret`` makes the addresses of unlisted games.
    """

    folder: Path
    base: str
    name: str
    secret: bytes
    templates: Path | None = None


@dataclass
class Publishing:
    """The pages of all games that have any."""

    store: Store
    site: Site
    #: games whose pages could not be made in the last run
    failed: list[str] = field(default_factory=list)
    #: gives all public tournaments, in the order of the list
    tournaments: Callable[[], Sequence[Tournament]] = tuple
    #: the names and places of the games that have pages, by id
    _placed: dict[int, tuple[str, GamePlace]] = field(default_factory=dict)
    #: the paths of listed games, by name
    _links: dict[str, str] = field(default_factory=dict)
    #: the notes on the folders of games read so far
    _known: dict[str, Header] = field(default_factory=dict)
    #: pages that could not be made; they are tried again only after a change
    _spoilt: dict[str, str] = field(default_factory=dict)
    _tournaments_spoilt: dict[str, str] = field(default_factory=dict)
    _tournaments_shown: Sequence[TournamentView] | None = None
    _look: str = ""
    #: the look of the last run that came to its end, and the mark of the changes that it has seen
    _done: str = ""
    _mark: int = 0
    #: the ids of games for which no time was left
    _waiting: set[int] = field(default_factory=set)

    @property
    def left(self) -> bool:
        """Whether games remain for another run."""
        return bool(self._waiting)

    def run(self, anew: bool = False, seconds: float = inf) -> WrittenFiles:
        """Bring the folder up to date, or make all of it ``anew``; return the written files.

        The first run looks at all games, later ones at those that have changed. After so
        many seconds no further game begins; the remaining ones are ``left``. Raises OSError.
        """
        root, until = Folder(self.site.folder), time.perf_counter() + seconds
        self.failed, self._look = [], look_of(self.site.templates)
        whole = anew or self._done != self._look
        if whole:
            self._placed, self._mark = {}, 0
        # a run that fails in the middle is followed by one that looks at all games
        self._done = ""
        with self.store.reading() as reads:
            rows, mark = reads.games.changed(self._mark, self._waiting)
            waiting = reads.games.waiting_of([one.id for one in rows if one.status == "running"])
        root.write(STYLE, file_of(STYLE, self.site.templates))
        root.write(SCRIPT, file_of(SCRIPT, self.site.templates))
        root.inside(_GAMES).write("index.html", _DOOR)
        self._waiting, moved, written = set(), whole, False
        for row in rows:
            where = self._place(row)
            moved = self._settle(row, where) or moved
            if where is None:
                continue
            folder = root.inside(_GAMES).inside(where.folder)
            header = self._known.get(where.folder) or header_of(folder)
            key = self._key(row, where, waiting.get(row.id, ()))
            if anew or key not in (header.key if header else "", self._spoilt.get(where.folder)):
                if self._waiting or time.perf_counter() > until:
                    self._waiting.add(row.id)
                else:
                    header = self._new(folder, row.name, key, anew) or header
                    written = True
            if header is not None:
                self._known[where.folder] = header
        if moved:
            listed = (one for one in self._placed.values() if one[1].listed)
            self._links = {name: f"games/{place.folder}/" for name, place in listed}
        tournaments = self._tournaments(root, anew)
        if moved or written or tournaments != self._tournaments_shown:
            self._front(root, tournaments)
            self._tournaments_shown = tournaments
        if moved:
            self._sweep(root, {where.folder for _, where in self._placed.values()})
        self._done, self._mark = self._look, mark
        return root.written

    def _settle(self, row: GameLine, where: GamePlace | None) -> bool:
        """Note where the pages of a game are; whether that is another place than before."""
        before = self._placed.pop(row.id, None)
        if where is not None:
            self._placed[row.id] = (row.name, where)
        return before != self._placed.get(row.id)

    def _place(self, row: GameLine) -> GamePlace | None:
        settings = msgspec.json.decode(row.settings, type=GameSettings)
        return place(row, settings, self.site.secret, self.site.base)

    def _key(self, row: GameLine, where: GamePlace, waiting: Sequence[WaitingRow]) -> str:
        """A digest that changes with everything that the pages of a game show."""
        awaited = [(one.seat, one.decision, one.since, one.due) for one in waiting]
        program = (version("waybill"), _LAYOUT, self._look, self.site.name)
        whole = repr((row.head, row.status, where.address, where.listed, awaited, program))
        return hashlib.blake2b(whole.encode(), digest_size=16).hexdigest()

    def _new(self, folder: Folder, name: str, key: str, anew: bool) -> Header | None:
        """Bring a game's folder up to date; its new notes, or None if that fails."""
        try:
            return self._write(folder, name, key, anew)
        except OSError:
            raise
        except Exception:
            log.exception("not published", game=name)
            self.failed.append(name)
            self._spoilt[folder.path.name] = key
            return None

    def _write(self, folder: Folder, name: str, key: str, anew: bool) -> Header | None:
        with self.store.reading() as reads:
            table = load(reads, name)
            where = None if table is None else self._place(table.row)
            if table is None or where is None or where.folder != folder.path.name:
                return None  # it has changed meanwhile; the next run comes
            rows, waiting = reads.log.actions(table.row.id), reads.games.waiting(table.row.id)
        around = Around("../../", self._look, self.site.templates)
        source = GameFileInputs(where, table, rows, waiting)
        return GameFiles(folder, source, around, self.site.name).write(key, anew)

    def _tournaments(self, root: Folder, anew: bool) -> Sequence[TournamentView]:
        """Write all tournaments' pages; return the tournaments for the list."""
        around = Around("../../", self._look, self.site.templates)
        views, failed = index.write(
            root, self.tournaments(), self._links, around, self._tournaments_spoilt, anew
        )
        self.failed += failed
        return views

    def _front(self, root: Folder, tournaments: Sequence[TournamentView]) -> None:
        """Write the page of all listed games, and their feed."""
        listed_in = [w.folder for _, (_, w) in sorted(self._placed.items()) if w.listed]
        shown = [self._known[folder] for folder in listed_in if folder in self._known]
        around = Around("", self._look, self.site.templates)
        listed = [header.listed for header in shown]
        root.write(
            "index.html", index_page(self.site.name, listed, around, self.site.base, tournaments)
        )
        entries = sorted(_entries(shown), key=lambda entry: -entry.updated)
        first = min((header.began for header in shown), default=0)
        own = identifier("all", self.site.base or self.site.name)
        title = f"{self.site.name}: all public games"
        about = (self.site.name, self.site.base, first)
        root.write("feed.atom", feed(own, title, entries, about))

    def _sweep(self, root: Folder, wanted: set[str]) -> None:
        """Remove the pages of games that no longer have any, or have them elsewhere."""
        games = root.inside(_GAMES)
        for path in sorted(games.path.iterdir()):
            if path.is_dir() and path.name not in wanted:
                folder = games.inside(path.name)
                header = header_of(folder)
                if header is not None:
                    folder.remove(header.files)
                    self._known.pop(path.name, None)


def _entries(shown: Sequence[Header]) -> Iterator[FeedEntry]:
    for header in shown:
        yield from header.entries

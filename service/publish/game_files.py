"""The files of one game's folder, and the notes beside them on how they were made."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from service.games.games import GameTable
from service.games.linking import looks_of
from service.games.shown import GamePlace
from service.publish import calendars
from service.publish.book import BookParts, book_of, book_page
from service.publish.course import Course, CourseRound, course
from service.publish.data import log_txt, state_json
from service.publish.feeds import FeedEntry, game_entries, game_feed
from service.publish.figures import chart_picture, map_picture
from service.publish.folder import Folder, public
from service.publish.pages import Around, ListedGame, Pictures, game_page
from service.publish.paper import as_data, pdf
from service.publish.sheet import GameSheet, picture, sheet
from service.store import ActionRow, WaitingRow

#: the file of notes: one line of JSON about the files, and one about the game's rounds
MEMORY = ".waybill"
PAGE, FEED, STATE, LOG, BOOK, PDF = (
    "index.html", "feed.atom", "state.json", "log.txt", "book.html", "book.pdf",
)  # fmt: skip


class Header(msgspec.Struct, frozen=True):
    """The notes on a game's folder: how it was made, and its line in the list of games."""

    key: str
    files: tuple[str, ...]
    listed: ListedGame
    entries: tuple[FeedEntry, ...]
    began: int


@dataclass(frozen=True)
class GameFileInputs:
    """The inputs of a game's files: their place, the game, its rows, and the waiting seats."""

    place: GamePlace
    table: GameTable
    rows: Sequence[ActionRow]
    waiting: Sequence[WaitingRow]


def header(folder: Folder) -> Header | None:
    """The notes on a folder; None if there are none."""
    line = folder.read(MEMORY).partition(b"\n")[0]
    try:
        return msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError:
        return None


def _stages(folder: Folder) -> tuple[CourseRound, ...]:
    line = folder.read(MEMORY).partition(b"\n")[2]
    try:
        return msgspec.json.decode(line, type=tuple[CourseRound, ...])
    except msgspec.DecodeError:
        return ()


@dataclass(frozen=True)
class GameFiles:
    """Makes the files of a game: first pictures, then the pages with them, at last the notes."""

    folder: Folder
    source: GameFileInputs
    around: Around
    #: the name of the service
    name: str

    def write(self, key: str, anew: bool = False) -> Header:
        """Bring the folder up to date; ``anew`` ignores the notes. Raises OSError."""
        before = None if anew else header(self.folder)
        known = header(self.folder)
        old = known.files if known else ()
        told = self._told(() if before is None else _stages(self.folder), anew)
        game = sheet(self.source.place, self.source.table, told, self.source.waiting)
        files = {picture(stage): "" for stage in told.stages}
        pictures = self._pictures(game, told, anew)
        files[pictures.chart] = ""
        log_text = log_txt(game.table, self.source.rows)
        files |= {FEED: game_feed(game, self.name), STATE: state_json(game), LOG: log_text}
        files |= (dates := calendars.files(game, old))
        if game.ended:
            book = book_of(game, self.source.rows, log_text)
            files[BOOK] = book_page(game, book, pictures, self.around)
            self._paper(game, book, pictures, files)
        extra = {"book": game.ended, "pdf": PDF in files, "calendars": _whose(game, dates)}
        files[PAGE] = game_page(game, pictures, self.around, extra)
        for name, text in files.items():
            if text:
                self.folder.write(name, text)
        found = _header(key, game, tuple(sorted((*files, MEMORY))))
        told_json = msgspec.json.encode(told.stages)
        self.folder.write(MEMORY, (msgspec.json.encode(found) + b"\n" + told_json).decode())
        self.folder.keep(found.files, old)
        return found

    def _told(self, stages: Sequence[CourseRound], anew: bool) -> Course:
        """The course of the game, computed from the beginning if a picture is missing."""
        title, rows = self.source.table.title, self.source.rows
        told = course(title, rows, stages)
        there = all(s.looks in told.maps or self.folder.has(picture(s)) for s in told.stages)
        return told if there and not anew else course(title, rows)

    def _pictures(self, game: GameSheet, told: Course, anew: bool) -> Pictures:
        """Draw the chart and the missing maps."""
        for looks, seen in told.maps.items():
            name = f"map-{looks}.svg"
            if anew or not self.folder.has(name):
                self.folder.write(name, map_picture(game.scene, seen))
        chart = chart_picture(game.scene)
        place = f"chart-{looks_of(game.scene.view.chart)}.svg"
        self.folder.write(place, chart)
        latest = picture(told.stages[-1])
        return Pictures(latest, place, self.folder.read(latest).decode(), chart)

    def _paper(
        self, game: GameSheet, book: BookParts, pictures: Pictures, files: dict[str, str]
    ) -> None:
        """The book as PDF; it is made again only if the page of the book changes."""
        same = self.folder.read(BOOK).decode() == public(files[BOOK])
        if same and self.folder.has(PDF):
            files[PDF] = ""
            return
        within = Pictures(
            as_data(pictures.map_svg), as_data(pictures.chart_svg),
            pictures.map_svg, pictures.chart_svg,
        )  # fmt: skip
        page = public(book_page(game, book, within, self.around, paper=True))
        self.folder.write(PDF, pdf(page, self.around.templates))
        files[PDF] = ""


def _whose(game: GameSheet, dates: Collection[str]) -> tuple[tuple[str, str], ...]:
    """The calendars, each with its owner."""
    if not dates:
        return ()
    words = ["all players", *(player.seat for player in game.scene.view.players)]
    return tuple(zip(dates, words, strict=True))


def _header(key: str, game: GameSheet, files: tuple[str, ...]) -> Header:
    listed = ListedGame(
        name=game.name,
        folder=game.place.folder,
        title=game.scene.view.title,
        players=tuple(player.seat for player in game.scene.view.players),
        stands=f"{game.stands}: {game.won}" if game.won else game.stands,
        at=game.at,
        awaited=tuple(one.in_words for one in game.awaited),
        ended=game.ended,
    )
    page = f"games/{game.place.folder}/"
    return Header(key, files, listed, tuple(game_entries(game, page)), game.stages[0].at)

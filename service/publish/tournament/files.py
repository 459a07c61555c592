"""The files of a tournament's folder: written when something has changed, taken away with it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from service.publish.folder import Folder
from service.publish.pages import Around
from service.publish.tournament.pages import (
    FinalMap,
    cup_page,
    figures_page,
    pictured,
    report_page,
)
from service.publish.tournament.report import report_pdf
from service.publish.tournament.sheet import CupView
from service.tournaments import values
from service.tournaments.listing import cup_json, standings_csv, standings_text

MEMORY = ".waybill"
PAGE, FIGURES, REPORT, PDF = "index.html", "figures.html", "report.html", "report.pdf"
TEXT, CSV, JSON = "standings.txt", "standings.csv", "standings.json"

#: gives the final maps of games, by pairs of a board's number and its game
Maps = Callable[[Sequence[tuple[str, str]]], Sequence[FinalMap]]


class Kept(msgspec.Struct, frozen=True):
    """What is remembered of a tournament's folder: how it was made, and its files."""

    key: str
    files: tuple[str, ...]
    pdf: str = ""


def kept(folder: Folder) -> Kept | None:
    """What is remembered of a folder, None where nothing is."""
    try:
        return msgspec.json.decode(folder.read(MEMORY), type=Kept)
    except msgspec.DecodeError:
        return None


def key_of(view: CupView, look: str) -> str:
    """What changes whenever something does that the pages of a tournament show."""
    said = (view.stands, sorted(view.games.items()), view.rulings, view.struck)
    beside = repr((*said, view.over, look))
    whole = values.encode(view.cup) + beside.encode()
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


@dataclass(frozen=True)
class CupFiles:
    """Makes the files of a tournament; a report as PDF when it is over, once."""

    folder: Folder
    view: CupView
    around: Around
    maps: Maps

    def write(self, key: str) -> None:
        """Let the folder be as the tournament is. Raises OSError."""
        before, view = kept(self.folder), self.view
        if view.over and not (before is not None and before.pdf == key and self.folder.has(PDF)):
            made = report_pdf(view, self.maps(pictured(view)), self.around.templates)
            self.folder.write(PDF, made)
        found = view.standings
        files = {
            FIGURES: figures_page(view, self.around),
            TEXT: standings_text(found),
            CSV: standings_csv(view.cup, found),
            JSON: cup_json(view.cup, found),
            REPORT: report_page(view, (), self.around),
            PAGE: cup_page(view, self.around, papers=view.over),
        }
        for name, text in files.items():
            self.folder.write(name, text)
        names = tuple(sorted([*files, MEMORY, *([PDF] if view.over else [])]))
        remembered = Kept(key, names, key if view.over else "")
        self.folder.write(MEMORY, msgspec.json.encode(remembered).decode())
        self.folder.keep(names, before.files if before else ())

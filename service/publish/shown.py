"""Who may see the pages of a game, and where they lie: that is the game's choice.

A game that has chosen nothing is unlisted: whoever has the address of its pages can read them, and
nobody can guess it. It knows no file.
"""

import base64
import hashlib
from dataclasses import dataclass

import msgspec

from service.games.games import GameSettings
from service.store import GameLine

#: bytes of the part of an address that nobody can guess
_RANDOM = 10


@dataclass(frozen=True)
class Place:
    """Where the pages of a game are: a folder below ``games/``; ``listed`` if all are told of it.

    ``base`` is the address of the whole site with a slash at its end, "" where none is set.
    """

    folder: str
    listed: bool
    base: str = ""

    @property
    def address(self) -> str:
        """The address of the game's page, "" where that of the site is not known."""
        return f"{self.base}games/{self.folder}/" if self.base else ""


LISTED = 30 * 86_400
"""Seconds for which the answer to `games` names a game that is over."""


def is_listed(row: GameLine) -> bool:
    """Whether lists name a game to everybody: a public one, and one that waits for players.

    Who may join must find it; one that is private is joined by those who were told its name.
    """
    chosen = msgspec.json.decode(row.settings, type=GameSettings).shown
    return chosen == "public" or (chosen == "unlisted" and row.status == "open")


def why_not_told(row: GameLine, settings: GameSettings, secret: bytes, page: str = "") -> str:
    """Why somebody who does not play is told nothing of a game, "" if they may be told.

    ``page`` is the name of its page as they know it, "" if they only know the game's. Whoever
    answers strangers asks here: what they are told of a game by mail is what its page shows.
    """
    name = row.name
    if settings.shown == "private":
        return f"{name} is private: only its players see how it stands."
    if settings.shown == "unlisted" and page != unlisted(row, settings, secret):
        return (
            f"{name} is unlisted: only its players, and people who have the address of its page, "
            "see how it stands. Ask a player for that address; players get it by `page`."
        )
    return ""


def place(row: GameLine, settings: GameSettings, secret: bytes, base: str = "") -> Place | None:
    """Where a game's pages are, None where it has none: it is private, or has not begun."""
    if settings.shown == "private" or row.status not in ("running", "ended") or row.head is None:
        return None
    if settings.shown == "public":
        return Place(row.name, True, base)
    return Place(unlisted(row, settings, secret), False, base)


def unlisted(row: GameLine, settings: GameSettings, secret: bytes) -> str:
    """The name of a game's page if it is unlisted; nobody can guess its end.

    It has one before the game begins, too.
    """
    text = f"page\n{row.name}\n{row.created}\n{settings.page}".encode()
    digest = hashlib.blake2b(text, key=secret[:64], digest_size=_RANDOM).digest()
    return f"{row.name}-{base64.b32encode(digest).decode().lower()}"

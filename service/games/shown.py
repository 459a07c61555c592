"""Decides who may see a game's pages, and where they are, by the game's own choice.

A game without a choice is unlisted: anybody with the address of its pages can read them, and nobody
can guess it. The module knows no file.
"""

import base64
import hashlib
import re
from dataclasses import dataclass

import msgspec

from service.games.games import GameSettings
from service.store import GameLine

#: the bytes of the part of an address that nobody can guess
_RANDOM = 10
#: the name of the page of an unlisted game: the game's name and that part
_UNLISTED = re.compile(r"(.+)-[a-z2-7]{16}")


@dataclass(frozen=True)
class GamePlace:
    """The place of a game's pages: a folder below ``games/``; ``listed`` if lists show it.

    ``base`` is the address of the whole site with a slash at its end, "" if none is set.
    """

    folder: str
    listed: bool
    base: str = ""

    @property
    def address(self) -> str:
        """The address of the game's page, "" if the site's address is unknown."""
        return f"{self.base}games/{self.folder}/" if self.base else ""


LISTED = 30 * 86_400
"""Seconds for which the answer to `games` names a finished game."""


def is_listed(row: GameLine) -> bool:
    """Whether public lists name a game: a public one, or one that waits for players.

    Players must find a game to join it. A private game is for people who learned its name
    elsewhere.
    """
    chosen = msgspec.json.decode(row.settings, type=GameSettings).shown
    return chosen == "public" or (chosen == "unlisted" and row.status == "open")


IS_PRIVATE = "{game} is private: only its players see how it stands."
IS_UNLISTED = (
    "{game} is unlisted: only its players, and people who have the address of its page, see how it "
    "stands. Ask a player for that address; players get it by `page`."
)


def why_not_told(row: GameLine, settings: GameSettings, secret: bytes, page: str = "") -> str:
    """The reason why a person who does not play may learn nothing about a game, or "".

    ``page`` is the name of its page as they know it, "" if they only know the game's name. Every
    answer to strangers must ask here: an email tells them no more than the page shows.
    """
    name = row.name
    if settings.shown == "private":
        return IS_PRIVATE.format(game=name)
    if settings.shown == "unlisted" and page != unlisted(row, settings, secret):
        return IS_UNLISTED.format(game=name)
    return ""


def place(row: GameLine, settings: GameSettings, secret: bytes, base: str = "") -> GamePlace | None:
    """The place of a game's pages; None if it is private or has not begun."""
    if settings.shown == "private" or row.status not in ("running", "ended") or row.head is None:
        return None
    if settings.shown == "public":
        return GamePlace(row.name, True, base)
    return GamePlace(unlisted(row, settings, secret), False, base)


def unlisted(row: GameLine, settings: GameSettings, secret: bytes) -> str:
    """The name of a game's page if it is unlisted; nobody can guess its end.

    It exists before the game begins, too.
    """
    text = f"page\n{row.name}\n{row.created}\n{settings.page}".encode()
    digest = hashlib.blake2b(text, key=secret[:64], digest_size=_RANDOM).digest()
    return f"{row.name}-{base64.b32encode(digest).decode().lower()}"


@dataclass(frozen=True)
class NamedGame:
    """A game as a person without a seat names it; ``page`` is the secret part, or ""."""

    game: str
    page: str


def named(text: str) -> NamedGame:
    """The game of `dixie7`, of the name of its unlisted page, or of that page's address."""
    word = text.strip().strip("<>").rstrip("/").rpartition("/")[2].lower()
    found = _UNLISTED.fullmatch(word)
    return NamedGame(found[1], word) if found else NamedGame(word, "")

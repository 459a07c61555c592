"""Who may see the pages of a game, and where they lie: that is the game's choice.

A game that has chosen nothing is unlisted: whoever has the address of its pages can read them, and
nobody can guess it. It knows no file.
"""

import base64
import hashlib
from dataclasses import dataclass

import msgspec

from service.games.games import GameSettings
from service.store import GameRow

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


def is_private(row: GameRow) -> bool:
    """Whether nobody but its players is to be told of a game."""
    return msgspec.json.decode(row.settings, type=GameSettings).shown == "private"


def place(row: GameRow, settings: GameSettings, secret: bytes, base: str = "") -> Place | None:
    """Where a game's pages are, None where it has none: it is private, or has not begun."""
    if settings.shown == "private" or row.status not in ("running", "ended") or row.head is None:
        return None
    if settings.shown == "public":
        return Place(row.name, True, base)
    return Place(unlisted(row, settings, secret), False, base)


def unlisted(row: GameRow, settings: GameSettings, secret: bytes) -> str:
    """The name of a game's page if it is unlisted; nobody can guess its end.

    It has one before the game begins, too.
    """
    text = f"page\n{row.name}\n{row.created}\n{settings.page}".encode()
    digest = hashlib.blake2b(text, key=secret[:64], digest_size=_RANDOM).digest()
    return f"{row.name}-{base64.b32encode(digest).decode().lower()}"

"""Who reads a page, and values that only one reader may see: what is a seat's stays with it.

It knows no mail, no page and no game. An address that speaks for a seat is never a mere string
outside of ``mail/identity.py``: it comes as an `OnlyFor`, which a page for others cannot open.
"""

import re
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

T = TypeVar("T", covariant=True)

#: name under which an organiser's address is made; no player can be called so
ORGANISER = "organiser"
#: the same of the person who rules where the organiser plays
ASSISTANT = "assistant"


def office_called(office: str) -> str:
    """An office as people read it: addresses and the database spell one in another way."""
    return "organizer" if office == ORGANISER else office


# As in a seat's address and in our Message-IDs; see `identity.Claim`.
_TOKEN = re.compile(
    r"([a-z0-9-]{1,16}\.[a-z0-9-]{1,16}\.)[a-z2-7]{16}(?=[.@]|%40|%2e|&#)", re.IGNORECASE
)


class WrongReader(Exception):
    """Something would reach a reader who may not see it; always a fault of the program."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who reads: a seat, an office of its game, table, list, observers, everybody, the operator."""

    kind: Literal[
        "seat", "organiser", "assistant", "table", "list", "observers", "everybody", "operator"
    ]
    game: str = ""
    seat: str = ""

    @property
    def name(self) -> str:
        """How the reader's own address is named: a seat or an office; "" for all others."""
        return self.kind if self.kind in (ORGANISER, ASSISTANT) else self.seat

    def covers(self, reader: "Audience") -> bool:
        """Whether what is for this audience may be read by ``reader``."""
        if self.kind == "everybody":
            return True
        if self.kind == "table":
            return reader.game == self.game and reader.kind in (
                "seat",
                ORGANISER,
                ASSISTANT,
                "table",
            )
        return reader == self


def of_seat(game: str, seat: str) -> Audience:
    """The player of a seat alone."""
    return Audience("seat", game, seat)


def of_organiser(game: str) -> Audience:
    """The organiser of a game alone, who need not play in it."""
    return Audience("organiser", game)


def of_assistant(game: str) -> Audience:
    """Who rules in a game where its organiser plays."""
    return Audience("assistant", game)


def owner_of(game: str, name: str) -> Audience:
    """Whose the address of that name is: a seat's, or the holder's of an office."""
    if name == ASSISTANT:
        return of_assistant(game)
    return of_organiser(game) if name == ORGANISER else of_seat(game, name)


def of_table(game: str) -> Audience:
    """All players of a game, its organiser and its assistant."""
    return Audience("table", game)


def of_list(game: str) -> Audience:
    """All who read the mailing list of a game: its players, and whoever else is on it."""
    return Audience("list", game)


def of_observers(game: str) -> Audience:
    """All who watch a game by mail: they read what everybody may."""
    return Audience("observers", game)


EVERYBODY = Audience("everybody")
OPERATOR = Audience("operator")


@dataclass(frozen=True, slots=True)
class OnlyFor(Generic[T]):
    """A value that only pages for its reader can show; written as text it is a fault."""

    audience: Audience
    _value: T = field(repr=False)

    def open(self, reader: Audience) -> T:
        """The value. Raises WrongReader for anybody whom it is not for."""
        if not self.audience.covers(reader):
            raise WrongReader(f"what is for {self.audience} would be shown to {reader}")
        return self._value

    def __str__(self) -> str:
        raise WrongReader(f"what is for {self.audience} would be written unopened")


def without_tokens(text: str) -> str:
    """``text`` with the tokens of seat addresses and of Message-IDs blotted out."""
    return _TOKEN.sub(r"\1***", text)

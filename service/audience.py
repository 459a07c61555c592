"""Audiences, and values that only one reader may see.

This keeps a seat's data private to the seat. The module knows no email, page or game. Outside of
``mail/identity.py``, an address that speaks for a seat is never a plain string. It is an `OnlyFor`,
which a page for other readers cannot open.
"""

import re
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

T = TypeVar("T", covariant=True)

#: the name from which an organizer's address is made; no player can have this name
ORGANISER = "organiser"
#: the same for the assistant, who is the director if the organizer plays
ASSISTANT = "assistant"


def office_called(office: str) -> str:
    """The name of an office as people read it; addresses and the database spell it differently."""
    return "organizer" if office == ORGANISER else office


# The form of tokens in seat addresses and in Waybill's Message-IDs; see `identity.Claim`.
_TOKEN = re.compile(
    r"([a-z0-9-]{1,16}\.[a-z0-9-]{1,16}\.)[a-z2-7]{16}(?=[.@]|%40|%2e|&#)", re.IGNORECASE
)


class WrongReader(Exception):
    """A text would reach a reader who may not see it. This is always a bug in Waybill."""


@dataclass(frozen=True, slots=True)
class Audience:
    """The readers of a text: a seat, an office, a table, a list, observers, all, the operator."""

    kind: Literal[
        "seat", "organiser", "assistant", "table", "list", "observers", "everybody", "operator"
    ]
    game: str = ""
    seat: str = ""

    @property
    def name(self) -> str:
        """The holder: a seat's name, ORGANISER or ASSISTANT; "" for readers without an address."""
        return self.kind if self.kind in (ORGANISER, ASSISTANT) else self.seat

    def covers(self, reader: "Audience") -> bool:
        """Whether ``reader`` may read a text that is for this audience."""
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
    """Only the player of a seat."""
    return Audience("seat", game, seat)


def of_organiser(game: str) -> Audience:
    """Only the organizer of a game, who may or may not play in it."""
    return Audience("organiser", game)


def of_assistant(game: str) -> Audience:
    """Only the assistant, who is the director of a game if its organizer plays."""
    return Audience("assistant", game)


def owner_of(game: str, name: str) -> Audience:
    """The reader of that name: the player of a seat, the organizer or the assistant."""
    if name == ASSISTANT:
        return of_assistant(game)
    return of_organiser(game) if name == ORGANISER else of_seat(game, name)


def of_table(game: str) -> Audience:
    """All players of a game, its organizer and its assistant."""
    return Audience("table", game)


def of_list(game: str) -> Audience:
    """Everybody who reads the mailing list of a game: its players and any other subscribers."""
    return Audience("list", game)


def of_observers(game: str) -> Audience:
    """Everybody who watches a game by email. They may read what is public."""
    return Audience("observers", game)


EVERYBODY = Audience("everybody")
OPERATOR = Audience("operator")


@dataclass(frozen=True, slots=True)
class OnlyFor(Generic[T]):
    """A value that only its reader's pages can show. Writing it as text raises an error."""

    audience: Audience
    _value: T = field(repr=False)

    def open(self, reader: Audience) -> T:
        """The value. Raises WrongReader if ``reader`` may not see it."""
        if not self.audience.covers(reader):
            raise WrongReader(f"what is for {self.audience} would be shown to {reader}")
        return self._value

    def __str__(self) -> str:
        raise WrongReader(f"what is for {self.audience} would be written unopened")


def without_tokens(text: str) -> str:
    """``text`` with every token of a seat address or Message-ID hidden."""
    # A token has two dots, and most texts have none.
    return _TOKEN.sub(r"\1***", text) if text.count(".") > 1 else text

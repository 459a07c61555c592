"""Small pieces of sentences: lists, numbers, places; knows no event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.title import Title

#: digits of the largest number that anybody needs to write
_DIGITS = 9
#: characters of somebody's word that an answer quotes
_QUOTED = 40


def whole(text: str) -> int | None:
    """The number that up to nine decimal digits write; None for any other text.

    All numbers that people write are read by it: Python reads no number of more than 4,300 digits,
    and none that a game has any use for is nearly so long.
    """
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def excerpt(text: str) -> str:
    """A word as it is quoted in an answer: its beginning if it is very long."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def place(title: Title, hex_: Hex) -> str:
    """A hex as people name it."""
    return f"{hex_} {title.hexes[hex_].name}".strip()


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    every = list(words)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)


def counted(number: int, noun: str) -> str:
    """ "1 loan", "2 loans"."""
    return f"{number} {noun}{'s' * (number != 1)}"

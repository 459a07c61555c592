"""Small pieces of sentences: lists, numbers, places; knows no event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.title import Title


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

"""Answers about positions, kept until what they depend on changes; values to keep others by."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, TypeVar

from engine.position.values import State

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.board.market import Cell
    from engine.facts.title import Title
    from engine.position.values import CompanyId, Station, Token

A = TypeVar("A")

_fields = attrgetter(*State.__struct_fields__)


class PositionKey:
    """Some of a position as a value to remember answers by, of which the hash is made once."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: Hashable) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, PositionKey) and self._parts == other._parts)


#: for each name of a question: the fields that its latest answer was worked out from, and that
Answers = dict[Hashable, tuple[tuple[object, ...], Any]]

#: answers of a title that are kept; a position asks for far fewer
_MOST = 1_000


class Memory:
    """The latest answers about positions of a title, whichever game they are of.

    Each stands beside what it was worked out from, in one value, so that threads may share it.
    """

    __slots__ = ("answers", "cells", "laid", "sizes", "stations")

    def __init__(self) -> None:
        self.answers: Answers = {}
        #: of the price tokens: the space by company
        self.cells: tuple[tuple[Token, ...], dict[CompanyId, Cell]] = ((), {})
        #: of the tiles on the map: their names
        self.laid: tuple[Mapping[Hex, tuple[str, int]], list[str]] = ({}, [])
        #: of the stations on the map: where each company has its own
        self.stations: tuple[
            Mapping[Hex, tuple[Station, ...]], dict[CompanyId, tuple[tuple[Hex, int], ...]]
        ] = ({}, {})
        #: of those who hold shares of a company: percent of its smallest and largest certificate
        self.sizes: dict[CompanyId, tuple[object, int, int]] = {}


@cache
def _memory(title: Title) -> Memory:
    return Memory()


def forget() -> None:
    """Have everything about positions worked out anew."""
    _memory.cache_clear()


class Recalling:
    """A position with the answers that were worked out from its fields, or will be."""

    __slots__ = ("at", "memory", "title")

    def __init__(self, title: Title, at: State) -> None:
        self.title = title
        self.at = at
        self.memory = _memory(title)

    def recall(
        self, what: Hashable, make: Callable[[], A], sources: tuple[object, ...] | None = None
    ) -> A:
        """The answer to a question of that name, worked out anew once the position has changed.

        ``sources`` are the fields that the answer is worked out from, None for all there are. They
        are the same objects for as long as nothing in them changes: a draft that writes to a field
        gives it another value, and the position after an action has the other fields of the one
        before it.
        """
        answers = self.memory.answers
        of: tuple[object, ...] = _fields(self.at) if sources is None else sources
        known = answers.get(what)
        if known is None or not all(map(is_, known[0], of)):
            if len(answers) >= _MOST:
                answers.clear()
            known = answers[what] = (of, make())
        answer: A = known[1]
        return answer

    def recalled(self, what: Hashable, sources: tuple[object, ...]) -> bool:
        """Whether the answer is known already."""
        known = self.memory.answers.get(what)
        return known is not None and all(map(is_, known[0], sources))

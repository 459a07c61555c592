"""A cache of answers about positions, valid until the fields that they depend on change."""

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
    """Some fields of a position as a dictionary key; its hash is computed once."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: Hashable) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, PositionKey) and self._parts == other._parts)


#: for each question: the fields that its latest answer depends on, and the answer
Answers = dict[Hashable, tuple[tuple[object, ...], Any]]

#: number of answers kept for a title; one position needs far fewer
_MOST = 1_000


class Memory:
    """The latest answers about positions of a title, for all its games.

    Each answer is stored with its sources as one value, so that threads may share it.
    """

    __slots__ = ("answers", "cells", "laid", "sizes", "stations")

    def __init__(self) -> None:
        self.answers: Answers = {}
        #: for the price tokens: the space of each company
        self.cells: tuple[tuple[Token, ...], dict[CompanyId, Cell]] = ((), {})
        #: for the tiles on the map: their names
        self.laid: tuple[Mapping[Hex, tuple[str, int]], list[str]] = ({}, [])
        #: for the tokens on the map: where each company has its tokens
        self.stations: tuple[
            Mapping[Hex, tuple[Station, ...]], dict[CompanyId, tuple[tuple[Hex, int], ...]]
        ] = ({}, {})
        #: for each holder of a company's shares: percent of its smallest and largest certificate
        self.sizes: dict[CompanyId, tuple[object, int, int]] = {}


@cache
def _memory(title: Title) -> Memory:
    return Memory()


def forget() -> None:
    """Empty the cache."""
    _memory.cache_clear()


class Recalling:
    """A position with a cache of the answers that depend on its fields."""

    __slots__ = ("at", "memory", "title")

    def __init__(self, title: Title, at: State) -> None:
        self.title = title
        self.at = at
        self.memory = _memory(title)

    def recall(
        self, what: Hashable, make: Callable[[], A], sources: tuple[object, ...] | None = None
    ) -> A:
        """The answer to a question by name; computed again after the position has changed.

        ``sources`` are the fields that the answer depends on, None for all fields. A field stays
        the same object as long as nothing in it changes. A draft that writes to a field gives it
        another object, and a new position shares the other fields with the position before it.
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
        """Whether the cache has the answer."""
        known = self.memory.answers.get(what)
        return known is not None and all(map(is_, known[0], sources))

"""Answers about positions, kept until what they depend on changes; values to keep others by."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any, TypeVar, cast

from engine.position.values import State

if TYPE_CHECKING:
    from engine.facts.title import Title

A = TypeVar("A")

_fields = attrgetter(*State.__struct_fields__)


class Key:
    """Some of a position as a value to remember answers by, of which the hash is made once."""

    __slots__ = ("_hash", "_parts")

    def __init__(self, *parts: Hashable) -> None:
        self._parts = parts
        self._hash = hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Key) and self._parts == other._parts)


#: for each name of a question: the fields that its latest answer was worked out from, and that
_Answers = dict[Hashable, tuple[tuple[object, ...], Any]]

#: answers of a title that are kept; a position asks for far fewer
_MOST = 1_000


@cache
def _answers(title: Title) -> _Answers:
    """The latest answers about positions of a title, whichever game they are of."""
    return {}


def forget() -> None:
    """Have everything about positions worked out anew."""
    _answers.cache_clear()


class Recalling:
    """A position with the answers that were worked out from its fields, or will be."""

    __slots__ = ("_answers", "at", "title")

    def __init__(self, title: Title, at: State) -> None:
        self.title = title
        self.at = at
        self._answers = _answers(title)

    def recall(
        self, what: Hashable, make: Callable[[], A], sources: tuple[object, ...] | None = None
    ) -> A:
        """The answer to a question of that name, worked out anew once the position has changed.

        ``sources`` are the fields that the answer is worked out from, None for all there are. They
        are the same objects for as long as nothing in them changes: a draft that writes to a field
        gives it another value, and the position after an action has the other fields of the one
        before it.
        """
        of: tuple[object, ...] = _fields(self.at) if sources is None else sources
        known = self._answers.get(what)
        if known is None or not all(map(is_, known[0], of)):
            if len(self._answers) >= _MOST:
                self._answers.clear()
            known = self._answers[what] = (of, make())
        return cast(A, known[1])

"""Answers about a position that are kept until it changes, and values to keep others by."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from operator import attrgetter, is_
from typing import Any, TypeVar, cast

from engine.position.values import State

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


class Recalling:
    """A position with the answers that were worked out from it as it is."""

    __slots__ = ("_answers", "at")

    def __init__(self, at: State) -> None:
        self.at = at
        self._answers: dict[Hashable, tuple[tuple[object, ...], Any]] = {}

    def recall(
        self, what: Hashable, make: Callable[[], A], sources: tuple[object, ...] | None = None
    ) -> A:
        """The answer to a question of that name, worked out anew once the position has changed.

        ``sources`` are the fields that the answer is worked out from, None for all there are. They
        are the same objects for as long as nothing in them changes: a draft that writes to a field
        gives it another value.
        """
        of: tuple[object, ...] = _fields(self.at) if sources is None else sources
        known = self._answers.get(what)
        if known is None or not all(map(is_, known[0], of)):
            known = self._answers[what] = (of, make())
        return cast(A, known[1])

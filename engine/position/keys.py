"""Values by which answers about a position are remembered; knows nothing of positions."""

from __future__ import annotations

from collections.abc import Hashable


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

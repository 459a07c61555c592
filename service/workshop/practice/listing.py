"""The options of a position, for bots and checks that ask for those of the same one in turn."""

from __future__ import annotations

from engine.facts.title import Title
from engine.flow import options
from engine.options import Option
from engine.position.values import Seat, State
from engine.track.ground import Recent


class _This:
    """A position itself as a key: positions are never written to, and too long to compare."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __hash__(self) -> int:
        return id(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and self._state is other._state


_LISTED: Recent[tuple[Option, ...]] = Recent(8)


def listed(title: Title, state: State, seat: Seat) -> tuple[Option, ...]:
    """What the player may do now, as `engine.options` says; asked once for a position."""
    key = (title, _This(state), seat)
    return _LISTED.get(key, lambda: options(title, state, seat))

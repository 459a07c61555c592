"""The options of a position, kept for bots and checks that ask for the same ones."""

from __future__ import annotations

from engine.facts.title import Title
from engine.flow import options
from engine.options import Option
from engine.position.values import Seat, State
from engine.track.ground import Recent


class _This:
    """The identity of a position as a key: positions do not change, and are long to compare."""

    __slots__ = ("_state",)

    def __init__(self, state: State) -> None:
        self._state = state

    def __hash__(self) -> int:
        return id(self._state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and self._state is other._state


_LISTED: Recent[tuple[Option, ...]] = Recent(8)


def listed(title: Title, state: State, seat: Seat) -> tuple[Option, ...]:
    """The options of a player, as `engine.options`; computed once for a position."""
    key = (title, _This(state), seat)
    return _LISTED.get(key, lambda: options(title, state, seat))

"""The options of one decision by verb, for a bot that looks for a certain one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from engine import Choice, Open, Range, Seat, State, Title
from engine.actions import Action
from engine.position.table import Table
from service.workshop.practice.listing import listed

A = TypeVar("A", bound=Action)

#: whether to ask for a thing that nobody asked for in this round
Ask = Callable[[str], bool]


class Choices:
    """The legal moves of a player, and the questions that a bot asks about them."""

    def __init__(self, title: Title, state: State, seat: Seat) -> None:
        self.title = title
        self.state = state
        self.seat = seat
        self.table = Table(title, state)
        self.frame = state.stack[-1]
        self._by_verb: dict[type, list[Choice | Range]] = {}
        for option in listed(title, state, seat):
            if not isinstance(option, Open):
                self._by_verb.setdefault(type(option.action), []).append(option)

    @property
    def first(self) -> Action:
        """Any option, the first of them."""
        return next(iter(self._by_verb.values()))[0].action

    @property
    def every(self) -> Iterator[Action]:
        """All actions; those of a range with their least amount."""
        return (option.action for group in self._by_verb.values() for option in group)

    @property
    def ending(self) -> Action:
        """A pass, which also ends a company's turn; StopIteration if it is not legal."""
        return next(action for action in self.every if action.passes)

    @property
    def can_end(self) -> bool:
        """Whether a pass is legal."""
        return any(action.passes for action in self.every)

    @property
    def declining(self) -> Action:
        """The way to decline what the player is asked."""
        return next(action for action in self.every if action.declines)

    def of(self, verb: type[A]) -> list[A]:
        """The actions of a verb; those of a range with their least amount."""
        found = (option.action for option in self._by_verb.get(verb, ()))
        return [action for action in found if isinstance(action, verb)]

    def ranges(self, verb: type[A]) -> Iterator[tuple[A, int, int]]:
        """Actions of a verb that differ in an amount, with the least and the most of it."""
        for option in self._by_verb.get(verb, ()):
            if isinstance(option, Range) and isinstance(option.action, verb):
                yield option.action, option.low, option.high

    @staticmethod
    def at(action: A, **amount: int) -> A:
        """The action with its amount."""
        return replace(action, **amount)

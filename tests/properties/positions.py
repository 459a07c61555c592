"""Positions to try things in: of each kind of decision in each phase of a title's recorded game."""

from functools import cache

from engine.facts.title import Title
from engine.position.values import State
from service.workshop.practice.script import recorded_game

TITLES = ("18AL", "18GA", "18TN", "18GL", "18MW")
#: of positions alike so many are kept, the first and others spread over the game
_EACH = 3


@cache
def positions(name: str) -> tuple[Title, tuple[State, ...]]:
    """The title, and positions of its recorded game from the first to the one after the last."""
    played = recorded_game(name)
    alike: dict[tuple[object, ...], list[State]] = {}
    for state in played.states:
        kinds = tuple(type(frame).__name__ for frame in state.stack[-1:])
        alike.setdefault((*kinds, state.phase), []).append(state)
    found = [state for group in alike.values() for state in group[:: max(1, len(group) // _EACH)]]
    return played.title, tuple(found)

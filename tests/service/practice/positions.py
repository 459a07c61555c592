"""A game that bots played, to take positions from."""

from functools import cache

from service.workshop.practice.bench import Recording
from service.workshop.practice.script import PlayedScript, recorded_game


@cache
def game() -> PlayedScript:
    """The recorded game of 18AL; nobody may change its lists."""
    return recorded_game("18AL")


def middle():
    """A position in the middle of the game: companies run, tiles lie, privates are owned."""
    played = game()
    return next(s for s in played.states if str(s.round) == "SR 5")


def part(title: str, first: int, last: int) -> Recording:
    """Some actions of the recorded game of a title, as a game to be measured."""
    played = recorded_game(title)
    actions = tuple(played.actions[first:last])
    return Recording(f"{title} from {first}", played.title, played.states[first], actions)

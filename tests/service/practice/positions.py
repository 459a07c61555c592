"""A game that bots played, to take positions from."""

from functools import cache

from service.practice.script import Played, recorded_game


@cache
def game() -> Played:
    """The recorded game of 18AL; nobody may change its lists."""
    return recorded_game("18AL")


def middle():
    """A position in the middle of the game: companies run, tiles lie, privates are owned."""
    played = game()
    return next(s for s in played.states if str(s.round) == "SR 5")

"""That a game is over becomes work for the desk: who directs without playing is told, too."""

from engine import State
from service.store import GameRow, Task, Tx

KIND = "over"


def moved(tx: Tx, game: GameRow, state: State, head: int, now: int) -> None:
    """A game stands at action ``head``: if it is over by that, its offices are to be told, once.

    The offices of a tournament have the result of a board from the tournament.
    """
    if not state.stack and tx.tournaments.board_of(game.id) is None:
        tell(tx, game, head, now)


def tell(tx: Tx, game: GameRow, head: int, now: int) -> None:
    """Have the offices of a game told that it is over by action ``head``."""
    tx.tasks.add(Task(KIND, f"{KIND}-{game.name}-{head}", now, game.name), now)

"""Games that are boards of a tournament: that one went on, or is over, becomes work for the desk.

It knows no tournament; the kinds of the tasks are told apart at the desk.
"""

from engine import State
from service.store import GameRow, Task, Tx

#: kinds of tasks: what the end of a board brings, and words of the director's desk at one board
ENDED, DIRECT = "tournament-ended", "tournament-direct"


#: who acts where nobody writes: by no office of the game, for a director may play in it
ITSELF = "tournament"


def in_set(state: State) -> bool:
    """Whether a set of operating rounds runs, with whose end an adjudicated board ends."""
    return bool(state.stack) and state.round.kind == "OR"


def moved(tx: Tx, game: GameRow, state: State, now: int) -> None:
    """A game has gone on: if it is a board that is over, or was to end by now, that follows."""
    board = tx.tournaments.board_of(game.id)
    if board is None:
        return
    if not state.stack:
        over(tx, game, now)
    elif board.adjudicate and not in_set(state):
        words = b"adjudicate because its set of operating rounds is over"
        key = f"{DIRECT}-{game.name}-set-{board.adjudicate}"
        tx.tasks.add(Task(DIRECT, key, now, game.name, ITSELF, words), now)


def over(tx: Tx, game: GameRow, now: int) -> None:
    """A game is over, or was given up."""
    if tx.tournaments.board_of(game.id) is not None:
        tx.tasks.add(Task(ENDED, f"{ENDED}-{game.name}", now, game.name), now)

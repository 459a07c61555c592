"""Withdrawing from a tournament: before it begins, and in the middle of a round."""

from collections.abc import Sequence

from service.desk.letters.post import Desk
from service.desk.tournament.acts import Entered
from service.desk.tournament.boards import seat_of
from service.desk.tournament.entering import move_up, withdrawn
from service.desk.tournament.known import Board, Doing, Known, Refused
from service.desk.tournament.plan import Plan, after_acts, leave_task
from service.store import Store, Task
from service.tournaments.values import Entry


def withdraw(
    store: Store,
    desk: Desk,
    known: Known,
    entry: Entry,
    *,
    sure: bool,
    asked: tuple[str, str] = ("", ""),
) -> tuple[Plan, Sequence[str]]:
    """An entry is withdrawn; what that brings about, and what its owner is told.

    ``asked`` is who asked for it and why, where the entrant did not.

    Where a board of theirs is played nothing is done unless they are ``sure``. Raises Refused.
    """
    by, why = asked
    if known.cup.status in ("ended", "abandoned"):
        raise Refused(f"{known.name} is over.")
    if entry.state in ("withdrawn", "excluded", "refused"):
        raise Refused(f"{entry.name} does not play in {known.name} any more.")
    with store.transaction() as tx:
        playing = [board for board in known.playing if seat_of(tx, board, entry)]
    who, whose = ("You", "your") if not by else (entry.name, "their")
    if playing and not sure:
        return Plan(), _asked_first(playing[0], who, whose, by)
    name = by or entry.name
    acts = [Doing(Entered("withdrawn", withdrawn(entry, why)), name, why)]
    cup = after_acts(known, desk, acts)
    ups = list(move_up(desk, known, cup)) if entry.state == "entered" else []
    lines = [f"{who} {'are' if not by else 'is'} out of all later rounds."]
    if playing:
        numbers = ", ".join(board.number for board in playing)
        lines.append(
            f"The seat on board {numbers} is offered to those who stand by; the board goes on."
        )
    tasks = [leave_task(desk, known, board, entry.name) for board in playing]
    return Plan([*acts, *(act for act, _ in ups)], [letter for _, letter in ups], tasks), lines


def seats_left(store: Store, desk: Desk, known: Known, entry: Entry) -> list[Task]:
    """Have the seats be offered to others that an entrant leaves on boards that are played."""
    with store.transaction() as tx:
        playing = [board for board in known.playing if seat_of(tx, board, entry)]
    return [leave_task(desk, known, board, entry.name) for board in playing]


def _asked_first(board: Board, who: str, whose: str, by: str) -> Sequence[str]:
    """What withdrawing in the middle of a round means, before it is done."""
    return (
        f"{who} still {'plays' if by else 'play'} on board {board.number} ({board.game}), and "
        f"others count on it. Who withdraws now leaves that board too: {whose} seat is offered to "
        "those who stand by, orders go on until one has come, and there is no way back then.",
        "" if by else "To play this board to its end and no later round, tell the director.",
    )

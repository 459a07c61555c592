"""Withdrawing from a tournament: before it begins, and in the middle of a round."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine import Seat
from service.commands.refusal import Refused
from service.desk.letters.post import Desk
from service.desk.seats.standbys import STANDBY
from service.desk.tournament.acts import Entered
from service.desk.tournament.boards import seat_of
from service.desk.tournament.entering import move_up, withdrawn
from service.desk.tournament.known import IS_OVER, Board, Doing, Known
from service.desk.tournament.plan import Plan, after_acts, leave_task
from service.store import Store, Task, Tx
from service.tournaments.values import Entry

PLAYS_NO_MORE = "{name} no longer plays in {cup}."
YOU_ARE_OUT = "You are out of all later rounds."
IS_OUT = "{name} is out of all later rounds."
SEAT_IS_OFFERED = "The seat on board {boards} is offered to those who stand by; the board goes on."


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
        raise Refused(IS_OVER.format(cup=known.name))
    if entry.state in ("withdrawn", "excluded", "refused"):
        raise Refused(PLAYS_NO_MORE.format(name=entry.name, cup=known.name))
    playing = _played(store, known, entry)
    if playing and not sure:
        return Plan(), _asked_first(playing[0][0], entry.name, by)
    name = by or entry.name
    acts = [Doing(Entered("withdrawn", withdrawn(entry, why)), name, why)]
    cup = after_acts(known, desk, acts)
    ups = list(move_up(desk, known, cup)) if entry.state == "entered" else []
    lines = [IS_OUT.format(name=entry.name) if by else YOU_ARE_OUT]
    if playing:
        numbers = ", ".join(board.number for board, _ in playing)
        lines.append(SEAT_IS_OFFERED.format(boards=numbers))
    tasks = [leave_task(desk, known, board, seat) for board, seat in playing]
    plan = Plan([*acts, *(act for act, _ in ups)], [letter for _, letter in ups], tasks)
    return replace(plan, also=(partial(off_the_lists, known, entry),)), lines


def off_the_lists(known: Known, entry: Entry, tx: Tx) -> None:
    """Who has left, or was taken out, is offered no seat any more."""
    for board in known.playing:
        for volunteer in tx.people.volunteers(board.row.game_id):
            if volunteer.kind == STANDBY and volunteer.address in entry.addresses:
                tx.people.drop(volunteer.id)


def seats_left(store: Store, desk: Desk, known: Known, entry: Entry) -> list[Task]:
    """Have the seats be offered to others that an entrant leaves on boards that are played."""
    playing = _played(store, known, entry)
    return [leave_task(desk, known, board, seat) for board, seat in playing]


def _played(store: Store, known: Known, entry: Entry) -> list[tuple[Board, Seat]]:
    """The boards that an entrant plays now, with the seat: another's if they have taken it over."""
    with store.transaction() as tx:
        found = [(board, seat_of(tx, board, entry)) for board in known.playing]
    return [(board, seat.name) for board, seat in found if seat is not None]


YOU_STILL_PLAY = (
    "You still play on board {board} ({game}), and others count on you. If you withdraw now, you "
    "leave that board too. Your seat is offered to standbys, and your orders go on until one "
    "takes it. You cannot come back then."
)
STILL_PLAYS = (
    "{name} still plays on board {board} ({game}), and others count on them. A player who "
    "withdraws now leaves that board too. The seat is offered to standbys, and orders go on until "
    "one takes it. There is no way back then."
)
TELL_THE_DIRECTOR = "To play this board to its end and no later round, tell the director."


def _asked_first(board: Board, name: str, by: str) -> Sequence[str]:
    """What withdrawing in the middle of a round means, before it is done."""
    if by:
        return (STILL_PLAYS.format(name=name, board=board.number, game=board.game),)
    told = YOU_STILL_PLAY.format(board=board.number, game=board.game)
    return told, TELL_THE_DIRECTOR

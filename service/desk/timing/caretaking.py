"""The caretaker's moves for a player who is out of time, and the emails about them.

They use the same functions as a player's email to change the game, to inform players and to store.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine import Seat
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk
from service.games import changes, games, timing
from service.games.changes import Change, Request
from service.games.commit import Besides, Jot, commit
from service.games.orders import book_of
from service.store import Conflict, Letter, Tx


@dataclass(frozen=True)
class Changed:
    """A change of a game that is not stored yet, with its emails.

    ``write`` stores it. It raises Conflict if the game has changed meanwhile, or if the desk's
    occasion has already happened.
    """

    change: Change
    letters: Sequence[Letter]
    write: Callable[[Tx], None]


def carried_out(
    reads: Tx,
    desk: Desk,
    *requests: Request,
    notes: Mapping[Seat, str],
    caretaken: Seat,
) -> Changed | None:
    """The change that requests make in the game of the desk's occasion; None if it happened before.

    Everybody gets an email, also the players whose requests they are; ``notes`` go to single
    players besides. ``caretaken`` is the player for whom the caretaker asks. A request that is
    refused changes nothing; ``outcomes`` of the change give the reason. In a game on hold nothing
    is done, and the result is None. Raises Conflict if the game is not running.
    """
    occasion = desk.occasion
    table = games.load(reads, occasion.game)
    if table is None or table.row.status != "running":
        raise Conflict(f"{occasion.game} is not running")
    if table.on_hold or reads.occasions.named(occasion.key) is not None:
        return None
    log, book = games.log_of(reads, table), book_of(reads, table)
    change = changes.make(table, *requests)
    if change.moves:
        change = changes.settle(change, book)
    clocks = timing.after(change, timing.ClockMoments(desk.now, desk.now))
    letters: list[Letter] = []
    jots: list[Jot] = []
    if change.moves or change.went:
        asked = (p for outcome in change.outcomes for p in outcome.played)
        follow = FollowUp(
            desk,
            change,
            log,
            changes.orders_after(change, book),
            clocks=timing.deadlines(change, clocks, desk.now),
            told=notes,
            caretaken=frozenset(p.number for p in asked if p.seat == caretaken),
        )
        letters, jots = follow.letters(), follow.jots

    def write(tx: Tx) -> None:
        if not tx.occasions.first(occasion, desk.now):
            raise Conflict(f"{occasion.key} was done meanwhile")
        commit(tx, occasion, change, desk.now, Besides(jots=jots, clocks=clocks))

    return Changed(change, letters, write)

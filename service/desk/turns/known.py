"""What the store knows beside the table that a player's mail is answered by, read at once."""

from dataclasses import dataclass

from service import rations
from service.desk.ahead.work import HOUR, Work, remaining
from service.desk.letters.post import Desk
from service.desk.proving.held import Written
from service.games import games, retreat
from service.games.changes import TakenBack
from service.games.games import GameTable, Log
from service.games.retreat import Stuck
from service.games.standing import Book, book_of
from service.games.votes import Poll, poll_of
from service.rations import Ration
from service.store import GameRow, SeatRow, Store, Tx


@dataclass(frozen=True)
class Wants:
    """What a mail needs to know, by the words that it has."""

    #: the whole history, not only what letters tell of
    history: bool
    games: bool
    undo: bool
    #: commands of the game
    moves: bool
    #: the position from which on votes look at what was done, None where none is spoken of
    votes: int | None = None


@dataclass(frozen=True)
class Known:
    """What the store tells beside the table."""

    log: Log
    #: what has changed since the position that the mail answers, if that matters
    changed: tuple[str, ...]
    #: what an `undo` takes back, or why it cannot
    taken: TakenBack | None
    stuck: tuple[str, ...]
    games: tuple[GameRow, ...]
    #: what the questions of the mail may cost
    work: Work
    #: mails with words to all that may still be sent
    talk: Ration
    #: the orders of all seats, with what has happened since they were given
    book: Book
    #: what votes are counted by, None where none is spoken of
    poll: Poll | None = None


def know(
    store: Store, desk: Desk, table: GameTable, seat: SeatRow, written: Written, wants: Wants
) -> Known:
    """Read it in one transaction."""
    who = rations.player(table.row.name, seat.name, "talk")
    with store.transaction() as tx:
        number = retreat.position_before(tx, table, written.number, written.received)
        log = games.log_of(tx, table, wants.history)
        book = book_of(tx, table)
        first = None if wants.votes is None else min(wants.votes, log.past[0].number)
        taken, stuck = _undone(tx, table, seat, log, number) if wants.undo else (None, ())
        return Known(
            log,
            retreat.changed(tx, table, log.past, number, seat.name) if wants.moves else (),
            taken,
            stuck,
            tx.games.all() if wants.games else (),
            remaining(*tx.answers.spent(seat.address, desk.now - HOUR), desk.now),
            tx.answers.ration(who, desk.now),
            book,
            None if first is None else poll_of(tx, table, book, first),
        )


def _undone(
    tx: Tx, table: GameTable, seat: SeatRow, log: Log, number: int | None
) -> tuple[TakenBack | None, tuple[str, ...]]:
    try:
        taken = retreat.take_back(tx, table, seat.name)
    except Stuck as why:
        return None, (str(why),)
    stuck = retreat.undo_changed(tx, table, log.past, number, taken)
    return (None if stuck else taken), stuck

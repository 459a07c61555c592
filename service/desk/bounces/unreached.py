"""Seats whose emails bounce: their time stops, and another try follows.

A full mailbox still exists, and so does one whose server is down. So only final refusals of a
server count (RFC 3463 §2, class 5), and only two of them within three days.
"""

from dataclasses import dataclass, replace

from service.clocks.zones import HOUR
from service.desk.door import Done, Write, send_elsewhere
from service.desk.service import Service
from service.games import timing
from service.games.games import ASKING, GameTable, load
from service.mail import refusals
from service.rations import DAY
from service.store import (
    Conflict,
    OutboxRow,
    ReturnRow,
    SeatRow,
    Task,
    TaskRow,
    Tx,
    UncountedRow,
)

ONCE_MORE = "once-more"
#: kind of the span between the two, in which no time counts, and its seconds
SPAN, AFTER = "returned", 3 * HOUR


def plan(tx: Tx, table: GameTable, seat: str, letter: OutboxRow, now: int) -> None:
    """An email to a seat came back: if it needs an answer, have it sent again."""
    if letter.kind in ASKING and table.row.status == "running":
        key, number = f"{ONCE_MORE}-{letter.id}", str(letter.id).encode()
        tx.tasks.add(Task(ONCE_MORE, key, now + AFTER, table.row.name, seat, number), now)


def send(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Send it to the current address of the seat, if its answer is still needed."""
    letter, table = reads.letters.get(int(row.payload)), load(reads, row.game)
    asked = reads.games.waiting(table.row.id) if table is not None else ()
    since = next((one.since for one in asked if one.seat == row.seat), None)
    if table is None or letter is None or since is None or letter.created < since:
        return Done("nothing is asked now")
    seat, number, begins = table.seat(row.seat), letter.id, letter.sent or letter.created

    def sent(tx: Tx) -> None:
        if send_elsewhere(tx, number, seat.address, now):
            tx.clocks.add_span(table.row.id, seat.name, SPAN, begins, now)
            reckon(tx, row.game, now)

    return Done(f"to {seat.name}", read=table, also=sent)


def reckon(tx: Tx, game: str, now: int) -> None:
    """Work out all deadlines again, after a span began or ended."""
    table = load(tx, game)
    rule = timing.rule_of(table) if table is not None else None
    if table is not None and rule is not None:
        timing.keep(tx, table, timing.accounts_of(table, rule), now)


#: number of final failures, and seconds within which they come, that make a seat unreached
MOST, WITHIN = 2, 3 * DAY
UNREACHED = "undelivered"


SECOND_TRIED = "a second address is tried"
TIME_STANDS = "their time stands still"
SECOND_ADDRESS = "From now on their emails go to their second address."
UNTIL_THEY_WRITE = "Their time stands still until they write."


@dataclass(frozen=True)
class Unreached:
    """The consequence of an email that came back; ``stopped`` if the seat's time stops.

    ``second`` says that emails go to the second address from now on. ``told`` says that all
    players got an email about a like failure not long ago.
    """

    stopped: bool = False
    second: bool = False
    told: bool = False

    @property
    def news(self) -> bool:
        """Whether the players get an email."""
        return (self.stopped or self.second) and not self.told

    @property
    def short(self) -> str:
        """What happened, for an email's subject."""
        return SECOND_TRIED if self.second else TIME_STANDS

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened, in sentences for the players."""
        if self.second:
            return (SECOND_ADDRESS,)
        return (UNTIL_THEY_WRITE,) if self.stopped else ()


REACHED = Unreached()


def counted(
    reads: Tx, table: GameTable, seat: SeatRow, letter: OutboxRow, now: int
) -> tuple[Unreached, Write]:
    """What follows from a failed email to a seat, once for each email, and what stores it."""
    game, sent = table.row.id, letter.sent or letter.created
    hard, address = refusals.gone(letter.note), letter.recipient.lower()
    row = ReturnRow(game, seat.name, address, letter.id, hard, sent, now)
    before = reads.seats.returns(game, seat.name, now - WITHIN)
    new = not reads.seats.has_returned(letter.id)

    def note(tx: Tx) -> None:
        if new and not tx.seats.returned(row):
            raise Conflict(f"email {letter.id} was counted meanwhile")

    if not new or not hard:
        return REACHED, note
    returns = [one for one in (*before, row) if one.hard]
    here = [one for one in returns if one.address == seat.address]
    if len(here) < MOST or table.row.status != "running":

        def once_more(tx: Tx) -> None:
            note(tx)
            plan(tx, table, seat.name, letter, now)

        return REACHED, once_more
    spans = [
        span
        for span in reads.clocks.spans(game, now - WITHIN)
        if (span.kind, span.seat) == (UNREACHED, seat.name)
    ]
    if any(span.ends is None for span in spans):
        return REACHED, note
    second = next((one for one in reads.seats.further(seat.id) if one.stands), None)
    if second is not None and any(one.address == second.address for one in returns):
        second = None

    def stop(tx: Tx) -> None:
        note(tx)
        if second is not None:
            tx.seats.swap_address(seat.id, seat.address, second.address)
            send_elsewhere(tx, letter.id, second.address, now)
        ends = None if second is None else now
        tx.clocks.add_span(game, seat.name, UNREACHED, here[0].sent, ends)
        reckon(tx, table.row.name, now)

    if second is None:
        return Unreached(stopped=bool(table.settings.clock), told=bool(spans)), stop
    return Unreached(second=True, told=bool(spans)), stop


def heard(table: GameTable, seat: str, at: int) -> GameTable:
    """The game after a seat has written, so that it can be reached: its time continues."""
    spans = [
        replace(one, ends=at) if _without_end(one, seat) else one
        for one in table.spans
        if not (_without_end(one, seat) and one.begins > at)
    ]
    return replace(table, spans=tuple(spans)) if tuple(spans) != table.spans else table


def hear(table: GameTable, seat: str, at: int, now: int, tx: Tx) -> None:
    """Store that a seat has written, as `heard` has it."""
    if tx.clocks.end_span(table.row.id, seat, UNREACHED, at):
        reckon(tx, table.row.name, now)


def _without_end(span: UncountedRow, seat: str) -> bool:
    return (span.kind, span.seat, span.ends) == (UNREACHED, seat, None)

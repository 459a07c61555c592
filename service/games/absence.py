"""Leave of players: what they have taken of a year's allowance, and what they may still take.

It knows rows and times, but no mail and no clock of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import Seat
from engine.wording import counted
from service.clocks import leave
from service.clocks.leave import Leave
from service.clocks.rules import WrongClock
from service.clocks.zones import DAY, local
from service.games.games import GameTable, seat_settings
from service.store import Tx, UncountedRow

KIND = "leave"
#: how leave is called that was taken instead of a flag
AUTO = "auto-leave"


@dataclass(frozen=True)
class Absence:
    """What a mail changes of a seat's leave: what begins, and what is given other bounds."""

    taken: tuple[Leave, ...] = ()
    #: row and its new end; one that ends before it begins was never taken
    cut: tuple[tuple[UncountedRow, int], ...] = ()


def leaves(table: GameTable, seat: Seat) -> tuple[UncountedRow, ...]:
    """The leave of a seat, past and to come."""
    return tuple(span for span in table.spans if (span.seat, span.kind) == (seat, KIND))


def bounds(rows: Sequence[UncountedRow]) -> list[tuple[int, int]]:
    """Begin and end of leave; all leave has an end."""
    return [(row.begins, row.ends) for row in rows if row.ends is not None]


ON_LEAVE_THEN = "You are on leave then already: `back` ends it, then ask again."
TOO_LONG = "That is {asked} of leave in {year}, and you have {left} left of {days} a year."


def asked(table: GameTable, seat: Seat, text: str, now: int) -> Leave:
    """The leave that a player asks for. Raises WrongClock with what is wrong and would do."""
    found = leave.read(text, seat_settings(table.seat(seat)).zone, now)
    known, days = bounds(leaves(table, seat)), table.settings.leave
    for begins, ends in known:
        if found.begins < ends and begins < found.ends:
            raise WrongClock(ON_LEAVE_THEN)
    year = leave.over(known, (found.begins, found.ends), days)
    if year is not None:
        left = leave.rest(known, year, days) // DAY
        asks = -(-leave.taken([(found.begins, found.ends)], year) // DAY)
        raise WrongClock(
            TOO_LONG.format(asked=counted(asks, "day"), year=year, left=left, days=days)
        )
    return found


def instead(table: GameTable, seat: Seat, now: int) -> int:
    """Seconds of leave that may be taken now instead of a flag; below a day it is none."""
    year = local("UTC", now).year
    left = leave.rest(bounds(leaves(table, seat)), year, table.settings.leave)
    return left if left >= DAY else 0


def ended(table: GameTable, seat: Seat, now: int) -> tuple[tuple[UncountedRow, int], ...]:
    """The leave of a seat that lasts or is to come, with the time at which it is over now."""
    rows = leaves(table, seat)
    return tuple((row, now) for row in rows if row.ends is None or row.ends > now)


def answered(table: GameTable, seat: Seat, now: int) -> tuple[tuple[UncountedRow, int], ...]:
    """Leave that was taken instead of a flag, and is over now that its player has answered."""
    every = ended(table, seat, now)
    return tuple((row, ends) for row, ends in every if row.reason == AUTO and row.begins < now)


def store(tx: Tx, table: GameTable, seat: Seat, absence: Absence) -> None:
    """Keep what a mail has changed."""
    for row, ends in absence.cut:
        tx.clocks.change_span(row.id, row.begins, ends)
    for one in absence.taken:
        tx.clocks.add_span(table.row.id, seat, KIND, one.begins, one.ends, one.told)


def with_absence(table: GameTable, seat: Seat, absence: Absence) -> GameTable:
    """The table as it is then."""
    cut = {row.id: ends for row, ends in absence.cut}
    kept = [
        replace(span, ends=cut.get(span.id, span.ends))
        for span in table.spans
        if span.id not in cut or cut[span.id] > span.begins
    ]
    game = table.row.id
    kept += [
        UncountedRow(0, game, seat, KIND, one.begins, one.ends, one.told) for one in absence.taken
    ]
    return replace(table, spans=tuple(kept))

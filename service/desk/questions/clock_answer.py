"""The answer to `clock`: time banks, deadlines, leaves, and which time counts."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import Seat
from service.clocks import accounts, leave
from service.clocks.accounts import Account
from service.clocks.deadlines import both, brief
from service.clocks.rules import left
from service.clocks.zones import local
from service.desk.seats.absences import IS_AWAY
from service.desk.service import Service
from service.games import timing
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.linking import CALENDAR, calendar_of
from service.reports import Answer
from service.reports.tables import Lines, Pairs, Row
from service.store import UncountedRow

NO_CLOCK = "This game has no clock: nobody must answer by a time."

TIME_COUNTS = (
    "Time counts from when a server takes the email that asks you until your answer reaches "
    "Waybill's mailbox. It does not matter when Waybill looks there."
)
NOT_COUNTED = (
    "Not counted: your quiet hours, your leave, time while the game is on hold, emails to you "
    "that bounce, and time in which Waybill does not work."
)
NOT_COUNTED_DAYS = (
    "Not counted: your quiet hours, your leave, time while the game is on hold, emails to you "
    "that bounce, and time in which Waybill does not work. {days} do not count either, by the "
    "calendar where you live."
)


def answer(table: GameTable, found: Sequence[Account], seat: Seat, now: int) -> Answer:
    """All time banks, the deadlines, and which time counts; ``seat`` is the reader's, or ""."""
    rule = timing.rule_of(table)
    if rule is None:
        return Answer((Lines("CLOCK", (NO_CLOCK, *_leaves(table, seat, now))),))
    rows = [Row(account.seat, tuple(_standing(table, account, seat, now))) for account in found]
    days = timing.days_off(rule, table.settings.holidays)
    not_counted = NOT_COUNTED_DAYS.format(days=days) if days else NOT_COUNTED
    counts = (TIME_COUNTS, not_counted, *_leaves(table, seat, now))
    blocks = (
        Lines(f"CLOCK  {rule}", (rule.in_words(),)),
        Pairs("STANDING", tuple(rows)),
        Lines("WHAT COUNTS", counts),
    )
    return Answer(blocks)


BANK = "bank {time}"
NOT_RUNNING = "stands"
LATE = "LATE: the time is over"
IS_TO_DECIDE = "is to decide"
NOT_SENT = "begins when the email that asks is on its way"
RUNS_UNTIL = "runs until {until}"
STANDS_STILL = "stands still"
NOT_NOW = "{clock}, just now it does not count"
LATE_ONCE = "late once before"
LATE_BEFORE = "late {count} times before"


def _standing(table: GameTable, account: Account, reader: Seat, now: int) -> Iterator[str]:
    rule = timing.rule_of(table)
    assert rule is not None
    sieve = timing.sieve_of(table, rule, account)
    seconds = accounts.remaining(account, rule, sieve, now) if account.runs else account.bank
    zone = seat_settings(table.seat(account.seat)).zone if account.seat == reader else "UTC"
    if rule.kind == "fischer":
        yield BANK.format(time=left(max(0, seconds)))
    if not account.runs:
        yield NOT_RUNNING
    elif account.flagged and (table.settings.late or account.seat == reader):
        yield LATE
    elif account.flagged:
        # a time that has passed would reveal it
        yield IS_TO_DECIDE
    elif account.seat in table.unsent:
        yield NOT_SENT
    else:
        ends = accounts.due(account, rule, sieve)
        running = STANDS_STILL if ends is None else RUNS_UNTIL.format(until=both(ends, zone))
        yield running if sieve.counts(now) else NOT_NOW.format(clock=running)
    if account.misses and table.settings.late:
        yield LATE_ONCE if account.misses == 1 else LATE_BEFORE.format(count=account.misses)


def _leaves(table: GameTable, seat: Seat, now: int) -> Iterator[str]:
    """Players who are away or will be, and the leave that the reader has left."""
    for player in table.players:
        for row in timing.leaves(table, player.name):
            if row.ends is None or row.ends > now:
                yield IS_AWAY.format(name=player.name, when=_told(row))
    if seat:
        known = timing.bounds(timing.leaves(table, seat))
        yield _allowance(table, known, now)


INSTEAD = "until {until} UTC at the latest, instead of being late"


def _told(row: UncountedRow) -> str:
    if row.reason == timing.AUTO and row.ends is not None:
        return INSTEAD.format(until=brief(row.ends))
    return row.reason


LEAVE_LEFT = "Your leave: {left} of {days} days are left in {year}."


def _allowance(table: GameTable, known: Sequence[tuple[int, int]], now: int) -> str:
    year = local("UTC", now).year
    rest = leave.rest(known, year, table.settings.leave)
    return LEAVE_LEFT.format(left=left(rest), days=table.settings.leave, year=year)


def organisers(table: GameTable, now: int) -> Answer:
    """The same for a reader who does not play, as it is now."""
    rule = timing.rule_of(table)
    known = timing.accounts_of(table, rule) if rule else ()
    return answer(table, known, "", now)


CALENDARS = "A calendar program that subscribes to one of these shows deadlines as they are:"
YOUR_CALENDAR = "yours: {address}"
EVERYBODYS_CALENDAR = "everybody's: {address}"


def dated(times: Answer, service: Service, table: GameTable, seat: Seat) -> Answer:
    """The answer to `clock`, with the calendars of deadlines to which the reader can subscribe."""
    where = service.place_of(table)
    if where is None or not where.address or timing.rule_of(table) is None:
        return times
    number = table.state.seats.index(seat) + 1
    told = (
        CALENDARS,
        YOUR_CALENDAR.format(address=f"{where.address}{calendar_of(number)}"),
        EVERYBODYS_CALENDAR.format(address=f"{where.address}{CALENDAR}"),
    )
    return replace(times, blocks=(*times.blocks, Lines("CALENDAR", told)))

"""A player's commands about time: `away 3 Aug to 17 Aug`, `back`, and the question `clock`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import Seat
from service.audience import Audience, of_organiser, of_table
from service.clocks import accounts, leave
from service.clocks.accounts import Account
from service.clocks.deadlines import CLOCK_STANDS, both, brief
from service.clocks.leave import Leave
from service.clocks.rules import left
from service.clocks.zones import local
from service.commands.command import Command
from service.desk.letters.post import Desk, Service, at_head
from service.desk.proving.arrived import WrittenAt
from service.desk.seats import deputies
from service.desk.turns.verdicts import Verdicts
from service.games import timing
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.linking import CALENDAR, calendar_of
from service.games.timing import Absence, ClockMoments
from service.refusal import Refused
from service.reports import Answer, Page, Result, note_page
from service.reports.tables import Lines, Pairs, Row
from service.said import ACTS_ALREADY, DEPUTY_OFF_ENDS_IT, IS_OVER
from service.store import Letter, NewVolunteer, Tx, UncountedRow

NO_CLOCK = "This game has no clock: nobody must answer by a time."

ONE_LEAVE = "An email may ask for one leave."
SEND_THE_OTHER_APART = "Send the other in a separate email."
IS_AWAY = "{name} is away {when}."
LEAVE_BEGINS = (
    "It begins {begins} your time, 24 hours after your email at the earliest, and is over at the "
    "end of {ends}. Your orders and consents go on."
)
LEAVE_BEGINS_CLOCK = (
    "It begins {begins} your time, 24 hours after your email at the earliest, and is over at the "
    "end of {ends}. Your clock stands still meanwhile, for the decision that waits for you now as "
    "well. Your orders and consents go on."
)
DEPUTY_ASKED = "{address} is asked to act for you; until they say yes, nobody does."
LEAVE_TOLD = "All players see it. `back` ends it earlier."


class Absences:
    """The `away …` commands of one email, and their results."""

    def __init__(self, reads: Tx, table: GameTable, seat: Seat, now: int) -> None:
        """``now`` in UTC seconds."""
        self._reads = reads
        self._before, self.table, self._seat, self._now = table, table, seat, now
        self.found = Absence()
        #: the person to ask to act as deputy meanwhile
        self.deputy: NewVolunteer | None = None
        #: sentences for all players
        self.announced: tuple[str, ...] = ()

    def handle(self, verdicts: Verdicts) -> None:
        """Carry them out."""
        for place, command in enumerate(verdicts.commands):
            if command.word == "away":
                verdicts.answer(place, self._away(command))

    def _away(self, command: Command) -> Result:
        try:
            if self.table.row.status != "running":
                raise Refused(IS_OVER.format(game=self.table.row.name))
            if self.found.taken:
                raise Refused(ONE_LEAVE, hint=SEND_THE_OTHER_APART)
            asked = timing.asked(self.table, self._seat, command.rest, self._now)
            self.deputy = self._named(asked)
        except Refused as why:
            return Result(command.number, command.shown, "no", notes=why.lines)
        self._note(Absence((asked,)))
        self.announced = (IS_AWAY.format(name=self._seat, when=asked.in_words),)
        shown = f"away {asked.in_words}" + (f" deputy {asked.deputy}" if asked.deputy else "")
        return Result(command.number, command.shown, "ok", shown, tuple(self._notes(asked)))

    def _named(self, asked: Leave) -> NewVolunteer | None:
        """The deputy that the command names. Raises Refused."""
        if not asked.deputy:
            return None
        seat = self.table.seat(self._seat)
        if any(v.seat == seat.name and v.agreed is not None for v in self.table.volunteers):
            raise Refused(ACTS_ALREADY, hint=DEPUTY_OFF_ENDS_IT)
        address, _ = deputies.named(self._reads, self.table, seat, asked.deputy, self._now)
        return NewVolunteer("deputy", address, seat.name, asked.begins, asked.ends)

    def _notes(self, asked: Leave) -> Iterator[str]:
        zone = seat_settings(self.table.seat(self._seat)).zone
        told = LEAVE_BEGINS_CLOCK if timing.rule_of(self.table) else LEAVE_BEGINS
        yield told.format(begins=brief(asked.begins, zone), ends=brief(asked.ends - 1, zone)[:-6])
        if asked.deputy:
            yield DEPUTY_ASKED.format(address=asked.deputy)
        yield LEAVE_TOLD

    def answered(self, change: Change) -> None:
        """Leave that was taken automatically ends when its player has acted."""
        if any(played.seat == self._seat for played in change.played):
            over = timing.answered(self.table, self._seat, self._now)
            self.found = replace(self.found, cut=(*self.found.cut, *over))

    def store(self, tx: Tx, desk: Desk, change: Change) -> Sequence[Letter]:
        """Store the leave, and write the email that asks the deputy."""
        timing.store(tx, change.table, self._seat, self.found)
        return () if self.deputy is None else (deputies.ask(tx, desk, change.table, self.deputy),)

    def _note(self, found: Absence) -> None:
        self.found = found
        self.table = timing.with_absence(self._before, self._seat, found)


def back(tx: Tx, table: GameTable, seat: Seat, now: int) -> None:
    """End a player's leave, or cancel it before it begins; their clock runs again."""
    found = Absence((), timing.ended(table, seat, now))
    timing.store(tx, table, seat, found)
    rule = timing.rule_of(table)
    after = timing.with_absence(table, seat, found)
    if rule is not None:
        timing.keep(tx, after, timing.accounts_of(after, rule), now)


def notices(desk: Desk, table: GameTable, told: Sequence[str], but: Seat = "") -> list[Letter]:
    """To all players but one, and to an organizer who does not play: news for everybody."""
    if not told:
        return []
    page = _notice(desk, table, told, of_table(table.row.name))
    others = [seat for seat in table.players if seat.name != but]
    found = [desk.to_seat("notice", at_head(table), seat, page) for seat in others]
    return [*found, *organiser_notices(desk, table, told)]


def organiser_notices(desk: Desk, table: GameTable, told: Sequence[str]) -> list[Letter]:
    """To an organizer who does not play; none if they do."""
    if any(seat.address == table.row.organiser for seat in table.players):
        return []
    page = _notice(desk, table, told, of_organiser(table.row.name))
    return [desk.to_organiser("notice", table.row, page)]


def _notice(desk: Desk, table: GameTable, told: Sequence[str], audience: Audience) -> Page:
    """An email whose subject is its first sentence."""
    game, about = table.row.name, desk.service.about(table.row.name, table.title)
    subject = f"[{game}] {told[0].rstrip('.')}"
    return note_page(audience, subject, " ".join(told), (), about=about)


# the question `clock`

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


def when(
    change: Change, verdicts: Verdicts, written: WrittenAt, seat: Seat, now: int
) -> ClockMoments:
    """When an email arrived, for a writer who must send it again because it was refused."""
    refused = bool(verdicts.plan) and not change.moves and not verdicts.has("hold")
    return ClockMoments(now, min(written.received, now), seat if refused else "")


CAME_IN_TIME = "Your email came in time: you have until {until} to send it again, once."
CLOCK_RUNS = "Your clock runs: answer by {until}."


def time_of_refused(
    change: Change, verdicts: Verdicts, clocks: Sequence[Account], seat: Seat
) -> str:
    """What a writer whose commands were refused reads about the clock; "" if nothing."""
    table, rule = change.table, timing.rule_of(change.table)
    account = timing.by_seat(clocks).get(seat)
    if rule is None or account is None or not account.runs or change.moves or not verdicts.plan:
        return ""
    ends = accounts.due(account, rule, timing.sieve_of(table, rule, account))
    if ends is None:
        return CLOCK_STANDS
    before = {row.seat: row.corrected for row in table.clocks}.get(seat, False)
    until = both(ends, seat_settings(table.seat(seat)).zone)
    if account.corrected and not before:
        return CAME_IN_TIME.format(until=until)
    return CLOCK_RUNS.format(until=until)


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

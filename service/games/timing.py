"""The clocks of a game, and the leave of its players: until when they must answer.

Time counts from when a server took the letter that asks until the mail arrives that settles it.
It knows positions and clocks, but no mail and no time of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

import engine
from engine import Seat, State
from engine.wording import counted, listed
from service.clocks import accounts, leave, quiet
from service.clocks.accounts import Account
from service.clocks.counting import Sieve
from service.clocks.deadlines import Deadline, spans_told
from service.clocks.leave import Leave
from service.clocks.rules import DAYS, WEEKEND, Rule, WrongClock, read, read_holidays
from service.clocks.zones import DAY, local
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.games import GameTable, asks
from service.store import Task, Tx, UncountedRow

#: the kind of the tasks that look at a clock
KIND = "clock"
#: seconds until a clock is looked at again that stands still
_LOOK = 6 * 3600
#: seconds after the end of a time in which a mail may be on its way from the mailbox to us
GRACE = 180
#: percent of the time for a decision after which a reminder may go
REMINDERS = (50, 90)


@dataclass(frozen=True)
class ClockMoments:
    """Now, and when what brings a change arrived; ``corrects`` is a seat that has to write anew."""

    now: int
    arrived: int
    corrects: Seat = ""


def rule_of(table: GameTable) -> Rule | None:
    """How the game's clock is set."""
    return read(table.settings.clock) if table.settings.clock else None


def accounts_of(table: GameTable, rule: Rule) -> tuple[Account, ...]:
    """The clocks of all who play, in seating order."""
    known = {clock.seat: clock for clock in table.clocks}
    return tuple(known.get(seat.name) or accounts.opened(rule, seat.name) for seat in table.players)


def sieve_of(table: GameTable, rule: Rule, account: Account) -> Sieve:
    """What does not count for a seat, by the zone and the quiet hours that its clock runs by."""
    return Sieve(
        account.zone,
        quiet.kept(account.quiet),
        rule.off,
        read_holidays(table.settings.holidays),
        tuple((span.begins, span.ends) for span in spans_of(table, account.seat)),
    )


def spans_of(table: GameTable, seat: Seat) -> tuple[UncountedRow, ...]:
    """The spans that do not count for a seat."""
    return tuple(span for span in table.spans if span.seat in ("", seat))


# what a change does


def after(change: Change, when: ClockMoments) -> tuple[Account, ...]:
    """The clocks after a change; () in a game without one."""
    table = agreed(change)
    rule = rule_of(table)
    if rule is None or table.row.status not in ("open", "running"):
        return ()
    if table is not change.table:
        return tuple(_from_now(table, rule, change.state, when.now))
    found = accounts_of(table, rule)
    if change.moves or not table.clocks:
        turn = _ClockTurn(change)
        found = tuple(_gone_on(change, rule, account, turn, when) for account in found)
    more = sum(_extensions(change))
    if more:
        acting = asks(table.title, change.state)[1]
        found = tuple(
            accounts.granted(account, rule, more) if account.seat in acting else account
            for account in found
        )
    return tuple(_corrected(table, rule, account, when) for account in found)


def agreed(change: Change) -> GameTable:
    """The table with the clock that a vote has set which ends with it; as it was, if none has."""
    table, before = change.table, {vote.number: vote.status for vote in change.table.votes}
    for vote in change.votes or ():
        if vote.kind == "clock" and vote.status == "passed" != before.get(vote.number):
            about = "" if vote.about == "none" else vote.about
            settings = msgspec.structs.replace(table.settings, clock=about)
            row = replace(table.row, settings=msgspec.json.encode(settings))
            table = replace(table, row=row)
    return table


def _from_now(table: GameTable, rule: Rule, state: State, now: int) -> Iterator[Account]:
    """Clocks that begin by a rule while the game goes on: full banks, the whole time from now.

    How often somebody was late stays.
    """
    late = {row.seat: row.misses for row in table.clocks}
    decision, seats = asks(table.title, state) if state.stack else ("", ())
    for seat in table.players:
        account = replace(accounts.opened(rule, seat.name), misses=late.get(seat.name, 0))
        if seat.name in seats:
            chosen = seat_settings(seat)
            account = replace(account, zone=chosen.zone, quiet=chosen.night)
            whole = engine.interrupted(state)
            account = accounts.asked(account, rule, decision, whole, now)
        yield account


class _ClockTurn:
    """What a position asks of whom, by the names that the engine gives."""

    def __init__(self, change: Change) -> None:
        title, state = change.table.title, change.state
        self.decision, self.seats = asks(title, state) if state.stack else ("", ())
        self.whole = engine.interrupted(state) if state.stack else ""
        self.anew = change.asks_anew(title)
        self.acted = {played.seat for played in change.played if played.seat}


def _gone_on(
    change: Change, rule: Rule, account: Account, turn: _ClockTurn, when: ClockMoments
) -> Account:
    """A clock after a change: it stops, goes on, or begins to run for something else."""
    table, seat = change.table, account.seat
    waits = seat in turn.seats
    if account.runs and waits and account.decision == turn.decision and not turn.anew:
        return account
    if account.runs and seat in turn.acted and seat not in table.unsent:
        account = accounts.settled(account, rule, sieve_of(table, rule, account), when.arrived)
    elif account.runs:
        account = accounts.stopped(account)
    if not waits:
        return account
    chosen = seat_settings(table.seat(seat))
    account = replace(account, zone=chosen.zone, quiet=chosen.night)
    return accounts.asked(account, rule, turn.decision, turn.whole, when.now)


def _corrected(table: GameTable, rule: Rule, account: Account, when: ClockMoments) -> Account:
    """A clock whose player wrote in time what was not legal."""
    if account.seat != when.corrects or not account.runs:
        return account
    sieve = sieve_of(table, rule, account)
    if accounts.remaining(account, rule, sieve, when.arrived) < 0:
        return account
    return accounts.corrected(account, rule, sieve, when.now)


def _extensions(change: Change) -> Iterator[int]:
    """Seconds that votes have given which a change has ended."""
    before = {vote.number: vote.status for vote in change.table.votes}
    for vote in change.votes or ():
        if vote.kind == "extend" and vote.status == "passed" != before.get(vote.number):
            yield int(vote.about)


# what is stored and planned


def keep(tx: Tx, table: GameTable, found: Sequence[Account], now: int) -> None:
    """Store clocks that are otherwise than they were, until when all must answer, and looks."""
    rule, known = rule_of(table), {row.seat: row for row in table.clocks}
    for account in found if rule else ():
        assert rule is not None
        if account != known.get(account.seat):
            tx.clocks.set(table.row.id, account)
        if account.runs:
            sieve = sieve_of(table, rule, account)
            tx.clocks.set_due(table.row.id, account.seat, accounts.due(account, rule, sieve))
            plan(tx, table, account, now)


def plan(tx: Tx, table: GameTable, account: Account, now: int) -> None:
    """Have somebody look at a clock when something is to be done about it next."""
    at = next_look(table, account, now)
    if at is not None:
        key = f"{KIND}-{table.row.id}-{account.seat}-{account.asked}-{at}"
        tx.tasks.replace(Task(KIND, key, at, table.row.name, account.seat), now)


def next_look(table: GameTable, account: Account, now: int) -> int | None:
    """When a clock is to be looked at next, after now; None if never."""
    rule = rule_of(table)
    if rule is None or not account.runs or account.flagged:
        return None
    sieve = sieve_of(table, rule, account)
    times = [
        accounts.after(account, rule, sieve, percent)
        for percent in REMINDERS
        if percent > account.reminded
    ]
    due = accounts.due(account, rule, sieve)
    known = [at for at in times if at is not None]
    known.append(now + _LOOK if due is None else due + GRACE)
    return min((at for at in known if at > now), default=now + 60)


# what is told


def deadlines(change: Change, found: Sequence[Account], now: int) -> dict[Seat, Deadline]:
    """Until when whom must answer, by seat, after a change with these clocks."""
    return deadlines_of(agreed(change), found, now)


def deadlines_of(table: GameTable, found: Sequence[Account], now: int) -> dict[Seat, Deadline]:
    """The same for clocks as they are."""
    rule = rule_of(table)
    if rule is None:
        return {}
    return {account.seat: _deadline(table, rule, account, now) for account in found if account.runs}


def _deadline(table: GameTable, rule: Rule, account: Account, now: int) -> Deadline:
    sieve = sieve_of(table, rule, account)
    zone = seat_settings(table.seat(account.seat)).zone
    bank = accounts.remaining(account, rule, sieve, now) if rule.kind == "fischer" else None
    spans = tuple((s.kind, s.reason, s.begins, s.ends) for s in spans_of(table, account.seat))
    due = accounts.due(account, rule, sieve)
    soon = tuple(span for span in spans if due is None or span[2] < due)
    own = (_nights(account), days_off(rule, table.settings.holidays))
    spared = (*filter(None, own), *spans_told(soon, account.begun, zone))
    mark = f"{table.row.name}-{account.seat}-{account.asked}"
    return Deadline(due, zone, bank, spared, mark, account.asked, now)


QUIET_HOURS = "your quiet hours, {begins} to {ends} ({zone})"


def _nights(account: Account) -> str:
    if not account.quiet:
        return ""
    begins, _, ends = account.quiet.partition(" ")
    return QUIET_HOURS.format(begins=begins, ends=ends, zone=account.zone)


def days_off(rule: Rule, holidays: str = "") -> str:
    """The days of a game that do not count, "" if all do."""
    names = "weekends" if rule.off == WEEKEND else listed([DAYS[day] for day in sorted(rule.off)])
    return ", ".join(filter(None, (names, holidays)))


def by_seat(found: Sequence[Account]) -> Mapping[Seat, Account]:
    """Clocks by their seats."""
    return {account.seat: account for account in found}


def vote_due(table: GameTable, seat: Seat, since: int, seconds: int) -> int | None:
    """When so many seconds since a vote was proposed have counted for a seat; None if never yet.

    Nothing is taken from a bank for it: silence is an answer.
    """
    rule = rule_of(table)
    if rule is None:
        return since + seconds
    chosen = seat_settings(table.seat(seat))
    account = Account(seat, 0, zone=chosen.zone, quiet=chosen.night)
    return sieve_of(table, rule, account).due(since, seconds)


def handed(table: GameTable, seat: Seat, seconds: int, now: int) -> Account | None:
    """The clock of a seat that has another player: their own hours, no misses, ``seconds`` more.

    It begins to run when a server takes the letter that asks them. None without a clock.
    """
    rule = rule_of(table)
    if rule is None:
        return None
    account, chosen = by_seat(accounts_of(table, rule))[seat], seat_settings(table.seat(seat))
    left = account.bank
    if account.runs and rule.kind == "fischer":
        left = accounts.remaining(account, rule, sieve_of(table, rule, account), now)
    return Account(
        seat,
        max(0, min(account.bank, left)),
        account.credited,
        account.decision,
        asked=now if account.runs else 0,
        zone=chosen.zone,
        quiet=chosen.night,
        extra=seconds if account.runs else 0,
    )


def anew(tx: Tx, table: GameTable, now: int) -> None:
    """All clocks of a game that runs begin by the rule that it has now; misses stay.

    Banks are full, and who must answer has the whole time from now on.
    """
    rule = rule_of(table)
    tx.clocks.drop(table.row.id)
    if rule is not None:
        found = tuple(_from_now(table, rule, table.state, now))
        keep(tx, replace(table, clocks=()), found, now)


def granted(tx: Tx, table: GameTable, seat: Seat, seconds: int, now: int) -> None:
    """Give a seat more time, as to somebody who takes it over; nothing where there is no clock."""
    rule = rule_of(table)
    if rule is None:
        return
    found = by_seat(accounts_of(table, rule)).get(seat)
    if found is not None:
        keep(tx, table, (accounts.granted(found, rule, seconds),), now)


LEAVE = "leave"
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
    return tuple(span for span in table.spans if (span.seat, span.kind) == (seat, LEAVE))


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
        tx.clocks.add_span(table.row.id, seat, LEAVE, one.begins, one.ends, one.told)


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
        UncountedRow(0, game, seat, LEAVE, one.begins, one.ends, one.told) for one in absence.taken
    ]
    return replace(table, spans=tuple(kept))

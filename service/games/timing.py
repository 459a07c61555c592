"""The clocks of a game and the leave of its players, which give each decision its deadline.

Time counts from when a mail server accepts the email that asks. It ends when the email with the
decision arrives. The module knows positions and clocks, but no email, and reads no time itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from service.clocks.rules import DAYS, WEEKEND, Rule, read, read_holidays
from service.clocks.zones import DAY, local
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.games import GameTable, open_decision
from service.refusal import Refused
from service.store import Task, Tx, UncountedRow

#: the kind of the tasks that check a clock
KIND = "clock"
#: seconds until the next check of a clock that stands still
_LOOK = 6 * 3600
#: seconds after a deadline in which an email may still be on its way from the mailbox
GRACE = 180
#: the percentages of a decision's time after which a reminder may go
REMINDERS = (50, 90)


@dataclass(frozen=True)
class ClockMoments:
    """Now, and when the cause of a change arrived; ``corrects`` is a seat that writes again."""

    now: int
    arrived: int
    corrects: Seat = ""


def rule_of(table: GameTable) -> Rule | None:
    """The rule of the game's clock."""
    return read(table.settings.clock) if table.settings.clock else None


def accounts_of(table: GameTable, rule: Rule) -> tuple[Account, ...]:
    """The clocks of all players, in seating order."""
    known = {clock.seat: clock for clock in table.clocks}
    return tuple(known.get(seat.name) or accounts.opened(rule, seat.name) for seat in table.players)


def sieve_of(table: GameTable, rule: Rule, account: Account) -> Sieve:
    """The time that is not charged to a seat, by its time zone and quiet hours."""
    return Sieve(
        account.zone,
        quiet.kept(account.quiet),
        rule.off,
        read_holidays(table.settings.holidays),
        tuple((span.begins, span.ends) for span in spans_of(table, account.seat)),
    )


def spans_of(table: GameTable, seat: Seat) -> tuple[UncountedRow, ...]:
    """The spans that are not charged to a seat."""
    return tuple(span for span in table.spans if span.seat in ("", seat))


# the effect of a change


def after(change: Change, when: ClockMoments) -> tuple[Account, ...]:
    """The clocks after a change; () in a game without clocks."""
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
        acting = open_decision(table.title, change.state)[1]
        found = tuple(
            accounts.granted(account, rule, more) if account.seat in acting else account
            for account in found
        )
    return tuple(_corrected(table, rule, account, when) for account in found)


def agreed(change: Change) -> GameTable:
    """The table with a clock that a vote in this change sets; unchanged if there is none."""
    table, before = change.table, {vote.number: vote.status for vote in change.table.votes}
    for vote in change.votes or ():
        if vote.kind == "clock" and vote.status == "passed" != before.get(vote.number):
            about = "" if vote.about == "none" else vote.about
            settings = msgspec.structs.replace(table.settings, clock=about)
            table = table.with_settings(settings)
    return table


def _from_now(table: GameTable, rule: Rule, state: State, now: int) -> Iterator[Account]:
    """New clocks by a rule in a running game: full time banks, the whole time from now.

    The number of times that somebody was late stays.
    """
    late = {row.seat: row.misses for row in table.clocks}
    decision, seats = open_decision(table.title, state) if state.stack else ("", ())
    for seat in table.players:
        account = replace(accounts.opened(rule, seat.name), misses=late.get(seat.name, 0))
        if seat.name in seats:
            chosen = seat_settings(seat)
            account = replace(account, zone=chosen.zone, quiet=chosen.night)
            whole = engine.interrupted(state)
            account = accounts.asked(account, rule, decision, whole, now)
        yield account


class _ClockTurn:
    """The question of a position and its seats, by the engine's names."""

    def __init__(self, change: Change) -> None:
        title, state = change.table.title, change.state
        self.decision, self.seats = open_decision(title, state) if state.stack else ("", ())
        self.whole = engine.interrupted(state) if state.stack else ""
        self.anew = change.asks_anew(title)
        self.acted = {played.seat for played in change.played if played.seat}


def _gone_on(
    change: Change, rule: Rule, account: Account, turn: _ClockTurn, when: ClockMoments
) -> Account:
    """A clock after a change: it stops, continues, or begins to run for something else."""
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
    """The clock of a player who replied in time with an illegal move."""
    if account.seat != when.corrects or not account.runs:
        return account
    sieve = sieve_of(table, rule, account)
    if accounts.remaining(account, rule, sieve, when.arrived) < 0:
        return account
    return accounts.corrected(account, rule, sieve, when.now)


def _extensions(change: Change) -> Iterator[int]:
    """The seconds that votes which end with a change have granted."""
    before = {vote.number: vote.status for vote in change.table.votes}
    for vote in change.votes or ():
        if vote.kind == "extend" and vote.status == "passed" != before.get(vote.number):
            yield int(vote.about)


# storing and planning


def keep(tx: Tx, table: GameTable, found: Sequence[Account], now: int) -> None:
    """Store changed clocks, the seats' deadlines, and the tasks that check them."""
    rule, known = rule_of(table), {row.seat: row for row in table.clocks}
    if rule is None:
        return
    tx.clocks.set(table.row.id, *(one for one in found if one != known.get(one.seat)))
    runs = [account for account in found if account.runs]
    dues = {one.seat: accounts.due(one, rule, sieve_of(table, rule, one)) for one in runs}
    tx.clocks.set_due(table.row.id, dues)
    plan(tx, table, runs, now)


def plan(tx: Tx, table: GameTable, clocks: Iterable[Account], now: int) -> None:
    """Plan the next check of each clock."""
    tasks = []
    for account in clocks:
        at = next_look(table, account, now)
        if at is not None:
            key = f"{KIND}-{table.row.id}-{account.seat}-{account.asked}-{at}"
            tasks.append(Task(KIND, key, at, table.row.name, account.seat))
    tx.tasks.replace(tasks, now)


def next_look(table: GameTable, account: Account, now: int) -> int | None:
    """The time of the next check of a clock, after now; None if never."""
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


# texts for players


def deadlines(change: Change, found: Sequence[Account], now: int) -> dict[Seat, Deadline]:
    """The deadlines by seat, after a change with these clocks."""
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
    """The days of a game that are not charged; "" if all are."""
    names = "weekends" if rule.off == WEEKEND else listed([DAYS[day] for day in sorted(rule.off)])
    return ", ".join(filter(None, (names, holidays)))


def by_seat(found: Sequence[Account]) -> Mapping[Seat, Account]:
    """Clocks by their seats."""
    return {account.seat: account for account in found}


def vote_due(table: GameTable, seat: Seat, since: int, seconds: int) -> int | None:
    """When a vote proposed at ``since`` has had so many charged seconds for a seat, or None.

    None means that nobody can know it yet. The time bank pays nothing for a vote, because silence
    is an answer.
    """
    rule = rule_of(table)
    if rule is None:
        return since + seconds
    chosen = seat_settings(table.seat(seat))
    account = Account(seat, 0, zone=chosen.zone, quiet=chosen.night)
    return sieve_of(table, rule, account).due(since, seconds)


def handed(table: GameTable, seat: Seat, seconds: int, now: int) -> Account | None:
    """The clock of a seat with a new player: their quiet hours, no misses, ``seconds`` more.

    It begins to run when a server accepts the email that asks them. None without a clock.
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
    """Begin all clocks of a running game again by its present rule; misses stay.

    Time banks are full, and players who must decide have the whole time from now on.
    """
    rule = rule_of(table)
    tx.clocks.drop(table.row.id)
    if rule is not None:
        found = tuple(_from_now(table, rule, table.state, now))
        keep(tx, replace(table, clocks=()), found, now)


def granted(tx: Tx, table: GameTable, seat: Seat, seconds: int, now: int) -> None:
    """Give a seat more time, for example to a new player; no effect without a clock."""
    rule = rule_of(table)
    if rule is None:
        return
    found = by_seat(accounts_of(table, rule)).get(seat)
    if found is not None:
        keep(tx, table, (accounts.granted(found, rule, seconds),), now)


LEAVE = "leave"
#: the name of leave that starts by itself instead of a flag
AUTO = "auto-leave"


@dataclass(frozen=True)
class Absence:
    """The changes of a seat's leave in an email: new leave, and leave with a new end."""

    taken: tuple[Leave, ...] = ()
    #: row and its new end; leave that ends before it begins was never taken
    cut: tuple[tuple[UncountedRow, int], ...] = ()


def leaves(table: GameTable, seat: Seat) -> tuple[UncountedRow, ...]:
    """The leave of a seat, past and future."""
    return tuple(span for span in table.spans if (span.seat, span.kind) == (seat, LEAVE))


def bounds(rows: Sequence[UncountedRow]) -> list[tuple[int, int]]:
    """Begin and end of each leave; all leave has an end."""
    return [(row.begins, row.ends) for row in rows if row.ends is not None]


ON_LEAVE_THEN = "You are on leave then already."
TOO_LONG = "That is {asked} of leave in {year}, and you have {left} left."
ASK_FOR_LESS = "Ask for {left} at most."


def asked(table: GameTable, seat: Seat, text: str, now: int) -> Leave:
    """The leave that a player asks for. Raises Refused, which says what would be allowed."""
    found = leave.read(text, seat_settings(table.seat(seat)).zone, now)
    known, days = bounds(leaves(table, seat)), table.settings.leave
    for begins, ends in known:
        if found.begins < ends and begins < found.ends:
            raise Refused(ON_LEAVE_THEN, hint="`back` ends it, then ask again.")
    year = leave.over(known, (found.begins, found.ends), days)
    if year is not None:
        left = leave.rest(known, year, days) // DAY
        asks = -(-leave.taken([(found.begins, found.ends)], year) // DAY)
        raise Refused(
            TOO_LONG.format(asked=counted(asks, "day"), year=year, left=left),
            f"`allowance {days}`",
            hint=ASK_FOR_LESS.format(left=left),
        )
    return found


def instead(table: GameTable, seat: Seat, now: int) -> int:
    """Seconds of leave that may be taken now instead of a flag; less than a day is 0."""
    year = local("UTC", now).year
    left = leave.rest(bounds(leaves(table, seat)), year, table.settings.leave)
    return left if left >= DAY else 0


def ended(table: GameTable, seat: Seat, now: int) -> tuple[tuple[UncountedRow, int], ...]:
    """The present and future leave of a seat, each with the time at which it now ends."""
    rows = leaves(table, seat)
    return tuple((row, now) for row in rows if row.ends is None or row.ends > now)


def answered(table: GameTable, seat: Seat, now: int) -> tuple[tuple[UncountedRow, int], ...]:
    """Leave taken instead of a flag, which ends now that its player has replied."""
    every = ended(table, seat, now)
    return tuple((row, ends) for row, ends in every if row.reason == AUTO and row.begins < now)


def store(tx: Tx, table: GameTable, seat: Seat, absence: Absence) -> None:
    """Store an email's changes of leave."""
    for row, ends in absence.cut:
        tx.clocks.change_span(row.id, row.begins, ends)
    for one in absence.taken:
        tx.clocks.add_span(table.row.id, seat, LEAVE, one.begins, one.ends, one.in_words)


def with_absence(table: GameTable, seat: Seat, absence: Absence) -> GameTable:
    """The table after these changes of leave."""
    cut = {row.id: ends for row, ends in absence.cut}
    kept = [
        replace(span, ends=cut.get(span.id, span.ends))
        for span in table.spans
        if span.id not in cut or cut[span.id] > span.begins
    ]
    game = table.row.id
    kept += [
        UncountedRow(
            id=0,
            game_id=game,
            seat=seat,
            kind=LEAVE,
            begins=one.begins,
            ends=one.ends,
            reason=one.in_words,
        )
        for one in absence.taken
    ]
    return replace(table, spans=tuple(kept))

"""Checks a player's clock when something is due: reminders, automatic leave, running out of time.

It knows no clock of the system: ``now`` is an argument. A check notes its work on the clock, so
that nothing is done twice, and sets the time of the next check. The door stores both, with the
emails.
"""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.wording import listed
from service.audience import of_organiser, of_seat
from service.clocks import accounts, quiet
from service.clocks.accounts import Account
from service.clocks.counting import Sieve
from service.clocks.deadlines import ANSWER_BY, CLOCK_STANDS, both, brief
from service.clocks.leave import Leave
from service.clocks.rules import Rule, left
from service.clocks.zones import day_of
from service.desk.door import Done
from service.desk.informing import everybody
from service.desk.letters.desk import Desk, at_head
from service.desk.questions.clock_answer import INSTEAD
from service.desk.seats.absences import IS_AWAY
from service.desk.service import Service
from service.desk.timing import out_of_time
from service.games import batches, games, timing
from service.games.batches import BatchedEmail
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.timing import Absence
from service.reports import Page, Scene, note_page
from service.reports.decisions import BYSTANDER, task
from service.store import Letter, Occasion, Task, TaskRow, Tx

#: the kind of the tasks that report automatic leave
ON_LEAVE = "on-leave"
#: seconds for which an email may be in work after a batch time
_HANDLED = 300
#: seconds until the next check of a clock whose email was not sent
_UNSENT = 900


def look(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Check the clock of a seat."""
    found = _look(reads, service, now, row)
    return found.done() if found else Done("nothing is asked")


def tell_leave(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Tell a player of automatic leave, when it is not night there."""
    found = _look(reads, service, now, row)
    return found.on_leave(int(row.payload)) if found else Done("nothing is asked")


def _look(reads: Tx, service: Service, now: int, row: TaskRow) -> "ClockLook | None":
    """The check of a task; None if the clock of its seat does not run."""
    table = games.load(reads, row.game)
    if table is None or table.row.status != "running":
        return None
    rule = timing.rule_of(table)
    known = timing.by_seat(timing.accounts_of(table, rule)) if rule else {}
    account = known.get(row.seat)
    if rule is None or account is None or not account.runs or account.flagged:
        return None
    desk = Desk(service, now, Occasion("clock", row.key, row.game, row.seat))
    return ClockLook(reads, desk, table, rule, account)


STILL_SUBJECT = "[{game}] your turn: {what}"
STILL_YOUR_TURN = "It is still your turn."
LEFT_SUBJECT = "[{game}] {time} left: {what}"
TIME_LEFT = "You have {time} left for your turn."
ANSWER_BY_BANK = "Answer by {until}. Your time bank: {bank} of time that counts."
YOURS_TO_DECIDE = (
    "You must decide: {what}. Your turn email says what you may write. `resend` sends it again, "
    "and you can also reply to this email."
)
ON_LEAVE_SUBJECT = "[{game}] on leave: {what}"
ON_LEAVE_NOW = "You are on leave."
LEAVE_TAKEN = "Your time is over. You are on leave until you answer, {until} at the latest."
LATE_SUBJECT = "[{game}] {name} is late"
IS_LATE = "{name} is late"
IS_LATE_ALL = "{name} is late: {what}."
NOT_TOLD = "As the game hides who is late, {names} are not told."


class ClockLook:
    """A check of the running clock of one seat."""

    def __init__(
        self, reads: Tx, desk: Desk, table: GameTable, rule: Rule, account: Account
    ) -> None:
        self._reads, self._desk, self._now = reads, desk, desk.now
        self._table, self._rule, self._account = table, rule, account
        self._seat = table.seat(account.seat)
        self._chosen = seat_settings(self._seat)
        self._due = accounts.due(account, rule, self._sieve)

    @property
    def _sieve(self) -> Sieve:
        return timing.sieve_of(self._table, self._rule, self._account)

    def done(self) -> Done:
        """What is due, with its emails, and the next check."""
        if self._seat.name in self._table.unsent:
            return self._not_asked()
        if self._due is not None and self._now >= self._due + timing.GRACE:
            return self._over()
        if self._due is not None and self._now >= self._due:
            return self._done("the time is just over", self._account)
        return self._remind()

    def _done(
        self, note: str, account: Account, letters: Sequence[Letter] = (), *tasks: Task
    ) -> Done:
        """The result: the clock from now on, and these tasks beside its next check."""
        table, now = self._table, self._now

        def kept(tx: Tx) -> None:
            tx.tasks.add_all(tasks, now)
            timing.keep(tx, table, (account,), now)

        return Done(note, letters, read=table, also=kept)

    def _not_asked(self) -> Done:
        """No time counts before a server has accepted the email with the question."""
        game, name, now = self._table.row.id, self._seat.name, self._now
        again = self._again(now + _UNSENT)

        def put_off(tx: Tx) -> None:
            tx.clocks.set_due(game, {name: None})
            tx.tasks.add(again, now)

        return Done("the email that asks lies with us", read=self._table, also=put_off)

    # reminders

    def _remind(self) -> Done:
        """Send the reminder that is due; in quiet hours, delay it until their end."""
        passed = [
            percent
            for percent in timing.REMINDERS
            if percent > self._account.reminded
            and (at := accounts.after(self._account, self._rule, self._sieve, percent)) is not None
            and at <= self._now
        ]
        if not passed:
            return self._done("too early", self._account)
        letters: list[Letter] = []
        if str(passed[-1]) in self._chosen.remind:
            morning = self._morning()
            if morning > self._now:
                return self._done("put off: it is quiet", self._account, (), self._again(morning))
            letters.append(self._reminder())
        return self._done(f"{passed[-1]} %", replace(self._account, reminded=passed[-1]), letters)

    def _morning(self) -> int:
        """Now, or the end of the player's quiet hours, in UTC seconds."""
        hours, moment = quiet.kept(self._chosen.night), self._now
        if hours is not None:
            sieve = Sieve(self._chosen.zone, hours)
            for _, ends in sieve.out(moment, moment + 86_400)[:1]:
                moment = moment if sieve.counts(moment) else ends
        return moment

    def _again(self, at: int) -> Task:
        key = f"{timing.KIND}-{self._table.row.id}-{self._seat.name}-{self._account.asked}-{at}"
        return Task(timing.KIND, key, at, self._table.row.name, self._seat.name)

    def _reminder(self) -> Letter:
        if self._due is None:
            return self._letter(STILL_SUBJECT, STILL_YOUR_TURN, CLOCK_STANDS)
        rest, until = left(self._due - self._now), both(self._due, self._chosen.zone)
        text = ANSWER_BY.format(until=until)
        if self._rule.kind == "fischer":
            bank = accounts.remaining(self._account, self._rule, self._sieve, self._now)
            text = ANSWER_BY_BANK.format(until=until, bank=left(max(0, bank)))
        return self._letter(LEFT_SUBJECT, TIME_LEFT.format(time=rest), text, time=rest)

    def _letter(self, subject: str, headline: str, text: str, **values: str) -> Letter:
        """An email to the player; their reply speaks for the seat, as one to the turn email."""
        table = self._table
        what = self._what()
        page = self._page(
            subject.format(game=table.row.name, what=what, **values),
            headline,
            text,
            YOURS_TO_DECIDE.format(what=what),
        )
        return self._desk.to_seat("reminder", at_head(table), self._seat, page)

    def _what(self) -> str:
        """The open decision, in brief."""
        table = self._table
        scene = Scene(table.row.name, table.title, table.state)
        return task(scene, self._seat.name, BYSTANDER).subject

    def _page(self, subject: str, headline: str, *lines: str) -> Page:
        game = self._table.row.name
        about = self._desk.service.about(game, self._table.title)
        to = of_seat(game, self._seat.name)
        return note_page(to, subject, headline, lines, about=about)

    # the end of the time

    def _over(self) -> Done:
        """Time is over: first a waiting email of the seat counts, then leave, then the flag."""
        waits = self._waiting()
        if waits:
            again, now = self._again(waits + _HANDLED), self._now
            note = "an email of the seat waits for its hour"
            return Done(note, read=self._table, also=lambda tx: tx.tasks.add_all((again,), now))
        leave = self._leave() if self._chosen.auto_leave else None
        return leave or self._flag()

    def _waiting(self) -> int:
        """The time at which an email of the seat is handled that came in time; 0 if none."""
        for row in self._reads.tasks.of(batches.KIND, self._table.row.name, self._seat.name):
            waiting = msgspec.json.decode(row.payload, type=BatchedEmail)
            if waiting.plays and self._due is not None and waiting.received <= self._due:
                return max(row.due, self._now)
        return 0

    def _leave(self) -> Done | None:
        """Take leave automatically; None if none is left."""
        table, name, now = self._table, self._seat.name, self._now
        seconds = timing.instead(table, name, now)
        if not seconds:
            return None
        assert self._due is not None
        # from the last minute on, because a clock with no time left would be due when the
        # leave begins
        begins, ends = self._due - 60, now + seconds
        taken = Leave(begins, ends, day_of("UTC", now), day_of("UTC", ends))
        found = Absence((taken,))
        key = f"{ON_LEAVE}-{table.row.id}-{name}-{begins}"
        own = Task(ON_LEAVE, key, self._morning(), table.row.name, name, str(ends).encode())
        account, away = self._account, timing.with_absence(table, name, found)

        def leaves(tx: Tx) -> None:
            tx.clocks.add_span(table.row.id, name, timing.LEAVE, begins, ends, timing.AUTO)
            timing.keep(tx, away, (account,), now)
            tx.tasks.add(own, now)

        instead = INSTEAD.format(until=brief(ends))
        text = IS_AWAY.format(name=name, when=instead)
        letters = everybody.notices(self._desk, table, (text,), name)
        return Done(f"leave for {seconds} seconds at most", letters, read=table, also=leaves)

    def on_leave(self, ends: int) -> Done:
        """Tell the player, if the automatic leave still lasts."""
        rows = timing.leaves(self._table, self._seat.name)
        if all(row.ends != ends or ends <= self._now for row in rows):
            return Done("it is over")
        until = both(ends, self._chosen.zone)
        text = LEAVE_TAKEN.format(until=until)
        letter = self._letter(ON_LEAVE_SUBJECT, ON_LEAVE_NOW, text)
        return Done("told", [letter], read=self._table)

    def _flag(self) -> Done:
        """The player is late and nothing prevents it: inform everybody concerned, once."""
        misses = self._account.misses + 1
        account = replace(self._account, flagged=True, reminded=100, misses=misses)
        # the task informs the player, not at night, and moves for them if the game wants that
        then = out_of_time.task(self._table, self._seat.name, misses, self._morning())
        return self._done("the time is over", account, self._told(), then)

    def _told(self) -> list[Letter]:
        """To all players, if the game shows who is late, and to the organizer.

        If the caretaker moves right now, the emails about its move inform the players.
        """
        table, name = self._table, self._seat.name
        if table.settings.late:
            told = (IS_LATE_ALL.format(name=name, what=self._what()),)
            if self._morning() <= self._now and out_of_time.moves_at_once(table, name):
                return everybody.organiser_notices(self._desk, table, told)
            return everybody.notices(self._desk, table, told, name)
        about = self._desk.service.about(table.row.name, table.title)
        others = listed([seat.name for seat in table.players if seat.name != name])
        lines = (
            IS_LATE_ALL.format(name=name, what=self._what()),
            NOT_TOLD.format(names=others),
        )
        subject, headline = (
            LATE_SUBJECT.format(game=table.row.name, name=name),
            IS_LATE.format(name=name),
        )
        page = note_page(of_organiser(table.row.name), subject, headline, lines, about=about)
        return [self._desk.to_organiser("notice", table.row, page)]

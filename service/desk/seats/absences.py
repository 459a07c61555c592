"""A player's leave: `away 3 Aug to 17 Aug`, with or without a deputy, and its end."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine import Seat
from service.clocks.deadlines import brief
from service.clocks.leave import Leave
from service.commands.command import Command
from service.desk.letters.post import Desk
from service.desk.seats import deputies
from service.games import timing
from service.games.changes import Change
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.timing import Absence
from service.refusal import Refused
from service.reports import Result
from service.said import ACTS_ALREADY, DEPUTY_OFF_ENDS_IT, IS_OVER
from service.store import Letter, NewVolunteer, Tx

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

    def handle(self, command: Command) -> Result:
        """Carry one out."""
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

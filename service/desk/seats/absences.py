"""A player's leave: `away 3 Aug to 17 Aug`, with or without a deputy, and its end."""

from collections.abc import Iterator, Sequence

from service.clocks.deadlines import brief
from service.clocks.leave import Leave
from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import notices
from service.desk.seats import deputies
from service.games import timing
from service.games.choices import seat_settings
from service.games.games import GameTable
from service.games.timing import Absence
from service.refusal import Refused
from service.said import ACTS_ALREADY, END_THE_DEPUTY
from service.store import Letter, NewVolunteer, SeatRow, Tx

ONE_LEAVE = "An email may ask for one leave."
IS_AWAY = "{name} is away {when}."
LEAVE_BEGINS = (
    "Your leave begins {begins} your time and ends at the end of {ends}. A leave begins 24 hours "
    "after your email at the earliest. Your advance orders and advance answers go on."
)
LEAVE_BEGINS_CLOCK = (
    "Your leave begins {begins} your time and ends at the end of {ends}. A leave begins 24 hours "
    "after your email at the earliest. Your clock stands still in that time, also for the "
    "decision that waits for you now. Your advance orders and advance answers go on."
)
DEPUTY_ASKED = "Waybill asks {address} to act for you. Until they say yes, nobody does."
LEAVE_TOLD = "All players see it. `back` ends it earlier."


def away(context: GameContext, command: Command) -> Effect:
    """`away FROM to TO [deputy ADDRESS]`: leave; the player's clock stands still meanwhile."""
    table, seat, desk = context.table, context.seat, context.desk
    assert seat is not None
    if timing.leaves(table, seat.name) != timing.leaves(context.before, seat.name):
        raise Refused(ONE_LEAVE, hint="Send the other in a separate email.")
    leave = timing.asked(table, seat.name, command.rest, desk.now)
    asked = _meanwhile(context, seat, leave)
    absence = Absence((leave,))
    after = timing.with_absence(table, seat.name, absence)

    def write(tx: Tx) -> Sequence[Letter]:
        store(tx, table, seat, absence, desk.now)
        return () if asked is None else (deputies.ask(tx, desk, after, asked),)

    shown = f"away {leave.in_words}" + (f" deputy {leave.deputy}" if leave.deputy else "")
    text = IS_AWAY.format(name=seat.name, when=leave.in_words)
    return Effect(
        (done(command, *_of_leave(table, seat, leave), canonical=shown),),
        changed=after,
        letters=notices(desk, table, (text,), seat.name),
        write=write,
        changes=True,
    )


def _meanwhile(context: GameContext, seat: SeatRow, leave: Leave) -> NewVolunteer | None:
    """The person to ask to act as deputy during leave, if it names one. Raises Refused."""
    if not leave.deputy:
        return None
    table = context.table
    if any(one.seat == seat.name and one.agreed is not None for one in table.volunteers):
        raise Refused(ACTS_ALREADY, hint=END_THE_DEPUTY)
    address, _ = deputies.named(context.reads, context.desk, table, leave.deputy)
    return NewVolunteer("deputy", address, seat.name, leave.begins, leave.ends)


def _of_leave(table: GameTable, seat: SeatRow, leave: Leave) -> Iterator[str]:
    """What the player reads about new leave."""
    zone = seat_settings(seat).zone
    text = LEAVE_BEGINS_CLOCK if timing.rule_of(table) else LEAVE_BEGINS
    yield text.format(begins=brief(leave.begins, zone), ends=brief(leave.ends - 1, zone)[:-6])
    if leave.deputy:
        yield DEPUTY_ASKED.format(address=leave.deputy)
    yield LEAVE_TOLD


def store(tx: Tx, table: GameTable, seat: SeatRow, absence: Absence, now: int) -> None:
    """Store changes of a player's leave; their clock stands still or runs again."""
    timing.store(tx, table, seat.name, absence)
    rule = timing.rule_of(table)
    after = timing.with_absence(table, seat.name, absence)
    if rule is not None:
        timing.keep(tx, after, timing.accounts_of(after, rule), now)

"""Deputies: people who act for a seat for some time; the seat's player asks them and stays.

A deputy gets the emails of the seat too, to know what its player knows. The table of commands says
by `Who.DEPUTY` what they may write. Everything else is for the player alone: the seat itself, its
addresses and proof, and the player's acts as organizer or director.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from service.audience import EVERYBODY, of_seat, of_table
from service.commands.command import Command
from service.desk.door import Done
from service.desk.informing.everybody import informed, to_all
from service.desk.informing.follow_up import FollowUp
from service.desk.letters.desk import Desk, at_head
from service.desk.letters.ticket import Ticket
from service.desk.rationing import named_addresses
from service.desk.service import Service
from service.games import games, orders, timing
from service.games.changes import Change
from service.games.games import GameTable
from service.rations import DAY
from service.refusal import Refused
from service.reports import note_page
from service.reports.words import moment
from service.said import RENEWED, REST_NOT_UNDERSTOOD
from service.store import (
    Conflict,
    Letter,
    NewVolunteer,
    Occasion,
    SeatRow,
    Task,
    TaskRow,
    Tx,
    VolunteerRow,
)

#: the kind of person, and the purpose of the ticket that asks them
DEPUTY = "deputy"
#: the kind of the task that ends a deputy's time
TASK = "deputy"
#: the kind of the task that begins it
BEGINS = "deputy-begins"
#: the commands of a deputy, in words
TOLD = "play, give orders, answer offers, vote, talk, keep notes and ask"
#: most days for which a deputy may act before they must be named again
LONGEST = 60
_UNTIL = re.compile(r"(\S+)(?:\s+(?:until|till|to)\s+(\d{4})-(\d\d?)-(\d\d?))?", re.IGNORECASE)


NO_PHRASE = (
    "A deputy may not do that: `pass-phrase` is for the player of the seat alone. Nothing of this "
    "email was done."
)


def with_a_phrase(asked: Sequence[Command]) -> tuple[Command, ...]:
    """The commands of a deputy's email with a pass phrase, which is removed: all are refused."""
    phrase = Command(0, "", "pass-phrase", "pass-phrase", barred=NO_PHRASE)
    return (phrase, *(replace(one, entry=None, barred=NO_PHRASE) for one in asked))


HOW_TO_NAME_A_DEPUTY = "Write for example `deputy eve@example.org until 2027-03-14`."
NO_SUCH_DAY = "There is no day {day}."
DAY_IS_OVER = "That day is over already."
ACTS_AT_MOST = "A deputy acts for {days} days at most."


def named(tx: Tx, desk: Desk, table: GameTable, text: str) -> tuple[str, int]:
    """Address and end of a deputy's time, as the player writes them. Raises Refused."""
    now = desk.now
    found = _UNTIL.fullmatch(text.strip())
    if found is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_NAME_A_DEPUTY)
    ends = now + LONGEST * DAY
    if found[2]:
        try:
            day = datetime(int(found[2]), int(found[3]), int(found[4]), tzinfo=UTC)
        except ValueError as error:
            why = NO_SUCH_DAY.format(day="-".join(found.groups()[1:]))
            raise Refused(why, hint=HOW_TO_NAME_A_DEPUTY) from error
        # the whole day is included
        ends = int(day.timestamp()) + DAY
    if ends <= now:
        raise Refused(DAY_IS_OVER, hint="Name a later day, or none for the longest time.")
    if ends > now + LONGEST * DAY:
        raise Refused(
            ACTS_AT_MOST.format(days=LONGEST),
            hint="Name an earlier day, and name the deputy again after that.",
        )
    address = named_addresses.read(found[1], HOW_TO_NAME_A_DEPUTY, outside=table)
    named_addresses.check(tx, desk, address)
    return address, ends


ASKS_YOU = "{name} asks you to act for them in “{game}”, a game of {title} by email, {times}."


def ask(tx: Tx, desk: Desk, table: GameTable, deputy: NewVolunteer) -> Letter:
    """Ask somebody to act for a seat, from and until two times in UTC seconds.

    A former deputy of the seat no longer acts for it.
    """
    seat, address, begins, ends = deputy.seat, deputy.address, deputy.begins, deputy.ends
    assert ends is not None
    dismiss(tx, table, table.seat(seat))
    named_addresses.count(tx, address, desk.now)
    made = tx.people.ask(table.row.id, deputy, desk.now)
    name = table.row.name
    row = next(v for v in tx.people.volunteers(table.row.id) if v.id == made)
    ends_by(tx, name, row, desk.now)
    since = f"from {moment(begins)} " if begins > desk.now else ""
    times = f"{since}until {moment(ends)}"
    lines = (
        ASKS_YOU.format(name=seat, game=name, title=table.title.name, times=times),
        "If you want to, reply `yes`. Then you get the emails of the seat too, reply to them "
        "with commands, and all players know. If not, reply `no` or ignore this email: "
        "Waybill will not write to you again.",
    )
    headline = f"Do you want to act for {seat} in {name}?"
    about = desk.service.about(name, table.title)
    page = note_page(
        EVERYBODY, f"[{name}] {headline} Reply yes", headline, lines, ("yes",), about=about
    )
    return desk.to_ticket("confirm", Ticket(name, DEPUTY, address, (made, desk.now)), page)


def ends_by(tx: Tx, game: str, deputy: VolunteerRow, now: int) -> None:
    """Set the task that ends a deputy's time."""
    assert deputy.ends is not None
    key = f"{TASK}-{deputy.id}-{deputy.asked}"
    tx.tasks.add(Task(TASK, key, deputy.ends, game, deputy.seat), now)


def _of_seat(every: Sequence[VolunteerRow], seat: SeatRow) -> list[VolunteerRow]:
    """The deputies of a seat among these people, and those who are asked to be its deputy."""
    return [v for v in every if v.seat == seat.name and v.kind == DEPUTY]


def dismiss(tx: Tx, table: GameTable, seat: SeatRow) -> bool:
    """End a seat's deputy; gives whether its token had to be renewed.

    It is renewed if the deputy had agreed, because then they know it. Raises Conflict if it was
    renewed meanwhile.
    """
    mine = _of_seat(tx.people.volunteers(table.row.id), seat)
    for volunteer in mine:
        tx.people.drop(volunteer.id)
    knew = any(volunteer.agreed is not None for volunteer in mine)
    if knew and not tx.seats.renew(seat.id, seat.epoch):
        raise Conflict(f"the address of {seat.name} was renewed")
    return knew


TIME_IS_OVER = "The time of your deputy is over; nobody but you acts for the seat now."
TIME_IS_OVER_SUBJECT = "[{game}] Your deputy's time is over"


def close(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """A deputy's time is over; the player gets an email with a new address.

    There is none if nobody had agreed to act for them.
    """
    table, note = games.load(reads, row.game), "it is over"
    _, made, asked = row.key.split("-")
    wanted = (int(made), int(asked))
    if table is None or all((v.id, v.asked) != wanted for v in table.volunteers):
        return Done(note)
    seat = table.seat(row.seat)

    def ends(tx: Tx) -> None:
        dismiss(tx, table, seat)

    if all(one.agreed is None for one in _of_seat(table.volunteers, seat)):
        return Done(note, read=table, also=ends)
    name, about = table.row.name, service.about(table.row.name, table.title)
    subject = TIME_IS_OVER_SUBJECT.format(game=name)
    page = note_page(of_seat(name, seat.name), subject, TIME_IS_OVER, (RENEWED,), about=about)
    new = games.with_new_token(seat)
    desk = Desk(service, now, Occasion("clock", row.key, row.game, row.seat))
    letter = desk.to_seat("renewed", at_head(table), new, page)
    return Done(note, [letter], read=table, also=ends)


YOU_ACT = (
    "You act for {seat} in {game} from {since} until {until}. You get the emails of the seat in "
    "that time, and the turn email that is open when it begins. Reply to one of them with commands "
    "at its top, as its player would."
)
YOU_MAY = (
    "You may {may}. All else is for the player alone: to resign, to name a deputy, addresses and "
    "settings of the seat, and what the player does as organizer or director. Keep the emails to "
    "yourself. `no` in reply to this email ends it."
)
HAS_A_DEPUTY = (
    "{seat} in {game} has a deputy from {since} until {until}, who may act for the seat then."
)
ACTS_FOR_YOU = "{address} acts for you from {since} until {until}, and gets your emails then, too."
BACK_ENDS = "`back` ends it; your address is another one then, so that nobody else has it."


def begins(
    desk: Desk, table: GameTable, deputy: VolunteerRow
) -> tuple[Sequence[str], list[Letter]]:
    """The page for a deputy who has agreed, and the emails to all others."""
    name, seat = table.row.name, deputy.seat
    assert deputy.ends is not None
    when = {"since": moment(max(deputy.begins, desk.now)), "until": moment(deputy.ends)}
    lines = (YOU_ACT.format(seat=seat, game=name, **when), YOU_MAY.format(may=TOLD))
    message = HAS_A_DEPUTY.format(seat=seat, game=name, **when)
    about = desk.service.about(name, table.title)
    page = note_page(of_table(name), f"[{name}] {seat} has a deputy", message, (), about=about)
    letters = to_all(desk, table, informed(table, seat), "notice", page)
    row, to = table.seat(seat), of_seat(name, seat)
    text = ACTS_FOR_YOU.format(address=deputy.address, **when)
    page = note_page(to, f"[{name}] You have a deputy", text, (BACK_ENDS,), about=about)
    return lines, [*letters, desk.to_seat("notice", at_head(table), row, page)]


def begins_by(tx: Tx, game: str, deputy: VolunteerRow, now: int) -> None:
    """Set the task that sends a deputy the open turn email when their time begins."""
    key = f"{BEGINS}-{deputy.id}-{deputy.asked}"
    tx.tasks.add(Task(BEGINS, key, max(deputy.begins, now), game, deputy.seat), now)


def begin(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """A deputy's time begins: they get the turn email that the player has."""
    desk = Desk(service, now, Occasion("clock", row.key, row.game, row.seat))
    *_, made, asked = row.key.split("-")
    table = games.load(reads, row.game)
    every = table.volunteers if table is not None else ()
    deputy = next((v for v in every if (v.id, v.asked) == (int(made), int(asked))), None)
    running = table is not None and table.row.status == "running"
    if table is None or deputy is None or not deputy.acts(now) or not running:
        return Done("nobody acts now")
    log, book = games.log_of(reads, table), orders.book_of(reads, table)
    seat = table.seat(row.seat)
    rule = timing.rule_of(table)
    due = timing.deadlines_of(table, timing.accounts_of(table, rule) if rule else (), now)
    follow = FollowUp(desk, Change(table, table.state), log, book, clocks=due)
    turns = [one for one in follow.turns() if one.recipient == seat.address]
    letters = [replace(one, recipient=deputy.address, tells=None) for one in turns]
    return Done(f"{len(letters)} emails", letters, read=table)


ACTS_NO_LONGER = "{address} no longer acts for you."
DOES_NOT_ACT = "{address} does not act for you."


def refuses(desk: Desk, table: GameTable, deputy: VolunteerRow) -> Letter:
    """To a player whose deputy does not agree, or stops; the caller also calls `dismiss`."""
    name, seat = table.row.name, table.seat(deputy.seat)
    knew = deputy.agreed is not None
    new = games.with_new_token(seat) if knew else seat
    text = (ACTS_NO_LONGER if knew else DOES_NOT_ACT).format(address=deputy.address)
    about = desk.service.about(name, table.title)
    lines = (RENEWED,) if knew else ()
    to = of_seat(name, seat.name)
    page = note_page(to, f"[{name}] You have no deputy", text, lines, about=about)
    return desk.to_seat("notice", at_head(table), new, page)

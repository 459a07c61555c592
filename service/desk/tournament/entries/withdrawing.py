"""Leaving a tournament, voluntarily or by exclusion; the next on the list, and the free seats."""

import re
from functools import partial

import msgspec

from engine import Seat
from service.commands.command import Command
from service.commands.results import asks_back
from service.desk.answering.effects import Effect, together
from service.desk.door import Done
from service.desk.letters.desk import Desk
from service.desk.seats.standbys import STANDBY, Offer, vacate
from service.desk.service import Service
from service.desk.strangers.by_letter import SeparateAnswer, by_letter
from service.desk.strangers.stranger_mail import GamesSeen, StrangerContext
from service.desk.tournament.answering.tournament_context import (
    TournamentContext,
    TournamentEmail,
    agreed_entry,
)
from service.desk.tournament.directing.tournament_directing import Instruction
from service.desk.tournament.letters.tournament_letters import (
    CONCERNED,
    TournamentText,
    ticket_of_entry,
    to_asker,
    to_entry,
)
from service.desk.tournament.stored.keeping import (
    change_of,
    check_unchanged,
    find_tournament,
    seat_of,
)
from service.desk.tournament.stored.tournament_tasks import leave_task
from service.games.games import load
from service.refusal import Refused
from service.said import MISSING_AFTER
from service.store import Letter, Occasion, TaskRow, Tx, VacancyRow
from service.tournaments.acts import EntryChanged, LoggedAct
from service.tournaments.telling import IS_OVER
from service.tournaments.tournament import Tournament
from service.tournaments.values import BegunTable, Entrant

#: the kind of an email that asks whether somebody wants to withdraw
WITHDRAWAL = "withdrawal"
PLAYS_NO_MORE = "{name} no longer plays in {tournament}."
YOU_ARE_OUT = "You are out of all later rounds."
IS_OUT = "{name} is out of all later rounds."
SEAT_IS_OFFERED = "The seat on table {tables} is offered to standbys; the table goes on."

NOBODY_CALLED = "Nobody called {name} has entered {tournament}."
ENTRIES_LISTS_ALL = "`entries` lists all entrants."
NOT_CONFIRMED_YET = "{name} has not confirmed the entry yet. It counts for nothing until then."


def entry_named(context: TournamentContext, name: str) -> Entrant:
    """The entry that a command names. Raises Refused."""
    tournament, name = context.tournament, name.strip().rstrip(".,")
    if not name:
        raise Refused(MISSING_AFTER, hint=ENTRIES_LISTS_ALL)
    entry = tournament.entry(name)
    if entry is None:
        told = NOBODY_CALLED.format(name=name, tournament=tournament.name)
        raise Refused(told, hint=ENTRIES_LISTS_ALL)
    if entry.state == "asked":
        # To an address that has not agreed, none of a director's words may go. Nobody may
        # enter who has not agreed. So there is nothing to say about such an entry.
        raise Refused(NOT_CONFIRMED_YET.format(name=name))
    return entry


def _check_in(tournament: Tournament, entry: Entrant) -> None:
    """Raises Refused for somebody who plays no more."""
    if tournament.over:
        raise Refused(IS_OVER.format(tournament=tournament.name))
    if entry.state in ("withdrawn", "excluded"):
        raise Refused(PLAYS_NO_MORE.format(name=entry.name, tournament=tournament.name))


def _leaves(
    context: TournamentContext, out: Entrant, by: str, *letters: Letter
) -> tuple[Effect, str]:
    """An entrant is ``out``: the next one plays, and the seats are offered to others.

    Gives the effect, and the sentence about the seats, "" if they have none.
    """
    desk, tournament = context.desk, context.tournament
    playing = _played(context, out)
    [before] = [one for one in tournament.entries if one.number == out.number]
    acts = [LoggedAct(EntryChanged(out.state, out), by, out.reason)]
    tasks = [leave_task(desk, table.game, seat) for table, seat in playing]
    off = partial(_off_the_lists, tournament, out)
    gone = change_of(desk, tournament, acts, letters, tasks, off)
    tables = ", ".join(table.label for table, _ in playing)
    told = SEAT_IS_OFFERED.format(tables=tables) if playing else ""
    if before.state == "entered":
        gone = together([gone, moved_up(desk, gone.changed)])
    return gone, told


def _off_the_lists(tournament: Tournament, entry: Entrant, tx: Tx) -> None:
    """Offer no more seats to a person who has left, or was excluded."""
    for table in tournament.playing:
        for volunteer in tx.people.volunteers(table.id):
            if volunteer.kind == STANDBY and volunteer.address in entry.addresses:
                tx.people.drop(volunteer.id)


def _played(context: TournamentContext, entry: Entrant) -> list[tuple[BegunTable, Seat]]:
    """The games that an entrant plays now, with the seat, which may be one they took over."""
    found = [(table, seat_of(context.reads, table, entry)) for table in context.tournament.playing]
    return [(table, seat.name) for table, seat in found if seat is not None]


YOU_STILL_PLAY = (
    "You still play on table {table} ({game}), and others count on you. If you withdraw now, you "
    "leave that table too. Your seat is offered to standbys, and your orders go on until one "
    "takes it. You cannot come back then."
)
TELL_THE_DIRECTOR = "To play this table to its end and no later round, tell the director."


def placed(tournament: Tournament) -> str:
    """Whether the next entry plays or waits."""
    most = tournament.rules.places
    return "waiting" if most and len(tournament.players) >= most else "entered"


# ------------------------------------------------------------------------------ afterwards
PLAY_AFTER_ALL = "You play in {tournament}: a place has become free."
WAS_WAITING = "You were on the waiting list, as {name}."


def moved_up(desk: Desk, tournament: Tournament) -> Effect:
    """The first on the waiting list get the places that are free."""
    acts, letters = [], []
    waiting, most = tournament.of_state("waiting"), tournament.rules.places
    room = max(0, most - len(tournament.players)) if most else len(waiting)
    for entry in waiting[:room] if tournament.status == "announced" else ():
        entered = msgspec.structs.replace(entry, state="entered")
        text = PLAY_AFTER_ALL.format(tournament=tournament.name)
        words = TournamentText(text, (WAS_WAITING.format(name=entry.name),))
        acts.append(LoggedAct(EntryChanged("moved up", entered), entry.name))
        letters.append(to_entry(desk, tournament, entered, words))
    return change_of(desk, tournament, acts, letters)


REPLY_YES = "Reply `yes` if you want to withdraw all the same, or write `withdraw yes`."
HAVE_WITHDRAWN = "You have withdrawn from {tournament}."
_SURE = re.compile(r"\byes\b", re.IGNORECASE)


def withdraw(context: TournamentEmail, command: Command) -> Effect:
    """`withdraw`: Waybill asks first if they have a game in play; `withdraw yes` does it."""
    entry, tournament = agreed_entry(context), context.tournament
    _check_in(tournament, entry)
    playing = _played(context, entry)
    if playing and _SURE.search(command.rest) is None:
        table = playing[0][0]
        told = YOU_STILL_PLAY.format(table=table.label, game=table.game)
        question = asks_back(command, told, TELL_THE_DIRECTOR)
        letter = partial(context.letter, kind=WITHDRAWAL)
        return Effect((question,), closing=(REPLY_YES,), letter=letter)
    out = msgspec.structs.replace(entry, state="withdrawn", reason="")
    gone, seats = _leaves(context, out, entry.name)
    told = HAVE_WITHDRAWN.format(tournament=tournament.name)
    return context.did(command, gone, told, YOU_ARE_OUT, seats)


WAS_EXCLUDED = "You are excluded from {tournament}."
EXCLUDED_ALREADY = "{name} is excluded already."


def exclude(context: TournamentContext, said: Instruction) -> Effect:
    """Exclude an entrant, for a reason."""
    entry, tournament = entry_named(context, said.rest), context.tournament
    if entry.state == "excluded":
        raise Refused(EXCLUDED_ALREADY.format(name=entry.name))
    out = msgspec.structs.replace(entry, state="excluded", reason=said.because)
    text = WAS_EXCLUDED.format(tournament=tournament.name)
    reason = GIVES_REASON.format(office=context.office, because=said.because)
    words = TournamentText(text, (reason,), kind="out")
    letter = to_entry(context.desk, tournament, out, words)
    gone, seats = _leaves(context, out, context.office, letter)
    return context.did(said.command, gone, OUT.format(name=entry.name), seats)


OUT = "{name} is excluded, and gets an email with the reason."
GIVES_REASON = "The {office} gives this reason: {because}."


def withdraw_other(context: TournamentContext, said: Instruction) -> Effect:
    """Withdraw an entrant who cannot write and has asked the director to do it."""
    entry = entry_named(context, said.rest)
    _check_in(context.tournament, entry)
    out = msgspec.structs.replace(entry, state="withdrawn", reason=said.because)
    gone, seats = _leaves(context, out, context.office)
    return context.did(said.command, gone, IS_OUT.format(name=entry.name), seats)


NO_ENTRY = "You have no entry in {tournament}."
ENTER_WHILE_OPEN = "`enter {tournament} as NAME` enters you while entries are open."
WANT_TO_WITHDRAW = "Do you want to withdraw from {tournament}?"
ANYBODY_COULD = (
    "Anybody could have written this email in your name. If it was you, reply to this one with the "
    "word below."
)


def ask_to_withdraw(context: StrangerContext, command: Command) -> Effect:
    """`withdraw NAME`: ask the entrant to confirm it."""

    def judge(seen: GamesSeen) -> SeparateAnswer:
        tournament = find_tournament(seen.reads, command.parts["name"].lower())
        entry, name = tournament.at_address(context.mail.sender), tournament.name
        if entry is None or entry.state not in CONCERNED:
            hint = ENTER_WHILE_OPEN.format(tournament=name)
            raise Refused(NO_ENTRY.format(tournament=name), hint=hint)
        headline, write = WANT_TO_WITHDRAW.format(tournament=name), ("withdraw",)
        words = TournamentText(headline, (ANYBODY_COULD,), commands=write, kind=WITHDRAWAL)
        letter = to_asker(context, ticket_of_entry(tournament, entry), words)
        about = (WITHDRAWAL, tournament.name)
        checks = (partial(check_unchanged, tournament=tournament),)
        return SeparateAnswer(about, letter, asks=True, checks=checks)

    return by_letter(context, command, judge)


HAS_LEFT = "{name} has left the tournament"


def leave_table(reads: Tx, service: Service, now: int, row: TaskRow) -> Done:
    """Ask for another player for the seat of somebody who has left the tournament."""
    game = load(reads, row.game)
    if game is None or game.row.status != "running" or game.vacancy(row.seat) is not None:
        return Done("nobody is called")
    desk = Desk(service, now, Occasion("tournament", row.key, row.game, row.seat))
    why = HAS_LEFT.format(name=row.seat)
    left = vacate(desk, game, Offer(VacancyRow(row.seat, "director", why, now)))
    return Done("others are asked", left.letters, read=game, also=left.write)

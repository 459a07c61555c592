"""Leaving a tournament, voluntarily or by exclusion; the next on the list, and the free seats."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from engine import Seat
from service.commands.command import Command
from service.desk.answering.effects import Effect
from service.desk.letters.post import Desk
from service.desk.seats.standbys import STANDBY
from service.desk.strangers.by_letter import WITHDRAWAL, by_letter
from service.desk.strangers.stranger_mail import StrangerContext
from service.desk.tournament import public
from service.desk.tournament.cup_directing import Instruction, asks_first, entry_named
from service.desk.tournament.cup_email import CupContext, CupEmail, agreed_entry
from service.desk.tournament.cup_known import (
    IS_OVER,
    CupBoard,
    CupPlan,
    Doing,
    KnownCup,
    after_acts,
    leave_task,
    seat_of,
    ticket_of_entry,
)
from service.desk.tournament.cup_letters import (
    CupText,
    to_asker,
    to_entry,
)
from service.desk.tournament.cup_log import Cup, CupEntered
from service.refusal import Refused
from service.reports import Result
from service.store import Letter, Store, Task, Tx
from service.tournaments.values import CupEntry

PLAYS_NO_MORE = "{name} no longer plays in {cup}."
YOU_ARE_OUT = "You are out of all later rounds."
IS_OUT = "{name} is out of all later rounds."
SEAT_IS_OFFERED = "The seat on board {boards} is offered to those who stand by; the board goes on."


def withdrawal(
    store: Store,
    desk: Desk,
    known: KnownCup,
    entry: CupEntry,
    *,
    sure: bool,
    asked: tuple[str, str] = ("", ""),
) -> tuple[CupPlan, Sequence[str]]:
    """Withdraw an entry; gives the effects, and the text to its owner.

    ``asked`` is the other person who asked for it, and why, if it was not the entrant.

    While one of their games is in play, nothing is done unless they are ``sure``. Raises
    Refused.
    """
    by, why = asked
    if known.cup.status in ("ended", "abandoned"):
        raise Refused(IS_OVER.format(cup=known.name))
    if entry.state in ("withdrawn", "excluded", "refused"):
        raise Refused(PLAYS_NO_MORE.format(name=entry.name, cup=known.name))
    playing = _played(store, known, entry)
    if playing and not sure:
        return CupPlan(), _asked_first(playing[0][0], entry.name, by)
    name = by or entry.name
    acts = [Doing(CupEntered("withdrawn", withdrawn(entry, why)), name, why)]
    cup = after_acts(known, desk, acts)
    ups = list(move_up(desk, known, cup)) if entry.state == "entered" else []
    lines = [IS_OUT.format(name=entry.name) if by else YOU_ARE_OUT]
    if playing:
        numbers = ", ".join(board.number for board, _ in playing)
        lines.append(SEAT_IS_OFFERED.format(boards=numbers))
    tasks = [leave_task(desk, known, board, seat) for board, seat in playing]
    plan = CupPlan([*acts, *(act for act, _ in ups)], [letter for _, letter in ups], tasks)
    return replace(plan, also=(partial(off_the_lists, known, entry),)), lines


def off_the_lists(known: KnownCup, entry: CupEntry, tx: Tx) -> None:
    """Offer no more seats to a person who has left, or was excluded."""
    for board in known.playing:
        for volunteer in tx.people.volunteers(board.row.game_id):
            if volunteer.kind == STANDBY and volunteer.address in entry.addresses:
                tx.people.drop(volunteer.id)


def seats_left(store: Store, desk: Desk, known: KnownCup, entry: CupEntry) -> list[Task]:
    """Have the seats offered to others that an entrant leaves in games in play."""
    playing = _played(store, known, entry)
    return [leave_task(desk, known, board, seat) for board, seat in playing]


def _played(store: Store, known: KnownCup, entry: CupEntry) -> list[tuple[CupBoard, Seat]]:
    """The games that an entrant plays now, with the seat, which may be one they took over."""
    with store.transaction() as tx:
        found = [(board, seat_of(tx, board, entry)) for board in known.playing]
    return [(board, seat.name) for board, seat in found if seat is not None]


YOU_STILL_PLAY = (
    "You still play on board {board} ({game}), and others count on you. If you withdraw now, you "
    "leave that board too. Your seat is offered to standbys, and your orders go on until one "
    "takes it. You cannot come back then."
)
STILL_PLAYS = (
    "{name} still plays on board {board} ({game}), and others count on them. A player who "
    "withdraws now leaves that board too. The seat is offered to standbys, and orders go on until "
    "one takes it. There is no way back then."
)
TELL_THE_DIRECTOR = "To play this board to its end and no later round, tell the director."


def _asked_first(board: CupBoard, name: str, by: str) -> Sequence[str]:
    """What it means to withdraw in the middle of a round, as a question."""
    if by:
        return (STILL_PLAYS.format(name=name, board=board.number, game=board.game),)
    told = YOU_STILL_PLAY.format(board=board.number, game=board.game)
    return told, TELL_THE_DIRECTOR


def placed(cup: Cup) -> str:
    """Whether the next entry plays or waits."""
    most = cup.rules.gates.most
    return "waiting" if most and len(cup.players) >= most else "entered"


# ------------------------------------------------------------------------------ afterwards
PLAY_AFTER_ALL = "You play in {cup}: a place has become free."
WAS_WAITING = "You were on the waiting list, as {name}."


def move_up(desk: Desk, known: KnownCup, cup: Cup) -> Iterator[tuple[Doing, Letter]]:
    """The first on the waiting list gets a free place; ``cup`` is the tournament then."""
    if cup.status != "announced":
        return
    most = cup.rules.gates.most
    room = most - len(cup.players) if most else len(cup.of_state("waiting"))
    for entry in cup.of_state("waiting")[: max(room, 0)]:
        entered = msgspec.structs.replace(entry, state="entered")
        text = PLAY_AFTER_ALL.format(cup=known.name)
        words = CupText(text, text, (WAS_WAITING.format(name=entry.name),))
        yield (
            Doing(CupEntered("moved up", entered), entry.name),
            to_entry(desk, known, entered, words),
        )


def withdrawn(entry: CupEntry, why: str = "") -> CupEntry:
    """The entry of somebody who no longer plays."""
    return msgspec.structs.replace(entry, state="withdrawn", reason=why)


REPLY_YES = "Reply `yes` if you want to withdraw all the same, or write `withdraw yes`."
HAVE_WITHDRAWN = "You have withdrawn from {cup}."
_SURE = re.compile(r"\byes\b", re.IGNORECASE)


def withdraw(context: CupEmail, command: Command) -> Effect:
    """`withdraw`: Waybill asks first if they have a game in play; `withdraw yes` does it."""
    entry = agreed_entry(context)
    sure = _SURE.search(command.rest) is not None
    plan, lines = withdrawal(context.store, context.desk, context.known, entry, sure=sure)
    if not plan.does:
        asks = Result(command.number, command.shown, "asks", notes=tuple(lines))
        closing, letter = REPLY_YES, partial(context.letter, kind=WITHDRAWAL)
        return Effect((asks,), closing=(closing,), letter=letter)
    told = HAVE_WITHDRAWN.format(cup=context.known.name)
    return context.did(command, plan, told, *lines)


WAS_REFUSED = "Your entry was refused."
WAITS_FOR_NO_LEAVE = (
    "{name} does not wait for your leave; `exclude {name} because …` takes somebody out."
)


def refuse(context: CupContext, said: Instruction) -> Effect:
    """Refuse an entrant who needs permission."""
    entry = entry_named(context, said.rest)
    if entry.state not in ("leave", "waiting"):
        raise Refused(WAITS_FOR_NO_LEAVE.format(name=entry.name))
    return _out(context, said, entry, "refused", WAS_REFUSED)


WAS_EXCLUDED = "You are excluded from {cup}."
EXCLUDED_ALREADY = "{name} is excluded already."


def exclude(context: CupContext, said: Instruction) -> Effect:
    """Exclude an entrant, for a reason."""
    entry = entry_named(context, said.rest)
    if entry.state == "excluded":
        raise Refused(EXCLUDED_ALREADY.format(name=entry.name))
    return _out(context, said, entry, "excluded", WAS_EXCLUDED)


OUT = "{name} is {state}, and gets an email with the reason."
OUT_WITH_SEATS = (
    "{name} is {state}, and gets an email with the reason. Their seats are offered to standbys."
)
DIRECTOR_SAYS = "The director says: {because}."


def _out(context: CupContext, said: Instruction, entry: CupEntry, state: str, told: str) -> Effect:
    out = msgspec.structs.replace(entry, state=state, reason=said.because)
    acts = [Doing(CupEntered(state, out), context.office, said.because)]
    text = told.format(cup=context.known.name)
    words = CupText(text, text, (DIRECTOR_SAYS.format(because=said.because),), kind="out")
    letters = [to_entry(context.desk, context.known, out, words)]
    cup = after_acts(context.known, context.desk, acts)
    ups = list(move_up(context.desk, context.known, cup)) if entry.state == "entered" else []
    tasks = seats_left(context.store, context.desk, context.known, entry)
    gone = partial(off_the_lists, context.known, entry)
    plan = CupPlan(
        [*acts, *(a for a, _ in ups)], [*letters, *(one for _, one in ups)], tasks, (gone,)
    )
    done = OUT_WITH_SEATS if tasks else OUT
    return context.did(said.command, plan, done.format(name=entry.name, state=state))


WITHDRAW_YES = "withdraw {name} yes because …"


def withdraw_other(context: CupContext, said: Instruction) -> Effect:
    """Withdraw an entrant who cannot write and has asked the director to do it."""
    name, _, sure = said.rest.partition(" ")
    entry = entry_named(context, name)
    plan, lines = withdrawal(
        context.store,
        context.desk,
        context.known,
        entry,
        sure=sure.strip().lower() == "yes",
        asked=(context.office, said.because),
    )
    if not plan.does:
        return asks_first(said, lines, WITHDRAW_YES.format(name=entry.name))
    return context.did(said.command, plan, *lines)


NO_ENTRY = "You have no entry in {cup}."
WITHDRAW_SUBJECT = "Do you want to withdraw?"
WANT_TO_WITHDRAW = "Do you want to withdraw from {cup}?"
ANYBODY_COULD = (
    "Anybody could have written this email in your name. If it was you, reply to this one with the "
    "word below."
)


def ask_to_withdraw(context: StrangerContext, command: Command) -> Effect:
    """`withdraw CUP`: ask the entrant to confirm it."""

    def act(tx: Tx) -> Letter:
        known = public.find(tx, command.parts["name"].lower())
        entry = known.cup.at_address(context.mail.sender)
        if entry is None or entry.state in ("asked", "refused", "excluded", "withdrawn"):
            raise Refused(NO_ENTRY.format(cup=known.name))
        words = CupText(
            WITHDRAW_SUBJECT,
            WANT_TO_WITHDRAW.format(cup=known.name),
            (ANYBODY_COULD,),
            commands=("withdraw",),
            kind=WITHDRAWAL,
        )
        return to_asker(context, ticket_of_entry(known, entry), words)

    return by_letter(context, command, act)

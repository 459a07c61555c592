"""A player's commands about who plays the seat: resign, back, deputy.

Waybill asks once before it does what the next email cannot take back.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from engine.wording import listed
from service.commands.command import Command
from service.commands.results import asks_back, done
from service.desk.answering.effects import Effect
from service.desk.answering.game_email import GameContext
from service.desk.informing.everybody import notices
from service.desk.seats import absences, deputies
from service.desk.seats.standbys import Offer, vacate
from service.games import timing
from service.games.games import GameTable, with_new_token, with_seat, without_vacancy
from service.games.timing import Absence
from service.refusal import Refused
from service.said import ACTS_ALREADY, END_THE_DEPUTY, MISSING_AFTER, RENEWED
from service.store import Letter, NewVolunteer, SeatRow, Tx, VacancyRow, VolunteerRow

_SURE = re.compile(r"(?:yes|for\s+good)\b.*", re.IGNORECASE | re.DOTALL)
_OFF = ("off", "none", "nobody", "no")


def _mine(context: GameContext) -> SeatRow:
    """The writer's seat: only players have these commands."""
    assert context.seat is not None
    return context.seat


# resign

RESIGNED_ALREADY = "You have resigned already."
LEAVES_THE_GAME = (
    "You want to leave {game}, and the others count on you. They get an email, and standbys are "
    "asked to take your seat; your orders go on until then. The game goes on without you. Once "
    "somebody has taken your seat, you cannot return."
)
ONLY_AWAY = (
    "If you are only away for a time, `away FROM to TO` takes leave, and `deputy ADDRESS until "
    "2027-03-14` lets somebody act for you."
)
RESIGN_YES = "If you are sure, reply `resign yes`."
HAS_RESIGNED = "{name} has resigned"
YOU_HAVE_RESIGNED = (
    "You have resigned, and the others get an email. Until somebody takes the seat it is yours: "
    "`back` takes it back. Thank you for telling the others."
)


def resign(context: GameContext, command: Command) -> Effect:
    """`resign yes` asks for another player of the seat; `resign` asks whether that is meant."""
    table, seat, desk = context.table, _mine(context), context.desk
    vacancy = table.vacancy(seat.name)
    if vacancy is not None and vacancy.cause == "resigned":
        raise Refused(RESIGNED_ALREADY, hint="`back` takes it back while nobody has come.")
    if not _SURE.fullmatch(command.rest):
        notes = (LEAVES_THE_GAME.format(game=context.game), ONLY_AWAY, RESIGN_YES)
        return Effect((asks_back(command, *notes),))
    why = HAS_RESIGNED.format(name=seat.name)
    left = vacate(desk, table, Offer(VacancyRow(seat.name, "resigned", why, desk.now)))
    return Effect(
        (done(command, YOU_HAVE_RESIGNED),),
        changed=left.table,
        letters=left.letters,
        write=left.write,
        changes=True,
    )


# back

IS_TO_CHANGE = "Your seat gets another player, because {why}."
NOT_AWAY = "You were not away: nobody acts for you, and nobody is to take your seat."
YOU_PLAY_AGAIN = "You play again."
LEAVE_IS_OVER = "Your leave is over."
LEAVE_IS_OVER_CLOCK = "Your leave is over, and your clock runs."
LEAVE_DROPPED = "Your leave does not begin: {when}."
NOBODY_ACTS = "Nobody acts for you now."
PLAYS_AGAIN = "{name} plays again in {game}."
NOT_AWAY_THEN = "{name} is not away from {game} {when}."


def back(context: GameContext, command: Command) -> Effect:
    """`back`: the player returns; deputy, leave and vacancy of their seat end."""
    table, seat, now = context.table, _mine(context), context.desk.now
    vacancy = table.vacancy(seat.name)
    if vacancy is not None and vacancy.by_others:
        raise Refused(
            IS_TO_CHANGE.format(why=vacancy.why),
            hint="Write to the others by `say:`, or to the organizer.",
        )
    mine = any(one.seat == seat.name for one in table.volunteers)
    leave = timing.ended(table, seat.name, now)
    if vacancy is None and not mine and not leave:
        raise Refused(NOT_AWAY)
    renews = _knows_address(table, seat)
    lasts = [row for row, _ in leave if row.begins <= now]
    to_come = listed(row.reason for row, _ in leave if row.begins > now)
    runs = any(clock.seat == seat.name for clock in table.clocks if clock.runs)
    said = {
        YOU_PLAY_AGAIN: vacancy,
        LEAVE_IS_OVER_CLOCK if runs else LEAVE_IS_OVER: lasts,
        LEAVE_DROPPED.format(when=to_come): to_come,
        NOBODY_ACTS: mine,
        RENEWED: renews,
    }
    after = timing.with_absence(_alone(table, seat), seat.name, Absence((), leave))

    def write(tx: Tx) -> None:
        tx.people.close_vacancy(table.row.id, seat.name)
        deputies.dismiss(tx, table, seat)
        absences.store(tx, table, seat, Absence((), leave), now)

    return Effect(
        (done(command, *(text for text, so in said.items() if so)),),
        changed=without_vacancy(after, seat.name),
        letters=_notices(context, seat, PLAYS_AGAIN if vacancy or renews or lasts else "", to_come),
        write=write,
        changes=True,
    )


def _knows_address(table: GameTable, seat: SeatRow) -> bool:
    """Whether a deputy has agreed to act for a seat, and so knows its secret address."""
    return any(one.seat == seat.name and one.agreed is not None for one in table.volunteers)


def _alone(table: GameTable, seat: SeatRow) -> GameTable:
    """The game without deputies of a seat; it has a new address if one had agreed (`dismiss`)."""
    others = tuple(one for one in table.volunteers if one.seat != seat.name)
    alone = replace(table, volunteers=others)
    return with_seat(alone, with_new_token(seat)) if _knows_address(table, seat) else alone


def _notices(context: GameContext, seat: SeatRow, plays: str, to_come: str) -> list[Letter]:
    """To the others.

    ``plays`` is the sentence that the player plays again. ``to_come`` is the future leave that
    is dropped.
    """
    found = filter(None, (plays, NOT_AWAY_THEN if to_come else ""))
    told = [one.format(name=seat.name, game=context.game, when=to_come) for one in found]
    return notices(context.desk, context.table, told, seat.name)


# deputy

NOBODY_ACTED = "Nobody acts for you."
ACTS_FOR_NONE = "Nobody acts for {name} in {game} now."
IS_ASKED = (
    "Waybill asks {address} to act for you. When they say yes, you and the others get an email; "
    "until then nothing changes."
)
GETS_YOUR_LETTERS = "A deputy gets your emails too, with all that they tell you alone."


def deputy(context: GameContext, command: Command) -> Effect:
    """`deputy eve@example.org until 2027-03-14` asks somebody; `deputy off` ends it."""
    table, seat, desk = context.table, _mine(context), context.desk
    rest = command.rest.strip()
    if rest.lower() in _OFF:
        if all(one.seat != seat.name for one in table.volunteers):
            raise Refused(
                NOBODY_ACTED, hint="`deputy eve@example.org until 2027-03-14` asks somebody."
            )
        return _dismissed(context, command)
    if not rest:
        raise Refused(MISSING_AFTER, hint="Write whom: `deputy eve@example.org until 2027-03-14`.")
    address, ends = deputies.named(context.reads, desk, table, rest)
    if _knows_address(table, seat):
        raise Refused(ACTS_ALREADY, hint=END_THE_DEPUTY)
    asked = NewVolunteer("deputy", address, seat.name, desk.now, ends)
    # the former deputy is no longer asked, and the new one has an id once it is stored
    others = (one for one in table.volunteers if one.seat != seat.name)
    new = VolunteerRow(id=0, game_id=table.row.id, asked=desk.now, **vars(asked))

    def write(tx: Tx) -> Sequence[Letter]:
        return (deputies.ask(tx, desk, table, asked),)

    return Effect(
        (done(command, IS_ASKED.format(address=address), GETS_YOUR_LETTERS),),
        changed=replace(table, volunteers=(*others, new)),
        write=write,
        changes=True,
    )


def _dismissed(context: GameContext, command: Command) -> Effect:
    """`deputy off`: nobody acts for the seat; leave and vacancy go on."""
    table, seat = context.table, _mine(context)
    renews = _knows_address(table, seat)
    told = ACTS_FOR_NONE.format(name=seat.name, game=context.game)

    def write(tx: Tx) -> None:
        deputies.dismiss(tx, table, seat)

    return Effect(
        (done(command, NOBODY_ACTS, *((RENEWED,) if renews else ())),),
        changed=_alone(table, seat),
        letters=notices(context.desk, table, [told], seat.name) if renews else (),
        write=write,
        changes=True,
    )

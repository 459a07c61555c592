"""Carries out a director's acts: moves for a player, corrections, rollbacks.

It knows positions, but no email, no database and no clock. If an act is impossible, `Refused` gives
the reason, and nothing changes.
"""

from collections.abc import Sequence

from msgspec.structs import replace as with_number

import engine
from engine import Correction, Illegal, Seat
from engine.notation import NotationError, correcting
from engine.wording import cut
from service.audience import ASSISTANT, ORGANISER, office_called
from service.commands.command import Command
from service.games import changes, games
from service.games.changes import Change, Request, TakenBack
from service.games.games import GameTable
from service.games.offers import Redone
from service.games.playing import Played
from service.refusal import Refused
from service.store import ActionRow, RulingRow

#: the office of a person at the command line
OPERATOR = "operator"
#: the offices that act as a director
OFFICES = (ORGANISER, ASSISTANT, OPERATOR)
#: the most characters that the history shows of a rolled-back part
_LOST = 2_000


def as_seat(
    table: GameTable, seat: Seat, commands: Sequence[Command], *, keep_open: bool
) -> Change:
    """The game after a player's commands that a director gives; the same rules apply.

    If they cannot be carried out, nothing changes, and the change's outcome gives the reason.
    """
    request = Request(seat, commands, keep_open, ahead=True)
    return changes.further(changes.nothing(table), request)


def correction(table: GameTable, text: str, because: str) -> Change:
    """The game after a correction; ``text`` is like "cash TC +20". Raises Refused."""
    title, state = table.title, table.state
    try:
        parts = correcting.parts(title, state, text)
        wanted = Correction(parts=parts, because=because)
        number = table.next_number
        outcome = engine.apply(title, with_number(state, number=number - 1), wanted)
    except NotationError as error:
        _, _, why, *hints = str(error).split("\n")
        hint = " ".join(one.strip() for one in hints)
        raise Refused(f"{why}.".replace("?.", "?"), hint=hint) from error
    except Illegal as illegal:
        raise Refused.of(illegal.refusal) from illegal
    written = "; ".join(correcting.write(title, state, part) for part in parts)
    text = f"correct {written}"
    played = Played(number, 0, "", text, wanted, outcome.state, outcome.events)
    return changes.corrected(changes.nothing(table), played)


GOES_BACK = "The game is at #{stands}."
NO_SUCH_POSITION = "Position #{number} was taken back, or never was."


def rollback(table: GameTable, number: int, rows: Sequence[ActionRow]) -> Change:
    """The game at an earlier position; ``rows`` are the steps from there to the head.

    Raises Refused.
    """
    stands = table.state.number
    if number >= stands:
        raise Refused(
            GOES_BACK.format(stands=stands),
            hint="A rollback goes back to an earlier position: name one.",
        )
    row = next((row for row in rows if row.number == number), None)
    if row is None:
        raise Refused(NO_SUCH_POSITION.format(number=number), hint="`history` shows the numbers.")
    texts = tuple(in_words(step) for step in rows if step.number > number)
    taken = TakenBack(row.id, row.number, games.state(row), texts)
    return changes.take_back(table, taken)


NO_ROLLBACK = "There is nothing to bring back: no rollback led to the position that stands."


def last_rollback(table: GameTable) -> RulingRow:
    """The rollback that `redo` can reverse: nobody has acted since. Raises Refused."""
    head = table.row.head
    found = (r for r in reversed(table.rulings) if r.kind == "rollback" and r.after == head)
    row = next(found, None)
    if row is None:
        raise Refused(NO_ROLLBACK)
    return row


FOLLOWS_NOT = "The moves that were taken back do not follow from the present position."


def redo(table: GameTable, rows: Sequence[ActionRow]) -> Change:
    """The game with the steps that a rollback took back, the oldest first."""
    if not rows:
        raise Refused(FOLLOWS_NOT)
    last = rows[-1]
    steps = tuple(
        Redone(row.number, games.action(row) if row.action else None, games.events(row))
        for row in rows
    )
    texts = tuple(map(in_words, rows))
    return changes.take_back(
        table, TakenBack(last.id, last.number, games.state(last), texts, steps)
    )


def in_words(row: ActionRow) -> str:
    """A step in the words of an undo or rollback."""
    return f"#{row.number} {row.seat} {row.text}".replace("  ", " ").strip()


LOGGED_OFFICE = "the director (the {office})"
LOGGED = "{by}: {ruling}"
LOGGED_BECAUSE = "{by}: {ruling}, because {because}"
LOGGED_WORDS = "{by}: {ruling}: {because}"
LOGGED_WITH_LOST = "{logged}. Struck out: {lost}"
LOGGED_STRUCK = "[struck out] {logged}"


def logged(row: RulingRow) -> str:
    """A ruling as the history shows it; if it was taken back since, it is struck out."""
    by = LOGGED_OFFICE.format(office=office_called(row.by)) if row.by in OFFICES else row.by
    message = LOGGED_BECAUSE if row.because else LOGGED
    if row.kind in ("rule", "announce", "dispute"):
        message = LOGGED_WORDS
    text = message.format(by=by, ruling=row.text, because=row.because)
    if row.lost:
        lost = cut(row.lost.replace("\n", "; "), _LOST)
        text = LOGGED_WITH_LOST.format(logged=text, lost=lost)
    return LOGGED_STRUCK.format(logged=text) if row.struck else text

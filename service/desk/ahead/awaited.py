"""Commands that wait for the answer to an offer: what players read about them, and `clear`."""

from collections.abc import Mapping

from engine import Seat, State
from service.commands.command import Command
from service.commands.results import done
from service.games import offers
from service.games.changes import Change, Went
from service.games.offers import WaitingCommands, waits_for
from service.refusal import Refused
from service.reports import Result

WAITING_EXPLAINED = (
    "Then they are tried together: either all are done, or none. Other commands take their place, "
    "`clear` drops them, and `undo` takes back your offer, too."
)
TAKE_THE_PLACE = "They take the place of: {commands}."


def waiting(change: Change, seat: Seat) -> str:
    """The text of a receipt about commands that wait or did wait; "" if there are none."""
    now, before = offers.of(change.ahead, seat), offers.of(change.table.ahead, seat)
    [outcome] = change.outcomes or (None,)
    if now is None or outcome is None or not (outcome.rest or outcome.instead):
        lost = [went for went in change.went if went.ahead.seat == seat and not change.back]
        return " ".join(filter(None, (text for went in lost for text in _all_of(went, change))))
    told = [_until(now, change.state)]
    if before and before != now:
        told.append(TAKE_THE_PLACE.format(commands=before.shown))
    explained = () if now.ends else (WAITING_EXPLAINED,)
    return " ".join((*told, *explained, *outcome.unless))


WAIT_FOR_YOU = "Waiting for your answer: {commands}."
WAIT_FOR = "Waiting for {name}'s answer: {commands}."
TURN_ENDS = (
    "Your turn ends when {name} has answered, as your email was all of it. `clear` keeps it open."
)


def _until(now: WaitingCommands, state: State) -> str:
    asked = waits_for(now.seat, state)
    if asked == now.seat:
        return WAIT_FOR_YOU.format(commands=now.shown)
    if now.ends:
        return TURN_ENDS.format(name=asked)
    return WAIT_FOR.format(name=asked, commands=now.shown)


CLEAR_ALONE = "Write `clear` alone: it cancels all your waiting commands."
NOTHING_WAITS = "You have no commands that wait for an answer."
DROPPED = "dropped: {commands}"


def clear(command: Command, before: WaitingCommands | None) -> Result:
    """The result of `clear`, for the email that has it. Raises Refused."""
    if command.rest:
        raise Refused(CLEAR_ALONE)
    if before is None:
        raise Refused(NOTHING_WAITS)
    notes = (DROPPED.format(commands=before.shown),)
    return done(command, *notes, canonical="clear")


def notes(change: Change, besides: Seat = "") -> Mapping[Seat, str]:
    """Notes to players whose commands no longer wait, by seat; a receipt has one of them."""
    found = (went for went in change.went if went.ahead.seat != besides)
    return {went.ahead.seat: text for went in found if (text := _note(went, change))}


def waiting_notes(change: Change) -> dict[Seat, str]:
    """Notes that are due at once about commands that still wait, by seat.

    They are valid until the offer is answered.
    """
    found: dict[Seat, str] = {}
    for went in change.went:
        texts = (found.get(went.ahead.seat, ""), _goes_on(went, change))
        found[went.ahead.seat] = " ".join(filter(None, texts))
    return {seat: text for seat, text in found.items() if text}


WENT_ANOTHER_WAY = (
    "The waiting commands are canceled, because the game has gone another way: {commands}."
)
NOTHING_DONE = "None of the waiting commands was done: {commands}."
ALL_DONE = "The waiting commands were done: {commands}."
TURN_IS_OVER = "The answer ends your turn, because your email was the whole turn."
PART_DONE = "Of the waiting commands, these were done: {commands}."


def _all_of(went: Went, change: Change) -> tuple[str, str]:
    return _note(went, change), _goes_on(went, change)


def _goes_on(went: Went, change: Change) -> str:
    """The commands that now wait for another answer, "" if there are none."""
    now = offers.of(change.ahead, went.ahead.seat)
    if went.outcome is None or not went.done or now is None:
        return ""
    return " ".join((_until(now, change.state), *went.outcome.unless))


def _note(went: Went, change: Change) -> str:
    """The note about the commands; "" if all of them still wait."""
    shown = went.ahead.shown
    if went.outcome is None:
        return WENT_ANOTHER_WAY.format(commands=shown)
    if not went.done:
        return f"{NOTHING_DONE.format(commands=shown)} {_why(went)}"
    done = "; ".join(s.command.shown for s in went.outcome.steps if not s.waits)
    whole = offers.of(change.ahead, went.ahead.seat) is None
    if whole and went.ahead.ends:
        return TURN_IS_OVER
    return (ALL_DONE if whole else PART_DONE).format(commands=done) if whole or done else ""


NOT_LEGAL = "`{command}` is not legal: {why}."
NOT_CLEAR = "`{command}` is not clear: {why}."


def _why(went: Went) -> str:
    """Which command was at fault and why, with what would work."""
    assert went.outcome is not None
    step = next(step for step in went.outcome.steps if step.fault is not None)
    assert step.fault is not None
    lead, *ways = (line.strip() for line in step.fault.hint.split("\n"))
    hint = f"{lead} {', '.join(f'`{way}`' for way in ways)}" if lead.endswith(":") else ""
    text = (NOT_CLEAR if hint else NOT_LEGAL).format(
        command=step.command.shown, why=step.fault.text
    )
    return f"{text} {hint or ' '.join((lead, *ways))}".strip()

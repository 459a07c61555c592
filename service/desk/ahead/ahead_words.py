"""What is told of commands that wait for an answer, to the player who gave them and no other."""

from collections.abc import Mapping, Sequence

from engine import Seat, State
from service.games import ahead
from service.games.ahead import Ahead, waits_for
from service.games.changes import Change, Went
from service.games.commands import Command
from service.reports import Result

_HOW = "They are tried together then, all or none. Other commands take their place, `clear` drops"
_HOW += " them, `undo` takes back your question too."


def waiting(change: Change, seat: Seat) -> str:
    """What the receipt of a mail says, some of whose commands wait; "" if none do or did."""
    now, before = ahead.of(change.ahead, seat), ahead.of(change.table.ahead, seat)
    [outcome] = change.outcomes or (None,)
    if now is None or outcome is None or not (outcome.rest or outcome.instead):
        lost = [went for went in change.went if went.ahead.seat == seat and not change.back]
        return " ".join(_note(went, change) for went in lost)
    instead = f" They take the place of: {before.shown}." if before and before != now else ""
    return " ".join((f"{_until(now, change.state)}{instead} {_HOW}", *outcome.unless))


def _until(now: Ahead, state: State) -> str:
    asked = waits_for(now.seat, state)
    who = "you have" if asked == now.seat else f"{asked} has"
    return f"These wait until {who} answered: {now.shown}."


def clear(command: Command, before: Ahead | None) -> Result:
    """What became of `clear`, of the mail that has it."""
    if command.rest:
        notes = ("Write `clear` alone: all that waits of yours is dropped.",)
        return Result(command.number, command.shown, "no", notes=notes)
    if before is None:
        notes = ("Nothing of yours waits for an answer.",)
        return Result(command.number, command.shown, "no", notes=notes)
    notes = (f"dropped: {before.shown}",)
    return Result(command.number, command.shown, "ok", "clear", notes)


def clears(commands: Sequence[Command]) -> bool:
    """Whether a mail drops what waits."""
    return any(command.word == "clear" and not command.rest for command in commands)


def notes(change: Change, besides: Seat = "") -> Mapping[Seat, str]:
    """What is told to those whose commands wait no longer, by seat; one is told in a receipt."""
    found = (went for went in change.went if went.ahead.seat != besides)
    return {went.ahead.seat: _note(went, change) for went in found}


def _note(went: Went, change: Change) -> str:
    shown = went.ahead.shown
    if went.outcome is None:
        return f"What waited is dropped, because the game has gone another way: {shown}."
    if not went.done:
        return f"Nothing of what waited was done: {shown}. {_why(went)}"
    now = ahead.of(change.ahead, went.ahead.seat)
    done = "; ".join(s.command.shown for s in went.outcome.steps if not s.waits)
    if now is None:
        return f"What waited was done: {done}."
    more = " ".join((_until(now, change.state), *went.outcome.unless))
    return f"Of what waited this was done: {done}. {more}" if done else more


def _why(went: Went) -> str:
    """Which command was at fault and why, with what would do."""
    assert went.outcome is not None
    step = next(step for step in went.outcome.steps if step.fault is not None)
    assert step.fault is not None
    lead, *ways = (line.strip() for line in step.fault.hint.split("\n"))
    hint = f"{lead} {', '.join(f'`{way}`' for way in ways)}" if lead.endswith(":") else ""
    text = f"`{step.command.shown}` is not {'clear' if hint else 'legal'}: {step.fault.text}."
    return f"{text} {hint or ' '.join((lead, *ways))}".strip()

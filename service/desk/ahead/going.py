"""Commands that `go` carries out: the possible part of a refused email, or one with `hold`.

If an email is refused, Waybill offers its writer to do the part that is possible. It offers to do
the whole of an email with `hold`. The offer is valid while the game stays in that position, until
another offer replaces it. Questions, talk and emails of which nothing is possible do not end it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine import State, interrupted
from engine.notation.position import turn_company
from service.commands.command import Command
from service.games.playing import PlayOutcome
from service.mail.message import Mail
from service.refusal import Refused
from service.store import PartialRow

_GO = re.compile(r"(?:(all|\d{1,3})?\s*(?:of\s+(\d{1,9}))?)", re.IGNORECASE)
#: a receipt, among the emails that an email may answer, with the number of its email
_RECEIPT = re.compile(r"\.s\d+-receipt-(?:mail|batch)-(\d+)@")
#: words after which `hold` cannot mean `withhold`
_DIVIDENDS = re.compile(r"(?:.*:\s*)?(?:pay|payout|half|withhold|retain|dividend)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Going:
    """The commands of an email, with those that its `go` stands for."""

    commands: tuple[Command, ...]
    #: whether the turn stays open, because the refused command came next
    keep_open: bool = False


def receipt_answered(mail: Mail) -> int:
    """The id of the email whose receipt an email answers; 0 if it answers none."""
    found = _RECEIPT.search(mail.in_reply_to)
    return int(found[1]) if found else 0


ONE_GO = "Write `go` once in an email, with a number after it: `go 3`."


def read(
    commands: Sequence[Command], kept: PartialRow | None, number: int, answered: int = 0
) -> Going:
    """Read the commands of an email with `go 3` in it; ``number`` is that of the next position.

    Raises Refused if `go` stands for none; then nothing of the email's turn is done.
    """
    places = [place for place, command in enumerate(commands) if command.word == "go"]
    if not places:
        return Going(tuple(commands))
    place = places[0]
    found = _GO.fullmatch(commands[place].rest.strip())
    if len(places) > 1 or found is None:
        raise Refused(ONE_GO)
    kept = _valid(kept, number, int(found[2] or 0), answered)
    texts = kept.commands.split("\n")
    if not found[1] and kept.fault:
        raise Refused(_some(len(texts)))
    count = len(texts) if not found[1] or found[1].lower() == "all" else int(found[1])
    if not 0 < count <= len(texts):
        raise Refused(_some(len(texts)))
    line = commands[place].number
    done = tuple(Command(line, "play", text, text) for text in texts[:count])
    rest = tuple(commands[place + 1 :])
    last = not any(command.word == "play" for command in rest)
    stops = last and bool(count < len(texts) or kept.fault)
    return Going((*commands[:place], *done, *rest), keep_open=stops)


ONE_COULD_BE = "One command of that email could be done: `go 1` does it."
SOME_COULD_BE = (
    "{count} commands of that email could be done: `go {count}` does them, `go 1` the first."
)


def _some(count: int) -> str:
    return ONE_COULD_BE if count == 1 else SOME_COULD_BE.format(count=count)


NOTHING_KEPT = "There is nothing to go on with: `go` does commands of an email that was not done."
HAS_GONE_ON = (
    "The game has gone on since that email, so its commands may no longer mean what you meant. "
    "Send the commands that you want; `resend` brings your turn email."
)
ANOTHER_MAIL = "You have sent another email since: `go` in reply to its receipt means that one."


def _valid(kept: PartialRow | None, number: int, named: int, answered: int) -> PartialRow:
    """What `go` continues. Raises Refused if there is nothing.

    A reply to a later receipt, perhaps of a question, means the last offer. A reply to an
    earlier receipt may mean something else.
    """
    if kept is None:
        raise Refused(NOTHING_KEPT)
    if kept.follows != number:
        raise Refused(HAS_GONE_ON)
    if named not in (0, kept.mail) or (not named and 0 < answered < kept.mail):
        raise Refused(ANOTHER_MAIL)
    return kept


def offered(outcome: PlayOutcome) -> tuple[Command, ...]:
    """The first commands of a refused email that could have been done."""
    count = next((n for n, step in enumerate(outcome.steps) if step.fault), len(outcome.steps))
    return tuple(step.command for step in outcome.steps[:count])


def partial(seat: str, outcome: PlayOutcome, number: int, mail: int) -> PartialRow | None:
    """The part of a refused email that is kept; None if its first command was at fault."""
    first = offered(outcome)
    if not first:
        return None
    at_fault = next((step.command.shown for step in outcome.steps if step.fault), "")
    texts = "\n".join(command.rest for command in first)
    return PartialRow(seat, texts, at_fault, number, mail)


def stays_open(outcome: PlayOutcome, before: State) -> bool:
    """Whether the turn is not over after the part of an email that is possible."""
    played = [step.played for step in outcome.steps if step.played is not None]
    return not played or interrupted(played[-1].state) == interrupted(before)


GO_DOES_ALL = "None of its moves is made yet. `go` makes them all; another email takes its place."
GO_DOES_ONE = (
    "`go 1` does the first and stops before `{command}`, and your turn is over; or send a "
    "corrected list."
)
GO_DOES_ONE_OPEN = (
    "`go 1` does the first and stops before `{command}`, with your turn still open; or send a "
    "corrected list."
)
GO_DOES = (
    "`go {count}` does the first {count} and stops before `{command}`, and your turn is over; or "
    "send a corrected list."
)
GO_DOES_OPEN = (
    "`go {count}` does the first {count} and stops before `{command}`, with your turn still open; "
    "or send a corrected list."
)


def how_to_go(kept: PartialRow, outcome: PlayOutcome, before: State) -> str:
    """How to continue, for the receipt of a refused email."""
    count = kept.commands.count("\n") + 1
    if not kept.fault:
        return GO_DOES_ALL
    if stays_open(outcome, before):
        does = GO_DOES_ONE_OPEN if count == 1 else GO_DOES_OPEN
    else:
        does = GO_DOES_ONE if count == 1 else GO_DOES
    return does.format(count=count, command=kept.fault)


def command(kept: PartialRow) -> str:
    """The command of a button; the email's number ensures that it means no other one."""
    count = kept.commands.count("\n") + 1
    return f"go {count if kept.fault else 'all'} of {kept.mail}"


# hold


TWO_THINGS = (
    "`hold` may mean two things here. Write `withhold` to keep the revenue in the "
    "treasury, or `hold turn` to have nothing of this email done yet."
)


def is_saved(commands: Sequence[Command], state: State) -> bool:
    """Whether an email is on hold. Raises Refused with a question if that is unclear.

    `hold` alone may mean `withhold` where a company's dividend must be decided.
    """
    found = [command for command in commands if command.word == "hold"]
    if not found:
        return False
    decided = any(_DIVIDENDS.match(command.rest) for command in commands if command.word == "play")
    if turn_company(state) and not decided and not any(command.rest for command in found):
        raise Refused(TWO_THINGS)
    return True


def saved(outcome: PlayOutcome) -> PlayOutcome:
    """The results of commands that are possible, and saved by `hold`."""
    return replace(outcome, played=(), done=False)

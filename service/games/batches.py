"""Games whose mails are handled at fixed times of the day only, so that no answer's hour tells
anything: when that is, and what of a mail waits for it.

It knows no mail and no database, and its times are UTC.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.wording import listed
from service.commands.command import Command

#: the kind of the tasks, and how many times a day there may be
KIND = "batch"
MOST = 12
#: how it is written
HOW = f"`batch 06:00 18:00`, by UTC, {MOST} times a day at most, or `batch off`"
_DAY = 86_400
_TIME = re.compile(r"(\d{1,2})[:.](\d\d)")
#: what waits: commands of the game, and what may bring about acts
_WAITS = frozenset(("play", "order", "undo", "resume", "clear", "go", "hold", "more"))
#: how what waits is called among the commands of the mail
LATER = "later"


class BatchedEmail(msgspec.Struct, frozen=True):
    """What of a mail waits, as it is kept: its lines, and what it needs to be answered."""

    mail: int
    #: the address of the seat then, and that of the mail
    owner: str
    sender: str
    subject: str
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]
    #: the position that it shows, and when it came
    number: int | None
    received: int
    #: whether it takes the place of another one of its seat
    plays: bool


def read_times(text: str) -> tuple[str, ...] | None:
    """Times as a game keeps them, () for `off`; None where they are not understood."""
    words = re.sub(r"\butc\b", " ", text, flags=re.IGNORECASE).replace(",", " ").split()
    if [word.lower() for word in words] == ["off"]:
        return ()
    found = [_TIME.fullmatch(word) for word in words]
    times = [(int(one[1]), int(one[2])) for one in found if one]
    sound = all(hour < 24 and minute < 60 for hour, minute in times)
    if not times or len(times) != len(words) or not sound or len(times) > MOST:
        return None
    return tuple(f"{hour:02}:{minute:02}" for hour, minute in sorted(set(times)))


AT_ONCE = "Emails are handled as soon as they come."
AT_TIMES = "Emails with commands are handled at {times} UTC only."


def told(times: Sequence[str]) -> str:
    """When mails are handled, in a sentence."""
    if not times:
        return AT_ONCE
    return AT_TIMES.format(times=listed(times))


HANDLE_AT_ONCE = "handle emails with commands as soon as they come"
HANDLE_AT = "handle emails with commands at {times} UTC only"


def about(times: Sequence[str]) -> str:
    """What players may agree on about it, in a few words."""
    return HANDLE_AT.format(times=listed(times)) if times else HANDLE_AT_ONCE


def next_time(times: Sequence[str], at: int) -> int:
    """The first of the times from ``at`` on, in UTC seconds."""
    today = at - at % _DAY
    every = (today + day + _seconds(time) for day in (0, _DAY) for time in times)
    return min(due for due in every if due >= at)


def _seconds(time: str) -> int:
    hour, minute = map(int, time.split(":"))
    return 3600 * hour + 60 * minute


def marked(commands: Sequence[Command]) -> tuple[Command, ...]:
    """The commands of a mail with those marked that wait."""
    return tuple(replace(c, word=LATER) if c.word in _WAITS else c for c in commands)


def lines_of(commands: Sequence[Command]) -> tuple[tuple[int, str], ...]:
    """What waits of marked commands, as lines with their numbers; an order in its whole."""
    return tuple((c.number, c.text) for c in commands if c.word == LATER)


def plays(commands: Sequence[Command]) -> bool:
    """Whether a mail has what is played in a turn."""
    return any(command.word in ("play", "go", "undo") for command in commands)

"""Games that handle emails only at fixed times of the day.

So the hour of a reply reveals nothing. The module computes these times and decides which commands
of an email wait for them. It knows no email and no database; its times are UTC.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from engine.wording import listed
from service.commands.command import Command
from service.commands.entry import Who

#: the kind of the tasks, and the most times a day
KIND = "batch"
MOST = 12
#: the syntax of the setting
HOW = f"`batch 06:00 18:00`, by UTC, {MOST} times a day at most, or `batch off`"
_DAY = 86_400
_TIME = re.compile(r"(\d{1,2})[:.](\d\d)")
#: commands that wait: those of the game, and those that may cause moves
_WAITS = frozenset(("play", "order", "undo", "resume", "clear", "go", "hold", "more"))
#: the name of commands that wait
LATER = "later"


class BatchedEmail(msgspec.Struct, frozen=True):
    """The part of an email that waits, as it is stored, with all that its answer needs."""

    mail: int
    #: the address of the seat at that time, and that of the email
    owner: str
    sender: str
    subject: str
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]
    #: the position that the email shows, and its time of arrival
    number: int | None
    received: int
    #: whether it replaces another waiting email of its seat
    plays: bool
    #: the roles that its writer was found to have, as the value of a `Who`
    who: int = Who.PLAYER.value


def read_times(text: str) -> tuple[str, ...] | None:
    """Times as a game stores them, () for `off`; None if the text is not understood."""
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


def in_words(times: Sequence[str]) -> str:
    """A sentence that says when emails are handled."""
    if not times:
        return AT_ONCE
    return AT_TIMES.format(times=listed(times))


HANDLE_AT_ONCE = "handle emails with commands as soon as they come"
HANDLE_AT = "handle emails with commands at {times} UTC only"


def about(times: Sequence[str]) -> str:
    """A few words about these times, for a vote on them."""
    return HANDLE_AT.format(times=listed(times)) if times else HANDLE_AT_ONCE


def next_time(times: Sequence[str], at: int) -> int:
    """The first of the times from ``at`` on, in UTC seconds."""
    today = at - at % _DAY
    every = (today + day + _seconds(time) for day in (0, _DAY) for time in times)
    return min(due for due in every if due >= at)


def _seconds(time: str) -> int:
    hour, minute = map(int, time.split(":"))
    return 3600 * hour + 60 * minute


def waits(command: Command) -> bool:
    """Whether a command waits for its time."""
    return command.word in _WAITS


def marked(commands: Sequence[Command]) -> tuple[Command, ...]:
    """The commands of an email, with a mark on those that wait."""
    return tuple(replace(c, word=LATER) if waits(c) else c for c in commands)


def lines_of(commands: Sequence[Command]) -> tuple[tuple[int, str], ...]:
    """The waiting commands as numbered lines; an order keeps its whole text."""
    return tuple((c.number, c.text) for c in commands if c.word == LATER)


def plays(commands: Sequence[Command]) -> bool:
    """Whether an email has a command that is played in a turn."""
    return any(command.word in ("play", "go", "undo") for command in commands)

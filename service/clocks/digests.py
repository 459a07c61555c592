"""How often news of others' moves come: the kinds, how each is written, and when it is due.

Another kind is another line of `KINDS`. Nothing else names a kind.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

#: as `date.weekday` counts
_SUNDAY = 6
#: the hour of a kind that has one and is written without, and how such a kind is written
_USUAL = time(7)
_AT = re.compile(r"(\w+)(?:\s+(?:at\s+)?(\d{1,2})[:.](\d\d))?")


@dataclass(frozen=True)
class DigestKind:
    """One way to get news of others' moves.

    ``on`` tells the days on which they come at an hour; it is None where no hour counts. ``when``
    is for help, ``told`` for who has chosen it, with `{hour}` and `{zone}`.
    """

    word: str
    when: str
    told: str
    on: Callable[[date], bool] | None = None
    #: whether each change of the game is told by itself, and the end of each round
    each: bool = False
    rounds: bool = True
    #: whether all since the last is told, even what other emails have told already
    sums_up: bool = False


def _daily(day: date) -> bool:
    return True


def _on_sunday(day: date) -> bool:
    return day.weekday() == _SUNDAY


EVERY_DAY = "One email a day comes, if anything has happened: {hour} by the clock of {zone}."
EVERY_SUNDAY = "An email comes on Sundays, if anything has happened: {hour} by the clock of {zone}."
TURNS_ONLY = "Turn emails come all the same, and no others."

KINDS = {
    kind.word: kind
    for kind in (
        DigestKind("each", "after each change", "An email comes for each change.", each=True),
        DigestKind("round", "after each round", "An email comes when a round is over."),
        DigestKind("daily", "once a day", EVERY_DAY, _daily),
        DigestKind("weekly", "on Sundays about the week", EVERY_SUNDAY, _on_sunday, sums_up=True),
        DigestKind("off", "never", TURNS_ONLY, rounds=False),
    )
}
OFF = KINDS["off"]


def _example(kind: DigestKind) -> str:
    return f"{kind.word} {_USUAL:%H:%M}" if kind.on else kind.word


def _choices(*, off: bool) -> list[DigestKind]:
    return [kind for kind in KINDS.values() if off or kind is not OFF]


def written(word: str, *, off: bool = True) -> str:
    """How each kind is written behind a word: "`digest each`, `digest round` or `digest off`"."""
    *every, last = (f"`{word} {_example(kind)}`" for kind in _choices(off=off))
    return f"{', '.join(every)} or {last}"


def explained(*, off: bool = True) -> str:
    """What help says: "`digest each` after each change, `digest daily 07:00` once a day"."""
    return ", ".join(f"`digest {_example(kind)}` {kind.when}" for kind in _choices(off=off))


#: how a setting has it, as a regular expression, and in words
PATTERN = "^({})$".format(
    "|".join(
        f"{word} ([01]?[0-9]|2[0-3]):[0-5][0-9]" if kind.on else word
        for word, kind in KINDS.items()
    )
)
SETTING = "{}, by UTC".format(
    ", ".join(f'"{word} HH:MM"' if kind.on else f'"{word}"' for word, kind in KINDS.items())
)


def read(text: str) -> str:
    """A choice as it is kept: "each", "daily 07:00"; "" where it is none."""
    words = " ".join(text.lower().split())
    kind = KINDS.get(words.partition(" ")[0])
    if kind is None or kind.on is None:
        return words if words in KINDS else ""
    hour = _hour(words)
    return f"{kind.word} {hour:%H:%M}" if hour is not None else ""


def kind_of(choice: str) -> DigestKind:
    """The kind of a choice as it is kept."""
    return KINDS[choice.partition(" ")[0]]


def told(choice: str, zone: str) -> str:
    """When news come, in a sentence."""
    return kind_of(choice).told.format(hour=choice.rpartition(" ")[2], zone=zone)


def next_due(choice: str, zone: str, now: int) -> int | None:
    """When the next is due after ``now``, in UTC seconds; None for a kind without an hour.

    ``zone`` is an IANA name. A time that the clock leaves out that day is taken as if it had not
    been put forward.
    """
    on, hour = kind_of(choice).on, _hour(choice)
    if on is None or hour is None:
        return None
    day = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    while not on(day) or _moment(day, hour, zone) <= now:
        day += timedelta(1)
    return _moment(day, hour, zone)


def summed_up(choice: str, zone: str, moment: int) -> tuple[int, int] | None:
    """The time that is summed up on the day of ``moment``, or on the next that has a summary.

    It begins, and ends, in UTC seconds: from one summary to the next, so that a move is in one.
    None where nothing is summed up.
    """
    kind, hour = kind_of(choice), _hour(choice)
    if not kind.sums_up or kind.on is None or hour is None:
        return None
    last = datetime.fromtimestamp(moment, ZoneInfo(zone)).date()
    while not kind.on(last):
        last += timedelta(1)
    first = last - timedelta(1)
    while not kind.on(first):
        first -= timedelta(1)
    return _moment(first, hour, zone), _moment(last, hour, zone)


def _moment(day: date, hour: time, zone: str) -> int:
    return int(datetime.combine(day, hour, ZoneInfo(zone)).timestamp())


def _hour(choice: str) -> time | None:
    """The hour of a choice, the usual one where none is named; None where it is no such thing."""
    found = _AT.fullmatch(choice)
    if found is None:
        return None
    if found[2] is None:
        return _USUAL
    hours, minutes = int(found[2]), int(found[3])
    return time(hours, minutes) if hours < 24 and minutes < 60 else None

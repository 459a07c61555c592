"""The kinds of digests for news of others' moves, with their syntax and their times.

A new kind is a new line of `KINDS`. Help, refusals, receipts and due times follow from it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

#: the number of Sunday, as in `date.weekday`
_SUNDAY = 6
#: the hour of a kind if the player names none, and the syntax of a kind
_USUAL, _MIDNIGHT = time(7), time(0)
_AT = re.compile(r"(\w+)(?:\s+(?:at\s+)?(\d{1,2})[:.](\d\d))?")


@dataclass(frozen=True)
class DigestKind:
    """One way to get news of others' moves.

    ``on`` says on which days they come at an hour; None if the kind has no hour. ``when`` is for
    the help. ``in_words`` is for a player who has chosen it, with `{hour}` and `{zone}`.
    """

    word: str
    when: str
    in_words: str
    on: Callable[[date], bool] | None = None
    #: whether each change of the game is reported in an email of its own, and the end of each round
    each: bool = False
    rounds: bool = True
    #: whether it reports everything since the last one, also what other emails have reported
    sums_up: bool = False


def _daily(day: date) -> bool:
    return True


def _on_sunday(day: date) -> bool:
    return day.weekday() == _SUNDAY


EVERY_DAY = "One email a day comes, if anything has happened: within an hour after {hour} ({zone})."
EVERY_SUNDAY = (
    "An email comes on Sundays, if anything has happened: within an hour after {hour} ({zone})."
)
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


def syntax(word: str, *, off: bool = True) -> str:
    """The syntax of each kind after a word: "`digest each`, `digest round` or `digest off`"."""
    *every, last = (f"`{word} {_example(kind)}`" for kind in _choices(off=off))
    return f"{', '.join(every)} or {last}"


def explained(*, off: bool = True) -> str:
    """The help's text: "`digest each` after each change, `digest daily 07:00` once a day"."""
    return ", ".join(f"`digest {_example(kind)}` {kind.when}" for kind in _choices(off=off))


#: the choices of a setting, as a regular expression, and in words
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
    """A choice in the form that is stored: "each", "daily 07:00"; "" if the text is none."""
    words = " ".join(text.lower().split())
    kind = KINDS.get(words.partition(" ")[0])
    if kind is None or kind.on is None:
        return words if words in KINDS else ""
    hour = _hour(words)
    return f"{kind.word} {hour:%H:%M}" if hour is not None else ""


def kind_of(choice: str) -> DigestKind:
    """The kind of a stored choice."""
    return KINDS[choice.partition(" ")[0]]


def in_words(choice: str, zone: str) -> str:
    """A sentence that says when news comes."""
    return kind_of(choice).in_words.format(hour=choice.rpartition(" ")[2], zone=zone)


def next_due(choice: str, zone: str, now: int) -> int | None:
    """The next digest after ``now``, in UTC seconds; None for a kind without an hour.

    ``zone`` is an IANA name. An hour that the clock skips that day is taken as if it had not been
    put forward.
    """
    on, hour = kind_of(choice).on, _hour(choice)
    if on is None or hour is None:
        return None
    day = datetime.fromtimestamp(now, ZoneInfo(zone)).date()
    while not on(day) or _moment(day, hour, zone) <= now:
        day += timedelta(1)
    return _moment(day, hour, zone)


def summed_up(choice: str, zone: str, moment: int) -> tuple[int, int] | None:
    """The time covered by the summary of the day of ``moment``, or by the next one.

    It is a pair of UTC seconds, from the midnight before one summary to that before the next. So
    each move is in exactly one, whatever hours the player chooses. None if this kind has no
    summary.
    """
    kind = kind_of(choice)
    if not kind.sums_up or kind.on is None:
        return None
    last = datetime.fromtimestamp(moment, ZoneInfo(zone)).date()
    while not kind.on(last):
        last += timedelta(1)
    first = last - timedelta(1)
    while not kind.on(first):
        first -= timedelta(1)
    return _moment(first, _MIDNIGHT, zone), _moment(last, _MIDNIGHT, zone)


def _moment(day: date, hour: time, zone: str) -> int:
    return int(datetime.combine(day, hour, ZoneInfo(zone)).timestamp())


def _hour(choice: str) -> time | None:
    """The hour of a choice, the usual one if it names none; None if it is not such a choice."""
    found = _AT.fullmatch(choice)
    if found is None:
        return None
    if found[2] is None:
        return _USUAL
    hours, minutes = int(found[2]), int(found[3])
    return time(hours, minutes) if hours < 24 and minutes < 60 else None

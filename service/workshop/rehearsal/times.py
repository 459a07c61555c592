"""Durations and moments as scenarios write them: "1h 30m", "2026-10-25 02:30 Europe/Berlin"."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from service.workshop.rehearsal.source import nearest

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_PART = re.compile(
    r"(\d+)\s*(s|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)(?=[\s,\d]|$),?\s*"
)
_WHEN = re.compile(r"(?:(\d{4})-(\d\d)-(\d\d)\s+)?(\d\d):(\d\d)(?::(\d\d))?(?:\s+(\S+))?")
_OFFSET = re.compile(r"([+-])(\d\d):(\d\d)")


class WrongTime(ValueError):
    """A text that is not a time; the message says what would be one."""


def duration(text: str) -> int:
    """The seconds of "2h", "3 days", "1h 30m". Raises WrongTime."""
    seconds, at = 0, 0
    while found := _PART.match(text, at):
        seconds += int(found[1]) * _SECONDS[found[2][0]]
        at = found.end()
    if not text or at != len(text):
        raise WrongTime(
            f"{text or 'nothing'} is not a duration: write 45s, 10m, 2h, 3 days, 1h 30m"
        )
    return seconds


@dataclass(frozen=True)
class LocalMoment:
    """A moment in a time zone; without a day it is the next such hour."""

    day: date | None
    hour: time
    zone: tzinfo

    def after(self, now: int) -> int:
        """The moment in UTC seconds, seen from ``now``. Raises WrongTime if a clock skips it."""
        if self.day is not None:
            return self._on(self.day)
        today = datetime.fromtimestamp(now, self.zone).date()
        found = self._on(today)
        return found if found > now else self._on(today + timedelta(days=1))

    def _on(self, day: date) -> int:
        """The first of two equal hours that a clock shows; an offset names the other."""
        local = datetime.combine(day, self.hour, self.zone)
        found = int(local.timestamp())
        if datetime.fromtimestamp(found, self.zone).replace(tzinfo=None) != local.replace(
            tzinfo=None
        ):
            text = f"{local:%Y-%m-%d %H:%M} is left out by the clocks of {self.zone}"
            raise WrongTime(f"{text}, which are put forward then: take an hour later")
        return found


def when(text: str, zone: tzinfo = UTC) -> LocalMoment:
    """Read a moment; ``zone`` is the default time zone. Raises WrongTime."""
    found = _WHEN.fullmatch(text.strip())
    if found is None:
        example = "2026-08-03 09:00, 2026-10-25 02:30 Europe/Berlin or 18:00"
        raise WrongTime(f"{text or 'nothing'} is not a moment: write {example}")
    year, month, day, hour, minute, second, named = found.groups()
    try:
        at = time(int(hour), int(minute), int(second or 0))
        on = date(int(year), int(month), int(day)) if year else None
    except ValueError as error:
        raise WrongTime(f"{text} is not a moment: {error}") from error
    return LocalMoment(on, at, _zone(named) if named else zone)


def _zone(name: str) -> tzinfo:
    if name in ("UTC", "Z"):
        return UTC
    if found := _OFFSET.fullmatch(name):
        east = timedelta(hours=int(found[2]), minutes=int(found[3]))
        if east < timedelta(hours=24):
            return timezone(east if found[1] == "+" else -east)
    known = available_timezones()
    if name not in known:
        hint = nearest(name, known) or ": write UTC, +02:00 or a place such as Europe/Berlin"
        raise WrongTime(f"{name} is not a time zone{hint}")
    return ZoneInfo(name)


def shown(seconds: int) -> str:
    """A moment for people to read."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"

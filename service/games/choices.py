"""What players choose about their letters: how many, with which pictures, by whose clock."""

import re
from datetime import date, datetime, time, timedelta
from typing import Literal, cast
from zoneinfo import ZoneInfo

import msgspec

from service.orders.sight import ALARMS

Digest = Literal["each", "round", "daily", "weekly", "off"]
DIGESTS: tuple[Digest, ...] = ("each", "round", "daily", "weekly", "off")
Images = Literal["on", "changed", "off"]
IMAGES: tuple[Images, ...] = ("on", "changed", "off")

#: weekly digests come on Sundays, as `date.weekday` counts
_SUNDAY = 6
_AT = re.compile(r"(daily|weekly)(?:\s+(?:at\s+)?(\d{1,2})[:.](\d\d))?")


class SeatSettings(msgspec.Struct, frozen=True):
    """What a player has chosen.

    ``digest`` is "each", "round", "off", or "daily 07:00" or on Sundays "weekly 07:00" by the clock
    of ``zone``, an IANA name; ``quiet`` are the alarms that are off. With ``release`` who takes the
    seat over gets its notes.
    ``night`` are hours that do not count on clocks, "23:00 07:00"; ``remind`` after how many
    percent of a decision's time a reminder comes.
    """

    images: Images = "on"
    digest: str = "daily 07:00"
    zone: str = "UTC"
    quiet: tuple[str, ...] = ()
    release: bool = False
    night: str = ""
    remind: tuple[str, ...] = ("50", "90")
    auto_leave: bool = False

    @property
    def news(self) -> Digest:
        """When news of what others did come."""
        return cast("Digest", self.digest.split()[0])

    @property
    def waits(self) -> bool:
        """Whether news wait for the hour of a digest."""
        return self.news in ("daily", "weekly")

    @property
    def alarms(self) -> frozenset[str]:
        """What wakes the player."""
        return frozenset(ALARMS) - frozenset(self.quiet)

    def next_digest(self, now: int) -> int | None:
        """When the next digest is due after ``now``, in UTC seconds; None for never.

        A time that the clock leaves out that day is taken as if it had not been put forward.
        """
        hour = _hour(self.digest)
        if hour is None:
            return None
        today = datetime.fromtimestamp(now, ZoneInfo(self.zone)).date()
        for day in (today + timedelta(days) for days in range(9)):
            due = self._at(day, hour)
            if due > now and (self.news == "daily" or day.weekday() == _SUNDAY):
                return due
        raise AssertionError("a day has 25 hours at most, and a week has a Sunday")

    def week(self, moment: int) -> tuple[int, int] | None:
        """The week that ends with the Sunday of ``moment`` or the next, to the hour of the digest.

        It begins, and ends, in UTC seconds: from one digest to the next, so that a move is in one
        week. None where no weekly digest is chosen.
        """
        hour = _hour(self.digest)
        if hour is None or self.news != "weekly":
            return None
        day = datetime.fromtimestamp(moment, ZoneInfo(self.zone)).date()
        sunday = day + timedelta(_SUNDAY - day.weekday())
        return self._at(sunday - timedelta(7), hour), self._at(sunday, hour)

    def _at(self, day: date, hour: time) -> int:
        return int(datetime.combine(day, hour, ZoneInfo(self.zone)).timestamp())


def as_digest(text: str) -> str:
    """A choice as it is kept: "each", "daily 07:00", "weekly 07:00"; "" where it is none."""
    words = " ".join(text.lower().split())
    if words in ("each", "round", "off"):
        return words
    hour = _hour(words)
    return f"{words.split()[0]} {hour:%H:%M}" if hour is not None else ""


def _hour(digest: str) -> time | None:
    """The hour of a digest, seven where none is named; None where it is no such thing."""
    found = _AT.fullmatch(digest)
    if found is None:
        return None
    hours, minutes = int(found[2] or 7), int(found[3] or 0)
    return time(hours, minutes) if hours < 24 and minutes < 60 else None

"""Converts between local time and UTC: the start of a day in a time zone, a moment's date."""

from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

#: a moment in UTC seconds, or a number of seconds; a database needs 64 bits for it
Seconds = Annotated[int, "seconds"]
DAY = 86_400
HOUR = 3600


@lru_cache(maxsize=4096)
def at(zone: str, day: date, minute: int = 0) -> int:
    """The moment so many minutes after midnight of a day, by the wall clock in a time zone.

    Of an hour that the clock shows twice, it takes the first. A skipped hour is taken as if the
    clock had not been put forward.
    """
    hour = time(minute // 60, minute % 60)
    return int(datetime.combine(day, hour, ZoneInfo(zone)).astimezone(UTC).timestamp())


def local(zone: str, moment: int) -> datetime:
    """A moment by the clock of a time zone."""
    return datetime.fromtimestamp(moment, ZoneInfo(zone))


def day_of(zone: str, moment: int) -> date:
    """The date of a moment in a time zone."""
    return local(zone, moment).date()


def known(name: str) -> str:
    """The IANA zone with this name, in any letter case; "" if there is none."""
    wanted = "_".join(name.split()).casefold()
    return next((zone for zone in available_timezones() if zone.casefold() == wanted), "")

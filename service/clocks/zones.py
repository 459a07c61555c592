"""Places' time and UTC: when a day begins somewhere, and how a moment is read there."""

from datetime import UTC, date, datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

DAY = 86_400
HOUR = 3600


@lru_cache(maxsize=4096)
def at(zone: str, day: date, minute: int = 0) -> int:
    """When it is so many minutes past midnight of a day at a place, by the clock on the wall.

    Of an hour that the clock shows twice the first; one that it leaves out is taken as if it had
    not been put forward.
    """
    hour = time(minute // 60, minute % 60)
    return int(datetime.combine(day, hour, ZoneInfo(zone)).astimezone(UTC).timestamp())


def local(zone: str, moment: int) -> datetime:
    """A moment by the clock of a place."""
    return datetime.fromtimestamp(moment, ZoneInfo(zone))


def day_of(zone: str, moment: int) -> date:
    """Which day it is somewhere."""
    return local(zone, moment).date()


def known(name: str) -> str:
    """The zone of the IANA database that is meant, in any case of letters; "" if there is none."""
    wanted = "_".join(name.split()).casefold()
    return next((zone for zone in available_timezones() if zone.casefold() == wanted), "")

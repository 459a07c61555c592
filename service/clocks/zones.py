"""Converts between local time and UTC: the start of a day in a time zone, a moment's date.

It also reads the name of a time zone.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from service.refusal import Refused

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
    return _zones().get(_key(name), "")


HOW_TO_ZONE = "Write it as in `zone Europe/Berlin`."
HOW_TO_ZONE_NEAR = "Write it as in `zone Europe/Berlin`. Did you mean {zones}?"


def read(name: str) -> str:
    """The IANA zone with this name. Raises Refused, which names zones of similar names."""
    if zone := known(name):
        return zone
    every, wanted = _zones(), _key(name)
    ends = [zone for key, zone in every.items() if key.rpartition("/")[2] == wanted]
    near = ends or [every[key] for key in get_close_matches(wanted, every, 3)]
    if not near:
        raise Refused(HOW_TO_ZONE)
    raise Refused(HOW_TO_ZONE_NEAR.format(zones=", ".join(sorted(near)[:3])))


def _key(name: str) -> str:
    return "_".join(name.split()).casefold()


@cache
def _zones() -> Mapping[str, str]:
    """The IANA zones, by their names without regard to letter case."""
    return {_key(zone): zone for zone in available_timezones()}

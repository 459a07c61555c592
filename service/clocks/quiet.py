"""Reads quiet hours as a player writes them: "23:00 07:00", "23 to 7"."""

import re

from service.clocks.counting import MOST_QUIET, Quiet
from service.refusal import Refused
from service.said import REST_NOT_UNDERSTOOD

_HOURS = re.compile(
    r"(?:from )?(\d{1,2})(?:[:.](\d\d))? ?(?:to|until|-|–|,)? (\d{1,2})(?:[:.](\d\d))?"
    r"|(\d{1,2})(?:[:.](\d\d))? ?[-–] ?(\d{1,2})(?:[:.](\d\d))?",
    re.IGNORECASE,
)
HOURS_OF_A_DAY = "Between 1 minute and {most} hours of a day may be quiet."
HOW = "Write `quiet 23:00 07:00`, 8 hours at most, or `quiet off`."


def read(text: str) -> Quiet | None:
    """The quiet hours in a text, None for `off`. Raises Refused."""
    text = " ".join(text.split())
    if text.lower() in ("", "off", "none"):
        return None
    found = _HOURS.fullmatch(text)
    if found is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)
    parts = found.groups()[:4] if found[1] else found.groups()[4:]
    hour, minute, to_hour, to_minute = (int(part or 0) for part in parts)
    if hour > 23 or to_hour > 24 or minute > 59 or to_minute > 59:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)
    begins, ends = 60 * hour + minute, (60 * to_hour + to_minute) % (24 * 60)
    minutes = (ends - begins) % (24 * 60)
    if not 0 < minutes <= MOST_QUIET:
        most = MOST_QUIET // 60
        raise Refused(HOURS_OF_A_DAY.format(most=most), hint=HOW)
    return Quiet(begins, minutes)


def kept(text: str) -> Quiet | None:
    """Quiet hours from their stored form."""
    return read(text) if text else None

"""Reads leave as players write it, "3 Aug to 17 Aug", and charges the year's allowance."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from service.clocks.rules import ENDS_BEFORE
from service.clocks.zones import DAY, at, day_of, local
from service.refusal import Refused
from service.said import REST_NOT_UNDERSTOOD

#: the fewest seconds between the email that asks for leave and its beginning
NOTICE = DAY
#: the days of leave a year, unless the game has another number
ALLOWANCE = 30
HOW = "Write for example `away 3 Aug to 17 Aug`. Add `deputy NAME` if somebody may act for you."

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPAN = re.compile(
    r"(?:(?:from )?(?P<first>.+?) ?(?:\bto\b|\buntil\b|\btill\b| - |–|\.\.) ?|"
    r"(?:to|until|till) )(?P<last>.+?)(?: ?,? deputy:? (?P<deputy>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(
    r"(?:this |on )?(mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b[.,]? ?(.*)",
    re.IGNORECASE,
)
_NTH = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY = re.compile(
    rf"(?:the )?{_NTH}\.?(?:\s+(?:of )?([a-z]{{3,9}})\.?)?(?:,?\s+(\d{{4}}))?", re.IGNORECASE
)
_NAMED = re.compile(rf"([a-z]{{3,9}})\s+{_NTH}(?:,?\s+(\d{{4}}))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Leave:
    """A leave: its bounds in UTC seconds, its first and last day, and the deputy."""

    begins: int
    ends: int
    first: date
    last: date
    deputy: str = ""

    @property
    def in_words(self) -> str:
        """Its days in words."""
        if self.first == self.last:
            return day(self.first)
        return f"{day(self.first)} to {day(self.last)}"


def day(one: date) -> str:
    """A day in words: "Mon 3 Aug 2026"."""
    return f"{one:%a} {one.day} {one:%b %Y}"


DAY_IS_OVER = "{day} is over."
BEGINS_LATER = "Leave begins 24 hours after your email at the earliest."


def read(text: str, zone: str, now: int) -> Leave:
    """The leave in a text, by the calendar of a time zone, with its last day.

    Raises Refused.

    It begins on its first day, but not before the end of the notice.
    """
    found = _SPAN.fullmatch(" ".join(text.split()))
    if found is None:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)
    today = day_of(zone, now)
    last_month = _parts(found["last"])[1]
    first = _date(found["first"], today, last_month, later=True) if found["first"] else today
    last = _date(found["last"], max(first, today), 0, later=not found["first"])
    if first < today:
        raise Refused(
            DAY_IS_OVER.format(day=day(first)), hint="Leave is for days to come: name a later day."
        )
    if last < first:
        raise Refused(ENDS_BEFORE.format(last=day(last), first=day(first)), hint=HOW)
    begins, ends = max(at(zone, first), now + NOTICE), at(zone, last + timedelta(1))
    if ends <= begins:
        soon = day(day_of(zone, now + NOTICE))
        raise Refused(BEGINS_LATER, hint=f"Name {soon} or a later day.")
    return Leave(begins, ends, day_of(zone, begins), last, (found["deputy"] or "").strip())


def _weekday(text: str) -> tuple[int | None, str]:
    """The weekday at the beginning of a text, 0 for Monday, and the rest of the text."""
    found = _WEEKDAY.fullmatch(text.strip())
    if found is None:
        return None, text.strip()
    return _WEEKDAYS.index(found[1][:3].lower()), found[2]


def _parts(text: str) -> tuple[int, int, int]:
    """Day, month and year of a text, 0 for a missing part."""
    weekday, text = _weekday(text)
    if weekday is not None and not text:
        return 0, 0, 0
    if found := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", text):
        return int(found[3]), int(found[2]), int(found[1])
    if found := _DAY.fullmatch(text):
        return int(found[1]), _month(found[2] or ""), int(found[3] or 0)
    if found := _NAMED.fullmatch(text):
        return int(found[2]), _month(found[1]), int(found[3] or 0)
    if text.lower() in ("today", "tomorrow", "now"):
        return 0, 0, 0
    raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)


def _month(name: str) -> int:
    if not name:
        return 0
    found = next((n for n, one in enumerate(_MONTHS, 1) if name.lower()[:3] == one), 0)
    if not found:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)
    return found


NO_SUCH_DAY = "{day} is not a day of the calendar."
OTHER_WEEKDAY = "That day is {day}: its weekday is another."
WRITE_A_DAY = "Write a day as in `away 3 Aug to 17 Aug`."
TOO_FAR = "That is more than three years away."


def _date(text: str, after: date, month: int, *, later: bool) -> date:
    """The next such day from ``after`` on; ``month`` is the default month.

    A weekday alone is the next one from the day after ``after`` on if ``later``.
    """
    weekday, rest = _weekday(text)
    number, named, year = _parts(rest) if rest else (0, 0, 0)
    if weekday is not None and not number:
        return after + timedelta((weekday - after.weekday() - later) % 7 + later)
    if not number:
        return after + timedelta(text.strip().lower() == "tomorrow")
    month = named or month or after.month
    try:
        found = date(year or after.year, month, number)
        # a past day of this year means the next year, unless it was recent
        if not year and after - found > timedelta(60):
            found = date(after.year + 1, month, number)
    except ValueError:
        raise Refused(NO_SUCH_DAY.format(day=text.strip()), hint=WRITE_A_DAY) from None
    if weekday is not None and found.weekday() != weekday:
        raise Refused(OTHER_WEEKDAY.format(day=day(found)), hint=WRITE_A_DAY)
    if found > after + timedelta(3 * 366):
        raise Refused(
            TOO_FAR, hint="Leave is for the next three years at most: name an earlier day."
        )
    return found


def taken(spans: Iterable[tuple[int, int]], year: int) -> int:
    """The seconds of the spans within a year, in UTC; no two spans may overlap."""
    first = int(datetime(year, 1, 1, tzinfo=UTC).timestamp())
    last = int(datetime(year + 1, 1, 1, tzinfo=UTC).timestamp())
    return sum(max(0, min(end, last) - max(begin, first)) for begin, end in spans)


def over(spans: Iterable[tuple[int, int]], leave: tuple[int, int], days: int) -> int | None:
    """The first year whose rest of ``days`` a leave would exceed; None if there is none."""
    known = list(spans)
    for year in range(local("UTC", leave[0]).year, local("UTC", leave[1]).year + 1):
        if taken([*known, leave], year) > days * DAY:
            return year
    return None


def rest(spans: Iterable[tuple[int, int]], year: int, days: int) -> int:
    """The seconds that are left of a year's allowance."""
    return max(0, days * DAY - taken(spans, year))

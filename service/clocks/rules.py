"""Reads the rule of a game's clock.

Examples are `fischer 20d + 12h cap 20d`, `each 48h weekdays` and `daily 20:00`.

Each rule has one canonical text, in which it is stored.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from engine.wording import counted, listed
from service.clocks.counting import LONGEST_OFF
from service.clocks.zones import DAY, HOUR, known
from service.refusal import Refused
from service.said import REST_NOT_UNDERSTOOD

ClockKind = Literal["fischer", "each", "daily"]
#: the limits in seconds for a decision's time and for a time bank
SHORTEST, LONGEST = HOUR, 200 * DAY
#: the fewest seconds from a question to a fixed hour of the day
NOTICE = 12 * HOUR
#: the most days of the week that a game may exclude
MOST_OFF = 5

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
WEEKEND = frozenset((5, 6))
_UNITS = {"w": 7 * DAY, "d": DAY, "h": HOUR, "m": 60}
_TIME = r"\d+ ?(?:weeks?|w|days?|d|hours?|h|minutes?|min|m)(?: ?\d+ ?(?:hours?|h|minutes?|min|m))*"
_FISCHER = re.compile(
    rf"(?:fischer|bank) (?P<bank>{_TIME}) ?(?:\+|plus) ?(?P<add>{_TIME})"
    rf"(?: ?,? ?cap (?P<cap>{_TIME}))?",
    re.IGNORECASE,
)
_EACH = re.compile(rf"each\s+(?P<each>{_TIME})", re.IGNORECASE)
_DAILY = re.compile(
    r"daily\s+(?:at\s+)?(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:\s+(?P<zone>[A-Za-z_+\-/]+))?",
    re.IGNORECASE,
)
_OFF = re.compile(r",? (?:(?:on )?(weekdays)|without ([a-z](?:(?! without )[a-z ,])*))$", re.I)

HOW = (
    "Write `clock fischer 20d + 12h cap 20d`, `clock each 48h`, `clock daily 20:00 "
    "Europe/Berlin` or `clock none`. Add `weekdays`, or `without Fri Sat`, if some days do "
    "not count."
)


BANK_FOR_ALL = (
    "Everybody has a time bank of {bank}. It runs while you must decide; each of your decisions "
    "adds {add}, up to {cap}."
)
EACH_DECISION = "Everybody has {time} for each decision."
DUE_AT = "Decisions are due at {hour} by the clock of {zone}, with {notice} at least to decide."
DAYS_OFF = "{days} do not count."


@dataclass(frozen=True)
class Rule:
    """The rule of a game's clock.

    ``bank``, ``add`` and ``cap`` are the seconds of a time bank; ``each`` those of a decision.
    ``minute`` and ``zone`` are the fixed hour of the day. ``off`` are days of the week that are not
    charged, 0 for Monday.
    """

    kind: ClockKind
    bank: int = 0
    add: int = 0
    cap: int = 0
    each: int = 0
    minute: int = 0
    zone: str = "UTC"
    off: frozenset[int] = frozenset()

    def __str__(self) -> str:
        match self.kind:
            case "fischer":
                text = f"fischer {short(self.bank)} + {short(self.add)} cap {short(self.cap)}"
            case "each":
                text = f"each {short(self.each)}"
            case _:
                text = f"daily {self.minute // 60:02}:{self.minute % 60:02} {self.zone}"
        if self.off == WEEKEND:
            return f"{text} weekdays"
        names = " ".join(DAYS[day] for day in sorted(self.off))
        return f"{text} without {names}" if names else text

    def in_words(self) -> str:
        """The rule in a sentence or two."""
        match self.kind:
            case "fischer":
                bank, add, cap = words(self.bank), words(self.add), words(self.cap)
                text = BANK_FOR_ALL.format(bank=bank, add=add, cap=cap)
            case "each":
                text = EACH_DECISION.format(time=words(self.each))
            case _:
                hour = f"{self.minute // 60:02}:{self.minute % 60:02}"
                text = DUE_AT.format(hour=hour, zone=self.zone, notice=words(NOTICE))
        names = [DAYS[day] for day in sorted(self.off)]
        return f"{text} {DAYS_OFF.format(days=listed(names))}" if names else text


BETWEEN = "A clock gives between 1 hour and 200 days."


def read(text: str) -> Rule | None:
    """The clock that a text sets, None for `none`. Raises Refused."""
    text = " ".join(text.split())
    if text.lower() in ("", "none", "off", "no"):
        return None
    body, off = _without(text)
    rule = replace(_read(body), off=off)
    given = {"fischer": (rule.bank, rule.cap), "each": (rule.each,), "daily": ()}[rule.kind]
    if any(not SHORTEST <= seconds <= LONGEST for seconds in given):
        raise Refused(BETWEEN)
    return rule


CAP_BELOW_BANK = "The cap, {cap}, is less than the bank, {bank}."
ADDS_BETWEEN = "A decision adds between 1 minute and the cap, {cap}."
NO_HOUR = "{hour} is not an hour of the day."
NO_ZONE = "That is not a time zone."


def _read(body: str) -> Rule:
    if found := _FISCHER.fullmatch(body):
        bank, add = seconds_of(found["bank"]), seconds_of(found["add"])
        cap = seconds_of(found["cap"]) if found["cap"] else bank
        if cap < bank:
            raise Refused(
                CAP_BELOW_BANK.format(cap=short(cap), bank=short(bank)),
                hint=f"Write a cap of {short(bank)} or more.",
            )
        if not 0 < add <= cap:
            raise Refused(ADDS_BETWEEN.format(cap=short(cap)))
        return Rule("fischer", bank=bank, add=add, cap=cap)
    if found := _EACH.fullmatch(body):
        return Rule("each", each=seconds_of(found["each"]))
    if found := _DAILY.fullmatch(body):
        hour, minute = int(found["hour"]), int(found["minute"])
        zone = known(found["zone"] or "UTC")
        if hour > 23 or minute > 59:
            raise Refused(NO_HOUR.format(hour=f"{hour}:{minute:02}"))
        if not zone:
            raise Refused(NO_ZONE, hint="Write one as in `Europe/Berlin`.")
        return Rule("daily", minute=60 * hour + minute, zone=zone)
    raise Refused(REST_NOT_UNDERSTOOD, hint=HOW)


TWO_DAYS = "Two days of the week must count at least."
NO_DAY = "“{word}” is not a day of the week."
WRITE_THE_DAYS = "Write {days}."


def _without(text: str) -> tuple[str, frozenset[int]]:
    """A clock's text without its days off, and the days off."""
    found = _OFF.search(text)
    if found is None:
        return text, frozenset()
    body = text[: found.start()]
    if found[1]:
        return body, WEEKEND
    named = [word for word in re.split(r"[\s,]+|\band\b", found[2]) if word]
    days = [_day(word) for word in named]
    if len(set(days)) > MOST_OFF:
        raise Refused(TWO_DAYS, hint=f"Leave out {MOST_OFF} at most.")
    return body, frozenset(days)


def _day(word: str) -> int:
    for number, name in enumerate(DAYS):
        if len(word) >= 2 and word[:3].lower() == name[: len(word[:3])].lower():
            return number
    raise Refused(NO_DAY.format(word=word[:20]), hint=WRITE_THE_DAYS.format(days=", ".join(DAYS)))


def seconds_of(text: str) -> int:
    """The seconds of "20d", "1d 12h", "48 hours"; 0 if the text is not a duration."""
    parts = re.findall(r"(\d{1,6})\s*([a-z])[a-z]*", text.lower())
    return sum(int(number) * _UNITS.get(unit, 0) for number, unit in parts)


def short(seconds: int) -> str:
    """A duration as in a clock's rule: "20d", "12h", "1d 12h"."""
    days = seconds // DAY if seconds >= 3 * DAY else 0
    rest = seconds - days * DAY
    parts = ((days, "d"), (rest // HOUR, "h"), (rest % HOUR // 60, "m"))
    return " ".join(f"{number}{unit}" for number, unit in parts if number) or "0m"


def words(seconds: int) -> str:
    """A duration in a sentence: "20 days", "48 hours"."""
    for size, name in ((DAY, "day"), (HOUR, "hour"), (60, "minute")):
        if seconds % size == 0 and (size < DAY or seconds > 2 * DAY):
            return counted(seconds // size, name)
    return left(seconds)


def left(seconds: int) -> str:
    """The time left, rounded down so that it never promises more: "6 d 04 h", "31 h", "40 min"."""
    if seconds >= 2 * DAY:
        return f"{seconds // DAY} d {seconds % DAY // HOUR:02} h"
    if seconds >= HOUR:
        minutes = seconds % HOUR // 60
        return f"{seconds // HOUR} h" + (f" {minutes:02} min" if seconds < 10 * HOUR else "")
    return f"{seconds // 60} min"


# holidays

HOW_TO_HOLIDAYS = "Write `holidays 2026-12-24 to 2027-01-02, 2027-04-02`, or `holidays none`."
ENDS_BEFORE = "{last} is before {first}."
IN_A_ROW = "Holidays in a row last {days} days at most."
FORTY = "That is more than 40 holidays."


def read_holidays(text: str) -> tuple[tuple[date, date], ...]:
    """First and last days of "2026-12-24 to 2027-01-02, 2027-04-02". Raises Refused."""
    if text.strip().lower() in ("", "none", "off"):
        return ()
    found: list[tuple[date, date]] = []
    for part in text.split(","):
        days = [_date(one.strip()) for one in re.split(r" to |\.\.", " ".join(part.split()))]
        if len(days) > 2:
            raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_HOLIDAYS)
        if days[-1] < days[0]:
            raise Refused(ENDS_BEFORE.format(last=days[-1], first=days[0]), hint=HOW_TO_HOLIDAYS)
        if days[-1] - days[0] >= timedelta(LONGEST_OFF // 2):
            raise Refused(
                IN_A_ROW.format(days=LONGEST_OFF // 2 - 1),
                hint="Leave a day that counts between them.",
            )
        found.append((days[0], days[-1]))
    found = sorted(set(found))
    if len(found) > 40:
        raise Refused(FORTY, hint="Name 40 at most.")
    return tuple(found)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(REST_NOT_UNDERSTOOD, hint=HOW_TO_HOLIDAYS) from None


def holidays_text(days: tuple[tuple[date, date], ...]) -> str:
    """Holidays in the form in which they are stored and shown."""
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in days)

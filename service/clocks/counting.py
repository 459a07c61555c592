"""Computes which time is charged: without quiet hours, days off and excluded spans.

Each of them is taken off once where they overlap. All nights of quiet hours have the same length,
and every day off has 24 hours. If daylight saving time changes within one, it ends an hour earlier
or later on the wall clock. So no player gains or loses time by their place.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from service.clocks.zones import DAY, HOUR, at, day_of

#: the days of one look ahead, and of the whole search
_STRIDE, _HORIZON = 14, 1500
#: the most days of holidays and days off in a row
LONGEST_OFF = 120

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Quiet:
    """Hours of each day that are not charged, from a first minute of the day, for some minutes."""

    begins: int
    minutes: int

    def __str__(self) -> str:
        ends = (self.begins + self.minutes) % (24 * 60)
        return f"{_hour(self.begins)} {_hour(ends)}"


def _hour(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


@dataclass(frozen=True)
class Sieve:
    """The time that is not charged to one player.

    ``off`` are days of the week, 0 for Monday. ``holidays`` are first and last days. Both are days
    of the time zone ``zone``. ``spans`` are bounds in UTC seconds, with None as the end of one that
    is not over.
    """

    zone: str = "UTC"
    quiet: Quiet | None = None
    off: frozenset[int] = frozenset()
    holidays: tuple[tuple[date, date], ...] = ()
    spans: tuple[tuple[int, int | None], ...] = ()

    def counted(self, begins: int, ends: int) -> int:
        """The charged seconds between two moments; 0 if the second is not later."""
        if ends <= begins:
            return 0
        return ends - begins - sum(stop - start for start, stop in self.out(begins, ends))

    def due(self, begins: int, seconds: int) -> int | None:
        """The first moment by which so many seconds are charged; None if it cannot be known yet.

        It is unknown while a span before it has no known end.
        """
        left, here, last = seconds, begins, begins + _HORIZON * DAY
        while here < last:
            stop = here + _STRIDE * DAY
            for start, end in self.out(here, stop):
                if left <= start - here:
                    return here + left
                left -= start - here
                here = end
            if left <= stop - here:
                return here + left
            left, here = left - (stop - here), stop
        return None

    def counts(self, moment: int) -> bool:
        """Whether time is charged at a moment."""
        return self.counted(moment, moment + 1) == 1

    def out(self, begins: int, ends: int) -> list[Span]:
        """The spans between two moments that are not charged, in order; no two of them touch."""
        found: list[Span] = []
        for start, stop in sorted(self._every(begins, ends)):
            start, stop = max(start, begins), min(stop, ends)
            if start >= stop:
                continue
            if found and start <= found[-1][1]:
                found[-1] = (found[-1][0], max(found[-1][1], stop))
            else:
                found.append((start, stop))
        return found

    def _every(self, begins: int, ends: int) -> Iterator[Span]:
        for start, end in self.spans:
            yield start, ends if end is None else end
        first, last = self._days(begins, ends)
        if self.quiet is not None:
            for day in _between(first, last):
                night = at(self.zone, day, self.quiet.begins)
                yield night, night + 60 * self.quiet.minutes
        if self.off or self.holidays:
            yield from self._off(first, last)

    def _days(self, begins: int, ends: int) -> tuple[date, date]:
        """The days that may overlap with a time."""
        return (
            day_of(self.zone, begins) - timedelta(2),
            day_of(self.zone, ends) + timedelta(1),
        )

    def is_off(self, day: date) -> bool:
        """Whether a day of the calendar is not charged."""
        return day.weekday() in self.off or any(a <= day <= b for a, b in self.holidays)

    def _off(self, first: date, last: date) -> Iterator[Span]:
        """The days off in a row as spans; each begins at the midnight of its first day."""
        day = first
        while self.is_off(day) and first - day < timedelta(LONGEST_OFF):
            day -= timedelta(1)
        while day <= last:
            if not self.is_off(day):
                day += timedelta(1)
                continue
            began, count = at(self.zone, day), 0
            while self.is_off(day) and count < LONGEST_OFF:
                day, count = day + timedelta(1), count + 1
            yield began, began + count * DAY


def _between(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(number)


def next_hour(zone: str, minute: int, sieve: Sieve, begins: int, notice: int) -> int | None:
    """The first time after a notice when it is this minute of the day in ``zone``.

    The days off are those of ``zone``. None if it cannot be known yet.
    """
    first = sieve.due(begins, notice)
    if first is None:
        return None
    day = day_of(zone, first)
    for number in range(_HORIZON):
        then = day + timedelta(number)
        moment = at(zone, then, minute)
        free = sieve.is_off(then) or any(
            start <= moment and (end is None or moment < end) for start, end in sieve.spans
        )
        if moment >= first and not free:
            return moment
    return None


#: the most quiet hours of a player, in minutes
MOST_QUIET = 8 * HOUR // 60

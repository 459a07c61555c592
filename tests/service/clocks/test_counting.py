"""What counts of a time, proved against a second way of counting, minute by minute.

No bank gains or loses by daylight saving, midnight, leap days, the year's end, or where its player
lives.
"""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.clocks.accounts import Account, remaining, settled
from service.clocks.counting import Quiet, Sieve, next_hour
from service.clocks.rules import read
from service.clocks.zones import DAY, HOUR, at, local

ZONES = ("UTC", "Pacific/Auckland", "Asia/Kolkata", "America/Los_Angeles", "Europe/Berlin",
         "Australia/Lord_Howe", "America/Sao_Paulo")  # fmt: skip


def utc(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp())


#: hours around which something is odd somewhere: clocks put forward and back, leap day, new year
ODD = (
    utc(2026, 4, 4, 14),  # Auckland, back
    utc(2026, 9, 26, 14),  # Auckland, forward
    utc(2026, 3, 8, 10),  # Los Angeles, forward
    utc(2026, 11, 1, 9),  # Los Angeles, back
    utc(2026, 3, 29, 1),  # Berlin, forward
    utc(2026, 10, 25, 1),  # Berlin, back
    utc(2028, 2, 29, 0),
    utc(2028, 3, 1, 0),
    utc(2026, 12, 31, 23),
    utc(2027, 1, 1, 0),
    utc(2018, 11, 4, 3),  # São Paulo, where midnight was left out
)
times = st.builds(
    lambda odd, minutes: odd + 60 * minutes, st.sampled_from(ODD), st.integers(-4320, 4320)
)
nights = st.none() | st.builds(Quiet, st.integers(0, 1439), st.integers(1, 480))
spans = st.lists(
    st.builds(lambda begin, length: (begin, begin + 60 * length), times, st.integers(1, 3000)),
    max_size=3,
).map(tuple)
sieves = st.builds(
    Sieve,
    zone=st.sampled_from(ZONES),
    quiet=nights,
    off=st.sampled_from([frozenset(), frozenset((5, 6)), frozenset((4, 5)), frozenset((6,))]),
    holidays=st.sampled_from(
        [(), ((date(2026, 12, 24), date(2027, 1, 2)),), ((date(2028, 2, 29), date(2028, 2, 29)),)]
    ),
    spans=spans,
)


def slowly(sieve: Sieve, begins: int, ends: int) -> int:
    """Each minute asked by itself, by calendar and clock of the place."""
    nights = []
    if sieve.quiet:
        first = local(sieve.zone, begins).date() - timedelta(2)
        last = local(sieve.zone, ends).date() + timedelta(2)
        for number in range((last - first).days):
            start = at(sieve.zone, first + timedelta(number), sieve.quiet.begins)
            nights.append((start, start + 60 * sieve.quiet.minutes))
    offs = []
    day = local(sieve.zone, begins).date() - timedelta(40)
    while day <= local(sieve.zone, ends).date() + timedelta(1):
        length = 0
        while sieve.is_off(day + timedelta(length)):
            length += 1
        if length:
            offs.append((at(sieve.zone, day), at(sieve.zone, day) + length * DAY))
        day += timedelta(length + 1)
    every = [*nights, *offs, *((a, ends if b is None else b) for a, b in sieve.spans)]
    count = 0
    for minute in range(begins, ends, 60):
        count += 60 * (not any(a <= minute < b for a, b in every))
    return count


@given(sieves, times, st.integers(0, 6000))
@settings(max_examples=120, deadline=None)
def test_what_counts_is_what_is_counted_minute_by_minute(sieve, begins, minutes):
    ends = begins + 60 * minutes
    assert sieve.counted(begins, ends) == slowly(sieve, begins, ends)


@given(sieves, times, st.integers(0, 9000), st.integers(0, 9000))
@settings(max_examples=200, deadline=None)
def test_parts_of_a_time_count_as_much_as_the_whole(sieve, begins, first, second):
    middle, ends = begins + 37 * first, begins + 37 * first + 53 * second
    whole = sieve.counted(begins, ends)
    assert whole == sieve.counted(begins, middle) + sieve.counted(middle, ends)
    assert 0 <= whole <= ends - begins


@given(sieves, times, st.integers(1, 30 * DAY))
@settings(max_examples=200, deadline=None)
def test_what_is_due_is_due_when_so_much_has_counted_and_not_before(sieve, begins, seconds):
    due = sieve.due(begins, seconds)
    assert due is not None
    assert sieve.counted(begins, due) == seconds
    assert sieve.counted(begins, due - 1) == seconds - 1


@given(st.sampled_from(ZONES), times, st.integers(1, 480), st.integers(0, 1439))
@settings(max_examples=200, deadline=None)
def test_each_night_is_as_long_as_every_other(zone, begins, minutes, hour):
    """Between the ends of two nights a clock runs all the time but that of the nights."""
    sieve = Sieve(zone, Quiet(hour, minutes))
    day = local(zone, begins).date()
    first, last = (at(zone, day + timedelta(n), hour) + 60 * minutes for n in (0, 7))
    assert last - first - sieve.counted(first, last) == 7 * 60 * minutes


@given(st.sampled_from(ZONES), times)
@settings(max_examples=100, deadline=None)
def test_each_weekend_is_as_long_as_every_other(zone, begins):
    day = local(zone, begins).date()
    monday = day - timedelta(day.weekday())
    first, last = (at(zone, monday + timedelta(n), 12 * 60) for n in (0, 7))
    assert last - first - Sieve(zone, off=frozenset((5, 6))).counted(first, last) == 48 * HOUR


@given(st.sampled_from(ZONES), times, st.integers(1, 20 * DAY), st.integers(0, 20 * DAY))
@settings(max_examples=200, deadline=None)
def test_a_bank_pays_for_the_time_that_passes_wherever_its_player_lives(zone, asked, bank, took):
    rule = read("fischer 20d + 12h cap 20d")
    account = Account("Ann", bank, "SR 1", "SR 1", asked, asked, zone)
    left = remaining(account, rule, Sieve(zone), asked + took)
    assert left == bank - took
    assert settled(account, rule, Sieve(zone), asked + took).bank == max(0, bank - took)


@given(sieves, times, st.integers(0, 5000), st.integers(0, 5000), st.integers(-7200, 7200))
@settings(max_examples=150, deadline=None)
def test_no_bank_gains_or_loses_where_our_own_clock_is_set(sieve, asked, before, later, by):
    """What was by then is called by the new time, spans too; quiet hours do not move with it."""
    plain = Sieve(sieve.zone)
    rule = read("fischer 20d + 12h cap 20d")
    account = Account("Ann", 20 * DAY, "SR 1", "SR 1", asked, asked + 5, sieve.zone)
    jump = asked + 60 * before + 5
    arrived = jump + 60 * later
    done = settled(account, rule, plain, arrived).bank
    moved = replace(account, asked=account.asked + by, started=account.started + by)
    shifted = settled(moved, rule, plain, arrived + by).bank
    assert shifted == done == max(0, 20 * DAY - (arrived - asked - 5))


@example("Europe/Berlin", utc(2026, 10, 24, 12), 2 * 60 + 30)
@example("America/Los_Angeles", utc(2026, 3, 7, 12), 2 * 60 + 30)
@given(st.sampled_from(ZONES), times, st.integers(0, 1439))
@settings(max_examples=150, deadline=None)
def test_a_daily_hour_comes_once_a_day_with_its_notice(zone, begins, minute):
    due = next_hour(zone, minute, Sieve("UTC"), begins, 12 * HOUR)
    assert due is not None
    assert 12 * HOUR <= due - begins <= 12 * HOUR + 25 * HOUR
    there = local(zone, due)
    on_wall = 60 * there.hour + there.minute
    # an hour that is left out is taken as if the clock had not been put forward
    assert (on_wall - minute) % 1440 in (0, 30, 60)


def test_an_open_span_leaves_nothing_due_behind_it():
    held = Sieve(spans=((1_000_000, None),))
    assert held.due(900_000, 100_000) == 1_000_000
    assert held.due(900_000, 100_001) is None
    assert held.counted(900_000, 5_000_000) == 100_000
    assert next_hour("UTC", 0, held, 900_000, 12 * HOUR) is not None
    assert next_hour("UTC", 0, held, 990_000, 12 * HOUR) is None


def test_overlapping_spans_are_taken_out_once():
    sieve = Sieve(spans=((1000, 2000), (1500, 2500), (2500, 2600)))
    assert sieve.out(0, 5000) == [(1000, 2600)]
    assert sieve.counted(0, 5000) == 3400


def test_a_daily_hour_leaves_out_days_off_and_held_games():
    friday = utc(2026, 8, 7, 12)
    off = Sieve("UTC", off=frozenset((5, 6)))
    assert next_hour("UTC", 20 * 60, off, friday, 12 * HOUR) == utc(2026, 8, 10, 20)
    held = Sieve("UTC", spans=((utc(2026, 8, 8, 18), utc(2026, 8, 8, 22)),))
    assert next_hour("UTC", 20 * 60, held, friday, 12 * HOUR) == utc(2026, 8, 9, 20)


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Asia/Kolkata", "America/Los_Angeles"])
def test_holidays_are_those_of_the_players_own_calendar(zone):
    sieve = Sieve(zone, holidays=((date(2026, 12, 31), date(2027, 1, 1)),))
    start = at(zone, date(2026, 12, 31))
    assert sieve.out(start - HOUR, start + 3 * DAY) == [(start, start + 2 * DAY)]

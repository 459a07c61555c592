"""How clocks, quiet hours, holidays and leave are written and understood."""

from datetime import UTC, date, datetime

import pytest

from service.clocks import leave, quiet, rules
from service.clocks.rules import (
    Refused,
    holidays_text,
    left,
    read,
    read_holidays,
    short,
    words,
)
from service.clocks.zones import DAY, HOUR
from tests.service.players import says

NOW = int(datetime(2026, 8, 3, 7, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("fischer 20d + 12h cap 20d", "fischer 20d + 12h cap 20d"),
        ("Fischer 10 days plus 1 day", "fischer 10d + 24h cap 10d"),
        ("bank 1w + 90 min cap 2w", "fischer 7d + 1h 30m cap 14d"),
        ("each 48h weekdays", "each 48h weekdays"),
        ("each 2 days on weekdays", "each 48h weekdays"),
        ("each 1d 12h without fri, sat", "each 36h without Fri Sat"),
        ("daily 20:00 europe/berlin", "daily 20:00 Europe/Berlin"),
        ("daily at 7.30 weekdays", "daily 07:30 UTC weekdays"),
    ],
)
def test_a_clock_is_kept_in_one_way_of_writing(written, kept):
    rule = read(written)
    assert str(rule) == kept
    assert read(kept) == rule
    assert rule.in_words().endswith(".")


@pytest.mark.parametrize("text", ["", "none", "off", "None"])
def test_no_clock(text):
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("each 5m", rules.BETWEEN),
        ("each 900d", rules.BETWEEN),
        ("each 0h", rules.BETWEEN),
        ("fischer 0d + 12h cap 20d", rules.BETWEEN),
        ("each", rules.HOW),
        ("fischer 20d", rules.HOW),
        ("fischer 20d + 0h", rules.ADDS_BETWEEN),
        ("fischer 20d + 12h cap 10d", rules.CAP_BELOW_BANK),
        ("daily 25:00", rules.NO_HOUR),
        ("daily 20:00 Atlantis", rules.NO_ZONE),
        ("each 48h without Foo", rules.NO_DAY),
        ("each 48h without Mon Tue Wed Thu Fri Sat", rules.TWO_DAYS),
    ],
)
def test_a_clock_that_nobody_can_play_by_is_refused(text, why):
    with pytest.raises(Refused) as wrong:
        read(text)
    assert says(wrong.value, why)


def test_durations_are_told_shortly_and_never_longer_than_they_are():
    assert [left(s) for s in (6 * DAY + 4 * HOUR + 3599, 31 * HOUR, 9 * HOUR + 65, 2399)] == [
        "6 d 04 h",
        "31 h",
        "9 h 01 min",
        "39 min",
    ]
    assert (short(20 * DAY), short(48 * HOUR), short(5400)) == ("20d", "48h", "1h 30m")
    assert (words(20 * DAY), words(DAY), words(5400)) == ("20 days", "24 hours", "90 minutes")


def test_quiet_hours():
    for text in ("23:00 07:00", "23 7", "23-7", "from 23:00 to 07:00"):
        assert str(quiet.read(text)) == "23:00 07:00"
    assert quiet.read("off") is None
    for text in ("23:00", "22:00 07:00", "7 7", "25:00 3:00", "night"):
        with pytest.raises(Refused) as wrong:
            quiet.read(text)
        assert says(wrong.value, quiet.HOW)


def test_holidays():
    days = read_holidays("2027-04-02, 2026-12-24 to 2027-01-02")
    assert holidays_text(days) == "2026-12-24 to 2027-01-02, 2027-04-02"
    assert read_holidays(holidays_text(days)) == days
    for text in ("Christmas", "2027-01-02 to 2026-12-24", "2026-01-01 to 2026-12-31"):
        with pytest.raises(Refused):
            read_holidays(text)
    with pytest.raises(Refused) as wrong:
        read_holidays("2027-01-02 to 2026-12-24")
    assert says(wrong.value, rules.ENDS_BEFORE, last="2026-12-24", first="2027-01-02")


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("10 Aug to 17 Aug", (2026, 8, 10), (2026, 8, 17)),
        ("10 to 17 August", (2026, 8, 10), (2026, 8, 17)),
        ("2026-08-10 until 2026-08-17", (2026, 8, 10), (2026, 8, 17)),
        ("Aug 10 - Aug 17", (2026, 8, 10), (2026, 8, 17)),
        ("30 Dec to 3 Jan", (2026, 12, 30), (2027, 1, 3)),
        ("5 Jan to 7 Jan", (2027, 1, 5), (2027, 1, 7)),
        ("28 Feb 2028 to 29 Feb 2028", (2028, 2, 28), (2028, 2, 29)),
        ("Fri 7 Aug to the 10th", (2026, 8, 7), (2026, 8, 10)),
        ("until Friday", (2026, 8, 4), (2026, 8, 7)),
        ("Friday to Monday", (2026, 8, 7), (2026, 8, 10)),
        ("until Sunday, 16 August", (2026, 8, 4), (2026, 8, 16)),
        # a day's own name is that of the next week
        ("until Monday", (2026, 8, 4), (2026, 8, 10)),
        # notice: a day
        ("3 Aug to 17 Aug", (2026, 8, 4), (2026, 8, 17)),
        ("until 17 Aug", (2026, 8, 4), (2026, 8, 17)),
    ],
)
def test_leave_has_its_last_day_whole(text, first, last):
    found = leave.read(text, "Europe/Berlin", NOW)
    assert (found.first, found.last) == (date(*first), date(*last))
    assert found.begins >= NOW + DAY
    there = datetime.fromtimestamp(found.ends, UTC)
    assert (there.hour, there.minute) in ((22, 0), (23, 0))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1 Jul to 3 Jul", leave.DAY_IS_OVER),
        ("9 Aug to 5 Aug", rules.ENDS_BEFORE),
        ("3 Aug to 3 Aug", leave.BEGINS_LATER),
        ("Sat 7 Aug to 9 Aug", leave.OTHER_WEEKDAY),
        ("31 Feb to 3 Mar", leave.NO_SUCH_DAY),
        ("soon", leave.HOW),
        ("3 Foo to 17 Foo", leave.HOW),
        ("1 Jan 2090 to 3 Jan 2090", leave.TOO_FAR),
    ],
)
def test_leave_that_cannot_be(text, why):
    with pytest.raises(Refused) as wrong:
        leave.read(text, "Europe/Berlin", NOW)
    assert says(wrong.value, why)


def test_a_deputy_is_named_behind_it():
    assert leave.read("10 Aug to 17 Aug deputy Alice", "UTC", NOW).deputy == "Alice"


def test_an_allowance_is_of_a_year():
    new_year = int(datetime(2027, 1, 1, tzinfo=UTC).timestamp())
    taken = [(new_year - 20 * DAY, new_year + 5 * DAY)]
    assert leave.taken(taken, 2026) == 20 * DAY
    assert leave.taken(taken, 2027) == 5 * DAY
    assert leave.rest(taken, 2027, 30) == 25 * DAY
    assert leave.over(taken, (new_year + 30 * DAY, new_year + 55 * DAY), 30) is None
    assert leave.over(taken, (new_year + 30 * DAY, new_year + 56 * DAY), 30) == 2027

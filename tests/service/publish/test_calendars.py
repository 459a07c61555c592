"""Deadlines: on the page, and as calendars that a program looks at again and again."""

from datetime import UTC, datetime

import pytest
from icalendar import Calendar

from service.reports.words import moment
from tests.service.publish.conftest import BEGAN

DUE = BEGAN + 30 * 86_400


def set_due(stand, name, due):
    """As a clock sets it; what else waits is not touched."""
    with stand.store.transaction() as tx:
        game = tx.games.named(name).id
        tx.clocks.set_due(game, {row.seat: due for row in tx.games.waiting(game)})


@pytest.fixture
def timed(stand):
    set_due(stand, "mid", DUE)
    stand.publishing().run()
    return stand


def read(stand, file):
    data = stand.page("mid", file)
    found = Calendar.from_ical(data)
    assert "\r\n" in (stand.folder / "games" / "mid" / file).read_bytes().decode()
    return found


@pytest.mark.long
def test_a_game_without_deadlines_has_no_calendar(site):
    assert not list(site.rglob("*.ics"))


@pytest.mark.long
def test_a_deadline_is_on_the_page_in_the_list_and_in_the_calendar(timed):
    page = timed.page("mid")
    assert f"until {moment(DUE)}" in page and 'href="deadlines.ics"' in page
    assert f"until {moment(DUE)}" in timed.files()["index.html"].decode()
    found = read(timed, "deadlines.ics")
    assert found["x-wr-calname"] == found["name"] == "mid (18MW)"
    [event] = found.walk("VEVENT")
    assert event["dtstart"].dt == datetime.fromtimestamp(DUE, UTC)
    assert str(event["summary"]).startswith("mid: ") and str(event["url"]).endswith("/games/mid/")
    assert event["uid"] and event["dtstamp"]


@pytest.mark.long
def test_each_seat_has_a_calendar_with_its_own_deadlines(timed):
    whose = {}
    for number in range(1, 6):
        whose[number] = len(read(timed, f"deadlines-{number}.ics").walk("VEVENT"))
    assert sorted(whose.values()) == [0, 0, 0, 0, 1]


@pytest.mark.long
def test_the_same_deadline_is_the_same_event_whatever_else_happens(timed):
    def event():
        [found] = read(timed, "deadlines.ics").walk("VEVENT")
        return str(found["uid"])

    before = event()
    set_due(timed, "mid", DUE + 3600)
    timed.publishing().run()
    assert event() == before


@pytest.mark.long
def test_a_calendar_that_somebody_may_look_at_stays_when_nothing_is_due(timed):
    set_due(timed, "mid", None)
    timed.publishing().run()
    assert read(timed, "deadlines.ics").walk("VEVENT") == []
    assert "deadlines.ics" in timed.page("mid")

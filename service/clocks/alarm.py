"""A deadline as a calendar entry, with an alarm before it (RFC 5545)."""

from datetime import UTC, datetime, timedelta

from service.clocks.deadlines import Deadline
from service.clocks.zones import DAY, HOUR


def entry(deadline: Deadline, summary: str, host: str) -> bytes:
    """A calendar with one entry, which replaces that of an earlier letter about the same.

    ``summary`` says what the player must do. The deadline must be known. The entry contains no seat
    address.
    """
    # This import takes a third of a second, and only games with clocks need it.
    from icalendar import Alarm, Calendar, Event

    assert deadline.due is not None
    event = Event()
    event.add("uid", f"{deadline.mark.lower()}@{host}")
    event.add("dtstamp", datetime.fromtimestamp(deadline.written, UTC))
    event.add("dtstart", datetime.fromtimestamp(deadline.due, UTC))
    event.add("sequence", max(0, deadline.written - deadline.asked))
    event.add("summary", summary)
    event.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", summary)
    alarm.add("trigger", timedelta(seconds=-before(deadline)))
    event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//Waybill//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def before(deadline: Deadline) -> int:
    """Seconds from the alarm to the deadline: a day, or a quarter of a short time."""
    assert deadline.due is not None
    quarter = (deadline.due - deadline.written) // 4
    return min(DAY, max(HOUR // 4, quarter))

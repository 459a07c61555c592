"""Calendars of deadlines (RFC 5545), for programs that fetch them again and again."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

from icalendar import Calendar, Event

from service.games.linking import CALENDAR, calendar_of
from service.publish.feeds import identifier
from service.publish.sheet import AwaitedSeat, GameSheet

#: how often a calendar program should look (RFC 7986 5.7)
_AGAIN = timedelta(hours=1)


def calendar(sheet: GameSheet, awaited: Sequence[AwaitedSeat]) -> str:
    """The deadlines of the seats that a game waits for; seats without one are left out."""
    found = Calendar()
    found.add("prodid", "-//Waybill//18xx by email//EN")
    found.add("version", "2.0")
    # RFC 7986 5.1, and the older name for programs from before it
    for name in ("name", "x-wr-calname"):
        found.add(name, f"{sheet.name} ({sheet.scene.view.title})")
    found.add("refresh-interval", _AGAIN, parameters={"value": "DURATION"})
    for one in awaited:
        if one.due is not None:
            found.add_component(_event(sheet, one, one.due))
    text: str = found.to_ical().decode()
    return text


def _event(sheet: GameSheet, one: AwaitedSeat, due: int) -> Event:
    found = Event()
    about = (sheet.name, sheet.table.row.created, one.seat, one.since)
    found.add("uid", identifier("deadline", *about))
    found.add("dtstamp", datetime.fromtimestamp(one.since, UTC))
    found.add("dtstart", datetime.fromtimestamp(due, UTC))
    found.add("summary", f"{sheet.name}: {one.seat}, {one.what}")
    found.add("description", f"{sheet.stands}. {one.in_words}")
    found.add("transp", "TRANSPARENT")
    if sheet.place.address:
        found.add("url", sheet.place.address)
    return found


def files(sheet: GameSheet, before: Collection[str]) -> dict[str, str]:
    """Calendars by file name: one for the game, and one for each seat.

    A game without deadlines has none. A calendar that existed ``before`` stays, because a program
    may still fetch it.
    """
    if CALENDAR not in before and not any(one.due is not None for one in sheet.awaited):
        return {}
    found = {CALENDAR: calendar(sheet, sheet.awaited)}
    for number, player in enumerate(sheet.scene.view.players, 1):
        own = [one for one in sheet.awaited if one.seat == player.seat]
        found[calendar_of(number)] = calendar(sheet, own)
    return found

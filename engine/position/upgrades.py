"""Conversion of data from older releases to the present format: JSON values to JSON values.

A function here knows two formats, its own and the next. It uses no present types, because those
change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

#: JSON as Python values
Json = Any


class UnknownFormat(ValueError):
    """The stored data has a format that this program does not know."""


def _same(value: Json) -> Json:
    return value


@dataclass(frozen=True)
class Upgrade:
    """Conversion from one format to the next: one function for each kind of stored value."""

    state: Callable[[Json], Json] = _same
    action: Callable[[Json], Json] = _same
    #: the list of one step's events
    events: Callable[[Json], Json] = _same
    title: Callable[[Json], Json] = _same


def upgraded(kind: str, value: Json, format: int, wanted: int) -> Json:
    """Convert a value of a kind, a field of `Upgrade`, to a format; raises UnknownFormat."""
    check_format(format, wanted)
    for number in range(format, wanted):
        value = getattr(UPGRADES[number], kind)(value)
    return value


def check_format(format: int, wanted: int) -> None:
    """Raise UnknownFormat, with advice, if a number is not a format up to the wanted one."""
    if format > wanted:
        text = f"stored in format {format} by a newer release; this one reads up to {wanted}"
        raise UnknownFormat(f"{text}: install the newer release")
    if format not in (*UPGRADES, wanted):
        raise UnknownFormat(f"there is no format {format}; the first is {min(UPGRADES)}")


# from format 1, where a question was called "consent", with its kind as a word and an action


def _state_1(state: Json) -> Json:
    return {**state, "stack": [_frame_1(frame) for frame in state["stack"]]}


def _frame_1(frame: Json) -> Json:
    if frame["type"] != "consent":
        return frame
    proposal = _sale_1(frame) or _leave_1(frame)
    question = {"type": "question", "asked": frame["asked"], "by": frame["by"]}
    return {**question, "proposal": proposal}


def _sale_1(told: Mapping[str, Json]) -> Json:
    """The sale in a frame or an event, None if it is about a power."""
    thing = told["thing"]
    if thing == "power":
        return None
    parties = {field: told[field] for field in ("seller", "buyer", "price")}
    return {"what": f"{thing} sale", thing: told["id"], **parties}


def _leave_1(frame: Json) -> Json:
    action, private = frame["action"], frame["id"]
    used = private in (action.get("power"), action.get("private"))
    what = "power use" if used else "barred lay"
    return {"what": what, "private": private, "company": frame["buyer"], "action": action}


def _events_1(events: Json) -> Json:
    if not isinstance(events, list):
        raise TypeError("events are a list")
    return [_event_1(event) for event in events]


def _event_1(event: Json) -> Json:
    """The offer; format 1 did not say everything about declined offers and powers."""
    if event["event"] == "asked":
        proposal = _sale_1(event) or _unstated_1(event) | {"company": event["buyer"]}
        return {"event": "asked", "asked": event["asked"], "by": event["by"], "proposal": proposal}
    if event["event"] == "declined":
        return {"event": "declined", "asked": event["asked"], "proposal": _unstated_1(event)}
    return event


def _unstated_1(event: Json) -> dict[str, Json]:
    return {"what": "unstated", "thing": event["thing"], "id": event["id"]}


#: format → the conversion to the next
UPGRADES: dict[int, Upgrade] = {1: Upgrade(state=_state_1, events=_events_1)}

"""Reads the faults of a scenario, as written after "fault:"."""

import inspect
import re
from collections.abc import Callable

from service.store import QUEUES, REPOSITORIES
from service.workshop.rehearsal import steps
from service.workshop.rehearsal.source import ScenarioError, SourcePlace, nearest
from service.workshop.rehearsal.times import duration

#: the receiving server's answer, if the scenario gives none
NO_SUCH_USER = "550 5.1.1 no such user"
#: every call of the store except queries, as "mails.finish"
CALLS = frozenset(
    f"{name}.{call}"
    for name, kind in (*QUEUES.items(), *REPOSITORIES.items())
    for call, _ in inspect.getmembers(kind, inspect.isfunction)
    if not call.startswith("_")
) - {"work.due", "work.counts"}
#: points at which the service may end: a transaction, an email handed to the server, a store call
POINTS = frozenset({"commit", "send"}) | CALLS

_DOWN = re.compile(r"(smtp|imap) down(?: for (.+))?")
_UP = re.compile(r"(smtp|imap) up")
_REFUSE = re.compile(r"(smtp refuses|e?mails bounce from) ([^\s:]+)(?:: ?(.+))?")
_TAKE = re.compile(r"smtp takes (\S+)")
_CRASH = re.compile(r"crash (before|after) (every )?([\w.]+)(?: (\d+))?")
_CLOCK = re.compile(r"clock (back|forward) (.+)")
FORMS = (
    "smtp down for 3h",
    "smtp up",
    "imap down",
    "smtp refuses Cat: 550 5.1.1 no such user",
    "emails bounce from Cat",
    "smtp takes Cat",
    "crash after commit 2",
    "crash after every commit",
    "no crash",
    "clock back 1h",
)


def fault(
    place: SourcePlace, text: str, address: Callable[[SourcePlace, str], str]
) -> steps.ScenarioStep:
    """Read a fault; ``address`` finds that of a person. Raises ScenarioError and WrongTime."""
    if found := _DOWN.fullmatch(text):
        return steps.Down(place, found[1], duration(found[2]) if found[2] else None)
    if found := _UP.fullmatch(text):
        return steps.Up(place, found[1])
    if found := _REFUSE.fullmatch(text):
        answer = found[3] or NO_SUCH_USER
        if not re.match(r"[45]\d\d ", answer):
            raise ScenarioError(place, f"a server's answer begins with 4xx or 5xx, not {answer}")
        return steps.Refuse(
            place, address(place, found[2]), answer, found[1].startswith(("mails", "emails"))
        )
    if found := _TAKE.fullmatch(text):
        return steps.Take(place, address(place, found[1]))
    if found := _CLOCK.fullmatch(text):
        sign = 1 if found[1] == "forward" else -1
        return steps.TurnClock(place, sign * duration(found[2]))
    if text == "no crash":
        return steps.NoCrash(place)
    if found := _CRASH.fullmatch(text):
        return _crash(place, found)
    raise ScenarioError(place, f"no such fault: {text}; there are “{'”, “'.join(FORMS)}”")


def _crash(place: SourcePlace, found: re.Match[str]) -> steps.Crash:
    if found[3] not in POINTS:
        hint = nearest(found[3], POINTS) or f"; there are {', '.join(sorted(POINTS))}"
        raise ScenarioError(place, f"the service has no point {found[3]}{hint}")
    number = 0 if found[2] else int(found[4] or 1)
    if found[2] and found[4]:
        raise ScenarioError(place, "“every” needs no number: each is tried in turn")
    if not found[2] and number < 1:
        raise ScenarioError(place, "the first one is number 1")
    return steps.Crash(place, found[1], found[3], number)

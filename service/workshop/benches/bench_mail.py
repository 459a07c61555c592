"""What one email costs: statements, transactions and time of the processor, counted on a scenario.

A scenario is played against the whole service, with mail servers in memory. What the scenario's own
mail servers, people and expectations do is not counted.
"""

import os
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from inspect import CO_OPTIMIZED
from itertools import takewhile
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

import service
from service.app.timetable import Job
from service.drawing.raster import png
from service.store.database import overheard
from service.workshop.rehearsal import Options, RehearsalReport, rehearse
from service.workshop.rehearsal.people import parsed
from service.workshop.rehearsal.steps import Scenario

#: the scenario that comes with the program
FIRST_TURNS = Path(__file__).with_name("first-turns.rehearsal")
#: job of the timetable → its name here; and the name for drawing
STAGES = {"look": "fetch and keep", "moderate": "moderate", "send": "send"}
PICTURES = "draw pictures"
#: the command that is followed, and the packages whose files are counted
WALKED, ROOMS = "pass", ("desk", "games", "reports")
_REPEATED = "the scenario tries each crash in turn: take one without “every”"
_NO_EMAIL = "nobody writes in the scenario"
FAILED = "the scenario did not go as it expects:\n{why}"
_HOME = os.path.dirname(service.__file__) + os.sep
#: the stage in progress, "" while the service does nothing
_stage: ContextVar[str] = ContextVar("stage", default="")


@dataclass
class StageCosts:
    """What the stages of one performance came to; CPU in seconds."""

    statements: Counter[str] = field(default_factory=Counter)
    transactions: Counter[str] = field(default_factory=Counter)
    cpu: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


def bench_mail(scenario: Scenario, performed: Callable[[int], None]) -> dict[str, Any]:
    """Play it three times, and tell what each email received came to on average.

    The first performance counts statements and transactions, the second measures time, and the
    third follows the first email that says no more than `pass` through the code; ``performed`` is
    told how many are done. Raises ValueError where the scenario does not go as it expects.
    """
    counted, timed = StageCosts(), StageCosts()
    with _counting(counted):
        report = _played(scenario, Options(around=_noting(counted)))
    performed(1)
    _played(scenario, Options(render=_drawing(timed), around=_noting(timed)))
    performed(2)
    mails = report.mails
    if not mails:
        raise ValueError(_NO_EMAIL)
    stages = {name: _stage_of(name, counted, timed, mails) for name in _order(counted, timed)}
    files = _files_walked(scenario)
    performed(3)
    return {
        "scenario": scenario.title,
        "received": mails,
        "sent": report.letters,
        "statements": round(counted.statements.total() / mails, 2),
        "transactions": round(counted.transactions.total() / mails, 2),
        "cpu_ms": round(sum(timed.cpu.values()) * 1000 / mails, 1),
        "stages": stages,
        "files": files,
    }


def _stage_of(name: str, counted: StageCosts, timed: StageCosts, mails: int) -> dict[str, float]:
    return {
        "statements": round(counted.statements[name] / mails, 2),
        "transactions": round(counted.transactions[name] / mails, 2),
        "cpu_ms": round(timed.cpu[name] * 1000 / mails, 1),
    }


def _order(counted: StageCosts, timed: StageCosts) -> list[str]:
    """The stages that did something, in the order of an email's way."""
    known = [STAGES["look"], STAGES["moderate"], PICTURES, STAGES["send"]]
    found = {*counted.statements, *(name for name, spent in timed.cpu.items() if spent)}
    return [*(n for n in known if n in found), *sorted(found.difference(known))]


def _played(scenario: Scenario, options: Options) -> RehearsalReport:
    report = rehearse(scenario, options)
    if report.performances > 1:
        raise ValueError(_REPEATED)
    if report.failed:
        raise ValueError(FAILED.format(why="\n".join(report.lines())))
    return report


def _noting(found: StageCosts) -> Callable[[Job], Job]:
    """What makes of each job one that notes its time, and under whose name the rest counts."""

    def around(job: Job) -> Job:
        async def step() -> int:
            stage = STAGES.get(job.name, job.name)
            token, began, drawn = _stage.set(stage), process_time(), found.cpu[PICTURES]
            try:
                return await job.step()
            finally:
                _stage.reset(token)
                found.cpu[stage] += process_time() - began - (found.cpu[PICTURES] - drawn)

        return replace(job, step=step)

    return around


@contextmanager
def _counting(found: StageCosts) -> Iterator[None]:
    """Note what the database is asked meanwhile, by the stage that asks."""

    def told(what: str, text: str) -> None:
        counts = found.transactions if what == "transaction" else found.statements
        # The setup of a new connection has no transaction.
        if (stage := _stage.get()) and not text.startswith("PRAGMA"):
            counts[stage] += 1

    with overheard(told):
        yield


def _drawing(found: StageCosts) -> Callable[[str, int], bytes]:
    """What draws a picture and notes its time."""

    def draw(svg: str, width: int) -> bytes:
        began = process_time()
        try:
            return png(svg, width)
        finally:
            found.cpu[PICTURES] += process_time() - began

    return draw


def _files_walked(scenario: Scenario) -> list[str]:
    """The files of ROOMS that the first email of no more than WALKED is handled by, sorted.

    [] where the scenario has none. It is followed in all threads that begin meanwhile.
    """
    walks: list[set[str]] = []
    walking = False

    def told(kind: str, at: int, who: str, raw: bytes) -> None:
        nonlocal walking
        if kind == "in":
            walking = not walks and _says(raw) == WALKED
            if walking:
                walks.append(set())

    def called(frame: FrameType, what: str, argument: object) -> None:
        # The code of a module or class runs in its own import, which belongs to no email.
        if walking and what == "call" and frame.f_code.co_flags & CO_OPTIMIZED:
            walks[0].add(frame.f_code.co_filename)

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        _played(scenario, Options(told=told))
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    homes = tuple(_HOME + room + os.sep for room in ROOMS)
    seen = (file.removeprefix(_HOME) for file in (walks or [set()])[0] if file.startswith(homes))
    return sorted(seen)


def _says(raw: bytes) -> str:
    """The first paragraph of an email's text."""
    part = parsed(raw).get_body(("plain",))
    text = str(part.get_content()) if part is not None else ""
    return "\n".join(takewhile(bool, text.splitlines()))

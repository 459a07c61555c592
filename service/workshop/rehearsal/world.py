"""The world of a rehearsal: the real service, mail servers in memory, a simulated clock.

Time jumps from one job of the timetable to the next. A job that knows when it will have work is
not run earlier. The clock of the service's machine may differ from the simulated time.
"""

import asyncio
import contextlib
import math
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from service.app.office import Office
from service.app.relays import Relays
from service.app.servers import smtp_of
from service.app.timetable import Job, timetable
from service.app.wiring import service_of
from service.desk.service import Service
from service.mail.mailbox import MailboxDown
from service.store import Store, Unavailable
from service.workshop.rehearsal.crash import Crashed, Fate, WatchedStore
from service.workshop.rehearsal.people import Correspondent, ReceivedEmail, parsed
from service.workshop.rehearsal.post import Connection, MailServers
from service.workshop.rehearsal.steps import Scenario

#: (kind, UTC seconds, person, raw): "in" is an email to Waybill, "out" one from it, "again" one
#: that came before; "note" and "step" have a sentence in place of the person
Told = Callable[[str, int, str, bytes], None]
#: the most seconds until the service asks again for a job that found nothing, though work waits
_LONGEST = 60
_DOT = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)


def dot(svg: str, width: int) -> bytes:
    """A picture of one pixel, instead of a drawn one."""
    return _DOT


def as_it_is(job: Job) -> Job:
    """The job itself."""
    return job


@dataclass(frozen=True)
class Options:
    """Options of a rehearsal. ``told`` gets every email of the first performance.

    ``render`` makes the pictures. ``around`` wraps each job of a daemon.
    """

    render: Callable[[str, int], bytes] = dot
    told: Told = lambda kind, at, who, raw: None
    around: Callable[[Job], Job] = as_it_is


@dataclass
class RunningJob:
    """A job of a running daemon."""

    job: Job
    #: the last time that it was done, by the passing time
    last: int
    #: whether it found nothing to do, and nothing has happened since
    idle: bool = False
    #: when it will find work, by the service's clock; None for never
    due: int | None = None
    #: how often it found nothing although it was due
    fruitless: int = 0

    def next(self, ahead: int) -> float:
        """When it is due next; the service's clock is ahead by ``ahead`` seconds."""
        first = self.last + self.job.every
        if not self.idle or not (self.job.due or self.job.fetches):
            return first
        # An empty mailbox need not be checked.
        if self.due is None:
            return math.inf
        if self.due - ahead <= self.last:
            longest = max(self.job.every, _LONGEST)
            return self.last + min(self.job.every << self.fruitless, longest)
        late = max(0, self.due - ahead - first)
        return first + -(-late // self.job.every) * self.job.every


@dataclass
class RehearsedWorker:
    """A worker of the service."""

    office: Office
    jobs: list[RunningJob]


@dataclass(frozen=True)
class Saved:
    """A saved state of a world, to continue from several times with newly started daemons."""

    folder: Path
    now: int
    ahead: int
    people: dict[str, Correspondent]
    letters: tuple[ReceivedEmail, ...]
    servers: MailServers


class World:
    """The surroundings of a scenario; ``told`` gets emails, and notes about the service."""

    def __init__(
        self,
        scenario: Scenario,
        folder: Path,
        options: Options,
        told: Told,
        saved: Saved | None = None,
    ) -> None:
        """``folder`` is for its files; ``saved`` is the state of another world."""
        self._around = options.around
        self.now = scenario.begin
        #: seconds by which the service's clock is ahead of the passing time
        self.ahead = 0
        self._folder = folder
        self.settings = scenario.settings
        self.people = {
            n: Correspondent(n, a, scenario.further.get(n, ())) for n, a in scenario.people.items()
        }
        self.letters: list[ReceivedEmail] = []
        self.fate = Fate()
        self.faults: list[str] = []
        self._told = told
        self.servers = MailServers(
            lambda: self.now, self._deliver, lambda: self.fate.reach("after", "send")
        )
        if saved is not None:
            self._restore(saved)
        self._url = f"sqlite:///{folder / 'rehearsal.sqlite'}"
        self.store = Store(self._url, self.settings.answers)
        self.store.upgrade()
        self.service: Service = replace(service_of(self.settings), render=options.render)
        self._names = (f"daemon {n}" for n in count(1))
        self._runner = asyncio.Runner()
        self._wanted = scenario.daemons
        self.daemons: list[RehearsedWorker] = []
        self.start()

    def save(self, folder: Path) -> Saved:
        """Save its state; ``folder`` is for the files."""
        shutil.copytree(self._folder, folder)
        letters = {one.number: replace(one) for one in self.letters}
        people = {
            name: replace(one, letters=[letters[x.number] for x in one.letters])
            for name, one in self.people.items()
        }
        servers = self.servers.copy()
        return Saved(folder, self.now, self.ahead, people, tuple(letters.values()), servers)

    def _restore(self, saved: Saved) -> None:
        shutil.copytree(saved.folder, self._folder, dirs_exist_ok=True)
        self.now, self.ahead = saved.now, saved.ahead
        letters = {one.number: replace(one) for one in saved.letters}
        self.letters = list(letters.values())
        self.people = {
            name: replace(one, letters=[letters[x.number] for x in one.letters])
            for name, one in saved.people.items()
        }
        self.servers.go_on_as(saved.servers)

    # the service

    def _open(self) -> RehearsedWorker:
        store = WatchedStore(self._url, self.settings.answers, self.fate)
        office = Office(
            store,
            self.service,
            (Connection(self.servers),),
            Relays.of(smtp_of(self.settings)),
            clock=lambda: self.now + self.ahead,
            worker=next(self._names),
            deliver=self.servers.send,
            steady=lambda: self.now,
            silence=self.settings.jobs.silence,
        )
        jobs = timetable(office, self.settings)
        return RehearsedWorker(office, [RunningJob(self._around(job), self.now) for job in jobs])

    def start(self) -> None:
        """Start the service, and check its mailbox."""
        while len(self.daemons) < self._wanted:
            self.daemons.append(self._open())
        self._look()

    def stop(self) -> None:
        """Stop the service between two jobs, as an operator does."""
        for daemon in self.daemons:
            self._end(daemon)
        self.daemons = []

    def _end(self, daemon: RehearsedWorker) -> None:
        """Close a daemon, with a sign of life that it ran until now."""
        with self.store.transaction() as tx:
            tx.meta.beat(self.now + self.ahead)
        daemon.office.store.close()

    def close(self) -> None:
        """Release all resources."""
        self.stop()
        self.store.close()
        self._runner.close()

    def turn_clock(self, seconds: int) -> None:
        """Set the clock of the service's machine forward or back."""
        self.ahead += seconds
        self._wake()

    # time

    def pass_until(self, until: int) -> None:
        """Let time pass; the service does its jobs when they are due."""
        while found := self._next(until):
            self.now, daemon, running = found
            self._do(daemon, running)
        self.now = max(self.now, until)

    def _next(self, until: int) -> tuple[int, RehearsedWorker, RunningJob] | None:
        best: tuple[int, RehearsedWorker, RunningJob] | None = None
        for daemon in self.daemons:
            for running in daemon.jobs:
                at = running.next(self.ahead)
                if at <= until and (best is None or at < best[0]):
                    best = (int(max(at, self.now)), daemon, running)
        return best

    def _do(self, daemon: RehearsedWorker, running: RunningJob) -> None:
        """Run one job until it finds nothing more; then run the jobs that it made work for."""
        running.last = self.now
        acted = False
        try:
            with self._surroundings(running.job):
                while done := self._runner.run(_taken(running.job)):
                    acted = True
                    if done < running.job.batch:
                        break
            # Nobody need check an empty mailbox.
            if running.job.fetches:
                running.due = 0 if self.servers.waiting else None
            elif running.job.due is not None:
                running.due = running.job.due()
        except Crashed as crash:
            self._crashed(daemon, crash)
            return
        due = running.due is not None and running.due - self.ahead <= self.now
        running.idle = True
        running.fruitless = running.fruitless + 1 if due and not acted else 0
        if acted:
            self._wake(running)
        if acted:
            self._follow(daemon, running.job)
        self._bring_back()

    @contextlib.contextmanager
    def _surroundings(self, job: Job) -> Iterator[None]:
        try:
            yield
        except (MailboxDown, Unavailable):
            pass  # the job is tried again at its next time
        except Exception as error:
            self.faults.append(f"the job {job.name} failed: {type(error).__name__}: {error}")

    def _wake(self, but: RunningJob | None = None) -> None:
        """Ask every job again, because something happened."""
        for daemon in self.daemons:
            for running in daemon.jobs:
                if running is not but:
                    running.idle, running.fruitless = False, 0

    def _follow(self, daemon: RehearsedWorker, job: Job) -> None:
        """Run the jobs that a job has made work for."""
        for running in daemon.jobs:
            if running.job.name in job.wakes and daemon in self.daemons:
                self._do(daemon, running)

    def _crashed(self, daemon: RehearsedWorker, crash: Crashed) -> None:
        """Replace a crashed daemon at once by another one with a new name."""
        self._told("note", self.now, f"the service ends {crash} and is started again", b"")
        self._end(daemon)
        self.daemons[self.daemons.index(daemon)] = self._open()
        self._wake()
        self._look()

    # emails

    def arrive(self, who: str, raw: bytes) -> None:
        """Deliver an email to Waybill, which the service handles at once."""
        self._told("in", self.now, who, raw)
        self.servers.arrive(raw)
        self._look()
        # Each daemon in turn is the first to hear of an email.
        self.daemons = self.daemons[1:] + self.daemons[:1]

    def _look(self) -> None:
        self._wake()
        for daemon in list(self.daemons):
            for running in list(daemon.jobs):
                if running.job.fetches and daemon in self.daemons:
                    self._do(daemon, running)

    def _bring_back(self) -> None:
        """Deliver waiting bounces to the mailbox."""
        waiting, self.servers.bounces = self.servers.bounces, []
        for raw in waiting:
            self.arrive("a mail server", raw)

    def _deliver(self, address: str, raw: bytes) -> None:
        letter = ReceivedEmail(len(self.letters) + 1, address, self.now, raw, parsed(raw))
        person = next((p for p in self.people.values() if p.has(address)), None)
        if person is not None and not person.get(letter):
            self._told("again", self.now, person.name, raw)
            return
        self.letters.append(letter)
        self._told("out", self.now, person.name if person else address, raw)


async def _taken(job: Job) -> int:
    return await job.step()

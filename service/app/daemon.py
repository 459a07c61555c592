"""The daemon: runs the office's jobs by a timetable until told to stop, and lets them finish."""

import asyncio
import contextlib
import signal
import time
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from service.app import supervisor
from service.app.monitor import Monitor
from service.app.office import Office
from service.app.timetable import Job, timetable
from service.mail.mailbox import MailboxDown
from service.settings import Settings
from service.store import Unavailable

log = structlog.get_logger()

#: seconds until the mailbox is tried again after trouble, at most
_REST = 30
#: seconds for which what waits for a server may go on after we were told to stop
_GRACE = 10
#: seconds between looks at the clock, and by how many it may go wrong between two
_BEAT, _JUMP = 30, 5


class Daemon:
    """The office with a timetable."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self.office = office
        self.settings = settings
        self._jobs = timetable(office, settings)
        #: what waits for a server keeps nothing else from being done
        self._busy = asyncio.Lock()
        self._alone = {job.name: asyncio.Lock() for job in self._jobs if job.beside}
        #: jobs that were woken and have not begun since, and what does them
        self._woken: dict[str, asyncio.Task[None]] = {}
        self._steps: set[asyncio.Future[int]] = set()
        self._stopping = asyncio.Event()
        self._monitor = Monitor(office, settings)
        office.alive = partial(supervisor.tell, supervisor.ALIVE)

    async def run(self) -> None:
        """Serve until SIGINT or SIGTERM; a job that has begun is finished first.

        Raises SettingsError where nothing can listen that should.
        """
        self._monitor.start()
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(sign, self.stop)
        log.info("serving", address=self.office.house.address)
        scheduler = self._scheduler()
        scheduler.start()
        tasks = [asyncio.create_task(task) for task in (self._listen(), self._keep_time(scheduler))]
        supervisor.tell(supervisor.READY)
        await self._stopping.wait()
        log.info("stopping")
        supervisor.tell(supervisor.STOPPING)
        await asyncio.to_thread(self._monitor.close)
        scheduler.pause()
        await self._look()
        await self._give_up(*tasks)
        await asyncio.gather(*tasks, *self._woken.values())
        # Whoever waits for these locks now sees that we stop; only then may the scheduler go.
        for lock in (self._busy, *self._alone.values()):
            async with lock:
                pass
        scheduler.shutdown(wait=False)
        await asyncio.to_thread(self.office.close)
        log.info("stopped")

    async def _give_up(self, *tasks: asyncio.Task[None]) -> None:
        """Let no server keep us: what waits for one has a while to come to its end."""
        waited: set[asyncio.Future[Any]] = {*tasks, *self._steps}
        await asyncio.wait(waited, timeout=_GRACE)
        if self.office.mailbox is not None:
            self.office.mailbox.interrupt()
        for step in self._steps:
            step.cancel()

    def stop(self) -> None:
        """End `run` as soon as the present job is done."""
        self._stopping.set()

    def _scheduler(self) -> AsyncIOScheduler:
        scheduler = AsyncIOScheduler(
            timezone="UTC", job_defaults={"max_instances": 1, "coalesce": True}
        )
        for job in self._jobs:
            # Only `_listen` fetches: the timetable wakes it.
            call = self._look if job.fetches else partial(self._do, job)
            scheduler.add_job(
                call,
                "interval",
                seconds=job.every,
                id=job.name,
                next_run_time=datetime.now(UTC),
            )
        return scheduler

    async def _keep_time(self, scheduler: AsyncIOScheduler) -> None:
        """Begin all jobs anew when the clock was set: the scheduler goes by it and would wait."""
        while not self._stopping.is_set():
            set_by = -time.time() + time.monotonic()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), _BEAT)
            set_by += time.time() - time.monotonic()
            if abs(set_by) > _JUMP:
                log.warning("the clock was set", seconds=round(set_by))
                for job in scheduler.get_jobs():
                    job.modify(next_run_time=datetime.now(UTC))

    async def _listen(self) -> None:
        """Fetch whenever the mailbox says that something came, or the timetable says to look.

        Only this task talks to the mailbox: an IMAP connection bears one talk at a time.
        """
        mailbox, every = self.office.mailbox, self.settings.jobs.fetch
        [fetch] = [job for job in self._jobs if job.fetches]
        while mailbox is not None and not self._stopping.is_set():
            try:
                if await fetch.step():
                    self._wake(fetch)
                else:
                    await asyncio.to_thread(mailbox.wait, every)
                continue
            except (MailboxDown, Unavailable) as error:
                if self._stopping.is_set():
                    return
                log.warning("not fetched", reason=str(error))
            except Exception:
                # Nobody looks after this task: a fault of ours must not end it.
                log.exception("not fetched")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), min(every, _REST))

    async def _step(self, job: Job) -> int:
        if not job.gives_up:
            return await job.step()
        step = asyncio.ensure_future(job.step())
        self._steps.add(step)
        try:
            return await step
        finally:
            self._steps.discard(step)

    async def _look(self) -> None:
        """Have the mailbox looked into now."""
        if self.office.mailbox is not None:
            self.office.mailbox.wake()

    def _wake(self, by: Job) -> None:
        """Have the jobs done for which a job has made work, beside those that are at work."""
        for job in self._jobs:
            if job.name in by.wakes and job.name not in self._woken:
                self._woken[job.name] = asyncio.create_task(self._do(job))

    async def _do(self, job: Job) -> None:
        """Do a job until there is nothing left to do, or to stop is wanted."""
        async with self._alone.get(job.name, self._busy):
            # Work that is made from now on may be missed by the last look: it wakes the job anew.
            self._woken.pop(job.name, None)
            try:
                while not self._stopping.is_set() and (done := await self._step(job)):
                    self._wake(job)
                    if done < job.batch:
                        break
            except Unavailable as error:
                log.warning("not done", job=job.name, reason=str(error))
            except Exception:
                log.exception("not done", job=job.name)

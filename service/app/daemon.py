"""The daemon: runs the jobs by a timetable until it is told to stop, and lets them finish."""

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
from service.app.lmtp import Lmtp
from service.app.monitor import Monitor
from service.app.office import Office
from service.app.timetable import Job, timetable
from service.mail.mailbox import MailboxDown
from service.settings import Settings
from service.store import Unavailable

log = structlog.get_logger()

#: seconds until the mailbox is tried again after trouble, at most
_REST = 30
#: seconds for which waiting for a server may go on after the signal to stop
_GRACE = 10
#: seconds between looks at the clock, and the largest error of the clock between two
_BEAT, _JUMP = 30, 5


class Daemon:
    """Runs the jobs of an office by the timetable."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self.office = office
        self.settings = settings
        self._jobs = timetable(office, settings)
        #: waiting for a server blocks no other job
        self._busy = asyncio.Lock()
        self._alone = {job.name: asyncio.Lock() for job in self._jobs if job.beside}
        #: jobs that were woken and have not begun yet, with their tasks
        self._woken: dict[str, asyncio.Task[None]] = {}
        self._steps: set[asyncio.Future[int]] = set()
        self._stopping = asyncio.Event()
        self._monitor = Monitor(office, settings)
        self._lmtp = Lmtp(settings)
        office.alive = partial(supervisor.tell, supervisor.ALIVE)

    async def run(self) -> None:
        """Serve until SIGINT or SIGTERM; a job that has begun is finished first.

        Raises SettingsError if the monitor or the LMTP server cannot listen.
        """
        self._monitor.start()
        await self._lmtp.start()
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
        self._lmtp.close()
        scheduler.pause()
        await self._look()
        await self._give_up(*tasks)
        await asyncio.gather(*tasks, *self._woken.values())
        # Everything that waits for these locks now sees the stop; only then may the scheduler end.
        for lock in (self._busy, *self._alone.values()):
            async with lock:
                pass
        scheduler.shutdown(wait=False)
        await asyncio.to_thread(self.office.close)
        log.info("stopped")

    async def _give_up(self, *tasks: asyncio.Task[None]) -> None:
        """Let no server delay the end: tasks that wait for one get some time to finish."""
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
            # Only `_listen` fetches; the timetable wakes it.
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
        """Start all jobs again after the clock was set, because the scheduler would wait by it."""
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
        """Fetch whenever the mailbox reports email, or the timetable says so.

        Only this task uses the mailbox, because an IMAP connection allows one dialog at a time.
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
                # Nobody watches this task, so a bug in Waybill must not end it.
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
        """Ask for a look into the mailbox now."""
        if self.office.mailbox is not None:
            self.office.mailbox.wake()

    def _wake(self, by: Job) -> None:
        """Start the jobs for which a job has made work, beside the running ones."""
        for job in self._jobs:
            if job.name in by.wakes and job.name not in self._woken:
                self._woken[job.name] = asyncio.create_task(self._do(job))

    async def _do(self, job: Job) -> None:
        """Do a job until nothing is left to do or the daemon stops."""
        async with self._alone.get(job.name, self._busy):
            # The last look may miss work that is made from now on, so it wakes the job again.
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

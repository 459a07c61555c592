"""The daemon: runs the jobs by a timetable until it is told to stop, and lets them finish."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Collection
from datetime import UTC, datetime
from functools import partial
from typing import Any

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from service.app import supervisor
from service.app.lmtp import Lmtp
from service.app.monitor import Monitor
from service.app.office import Office
from service.app.timetable import STAGES, Job, WorkerStage, timetable
from service.app.upgrading import SUPERSEDED
from service.mail.mailbox import Mailbox, MailboxDown
from service.settings import Settings
from service.store import Unavailable

log = structlog.get_logger()

#: emails that are fetched before the first of them is handled
_A_BATCH = 8
#: seconds until a mailbox is tried again after trouble, at most
_REST = 30
#: seconds for which waiting for a server may go on after the signal to stop
_GRACE = 10
#: seconds between looks at the clock, and the largest error of the clock between two
_BEAT, _JUMP = 30, 5
#: seconds between looks for workers that have died, and for locks that are free
_LOOK = 0.25
#: seconds between questions whether a mail server that took no letter is back
_ASK = 3
#: the job that begins when a table has new rows
_BEGINS = {"inbox": "moderate", "task": "moderate", "outbox": "send"}


class Daemon:
    """Runs the jobs of an office by the timetable: those of the stages that this worker does."""

    def __init__(
        self, office: Office, settings: Settings, only: Collection[WorkerStage] = STAGES
    ) -> None:
        self.office = office
        self.settings = settings
        self._jobs = [job for job in timetable(office, settings) if job.stage in only]
        office.leads = False
        #: waiting for a server blocks no other job
        self._busy = asyncio.Lock()
        self._alone = {job.name: asyncio.Lock() for job in self._jobs if job.beside}
        #: jobs that were woken and have not begun yet, with their tasks
        self._woken: dict[str, asyncio.Task[None]] = {}
        self._steps: set[asyncio.Future[int]] = set()
        self._stopping = asyncio.Event()
        self._superseded = False
        self._monitor = Monitor(office, settings)
        self._lmtp = Lmtp(settings) if "fetch" in only else None
        office.alive = partial(supervisor.tell, supervisor.ALIVE)

    async def run(self) -> None:
        """Serve until SIGINT or SIGTERM; a job that has begun is finished first.

        Raises SettingsError if the monitor or the LMTP server cannot listen, and Unavailable at the
        end if it ended because another worker upgrades the tables.
        """
        self._monitor.start()
        if self._lmtp is not None:
            await self._lmtp.start()
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(sign, self.stop)
        with contextlib.suppress(Unavailable):
            await self._look_around()
        log.info("serving", address=self.office.service.address, worker=self.office.worker)
        scheduler = self._scheduler()
        scheduler.start()
        listening = [self._listen(mailbox) for mailbox in self.office.mailboxes]
        lasting = (*listening, self._keep_time(scheduler), self._watch(), self._ask())
        tasks = [asyncio.create_task(task) for task in lasting]
        supervisor.tell(supervisor.READY)
        await self._stopping.wait()
        log.info("stopping")
        supervisor.tell(supervisor.STOPPING)
        await asyncio.to_thread(self._monitor.close)
        if self._lmtp is not None:
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
        if self._superseded:
            raise Unavailable(SUPERSEDED)

    async def _give_up(self, *tasks: asyncio.Task[None]) -> None:
        """Let no server delay the end: tasks that wait for one get some time to finish."""
        waited: set[asyncio.Future[Any]] = {*tasks, *self._steps}
        await asyncio.wait(waited, timeout=_GRACE)
        for mailbox in self.office.mailboxes:
            mailbox.interrupt()
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
            await self._pause(_BEAT)
            set_by += time.time() - time.monotonic()
            if abs(set_by) > _JUMP:
                log.warning("the clock was set", seconds=round(set_by))
                for job in scheduler.get_jobs():
                    job.modify(next_run_time=datetime.now(UTC))

    async def _listen(self, mailbox: Mailbox) -> None:
        """Fetch whenever a mailbox reports email, or the timetable says so.

        Only this task uses the mailbox, because an IMAP connection allows one dialog at a time.
        """
        office, every = self.office, self.settings.jobs.fetch
        fetch = next((job for job in self._jobs if job.fetches), None)
        while fetch is not None and not self._stopping.is_set():
            try:
                if not await asyncio.to_thread(office.fetches, mailbox):
                    await self._pause(_LOOK)
                elif await asyncio.to_thread(office.fetch_from, mailbox, _A_BATCH):
                    self._wake(*fetch.wakes)
                else:
                    await asyncio.to_thread(mailbox.wait, every)
                continue
            except (MailboxDown, Unavailable) as error:
                if self._stopping.is_set():
                    return
                log.warning("not fetched", mailbox=mailbox.name, reason=str(error))
            except Exception:
                # Nobody watches this task, so a bug in Waybill must not end it.
                log.exception("not fetched")
            await self._pause(min(every, _REST))

    async def _pause(self, seconds: float) -> None:
        """Wait so many seconds, or until the signal to stop."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _watch(self) -> None:
        """Begin what other workers have made, and take over from those that have died."""
        presence = self.office.presence
        while presence is not None and not self._stopping.is_set():
            try:
                for table in await asyncio.to_thread(presence.wait, _LOOK):
                    self._wake(_BEGINS[table])
                await self._look_around()
            except Unavailable as error:
                log.warning("the other workers are not known", reason=str(error))
                await self._pause(_LOOK)
            except Exception:
                log.exception("not looked around")
                await self._pause(_LOOK)
            await self.office.tell_at_once()

    async def _ask(self) -> None:
        """Send as soon as a mail server is back."""
        while any(job.name == "send" for job in self._jobs) and not self._stopping.is_set():
            await self._pause(_ASK)
            try:
                if await self.office.sends_again():
                    self._wake("send")
            except Unavailable as error:
                log.warning("no mail server asked", reason=str(error))
            except Exception:
                log.exception("no mail server asked")

    async def _look_around(self) -> None:
        """Take over the work of dead workers, and the lead if nobody has it.

        End if the tables are upgraded.
        """
        presence = self.office.presence
        if presence is not None and await asyncio.to_thread(presence.must_end):
            log.warning("the tables are upgraded, so this worker ends")
            self._superseded = True
            self.stop()
            return
        if await asyncio.to_thread(self.office.take_up):
            self._wake("moderate", "send")
        if any(job.leads for job in self._jobs):
            await asyncio.to_thread(self.office.lead)

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
        """Ask for a look into the mailboxes now."""
        for mailbox in self.office.mailboxes:
            mailbox.wake()

    def _wake(self, *names: str) -> None:
        """Start jobs for which there is new work, beside the running ones."""
        for job in self._jobs:
            if job.name in names and job.name not in self._woken:
                self._woken[job.name] = asyncio.create_task(self._do(job))

    async def _do(self, job: Job) -> None:
        """Do a job until nothing is left to do or the daemon stops."""
        if job.leads and not self.office.leads:
            return
        async with self._alone.get(job.name, self._busy):
            # The last look may miss work that is made from now on, so it wakes the job again.
            self._woken.pop(job.name, None)
            try:
                while not self._stopping.is_set() and (done := await self._step(job)):
                    self._wake(*job.wakes)
                    if done < job.batch:
                        break
            except Unavailable as error:
                log.warning("not done", job=job.name, reason=str(error))
            except Exception:
                log.exception("not done", job=job.name)

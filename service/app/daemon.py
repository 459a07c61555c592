"""The daemon: runs the office's jobs by a timetable until told to stop, and lets them finish."""

import asyncio
import contextlib
import signal
from functools import partial
from pathlib import Path
from typing import Literal

import structlog
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from service.app.office import Office
from service.app.timetable import Job, timetable
from service.desk.post import House
from service.mail.identity import SLUG_LENGTH
from service.mail.mailbox import ImapMailbox, Mailbox, MailboxDown
from service.mail.sender import SmtpSettings
from service.settings import Settings, SettingsError, check_mail, data_folder, secret
from service.store import Store, Unavailable

log = structlog.get_logger()

#: seconds until the mailbox is tried again after trouble, at most
_REST = 30

#: a setting's word for encryption → the mail rooms'
_TLS: dict[str, Literal["implicit", "starttls", "none"]] = {
    "tls": "implicit",
    "starttls": "starttls",
    "none": "none",
}


def house_of(settings: Settings) -> House:
    """Who the moderator is, by the settings. Raises SettingsError."""
    house = House(
        address=settings.mail.address,
        name=settings.mail.name,
        secret=secret(settings),
        operator=settings.mail.operator,
        strict=settings.play.identity == "standard",
        templates=Path(settings.templates.dir) if settings.templates.dir else None,
        overlays=Path(settings.play.overlays) if settings.play.overlays else None,
    )
    longest = "x" * SLUG_LENGTH
    try:
        house.seat_address(longest, longest)
    except ValueError as error:
        text = f"mail.address: {house.address} is too long for addresses of seats made of it"
        raise SettingsError(f"{text}; 13 characters before the @ are possible") from error
    return house


def mailbox_of(settings: Settings) -> Mailbox | None:
    """The mailbox, None where no IMAP server is set."""
    imap = settings.imap
    if not imap.host:
        return None
    tls = _TLS[imap.tls]
    return ImapMailbox(
        imap.host,
        imap.port,
        imap.user,
        imap.secret(),
        tls,
        folder=imap.folder,
        done_folder=imap.done_folder,
    )


def smtp_of(settings: Settings) -> SmtpSettings | None:
    """The SMTP server, None where none is set."""
    smtp = settings.smtp
    if not smtp.host:
        return None
    tls = _TLS[smtp.tls]
    hello = settings.mail.address.rpartition("@")[2] or "localhost"
    return SmtpSettings(smtp.host, smtp.port, tls, smtp.user, smtp.secret(), hello=hello)


def open_store(settings: Settings) -> Store:
    """The store, its tables up to date."""
    data_folder(settings)
    store = Store(settings.database_url, settings.answers)
    store.upgrade()
    return store


def open_office(settings: Settings) -> Office:
    """All that the jobs need; raises SettingsError or Unavailable in plain words."""
    check_mail(settings)
    house = house_of(settings)
    store = open_store(settings)
    return Office(store, house, mailbox_of(settings), smtp_of(settings))


class Daemon:
    """The office with a timetable."""

    def __init__(self, office: Office, settings: Settings) -> None:
        self.office = office
        self.settings = settings
        self._jobs = timetable(office, settings.jobs)
        self._busy = asyncio.Lock()
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Serve until SIGINT or SIGTERM; a job that has begun is finished first."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):
                loop.add_signal_handler(sign, self.stop)
        scheduler = self._scheduler()
        scheduler.start()
        log.info("serving", address=self.office.house.address)
        listening = asyncio.create_task(self._listen())
        await self._stopping.wait()
        log.info("stopping")
        scheduler.pause()
        await self._look()
        await listening
        # Whoever waits for this lock now sees that we stop; only then may the scheduler go.
        async with self._busy:
            pass
        scheduler.shutdown(wait=False)
        if self.office.mailbox is not None:
            await asyncio.to_thread(self.office.mailbox.close)
        self.office.store.close()
        log.info("stopped")

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
            scheduler.add_job(call, "interval", seconds=job.every, id=job.name)
        return scheduler

    async def _listen(self) -> None:
        """Fetch whenever the mailbox says that something came, or the timetable says to look.

        Only this task talks to the mailbox: an IMAP connection bears one talk at a time.
        """
        mailbox, every = self.office.mailbox, self.settings.jobs.fetch
        [fetch] = [job for job in self._jobs if job.fetches]
        while mailbox is not None and not self._stopping.is_set():
            try:
                async with self._busy:
                    kept = await fetch.step()
                if kept:
                    for job in self._jobs:
                        if job.follows_mail:
                            await self._do(job)
                else:
                    await asyncio.to_thread(mailbox.wait, every)
                continue
            except (MailboxDown, Unavailable) as error:
                log.warning("not fetched", reason=str(error))
            except Exception:
                # Nobody looks after this task: a fault of ours must not end it.
                log.exception("not fetched")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), min(every, _REST))

    async def _look(self) -> None:
        """Have the mailbox looked into now."""
        if self.office.mailbox is not None:
            self.office.mailbox.wake()

    async def _do(self, job: Job) -> None:
        """Do a job until there is nothing left to do, or to stop is wanted."""
        async with self._busy:
            try:
                while not self._stopping.is_set() and await job.step():
                    pass
            except Unavailable as error:
                log.warning("not done", job=job.name, reason=str(error))

"""The timetable: every repeated job of the service, and how often it runs.

Every runner of the service takes its jobs from here: the daemon with the real clock, a rehearsal
with its own clock.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from service.app.office import BATCH, Office
from service.app.showing import keep_pages
from service.app.wiring import publishing_of
from service.settings import Settings

#: seconds after which the pages of no further game are begun, so that the service can stop
_A_PIECE = 5

WorkerStage = Literal["fetch", "moderate", "send"]
"""What a worker can do.

Any number of workers moderate and send; one at a time fetches from each mailbox.

One of those that moderate leads: it also does the jobs that time alone causes. Pictures are drawn
while an email is moderated: they show the position that its move leads to, and are stored with the
letters in one transaction. So drawing is no stage.
"""
STAGES: tuple[WorkerStage, ...] = get_args(WorkerStage)


@dataclass(frozen=True)
class Job:
    """A job that is repeated every so many seconds.

    A ``step`` does a piece of the work, or ``batch`` pieces, and returns how many. If it did that
    many, it runs again at once. It raises MailboxDown or Unavailable if its environment fails; then
    it runs again next time. ``due`` returns when it will find work if nothing else happens (UTC
    seconds, None for never), so that a runner can skip the looks before. Without ``due`` nobody
    knows.
    """

    name: str
    every: int
    step: Callable[[], Awaitable[int]]
    due: Callable[[], int | None] | None = None
    #: pieces that a step does if there are so many
    batch: int = 1
    #: whether it looks into the mailboxes
    fetches: bool = False
    #: whether it may run beside others: it waits for a server or reads, and writes only its own
    #: data
    beside: bool = False
    #: whether it may be cancelled: it then stops waiting and stores what it knows
    gives_up: bool = False
    #: which workers do it
    stage: WorkerStage = "moderate"
    #: whether only the leader among them does it
    leads: bool = False
    #: names of the jobs for which a step that did something may have made work; they run too
    wakes: Sequence[str] = ()


def timetable(office: Office, settings: Settings) -> tuple[Job, ...]:
    """The jobs of an office, in the order in which they run if several are due."""
    store, every, data = office.store, settings.jobs, settings.data

    async def fetch() -> bool:
        return await asyncio.to_thread(office.fetch) > 0

    async def moderate() -> bool:
        return await asyncio.to_thread(office.moderate)

    def handles_at() -> int | None:
        due = store.work.due()
        return min((at for at in (due.mail, due.task) if at is not None), default=None)

    async def remind() -> bool:
        # Emails that came before go first.
        while await moderate():
            pass
        await asyncio.to_thread(office.remind)
        return False

    async def tidy() -> bool:
        await asyncio.to_thread(office.tidy, data.picture_days, data.letter_days, data.mail_days)
        return False

    publishing = publishing_of(settings, store)

    async def publish() -> bool:
        return await asyncio.to_thread(keep_pages, publishing, _A_PIECE)

    pages = Job("publish", settings.publish.seconds, publish, beside=True, leads=True)
    return (
        Job("look", every.fetch, fetch, fetches=True, stage="fetch", wakes=("moderate",)),
        Job("moderate", every.moderate, moderate, handles_at, wakes=("send",)),
        Job(
            "send",
            every.send,
            office.send,
            lambda: store.work.due().letter,
            batch=BATCH,
            beside=True,
            gives_up=True,
            stage="send",
        ),
        Job("remind", every.remind, remind, office.reminds_at, leads=True),
        Job("tidy", every.tidy, tidy, leads=True),
        *([pages] if publishing else ()),
    )

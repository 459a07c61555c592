"""What is to be done next, of all queues, and what was claimed and is given back."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Executable, and_, case, exists, func, update
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col, select

from service.store.claims import NOW, PAUSES, Claimed, Queue, Queued, let_go
from service.store.database import session_of
from service.store.mails import next_mail
from service.store.tables import Game, Inbox, Outbox, TaskRecord
from service.store.tasks import next_task


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows stand in each status."""

    inbox: dict[str, int]
    outbox: dict[str, int]
    games: dict[str, int]


@dataclass(frozen=True, slots=True)
class Due:
    """When each kind of work is next to be done, in UTC seconds; None where none waits."""

    mail: int | None
    letter: int | None
    task: int | None


class WorkQueue(Queue):
    """All that is to be done, of any kind; every method is a transaction of its own."""

    def claim(
        self, worker: str, now: int, lease: int, before: Sequence[str], after: Sequence[str]
    ) -> Claimed | None:
        """What is to be done next: a task of the kinds ``before``, else a mail, else one ``after``.

        Each as `TaskQueue.claim` and `MailQueue.claim` hand it out; None where nothing can begin.
        """
        with session_of(self._engine) as session:
            task, mail = session.execute(_waits(), {"at": now}).one()
            if task and (first := next_task(session, worker, now, lease, before)):
                return first
            if mail and (found := next_mail(session, worker, now, lease)):
                return found
            return next_task(session, worker, now, lease, after) if task else None

    def release(self, row: Claimed) -> bool:
        """Give claimed work back, to be begun again at once; its tries still count."""
        return let_go(self._engine, row, status="new")

    def put_off(self, row: Claimed, now: int, note: str) -> bool:
        """Give back claimed work that our surroundings stopped; it counts as no try.

        It is begun again later each time, and its game waits for it.
        """
        pause = PAUSES[min(row.faults, len(PAUSES) - 1)]
        return let_go(
            self._engine,
            row,
            status="new",
            tries=max(row.tries - 1, 0),
            faults=row.faults + 1,
            next_try=now + pause,
            note=note,
        )

    def shunt(self, row: Claimed, note: str) -> bool:
        """Put claimed work aside with what went wrong; False when the claim had run out."""
        return let_go(self._engine, row, status="shunted", note=note)

    def give_back(self, worker: str, now: int) -> int:
        """Free all that a worker held that is no more; how many rows there were.

        What was begun for the first time is free at once. What was begun before waits, longer each
        time: processes that are stopped one after the other must not be counted against it.
        """
        freed = 0
        with session_of(self._engine) as session:
            for table in (Inbox, Outbox, TaskRecord):
                held = and_(col(table.status) == "working", col(table.worker) == worker)
                pauses = {n: now + pause for n, pause in enumerate(PAUSES, 2)}
                begun = col(table.tries)
                waits = case(
                    pauses, value=begun, else_=case((begun > 1, now + PAUSES[-1]), else_=0)
                )
                freed_as: dict[str, object] = {"status": "new", "worker": "", "lease": 0}
                if table is not Outbox:  # what a server has to say of a letter kills nobody
                    freed_as["next_try"] = waits
                gone = update(table).where(held).values(**freed_as)
                freed += session.exec(gone).rowcount
        return freed

    def counts(self) -> Counts:
        """How many mails and games stand in each status."""
        with session_of(self._engine) as session:
            inbox, outbox, games = (
                {
                    status: number
                    for status, number in session.execute(
                        select(table.status, func.count()).group_by(table.status)
                    )
                }
                for table in (Inbox, Outbox, Game)
            )
        return Counts(inbox, outbox, games)

    def due(self) -> Due:
        """When there is work next, if nothing else happens; 0 for what can be begun at once.

        A letter that failed and was told to nobody is work, too.
        """
        untold = (col(Outbox.status) == "failed", col(Outbox.told).is_(None))
        with session_of(self._engine) as session:
            mail = _first(session, Inbox, col(Inbox.next_try))
            letter = _first(session, Outbox, col(Outbox.next_try))
            task = _first(session, TaskRecord, col(TaskRecord.due))
            if session.exec(select(Outbox.id).where(*untold).limit(1)).first() is not None:
                letter = 0
        return Due(mail, letter, task)


def _first(session: Session, table: type[Queued], at: Mapped[int]) -> int | None:
    """When the first row of a queue can be begun; ``at`` is its column of those that are new."""
    new = select(func.min(at)).where(col(table.status) == "new")
    held = select(func.min(table.lease)).where(col(table.status) == "working")
    times = [session.exec(new).one(), session.exec(held).one()]
    return min((one for one in times if one is not None), default=None)


@cache
def _waits() -> Executable:
    """Whether any task is due that is not settled, and whether any mail is not."""
    open_ = ("new", "working")
    task = exists().where(col(TaskRecord.status).in_(open_), col(TaskRecord.due) <= NOW)
    return select(task, exists().where(col(Inbox.status).in_(open_)))

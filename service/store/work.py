"""Chooses the next work of all queues, and returns claimed work."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    ColumnElement,
    Executable,
    and_,
    case,
    exists,
    false,
    func,
    select,
    text,
    true,
    update,
)

from service.store.claims import NOW, PAUSES, Claimed, Queue, let_go
from service.store.columns import col, table_of
from service.store.database import Session, session_of
from service.store.mails import next_mail
from service.store.meta import HeartbeatRow, deaf
from service.store.tables import LATER, SOON, UNSETTLED, GameRow, InboxRow, OutboxRow, TaskRow
from service.store.tasks import next_task


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of rows in each status."""

    inbox: dict[str, int]
    outbox: dict[str, int]
    games: dict[str, int]


@dataclass(frozen=True, slots=True)
class Due:
    """When the next work of each kind is due, in UTC seconds; None if none waits."""

    mail: int | None
    letter: int | None
    task: int | None


class WorkQueue(Queue):
    """All work of any kind. Every method is its own transaction."""

    def claim(
        self,
        worker: str,
        now: int,
        lease: int,
        kinds: Sequence[str],
        overdue: Collection[str] = (),
    ) -> Claimed | None:
        """Claim the next work: a task of these kinds that comes soon, an email, or a later task.

        While the mailbox cannot be read, nobody knows who has not written, so tasks of the kinds
        ``overdue`` wait. `TaskQueue.claim` and `MailQueue.claim` describe the claims. None if
        nothing can begin.
        """
        with session_of(self._engine) as session:
            soon, later, mail, deaf = session.execute(_waits(), {"at": now}).one()
            ready = [kind for kind in kinds if not (deaf and kind in overdue)]
            if soon and (first := next_task(session, worker, now, lease, ready, SOON)):
                return first
            if mail and (found := next_mail(session, worker, now, lease)):
                return found
            return next_task(session, worker, now, lease, ready, LATER) if later else None

    def release(self, row: Claimed) -> bool:
        """Return claimed work to be begun again at once; its tries still count."""
        return let_go(self._engine, row, status="new")

    def put_off(self, row: Claimed, now: int, note: str) -> bool:
        """Return claimed work that our environment stopped; this does not count as a try.

        The pause grows each time, and its game waits for it.
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

    def put_aside(self, row: Claimed, note: str) -> bool:
        """Put claimed work aside with the error; False if the claim had expired."""
        return let_go(self._engine, row, status="shunted", note=note)

    def give_back(self, worker: str, now: int) -> int:
        """Free all rows of a dead worker; returns how many.

        Work that was begun for the first time is free at once. Other work waits, longer each time:
        it must not count against the work if several processes are stopped one after the other.
        """
        freed = 0
        with session_of(self._engine) as session:
            for kind in (InboxRow, OutboxRow, TaskRow):
                table = table_of(kind)
                held = and_(table.c.status == "working", table.c.worker == worker)
                pauses = {n: now + pause for n, pause in enumerate(PAUSES, 2)}
                begun = table.c.tries
                waits = case(
                    pauses, value=begun, else_=case((begun > 1, now + PAUSES[-1]), else_=0)
                )
                freed_as: dict[str, object] = {"status": "new", "worker": "", "lease": 0}
                if kind is not OutboxRow:  # a server's answer to a letter kills no worker
                    freed_as["next_try"] = waits
                gone = update(table).where(held).values(**freed_as)
                freed += session.execute(gone).rowcount
        return freed

    def counts(self, *, settled: bool = True) -> Counts:
        """The number of emails and games in each status.

        Without ``settled``, those that are over are not counted. Only then does the cost not grow
        with all that ever happened.
        """
        with session_of(self._engine) as session:
            inbox, outbox, games = (
                {
                    status: number
                    for status, number in session.execute(
                        select(table.c.status, func.count())
                        .where(true() if settled else table.c.status.in_(live))
                        .group_by(table.c.status)
                    )
                }
                for table, live in zip(map(table_of, _LIVE), _LIVE.values(), strict=True)
            )
        return Counts(inbox, outbox, games)

    def due(self) -> Due:
        """When the next work is due if nothing else happens; 0 for work that can begin at once.

        A failed letter that was not reported is work, too.
        """
        untold = (col(OutboxRow.status) == "failed", col(OutboxRow.told).is_(None))
        with session_of(self._engine) as session:
            mail = _first(session, InboxRow, col(InboxRow.next_try))
            letter = _first(session, OutboxRow, col(OutboxRow.next_try))
            task = _first(session, TaskRow, col(TaskRow.due))
            if session.scalar(select(col(OutboxRow.id)).where(*untold).limit(1)) is not None:
                letter = 0
        return Due(mail, letter, task)


_LIVE = {
    InboxRow: ("new", "working", "shunted"),
    OutboxRow: ("new", "working", "failed"),
    GameRow: ("open", "running"),
}
"""The statuses of what is not over."""


def _first(session: Session, kind: type, at: ColumnElement[int]) -> int | None:
    """When the first row of a queue can be begun;

    ``at`` is the column that says so for new rows.
    """
    table = table_of(kind)
    new = select(func.min(at)).where(table.c.status == "new")
    held = select(func.min(table.c.lease)).where(table.c.status == "working")
    times = [session.scalar(new), session.scalar(held)]
    return min((one for one in times if one is not None), default=None)


@cache
def _waits() -> Executable:
    """What there is: a due task of each rank, an email, and a mailbox out of reach."""
    # The first of an index. If PostgreSQL expects many rows, it looks for one in the whole table.
    open_ = text(UNSETTLED)
    mail = select(col(InboxRow.id)).where(open_).order_by(col(InboxRow.id)).limit(1)
    deaf_now = exists(select(col(HeartbeatRow.name)).where(deaf()))
    tasks = (
        select(col(TaskRow.due))
        .where(open_, col(TaskRow.rank) == rank)
        .order_by(col(TaskRow.due))
        .limit(1)
        for rank in (SOON, LATER)
    )
    due = [func.coalesce(task.scalar_subquery() <= NOW, false()) for task in tasks]
    return select(*due, mail.scalar_subquery().is_not(None), deaf_now)

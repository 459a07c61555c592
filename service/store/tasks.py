"""Tasks: work for a certain time. The module knows no kinds of tasks and has no clock.

Tasks of a game are done in the order of their due times, and after the emails that came before.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from sqlalchemy import BigInteger, Delete, String, and_, bindparam, delete, func, or_, update
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, col, select

from service.store.claims import NOW, Queue, Wanted, busy, claim, claiming, free
from service.store.database import (
    AlreadySettled,
    Repository,
    insert_all_new,
    insert_new,
    session_of,
    table_of,
)
from service.store.rows import Task, TaskRow, frozen
from service.store.tables import Inbox, TaskRecord

_KINDS = bindparam("kinds", type_=String, expanding=True)


class TaskQueue(Queue):
    """The tasks of one database. Every method is its own transaction."""

    def claim(self, worker: str, now: int, lease: int, kinds: Sequence[str]) -> TaskRow | None:
        """Claim the first due task of these kinds without older unfinished work of its game."""
        with session_of(self._engine) as session:
            return next_task(session, worker, now, lease, kinds)

    def aside(self) -> tuple[TaskRow, ...]:
        """The tasks that were set aside, oldest first."""
        wanted = select(TaskRecord).where(TaskRecord.status == "shunted")
        with session_of(self._engine) as session:
            found = session.exec(wanted.order_by(col(TaskRecord.id)))
            return tuple(frozen(TaskRow, task) for task in found)

    def retry(self, task: int) -> bool:
        """Let a task that was set aside be tried again; False if there is no such task."""
        aside = (col(TaskRecord.id) == task, col(TaskRecord.status) == "shunted")
        again = update(TaskRecord).where(*aside).values(status="new", tries=0, note="", next_try=0)
        with session_of(self._engine) as session:
            return session.exec(again).rowcount == 1


def next_task(
    session: Session, worker: str, now: int, lease: int, kinds: Sequence[str]
) -> TaskRow | None:
    """See `Tasks.claim_task`."""
    found = claim(session, _next(), worker, now, lease, kinds=kinds)
    return frozen(TaskRow, found[0]) if found else None


@cache
def _next() -> ReturningUpdate[TaskRecord]:
    which = and_(
        col(TaskRecord.kind).in_(_KINDS),
        col(TaskRecord.due) <= NOW,
        free(TaskRecord),
        ~_behind_a_mail(),
        ~_behind_a_task(),
    )
    return claiming(TaskRecord, which, (col(TaskRecord.due), col(TaskRecord.id)))


def _behind_a_mail() -> Wanted:
    """An email of the game came before the task was due and is not settled, or is in progress."""
    open_ = col(Inbox.status).in_(("new", "working"))
    before = and_(open_, col(Inbox.received) <= TaskRecord.due)
    same = and_(col(Inbox.game) == TaskRecord.game, col(TaskRecord.game) != "")
    return select(Inbox.id).where(same, or_(before, busy(Inbox))).exists()


def _behind_a_task() -> Wanted:
    other = aliased(TaskRecord)
    sooner = or_(
        col(other.due) < TaskRecord.due,
        and_(col(other.due) == TaskRecord.due, col(other.id) < TaskRecord.id),
    )
    unfinished = and_(col(other.status).in_(("new", "working")), col(other.kind).in_(_KINDS))
    another = and_(col(other.id) != TaskRecord.id, busy(other))
    same = and_(col(other.game) == TaskRecord.game, col(TaskRecord.game) != "")
    return select(other.id).where(same, or_(and_(unfinished, sooner), another)).exists()


class Tasks(Repository):
    """The work for certain times."""

    def add(self, task: Task, now: int) -> int | None:
        """Add a task; None if there already was a task with that key."""
        return insert_new(self._session, TaskRecord, **_values(task, now))

    def add_all(self, tasks: Iterable[Task], now: int) -> None:
        """Add those tasks whose keys are new."""
        insert_all_new(self._session, TaskRecord, [_values(task, now) for task in tasks])

    def of(self, kind: str, game: str, seat: str) -> tuple[TaskRow, ...]:
        """The waiting tasks of a kind for a seat, oldest first."""
        mine = (TaskRecord.kind == kind, TaskRecord.game == game, TaskRecord.seat == seat)
        wanted = select(TaskRecord).where(*mine, TaskRecord.status == "new")
        found = self._session.exec(wanted.order_by(col(TaskRecord.id)))
        return tuple(frozen(TaskRow, task) for task in found)

    def date(self, kind: str, game: str, due: int) -> None:
        """Change the due time of the waiting tasks of a kind for a game."""
        mine = (col(TaskRecord.kind) == kind, col(TaskRecord.game) == game)
        waits = (*mine, col(TaskRecord.status) == "new")
        self._session.exec(update(TaskRecord).where(*waits).values(due=due))

    def withdraw(self, task: int, note: str) -> None:
        """Settle a task that was not begun and is not needed."""
        waits = (col(TaskRecord.id) == task, col(TaskRecord.status) == "new")
        self._session.exec(update(TaskRecord).where(*waits).values(status="done", note=note))

    def replace(self, tasks: Sequence[Task], now: int) -> None:
        """Have something done for seats when it is due, in place of what was to be done later.

        What is due earlier stays: it finds out what is due then, and plans again.
        """
        given = [{"what": t.kind, "of": t.game, "by": t.seat, "until": t.due} for t in tasks]
        if given:
            self._session.execute(_later(), given)
        self.add_all(tasks, now)

    def forget(self, before: int) -> None:
        """Delete finished tasks that were due before then."""
        old = (col(TaskRecord.status) == "done", col(TaskRecord.due) < before)
        self._session.exec(delete(TaskRecord).where(*old))

    def finish(self, task: int, note: str = "") -> None:
        """Settle a claimed task. Raises AlreadySettled if the claim has expired."""
        self._settle(task, "done", note)

    def shunt(self, task: int, note: str) -> None:
        """Set a claimed task aside. Raises AlreadySettled if the claim has expired."""
        self._settle(task, "shunted", note)

    def aside(self, limit: int) -> tuple[int, tuple[TaskRow, ...]]:
        """The number of tasks that are set aside, and the latest of them, newest first."""
        which = col(TaskRecord.status) == "shunted"
        number = self._session.exec(select(func.count()).where(which)).one()
        wanted = select(TaskRecord).where(which).order_by(col(TaskRecord.id).desc()).limit(limit)
        return number, tuple(frozen(TaskRow, task) for task in self._session.exec(wanted))

    def _settle(self, task: int, status: str, note: str) -> None:
        working = (col(TaskRecord.id) == task, col(TaskRecord.status) == "working")
        settled = {"status": status, "note": note, "worker": "", "lease": 0}
        done = self._session.exec(update(TaskRecord).where(*working).values(**settled))
        if done.rowcount != 1:
            raise AlreadySettled(f"task {task} is not being worked on")


def _values(task: Task, now: int) -> dict[str, object]:
    return {"created": now, **{name: getattr(task, name) for name in Task.__dataclass_fields__}}


@cache
def _later() -> Delete:
    """Deletes the tasks of a kind for a seat that are not begun and due later than a time."""
    table = table_of(TaskRecord)
    same = (
        table.c.kind == bindparam("what", type_=String),
        table.c.game == bindparam("of", type_=String),
        table.c.seat == bindparam("by", type_=String),
    )
    later = table.c.due > bindparam("until", type_=BigInteger)
    return delete(table).where(*same, table.c.status == "new", later)

"""Tasks: work for a certain time. The module knows no kinds of tasks and has no clock.

Tasks of a game are done in the order of their due times, and after the emails that came before.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from sqlalchemy import (
    BigInteger,
    Delete,
    Integer,
    String,
    and_,
    bindparam,
    delete,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from service.store.claims import NOW, Queue, Wanted, busy, claim, claiming, free
from service.store.columns import col, other_rows, read, table_of
from service.store.database import AlreadySettled, Repository, Session, session_of
from service.store.tables import SOON, InboxRow, Task, TaskRow

_KINDS = bindparam("kinds", type_=String, expanding=True)
_RANK = bindparam("of_rank", type_=Integer)


class TaskQueue(Queue):
    """The tasks of one database. Every method is its own transaction."""

    def claim(
        self, worker: str, now: int, lease: int, kinds: Sequence[str], rank: int = SOON
    ) -> TaskRow | None:
        """Claim the first due task of these kinds and a rank.

        Older unfinished work of its game comes first.
        """
        with session_of(self._engine) as session:
            return next_task(session, worker, now, lease, kinds, rank)

    def aside(self) -> tuple[TaskRow, ...]:
        """The tasks that were put aside, oldest first."""
        wanted = read(TaskRow).where(col(TaskRow.status) == "shunted")
        with session_of(self._engine) as session:
            return session.rows(wanted.order_by(col(TaskRow.id)))

    def retry(self, task: int) -> bool:
        """Let a task that was put aside be tried again; False if there is no such task."""
        aside = (col(TaskRow.id) == task, col(TaskRow.status) == "shunted")
        again = update(TaskRow).where(*aside).values(status="new", tries=0, note="", next_try=0)
        with session_of(self._engine) as session:
            return session.execute(again).rowcount == 1


def next_task(
    session: Session, worker: str, now: int, lease: int, kinds: Sequence[str], rank: int
) -> TaskRow | None:
    """See `TaskQueue.claim`."""
    found = claim(session, _next(), worker, now, lease, kinds=kinds, of_rank=rank)
    return found[0] if found else None


@cache
def _next() -> ReturningUpdate[TaskRow]:
    which = and_(
        col(TaskRow.rank) == _RANK,
        col(TaskRow.kind).in_(_KINDS),
        col(TaskRow.due) <= NOW,
        free(table_of(TaskRow)),
        ~_behind_a_mail(),
        ~_behind_a_task(),
    )
    return claiming(TaskRow, which, (col(TaskRow.due), col(TaskRow.id)))


def _behind_a_mail() -> Wanted:
    """An email of the game came before the task was due and is not settled, or is in progress."""
    open_ = col(InboxRow.status).in_(("new", "working"))
    before = and_(open_, col(InboxRow.received) <= col(TaskRow.due))
    same = and_(col(InboxRow.game) == col(TaskRow.game), col(TaskRow.game) != "")
    return select(col(InboxRow.id)).where(same, or_(before, busy(table_of(InboxRow)))).exists()


def _behind_a_task() -> Wanted:
    other = other_rows(TaskRow)
    sooner = or_(
        other.c.due < col(TaskRow.due),
        and_(other.c.due == col(TaskRow.due), other.c.id < col(TaskRow.id)),
    )
    unfinished = and_(
        other.c.status.in_(("new", "working")), other.c.kind.in_(_KINDS), other.c.rank == _RANK
    )
    another = and_(other.c.id != col(TaskRow.id), busy(other))
    same = and_(other.c.game == col(TaskRow.game), col(TaskRow.game) != "")
    return select(other.c.id).where(same, or_(and_(unfinished, sooner), another)).exists()


class Tasks(Repository):
    """The work for certain times."""

    def add(self, task: Task, now: int) -> int | None:
        """Add a task; None if there already was a task with that key."""
        return self._session.insert_new(TaskRow, created=now, **vars(task))

    def add_all(self, tasks: Iterable[Task], now: int) -> None:
        """Add those tasks whose keys are new."""
        rows = [{"created": now, **vars(task)} for task in tasks]
        self._session.insert_all_new(TaskRow, rows)

    def of(self, kind: str, game: str, seat: str) -> tuple[TaskRow, ...]:
        """The waiting tasks of a kind for a seat, oldest first."""
        mine = (col(TaskRow.kind) == kind, col(TaskRow.game) == game, col(TaskRow.seat) == seat)
        wanted = read(TaskRow).where(*mine, col(TaskRow.status) == "new")
        return self._session.rows(wanted.order_by(col(TaskRow.id)))

    def date(self, kind: str, game: str, due: int) -> None:
        """Change the due time of the waiting tasks of a kind for a game."""
        mine = (col(TaskRow.kind) == kind, col(TaskRow.game) == game)
        waits = (*mine, col(TaskRow.status) == "new")
        self._session.execute(update(TaskRow).where(*waits).values(due=due))

    def withdraw(self, task: int, note: str) -> None:
        """Settle a task that was not begun and is not needed."""
        waits = (col(TaskRow.id) == task, col(TaskRow.status) == "new")
        self._session.execute(update(TaskRow).where(*waits).values(status="done", note=note))

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
        old = (col(TaskRow.status) == "done", col(TaskRow.due) < before)
        self._session.execute(delete(TaskRow).where(*old))

    def finish(self, task: int, note: str = "") -> None:
        """Settle a claimed task. Raises AlreadySettled if the claim has expired."""
        self._settle(task, "done", note)

    def put_aside(self, task: int, note: str) -> None:
        """Set a claimed task aside. Raises AlreadySettled if the claim has expired."""
        self._settle(task, "shunted", note)

    def aside(self, limit: int) -> tuple[int, tuple[TaskRow, ...]]:
        """The number of tasks that are put aside, and the latest of them, newest first."""
        which = col(TaskRow.status) == "shunted"
        number = self._session.scalar(select(func.count()).where(which)) or 0
        wanted = read(TaskRow).where(which).order_by(col(TaskRow.id).desc()).limit(limit)
        return number, self._session.rows(wanted)

    def _settle(self, task: int, status: str, note: str) -> None:
        working = (col(TaskRow.id) == task, col(TaskRow.status) == "working")
        settled = {"status": status, "note": note, "worker": "", "lease": 0}
        done = self._session.execute(update(TaskRow).where(*working).values(**settled))
        if done.rowcount != 1:
            raise AlreadySettled(f"task {task} is not being worked on")


@cache
def _later() -> Delete:
    """Deletes the tasks of a kind for a seat that are not begun and due later than a time."""
    same = (
        col(TaskRow.kind) == bindparam("what", type_=String),
        col(TaskRow.game) == bindparam("of", type_=String),
        col(TaskRow.seat) == bindparam("by", type_=String),
    )
    later = col(TaskRow.due) > bindparam("until", type_=BigInteger)
    return delete(TaskRow).where(*same, col(TaskRow.status) == "new", later)

"""Claims of work: how emails, letters and tasks are claimed, returned, delayed and set aside.

A claim is a lease. If a worker dies, it keeps its row until the lease ends, or until another
process that knows of the death returns its claims. Each queue decides the order of its rows. The
module has no clock: statements are built once, and `claim` fills in the time.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Engine,
    String,
    and_,
    bindparam,
    or_,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.sql.elements import SQLCoreOperations
from sqlmodel import Session, col, select

from service.store.database import session_of
from service.store.rows import InboxRow, TaskRow
from service.store.tables import Inbox, Outbox, TaskRecord

PAUSES = (30, 60, 120, 300, 600)
"""Seconds until work starts again after our environment stopped it once, twice …"""
_SKEW = 120
"""Seconds by which the clocks of two hosts may differ."""

NOW = bindparam("at", type_=BigInteger)
"""The time of a claim, in UTC seconds."""
LEASE = bindparam("seconds", type_=BigInteger)
"""The seconds of the lease."""
LIMIT = bindparam("most", type_=BigInteger)
"""The largest number of rows in one claim."""
_WORKER = bindparam("by", type_=String)

Wanted = ColumnElement[bool]
Queued = TypeVar("Queued", Inbox, Outbox, TaskRecord)
Claimed = InboxRow | TaskRow


def free(table: type[Queued], longest: ColumnElement[int] | int = PAUSES[-1]) -> Wanted:
    """Whether a row may be begun; ``longest`` is the longest pause before that.

    A time further in the future was written before somebody set the clock back.
    """
    waited = or_(col(table.next_try) <= NOW, col(table.next_try) - longest > NOW + _SKEW)
    gone = or_(col(table.lease) <= NOW, col(table.lease) > NOW + 2 * LEASE)
    return or_(and_(col(table.status) == "new", waited), and_(col(table.status) == "working", gone))


def busy(table: type[Queued]) -> Wanted:
    """Whether a worker has the row and its lease is valid."""
    return and_(
        col(table.status) == "working",
        col(table.lease) > NOW,
        col(table.lease) <= NOW + 2 * LEASE,
    )


def claiming(
    table: type[Queued],
    which: Wanted,
    order: Sequence[SQLCoreOperations[Any]],
    **values: object,
) -> ReturningUpdate[Queued]:
    """The statement that claims up to LIMIT rows in that order, each for one worker only.

    ``values`` are written into the rows, with worker and lease.
    """
    picked = (
        select(table.id)
        .where(which)
        .order_by(*order)
        .limit(LIMIT)
        .with_for_update(skip_locked=True)
        .cte("picked")
    )
    given = {"status": "working", "tries": table.tries + 1, **values}
    given |= {"worker": _WORKER, "lease": NOW + LEASE}
    return (
        update(table)
        .where(col(table.id).in_(select(picked.c.id)))
        .values(**given)
        .returning(table)
        .execution_options(synchronize_session=False)
    )


def claim(
    session: Session,
    statement: ReturningUpdate[Queued],
    worker: str,
    now: int,
    lease: int,
    limit: int = 1,
    **more: object,
) -> Sequence[Queued]:
    """The rows that a statement of `claiming` claims; ``more`` are its other parameters."""
    given = {"by": worker, "at": now, "seconds": lease, "most": limit, **more}
    return session.scalars(statement, given).all()


class Queue:
    """A queue of one database. Every method is its own transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


def let_go(engine: Engine, row: Claimed, **values: object) -> bool:
    """Return a claimed email or task with these values; False if the claim had expired."""
    table = Inbox if isinstance(row, InboxRow) else TaskRecord
    # Whether the claim is still valid; each claim is one try.
    holds = and_(
        col(table.id) == row.id,
        col(table.status) == "working",
        col(table.worker) == row.worker,
        col(table.tries) == row.tries,
    )
    let_go = update(table).where(holds).values(worker="", lease=0, **values)
    with session_of(engine) as session:
        return session.exec(let_go).rowcount == 1

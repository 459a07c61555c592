"""Claims of work: how emails, letters and tasks are claimed, returned, delayed and put aside.

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
    FromClause,
    String,
    and_,
    bindparam,
    case,
    false,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.sql.elements import SQLCoreOperations

from service.store.columns import read, table_of
from service.store.database import Session, session_of
from service.store.tables import UNSETTLED, InboxRow, OutboxRow, TaskRow

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
Queued = TypeVar("Queued", InboxRow, OutboxRow, TaskRow)
Claimed = InboxRow | TaskRow


def free(table: FromClause, longest: ColumnElement[int] | int = PAUSES[-1]) -> Wanted:
    """Whether a row may be begun; ``longest`` is the longest pause before that.

    A time further in the future was written before somebody set the clock back.
    """
    waited = or_(table.c.next_try <= NOW, table.c.next_try - longest > NOW + _SKEW)
    gone = or_(table.c.lease <= NOW, table.c.lease > NOW + 2 * LEASE)
    # A choice, no alternative: for that, databases would gather all rows of a status and sort them.
    begins = case({"new": waited, "working": gone}, value=table.c.status, else_=false())
    # The condition of an index in the order of claims. So a claim reads the first rows, however
    # many wait.
    return and_(text(UNSETTLED), begins)


def busy(table: FromClause) -> Wanted:
    """Whether a worker has the row and its lease is valid."""
    return and_(
        table.c.status == "working",
        table.c.lease > NOW,
        table.c.lease <= NOW + 2 * LEASE,
    )


def claiming(
    kind: type[Queued],
    which: Wanted,
    order: Sequence[SQLCoreOperations[Any]],
    **values: object,
) -> ReturningUpdate[Queued]:
    """The statement that claims up to LIMIT rows in that order, each for one worker only.

    ``values`` are written into the rows, with worker and lease.
    """
    table = table_of(kind)
    picked = (
        select(table.c.id)
        .where(which)
        .order_by(*order)
        .limit(LIMIT)
        .with_for_update(skip_locked=True)
        .cte("picked")
    )
    given = {"status": "working", "tries": table.c.tries + 1, **values}
    given |= {"worker": _WORKER, "lease": NOW + LEASE}
    return (
        update(table)
        .where(table.c.id.in_(select(picked.c.id)))
        .values(**given)
        .returning(*read(kind).selected_columns)
        .execution_options(kind=kind)
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
    return session.rows(statement, by=worker, at=now, seconds=lease, most=limit, **more)


class Queue:
    """A queue of one database. Every method is its own transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


def let_go(engine: Engine, row: Claimed, **values: object) -> bool:
    """Return a claimed email or task with these values; False if the claim had expired."""
    table = table_of(type(row))
    # Whether the claim is still valid; each claim is one try.
    holds = and_(
        table.c.id == row.id,
        table.c.status == "working",
        table.c.worker == row.worker,
        table.c.tries == row.tries,
    )
    let_go = update(table).where(holds).values(worker="", lease=0, **values)
    with session_of(engine) as session:
        return session.execute(let_go).rowcount == 1

"""How work is claimed, given back, put off and put aside: mails, letters and tasks alike.

A claim is a lease: a worker that dies keeps its row until the lease runs out, or until somebody who
knows that it died gives its claims back. What may be claimed before what, each queue says itself.
It has no clock: statements are made once, and `claim` fills in the time.
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
    case,
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
"""Seconds until work is begun again after our surroundings stopped it once, twice …"""
_SKEW = 120
"""Seconds by which the clocks of two hosts may differ."""

NOW = bindparam("at", type_=BigInteger)
"""The time of a claim, in UTC seconds."""
LEASE = bindparam("seconds", type_=BigInteger)
"""For how many seconds it holds."""
LIMIT = bindparam("most", type_=BigInteger)
"""How many rows are handed out at once."""
_WORKER = bindparam("by", type_=String)

Wanted = ColumnElement[bool]
Queue = TypeVar("Queue", Inbox, Outbox, TaskRecord)
Claimed = InboxRow | TaskRow


def free(table: type[Queue], longest: ColumnElement[int] | int = PAUSES[-1]) -> Wanted:
    """Whether a row may be begun, ``longest`` being the longest pause before that.

    What lies too far ahead was written before somebody set the clock back.
    """
    waited = or_(col(table.next_try) <= NOW, col(table.next_try) - longest > NOW + _SKEW)
    gone = or_(col(table.lease) <= NOW, col(table.lease) > NOW + 2 * LEASE)
    return or_(and_(col(table.status) == "new", waited), and_(col(table.status) == "working", gone))


def busy(table: type[Queue]) -> Wanted:
    """Whether a worker has a row whose lease holds."""
    return and_(
        col(table.status) == "working",
        col(table.lease) > NOW,
        col(table.lease) <= NOW + 2 * LEASE,
    )


def claiming(
    table: type[Queue],
    which: Wanted,
    order: Sequence[SQLCoreOperations[Any]],
    **values: object,
) -> ReturningUpdate[Queue]:
    """The statement that hands out up to LIMIT rows in that order, each to one worker only.

    ``values`` are what is written into them beside worker and lease.
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
    statement: ReturningUpdate[Queue],
    worker: str,
    now: int,
    lease: int,
    limit: int = 1,
    **more: object,
) -> Sequence[Queue]:
    """The rows that a statement of `claiming` hands out; ``more`` is what else it asks for."""
    given = {"by": worker, "at": now, "seconds": lease, "most": limit, **more}
    return session.scalars(statement, given).all()


class Claims:
    """What can be done with claimed rows; every method is a transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def release(self, row: Claimed) -> bool:
        """Give claimed work back, to be begun again at once; its tries still count."""
        return self._let_go(row, status="new")

    def put_off(self, row: Claimed, now: int, note: str) -> bool:
        """Give back claimed work that our surroundings stopped; it counts as no try.

        It is begun again later each time, and its game waits for it.
        """
        pause = PAUSES[min(row.faults, len(PAUSES) - 1)]
        return self._let_go(
            row,
            status="new",
            tries=max(row.tries - 1, 0),
            faults=row.faults + 1,
            next_try=now + pause,
            note=note,
        )

    def shunt(self, row: Claimed, note: str) -> bool:
        """Put claimed work aside with what went wrong; False when the claim had run out."""
        return self._let_go(row, status="shunted", note=note)

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

    def _let_go(self, row: Claimed, **values: object) -> bool:
        table = Inbox if isinstance(row, InboxRow) else TaskRecord
        # Whether the claim still holds under which it was handed out; each claim is one try.
        holds = and_(
            col(table.id) == row.id,
            col(table.status) == "working",
            col(table.worker) == row.worker,
            col(table.tries) == row.tries,
        )
        let_go = update(table).where(holds).values(worker="", lease=0, **values)
        with session_of(self._engine) as session:
            return session.exec(let_go).rowcount == 1

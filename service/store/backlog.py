"""Measures what waits in the queues of a database, and since when. It only reads."""

from dataclasses import dataclass

from sqlalchemy import func, select

from service.store.columns import col, table_of
from service.store.database import Session
from service.store.meta import Values
from service.store.tables import InboxRow, MetaRow, OutboxRow, TaskRow

#: the number of latest emails with which the two clocks are compared
_LATEST = 20


@dataclass(frozen=True)
class Backlog:
    """The numbers of waiting and failed rows; times are UTC seconds, None if there is nothing.

    ``mail`` is when the oldest unfinished email came, ``letter`` when the oldest unsent one was
    written, ``beat`` when the service last worked. ``behind`` is the least number of seconds by
    which our clock is behind the mail server's clock, below 0 if it is ahead.
    """

    mail: int | None
    mails: int
    letter: int | None
    letters: int
    shunted: int
    failed: int
    beat: int | None
    backup: int | None
    behind: int | None


def backlog(session: Session, backup: str) -> Backlog:
    """The backlog. ``backup`` is the key of the time of the last backup."""
    open_ = ("new", "working")
    waiting = select(func.min(col(InboxRow.kept)), func.count()).where(
        col(InboxRow.status).in_(open_)
    )
    mail, mails = session.execute(waiting).one()
    unsent = select(func.min(col(OutboxRow.created)), func.count()).where(
        col(OutboxRow.status).in_(open_)
    )
    letter, letters = session.execute(unsent).one()
    shunted = sum(
        session.scalar(select(func.count()).where(table.c.status == "shunted")) or 0
        for table in map(table_of, (InboxRow, TaskRow))
    )
    failed = session.scalar(select(func.count()).where(col(OutboxRow.status) == "failed")) or 0
    beat = Values(session).last_beat()
    noted = session.scalar(select(col(MetaRow.value)).where(col(MetaRow.key) == backup))
    latest = session.execute(
        select(col(InboxRow.received), col(InboxRow.kept))
        .order_by(col(InboxRow.id).desc())
        .limit(_LATEST)
    ).all()
    behind = max((received - kept for received, kept in latest), default=None)
    return Backlog(
        mail,
        mails,
        letter,
        letters,
        shunted,
        failed,
        beat,
        int(noted) if noted is not None else None,
        behind,
    )

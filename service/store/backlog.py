"""Measures what waits in the queues of a database, and since when. It only reads."""

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from service.store.meta import Heartbeat
from service.store.tables import Inbox, Meta, Outbox, TaskRecord

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
    waiting = select(func.min(Inbox.kept), func.count()).where(col(Inbox.status).in_(open_))
    mail, mails = session.exec(waiting).one()
    unsent = select(func.min(Outbox.created), func.count()).where(col(Outbox.status).in_(open_))
    letter, letters = session.exec(unsent).one()
    shunted = sum(
        session.exec(select(func.count()).where(col(table.status) == "shunted")).one()
        for table in (Inbox, TaskRecord)
    )
    failed = session.exec(select(func.count()).where(col(Outbox.status) == "failed")).one()
    beat = session.exec(select(func.max(Heartbeat.at))).one()
    noted = session.exec(select(Meta.value).where(Meta.key == backup)).first()
    latest = session.exec(
        select(Inbox.received, Inbox.kept).order_by(col(Inbox.id).desc()).limit(_LATEST)
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

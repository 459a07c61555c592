"""What waits in the queues of a database, and since when; it is only read."""

from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from service.store.meta import Heartbeat
from service.store.tables import Inbox, Meta, Outbox, TaskRecord

#: how many of the latest emails the two clocks are compared by
_LATEST = 20


@dataclass(frozen=True)
class Backlog:
    """How much waits or failed; times are UTC seconds, None where there is nothing.

    ``mail`` is when the oldest unfinished email came, ``letter`` when the oldest unsent one was
    written, ``beat`` when the service was last at work. ``behind`` is by how many seconds at least
    our clock was behind that of the mail server, less than 0 if it was ahead.
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
    """What waits; ``backup`` is the key under which the last backup is noted."""
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

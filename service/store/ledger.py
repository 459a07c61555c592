"""What is counted so that nobody asks for too much: work of questions, and mails put aside.

It is the part of a transaction that `service.store.Tx` takes its name from there; no clock.
"""

from dataclasses import dataclass

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from service.store.tables import Inbox, Meta, Work

_UNTOLD = "faults.untold"


@dataclass(frozen=True, slots=True)
class Aside:
    """A mail that was put aside: its number, and what the operator is told of it."""

    id: int
    sender: str
    game: str
    note: str


class Ledger:
    """Counts within one transaction."""

    _session: Session

    def spend(self, address: str, seconds: float, now: int) -> None:
        """Note work that a sender's questions made."""
        if seconds >= 0.001:
            self._session.add(Work(address=address.lower(), spent=round(seconds * 1000), at=now))
            self._session.flush()

    def spent(self, address: str, since: int) -> tuple[float, int]:
        """Seconds of work for a sender after ``since``, and when the first of it was."""
        mine = (Work.address == address.lower(), Work.at > since)
        chosen = select(func.sum(Work.spent), func.min(Work.at)).where(*mine)
        total, first = self._session.exec(chosen).one()
        return (total or 0) / 1000, first or 0

    def forget_work(self, until: int) -> None:
        """Forget work until then."""
        self._session.exec(delete(Work).where(col(Work.at) <= until))

    def leave_untold(self) -> None:
        """Note that mails were put aside of which the operator has not been told."""
        self._session.merge(Meta(key=_UNTOLD, value="1"))

    def untold(self) -> bool:
        """Whether there are such mails; asking makes them told."""
        gone = delete(Meta).where(col(Meta.key) == _UNTOLD)
        return self._session.exec(gone).rowcount > 0

    def has_untold(self) -> bool:
        """Whether there are such mails."""
        return self._session.get(Meta, _UNTOLD) is not None

    def forget_aside(self, mail: int) -> None:
        """Settle a mail that was put aside, as one to which nothing more is to be done."""
        aside = (col(Inbox.id) == mail, col(Inbox.status) == "shunted")
        self._session.exec(update(Inbox).where(*aside).values(status="ignored"))

    def aside(self, limit: int) -> tuple[int, tuple[Aside, ...]]:
        """How many mails are put aside, and the latest of them, newest first."""
        which = col(Inbox.status) == "shunted"
        number = self._session.exec(select(func.count()).where(which)).one()
        wanted = (
            select(Inbox.id, Inbox.sender, Inbox.game, Inbox.note)
            .where(which)
            .order_by(col(Inbox.id).desc())
            .limit(limit)
        )
        return number, tuple(Aside(*row) for row in self._session.exec(wanted))

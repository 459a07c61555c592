"""The inbox: how emails are kept, claimed by workers, settled, put aside and retried.

It knows nothing of games beyond their names, reads no email, has no clock and sends nothing. How
claims work says `service.store.claims`.
"""

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from typing import Literal

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, update
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, col, select

from service.store.claims import Queue, Wanted, busy, claim, claiming, free, let_go
from service.store.database import AlreadySettled, Repository, insert_new, session_of
from service.store.rows import Arrived, InboxRow, frozen
from service.store.tables import Inbox, Meta, TaskRecord

FORMER = "inbox"
"""What older versions called every mailbox in the store, so that two of them were one."""
MAIL_TRIES = 6
"""How often a mail may be begun; one that is handed out again after that is to be put aside.

A worker that dies says nothing of why. What kills it again each time, with the pauses of
`WorkQueue.give_back` between, is the mail; whoever stops processes from outside meets it so once.
"""
_UNTOLD = "faults.untold"


@dataclass(frozen=True, slots=True)
class Aside:
    """A mail that was put aside: its number, and what the operator is told of it."""

    id: int
    sender: str
    game: str
    note: str


class MailQueue(Queue):
    """Emails that were received; every method is a transaction of its own."""

    def keep(self, mail: Arrived, now: int) -> int | None:
        """Keep a fetched mail; its id, or None when its UID or its very bytes were kept before.

        Another copy of a mail is kept too: `Mails.admit` decides which of them is acted on. What
        an older version kept is known by UID and Message-ID together, as its UID may be another
        mailbox's.
        """
        with session_of(self._engine) as session:
            if _kept_formerly(session, mail):
                return None
            return insert_new(
                session,
                Inbox,
                **asdict(mail),
                sha256=hashlib.sha256(mail.raw).hexdigest(),
                status="new",
                kept=now,
            )

    def claim(self, worker: str, now: int, lease: int) -> InboxRow | None:
        """The oldest mail whose game has nothing older unfinished, for ``lease`` seconds.

        Mails of no game share one lane. Its ``tries`` count this claim; above MAIL_TRIES the mail
        has ended its workers so often that it should be put aside unread.
        """
        with session_of(self._engine) as session:
            return next_mail(session, worker, now, lease)

    def wait_a_little(self, mail: InboxRow, due: int, note: str) -> bool:
        """Give a claimed mail back, to be begun again at ``due``; it counts as no try."""
        tries = max(mail.tries - 1, 0)
        return let_go(self._engine, mail, status="new", tries=tries, next_try=due, note=note)

    def cut(self, mail: int, raw: bytes) -> None:
        """Keep other bytes of a mail that is settled: something was cut from it."""
        settled = col(Inbox.status).in_(("done", "ignored", "duplicate"))
        with session_of(self._engine) as session:
            session.exec(update(Inbox).where(and_(col(Inbox.id) == mail, settled)).values(raw=raw))

    def thin(self, before: int) -> int:
        """Forget the bytes of mails that were kept before a time and are settled; how many.

        What was put aside keeps them.
        """
        settled = col(Inbox.status).in_(("done", "ignored", "duplicate"))
        old = and_(settled, col(Inbox.kept) < before, col(Inbox.raw) != b"")
        with session_of(self._engine) as session:
            return session.exec(update(Inbox).where(old).values(raw=b"")).rowcount

    def retry(self, mail: int) -> bool:
        """Let a mail that was put aside be tried again; False when there is no such mail."""
        aside = and_(col(Inbox.id) == mail, col(Inbox.status) == "shunted")
        again = update(Inbox).where(aside).values(status="new", tries=0, note="", next_try=0)
        with session_of(self._engine) as session:
            return session.exec(again).rowcount == 1

    def shunted(self) -> tuple[InboxRow, ...]:
        """The mails put aside, oldest first."""
        wanted = select(Inbox).where(Inbox.status == "shunted").order_by(col(Inbox.id))
        with session_of(self._engine) as session:
            return tuple(frozen(InboxRow, mail) for mail in session.exec(wanted))


class Mails(Repository):
    """Emails that were received, as a transaction settles them."""

    def admit(self, mail: int, identity: str, words: str, signed: bool, proved: bool) -> bool:
        """Whether a mail that is being worked on may be acted on: no copy of it was before.

        ``identity`` is the same for all copies, ``words`` for those under another Message-ID, too;
        they are looked for if it is ``signed``. One that proves its seat goes before one that does
        not: the copy of a list may have lost what proves it. Of two copies in work at once, the one
        that is finished second meets Conflict.
        """
        ranks = "2" if proved else "12"
        other = aliased(Inbox)
        copy: ColumnElement[bool] = col(other.acted).in_([f"{rank} {identity}" for rank in ranks])
        if signed and words:
            done = or_(*(col(other.acted).startswith(f"{rank} ") for rank in ranks))
            copy = or_(copy, and_(col(other.words) == words, done))
        seen = exists().where(copy, col(other.id) != mail)
        own = f"{2 if proved else 1} {identity}"
        new = update(Inbox).where(col(Inbox.id) == mail, ~seen).values(identity=own, words=words)
        return self._session.exec(new.execution_options(synchronize_session=False)).rowcount == 1

    def finish(
        self,
        mail: int,
        status: Literal["done", "ignored", "duplicate", "shunted"],
        note: str = "",
    ) -> None:
        """Settle a claimed mail. Raises AlreadySettled when it is claimed no more."""
        statement = (
            update(Inbox)
            .where(col(Inbox.id) == mail, col(Inbox.status) == "working")
            .values(
                status=status,
                note=note,
                worker="",
                lease=0,
                # The unique key on what was acted on lets only one of two copies get here.
                acted=func.nullif(Inbox.identity, "") if status == "done" else None,
            )
        )
        if self._session.exec(statement).rowcount != 1:
            raise AlreadySettled(f"mail {mail} is not being worked on")

    def get(self, mail: int) -> InboxRow | None:
        """A mail that was kept, in whatever status."""
        found = self._session.get(Inbox, mail)
        return None if found is None else frozen(InboxRow, found)

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


def _kept_formerly(session: Session, mail: Arrived) -> bool:
    """Whether an older version, which knew one mailbox alone, kept this mail."""
    if mail.account == FORMER or not mail.message_id:
        return False
    same = select(Inbox.id).where(
        col(Inbox.account) == FORMER,
        col(Inbox.uidvalidity) == mail.uidvalidity,
        col(Inbox.uid) == mail.uid,
        col(Inbox.message_id) == mail.message_id,
    )
    return session.exec(same).first() is not None


def next_mail(session: Session, worker: str, now: int, lease: int) -> InboxRow | None:
    """See `MailQueue.claim`."""
    found = claim(session, _next(), worker, now, lease)
    return frozen(InboxRow, found[0]) if found else None


@cache
def _next() -> ReturningUpdate[Inbox]:
    return claiming(Inbox, and_(free(Inbox), ~_in_the_way()), (col(Inbox.id),))


def _in_the_way() -> Wanted:
    """Something of the game that is older is unfinished, or something is in work.

    A worked mail blocks its lane whatever its number: a retried one is older than the rest.
    """
    older = aliased(Inbox)
    unfinished = and_(col(older.id) < Inbox.id, col(older.status).in_(("new", "working")))
    another = and_(col(older.id) != Inbox.id, busy(older))
    mail = select(older.id).where(older.game == Inbox.game, or_(unfinished, another)).exists()
    same = and_(col(TaskRecord.game) == Inbox.game, col(Inbox.game) != "")
    task = select(TaskRecord.id).where(same, busy(TaskRecord)).exists()
    return or_(mail, task)

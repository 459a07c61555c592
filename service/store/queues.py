"""The inbox: how mails are kept, claimed by workers, settled, put aside and retried.

It knows nothing of games beyond their names, reads no mail, has no clock and sends nothing. How
claims work says `service.store.claims`.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache

from sqlalchemy import ColumnElement, Executable, and_, case, exists, func, or_, update
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, col, select

from service.store.claims import NOW, Claimed, Wanted, busy, claim, claiming, free
from service.store.database import insert_new, session_of
from service.store.outbox import Letters
from service.store.rows import Arrived, InboxRow, frozen
from service.store.tables import Game, Inbox, InboxStatus, Outbox, TaskRecord
from service.store.tasks import Tasks, next_task

FORMER = "inbox"
"""What older versions called every mailbox in the store, so that two of them were one."""
MAIL_TRIES = 6
"""How often a mail may be begun; one that is handed out again after that is to be put aside.

A worker that dies says nothing of why. What kills it again each time, with the pauses of
`Claims.give_back` between, is the mail; whoever stops processes from outside meets it so once.
"""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows stand in each status."""

    inbox: dict[str, int]
    outbox: dict[str, int]
    games: dict[str, int]


@dataclass(frozen=True, slots=True)
class Due:
    """When each kind of work is next to be done, in UTC seconds; None where none waits."""

    mail: int | None
    letter: int | None
    task: int | None


class Queues(Letters, Tasks):
    """The queues of one database; every method is a transaction of its own."""

    def keep(self, mail: Arrived, now: int) -> int | None:
        """Keep a fetched mail; its id, or None when its UID or its very bytes were kept before.

        Another copy of a mail is kept too: which of them is acted on, `Tx.admit` decides. What an
        older version kept is known by UID and Message-ID together, as its UID may be another
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
            found = claim(session, _next(), worker, now, lease)
            return frozen(InboxRow, found[0]) if found else None

    def claim_work(
        self, worker: str, now: int, lease: int, before: Sequence[str], after: Sequence[str]
    ) -> Claimed | None:
        """What is to be done next: a task of the kinds ``before``, else a mail, else one ``after``.

        Each as `claim_task` and `claim` hand it out; None where nothing can be begun now.
        """
        with session_of(self._engine) as session:
            task, mail = session.execute(_waits(), {"at": now}).one()
            if task and (found := next_task(session, worker, now, lease, before)):
                return found
            if mail and (came := claim(session, _next(), worker, now, lease)):
                return frozen(InboxRow, came[0])
            return next_task(session, worker, now, lease, after) if task else None

    def wait_a_little(self, mail: InboxRow, due: int, note: str) -> bool:
        """Give a claimed mail back, to be begun again at ``due``; it counts as no try."""
        tries = max(mail.tries - 1, 0)
        return self._let_go(mail, status="new", tries=tries, next_try=due, note=note)

    def cut_mail(self, mail: int, raw: bytes) -> None:
        """Keep other bytes of a mail that is settled: something was cut from it."""
        settled = col(Inbox.status).in_(("done", "ignored", "duplicate"))
        with session_of(self._engine) as session:
            session.exec(update(Inbox).where(and_(col(Inbox.id) == mail, settled)).values(raw=raw))

    def retry_shunted(self, mail: int) -> bool:
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

    def counts(self) -> Counts:
        """How many mails and games stand in each status."""
        with session_of(self._engine) as session:
            inbox, outbox, games = (
                {
                    status: number
                    for status, number in session.execute(
                        select(table.status, func.count()).group_by(table.status)
                    )
                }
                for table in (Inbox, Outbox, Game)
            )
        return Counts(inbox, outbox, games)

    def due(self) -> Due:
        """When there is work next, if nothing else happens; 0 for what can be begun at once.

        A letter that failed and was told to nobody is work, too.
        """
        mail = func.min(case((col(Inbox.status) == "new", Inbox.next_try), else_=Inbox.lease))
        untold = and_(col(Outbox.status) == "failed", col(Outbox.told).is_(None))
        next_try = (col(Outbox.status) == "new", Outbox.next_try)
        letter = func.min(case((untold, 0), next_try, else_=Outbox.lease))
        waits = case((col(TaskRecord.status) == "new", TaskRecord.due), else_=TaskRecord.lease)
        open_ = ("new", "working")
        with session_of(self._engine) as session:
            return Due(
                session.exec(select(mail).where(col(Inbox.status).in_(open_))).one(),
                session.exec(
                    select(letter).where(or_(col(Outbox.status).in_(open_), untold))
                ).one(),
                session.exec(
                    select(func.min(waits)).where(col(TaskRecord.status).in_(open_))
                ).one(),
            )


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


def admit(
    session: Session, mail: int, identity: str, words: str, signed: bool, proved: bool
) -> bool:
    """See `Tx.admit`."""
    ranks = "2" if proved else "12"
    other = aliased(Inbox)
    copy: ColumnElement[bool] = col(other.acted).in_([f"{rank} {identity}" for rank in ranks])
    if signed and words:
        done = or_(*(col(other.acted).startswith(f"{rank} ") for rank in ranks))
        copy = or_(copy, and_(col(other.words) == words, done))
    seen = exists().where(copy, col(other.id) != mail)
    own = f"{2 if proved else 1} {identity}"
    new = update(Inbox).where(col(Inbox.id) == mail, ~seen).values(identity=own, words=words)
    return session.exec(new.execution_options(synchronize_session=False)).rowcount == 1


def finish(session: Session, mail: int, status: InboxStatus, note: str) -> bool:
    """Settle a mail that is being worked on; False when it is not any more."""
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
    return session.exec(statement).rowcount == 1


@cache
def _waits() -> Executable:
    """Whether any task is due that is not settled, and whether any mail is not."""
    open_ = ("new", "working")
    task = exists().where(col(TaskRecord.status).in_(open_), col(TaskRecord.due) <= NOW)
    return select(task, exists().where(col(Inbox.status).in_(open_)))


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

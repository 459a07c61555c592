"""The inbox: how mails are kept, claimed by workers, settled, put aside and retried.

It knows nothing of games beyond their names, reads no mail, has no clock and sends nothing.
A claim is a lease: a worker that dies keeps its row until the lease runs out, or until somebody who
knows that it died gives its claims back.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, case, func, or_, update
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, col, select

from service.store.database import insert_new, session_of
from service.store.outbox import Letters
from service.store.rows import InboxRow, frozen
from service.store.tables import Game, Inbox, InboxStatus, Outbox

MAIL_TRIES = 3
"""How often a mail may be begun; one that is handed out again after that is to be put aside."""
PAUSES = (30, 60, 120, 300, 600)
"""Seconds until a mail is begun again after our surroundings stopped it once, twice …"""
_SKEW = 120
"""Seconds by which the clocks of two hosts may differ."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows stand in each status."""

    inbox: dict[str, int]
    outbox: dict[str, int]
    games: dict[str, int]


@dataclass(frozen=True, slots=True)
class Due:
    """When a mail or a letter is next to be worked on, in UTC seconds; None where none waits."""

    mail: int | None
    letter: int | None


class Queues(Letters):
    """The two queues of one database; every method is a transaction of its own."""

    def keep(
        self,
        account: str,
        uidvalidity: int,
        uid: int,
        raw: bytes,
        received: int,
        message_id: str,
        sender: str,
        game: str,
        now: int,
    ) -> int | None:
        """Keep a fetched mail; its id, or None when its UID or its very bytes were kept before.

        Another copy of a mail is kept too: which of them is acted on, `Tx.admit` decides.
        """
        with session_of(self._engine) as session:
            return insert_new(
                session,
                Inbox,
                account=account,
                uidvalidity=uidvalidity,
                uid=uid,
                message_id=message_id,
                sha256=hashlib.sha256(raw).hexdigest(),
                raw=raw,
                received=received,
                sender=sender,
                game=game,
                status="new",
                kept=now,
            )

    def claim(self, worker: str, now: int, lease: int) -> InboxRow | None:
        """The oldest mail whose game has nothing older unfinished, for ``lease`` seconds.

        Mails of no game share one lane. Its ``tries`` count this claim; above MAIL_TRIES the mail
        has ended its workers so often that it should be put aside unread.
        """
        with session_of(self._engine) as session:
            mail = session.scalars(_claiming(worker, now, lease)).first()
            return None if mail is None else frozen(InboxRow, mail)

    def release(self, mail: InboxRow) -> bool:
        """Give a claimed mail back, to be begun again at once; its tries still count."""
        return self._change(_claim_of(mail), status="new", worker="", lease=0)

    def put_off(self, mail: InboxRow, now: int, note: str) -> bool:
        """Give back a claimed mail that our surroundings stopped; it counts as no try.

        It is begun again later each time, and its game waits for it.
        """
        pause = PAUSES[min(mail.faults, len(PAUSES) - 1)]
        return self._change(
            _claim_of(mail),
            status="new",
            worker="",
            lease=0,
            tries=max(mail.tries - 1, 0),
            faults=mail.faults + 1,
            next_try=now + pause,
            note=note,
        )

    def give_back(self, worker: str) -> int:
        """Free all mails and letters of a worker that is no more; how many there were."""
        held = and_(col(Inbox.status) == "working", col(Inbox.worker) == worker)
        freed = update(Inbox).where(held).values(status="new", worker="", lease=0)
        with session_of(self._engine) as session:
            mails: int = session.exec(freed).rowcount
        return mails + self.give_back_outgoing(worker)

    def shunt(self, mail: InboxRow, note: str) -> bool:
        """Put a claimed mail aside with what went wrong; False when the claim had run out."""
        return self._change(_claim_of(mail), status="shunted", worker="", lease=0, note=note)

    def retry_shunted(self, mail: int) -> bool:
        """Let a mail that was put aside be tried again; False when there is no such mail."""
        aside = and_(col(Inbox.id) == mail, col(Inbox.status) == "shunted")
        return self._change(aside, status="new", tries=0, note="", next_try=0)

    def _change(self, which: ColumnElement[bool], **values: object) -> bool:
        with session_of(self._engine) as session:
            return session.exec(update(Inbox).where(which).values(**values)).rowcount == 1

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
        """When there is work next, if nothing else happens; 0 for what can be begun at once."""
        mail = select(
            func.min(case((col(Inbox.status) == "new", Inbox.next_try), else_=Inbox.lease))
        )
        letter = select(
            func.min(case((col(Outbox.status) == "new", Outbox.next_try), else_=Outbox.lease))
        )
        open_ = ("new", "working")
        with session_of(self._engine) as session:
            return Due(
                session.exec(mail.where(col(Inbox.status).in_(open_))).one(),
                session.exec(letter.where(col(Outbox.status).in_(open_))).one(),
            )


def admit(session: Session, mail: int, identity: str, proved: bool) -> bool:
    """See `Tx.admit`."""
    ranks = "2" if proved else "12"
    acted = [f"{rank} {identity}" for rank in ranks]
    seen = select(Inbox.id).where(col(Inbox.acted).in_(acted), Inbox.id != mail).limit(1)
    if session.exec(seen).first() is not None:
        return False
    own = f"{2 if proved else 1} {identity}"
    session.exec(update(Inbox).where(col(Inbox.id) == mail).values(identity=own))
    return True


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


def _claim_of(mail: InboxRow) -> ColumnElement[bool]:
    """Whether the claim under which ``mail`` was handed out still holds; each claim is one try."""
    return and_(
        col(Inbox.id) == mail.id,
        col(Inbox.status) == "working",
        col(Inbox.worker) == mail.worker,
        col(Inbox.tries) == mail.tries,
    )


def _claiming(worker: str, now: int, lease: int) -> ReturningUpdate[Inbox]:
    older = aliased(Inbox)
    # What lies too far ahead was written before somebody set the clock back.
    waited = or_(col(Inbox.next_try) <= now, col(Inbox.next_try) > now + PAUSES[-1] + _SKEW)
    gone = or_(col(Inbox.lease) <= now, col(Inbox.lease) > now + 2 * lease)
    free = or_(
        and_(col(Inbox.status) == "new", waited),
        and_(col(Inbox.status) == "working", gone),
    )
    # A worked mail blocks its lane whatever its number: a retried one is older than the rest.
    in_the_way = (
        select(older.id)
        .where(
            older.game == Inbox.game,
            or_(
                and_(col(older.id) < Inbox.id, col(older.status).in_(("new", "working"))),
                and_(
                    col(older.id) != Inbox.id,
                    col(older.status) == "working",
                    col(older.lease) > now,
                    col(older.lease) <= now + 2 * lease,
                ),
            ),
        )
        .exists()
    )
    picked = (
        select(Inbox.id)
        .where(free, ~in_the_way)
        .order_by(col(Inbox.id))
        .limit(1)
        .with_for_update(skip_locked=True)
        .cte("picked")
    )
    return (
        update(Inbox)
        .where(col(Inbox.id).in_(select(picked.c.id)))
        .values(status="working", tries=Inbox.tries + 1, worker=worker, lease=now + lease)
        .returning(Inbox)
        .execution_options(synchronize_session=False)
    )

"""The inbox and the outbox: how mails are kept, claimed by workers, settled, put aside and retried.

It knows nothing of games beyond their names, reads no mail, has no clock and sends nothing.
A claim is a lease: a worker that dies keeps its row only until the lease runs out.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import ColumnElement, Engine, and_, case, func, or_, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import aliased
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, SQLModel, col, select

from service.store.tables import Game, Inbox, InboxRow, Outbox, OutboxRow, frozen

MAIL_TRIES = 3
"""How often a mail may be begun; one that is handed out again after that is to be put aside."""
SEND_TRIES = 8
"""How often a sending is begun before it counts as failed."""
BACKOFF = (60, 300, 900, 3600, 14400)
"""Seconds until the next attempt after the first, second … failed one; the last goes on."""


class Conflict(Exception):
    """Somebody else was faster, or the row cannot be: nothing was stored; begin again."""


class Taken(Conflict):
    """The mail is no longer ours to finish: its lease ran out and another worker had it."""


class Unavailable(Exception):
    """The database cannot be reached or stayed locked; nothing was stored."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How one sending went: accepted, to be tried later (4xx), or refused for good (5xx)."""

    id: int
    outcome: Literal["sent", "later", "refused"]
    note: str = ""


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


def insert_new(session: Session, table: type[SQLModel], **values: object) -> int | None:
    """Insert unless a unique key is there already; the new id, or None.

    Both databases write this clause alike, but SQLAlchemy has a construct for each.
    """
    make = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = make(table).values(**values).on_conflict_do_nothing()
    made: int | None = session.execute(statement.returning(table.__table__.c.id)).scalar()  # type: ignore[attr-defined]
    return made


@contextmanager
def session_of(engine: Engine) -> Iterator[Session]:
    """One transaction; commits at the end, rolls back on any exception.

    Raises Conflict or Unavailable, so that no caller needs to know the database's own errors.
    """
    try:
        with Session(engine) as session, session.begin():
            yield session
    except IntegrityError as error:
        raise Conflict(str(error.orig)) from error
    except OperationalError as error:
        raise Unavailable(str(error.orig)) from error


class Queues:
    """The two queues of one database; every method is a transaction of its own."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

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

        Another mail under a Message-ID already seen is kept too, as a duplicate that nobody works.
        """
        with session_of(self._engine) as session:
            seen = (
                message_id
                and session.exec(
                    select(Inbox.id).where(Inbox.message_id == message_id).limit(1)
                ).first()
            )
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
                status="duplicate" if seen else "new",
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

    def shunt(self, mail: InboxRow, note: str) -> bool:
        """Put a claimed mail aside with what went wrong; False when the claim had run out."""
        return self._change(_claim_of(mail), status="shunted", worker="", lease=0, note=note)

    def retry_shunted(self, mail: int) -> bool:
        """Let a mail that was put aside be tried again; False when there is no such mail."""
        aside = and_(col(Inbox.id) == mail, col(Inbox.status) == "shunted")
        return self._change(aside, status="new", tries=0, note="")

    def _change(self, which: ColumnElement[bool], **values: object) -> bool:
        with session_of(self._engine) as session:
            return session.exec(update(Inbox).where(which).values(**values)).rowcount == 1

    def shunted(self) -> tuple[InboxRow, ...]:
        """The mails put aside, oldest first."""
        wanted = select(Inbox).where(Inbox.status == "shunted").order_by(col(Inbox.id))
        with session_of(self._engine) as session:
            return tuple(frozen(InboxRow, mail) for mail in session.exec(wanted))

    def claim_outgoing(
        self, worker: str, now: int, lease: int, limit: int
    ) -> tuple[OutboxRow, ...]:
        """Up to ``limit`` mails that are due, oldest first, for ``lease`` seconds.

        A mail whose worker died while sending may have gone out; it is sent again under the same
        Message-ID, so that mail programs show it once.
        """
        due = or_(
            and_(col(Outbox.status) == "new", col(Outbox.next_try) <= now),
            and_(col(Outbox.status) == "working", col(Outbox.lease) <= now),
        )
        picked = (
            select(Outbox.id)
            .where(due)
            .order_by(col(Outbox.id))
            .limit(limit)
            .with_for_update(skip_locked=True)
            .cte("picked")
        )
        worn_out = col(Outbox.tries) >= SEND_TRIES
        statement = (
            update(Outbox)
            .where(col(Outbox.id).in_(select(picked.c.id)))
            .values(
                status=case((worn_out, "failed"), else_="working"),
                tries=case((worn_out, Outbox.tries), else_=Outbox.tries + 1),
                worker=worker,
                lease=now + lease,
            )
            .returning(Outbox)
            .execution_options(synchronize_session=False)
        )
        with session_of(self._engine) as session:
            rows = [frozen(OutboxRow, mail) for mail in session.scalars(statement)]
        return tuple(sorted((r for r in rows if r.status == "working"), key=lambda row: row.id))

    def settle_outgoing(self, results: Sequence[Delivery], now: int) -> None:
        """Record how claimed mails went; what is to be tried later waits longer each time."""
        with session_of(self._engine) as session:
            # Rows are locked in the order of their ids, so two workers cannot block each other.
            for result in sorted(results, key=lambda one: one.id):
                mail = session.get(Outbox, result.id, with_for_update=True)
                if mail is None or mail.status != "working":
                    continue
                mail.note, mail.worker, mail.lease = result.note, "", 0
                if result.outcome == "sent":
                    mail.status, mail.sent = "sent", now
                elif result.outcome == "refused" or mail.tries >= SEND_TRIES:
                    mail.status = "failed"
                else:
                    mail.status = "new"
                    mail.next_try = now + BACKOFF[min(mail.tries, len(BACKOFF)) - 1]

    def recent_outgoing(self, recipient: str, game: str, limit: int = 20) -> tuple[OutboxRow, ...]:
        """The latest mails to ``recipient`` about ``game``, newest first, in whatever status."""
        wanted = (
            select(Outbox)
            .where(func.lower(Outbox.recipient) == recipient.lower(), Outbox.game == game)
            .order_by(col(Outbox.id).desc())
            .limit(limit)
        )
        with session_of(self._engine) as session:
            return tuple(frozen(OutboxRow, mail) for mail in session.exec(wanted))

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
        mail = select(func.min(case((col(Inbox.status) == "new", 0), else_=Inbox.lease)))
        letter = select(
            func.min(case((col(Outbox.status) == "new", Outbox.next_try), else_=Outbox.lease))
        )
        open_ = ("new", "working")
        with session_of(self._engine) as session:
            return Due(
                session.exec(mail.where(col(Inbox.status).in_(open_))).one(),
                session.exec(letter.where(col(Outbox.status).in_(open_))).one(),
            )


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
    free = or_(
        col(Inbox.status) == "new",
        and_(col(Inbox.status) == "working", col(Inbox.lease) <= now),
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

"""The inbox: how emails are kept, claimed by workers, settled, put aside and retried.

It knows nothing of games but their names, reads no email, has no clock and sends nothing.
`service.store.claims` says how claims work.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sqlalchemy import (
    ColumnElement,
    Integer,
    String,
    Update,
    and_,
    bindparam,
    delete,
    exists,
    false,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate

from service.store.claims import Queue, Wanted, busy, claim, claiming, free, let_go
from service.store.columns import col, other_rows, read, table_of
from service.store.database import AlreadySettled, Repository, Session, given, session_of
from service.store.tables import Arrived, InboxRow, MetaRow, TaskRow

FORMER = "inbox"
"""The name that older versions gave to every mailbox, so that they did not tell two apart."""
MAIL_TRIES = 6
"""How often an email may be begun; after that it is put aside.

A worker that dies leaves no reason. If it dies each time, with the pauses of `WorkQueue.give_back`
between, the email is the cause. Somebody who stops processes from outside will hit the same email
only once.
"""
_UNTOLD = "faults.untold"


@dataclass(frozen=True, slots=True)
class Aside:
    """An email that was put aside: its number, and the text for the operator."""

    id: int
    sender: str
    game: str
    note: str


class MailQueue(Queue):
    """The received emails. Every method is its own transaction."""

    def keep(self, mail: Arrived, now: int) -> int | None:
        """Keep a fetched email. Returns its id, or None if its UID or its bytes were kept before.

        Other copies of an email are kept too: `Mails.admit` decides which one Waybill acts on. An
        email of an older version is recognized by UID and Message-ID together, because its UID may
        belong to another mailbox.
        """
        with session_of(self._engine) as session:
            kept = {"sha256": hashlib.sha256(mail.raw).hexdigest(), "status": "new", "kept": now}
            known = _kept_formerly() if mail.account != FORMER and mail.message_id else false()
            return session.insert_unless(InboxRow, known, **vars(mail), **kept)

    def newest(self, account: str) -> tuple[int, int]:
        """UIDVALIDITY and UID of the newest email of a mailbox that is kept; (0, 0) if none is."""
        name = (col(InboxRow.uidvalidity), col(InboxRow.uid))
        wanted = (
            select(*name)
            .where(col(InboxRow.account) == account)
            .order_by(*(part.desc() for part in name))
            .limit(1)
        )
        with session_of(self._engine) as session:
            found = session.execute(wanted).first()
        return (found.uidvalidity, found.uid) if found is not None else (0, 0)

    def has(self, message_id: str) -> bool:
        """Whether an email with that Message-ID is kept, or was."""
        with session_of(self._engine) as session:
            return (
                session.scalar(
                    select(col(InboxRow.id)).where(col(InboxRow.message_id) == message_id).limit(1)
                )
                is not None
            )

    def claim(self, worker: str, now: int, lease: int) -> InboxRow | None:
        """Claim the oldest email of a game without older unfinished work, for ``lease`` seconds.

        Emails without a game share one lane. ``tries`` includes this claim. Above MAIL_TRIES, the
        email has killed its workers so often that it should be put aside unread.
        """
        with session_of(self._engine) as session:
            return next_mail(session, worker, now, lease)

    def wait_a_little(self, mail: InboxRow, due: int, note: str) -> bool:
        """Return a claimed email, to be begun again at ``due``; this does not count as a try."""
        tries = max(mail.tries - 1, 0)
        return let_go(self._engine, mail, status="new", tries=tries, next_try=due, note=note)

    def thin(self, before: int) -> int:
        """Delete the bytes of settled emails kept before a time; returns how many.

        Emails that were put aside keep theirs.
        """
        # said of the others, so that SQLite reads only old emails and not all settled ones
        settled = col(InboxRow.status).not_in(("new", "working", "shunted"))
        # an empty value takes eight bytes when it is packed
        old = and_(settled, col(InboxRow.kept) < before, text("length(raw) > 8"))
        with session_of(self._engine) as session:
            return session.execute(update(InboxRow).where(old).values(raw=b"")).rowcount

    def retry(self, mail: int) -> bool:
        """Let an email that was put aside be tried again; False if there is no such email."""
        aside = and_(col(InboxRow.id) == mail, col(InboxRow.status) == "shunted")
        again = update(InboxRow).where(aside).values(status="new", tries=0, note="", next_try=0)
        with session_of(self._engine) as session:
            return session.execute(again).rowcount == 1

    def aside(self) -> tuple[InboxRow, ...]:
        """The emails that were put aside, oldest first."""
        wanted = read(InboxRow).where(col(InboxRow.status) == "shunted").order_by(col(InboxRow.id))
        with session_of(self._engine) as session:
            return session.rows(wanted)


class Mails(Repository):
    """The received emails, as a transaction settles them."""

    def admit(self, mail: int, identity: str, words: str, signed: bool, proved: bool) -> bool:
        """Whether Waybill may act on a claimed email: no copy of it was acted on before.

        All copies share ``identity``. Copies with another Message-ID share ``words``, which are
        compared if the email is ``signed``. A copy that proves its seat goes before one that does
        not, because a list may remove the proof. If two copies are worked on at once, the second
        one to finish meets Conflict.
        """
        ranks = "2" if proved else "12"
        values: dict[str, object] = {f"copy_{rank}": f"{rank} {identity}" for rank in ranks}
        values |= {"mail": mail, "own": f"{2 if proved else 1} {identity}", "said": words}
        admitting = _admitting(ranks, signed and bool(words))
        return self._session.execute(admitting, values).rowcount == 1

    def finish(
        self,
        mail: int,
        status: Literal["done", "ignored", "duplicate", "shunted"],
        note: str = "",
        kept: bytes | None = None,
    ) -> None:
        """Settle a claimed email. Raises AlreadySettled if the claim has expired.

        ``kept`` replaces its bytes, unless it is put aside.
        """
        values: dict[str, object] = {"mail": mail, "settled": status, "why": note}
        if replaced := kept is not None and status != "shunted":
            values["raw_kept"] = kept
        finishing = _finishing(status == "done", replaced)
        if self._session.execute(finishing, values).rowcount != 1:
            raise AlreadySettled(f"mail {mail} is not being worked on")

    def get(self, mail: int) -> InboxRow | None:
        """A kept email in any status."""
        return self._session.row(read(InboxRow).where(col(InboxRow.id) == mail))

    def leave_untold(self) -> None:
        """Record that emails were put aside and the operator does not know yet."""
        self._session.insert_or_change(MetaRow, ["key"], [{"key": _UNTOLD, "value": "1"}])

    def untold(self) -> bool:
        """Whether there are such emails; afterwards they count as reported."""
        gone = delete(MetaRow).where(col(MetaRow.key) == _UNTOLD)
        return self._session.execute(gone).rowcount > 0

    def has_untold(self) -> bool:
        """Whether there are such emails."""
        found = select(col(MetaRow.key)).where(col(MetaRow.key) == _UNTOLD)
        return self._session.scalar(found) is not None

    def forget_aside(self, mail: int) -> None:
        """Settle an email that was put aside, because nothing is left to do with it."""
        aside = (col(InboxRow.id) == mail, col(InboxRow.status) == "shunted")
        self._session.execute(update(InboxRow).where(*aside).values(status="ignored"))

    def aside(self, limit: int) -> tuple[int, tuple[Aside, ...]]:
        """The number of emails that are put aside, and the latest of them, newest first."""
        which = col(InboxRow.status) == "shunted"
        number = self._session.scalar(select(func.count()).where(which)) or 0
        wanted = (
            select(col(InboxRow.id), col(InboxRow.sender), col(InboxRow.game), col(InboxRow.note))
            .where(which)
            .order_by(col(InboxRow.id).desc())
            .limit(limit)
        )
        return number, tuple(Aside(*row) for row in self._session.execute(wanted))


@cache
def _kept_formerly() -> ColumnElement[bool]:
    """Whether an older version, which knew only one mailbox, kept the new email."""
    kept = other_rows(InboxRow)
    same = (kept.c[name] == given(kept.c[name]) for name in ("uidvalidity", "uid", "message_id"))
    return exists().where(kept.c.account == FORMER, *same)


@cache
def _admitting(ranks: str, by_words: bool) -> Update:
    """See `Mails.admit`: marks an email unless one of these ranks has its identity or words."""
    mail, said = bindparam("mail", type_=Integer), bindparam("said", type_=String)
    other = other_rows(InboxRow)
    copies = [bindparam(f"copy_{rank}", type_=String) for rank in ranks]
    copy: ColumnElement[bool] = other.c.acted.in_(copies)
    if by_words:
        done = or_(*(other.c.acted.startswith(f"{rank} ") for rank in ranks))
        copy = or_(copy, and_(other.c.words == said, done))
    seen = exists().where(copy, other.c.id != mail)
    own = bindparam("own", type_=String)
    marked = update(InboxRow).where(col(InboxRow.id) == mail, ~seen)
    return marked.values(identity=own, words=said)


@cache
def _finishing(done: bool, replaced: bool) -> Update:
    """See `Mails.finish`: settles a claimed email, and with ``replaced`` changes its bytes."""
    mail = col(InboxRow.id) == bindparam("mail", type_=Integer)
    values: dict[str, object] = {
        "status": bindparam("settled", type_=String),
        "note": bindparam("why", type_=String),
        "worker": "",
        "lease": 0,
        # Because of the unique key on `acted`, only one of two copies gets here.
        "acted": func.nullif(col(InboxRow.identity), "") if done else None,
    }
    if replaced:
        values["raw"] = bindparam("raw_kept", type_=col(InboxRow.raw).type)
    return update(InboxRow).where(mail, col(InboxRow.status) == "working").values(**values)


def next_mail(session: Session, worker: str, now: int, lease: int) -> InboxRow | None:
    """See `MailQueue.claim`."""
    found = claim(session, _next(), worker, now, lease)
    return found[0] if found else None


@cache
def _next() -> ReturningUpdate[InboxRow]:
    return claiming(InboxRow, and_(free(table_of(InboxRow)), ~_in_the_way()), (col(InboxRow.id),))


def _in_the_way() -> Wanted:
    """Older work of the game is unfinished, or some of its work is in progress.

    An email in progress blocks its lane whatever its number, because a retried one is older than
    the rest.
    """
    older = other_rows(InboxRow)
    unfinished = and_(older.c.id < col(InboxRow.id), older.c.status.in_(("new", "working")))
    another = and_(older.c.id != col(InboxRow.id), busy(older))
    mail = (
        select(older.c.id)
        .where(older.c.game == col(InboxRow.game), or_(unfinished, another))
        .exists()
    )
    same = and_(col(TaskRow.game) == col(InboxRow.game), col(InboxRow.game) != "")
    task = select(col(TaskRow.id)).where(same, busy(table_of(TaskRow))).exists()
    return or_(mail, task)

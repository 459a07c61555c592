"""Proofs beside tokens: emails held for confirmation, pass phrases, further addresses.

It also records letters to seats that came back. It reads no email and has no clock. A seat is named
by its name, an organizer by ORGANISER.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Literal, TypeVar

from sqlalchemy import BigInteger, Index, UniqueConstraint, and_, delete, or_, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository, insert_new
from service.store.tables import Inbox


class PutByRecord(SQLModel, table=True):
    """An email held for confirmation; its owner may reply with ``code`` until ``due``.

    ``answer`` is the email that confirmed it; after that, no other can. ``phrase`` is the hash of
    the pass phrase that it chooses, which is cut from it. It came at ``at`` from ``sender`` and
    begins with ``says``. A greater ``weight`` is a better proof. ``told`` is when Waybill informed
    its owner, None before.
    """

    __tablename__ = "put_by"
    __table_args__ = (
        UniqueConstraint("mail", name="put_by_mail"),
        Index("put_by_holder", "game_id", "holder"),
        Index("put_by_due", "due"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    holder: str
    mail: int = Field(foreign_key="inbox.id")
    code: str
    due: int = Field(sa_type=BigInteger)
    answer: int | None = None
    phrase: str = ""
    at: int = Field(default=0, sa_type=BigInteger)
    sender: str = ""
    says: str = ""
    weight: int = Field(default=0, sa_type=BigInteger)
    told: int | None = Field(default=None, sa_type=BigInteger)


class PhraseRecord(SQLModel, table=True):
    """The hash of a holder's pass phrase."""

    __tablename__ = "pass_phrase"
    __table_args__ = (UniqueConstraint("game_id", "holder", name="pass_phrase_holder"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    holder: str
    hash: str
    at: int = Field(sa_type=BigInteger)


class FurtherRecord(SQLModel, table=True):
    """Another address of a seat's player: requested until ``due``, or a second address.

    ``kind`` is "move" for an address that replaces the first, "second" for one beside it. ``epoch``
    is the seat's at the request. After a move of the seat, earlier requests are void.
    """

    __tablename__ = "further_address"
    __table_args__ = (
        UniqueConstraint("seat_id", "kind", "stands", name="further_address_kind"),
        Index("further_address_address", "address"),
    )

    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id")
    kind: str
    address: str
    stands: bool = False
    epoch: int
    mail: int
    due: int = Field(sa_type=BigInteger)


class ReturnRecord(SQLModel, table=True):
    """A letter to a seat that came back or was refused; ``hard`` if no letter will arrive there."""

    __tablename__ = "returned"
    __table_args__ = (UniqueConstraint("letter", name="returned_letter"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    address: str
    letter: int
    hard: bool
    sent: int = Field(sa_type=BigInteger)
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class PutByRow:
    """An email held for confirmation; see `PutByRecord`."""

    game_id: int
    holder: str
    mail: int
    code: str
    due: int
    answer: int | None = None
    phrase: str = ""
    at: int = 0
    sender: str = ""
    says: str = ""
    weight: int = 0
    told: int | None = None


@dataclass(frozen=True, slots=True)
class FurtherRow:
    """Another address of a player; see `FurtherRecord`."""

    seat_id: int
    kind: Literal["move", "second"]
    address: str
    epoch: int
    mail: int
    due: int
    stands: bool = False


@dataclass(frozen=True, slots=True)
class ReturnRow:
    """A letter that came back; see `ReturnRecord`."""

    game_id: int
    seat: str
    address: str
    letter: int
    hard: bool
    sent: int
    at: int


#: rows that one statement names; SQLite takes 32,766 of them at most
_AT_ONCE = 1_000


class Proofs(Repository):
    """Emails held for confirmation, and pass phrases."""

    # emails held for confirmation

    def put_by(self, row: PutByRow) -> None:
        """Record that an email is held for confirmation; once for each email."""
        values = {field.name: getattr(row, field.name) for field in fields(PutByRow)}
        insert_new(self._session, PutByRecord, **values)

    def waiting(self, game: int, holder: str, code: str) -> PutByRow | None:
        """The email held for a holder under a code that they got; None if there is none.

        It may be confirmed already.
        """
        told = col(PutByRecord.told).is_not(None)
        which = (PutByRecord.game_id == game, PutByRecord.holder == holder, told)
        wanted = select(PutByRecord).where(*which, PutByRecord.code == code)
        found = self._session.exec(wanted).first()
        return None if found is None else _row(PutByRow, found)

    def untold(self, game: int, holder: str, now: int) -> tuple[PutByRow, ...]:
        """The emails held for a holder who does not know of them yet, the latest first."""
        which = (PutByRecord.game_id == game, PutByRecord.holder == holder)
        open_ = (col(PutByRecord.told).is_(None), col(PutByRecord.answer).is_(None))
        wanted = select(PutByRecord).where(*which, *open_, PutByRecord.due >= now)
        found = self._session.exec(wanted.order_by(col(PutByRecord.id).desc()))
        return tuple(_row(PutByRow, one) for one in found)

    def tell(self, mails: Collection[int], listed: Collection[int], now: int) -> None:
        """Record that a holder knows of these emails, and has the codes of those ``listed``.

        A code that the holder did not get could only be guessed, so the other emails lose theirs.
        """
        untold = tuple(set(mails).difference(listed))
        for which, values in ((tuple(mails), {"told": now}), (untold, {"code": ""})):
            for first in range(0, len(which), _AT_ONCE):
                mail = col(PutByRecord.mail).in_(which[first : first + _AT_ONCE])
                self._session.exec(update(PutByRecord).where(mail).values(**values))

    def forget(self, before: int) -> None:
        """Delete the records whose time for confirmation is over. The emails stay."""
        self._session.exec(delete(PutByRecord).where(col(PutByRecord.due) < before))

    def take(self, mail: int, answer: int) -> bool:
        """Make ``answer`` the one confirmation of an email.

        False if there was another, or if a copy was done. The same answer may be begun again. From
        then on, the email counts as acted on.
        """
        free = or_(col(PutByRecord.answer).is_(None), col(PutByRecord.answer) == answer)
        taken = update(PutByRecord).where(col(PutByRecord.mail) == mail, free)
        if self._session.exec(taken.values(answer=answer)).rowcount != 1:
            return False
        own = select(Inbox.identity, Inbox.words).where(Inbox.id == mail)
        identity, words = self._session.exec(own).one()
        acted = f"2 {identity.partition(' ')[2]}"
        same = and_(col(Inbox.words) == words, col(Inbox.acted).startswith("2 "))
        copy = or_(col(Inbox.acted) == acted, same) if words else col(Inbox.acted) == acted
        other = select(Inbox.id).where(copy, col(Inbox.id) != mail)
        if self._session.exec(other).first() is not None:
            return False
        now = update(Inbox).where(col(Inbox.id) == mail).values(identity=acted, acted=acted)
        self._session.exec(now)
        return True

    # pass phrases

    def phrase(self, game: int, holder: str) -> str:
        """The hash of a holder's pass phrase, '' if they have none."""
        which = (PhraseRecord.game_id == game, PhraseRecord.holder == holder)
        return self._session.exec(select(PhraseRecord.hash).where(*which)).first() or ""

    def set_phrase(self, game: int, holder: str, hashed: str, now: int) -> None:
        """Set the hash of a holder's pass phrase; '' deletes it."""
        which = (col(PhraseRecord.game_id) == game, col(PhraseRecord.holder) == holder)
        self._session.exec(delete(PhraseRecord).where(*which))
        if hashed:
            self._session.add(PhraseRecord(game_id=game, holder=holder, hash=hashed, at=now))
            self._session.flush()

    # further addresses

    # letters that came back


Row = TypeVar("Row", PutByRow, FurtherRow, ReturnRow)


def _row(kind: type[Row], record: SQLModel) -> Row:
    return kind(**{field.name: getattr(record, field.name) for field in fields(kind)})

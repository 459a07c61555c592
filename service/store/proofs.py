"""Proofs beside tokens: emails held for confirmation, pass phrases, further addresses.

It also records letters to seats that came back. It reads no email and has no clock. A seat is named
by its name, an organizer by ORGANISER.
"""

from collections.abc import Collection
from typing import Annotated, Literal, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Index,
    UniqueConstraint,
    and_,
    delete,
    or_,
    select,
    update,
)

from service.clocks.zones import Seconds
from service.store.columns import (
    GameId,
    Long,
    MailId,
    References,
    TournamentId,
    batches,
    col,
    read,
    table,
    value,
)
from service.store.database import Repository
from service.store.tables import InboxRow


class HeldFor(NamedTuple):
    """The owner of a seat or office, of a game or of a tournament; the other id is None."""

    game_id: int | None
    tournament_id: int | None
    holder: str


@value
class HeldRow:
    """An email held for confirmation; its owner may reply with ``code`` until ``due``.

    ``answer`` is the email that confirmed it; after that, no other can. ``phrase`` is the hash of
    the pass phrase that it chooses, which is cut from it. It came at ``at`` from ``sender`` and
    begins with ``says``. A greater ``weight`` is a better proof. ``told`` is when Waybill informed
    its owner, None before.
    """

    game_id: GameId | None
    tournament_id: TournamentId | None
    holder: str
    mail: MailId
    code: str
    due: Seconds
    answer: int | None = None
    phrase: str = ""
    at: Seconds = 0
    sender: str = ""
    says: str = ""
    weight: Long = 0
    told: Seconds | None = None


@table(
    "held",
    UniqueConstraint("mail", name="held_mail"),
    Index("held_holder", "game_id", "holder"),
    Index("held_tournament", "tournament_id", "holder"),
    Index("held_due", "due"),
)
class HeldRecord(HeldRow):
    """The table of such emails."""

    id: int


@table("pass_phrase", UniqueConstraint("game_id", "holder", name="pass_phrase_holder"))
class PhraseRow:
    """The hash of a holder's pass phrase."""

    id: int
    game_id: GameId
    holder: str
    hash: str
    at: Seconds


@value
class FurtherRow:
    """Another address of a seat's player: requested until ``due``, or a second address.

    ``kind`` is "move" for an address that replaces the first, "second" for one beside it. ``epoch``
    is the seat's at the request. After a move of the seat, earlier requests are void.
    """

    seat_id: Annotated[int, References("seat.id")]
    kind: Literal["move", "second"]
    address: str
    epoch: int
    mail: int
    due: Seconds
    stands: bool = False


@table(
    "further_address",
    UniqueConstraint("seat_id", "kind", "stands", name="further_address_kind"),
    Index("further_address_address", "address"),
)
class FurtherRecord(FurtherRow):
    """The table of further addresses."""

    id: int


@value
class ReturnRow:
    """A letter to a seat that came back or was refused; ``hard`` if no letter will arrive there."""

    game_id: GameId
    seat: str
    address: str
    letter: int
    hard: bool
    sent: Seconds
    at: Seconds


@table("returned", UniqueConstraint("letter", name="returned_letter"))
class ReturnRecord(ReturnRow):
    """The table of letters that came back."""

    id: int


def _of(owner: HeldFor) -> tuple[ColumnElement[bool], ...]:
    """The rows of an owner."""
    row = HeldRecord
    return (
        col(row.game_id) == owner.game_id,
        col(row.tournament_id) == owner.tournament_id,
        col(row.holder) == owner.holder,
    )


class Proofs(Repository):
    """Emails held for confirmation, and pass phrases."""

    # emails held for confirmation

    def hold(self, row: HeldRow) -> None:
        """Record that an email is held for confirmation; once for each email."""
        self._session.insert_new(HeldRecord, **vars(row))

    def waiting(self, owner: HeldFor, code: str) -> HeldRow | None:
        """The email held for a holder under a code that they got; None if there is none.

        It may be confirmed already.
        """
        told = col(HeldRecord.told).is_not(None)
        which = (*_of(owner), told, col(HeldRecord.code) == code)
        return self._session.row(read(HeldRow).where(*which))

    def untold(self, owner: HeldFor, now: int) -> tuple[HeldRow, ...]:
        """The emails held for a holder who does not know of them yet, the latest first."""
        which = _of(owner)
        open_ = (col(HeldRecord.told).is_(None), col(HeldRecord.answer).is_(None))
        wanted = read(HeldRow).where(*which, *open_, col(HeldRecord.due) >= now)
        return self._session.rows(wanted.order_by(col(HeldRecord.id).desc()))

    def tell(self, mails: Collection[int], listed: Collection[int], now: int) -> None:
        """Record that a holder knows of these emails, and has the codes of those ``listed``.

        A code that the holder did not get could only be guessed, so the other emails lose theirs.
        """
        untold = tuple(set(mails).difference(listed))
        for which, values in ((tuple(mails), {"told": now}), (untold, {"code": ""})):
            for some in batches(which):
                mail = col(HeldRecord.mail).in_(some)
                self._session.execute(update(HeldRecord).where(mail).values(**values))

    def forget(self, before: int) -> None:
        """Delete the records whose time for confirmation is over. The emails stay."""
        self._session.execute(delete(HeldRecord).where(col(HeldRecord.due) < before))

    def may_take(self, mail: int, answer: int) -> bool:
        """Whether ``answer`` may confirm an email: no other has, and no copy of it was done.

        The same answer may be begun again.
        """
        free = or_(col(HeldRecord.answer).is_(None), col(HeldRecord.answer) == answer)
        found = select(col(HeldRecord.mail)).where(col(HeldRecord.mail) == mail, free)
        return self._session.scalar(found) is not None and not self._copy_done(mail)

    def _acted(self, mail: int) -> tuple[str, str]:
        """How an email counts as acted on, and the words by which copies of it are known."""
        own = select(col(InboxRow.identity), col(InboxRow.words)).where(col(InboxRow.id) == mail)
        identity, words = self._session.execute(own).one()
        return f"2 {identity.partition(' ')[2]}", words

    def _copy_done(self, mail: int) -> bool:
        acted, words = self._acted(mail)
        same = and_(col(InboxRow.words) == words, col(InboxRow.acted).startswith("2 "))
        copy = or_(col(InboxRow.acted) == acted, same) if words else col(InboxRow.acted) == acted
        other = select(col(InboxRow.id)).where(copy, col(InboxRow.id) != mail)
        return self._session.scalar(other) is not None

    def take(self, mail: int, answer: int) -> bool:
        """Make ``answer`` the one confirmation of an email; False if `may_take` is.

        From then on, the email counts as acted on.
        """
        if not self.may_take(mail, answer):
            return False
        taken = update(HeldRecord).where(col(HeldRecord.mail) == mail)
        self._session.execute(taken.values(answer=answer))
        acted, _ = self._acted(mail)
        now = update(InboxRow).where(col(InboxRow.id) == mail).values(identity=acted, acted=acted)
        self._session.execute(now)
        return True

    # pass phrases

    def phrase(self, game: int, holder: str) -> str:
        """The hash of a holder's pass phrase, '' if they have none."""
        which = (col(PhraseRow.game_id) == game, col(PhraseRow.holder) == holder)
        return self._session.scalar(select(col(PhraseRow.hash)).where(*which)) or ""

    def set_phrase(self, game: int, holder: str, hashed: str, now: int) -> None:
        """Set the hash of a holder's pass phrase; '' deletes it."""
        which = (col(PhraseRow.game_id) == game, col(PhraseRow.holder) == holder)
        self._session.execute(delete(PhraseRow).where(*which))
        if hashed:
            self._session.insert(PhraseRow, game_id=game, holder=holder, hash=hashed, at=now)

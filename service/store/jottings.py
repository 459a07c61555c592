"""What is written down for one player alone, and how far each player has been told of the game.

It looks into no text and has no clock.
"""

from dataclasses import dataclass, fields
from typing import Literal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Index,
    delete,
    func,
    tuple_,
    update,
)
from sqlmodel import Field, Session, SQLModel, col, select

from service.store.database import Repository
from service.store.lists import ListTelling, note_list_told
from service.store.rows import Telling
from service.store.tables import Seat, Talk

#: a player's own note, a page of a player's diary, and news for a player alone that may wait
Kind = Literal["note", "diary", "news"]
#: letters of these kinds show a player's notes
_SHOWS_NOTES = ("turn",)
#: letters of these kinds tell nothing that waits for its player
_TELLS_NO_NEWS = ("receipt",)


class JottingRecord(SQLModel, table=True):
    """Words for the player of a seat, written down while position ``number`` stood.

    ``shown`` is whether a letter has told them.
    """

    __tablename__ = "jotting"
    __table_args__ = (
        Index("jotting_seat", "game_id", "seat"),
        CheckConstraint("kind IN ('note', 'diary', 'news')", name="kind_known"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    kind: str
    text: str
    number: int
    shown: bool = False
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class Jotting:
    """Words for one player; see `JottingRecord`."""

    id: int
    seat: str
    kind: str
    text: str
    number: int
    shown: bool
    at: int


class Jottings(Repository):
    """What is kept for one player alone."""

    def add(self, game: int, seat: str, kind: Kind, text: str, number: int, now: int) -> None:
        """Keep words for a seat."""
        made = JottingRecord(game_id=game, seat=seat, kind=kind, text=text, number=number, at=now)
        self._session.add(made)
        self._session.flush()

    def of(self, game: int) -> tuple[Jotting, ...]:
        """All that is kept for the seats of a game, oldest first; each is for its seat alone."""
        wanted = select(JottingRecord).where(JottingRecord.game_id == game)
        names = [field.name for field in fields(Jotting)]
        found = self._session.exec(wanted.order_by(col(JottingRecord.id)))
        return tuple(Jotting(**{name: getattr(row, name) for name in names}) for row in found)

    def drop_notes(self, game: int, seat: str, *, shown: bool = True) -> None:
        """Forget the notes of a seat that have come back to it, or with ``shown`` False all.

        So no other person gets them who takes the seat over; the diary is opened at the end.
        """
        which = [*_of(game, seat), col(JottingRecord.kind) != "diary"]
        if shown:
            which += [col(JottingRecord.kind) == "note", col(JottingRecord.shown).is_(True)]
        self._session.exec(delete(JottingRecord).where(*which))


def note_told(session: Session, tells: Telling, kind: str) -> None:
    """Note how far the player of a seat, or a list, is told by a letter of a kind."""
    if isinstance(tells, ListTelling):
        note_list_told(session, tells)
        return
    seat = col(Seat.id) == tells.seat
    values: dict[str, object] = {} if tells.number is None else {"told": tells.number}
    if tells.talk:
        talk = select(func.coalesce(func.max(Talk.id), 0)).where(Talk.game_id == Seat.game_id)
        values["heard"] = talk.correlate(Seat).scalar_subquery()
    if values:
        session.exec(update(Seat).where(seat).values(**values))
    of = select(Seat.game_id, Seat.name).where(seat)
    own = (tuple_(col(JottingRecord.game_id), col(JottingRecord.seat)).in_(of),)
    if kind in _SHOWS_NOTES:
        notes = (*own, col(JottingRecord.kind) == "note")
        session.exec(update(JottingRecord).where(*notes).values(shown=True))
    if kind not in _TELLS_NO_NEWS:
        news = (*own, col(JottingRecord.kind) == "news")
        session.exec(delete(JottingRecord).where(*news))


def _of(game: int, seat: str) -> tuple[ColumnElement[bool], ...]:
    return col(JottingRecord.game_id) == game, col(JottingRecord.seat) == seat

"""Private notes, diaries and news, and the last position that each player has been informed of.

It interprets no text and has no clock.
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

#: a player's own note, a page of a player's diary, and private news that may wait
Kind = Literal["note", "diary", "news"]
#: kinds of letters that show a player's notes
_SHOWS_NOTES = ("turn",)
#: kinds of letters that do not contain the news that waits for the player
_TELLS_NO_NEWS = ("receipt",)


class JottingRecord(SQLModel, table=True):
    """A text for the player of a seat, written at position ``number``.

    ``shown`` says whether a letter has contained it.
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
    """A text for one player; see `JottingRecord`."""

    id: int
    seat: str
    kind: str
    text: str
    number: int
    shown: bool
    at: int


class Jottings(Repository):
    """The texts kept for one player alone."""

    def add(self, game: int, seat: str, kind: Kind, text: str, number: int, now: int) -> None:
        """Keep a text for a seat."""
        made = JottingRecord(game_id=game, seat=seat, kind=kind, text=text, number=number, at=now)
        self._session.add(made)
        self._session.flush()

    def of(self, game: int) -> tuple[Jotting, ...]:
        """All texts for the seats of a game, oldest first; each is for its seat alone."""
        wanted = select(JottingRecord).where(JottingRecord.game_id == game)
        names = [field.name for field in fields(Jotting)]
        found = self._session.exec(wanted.order_by(col(JottingRecord.id)))
        return tuple(Jotting(**{name: getattr(row, name) for name in names}) for row in found)

    def drop_notes(self, game: int, seat: str, *, shown: bool = True) -> None:
        """Delete a seat's notes that a letter has shown.

        With ``shown`` False, delete all its notes and news, so that the next player of the seat
        does not get them. The diary always stays; it is opened at the end of the game.
        """
        which = [*_of(game, seat), col(JottingRecord.kind) != "diary"]
        if shown:
            which += [col(JottingRecord.kind) == "note", col(JottingRecord.shown).is_(True)]
        self._session.exec(delete(JottingRecord).where(*which))


def note_told(session: Session, tells: Telling, kind: str) -> None:
    """Record how far a letter of a kind informs the player of a seat, or a list."""
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

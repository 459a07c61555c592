"""Private notes, diaries and news, and the last position that each player has been informed of.

It interprets no text and has no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Delete,
    Index,
    Integer,
    Update,
    bindparam,
    delete,
    func,
    tuple_,
    update,
)
from sqlalchemy import select as select_columns
from sqlmodel import Field, Session, SQLModel, col, select

from service.store.database import Repository, table_of
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


def note_told(session: Session, told: Sequence[tuple[Telling, str]]) -> None:
    """Record how far letters inform the players of seats, or lists; each with its kind."""
    seats = []
    for tells, kind in told:
        if isinstance(tells, ListTelling):
            note_list_told(session, tells)
        else:
            seats.append((tells, kind))
    for talk in (False, True):
        rows = [
            {"seat": tells.seat, "number": tells.number}
            for tells, _ in seats
            if tells.talk == talk and (talk or tells.number is not None)
        ]
        if rows:
            session.execute(_informed(talk), rows)
    shown = [tells.seat for tells, kind in seats if kind in _SHOWS_NOTES]
    if shown:
        session.execute(_shown(), {"seats": shown})
    newer = [tells.seat for tells, kind in seats if kind not in _TELLS_NO_NEWS]
    if newer:
        session.execute(_no_news(), {"seats": newer})


@cache
def _informed(talk: bool) -> Update:
    """Sets how far a seat's player is informed, with ``talk`` of all messages."""
    seat, said = table_of(Seat), table_of(Talk)
    number = bindparam("number", type_=Integer)
    values: dict[str, ColumnElement[int]] = {"told": func.coalesce(number, seat.c.told)}
    if talk:
        latest = select_columns(func.coalesce(func.max(said.c.id), 0))
        latest = latest.where(said.c.game_id == seat.c.game_id).correlate(seat)
        values["heard"] = latest.scalar_subquery()
    own = seat.c.id == bindparam("seat", type_=BigInteger)
    return update(seat).where(own).values(**values)


@cache
def _shown() -> Update:
    return update(table_of(JottingRecord)).where(*_theirs("note")).values(shown=True)


@cache
def _no_news() -> Delete:
    return delete(table_of(JottingRecord)).where(*_theirs("news"))


def _theirs(kind: Kind) -> tuple[ColumnElement[bool], ...]:
    """The texts of a kind for the seats whose ids are the parameter ``seats``."""
    text, seat = table_of(JottingRecord).c, table_of(Seat).c
    ids = bindparam("seats", type_=BigInteger, expanding=True)
    of = select_columns(seat.game_id, seat.name).where(seat.id.in_(ids))
    return tuple_(text.game_id, text.seat).in_(of), text.kind == kind


def _of(game: int, seat: str) -> tuple[ColumnElement[bool], ...]:
    return col(JottingRecord.game_id) == game, col(JottingRecord.seat) == seat

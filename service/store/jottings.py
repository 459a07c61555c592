"""Private notes, diaries and news, and the last position that each player has been informed of.

It interprets no text and has no clock.
"""

from collections.abc import Sequence
from functools import cache
from typing import Literal

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Delete,
    Index,
    Integer,
    Update,
    bindparam,
    delete,
    func,
    select,
    tuple_,
    update,
)

from service.clocks.zones import Seconds
from service.store.channels import ListTelling, note_list_told
from service.store.columns import GameId, col, one_of, read, table, value
from service.store.database import Repository, Session
from service.store.tables import SeatRow, TalkRow, Telling

#: a player's own note, a page of a player's diary, and private news that may wait
JottingKind = Literal["note", "diary", "news"]
#: kinds of letters that show a player's notes
_SHOWS_NOTES = ("turn",)
#: kinds of letters that do not contain the news that waits for the player
_TELLS_NO_NEWS = ("receipt",)


@value
class Jotting:
    """A text for the player of a seat, written at position ``number``.

    ``shown`` says whether a letter has contained it.
    """

    id: int
    seat: str
    kind: JottingKind
    text: str
    number: int
    shown: bool
    at: Seconds


@table("jotting", Index("jotting_seat", "game_id", "seat"), one_of("kind", "note", "diary", "news"))
class JottingRecord(Jotting):
    """The table of such texts."""

    game_id: GameId


class Jottings(Repository):
    """The texts kept for one player alone."""

    def add(
        self, game: int, seat: str, kind: JottingKind, text: str, number: int, now: int
    ) -> None:
        """Keep a text for a seat."""
        made = {"kind": kind, "text": text, "number": number, "shown": False, "at": now}
        self._session.insert(JottingRecord, game_id=game, seat=seat, **made)

    def of(self, game: int) -> tuple[Jotting, ...]:
        """All texts for the seats of a game, oldest first; each is for its seat alone."""
        own = col(JottingRecord.game_id) == game
        return self._session.rows(read(Jotting).where(own).order_by(col(JottingRecord.id)))

    def drop_notes(self, game: int, seat: str, *, shown: bool = True) -> None:
        """Delete a seat's notes that a letter has shown.

        With ``shown`` False, delete all its notes and news, so that the next player of the seat
        does not get them. The diary always stays; it is opened at the end of the game.
        """
        which = [*_of(game, seat), col(JottingRecord.kind) != "diary"]
        if shown:
            which += [col(JottingRecord.kind) == "note", col(JottingRecord.shown).is_(True)]
        self._session.execute(delete(JottingRecord).where(*which))


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
    number = bindparam("number", type_=Integer)
    values: dict[str, ColumnElement[int]] = {"told": func.coalesce(number, col(SeatRow.told))}
    if talk:
        latest = select(func.coalesce(func.max(col(TalkRow.id)), 0))
        latest = latest.where(col(TalkRow.game_id) == col(SeatRow.game_id)).correlate(SeatRow)
        values["heard"] = latest.scalar_subquery()
    own = col(SeatRow.id) == bindparam("seat", type_=BigInteger)
    return update(SeatRow).where(own).values(**values)


@cache
def _shown() -> Update:
    return update(JottingRecord).where(*_theirs("note")).values(shown=True)


@cache
def _no_news() -> Delete:
    return delete(JottingRecord).where(*_theirs("news"))


def _theirs(kind: JottingKind) -> tuple[ColumnElement[bool], ...]:
    """The texts of a kind for the seats whose ids are the parameter ``seats``."""
    ids = bindparam("seats", type_=BigInteger, expanding=True)
    of = select(col(SeatRow.game_id), col(SeatRow.name)).where(col(SeatRow.id).in_(ids))
    text = tuple_(col(JottingRecord.game_id), col(JottingRecord.seat))
    return text.in_(of), col(JottingRecord.kind) == kind


def _of(game: int, seat: str) -> tuple[ColumnElement[bool], ...]:
    return col(JottingRecord.game_id) == game, col(JottingRecord.seat) == seat

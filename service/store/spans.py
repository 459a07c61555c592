"""Spans of time that do not count on clocks, and when the service was last seen at work.

It knows no kinds of spans and has no clock; what a span means for a bank is told elsewhere.
"""

from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, Index, delete, func, or_, update
from sqlmodel import Field, Session, SQLModel, col, select

#: the one row of the heartbeat
_BEAT = "service"


class UncountedRecord(SQLModel, table=True):
    """A span that does not count, for one seat of a game, for all of it, or for all games.

    ``seat`` is "" for all seats, ``game_id`` None for all games. ``ends`` is None while nobody
    knows when it will be over.
    """

    __tablename__ = "uncounted"
    __table_args__ = (Index("uncounted_game", "game_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id")
    seat: str = ""
    kind: str
    begins: int = Field(sa_type=BigInteger)
    ends: int | None = Field(default=None, sa_type=BigInteger)
    reason: str = ""


class Heartbeat(SQLModel, table=True):
    """When the service was last at work, by its own clock; there is one row."""

    __tablename__ = "heartbeat"

    name: str = Field(primary_key=True)
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class UncountedRow:
    """A span that does not count; see `UncountedRecord`."""

    id: int
    game_id: int | None
    seat: str
    kind: str
    begins: int
    ends: int | None
    reason: str


class SpanVerbs:
    """The part of a transaction that knows what does not count."""

    _session: Session

    def uncounted(
        self,
        game: int | None,
        seat: str,
        kind: str,
        begins: int,
        ends: int | None = None,
        reason: str = "",
    ) -> int:
        """Let a span not count, for a seat or with "" for all, in one game or with None in all.

        The span's id. Several of them may overlap: time that two of them take out is taken out
        once.
        """
        made = UncountedRecord(
            game_id=game,
            seat=seat,
            kind=kind,
            begins=begins,
            ends=ends,
            reason=reason,
        )
        self._session.add(made)
        self._session.flush()
        assert made.id is not None
        return made.id

    def uncounted_spans(self, game: int, since: int | None = None) -> tuple[UncountedRow, ...]:
        """What does not count in a game, spans of all games among it, by their beginning.

        With ``since`` what was over by then is left out.
        """
        where = [or_(col(UncountedRecord.game_id) == game, col(UncountedRecord.game_id).is_(None))]
        if since is not None:
            ends = col(UncountedRecord.ends)
            where.append(or_(ends.is_(None), ends > since))
        order = (col(UncountedRecord.begins), col(UncountedRecord.id))
        found = self._session.exec(select(UncountedRecord).where(*where).order_by(*order))
        names = [field.name for field in fields(UncountedRow)]
        return tuple(UncountedRow(**{n: getattr(row, n) for n in names}) for row in found)

    def end_uncounted(self, game: int | None, seat: str, kind: str, ends: int) -> int:
        """End the open spans of a kind; how many there were. One that begins later is dropped."""
        named = (
            col(UncountedRecord.game_id).is_not_distinct_from(game),
            col(UncountedRecord.seat) == seat,
            col(UncountedRecord.kind) == kind,
            col(UncountedRecord.ends).is_(None),
        )
        late = delete(UncountedRecord).where(*named, col(UncountedRecord.begins) > ends)
        dropped: int = self._session.exec(late).rowcount
        ended: int = self._session.exec(
            update(UncountedRecord).where(*named).values(ends=ends)
        ).rowcount
        return dropped + ended

    def change_uncounted(self, span: int, begins: int, ends: int | None) -> None:
        """Give a span other bounds, or drop it where nothing of it is left."""
        which = col(UncountedRecord.id) == span
        if ends is not None and ends <= begins:
            self._session.exec(delete(UncountedRecord).where(which))
        else:
            bounds = {"begins": begins, "ends": ends}
            self._session.exec(update(UncountedRecord).where(which).values(**bounds))

    def shift_uncounted(self, until: int, seconds: int) -> None:
        """Move by ``seconds`` what of all spans lies before ``until``: the clock itself was set."""
        for bound in ("begins", "ends"):
            column = col(getattr(UncountedRecord, bound))
            moved = update(UncountedRecord).where(column <= until)
            self._session.exec(moved.values(**{bound: column + seconds}))

    # the heartbeat

    def beat(self, now: int) -> None:
        """Note that the service is at work."""
        self._session.merge(Heartbeat(name=_BEAT, at=now))
        self._session.flush()

    def last_beat(self) -> int | None:
        """When it was last at work; None before it ever was."""
        return self._session.exec(select(func.max(Heartbeat.at))).one()

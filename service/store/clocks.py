"""The clocks of seats: their time banks, and the decision for which each clock runs.

The module does not compute what a clock shows: that needs time zones and excluded spans. It has no
clock of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Index,
    Select,
    String,
    UniqueConstraint,
    Update,
    bindparam,
    delete,
    or_,
    update,
)
from sqlalchemy import select as select_columns
from sqlmodel import Field, SQLModel, col, select

from service.clocks.accounts import Account
from service.store.database import Repository, insert_or_change, table_of
from service.store.rows import columns
from service.store.tables import Waiting


class ClockRecord(SQLModel, table=True):
    """The clock of a seat, as an `Account`.

    ``bank`` is the time bank in seconds when the present decision was asked, or now if there is
    none. ``decision`` names the decision for which the clock runs, "" if it stands still, and
    ``asked`` is when it came up. The clock runs since ``started``, when a server accepted the
    letter that asks; 0 while that is unknown. ``credited`` is the turn for which time was added
    last. ``zone`` and ``quiet`` are the player's settings when the decision was asked. ``extra``
    are seconds granted for this decision alone. ``corrected`` says whether some were for an email
    that was in time and illegal. ``reminded`` is the percentage of used time at the last reminder.
    ``misses`` counts flags.
    """

    __tablename__ = "clock"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="clock_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    bank: int = Field(sa_type=BigInteger)
    credited: str = ""
    decision: str = ""
    asked: int = Field(default=0, sa_type=BigInteger)
    started: int = Field(default=0, sa_type=BigInteger)
    zone: str = "UTC"
    quiet: str = ""
    extra: int = Field(default=0, sa_type=BigInteger)
    corrected: bool = False
    reminded: int = 0
    flagged: bool = False
    misses: int = 0


_NAMES = [field.name for field in fields(Account)]


class UncountedRecord(SQLModel, table=True):
    """A span that is not charged, for one seat of a game, for the whole game, or for all games.

    ``seat`` is "" for all seats, ``game_id`` None for all games. ``ends`` is None while its end is
    unknown.
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


@dataclass(frozen=True, slots=True)
class UncountedRow:
    """A span that is not charged; see `UncountedRecord`."""

    id: int
    game_id: int | None
    seat: str
    kind: str
    begins: int
    ends: int | None
    reason: str


class Clocks(Repository):
    """The clocks of seats, and the spans that are not charged to them."""

    def of(self, game: int) -> tuple[Account, ...]:
        """The clocks of a game's seats, in the order in which they first started."""
        return tuple(Account(*row) for row in self._session.execute(_of(), {"game": game}))

    def set(self, game: int, *clocks: Account) -> None:
        """Replace the clocks of seats."""
        rows = [{"game_id": game, **{n: getattr(row, n) for n in _NAMES}} for row in clocks]
        insert_or_change(self._session, ClockRecord, ["game_id", "seat"], rows)

    def drop(self, game: int) -> None:
        """Delete a game's clocks and all its deadlines."""
        self._session.exec(delete(ClockRecord).where(col(ClockRecord.game_id) == game))
        untimed = update(Waiting).where(col(Waiting.game_id) == game)
        self._session.exec(untimed.values(due=None))

    def set_due(self, game: int, dues: Mapping[str, int | None]) -> None:
        """Set the deadlines of seats that the game waits for."""
        rows = [{"game": game, "name": seat, "at": due} for seat, due in dues.items()]
        if rows:
            self._session.execute(_dated(), rows)

    def shift(self, seconds: int) -> None:
        """Move the start of all running clocks by ``seconds``, because the system clock was set."""
        running = col(ClockRecord.decision) != ""
        for name in ("asked", "started"):
            column = col(getattr(ClockRecord, name))
            moved = update(ClockRecord).where(running, column != 0)
            self._session.exec(moved.values(**{name: column + seconds}))
        timed = update(Waiting).where(col(Waiting.due).is_not(None))
        self._session.exec(timed.values(due=col(Waiting.due) + seconds))

    def put_off(self, game: int, seconds: int) -> int:
        """Move all deadlines in a game by so many seconds; returns how many there were."""
        dated = (col(Waiting.game_id) == game, col(Waiting.due).is_not(None))
        later = update(Waiting).where(*dated).values(due=col(Waiting.due) + seconds)
        return self._session.exec(later).rowcount

    def add_span(
        self,
        game: int | None,
        seat: str,
        kind: str,
        begins: int,
        ends: int | None = None,
        reason: str = "",
    ) -> int:
        """Add a span that is not charged to a seat, or to all seats if ``seat`` is "".

        ``game`` None means all games. Returns the span's id. Spans may overlap: shared time is
        removed only once.
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

    def spans(self, game: int, since: int | None = None) -> tuple[UncountedRow, ...]:
        """The spans that are not charged in a game, those of all games included, by beginning.

        With ``since``, spans that had ended by then are left out.
        """
        where = [or_(col(UncountedRecord.game_id) == game, col(UncountedRecord.game_id).is_(None))]
        if since is not None:
            ends = col(UncountedRecord.ends)
            where.append(or_(ends.is_(None), ends > since))
        order = (col(UncountedRecord.begins), col(UncountedRecord.id))
        found = self._session.exec(select(UncountedRecord).where(*where).order_by(*order))
        names = [field.name for field in fields(UncountedRow)]
        return tuple(UncountedRow(**{n: getattr(row, n) for n in names}) for row in found)

    def end_span(self, game: int | None, seat: str, kind: str, ends: int) -> int:
        """End the open spans of a kind; returns how many. A span that begins later is deleted."""
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

    def change_span(self, span: int, begins: int, ends: int | None) -> None:
        """Change the bounds of a span, or delete it if nothing is left of it."""
        which = col(UncountedRecord.id) == span
        if ends is not None and ends <= begins:
            self._session.exec(delete(UncountedRecord).where(which))
        else:
            bounds = {"begins": begins, "ends": ends}
            self._session.exec(update(UncountedRecord).where(which).values(**bounds))

    def shift_spans(self, until: int, seconds: int) -> None:
        """Move the part of all spans before ``until``, because the system clock was set."""
        for bound in ("begins", "ends"):
            column = col(getattr(UncountedRecord, bound))
            moved = update(UncountedRecord).where(column <= until)
            self._session.exec(moved.values(**{bound: column + seconds}))


@cache
def _of() -> Select[Any]:
    table = table_of(ClockRecord).c
    wanted = select_columns(*columns(Account, ClockRecord))
    return wanted.where(table.game_id == bindparam("game", type_=BigInteger)).order_by(table.id)


@cache
def _dated() -> Update:
    waiting = table_of(Waiting)
    game = waiting.c.game_id == bindparam("game", type_=BigInteger)
    seat = waiting.c.seat == bindparam("name", type_=String)
    return update(waiting).where(game, seat).values(due=bindparam("at", type_=BigInteger))

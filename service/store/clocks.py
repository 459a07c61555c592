"""The clocks of seats: what is left in their banks, and the decision that one runs for.

What a clock shows at a time is not told here: that takes what does not count, and zones. It has no
clock of its own.
"""

from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, Index, UniqueConstraint, delete, or_, update
from sqlmodel import Field, SQLModel, col, select

from service.clocks.accounts import Account
from service.store.database import Repository
from service.store.tables import Waiting


class ClockRecord(SQLModel, table=True):
    """The clock of a seat, as an `Account`.

    ``bank`` are the seconds that it had when the present decision was asked, or has while none is.
    ``decision`` names what it runs for, "" where it stands, and ``asked`` when that came up; it
    runs since ``started``, when a server took the letter that asks, 0 while none is known to have.
    ``credited`` is the turn for which time was added last. ``zone`` and ``quiet`` are the player's
    as they were when they were asked. ``extra`` are seconds granted for this decision alone,
    ``corrected`` whether some were for a mail that was in time and not legal. ``reminded`` is how
    much of the time was over, in percent, when the last reminder went; ``misses`` counts flags.
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


class Clocks(Repository):
    """The clocks of seats, and the spans of time that do not count on them."""

    def of(self, game: int) -> tuple[Account, ...]:
        """The clocks of a game's seats, in the order in which they were first set going."""
        wanted = select(ClockRecord).where(ClockRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(ClockRecord.id)))
        return tuple(Account(**{name: getattr(row, name) for name in _NAMES}) for row in found)

    def set(self, game: int, row: Account) -> None:
        """Let the clock of a seat be this one."""
        values = {name: getattr(row, name) for name in _NAMES}
        which = (col(ClockRecord.game_id) == game, col(ClockRecord.seat) == row.seat)
        if self._session.exec(update(ClockRecord).where(*which).values(**values)).rowcount == 0:
            self._session.add(ClockRecord(game_id=game, **values))
            self._session.flush()

    def drop(self, game: int) -> None:
        """Let a game have no clocks, and nothing in it a time."""
        self._session.exec(delete(ClockRecord).where(col(ClockRecord.game_id) == game))
        untimed = update(Waiting).where(col(Waiting.game_id) == game)
        self._session.exec(untimed.values(due=None))

    def set_due(self, game: int, seat: str, due: int | None) -> None:
        """Let whom a game waits for have until then."""
        which = (col(Waiting.game_id) == game, col(Waiting.seat) == seat)
        self._session.exec(update(Waiting).where(*which).values(due=due))

    def shift(self, seconds: int) -> None:
        """Move by ``seconds`` since when all clocks run that do: ours was set by so much."""
        running = col(ClockRecord.decision) != ""
        for name in ("asked", "started"):
            column = col(getattr(ClockRecord, name))
            moved = update(ClockRecord).where(running, column != 0)
            self._session.exec(moved.values(**{name: column + seconds}))
        timed = update(Waiting).where(col(Waiting.due).is_not(None))
        self._session.exec(timed.values(due=col(Waiting.due) + seconds))

    def put_off(self, game: int, seconds: int) -> int:
        """Let all for whom a game waits have so much longer; how many had a time at all."""
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

    def spans(self, game: int, since: int | None = None) -> tuple[UncountedRow, ...]:
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

    def end_span(self, game: int | None, seat: str, kind: str, ends: int) -> int:
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

    def change_span(self, span: int, begins: int, ends: int | None) -> None:
        """Give a span other bounds, or drop it where nothing of it is left."""
        which = col(UncountedRecord.id) == span
        if ends is not None and ends <= begins:
            self._session.exec(delete(UncountedRecord).where(which))
        else:
            bounds = {"begins": begins, "ends": ends}
            self._session.exec(update(UncountedRecord).where(which).values(**bounds))

    def shift_spans(self, until: int, seconds: int) -> None:
        """Move by ``seconds`` what of all spans lies before ``until``: the clock itself was set."""
        for bound in ("begins", "ends"):
            column = col(getattr(UncountedRecord, bound))
            moved = update(UncountedRecord).where(column <= until)
            self._session.exec(moved.values(**{bound: column + seconds}))

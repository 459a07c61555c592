"""The clocks of seats: their time banks, and the decision for which each clock runs.

The module does not compute what a clock shows: that needs time zones and excluded spans. It has no
clock of its own.
"""

from collections.abc import Mapping
from functools import cache

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

from service.clocks.accounts import Account
from service.clocks.zones import Seconds
from service.store.changes import mark
from service.store.columns import GameId, col, read, table
from service.store.database import Repository
from service.store.tables import WaitingRecord


@table("clock", UniqueConstraint("game_id", "seat", name="clock_seat"))
class ClockRecord(Account):
    """The clock of a seat, as an `Account`.

    ``started`` is when a server accepted the letter that asks. ``zone`` and ``quiet`` are the
    player's settings when the decision was asked. ``misses`` counts flags.
    """

    id: int
    game_id: GameId


@table("uncounted", Index("uncounted_game", "game_id", "seat"))
class UncountedRow:
    """A span that is not charged, for one seat of a game, for the whole game, or for all games.

    ``seat`` is "" for all seats, ``game_id`` None for all games. ``ends`` is None while its end is
    unknown.
    """

    id: int
    game_id: GameId | None
    seat: str
    kind: str
    begins: Seconds
    ends: Seconds | None
    reason: str


class Clocks(Repository):
    """The clocks of seats, and the spans that are not charged to them."""

    def of(self, game: int) -> tuple[Account, ...]:
        """The clocks of a game's seats, in the order in which they first started."""
        return self._session.rows(_of(), game=game)

    def set(self, game: int, *clocks: Account) -> None:
        """Replace the clocks of seats."""
        rows = [{"game_id": game, **vars(row)} for row in clocks]
        self._session.insert_or_change(ClockRecord, ["game_id", "seat"], rows)

    def drop(self, game: int) -> None:
        """Delete a game's clocks and all its deadlines."""
        self._session.execute(delete(ClockRecord).where(col(ClockRecord.game_id) == game))
        untimed = update(WaitingRecord).where(col(WaitingRecord.game_id) == game)
        self._session.execute(untimed.values(due=None))
        mark(self._session, game)

    def set_due(self, game: int, dues: Mapping[str, int | None]) -> None:
        """Set the deadlines of seats that the game waits for."""
        rows = [{"game": game, "name": seat, "at": due} for seat, due in dues.items()]
        if rows:
            self._session.execute(_dated(), rows)
            mark(self._session, game)

    def shift(self, seconds: int) -> None:
        """Move the start of all running clocks by ``seconds``, because the system clock was set."""
        running = col(ClockRecord.decision) != ""
        for name in ("asked", "started"):
            column = col(getattr(ClockRecord, name))
            moved = update(ClockRecord).where(running, column != 0)
            self._session.execute(moved.values(**{name: column + seconds}))
        timed = update(WaitingRecord).where(col(WaitingRecord.due).is_not(None))
        self._session.execute(timed.values(due=col(WaitingRecord.due) + seconds))

    def put_off(self, game: int, seconds: int) -> int:
        """Move all deadlines in a game by so many seconds; returns how many there were."""
        dated = (col(WaitingRecord.game_id) == game, col(WaitingRecord.due).is_not(None))
        later = update(WaitingRecord).where(*dated).values(due=col(WaitingRecord.due) + seconds)
        mark(self._session, game)
        return self._session.execute(later).rowcount

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
        return self._session.insert(
            UncountedRow,
            game_id=game,
            seat=seat,
            kind=kind,
            begins=begins,
            ends=ends,
            reason=reason,
        )

    def spans(self, game: int, since: int | None = None) -> tuple[UncountedRow, ...]:
        """The spans that are not charged in a game, those of all games included, by beginning.

        With ``since``, spans that had ended by then are left out.
        """
        where = [or_(col(UncountedRow.game_id) == game, col(UncountedRow.game_id).is_(None))]
        if since is not None:
            ends = col(UncountedRow.ends)
            where.append(or_(ends.is_(None), ends > since))
        order = (col(UncountedRow.begins), col(UncountedRow.id))
        return self._session.rows(read(UncountedRow).where(*where).order_by(*order))

    def end_span(self, game: int | None, seat: str, kind: str, ends: int) -> int:
        """End the open spans of a kind; returns how many. A span that begins later is deleted."""
        named = (
            col(UncountedRow.game_id).is_not_distinct_from(game),
            col(UncountedRow.seat) == seat,
            col(UncountedRow.kind) == kind,
            col(UncountedRow.ends).is_(None),
        )
        late = delete(UncountedRow).where(*named, col(UncountedRow.begins) > ends)
        dropped: int = self._session.execute(late).rowcount
        ended: int = self._session.execute(
            update(UncountedRow).where(*named).values(ends=ends)
        ).rowcount
        return dropped + ended

    def change_span(self, span: int, begins: int, ends: int | None) -> None:
        """Change the bounds of a span, or delete it if nothing is left of it."""
        which = col(UncountedRow.id) == span
        if ends is not None and ends <= begins:
            self._session.execute(delete(UncountedRow).where(which))
        else:
            bounds = {"begins": begins, "ends": ends}
            self._session.execute(update(UncountedRow).where(which).values(**bounds))

    def shift_spans(self, until: int, seconds: int) -> None:
        """Move the part of all spans before ``until``, because the system clock was set."""
        for bound in ("begins", "ends"):
            column = col(getattr(UncountedRow, bound))
            moved = update(UncountedRow).where(column <= until)
            self._session.execute(moved.values(**{bound: column + seconds}))


@cache
def _of() -> Select[Account]:
    own = col(ClockRecord.game_id) == bindparam("game", type_=BigInteger)
    return read(Account).where(own).order_by(col(ClockRecord.id))


@cache
def _dated() -> Update:
    game = col(WaitingRecord.game_id) == bindparam("game", type_=BigInteger)
    seat = col(WaitingRecord.seat) == bindparam("name", type_=String)
    return update(WaitingRecord).where(game, seat).values(due=bindparam("at", type_=BigInteger))

"""The clocks of seats: what is left in their banks, and the decision that one runs for.

What a clock shows at a time is not told here: that takes what does not count, and zones. It has no
clock of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from sqlalchemy import BigInteger, ColumnElement, UniqueConstraint, and_, delete, or_, update
from sqlmodel import Field, Session, SQLModel, col, select

from service.clocks.accounts import Account
from service.store.tables import Outbox, Waiting


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


class ClockVerbs:
    """The part of a transaction that knows the clocks of a game."""

    _session: Session

    def clocks(self, game: int) -> tuple[Account, ...]:
        """The clocks of a game's seats, in the order in which they were first set going."""
        wanted = select(ClockRecord).where(ClockRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(ClockRecord.id)))
        return tuple(Account(**{name: getattr(row, name) for name in _NAMES}) for row in found)

    def set_clock(self, game: int, row: Account) -> None:
        """Let the clock of a seat be this one."""
        values = {name: getattr(row, name) for name in _NAMES}
        which = (col(ClockRecord.game_id) == game, col(ClockRecord.seat) == row.seat)
        if self._session.exec(update(ClockRecord).where(*which).values(**values)).rowcount == 0:
            self._session.add(ClockRecord(game_id=game, **values))
            self._session.flush()

    def drop_clocks(self, game: int) -> None:
        """Let a game have no clocks, and nothing in it a time."""
        self._session.exec(delete(ClockRecord).where(col(ClockRecord.game_id) == game))
        untimed = update(Waiting).where(col(Waiting.game_id) == game)
        self._session.exec(untimed.values(due=None))

    def set_due(self, game: int, seat: str, due: int | None) -> None:
        """Let whom a game waits for have until then."""
        which = (col(Waiting.game_id) == game, col(Waiting.seat) == seat)
        self._session.exec(update(Waiting).where(*which).values(due=due))

    def accepted(
        self, game: str, kinds: Sequence[str], since: Mapping[str, int]
    ) -> Mapping[str, int]:
        """When a server first took a letter of these kinds to seats, queued at ``since`` or later.

        Only seats are in it to which one was. One that came back counts: what that means is
        another's to say.
        """
        first: dict[str, int] = {}
        taken = col(Outbox.sent).is_not(None)
        for seat, sent in self._letters(game, kinds, since, taken):
            assert sent is not None
            first.setdefault(seat, sent)
        return first

    def unsent(self, game: str, kinds: Sequence[str], since: Mapping[str, int]) -> frozenset[str]:
        """The seats to which a letter of these kinds, queued then or later, has yet to be sent."""
        waits = col(Outbox.status).in_(("new", "working"))
        return frozenset(seat for seat, _ in self._letters(game, kinds, since, waits))

    def _letters(
        self, game: str, kinds: Sequence[str], since: Mapping[str, int], which: ColumnElement[bool]
    ) -> Iterator[tuple[str, int | None]]:
        """Letters to seats, queued at ``since`` or later: whose each is, and when it was taken."""
        if not since:
            return
        ends = {f":{game}/{seat}": seat for seat in since}
        key, queued = col(Outbox.key), col(Outbox.created)
        to = [
            and_(key.endswith(end, autoescape=True), queued >= since[seat])
            for end, seat in ends.items()
        ]
        asking = (Outbox.game == game, col(Outbox.kind).in_(kinds), which)
        wanted = select(Outbox.key, Outbox.sent).where(*asking, or_(*to)).order_by(col(Outbox.sent))
        for named, sent in self._session.exec(wanted):
            yield next(ends[end] for end in ends if named.endswith(end)), sent

    def shift_clocks(self, seconds: int) -> None:
        """Move by ``seconds`` since when all clocks run that do: ours was set by so much."""
        running = col(ClockRecord.decision) != ""
        for name in ("asked", "started"):
            column = col(getattr(ClockRecord, name))
            moved = update(ClockRecord).where(running, column != 0)
            self._session.exec(moved.values(**{name: column + seconds}))
        timed = update(Waiting).where(col(Waiting.due).is_not(None))
        self._session.exec(timed.values(due=col(Waiting.due) + seconds))

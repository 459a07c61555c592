"""What directors have ruled and players have disputed: rows that are never deleted.

What was taken back with its position is struck out and stays. It looks into no ruling, and has no
clock.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, func, update
from sqlmodel import Field, Session, SQLModel, col, select

from service.store.agreements import VoteRecord
from service.store.rows import ActionRow, frozen
from service.store.tables import Action, OrderRecord, OrderState, TaskRecord

#: seconds by which what must not come due while a game is held is put off
FAR = 100 * 365 * 86_400


class RulingRecord(SQLModel, table=True):
    """An act of a director, or of a player who calls for one, numbered within its game.

    ``position`` stood after it, ``about`` is the position that it names, 0 for none. ``before`` and
    ``after`` are the actions that stood before and after it, 0 before a game began. ``lost`` is how
    what it took back was written, one act a line. ``by`` is a seat, or whose office it is.
    """

    __tablename__ = "ruling"
    __table_args__ = (UniqueConstraint("game_id", "number", name="ruling_number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    number: int
    kind: str
    position: int
    about: int = 0
    by: str
    text: str
    because: str
    before: int = 0
    after: int = 0
    lost: str = ""
    struck: bool = False
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A ruling as it stands; see `RulingRecord`. ``at`` is in UTC seconds."""

    number: int
    kind: str
    position: int
    about: int
    by: str
    text: str
    because: str
    before: int = 0
    after: int = 0
    lost: str = ""
    struck: bool = False
    at: int = 0


_NAMES = [field.name for field in fields(RulingRow)]


class RulingVerbs:
    """The part of a transaction that knows what directors have ruled."""

    _session: Session

    def rulings(self, game: int) -> tuple[RulingRow, ...]:
        """All rulings of a game by number."""
        wanted = select(RulingRecord).where(RulingRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(RulingRecord.number)))
        return tuple(RulingRow(**{name: getattr(row, name) for name in _NAMES}) for row in found)

    def add_ruling(self, game: int, row: RulingRow, occasion: int) -> int:
        """Keep a ruling; its number, which none of the game has had."""
        last = select(func.max(RulingRecord.number)).where(RulingRecord.game_id == game)
        number = (self._session.exec(last).one() or 0) + 1
        values = {name: getattr(row, name) for name in _NAMES if name != "number"}
        made = RulingRecord(game_id=game, number=number, occasion_id=occasion, **values)
        self._session.add(made)
        self._session.flush()
        return number

    def every_action(self, game: int) -> tuple[ActionRow, ...]:
        """All steps that a game has had, taken-back ones too, by number."""
        wanted = select(Action).where(Action.game_id == game).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def branch(self, first: int, last: int) -> tuple[ActionRow, ...]:
        """The steps that led from the action ``first`` to ``last``, oldest first, struck or not.

        () where none did.
        """
        found: list[ActionRow] = []
        step = self._session.get(Action, last)
        while step is not None and step.id != first:
            found.append(frozen(ActionRow, step))
            step = None if step.parent is None else self._session.get(Action, step.parent)
        return tuple(reversed(found)) if step is not None else ()

    def strike_rulings(self, game: int, above: int) -> None:
        """Strike out what moved a game to positions above a number: they were taken back."""
        moved = col(RulingRecord.after) != col(RulingRecord.before)
        which = (col(RulingRecord.game_id) == game, col(RulingRecord.position) > above, moved)
        self._session.exec(update(RulingRecord).where(*which).values(struck=True))

    def bring_back(self, game: int, numbers: Collection[int]) -> None:
        """Let stand again what was struck out with positions that stand again."""
        where = (col(RulingRecord.game_id) == game, col(RulingRecord.position).in_(numbers))
        self._session.exec(update(RulingRecord).where(*where).values(struck=False))
        own = select(OrderRecord.id).where(OrderRecord.game_id == game)
        which = (col(OrderState.order_id).in_(own), col(OrderState.number).in_(numbers))
        self._session.exec(update(OrderState).where(*which).values(struck=False))

    def rest_votes(self, game: str, kind: str) -> None:
        """Let no vote come due while a game is held; ``kind`` is that of their tasks."""
        self._put_off_votes(game, kind, FAR)

    def wake_votes(self, game: int, name: str, kind: str, seconds: int) -> None:
        """Let open votes be due so much later than they were to be before the game was held."""
        open_ = (col(VoteRecord.game_id) == game, col(VoteRecord.status) == "open")
        later = update(VoteRecord).where(*open_).values(due=col(VoteRecord.due) + seconds)
        self._session.exec(later)
        self._put_off_votes(name, kind, seconds - FAR)

    def _put_off_votes(self, game: str, kind: str, seconds: int) -> None:
        mine = (col(TaskRecord.game) == game, col(TaskRecord.kind) == kind)
        waits = (*mine, col(TaskRecord.status) == "new")
        later = update(TaskRecord).where(*waits).values(due=col(TaskRecord.due) + seconds)
        self._session.exec(later)

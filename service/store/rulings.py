"""Rulings of directors and disputes of players, in rows that are never deleted.

Rulings that were taken back with their position are struck out and stay. The module does not
interpret a ruling, and has no clock.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, func, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.tables import OrderRecord, OrderState


class RulingRecord(SQLModel, table=True):
    """A ruling of a director, or a dispute of a player, numbered within its game.

    ``position`` is the position after it. ``about`` is the position that it names, 0 for none.
    ``before`` and ``after`` are the actions that were the head before and after it, 0 before a game
    began. ``lost`` is the notation of the actions that it took back, one per line. ``by`` is a seat
    or an office.
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
    """A ruling in its present state; see `RulingRecord`. ``at`` is in UTC seconds."""

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


class Rulings(Repository):
    """The rulings of directors and the disputes of players."""

    def of(self, game: int) -> tuple[RulingRow, ...]:
        """All rulings of a game by number."""
        wanted = select(RulingRecord).where(RulingRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(RulingRecord.number)))
        return tuple(RulingRow(**{name: getattr(row, name) for name in _NAMES}) for row in found)

    def add(self, game: int, row: RulingRow, occasion: int) -> int:
        """Keep a ruling. Returns its number, which is new in the game."""
        last = select(func.max(RulingRecord.number)).where(RulingRecord.game_id == game)
        number = (self._session.exec(last).one() or 0) + 1
        values = {name: getattr(row, name) for name in _NAMES if name != "number"}
        made = RulingRecord(game_id=game, number=number, occasion_id=occasion, **values)
        self._session.add(made)
        self._session.flush()
        return number

    def strike(self, game: int, above: int) -> None:
        """Strike out the rulings that led to positions above a number, which were taken back."""
        moved = col(RulingRecord.after) != col(RulingRecord.before)
        which = (col(RulingRecord.game_id) == game, col(RulingRecord.position) > above, moved)
        self._session.exec(update(RulingRecord).where(*which).values(struck=True))

    def bring_back(self, game: int, numbers: Collection[int]) -> None:
        """Restore struck-out rulings whose positions are valid again."""
        where = (col(RulingRecord.game_id) == game, col(RulingRecord.position).in_(numbers))
        self._session.exec(update(RulingRecord).where(*where).values(struck=False))
        own = select(OrderRecord.id).where(OrderRecord.game_id == game)
        which = (col(OrderState.order_id).in_(own), col(OrderState.number).in_(numbers))
        self._session.exec(update(OrderState).where(*which).values(struck=False))

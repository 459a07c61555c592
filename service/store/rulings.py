"""What directors have ruled and players have disputed: rows that are never deleted.

What was taken back with its position is struck out and stays. It looks into no ruling, and has no
clock.
"""

from collections.abc import Collection
from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, func, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.tables import OrderRecord, OrderState


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


class Rulings(Repository):
    """What directors have ruled and players have disputed."""

    def of(self, game: int) -> tuple[RulingRow, ...]:
        """All rulings of a game by number."""
        wanted = select(RulingRecord).where(RulingRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(RulingRecord.number)))
        return tuple(RulingRow(**{name: getattr(row, name) for name in _NAMES}) for row in found)

    def add(self, game: int, row: RulingRow, occasion: int) -> int:
        """Keep a ruling; its number, which none of the game has had."""
        last = select(func.max(RulingRecord.number)).where(RulingRecord.game_id == game)
        number = (self._session.exec(last).one() or 0) + 1
        values = {name: getattr(row, name) for name in _NAMES if name != "number"}
        made = RulingRecord(game_id=game, number=number, occasion_id=occasion, **values)
        self._session.add(made)
        self._session.flush()
        return number

    def strike(self, game: int, above: int) -> None:
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

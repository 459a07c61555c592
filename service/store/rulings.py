"""Rulings of directors and disputes of players, in rows that are never deleted.

Rulings that were taken back with their position are struck out and stay. The module does not
interpret a ruling, and has no clock.
"""

from collections.abc import Collection

from sqlalchemy import Index, UniqueConstraint, func, select, update

from service.clocks.zones import Seconds
from service.store.columns import GameId, OccasionId, col, read, table, value
from service.store.database import Repository
from service.store.order_rows import OrderRecord, ProgressRecord


@value
class RulingRow:
    """A ruling of a director, or a dispute of a player, numbered within its game.

    ``position`` is the position after it. ``about`` is the position that it names, 0 for none.
    ``before`` and ``after`` are the actions that were the head before and after it, 0 before a game
    began. ``lost`` is the notation of the actions that it took back, one per line. ``by`` is a seat
    or an office.
    """

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
    at: Seconds = 0


@table(
    "ruling",
    UniqueConstraint("game_id", "number", name="ruling_number"),
    Index("ruling_occasion", "occasion_id"),
)
class RulingRecord(RulingRow):
    """The table of rulings."""

    id: int
    game_id: GameId
    occasion_id: OccasionId


class Rulings(Repository):
    """The rulings of directors and the disputes of players."""

    def of(self, game: int) -> tuple[RulingRow, ...]:
        """All rulings of a game by number."""
        own = col(RulingRecord.game_id) == game
        return self._session.rows(read(RulingRow).where(own).order_by(col(RulingRecord.number)))

    def add(self, game: int, row: RulingRow, occasion: int) -> int:
        """Keep a ruling. Returns its number, which is new in the game."""
        last = select(func.max(col(RulingRecord.number))).where(col(RulingRecord.game_id) == game)
        number = (self._session.scalar(last) or 0) + 1
        new = {**vars(row), "number": number, "occasion_id": occasion}
        self._session.insert(RulingRecord, game_id=game, **new)
        return number

    def strike(self, game: int, above: int) -> None:
        """Strike out the rulings that led to positions above a number, which were taken back."""
        moved = col(RulingRecord.after) != col(RulingRecord.before)
        which = (col(RulingRecord.game_id) == game, col(RulingRecord.position) > above, moved)
        self._session.execute(update(RulingRecord).where(*which).values(struck=True))

    def bring_back(self, game: int, numbers: Collection[int]) -> None:
        """Restore struck-out rulings whose positions are valid again."""
        where = (col(RulingRecord.game_id) == game, col(RulingRecord.position).in_(numbers))
        self._session.execute(update(RulingRecord).where(*where).values(struck=False))
        own = select(col(OrderRecord.id)).where(col(OrderRecord.game_id) == game)
        which = (col(ProgressRecord.order_id).in_(own), col(ProgressRecord.number).in_(numbers))
        self._session.execute(update(ProgressRecord).where(*which).values(struck=False))

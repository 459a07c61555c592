"""What seats have given ahead: rows that come and go with changes of their game.

What they wait for is named by the engine and never looked into.
"""

from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, delete
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.rows import AheadRow, Given, frozen
from service.store.tables import AheadRecord


class PartialRecord(SQLModel, table=True):
    """The first commands of a mail that was refused, one a line, that could have been done.

    ``follows`` is the number of the position that would have followed them: as numbers are never
    used twice, the game is as it was while that is still the next. ``mail`` is the refused mail,
    ``fault`` the command that was refused.
    """

    __tablename__ = "partial"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="partial_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    commands: str
    fault: str
    follows: int
    mail: int = Field(foreign_key="inbox.id")
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class PartialRow:
    """What of a refused mail could be done; see `PartialRecord`."""

    seat: str
    commands: str
    fault: str
    follows: int
    mail: int


class Ahead(Repository):
    """What seats have given ahead, and what of refused emails could be done."""

    def of(self, game: int) -> tuple[AheadRow, ...]:
        """What the seats of a game have given ahead, in the order in which they did."""
        wanted = select(AheadRecord).where(AheadRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(AheadRecord.id)))
        return tuple(frozen(AheadRow, row) for row in found)

    def give(self, game: int, given: Given, occasion: int, now: int) -> None:
        """Keep what a seat has given ahead; nothing of its may be kept already."""
        values = {field.name: getattr(given, field.name) for field in fields(Given)}
        self._session.add(AheadRecord(game_id=game, occasion_id=occasion, at=now, **values))
        self._session.flush()

    def drop(self, game: int, seat: str) -> None:
        """Forget what a seat has given ahead."""
        which = (col(AheadRecord.game_id) == game, col(AheadRecord.seat) == seat)
        self._session.exec(delete(AheadRecord).where(*which))

    def partial(self, game: int, seat: str) -> PartialRow | None:
        """What of the seat's latest refused mail could be done, None if nothing is kept."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        row = self._session.exec(select(PartialRecord).where(*which)).first()
        names = [field.name for field in fields(PartialRow)]
        return PartialRow(**{name: getattr(row, name) for name in names}) if row else None

    def keep_partial(self, game: int, row: PartialRow, now: int) -> None:
        """Keep it in the place of what was kept for the seat before."""
        self.drop_partial(game, row.seat)
        values = {field.name: getattr(row, field.name) for field in fields(PartialRow)}
        self._session.add(PartialRecord(game_id=game, at=now, **values))
        self._session.flush()

    def drop_partial(self, game: int, seat: str) -> None:
        """Forget it, as when the seat is given to another person."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        self._session.exec(delete(PartialRecord).where(*which))

"""The waiting commands of seats; these rows appear and disappear with changes of their game.

The engine names the decisions that they wait for. This module does not interpret the names.
"""

from dataclasses import dataclass, fields

from sqlalchemy import BigInteger, UniqueConstraint, delete
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository
from service.store.rows import AheadRow, Given, frozen
from service.store.tables import AheadRecord


class PartialRecord(SQLModel, table=True):
    """The legal first commands of an email that was refused, one per line.

    ``follows`` is the number of the position that would have followed them. Numbers are never used
    twice, so the game is unchanged while that number is still the next one. ``mail`` is the refused
    email, ``fault`` the command that was refused.
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
    """The legal commands of a refused email; see `PartialRecord`."""

    seat: str
    commands: str
    fault: str
    follows: int
    mail: int


class Ahead(Repository):
    """The waiting commands of seats, and the legal commands of refused emails."""

    def of(self, game: int) -> tuple[AheadRow, ...]:
        """The waiting commands of a game's seats, in the order in which the seats gave them."""
        wanted = select(AheadRecord).where(AheadRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(AheadRecord.id)))
        return tuple(frozen(AheadRow, row) for row in found)

    def give(self, game: int, given: Given, occasion: int, now: int) -> None:
        """Keep the waiting commands of a seat, which must have none yet."""
        values = {field.name: getattr(given, field.name) for field in fields(Given)}
        self._session.add(AheadRecord(game_id=game, occasion_id=occasion, at=now, **values))
        self._session.flush()

    def drop(self, game: int, seat: str) -> None:
        """Delete the waiting commands of a seat."""
        which = (col(AheadRecord.game_id) == game, col(AheadRecord.seat) == seat)
        self._session.exec(delete(AheadRecord).where(*which))

    def partial(self, game: int, seat: str) -> PartialRow | None:
        """The legal commands of the seat's latest refused email, None if nothing is kept."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        row = self._session.exec(select(PartialRecord).where(*which)).first()
        names = [field.name for field in fields(PartialRow)]
        return PartialRow(**{name: getattr(row, name) for name in names}) if row else None

    def keep_partial(self, game: int, row: PartialRow, now: int) -> None:
        """Keep these commands in place of the seat's former ones."""
        self.drop_partial(game, row.seat)
        values = {field.name: getattr(row, field.name) for field in fields(PartialRow)}
        self._session.add(PartialRecord(game_id=game, at=now, **values))
        self._session.flush()

    def drop_partial(self, game: int, seat: str) -> None:
        """Delete them, for example when another person gets the seat."""
        which = (col(PartialRecord.game_id) == game, col(PartialRecord.seat) == seat)
        self._session.exec(delete(PartialRecord).where(*which))

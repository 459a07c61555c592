"""What seats have given ahead: rows that come and go with changes of their game.

What they wait for is named by the engine and never looked into.
"""

from dataclasses import fields

from sqlalchemy import delete
from sqlmodel import Session, col, select

from service.store.rows import AheadRow, Given, frozen
from service.store.tables import AheadRecord


class AheadVerbs:
    """The part of a transaction that knows what waits."""

    _session: Session

    def ahead(self, game: int) -> tuple[AheadRow, ...]:
        """What the seats of a game have given ahead, in the order in which they did."""
        wanted = select(AheadRecord).where(AheadRecord.game_id == game)
        found = self._session.exec(wanted.order_by(col(AheadRecord.id)))
        return tuple(frozen(AheadRow, row) for row in found)

    def give_ahead(self, game: int, given: Given, occasion: int, now: int) -> None:
        """Keep what a seat has given ahead; nothing of its may be kept already."""
        values = {field.name: getattr(given, field.name) for field in fields(Given)}
        self._session.add(AheadRecord(game_id=game, occasion_id=occasion, at=now, **values))
        self._session.flush()

    def drop_ahead(self, game: int, seat: str) -> None:
        """Forget what a seat has given ahead."""
        which = (col(AheadRecord.game_id) == game, col(AheadRecord.seat) == seat)
        self._session.exec(delete(AheadRecord).where(*which))

"""Advance orders: rows that never change, and the progress of each, position by position.

The module does not interpret an order. Progress at positions that were taken back is struck out and
kept.
"""

from collections.abc import Sequence

from sqlalchemy import select, update

from service.store.columns import col, read
from service.store.database import Repository
from service.store.order_rows import (
    BY_HAND,
    OrderRecord,
    OrderRow,
    Progress,
    ProgressRecord,
    Sealed,
    latest,
)


class Orders(Repository):
    """The orders of a game."""

    def of(self, game: int) -> tuple[OrderRow, ...]:
        """All orders of a game with their progress, by seat in the order of giving."""
        own = col(OrderRecord.game_id) == game
        given = self._session.rows(read(OrderRecord).where(own).order_by(col(OrderRecord.id)))
        noted = self._noted([order.id for order in given])
        return tuple(
            OrderRow(
                **vars(order),
                step=(now := latest(noted[order.id])).step,
                status=now.status,
                reason=now.reason,
                part=now.part,
                noted=tuple(noted[order.id]),
            )
            for order in given
        )

    def _noted(self, orders: Sequence[int]) -> dict[int, list[Progress]]:
        found: dict[int, list[Progress]] = {order: [] for order in orders}
        if orders:
            own = col(ProgressRecord.order_id).in_(orders)
            wanted = read(ProgressRecord).where(own).order_by(col(ProgressRecord.id))
            for row in self._session.rows(wanted):
                found[row.order_id].append(row)
        return found

    def add(self, game: int, sealed: Sealed, occasion: int, now: int) -> int:
        """Keep an order. Returns its id."""
        cause = {"game_id": game, "occasion_id": occasion, "at": now}
        order = self._session.insert(OrderRecord, **cause, **vars(sealed))
        self.note(order, Progress(BY_HAND, 0, "open", ""), occasion)
        return order

    def note(self, order: int, progress: Progress, occasion: int) -> None:
        """Record the progress of an order at a position."""
        new = {**vars(progress), "order_id": order, "occasion_id": occasion}
        self._session.insert(ProgressRecord, **new)

    def strike(self, game: int, above: int) -> None:
        """Strike out the progress of orders at positions above a number, which were taken back."""
        own = select(col(OrderRecord.id)).where(col(OrderRecord.game_id) == game)
        which = (col(ProgressRecord.order_id).in_(own), col(ProgressRecord.number) > above)
        self._session.execute(update(ProgressRecord).where(*which).values(struck=True))

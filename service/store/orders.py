"""Advance orders: rows that never change, and the progress of each, position by position.

The module does not interpret an order. Progress at positions that were taken back is struck out and
kept.
"""

from dataclasses import fields

from sqlalchemy import update
from sqlmodel import col, select

from service.store.database import Repository
from service.store.order_rows import BY_HAND, OrderRow, Progress, Sealed, latest
from service.store.tables import OrderRecord, OrderState


class Orders(Repository):
    """The orders of a game."""

    def of(self, game: int) -> tuple[OrderRow, ...]:
        """All orders of a game with their progress, by seat in the order of giving."""
        wanted = select(OrderRecord).where(OrderRecord.game_id == game)
        given = self._session.exec(wanted.order_by(col(OrderRecord.id))).all()
        noted = self._noted([order.id for order in given if order.id is not None])
        names = [field.name for field in fields(Sealed)]
        return tuple(
            OrderRow(
                id=order.id,
                game_id=game,
                at=order.at,
                step=(now := latest(noted[order.id])).step,
                status=now.status,
                reason=now.reason,
                part=now.part,
                noted=tuple(noted[order.id]),
                **{name: getattr(order, name) for name in names},
            )
            for order in given
            if order.id is not None
        )

    def _noted(self, orders: list[int]) -> dict[int, list[Progress]]:
        wanted = select(OrderState).where(col(OrderState.order_id).in_(orders))
        found: dict[int, list[Progress]] = {order: [] for order in orders}
        for row in self._session.exec(wanted.order_by(col(OrderState.id))) if orders else ():
            values = (getattr(row, field.name) for field in fields(Progress))
            found[row.order_id].append(Progress(*values))
        return found

    def add(self, game: int, sealed: Sealed, occasion: int, now: int) -> int:
        """Keep an order. Returns its id."""
        values = {field.name: getattr(sealed, field.name) for field in fields(Sealed)}
        row = OrderRecord(game_id=game, occasion_id=occasion, at=now, **values)
        self._session.add(row)
        self._session.flush()
        assert row.id is not None
        first = OrderState(order_id=row.id, number=BY_HAND, occasion_id=occasion)
        self._session.add(first)
        self._session.flush()
        return row.id

    def note(self, order: int, progress: Progress, occasion: int) -> None:
        """Record the progress of an order at a position."""
        values = {field.name: getattr(progress, field.name) for field in fields(Progress)}
        self._session.add(OrderState(order_id=order, occasion_id=occasion, **values))
        self._session.flush()

    def strike(self, game: int, above: int) -> None:
        """Strike out the progress of orders at positions above a number, which were taken back."""
        own = select(OrderRecord.id).where(OrderRecord.game_id == game)
        which = (col(OrderState.order_id).in_(own), col(OrderState.number) > above)
        self._session.exec(update(OrderState).where(*which).values(struck=True))

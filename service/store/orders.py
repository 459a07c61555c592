"""Orders given ahead: rows that are never changed, and how far each has come, position by position.

What an order says is not looked into. What was noted of positions that were taken back is struck
out and kept.
"""

from dataclasses import dataclass, fields

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from service.store.rows import OrderRow, Progress, Sealed
from service.store.tables import OrderRecord, OrderState


@dataclass(frozen=True, slots=True)
class _Now:
    step: int
    status: str
    reason: str
    part: str


class OrderVerbs:
    """The part of a transaction that knows the orders of a game."""

    _session: Session

    def orders(self, game: int) -> tuple[OrderRow, ...]:
        """All orders of a game with what has become of them, by seat in the order of giving."""
        wanted = select(OrderRecord).where(OrderRecord.game_id == game)
        given = self._session.exec(wanted.order_by(col(OrderRecord.id))).all()
        now = self._now([order.id for order in given if order.id is not None])
        names = [field.name for field in fields(Sealed)]
        return tuple(
            OrderRow(
                id=order.id,
                game_id=game,
                at=order.at,
                step=now[order.id].step,
                status=now[order.id].status,
                reason=now[order.id].reason,
                part=now[order.id].part,
                **{name: getattr(order, name) for name in names},
            )
            for order in given
            if order.id is not None
        )

    def _now(self, orders: list[int]) -> dict[int, _Now]:
        wanted = (
            select(OrderState)
            .where(col(OrderState.order_id).in_(orders), col(OrderState.struck).is_(False))
            .order_by(col(OrderState.id))
        )
        found = self._session.exec(wanted)
        return {o.order_id: _Now(o.step, o.status, o.reason, o.part) for o in found}

    def add_order(self, game: int, sealed: Sealed, occasion: int, now: int) -> int:
        """Keep an order; its id."""
        values = {field.name: getattr(sealed, field.name) for field in fields(Sealed)}
        row = OrderRecord(game_id=game, occasion_id=occasion, at=now, **values)
        self._session.add(row)
        self._session.flush()
        assert row.id is not None
        first = OrderState(order_id=row.id, number=-1, occasion_id=occasion)
        self._session.add(first)
        self._session.flush()
        return row.id

    def note_order(self, order: int, progress: Progress, occasion: int) -> None:
        """Note what has become of an order at a position."""
        values = {field.name: getattr(progress, field.name) for field in fields(Progress)}
        self._session.add(OrderState(order_id=order, occasion_id=occasion, **values))
        self._session.flush()

    def strike_orders(self, game: int, above: int) -> None:
        """Strike out what became of orders at positions above a number: they were taken back."""
        own = select(OrderRecord.id).where(OrderRecord.game_id == game)
        which = (col(OrderState.order_id).in_(own), col(OrderState.number) > above)
        self._session.exec(update(OrderState).where(*which).values(struck=True))

    def next_order(self, game: int, seat: str) -> int:
        """The number of a seat's next order; it is never given twice."""
        which = (OrderRecord.game_id == game, OrderRecord.seat == seat)
        wanted = select(func.max(OrderRecord.number)).where(*which)
        return (self._session.exec(wanted).one() or 0) + 1

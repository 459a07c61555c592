"""Rows of advance orders: each order, and its progress position by position."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Annotated

from sqlalchemy import Index, UniqueConstraint

from service.clocks.zones import Seconds
from service.store.columns import GameId, OccasionId, References, table, value


@value
class Sealed:
    """An order to keep, in its canonical form; it never changes.

    ``number`` is its number for the player. ``given`` is the number of a position. The round is its
    kind ("SR", "OR") and part. Waybill shows ``seal`` when it is given, and ``salt`` when the game
    is over. With both, anybody can check it.
    """

    seat: str
    number: int
    text: str
    given: int
    round_kind: str
    round_number: int
    round_part: int
    salt: str
    seal: str


@table(
    "standing_order",
    UniqueConstraint("game_id", "seat", "number", name="order_number"),
    Index("standing_order_occasion", "occasion_id"),
)
class OrderRecord(Sealed):
    """The table of orders."""

    id: int
    game_id: GameId
    occasion_id: OccasionId
    at: Seconds


@value
class Progress:
    """The progress of an order at position ``number``; ``part`` is how far within a turn."""

    number: int
    step: int
    status: str
    reason: str
    part: str = ""
    #: whether it was taken back with its position
    struck: bool = False


@table(
    "order_state",
    Index("order_state_order", "order_id"),
    Index("order_state_occasion", "occasion_id"),
)
class ProgressRecord(Progress):
    """The table of progress."""

    id: int
    order_id: Annotated[int, References("standing_order.id")]
    occasion_id: OccasionId


#: the position number of a change that its player made, not the game; no undo reaches it, so no
#: undo brings back an order that was cleared
BY_HAND = -1


@dataclass(frozen=True, kw_only=True)
class OrderRow(OrderRecord):
    """An order and its present progress; ``noted`` is all progress so far, oldest first."""

    step: int
    status: str
    reason: str
    part: str = ""
    noted: tuple[Progress, ...] = ()

    @property
    def since(self) -> int:
        """The position at which it got its present status."""
        return latest(self.noted).number

    def stood_at(self, number: int, redone: Collection[int] = ()) -> "OrderRow":
        """The order as it was at an earlier position that the game returns to.

        ``redone`` are positions that become valid again.
        """
        noted = tuple(replace(one, struck=_struck(one, number, redone)) for one in self.noted)
        now = latest(noted)
        became = replace(self, step=now.step, status=now.status, reason=now.reason, part=now.part)
        return replace(became, noted=noted)


def _struck(one: Progress, number: int, redone: Collection[int]) -> bool:
    return one.number not in redone and (one.struck or one.number > number)


def latest(noted: Iterable[Progress]) -> Progress:
    """The valid progress: a final change by its player, or otherwise that of the last position."""
    stand = [(place, one) for place, one in enumerate(noted) if not one.struck]
    _, found = max(stand, key=lambda at: (_for_good(at[1]), at[1].number, at[0]))
    return found


def _for_good(one: Progress) -> bool:
    return one.number == BY_HAND and one.status != "open"

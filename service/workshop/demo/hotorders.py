"""Advance orders at one terminal: given, deleted and carried out; nothing is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import engine
from engine import Seat, State, Title
from engine.notation import NotationError
from service.commands.command import Command
from service.desk.ahead import orders_given
from service.games.games import Past
from service.games.orders import Book, GivenOrder, OrderStatus, Trial, halfway
from service.games.orders import by_hand as played_by_hand
from service.games.playing import Played
from service.refusal import Refused


@dataclass(frozen=True)
class OrdersDone:
    """The work of orders in a position: actions, the orders after them, and messages.

    ``midst`` are the orders between the actions, in case one of these is taken back.
    """

    played: tuple[Played, ...]
    orders: tuple[GivenOrder, ...]
    told: tuple[str, ...]
    midst: tuple[GivenOrder, ...]


GIVEN = "Order {number} of {seat}: {text}"


def give(
    title: Title, state: State, seat: Seat, text: str, orders: Sequence[GivenOrder]
) -> tuple[GivenOrder | None, str]:
    """An order of a seat, and the answer; None if the order is refused."""
    try:
        taken = orders_given.give(title, state, seat, text, _of(seat, orders))
    except (NotationError, Refused) as why:
        return None, str(why)
    id_ = max((one.id for one in orders), default=0) + 1
    return replace(taken, id=id_), GIVEN.format(number=taken.number, seat=seat, text=taken.text)


CLEARED = "Cleared: {orders}"
GOES_ON = "It goes on: {orders}"


def turned(seat: Seat, command: Command, orders: Sequence[GivenOrder]) -> tuple[set[int], str]:
    """The ids of the orders that `clear 3` or `resume all` means, and the answer."""
    try:
        chosen = orders_given.turned(command, _of(seat, orders))
    except Refused as why:
        return set(), str(why)
    answer = CLEARED if command.word == "clear" else GOES_ON
    return {o.id for o in chosen}, answer.format(orders="; ".join(order.text for order in chosen))


def _of(seat: Seat, orders: Sequence[GivenOrder]) -> list[GivenOrder]:
    return [order for order in orders if order.seat == seat]


def standing_so(
    orders: Sequence[GivenOrder], ids: set[int], status: OrderStatus
) -> tuple[GivenOrder, ...]:
    """The orders; those with some ids get another status."""
    return tuple(
        replace(order, status=status, reason="") if order.id in ids else order for order in orders
    )


def by_hand(
    title: Title, state: State, seat: Seat, orders: Sequence[GivenOrder]
) -> tuple[GivenOrder, ...]:
    """The orders after a seat has played its turn: suspended orders for that turn end."""
    return Book(tuple(orders)).and_these(played_by_hand(title, state, seat, orders)).orders


def decided(
    title: Title, state: State, orders: Sequence[GivenOrder], past: Sequence[Past]
) -> OrdersDone | None:
    """The next decision of the orders in a position; None if there is none."""
    book = Book(tuple(orders), tuple(past))
    for seat in engine.to_act(title, state):
        changed, tried = Trial(title, state, seat, state.number + 1, book).first()
        if not changed and tried is None:
            continue
        played = tried.outcome.played if tried is not None and tried.outcome is not None else ()
        after = book.and_these(changed).orders
        acting = tried.order.id if tried is not None else None
        midst = tuple(halfway(order) if order.id == acting else order for order in orders)
        return OrdersDone(played, after, tuple(_suspended(changed)), midst)
    return None


SUSPENDED = "Order {number} of {seat} ({text}) is suspended: {reason}"


def _suspended(changed: Sequence[GivenOrder]) -> Iterator[str]:
    for order in changed:
        if order.status == "suspended":
            yield SUSPENDED.format(
                number=order.number, seat=order.seat, text=order.text, reason=order.reason
            )

"""Orders given ahead: what they are, how far each has come, and how long they stand.

It knows positions and orders, but no mail, no database and no clock.
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Literal, cast

from msgspec import structs

from engine import Seat, State, Title
from engine.events import Asked, PriceLetFall, PriceProtected, RoundBegan, RoundEnded, TurnEnded
from engine.notation import NotationError
from engine.position.frames import PrivateTurn, StockRound, StockTurn
from engine.position.values import Round
from service.games.games import GameTable, Past, recent, seat_settings
from service.orders import grammar
from service.orders import values as v
from service.orders.building import Names
from service.store import OrderRow, Sealed, Tx

#: what follows from a player's word in somebody else's turn
_ANSWERS = (PriceLetFall, PriceProtected)

Status = Literal["open", "suspended", "done", "over", "cleared"]


@dataclass(frozen=True)
class Partway:
    """How far an order has come in a turn that waits for the answer to its question.

    ``action`` is the place of the action that asked, ``act`` that of its alternative, ``turn`` the
    name of the decision that the question interrupted.
    """

    action: int
    act: int
    turn: str

    def written(self) -> str:
        """It as it is stored."""
        return f"{self.action} {self.act} {self.turn}"


def _partway(text: str) -> Partway | None:
    action, _, rest = text.partition(" ")
    act, _, turn = rest.partition(" ")
    return Partway(int(action), int(act), turn) if text else None


@dataclass(frozen=True)
class Standing:
    """An order of a seat and how far it has come; ``id`` names it in the store."""

    id: int
    number: int
    seat: Seat
    order: v.Order
    text: str
    #: the position and the round in which it was given
    given: int
    round: Round
    #: the step that comes next
    at: int = 0
    status: Status = "open"
    #: why it is suspended or over
    reason: str = ""
    #: where its turn waits for an answer
    part: Partway | None = None

    @property
    def one_turn(self) -> bool:
        """Whether it stands for one turn of its player; that of a company ends with its step."""
        return self.order.life.of == "turn" and self.order.head != "operate"


@dataclass(frozen=True)
class Book:
    """All that was ordered ahead at a table, in the order in which each seat lists it."""

    orders: tuple[Standing, ...] = ()
    #: what has happened since the oldest of them was given
    past: tuple[Past, ...] = ()
    #: seat → what wakes it
    alarms: dict[Seat, frozenset[str]] = field(default_factory=dict)

    def of(self, seat: Seat) -> tuple[Standing, ...]:
        """The open orders of a seat."""
        return tuple(o for o in self.orders if o.seat == seat and o.status == "open")

    def and_these(self, orders: Sequence[Standing]) -> Book:
        """The same with orders that are new, which come last, or stand otherwise."""
        known = {o.id: o for o in self.orders}
        return replace(self, orders=tuple({**known, **{o.id: o for o in orders}}.values()))

    def with_order(self, order: Standing) -> Book:
        """The same with another state of an order."""
        orders = (order if o.id == order.id else o for o in self.orders)
        return replace(self, orders=tuple(orders))


def read(title: Title, seats: tuple[Seat, ...], row: OrderRow) -> Standing:
    """An order as it was stored; one that reads no more is suspended and says so."""
    round_ = Round(row.round_kind, row.round_number, row.round_part)
    status, reason = cast("Status", row.status), row.reason
    try:
        order = _order(title, seats, row.text)
    except NotationError as error:
        order = v.Order("next", ())
        if status == "open":
            status, reason = "suspended", f"Waybill no longer understands it: {error.text}"
    known = (row.id, row.number, row.seat, order, row.text, row.given, round_)
    return Standing(*known, row.step, status, reason, _partway(row.part))


@lru_cache(maxsize=256)
def _order(title: Title, seats: tuple[Seat, ...], text: str) -> v.Order:
    return grammar.read(Names(title, seats), text)


def book_of(tx: Tx, table: GameTable) -> Book:
    """All orders of a game that stand, with what has happened since the oldest was given."""
    if table.head is None or table.row.status != "running":
        return Book()
    alarms = {seat.name: seat_settings(seat).alarms for seat in table.players}
    rows = [row for row in table.orders if row.status in ("open", "suspended")]
    if not rows:
        return Book(alarms=alarms)
    first = min(row.given for row in rows)
    past = recent(tx, table, lambda known: known[0].number <= first)
    seats = table.state.seats
    return Book(tuple(read(table.title, seats, row) for row in rows), tuple(past), alarms)


def halfway(order: Standing) -> Standing:
    """An order in a position in the midst of the turn that it has played, should the game go back.

    To play the turn again would do the first of it twice, to call it done would lose the rest.
    """
    why = "the game went back into the midst of the turn that it had played"
    return replace(order, status="suspended", reason=why)


def seal(game: str, seat: Seat, number: int, text: str, salt: str) -> str:
    """What is shown of an order when it is given: SHA-256, in hexadecimal, of its five lines.

    Whoever is told the text and the salt, at the end, can make it again.
    """
    lines = "\n".join((game, seat, str(number), text, salt))
    return sha256(lines.encode()).hexdigest()


def sealed(game: str, order: Standing) -> Sealed:
    """An order as it is kept, with a salt of its own."""
    salt = secrets.token_hex(16)
    shown = seal(game, order.seat, order.number, order.text, salt)
    where = (order.round.kind, order.round.number, order.round.part)
    return Sealed(order.seat, order.number, order.text, order.given, *where, salt, shown)


def acts_since(past: Sequence[Past], number: int) -> Sequence[Past]:
    """The acts after position ``number``, of acts in the order of their numbers."""
    return past[bisect_right(past, number, key=lambda act: act.number) :]


def as_if_asked(title: Title, state: State, seat: Seat) -> State | None:
    """The position as if the stock turn that is on were the seat's; None in other rounds."""
    top = state.stack[-1] if state.stack else None
    if not isinstance(top, StockTurn | PrivateTurn) or seat in state.out:
        return None
    asked = type(top)(seat=seat)
    below = tuple(
        structs.replace(frame, seat=seat) if isinstance(frame, StockRound) else frame
        for frame in state.stack[:-1]
    )
    return structs.replace(state, stack=(*below, asked))


def _had_turn(order: Standing, past: Sequence[Past]) -> bool:
    """Whether its player has had a turn that it was meant for since it was given.

    An answer to somebody's question is no turn, nor is one of a company for an order that is meant
    for stock rounds.
    """
    every = order.order.head not in ("each", "standing")
    stock, own, asked = order.round.kind == "SR", False, ""
    for act in acts_since(past, order.given):
        if own and not asked and act.seat != order.seat:
            return True
        answers = asked == act.seat or any(isinstance(e, _ANSWERS) for e in act.events)
        own = own or (act.seat == order.seat and not answers and (every or stock))
        if own and any(isinstance(e, RoundEnded | TurnEnded) for e in act.events):
            return True
        asked = next((e.asked for e in act.events if isinstance(e, Asked)), "")
        for event in act.events:
            stock = event.round.startswith("SR") if isinstance(event, RoundBegan) else stock
    return False


def life_is_over(order: Standing, state: State, past: Sequence[Past]) -> str:
    """Why an order does not stand any more, "" if it does."""
    life, given, now = order.order.life, order.round, state.round
    if order.one_turn:
        return "the turn that it was for is over" if _had_turn(order, past) else ""
    if life.of in ("game", "turn"):
        return ""
    stock = order.order.head in ("each", "standing")
    # given in an operating round it waits for the stock round that follows
    first = given.number + (stock and given.kind == "OR")
    if life.of == "set":
        return "the set of rounds is over" if now.number > first else ""
    since = (e for act in acts_since(past, order.given) for e in act.events)
    ended = sum(isinstance(e, RoundEnded) and (not stock or e.round[:2] == "SR") for e in since)
    waits = order.order.head == "operate" and given.kind == "SR"
    most = (life.rounds if life.of == "rounds" else 1) + waits
    return "its rounds are over" if ended >= most else ""

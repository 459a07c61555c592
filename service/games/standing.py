"""Orders given ahead, tried when their player's turn comes: the same judge as for a mail.

It knows positions and orders, but no mail, no database and no clock.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Literal, cast

from msgspec import structs

from engine import Event, Seat, State, Title
from engine.events import RoundEnded
from engine.notation import NotationError
from engine.position.frames import PrivateTurn, StockRound, StockTurn
from engine.position.values import Round
from service.games import consents, meant, readymade
from service.games.commands import Command
from service.games.games import GameTable, Past, recent, seat_settings
from service.games.playing import Attempt, Play, PlayOutcome
from service.orders import grammar
from service.orders import values as v
from service.orders.building import Names
from service.orders.holding import holds
from service.orders.sight import ALARMS, Sight, alarm
from service.store import OrderRow, Sealed, Tx

Status = Literal["open", "suspended", "done", "over", "cleared"]


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
        """The same with orders that are new, or stand otherwise."""
        ids = {order.id for order in orders}
        return replace(self, orders=(*(o for o in self.orders if o.id not in ids), *orders))

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
            status, reason = "suspended", f"it is not understood any more: {error.text}"
    known = (row.id, row.number, row.seat, order, row.text, row.given, round_)
    return Standing(*known, row.step, status, reason)


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


@dataclass(frozen=True)
class Tried:
    """What becomes of an order when its player is asked.

    ``outcome`` is None where it plays nothing now.
    """

    order: Standing
    outcome: PlayOutcome | None = None
    #: whether the rest of the turn is the player's
    asks: bool = False


class Trial:
    """One seat's orders in a position that asks the seat."""

    def __init__(self, title: Title, state: State, seat: Seat, number: int, book: Book) -> None:
        """``number`` is that of the next position."""
        self.title, self.state, self.seat, self.number = title, state, seat, number
        self.book = book

    def first(self) -> tuple[tuple[Standing, ...], Tried | None]:
        """The orders that are otherwise than they were, and the first that plays, if one does."""
        changed: list[Standing] = []
        for order in self.book.of(self.seat):
            tried = self._try(order)
            if tried.order != order:
                changed.append(tried.order)
            if tried.outcome is not None:
                return tuple(changed), tried
            if tried.order.status == "suspended":
                break
        return tuple(changed), None

    def told(self, order: Standing) -> str:
        """What an order would do here, in a sentence."""
        tried = self._try(order)
        if tried.outcome is not None:
            texts = "; ".join(p.text for p in tried.outcome.played)
            return f"{texts}; the rest is asked of you" if tried.asks else texts
        if tried.order.status == "suspended":
            return f"nothing: {tried.order.reason}"
        if tried.order.status in ("done", "over"):
            return f"nothing, it is over: {tried.order.reason or 'all of it is done'}"
        return "nothing: it is not meant for this, or its conditions do not hold"

    def _sight(self, order: Standing, state: State) -> Sight:
        since = max((p.number for p in self.book.past if p.seat == self.seat), default=0)
        since = max(since, order.given)
        # A round that the player's own last act has ended is over for what comes next.
        happened = (
            e
            for p in self.book.past
            for e in (p.events if p.number > order.given else ())
            if p.number > since or (p.number == since and isinstance(e, RoundEnded))
        )
        alarms = self.book.alarms.get(self.seat, frozenset(ALARMS))
        return Sight(self.title, state, self.seat, tuple(happened), alarms)

    def _try(self, order: Standing) -> Tried:
        if over := life_is_over(order, self.state, events_since(self.book.past, order.given)):
            return Tried(replace(order, status="over", reason=over))
        if order.at >= len(order.order.steps) or not self._concerns(order):
            return Tried(order)
        sight = self._sight(order, self.state)
        steps = order.order.steps
        while order.at < len(steps) and self._is_past(steps[order.at], sight):
            order = replace(order, at=order.at + 1)
        if order.at >= len(steps):
            return Tried(replace(order, status="done"))
        if not self._concerns(order):
            return Tried(order)
        if order.order.head == "standing" and (why := alarm(sight)):
            return Tried(_suspended(order, why))
        return self._turn(order, sight)

    def _concerns(self, order: Standing) -> bool:
        step = order.order.steps[order.at]
        return meant.concerns(self.title, self.state, self.seat, order.order, step)

    def _is_past(self, step: v.Turn, sight: Sight) -> bool:
        """Whether a step that is done again and again has come to its end."""
        if step.until is not None and holds(step.until, sight):
            return True
        acts = [act for action in step.actions for act in action.acts]
        return bool(acts) and all(
            readymade.is_over(self.title, self.state, act.command) for act in acts
        )

    def _turn(self, order: Standing, sight: Sight) -> Tried:
        """The step that comes next, carried out as one turn or not at all."""
        play = Play(self.title, self.state, self.seat, self.number)
        done: list[Attempt] = []
        step, asks = order.order.steps[order.at], False
        for action in step.actions:
            became = self._action(play, action, sight)
            if became == v.ASK:
                asks = True
                break
            if isinstance(became, str):
                if became:
                    return Tried(_suspended(order, became))
                continue
            done.append(became)
        if not done and not asks:
            return Tried(order)
        if asks and not done:
            return Tried(_suspended(_advanced(order), "you wanted to be asked here"))
        outcome = play.finish(done, keep_open=asks)
        return Tried(_advanced(order), outcome, asks)

    def _action(self, play: Play, action: v.Action, sight: Sight) -> Attempt | str:
        """What was played; else ``ask``, why nothing could be, or "" where nothing is to be."""
        refused = ""
        for act in action.acts:
            now = replace(sight, state=play.state)
            if any(holds(g.test, now) == g.unless for g in act.guards):
                continue
            if act.command == v.SKIP:
                return ""
            if act.command == v.ASK:
                return v.ASK
            text = played(self.title, play.state, self.seat, act)
            if not text:
                continue
            step = play.one(Command(0, "play", text, text))
            if step.fault is None:
                return step
            refused = f"{text}: {step.fault.text}"
        return refused


def _suspended(order: Standing, why: str) -> Standing:
    return replace(order, status="suspended", reason=why)


def _advanced(order: Standing) -> Standing:
    """The order after a turn was played by it."""
    steps = order.order.steps
    last = order.at + 1 >= len(steps)
    again = order.order.head in ("each", "standing") and steps[order.at].limited
    if steps[order.at].until is not None or again or (last and order.order.repeats):
        return order
    after = replace(order, at=order.at + 1)
    return replace(after, status="done") if last else after


def events_since(past: Sequence[Past], number: int) -> tuple[Event, ...]:
    """What has happened after position ``number``."""
    return tuple(e for p in past if p.number > number for e in p.events)


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


def life_is_over(order: Standing, state: State, since: Sequence[Event]) -> str:
    """Why an order does not stand any more, "" if it does."""
    life, given, now = order.order.life, order.round, state.round
    if life.of in ("game", "turn"):
        return ""
    stock = order.order.head in ("each", "standing")
    # given in an operating round it waits for the stock round that follows
    first = given.number + (stock and given.kind == "OR")
    if life.of == "set":
        return "the set of rounds is over" if now.number > first else ""
    ended = sum(isinstance(e, RoundEnded) and (not stock or e.round[:2] == "SR") for e in since)
    waits = order.order.head == "operate" and given.kind == "SR"
    most = (life.rounds if life.of == "rounds" else 1) + waits
    return "its rounds are over" if ended >= most else ""


def played(title: Title, state: State, seat: Seat, act: v.Act) -> str:
    """What an act plays in a position as a command, "" for nothing."""
    if act.ahead is not None:
        return consents.answer(title, state, seat, act)
    return readymade.played(title, state, seat, act.command)

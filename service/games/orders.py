"""Advance orders of a game: their progress, and what Waybill tries when their turn comes.

It knows positions and orders, but no email, no database and no clock.
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

import engine
from engine import Action, Choice, Seat, State, Title
from engine.events import (
    Asked,
    Countered,
    Declined,
    PriceLetFall,
    PriceProtected,
    RoundBegan,
    RoundEnded,
    TurnEnded,
    Withdrawn,
)
from engine.notation import NotationError
from engine.position.frames import PrivateTurn, StockRound, StockTurn
from engine.position.values import Round
from engine.proposals import Proposal, Unstated
from service.commands.command import Command
from service.games import meant, offers, readymade
from service.games.choices import seat_settings
from service.games.games import GameTable, Past, recent
from service.games.offers import waits_for
from service.games.playing import Attempt, Play, PlayOutcome
from service.orders import grammar
from service.orders import values as v
from service.orders.building import Names
from service.orders.holding import holds
from service.orders.sight import ALARMS, Sight, alarm
from service.orders.writing import condition
from service.store import OrderRow, Sealed, Tx

#: events of a player's answer in another player's turn
_ANSWERS = (PriceLetFall, PriceProtected)

OrderStatus = Literal["open", "suspended", "done", "over", "cleared"]


@dataclass(frozen=True)
class Partway:
    """The progress of an order in a turn that waits for the answer to its question.

    ``action`` is the place of the action that asked, ``act`` the place of its alternative. ``turn``
    is the name of the decision that the question interrupted.
    """

    action: int
    act: int
    turn: str

    def stored(self) -> str:
        """The progress in the form that is stored."""
        return f"{self.action} {self.act} {self.turn}"


def _partway(text: str) -> Partway | None:
    action, _, rest = text.partition(" ")
    act, _, turn = rest.partition(" ")
    return Partway(int(action), int(act), turn) if text else None


@dataclass(frozen=True)
class GivenOrder:
    """An order of a seat and its progress; ``id`` is its id in the store."""

    id: int
    number: int
    seat: Seat
    order: v.Order
    text: str
    #: the position and the round in which the player gave it
    given: int
    round: Round
    #: the next step
    at: int = 0
    status: OrderStatus = "open"
    #: the reason why it is suspended or over
    reason: str = ""
    #: its progress, if its turn waits for an answer
    part: Partway | None = None

    @property
    def one_turn(self) -> bool:
        """Whether it is for one turn of its player; a company's turn ends with its step."""
        return self.order.life.of == "turn" and self.order.head != "operate"


@dataclass(frozen=True)
class Book:
    """All advance orders of a game, in the order in which each seat lists them."""

    orders: tuple[GivenOrder, ...] = ()
    #: the actions since the oldest order was given
    past: tuple[Past, ...] = ()
    #: seat → the alarms that stop its orders
    alarms: dict[Seat, frozenset[str]] = field(default_factory=dict)

    def of(self, seat: Seat) -> tuple[GivenOrder, ...]:
        """The open orders of a seat."""
        return tuple(o for o in self.orders if o.seat == seat and o.status == "open")

    def and_these(self, orders: Sequence[GivenOrder]) -> Book:
        """A book with these orders: new ones come last, others replace their older state."""
        known = {o.id: o for o in self.orders}
        return replace(self, orders=tuple({**known, **{o.id: o for o in orders}}.values()))

    def with_order(self, order: GivenOrder) -> Book:
        """A book with a new state of an order."""
        orders = (order if o.id == order.id else o for o in self.orders)
        return replace(self, orders=tuple(orders))


def alive(order: OrderRow | GivenOrder) -> bool:
    """Whether an order may still move, perhaps after its player has reactivated it."""
    return order.status in ("open", "suspended")


def read(title: Title, seats: tuple[Seat, ...], row: OrderRow) -> GivenOrder:
    """An order from its row; one that can no longer be read is suspended and says so."""
    round_ = Round(row.round_kind, row.round_number, row.round_part)
    status, reason = cast("OrderStatus", row.status), row.reason
    try:
        order = _order(title, seats, row.text)
    except NotationError as error:
        order = v.Order("next", ())
        if status == "open":
            status, reason = "suspended", f"Waybill no longer understands it: {error.text}"
    known = (row.id, row.number, row.seat, order, row.text, row.given, round_)
    return GivenOrder(*known, row.step, status, reason, _partway(row.part))


@lru_cache(maxsize=256)
def _order(title: Title, seats: tuple[Seat, ...], text: str) -> v.Order:
    return grammar.read(Names(title, seats), text)


def book_of(tx: Tx, table: GameTable) -> Book:
    """All orders in force in a game, and the actions since the oldest was given."""
    if table.head is None or table.row.status != "running":
        return Book()
    alarms = {seat.name: seat_settings(seat).alarms for seat in table.players}
    rows = [row for row in table.orders if alive(row)]
    if not rows:
        return Book(alarms=alarms)
    first = min(row.given for row in rows)
    past = recent(tx, table, lambda known: known[0].number <= first)
    seats = table.state.seats
    return Book(tuple(read(table.title, seats, row) for row in rows), tuple(past), alarms)


def halfway(order: GivenOrder) -> GivenOrder:
    """The state of an order if the game returns into the middle of the turn that it played.

    It is suspended. To play the turn again would repeat its first part; to call it done would lose
    the rest.
    """
    why = "the game went back into the midst of the turn that it had played"
    return replace(order, status="suspended", reason=why)


def seal(game: str, seat: Seat, number: int, text: str, salt: str) -> str:
    """The seal that players see of a new order: SHA-256 of its five lines, in hexadecimal.

    Anybody can compute it again at the end, when the text and the salt are public.
    """
    lines = "\n".join((game, seat, str(number), text, salt))
    return sha256(lines.encode()).hexdigest()


def sealed(game: str, order: GivenOrder) -> Sealed:
    """An order as it is stored, with a new salt."""
    salt = secrets.token_hex(16)
    shown = seal(game, order.seat, order.number, order.text, salt)
    where = (order.round.kind, order.round.number, order.round.part)
    return Sealed(order.seat, order.number, order.text, order.given, *where, salt, shown)


def acts_since(past: Sequence[Past], number: int) -> Sequence[Past]:
    """The actions after position ``number``; ``past`` is in the order of the numbers."""
    return past[bisect_right(past, number, key=lambda act: act.number) :]


def as_if_asked(title: Title, state: State, seat: Seat) -> State | None:
    """The position as if the stock turn were the seat's; None in other rounds."""
    top = state.stack[-1] if state.stack else None
    if not isinstance(top, StockTurn | PrivateTurn) or seat in state.out:
        return None
    asked = type(top)(seat=seat)
    below = tuple(
        structs.replace(frame, seat=seat) if isinstance(frame, StockRound) else frame
        for frame in state.stack[:-1]
    )
    return structs.replace(state, stack=(*below, asked))


def _had_turn(order: GivenOrder, past: Sequence[Past]) -> bool:
    """Whether its player has had a turn since then that the order was meant for.

    An answer to a question is not a turn. A company's turn is not one for an order that is meant
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


def life_is_over(order: GivenOrder, state: State, past: Sequence[Past]) -> str:
    """The reason why an order has expired; "" if it is still in force."""
    life, given, now = order.order.life, order.round, state.round
    if order.one_turn:
        return "the turn that it was for is over" if _had_turn(order, past) else ""
    if life.of in ("game", "turn"):
        return ""
    stock = order.order.head in ("each", "standing")
    # an order from an operating round waits for the next stock round
    first = given.number + (stock and given.kind == "OR")
    if life.of == "set":
        return "the set of rounds is over" if now.number > first else ""
    since = (e for act in acts_since(past, order.given) for e in act.events)
    ended = sum(isinstance(e, RoundEnded) and (not stock or e.round[:2] == "SR") for e in since)
    waits = order.order.head == "operate" and given.kind == "SR"
    most = (life.rounds if life.of == "rounds" else 1) + waits
    return "its rounds are over" if ended >= most else ""


#: the outcome of a command to run or to pay if nothing can be earned
_IDLE = "nothing to run"
#: the beginning of a turn: its first action, and the first alternative of that
_WHOLE = (0, 0)
#: the reason why an order is over that was suspended when its turn came
PLAYED = "you have played that turn yourself"
#: the state of an order in the middle of a turn, for its player
WAITS = "the rest of its turn waits until your offer is answered"


@dataclass(frozen=True)
class Tried:
    """The outcome of an order when its player must decide; ``outcome`` None means no move now."""

    order: GivenOrder
    outcome: PlayOutcome | None = None
    #: whether the player must decide the rest of the turn
    asks: bool = False


NOTHING = "nothing: {why}"


class Trial:
    """A seat's orders in a position in which the seat must decide."""

    def __init__(self, title: Title, state: State, seat: Seat, number: int, book: Book) -> None:
        """``number`` is the number of the next position."""
        self.title, self.state, self.seat, self.number = title, state, seat, number
        self.book = book

    def first(self) -> tuple[tuple[GivenOrder, ...], Tried | None]:
        """The orders that have changed, and the first order that plays, if any."""
        changed: list[GivenOrder] = []
        # An order that began a turn ends it, before another order may act in it.
        for order in sorted(self.book.of(self.seat), key=lambda order: order.part is None):
            tried = self._try(order)
            if tried.order != order:
                changed.append(tried.order)
            if tried.outcome is not None:
                return tuple(changed), tried
            if tried.order.status == "suspended":
                break
        return tuple(changed), None

    def would_do(self, order: GivenOrder) -> str:
        """A sentence that says what an order would do here."""
        tried = self._try(order)
        if tried.outcome is not None:
            texts = "; ".join(p.text for p in tried.outcome.played)
            texts += f"; {WAITS}" if tried.order.part else ""
            return f"{texts}; the rest is asked of you" if tried.asks else texts
        if tried.order.status == "suspended":
            return NOTHING.format(why=tried.order.reason)
        if tried.order.status in ("done", "over"):
            return f"nothing, it is over: {tried.order.reason or 'all of it is done'}"
        return "nothing: it is not meant for this, or its conditions do not hold"

    def plays(self, order: GivenOrder) -> bool:
        """Whether an order plays something here, if no earlier order does."""
        return self._try(order).outcome is not None

    def sight(self, order: GivenOrder, state: State) -> Sight:
        """A position as an order sees it, with the past actions that it may examine."""
        past = acts_since(self.book.past, order.given)
        since = max((p.number for p in past if p.seat == self.seat), default=order.given)
        # If the player's own last action ended a round, that round is over for the next step.
        happened = (
            e
            for p in past
            for e in p.events
            if p.number > since or (p.number == since and isinstance(e, RoundEnded))
        )
        alarms = self.book.alarms.get(self.seat, frozenset(ALARMS))
        return Sight(self.title, state, self.seat, tuple(happened), alarms)

    def _try(self, order: GivenOrder) -> Tried:
        if order.part is not None:
            return self._answered(order, order.part)
        if over := life_is_over(order, self.state, self.book.past):
            return Tried(replace(order, status="over", reason=over))
        if order.status != "open" or order.at >= len(order.order.steps):
            return Tried(order)
        if not self._concerns(order):
            return Tried(order)
        sight = self.sight(order, self.state)
        steps, woken = order.order.steps, ""
        while order.at < len(steps) and self._is_past(steps[order.at], sight):
            woken = _woken(self.title, steps[order.at], sight)
            order = replace(order, at=order.at + 1)
        if order.at >= len(steps):
            return Tried(replace(order, status="done", reason=woken))
        if not self._concerns(order):
            return Tried(order)
        if order.order.head == "standing" and (why := alarm(sight)):
            return Tried(_suspended(order, why))
        return self._turn(order, sight)

    def _concerns(self, order: GivenOrder) -> bool:
        step = order.order.steps[order.at]
        return meant.concerns(self.title, self.state, self.seat, order.order, step)

    def _is_past(self, step: v.Turn, sight: Sight) -> bool:
        """Whether a repeated step has reached its end."""
        if step.until is not None and holds(step.until, sight):
            return True
        acts = [act for action in step.actions for act in action.acts]
        return bool(acts) and all(
            readymade.is_over(self.title, self.state, self.seat, act.command) for act in acts
        )

    def _answered(self, order: GivenOrder, part: Partway) -> Tried:
        """An order within a turn: it waits, continues, or its turn was played without it."""
        if waits_for(self.seat, self.state) and engine.interrupted(self.state) == part.turn:
            return Tried(order)
        past, asked = self.book.past, (Asked, Countered)
        last = (n for n, p in enumerate(past) if any(isinstance(e, asked) for e in p.events))
        answer, *acts = past[max(last, default=-1) + 1 :] or (None,)
        by_hand = any(p is not None and p.seat == self.seat for p in acts)
        if by_hand or answer is None or engine.decision(self.state) != part.turn:
            return self._try(_advanced(order))
        agreed = not any(isinstance(e, Declined | Withdrawn) for e in answer.events)
        begin = (part.action + 1, 0) if agreed else (part.action, part.act + 1)
        return self._turn(order, self.sight(order, self.state), begin)

    def _turn(self, order: GivenOrder, sight: Sight, begin: tuple[int, int] = _WHOLE) -> Tried:
        """Play the next step, or the rest of it: the whole of it or nothing.

        Commands after a question wait for the answer, if some answer makes them legal.
        """
        play = Play(self.title, self.state, self.seat, self.number)
        done: list[Attempt] = []
        actions, asks, idle = order.order.steps[order.at].actions, False, begin != _WHOLE
        for place, action in enumerate(actions[begin[0] :], begin[0]):
            first = begin[1] if place == begin[0] else 0
            became = self._action(play, action.acts[first:], sight)
            if became == v.ASK:
                asks = True
                break
            if isinstance(became, str):
                if became not in ("", _IDLE):
                    return Tried(_suspended(order, became))
                idle = idle or became == _IDLE
                continue
            act, attempt = became
            done.append(attempt)
            left = place + 1 < len(actions) or first + act + 1 < len(action.acts)
            if left and waits_for(self.seat, play.state):
                part = Partway(place, first + act, engine.interrupted(play.state))
                return self._waits(order, part, play.finish(done, keep_open=True))
        if idle and not done and not asks:
            ended = play.one(Command(0, "play", "done", "done"))
            if ended.fault:
                return Tried(_suspended(order, ended.fault.text))
            done.append(ended)
        if not done and not asks:
            return Tried(order)
        if asks and not done:
            return Tried(_suspended(_advanced(order), "you wanted to be asked here"))
        return Tried(_advanced(order), play.finish(done, keep_open=asks), asks)

    def _action(self, play: Play, acts: Sequence[v.Act], sight: Sight) -> tuple[int, Attempt] | str:
        """The alternative that was played; else ``ask``, the reason why none could be, or "".

        `_IDLE` means that a company was to run or pay, and earns nothing.
        """
        refused = ""
        for place, act in enumerate(acts):
            now = replace(sight, state=play.state)
            if any(holds(g.test, now) == g.unless for g in act.guards):
                continue
            if act.command == v.SKIP:
                return ""
            if act.command == v.ASK:
                return v.ASK
            text = played(self.title, play.state, self.seat, act)
            if not text:
                refused = readymade.why_nothing(self.title, play.state, act.command) or refused
                continue
            if self._asks_again(play.state, text):
                continue
            step = play.one(Command(0, "play", text, text))
            if step.unearned:
                return _IDLE
            if step.fault is None:
                return place, step
            refused = f"{text}: {step.fault.text}"
        return refused

    def _asks_again(self, state: State, text: str) -> bool:
        """Whether a command would repeat an offer that was declined in this turn."""
        down = turned_down(self.book.past, self.seat)
        if not down:
            return False
        step = Play(self.title, state, self.seat, self.number).one(Command(0, "play", text, text))
        events = step.played.events if step.played else ()
        return any(isinstance(e, Asked) and (e.asked, e.proposal) in down for e in events)

    def _waits(self, order: GivenOrder, part: Partway, outcome: PlayOutcome) -> Tried:
        """An order whose question is open now; it waits if some answer lets it continue."""
        question, waiting = engine.question(outcome.state), replace(order, part=part)
        assert question is not None
        options = engine.options(self.title, outcome.state, question.asked)
        answers = (option.action for option in options if isinstance(option, Choice))
        after = [self._supposed(waiting, outcome, answer) for answer in answers]
        if after and all(one.status == "suspended" for one in after):
            return Tried(_suspended(order, after[0].reason))
        return Tried(waiting, outcome)

    def _supposed(self, order: GivenOrder, outcome: PlayOutcome, answer: Action) -> GivenOrder:
        """The order after a possible answer."""
        then = engine.apply(self.title, outcome.state, answer)
        if self.seat not in engine.to_act(self.title, then.state):
            return order
        own = (Past(p.number, p.seat, p.events) for p in outcome.played)
        answered = Past(then.state.number, answer.by, then.events)
        book = replace(self.book, past=(*self.book.past, *own, answered))
        number = then.state.number + 1
        return Trial(self.title, then.state, self.seat, number, book)._try(order).order


def turned_down(past: Sequence[Past], seat: Seat) -> list[tuple[Seat, Proposal | Unstated]]:
    """The offers of a seat in the present turn that were not accepted, with their recipients."""
    found: list[tuple[Seat, Proposal | Unstated]] = []
    offer: Asked | None = None
    waits = ""
    for act in past:
        if act.seat != seat and act.seat != waits:
            found = []
        refused = any(isinstance(e, Declined | Countered | Withdrawn) for e in act.events)
        if offer is not None and refused:
            found.append((offer.asked, offer.proposal))
        asked = next((e for e in act.events if isinstance(e, Asked | Countered)), None)
        offer = asked if isinstance(asked, Asked) and asked.by == seat else None
        waits = asked.asked if asked is not None else ""
        if any(isinstance(e, RoundEnded | TurnEnded) for e in act.events):
            found = []
    return found


def by_hand(
    title: Title, state: State, seat: Seat, orders: Sequence[GivenOrder]
) -> tuple[GivenOrder, ...]:
    """End suspended orders for one turn that their player now plays.

    ``state`` is the position in which the turn is played. Orders for several turns stay. Orders
    that are not suspended stay too, because their conditions wait for another turn.
    """
    mine = (o for o in orders if o.seat == seat and o.status == "suspended")
    return tuple(
        replace(order, status="over", reason=PLAYED)
        for order in mine
        if order.order.head in ("next", "operate")
        and len(order.order.steps) == 1
        and meant.concerns(title, state, seat, order.order, order.order.steps[0])
    )


#: the reason why an order ended, if its condition came true
CAME_TRUE = "`{condition}` came true"


def _woken(title: Title, step: v.Turn, sight: Sight) -> str:
    """Why a repeated step is over: an alarm, its condition, or nothing left to bid.

    The end of the round needs no reason: "" then.
    """
    if step.until is None:
        acts = (act.command for action in step.actions for act in action.acts)
        why = (readymade.is_over(title, sight.state, sight.seat, command) for command in acts)
        return next(filter(None, why), "")
    parts = step.until.tests if isinstance(step.until, v.Any) else (step.until,)
    true = [part for part in parts if holds(part, sight)]
    plain = [part for part in true if not isinstance(part, v.Alarm)]
    if any(isinstance(part, v.RoundEnds) for part in plain):
        return ""
    if plain or not true:
        return CAME_TRUE.format(condition=condition(plain[0] if plain else step.until))
    return alarm(sight)


def _suspended(order: GivenOrder, why: str) -> GivenOrder:
    return replace(order, status="suspended", reason=why)


def _advanced(order: GivenOrder) -> GivenOrder:
    """The order after it has played a turn."""
    order, steps = replace(order, part=None), order.order.steps
    last = order.at + 1 >= len(steps) or order.one_turn
    again = order.order.head in ("each", "standing") and steps[order.at].limited
    goes_on = steps[order.at].until is not None or again or (last and order.order.repeats)
    if goes_on and not order.one_turn:
        return order
    after = replace(order, at=order.at + 1)
    return replace(after, status="done") if last else after


def played(title: Title, state: State, seat: Seat, act: v.Act) -> str:
    """The command that an act plays in a position; "" for none."""
    if act.ahead is not None:
        return offers.answer(title, state, seat, act)
    return readymade.played(title, state, seat, act.command)

"""Orders given ahead, tried when their player's turn comes: the same judge as for a mail.

It knows positions and orders, but no mail, no database and no clock.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine import Seat, State, Title
from engine.events import RoundEnded
from service.games import consents, meant, readymade
from service.games.commands import Command
from service.games.playing import Attempt, Play, PlayOutcome
from service.games.standing import Book, Standing, life_is_over
from service.orders import values as v
from service.orders.holding import holds
from service.orders.sight import ALARMS, Sight, alarm

#: what became of a command to run or to pay where nothing can be earned
_IDLE = "nothing to run"


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
        if over := life_is_over(order, self.state, self.book.past):
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
            readymade.is_over(self.title, self.state, self.seat, act.command) for act in acts
        )

    def _turn(self, order: Standing, sight: Sight) -> Tried:
        """The step that comes next, carried out as one turn or not at all."""
        play = Play(self.title, self.state, self.seat, self.number)
        done: list[Attempt] = []
        step, asks, idle = order.order.steps[order.at], False, False
        for action in step.actions:
            became = self._action(play, action, sight)
            if became == v.ASK:
                asks = True
                break
            if isinstance(became, str):
                if became not in ("", _IDLE):
                    return Tried(_suspended(order, became))
                idle = idle or became == _IDLE
                continue
            done.append(became)
        if idle and not done and not asks:
            ended = play.one(Command(0, "play", "done", "done"))
            if ended.fault:
                return Tried(_suspended(order, ended.fault.text))
            done.append(ended)
        if not done and not asks:
            return Tried(order)
        if asks and not done:
            return Tried(_suspended(_advanced(order), "you wanted to be asked here"))
        outcome = play.finish(done, keep_open=asks)
        return Tried(_advanced(order), outcome, asks)

    def _action(self, play: Play, action: v.Action, sight: Sight) -> Attempt | str:
        """What was played; else ``ask``, why nothing could be, or "" where nothing is to be.

        ``_IDLE`` where a company was to run or to pay, and earns nothing.
        """
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
            if meant.finds_nothing(self.title, play.state, self.seat, text):
                return _IDLE
            refused = f"{text}: {step.fault.text}"
        return refused


def _suspended(order: Standing, why: str) -> Standing:
    return replace(order, status="suspended", reason=why)


def _advanced(order: Standing) -> Standing:
    """The order after a turn was played by it."""
    steps = order.order.steps
    last = order.at + 1 >= len(steps) or order.one_turn
    again = order.order.head in ("each", "standing") and steps[order.at].limited
    goes_on = steps[order.at].until is not None or again or (last and order.order.repeats)
    if goes_on and not order.one_turn:
        return order
    after = replace(order, at=order.at + 1)
    return replace(after, status="done") if last else after


def played(title: Title, state: State, seat: Seat, act: v.Act) -> str:
    """What an act plays in a position as a command, "" for nothing."""
    if act.ahead is not None:
        return consents.answer(title, state, seat, act)
    return readymade.played(title, state, seat, act.command)

"""A game as the decisions of its players, turn by turn, with their results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import engine
from engine import Action, Seat, State
from engine.notation import write
from engine.notation.position import turn_company
from engine.position.frames import Auction, PrivateTurn, StockTurn
from service.games.games import Past
from service.workshop.practice.bench import Recording


@dataclass(frozen=True)
class Decided:
    """The actions of one player in one decision."""

    seat: Seat
    before: State
    after: State
    actions: tuple[Action, ...]
    #: the actions as commands
    texts: tuple[str, ...]
    #: the events of the actions
    past: tuple[Past, ...]

    @property
    def asked(self) -> bool:
        """Whether it answers another player."""
        return engine.question(self.before) is not None

    @property
    def company(self) -> str:
        """The company whose operating turn it is, "" for none."""
        return "" if self.asked else turn_company(self.before)

    @property
    def stock_turn(self) -> bool:
        """Whether it is a turn of a stock round."""
        return isinstance(self.before.stack[-1], StockTurn | PrivateTurn)

    @property
    def auction(self) -> str:
        """The private company in whose auction it is, "" for none."""
        top = self.before.stack[-1]
        return top.private if isinstance(top, Auction) else ""

    @property
    def plain(self) -> tuple[str, ...]:
        """Its commands without those that only end a turn."""
        pairs = zip(self.texts, self.actions, strict=True)
        return tuple(text for text, action in pairs if not action.passes)

    @property
    def best(self) -> tuple[str, ...]:
        """The same, with the best run instead of the recorded one."""
        pairs = zip(self.texts, self.actions, strict=True)
        return tuple("run" if action.runs else text for text, action in pairs if not action.passes)

    @property
    def passes(self) -> bool:
        """Whether nothing was done."""
        return not self.plain


def decided(game: Recording) -> Iterator[Decided]:
    """The decisions of a game in their order."""
    title, state = game.title, game.start
    now: Decided | None = None
    for action in game.actions:
        text = write(title, state, action)
        outcome = engine.apply(title, state, action)
        past = Past(outcome.state.number, action.by, outcome.events)
        new = Decided(action.by, state, outcome.state, (action,), (text,), (past,))
        if now is not None and _same(now, new):
            now = _joined(now, new)
        else:
            if now is not None:
                yield now
            now = new
        state = outcome.state
    if now is not None:
        yield now


def _same(one: Decided, other: Decided) -> bool:
    asked = engine.decision(one.before) == engine.decision(other.before)
    return asked and one.seat == other.seat


def _joined(one: Decided, other: Decided) -> Decided:
    actions, texts = (*one.actions, *other.actions), (*one.texts, *other.texts)
    return Decided(one.seat, one.before, other.after, actions, texts, (*one.past, *other.past))

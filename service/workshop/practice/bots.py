"""Bots: one that does anything legal, and one that plays sensibly (`sense`).

They know what any player knows: the position, their legal moves, and the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Protocol, get_args, runtime_checkable

from msgspec.structs import replace

from engine.actions import Action, BuyTrain, Insist, TradePrivate
from engine.events import Event
from engine.facts.title import Title
from engine.flow import why_not
from engine.options import Choice, Option, Range
from engine.position.frames import StockRound, StockTurn
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, Seat, State
from service.workshop.practice.investing import outbids_himself
from service.workshop.practice.listing import listed
from service.workshop.practice.ordering import OrderingBot
from service.workshop.practice.sense import SensibleBot


class Bot(Protocol):
    """A player."""

    def choose(self, title: Title, state: State, seat: Seat) -> Action:
        """A legal action of ``seat``, who must be one of those to act."""


@runtime_checkable
class Listener(Protocol):
    """A player who hears of every action."""

    def saw(self, seat: Seat, state: State, events: tuple[Event, ...]) -> None:
        """Hear of an action of a seat: the position after it, and its events."""


#: tag of an action → its probability compared with other possible actions
WEIGHTS: dict[str, float] = {
    "buy private": 3.0,
    "bid": 2.0,
    "par": 3.0,
    "buy share": 9.0,
    "sell": 0.25,
    "buy bond": 3.0,
    "sell bonds": 0.25,
    "trade private": 2.0,
    "lay": 40.0,
    "token": 4.0,
    "mark": 6.0,
    "ferry": 60.0,
    "extend": 6.0,
    "name": 0.2,
    "idle": 3.0,
    "run": 8.0,
    "dividend": 20.0,
    "train": 6.0,
    "discard": 1.0,
    "repay": 3.0,
    "redeem": 3.0,
    "issue": 0.5,
    "buy back": 1.0,
    "keep station": 6.0,
    "merge": 4.0,
    "bankrupt": 0.5,
    "accept": 1.5,
    "decline": 1.0,
    "counter": 0.3,
    "done": 1.0,
}
#: how much more or less a bot likes each verb than other bots do
_TASTES = (0.25, 1.0, 1.0, 3.0)
#: preferences of some bots: to spend all money, to keep it, to sell what they can
_TEMPERS: tuple[dict[str, float], ...] = (
    {},
    {"buy share": 9.0, "lay": 0.05, "token": 3.0, "buy back": 50.0, "repay": 0.05, "done": 0.2},
    {"train": 0.1, "lay": 0.5, "issue": 5.0, "repay": 3.0, "done": 3.0},
    {"sell": 20.0, "issue": 5.0, "buy share": 0.5},
)
if unknown := set().union(WEIGHTS, *_TEMPERS) - {k.__struct_config__.tag for k in get_args(Action)}:
    raise TypeError(f"there are no such actions: {', '.join(sorted(unknown))}")
#: of a hundred decisions, the number for possible actions that are not listed
_UNLISTED = 3
#: of a hundred runs and dividends, the number for the shareholders
_KIND = 92
#: turns of each player after which a stock round is long, and how much more they pass then
_LONG, _TIRED = 25, 50.0
#: how much less bots seek trains of other companies than those of the bank
_SECOND_HAND = 0.1


class RandomBot:
    """Does anything legal, rare things often enough, and pays out so that games end."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        temper = self._random.choice(_TEMPERS)
        self._taste = {
            verb: self._random.choice(_TASTES) * temper.get(verb, 1.0) for verb in WEIGHTS
        }
        #: whether bots take the trains and money from their companies
        self._strips = "buy back" in temper

    def choose(self, title: Title, state: State, seat: Seat) -> Action:
        """A random legal action, its verb drawn first."""
        if self._random.randrange(100) < _UNLISTED:
            unlisted = [
                action
                for action in self._unlisted(Table(title, state), seat)
                if why_not(title, state, action) is None
            ]
            if unlisted:
                return self._random.choice(unlisted)
        groups: dict[type[Action], list[Choice | Range]] = {}
        for option in listed(title, state, seat):
            if isinstance(option, Choice | Range) and not outbids_himself(state, option.action):
                groups.setdefault(type(option.action), []).append(option)
        weights = [self._weight(verb, group) for verb, group in groups.items()]
        if _drags_on(state):
            weights = [
                weight * (_TIRED if verb.passes else 1.0)
                for verb, weight in zip(groups, weights, strict=True)
            ]
        group = self._random.choices(list(groups.values()), weights)[0]
        return self._fill(Table(title, state), self._one_of(group))

    def _weight(self, verb: type[Action], group: list[Choice | Range]) -> float:
        """How likely a verb with these options is."""
        tag = str(verb.__struct_config__.tag)
        weight = WEIGHTS.get(tag, 1.0) * self._taste.get(tag, 1.0)
        if verb is BuyTrain and not any(_from_bank(option) for option in group):
            weight *= 1.0 if self._strips else _SECOND_HAND
        return weight

    def _one_of(self, group: list[Choice | Range]) -> Choice | Range:
        """One option of a verb: most runs are the best, most revenue is paid out."""
        first = group[0]
        earns = first.action.runs or first.action.needs
        if earns and self._random.randrange(100) < _KIND:
            return first
        weights = [1.0 if _from_bank(option) else _SECOND_HAND for option in group]
        return self._random.choices(group, weights)[0]

    def _fill(self, table: Table, option: Choice | Range) -> Action:
        """The amount of a range: bids stay close to the least, prices may be anything."""
        action = option.action
        if isinstance(option, Choice):
            return action
        high = option.high
        if option.field == "amount" and self._random.randrange(10):
            high = min(high, option.low + 30)
        elif isinstance(action, BuyTrain):
            high = min(high, 2 * table.title.trains[action.train].price)
        amount = option.low + option.step * self._random.randint(
            0, (high - option.low) // option.step
        )
        return replace(action, **{option.field: amount})

    def _unlisted(self, table: Table, seat: Seat) -> Iterator[Action]:
        """An action that the engine does not list: always possible, or with too many forms."""
        yield Insist(by=seat, on=seat not in table.at.insist)
        frame = table.at.stack[-1]
        if isinstance(frame, StockTurn):
            for private, owner in table.at.privates.items():
                price = self._random.randint(1, 2 * table.title.privates[private].par)
                for seller, buyer in ((owner, seat), (seat, table.after(seat))):
                    yield TradePrivate(
                        by=seat, private=private, seller=seller, buyer=buyer, price=price
                    )


def _drags_on(state: State) -> bool:
    """Whether players could continue the stock round for ever, for example by trading bonds."""
    return any(
        isinstance(frame, StockRound) and frame.turns > _LONG * len(state.seats)
        for frame in state.stack
    )


def _from_bank(option: Option) -> bool:
    """Whether an option is not the purchase of another company's train."""
    action = option.action if isinstance(option, Choice | Range) else None
    return not isinstance(action, BuyTrain) or action.source in (OFFERING, MARKET)


def _ordering(seed: int) -> OrderingBot:
    return OrderingBot(seed, RandomBot(seed))


def bot_makers() -> dict[str, Callable[[int], Bot]]:
    """The kinds of bots by name; each is made from a seed."""
    return {"random": RandomBot, "sensible": SensibleBot, "ordering": _ordering}

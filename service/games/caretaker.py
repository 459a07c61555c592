"""The caretaker: published rules that choose a move for a player whose time is over.

The caretaker does not try to win. It makes the move that commits the seat to least. If the rules
leave no such move, the director decides. Its moves are judged like all other commands. The module
knows positions, but no email, no database and no clock.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import engine
from engine import Choice, Range, Seat, State, Title
from engine.actions import (
    Action,
    BuyTrain,
    Dividend,
)
from engine.inquiry import ASKING, must_buy
from engine.notation import write
from engine.position.frames import (
    Auction,
    CityChoice,
    Connected,
    Discard,
    FireSale,
    Founding,
    Home,
    Interest,
    MergerStations,
    OwnShares,
    ParallelAuction,
    Payout,
    PrivateTurn,
    Protection,
    Question,
    Redeem,
    Repay,
    Running,
    Stations,
    StationTrade,
    StockTurn,
    Swap,
    Track,
    Trains,
)
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING
from service.commands.command import Command
from service.games.changes import Request
from service.games.games import GameTable

#: the most actions of one decision; the longest turns have about six
_MOST = 40
#: the most ways out that a director sees
_SHOWN = 8


@dataclass(frozen=True)
class Director:
    """The caretaker does nothing: a person must choose.

    ``reason`` is a sentence that says what the rules require. ``ways`` are commands that would do;
    if there are very many, only the first.
    """

    reason: str
    ways: tuple[str, ...] = ()

    def after(self, commands: Sequence[str]) -> "Director":
        """The same reason, where it arises only after these commands; none is carried out."""
        ways = tuple("; ".join((*commands, way)) for way in self.ways)
        text = " and ".join(f"`{command}`" for command in commands)
        return Director(f"After {text}: {self.reason}", ways) if commands else self


@dataclass(frozen=True)
class CaretakerPlace:
    """A position in which a seat must decide."""

    title: Title
    state: State
    seat: Seat

    @property
    def frame(self) -> Any:  # noqa: ANN401
        """The frame of the decision."""
        return self.state.stack[-1]

    @property
    def table(self) -> Table:
        """The position with the facts of its title."""
        return Table(self.title, self.state)

    def first(self, actions: Iterable[Action]) -> Action | None:
        """The first of these actions that is legal."""
        legal = (a for a in actions if engine.why_not(self.title, self.state, a) is None)
        return next(legal, None)

    def ways(self) -> Iterator[Action]:
        """All listed legal actions, each with the lowest amount."""
        for option in engine.options(self.title, self.state, self.seat):
            if isinstance(option, Choice | Range):
                yield option.action

    def why_not_pass(self) -> str:
        """The engine's reason why the turn cannot be passed; "" if it can."""
        refusal = engine.why_not_pass(self.title, self.state, self.seat)
        return str(refusal) if refusal else ""

    def director(self, reason: str, owed: bool = False) -> Director:
        """Leave the decision to a person, with the legal actions, or only those that are owed."""
        ways = (way for way in self.ways() if way.owed or not owed)
        found = dict.fromkeys(write(self.title, self.state, way) for way in ways)
        return Director(reason, tuple(found)[:_SHOWN])


@dataclass(frozen=True)
class CaretakerRule:
    """A rule for some kinds of decision; ``when`` and ``does`` explain it to players."""

    when: str
    frames: tuple[type[Any], ...]
    does: str
    decide: Callable[[CaretakerPlace], Action | Director]


# the rules


def _passes(place: CaretakerPlace) -> Action | Director:
    done = next((way for way in place.ways() if way.passes), None)
    reason = f"{place.seat} cannot pass: {place.why_not_pass()}"
    return done or place.director(reason, owed=True)


def _operates(place: CaretakerPlace) -> Action | Director:
    found = place.first(_wishes(place))
    return found or place.director(f"The turn cannot be ended: {place.why_not_pass()}", owed=True)


def _wishes(place: CaretakerPlace) -> Iterator[Action]:
    """The actions of a company's turn that the caretaker tries, in order."""
    company, seat, ways = place.frame.company, place.seat, tuple(place.ways())
    if isinstance(place.frame, Track | Stations | Running):
        yield from (way for way in ways if way.runs)
    if not isinstance(place.frame, Trains):
        yield Dividend(by=seat, company=company, kind="pay")
        yield Dividend(by=seat, company=company, kind="withhold")
    yield from (way for way in ways if way.passes)
    # the turn cannot end: the company must buy a train
    if must_buy(place.table, company):
        yield from _affordable(place, ways)


def _affordable(place: CaretakerPlace, ways: Sequence[Action]) -> list[BuyTrain]:
    """The bank's trains that the company can pay from its treasury, the cheapest first."""
    cash = place.state.cash[place.frame.company]
    buys = [
        way
        for way in ways
        if isinstance(way, BuyTrain)
        and way.source in (OFFERING, MARKET)
        and not way.power
        and way.price <= cash
    ]
    return sorted(buys, key=lambda buy: (buy.price, buy.source != OFFERING))


def _pays_interest(place: CaretakerPlace) -> Action | Director:
    return place.director(f"Money has to be raised: {place.why_not_pass()}", owed=True)


def _one_way(place: CaretakerPlace) -> Action | Director:
    ways = list(place.ways())
    return ways[0] if len(ways) == 1 else place.director("There are several ways, and one is due.")


def _keeps(place: CaretakerPlace) -> Action | Director:
    text = "Companies have merged. Tokens that are not kept now are lost."
    return place.director(text)


def _declined(place: CaretakerPlace) -> Action | None:
    """The first legal way to decline; None if there is none."""
    return next((way for way in place.ways() if way.declines), None)


def _declines(place: CaretakerPlace) -> Action | Director:
    return _declined(place) or _one_way(place)


def _lets_fall(place: CaretakerPlace) -> Action | Director:
    return _declined(place) or place.director(
        "Somebody must decide about the price of the sold shares."
    )


RULES = (
    CaretakerRule(
        "private companies of the bank",
        (PrivateTurn, Auction, ParallelAuction),
        "passes: it buys none and bids nothing; bids that stand stay",
        _passes,
    ),
    CaretakerRule(
        "a stock turn",
        (StockTurn,),
        "passes; where a limit forces a sale of shares, the director decides",
        _passes,
    ),
    CaretakerRule("the price of what another has sold", (Protection,), "lets it fall", _lets_fall),
    CaretakerRule(
        "a private company for a share, before an operating round",
        (Swap,),
        "keeps the private company",
        _passes,
    ),
    CaretakerRule(
        "a company's turn",
        (Track, Stations, Running, Payout, Trains, StationTrade, Repay, Redeem, OwnShares),
        "lays no tile, places no token, and uses no power of a private company. Takes the best "
        "run, and pays out, or withholds where paying is not allowed. Buys no train. If the "
        "company must buy one, it buys the bank's cheapest that its own cash pays for; if its cash "
        "pays for none, the director decides. Trades, repays, redeems and issues nothing",
        _operates,
    ),
    CaretakerRule(
        "interest that the treasury cannot pay",
        (Interest,),
        "the director decides: it takes a sale of shares, or ends in bankruptcy",
        _pays_interest,
    ),
    CaretakerRule("a share or a token in a fire sale", (FireSale,), "bids nothing", _passes),
    CaretakerRule(
        "an offer, or a request for a private company's power",
        (Question,),
        "declines, whatever the price",
        _declines,
    ),
    CaretakerRule(
        "the free token of a connection",
        (Connected,),
        "declines; where the run must have it, the one place there is, and of several the "
        "director chooses",
        _declines,
    ),
    CaretakerRule(
        "a par value, a home, a city, a train over the limit",
        (Founding, Home, CityChoice, Discard),
        "what has to be done if there is one way only; of several the director chooses",
        _one_way,
    ),
    CaretakerRule(
        "tokens of companies that have merged",
        (MergerStations,),
        "the director chooses: what is not kept is lost",
        _keeps,
    ),
)


def by_frame(rules: Iterable[CaretakerRule]) -> dict[type[Any], CaretakerRule]:
    """Frame type → its rule. Raises TypeError that names the frames without a rule."""
    found = {frame: rule for rule in rules for frame in rule.frames}
    left = [frame.__name__ for frame in ASKING if frame not in found]
    if left:
        raise TypeError(f"decisions without a caretaker's rule: {', '.join(left)}")
    return found


RULE = by_frame(RULES)


def decide(title: Title, state: State, seat: Seat) -> Action | Director:
    """The caretaker's next action for a seat that must decide in this position."""
    place = CaretakerPlace(title, state, seat)
    return RULE[type(place.frame)].decide(place)


def turn(title: Title, state: State, seat: Seat) -> tuple[Action, ...] | Director:
    """All actions of the caretaker while the decision is the same; () if the seat need not decide.

    If the director must decide any part, the caretaker does nothing, so that they can choose all.
    """
    actions: list[Action] = []
    before: list[str] = []
    asked = engine.decision(state)
    while state.stack and engine.decision(state) == asked and len(actions) < _MOST:
        if seat not in engine.to_act(title, state):
            break
        found = decide(title, state, seat)
        if isinstance(found, Director):
            return found.after(before)
        actions.append(found)
        if not found.runs:
            # `pay` makes the best run as well, which is long to write out
            before.append(write(title, state, found))
        state = engine.apply(title, state, found).state
    return tuple(actions)


def move(table: GameTable, seat: Seat) -> tuple[Request, ...] | Director:
    """The same actions as requests for a change of the game."""
    found = turn(table.title, table.state, seat)
    if isinstance(found, Director):
        return found
    commands, state = [], table.state
    for number, action in enumerate(found, 1):
        text = write(table.title, state, action)
        commands.append(Command(number, "play", text, text))
        state = engine.apply(table.title, state, action).state
    return (Request(seat, commands),) if commands else ()


def after_flag(count: int, excused: int) -> Literal["excused", "last", "replace"]:
    """The consequence when a player's time runs out for the ``count``-th time in a game.

    The first ``excused`` times are excused; the player learns which is the "last". After that,
    somebody else is asked to take the seat.
    """
    if count > excused:
        return "replace"
    return "last" if count == excused else "excused"

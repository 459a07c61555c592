"""Positions for proofs of rules, built in few words, and how a proof asks about them.

Every position comes from `engine.flow.new_game`; what a proof needs is put on top of it. Money always
comes from the bank, so that a position holds all the money of its title and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TypeVar

from msgspec.structs import replace

from engine import flow
from engine.actions import (
    Accept,
    Action,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    Dividend,
    LayTile,
    Par,
    Pass,
    PlaceStation,
    Run,
    SellShares,
    TradePrivate,
    TrainRun,
)
from engine.events import Event
from engine.facts.title import Title
from engine.options import Choice, Range
from engine.play.rounds import first_frame
from engine.play.shares import SHARE, float_percent, whole
from engine.position.frames import (
    OperatingRound,
    OperatingTurn,
    PrivateTurn,
    StockRound,
    StockTurn,
)
from engine.position.table import Table
from engine.position.values import (
    BANK,
    CLOSED,
    MARKET,
    OFFERING,
    Mark,
    Round,
    State,
    Station,
    Token,
)
from engine.refusal import Illegal, Refusal
from engine.titles.registry import load_title

AL = load_title("18AL")
SEATS = ("Ann", "Bob", "Cas", "Dan", "Eve", "Fay")

E = TypeVar("E", bound=Event)


def opening(seats: int = 3, title: Title = AL) -> State:
    """The first turn of a game: Ann has the priority deal, then Bob, Cas, Dan, Eve, Fay clockwise."""
    return flow.new_game(title, SEATS[:seats]).state


def stock_turn(seat: str = "Ann", *, number: int = 2, seats: int = 3, title: Title = AL) -> State:
    """A regular stock turn with no private company left in the game."""
    state = opening(seats, title)
    return replace(
        state,
        privates=dict.fromkeys(state.privates, CLOSED),
        round=Round("SR", number),
        stack=(StockRound(seat, turns=1), StockTurn(seat)),
        insist=(),
    )


def private_turn(
    seat: str = "Ann",
    *,
    number: int = 1,
    sold: Mapping[str, str] | None = None,
    title: Title = AL,
) -> State:
    """A stock turn while the bank has private companies, but for those ``sold`` to players."""
    state = opening(title=title)
    return replace(
        state,
        privates=state.privates | dict(sold or {}),
        round=Round("SR", number),
        stack=(StockRound(seat, turns=1), PrivateTurn(seat)),
    )


def company(
    state: State,
    name: str,
    held: Mapping[str, int],
    *,
    par: int = 90,
    at: tuple[int, int] | None = None,
    market: int = 0,
    cash: int = 0,
    trains: Sequence[str] = (),
    stations: Sequence[str] = (),
    turns: int = 1,
    title: Title = AL,
) -> State:
    """A company whose shares, in percent, players hold; the first of them presides.

    The rest but for ``market`` is in the initial offering. It has floated if enough has left it; then
    it has ``stations``, the home among them unless ``turns`` is 0.
    """
    president = next(iter(held))
    first = whole(title.facts, title.companies[name])[0]
    shares = {seat: (SHARE,) * (percent // SHARE) for seat, percent in held.items()}
    shares[president] = (first, *shares[president][first // SHARE :])
    offered = 100 - sum(held.values()) - market
    shares |= {MARKET: (SHARE,) * (market // SHARE), OFFERING: (SHARE,) * (offered // SHARE)}
    cell = at or title.chart.pars[par]
    floated = offered <= 100 - float_percent(Table(title, state), name)
    state = replace(
        state,
        shares={**state.shares, name: {owner: c for owner, c in shares.items() if c}},
        presidents={**state.presidents, name: president},
        pars={**state.pars, name: par},
        tokens=(*state.tokens, Token(name, cell)),
        floated=(*state.floated, name) if floated else state.floated,
        turns={**state.turns, name: turns} if turns else state.turns,
    )
    homes = (title.companies[name].home,) if floated and turns else ()
    for hex_ in (*homes, *stations):
        state = station(state, name, hex_)
    return money(own(state, name, *trains), {name: cash})


def station(state: State, name: str, *hexes: str) -> State:
    """The company has a station in the first city of each of these hexes."""
    for hex_ in hexes:
        there = (*state.stations.get(hex_, ()), Station(name, 0))
        state = replace(
            state,
            stations={**state.stations, hex_: there},
            charters={**state.charters, name: state.charters[name] - 1},
        )
    return state


def money(state: State, amounts: Mapping[str, int]) -> State:
    """Owners with exactly these dollars; the bank gives or takes the difference."""
    cash = {**state.cash, **amounts}
    cash[BANK] += sum(state.cash.values()) - sum(cash.values())
    return replace(state, cash=cash)


def own(state: State, owner: str, *trains: str) -> State:
    """An owner with exactly these trains, beside whatever the offering still sells."""
    return replace(state, trains={**state.trains, owner: tuple(trains)})


def phase(state: State, name: str, *, left: int | None = None, title: Title = AL) -> State:
    """A phase that has just begun: the offering lacks the train that began it and all before it.

    ``left`` is instead how many trains the offering still has.
    """
    every = tuple(t.type for t in title.facts.train if not t.gift for _ in range(t.count or 1))
    now = title.phases[name]
    gone = every.index(now.on) + now.nth if now.on else 0
    rest = every[gone:] if left is None else every[len(every) - left :]
    return replace(own(state, OFFERING, *rest), phase=name)


def privates(state: State, owners: Mapping[str, str]) -> State:
    """Owners of private companies."""
    return replace(state, privates={**state.privates, **owners})


def tiles(state: State, laid: str) -> State:
    """Tiles on the map, written "hex tile rotation" and parted by commas."""
    found = {}
    for lay in laid.split(","):
        hex_, tile, rotation = lay.split()
        found[hex_] = (tile, int(rotation))
    return replace(state, tiles={**state.tiles, **found})


def marks(state: State, *found: Mark) -> State:
    """Markers and name chits in play."""
    return replace(state, marks=(*state.marks, *found))


def operating(
    state: State,
    name: str,
    step: str = "track",
    *,
    part: int = 1,
    parts: int = 1,
    title: Title = AL,
) -> State:
    """An operating turn of the company at one of its steps, no company waiting behind it."""
    at = title.facts.turn.index(step) + 1
    return replace(
        state,
        round=Round("OR", state.round.number, part, parts),
        stack=(
            OperatingRound(True, tuple(state.floated)),
            OperatingTurn(name, at),
            first_frame(step, name),
        ),
    )


def end_of_round(state: State, last: str = "") -> State:
    """A stock round that the next pass of Ann ends; ``last`` is who acted last."""
    frame = StockRound("Ann", passes=len(state.seats) - 1, last=last, turns=len(state.seats))
    return replace(state, stack=(frame, StockTurn("Ann")))


def operating_round(state: State, title: Title = AL) -> State:
    """The first decision of the operating round that follows a stock round where all passed."""
    return after(end_of_round(state), done("Ann"), title=title)


# actions in few words; Ann acts unless told otherwise


def done(seat: str = "Ann") -> Pass:
    """Pass, or end the turn."""
    return Pass(by=seat)


def buy_private(private: str, seat: str = "Ann") -> BuyPrivate:
    """Buy a private company of the bank."""
    return BuyPrivate(by=seat, private=private)


def bid(private: str, amount: int, seat: str = "Ann") -> BidPrivate:
    """Bid on a private company."""
    return BidPrivate(by=seat, private=private, amount=amount)


def par(name: str, dollars: int, seat: str = "Ann") -> Par:
    """Found a company."""
    return Par(by=seat, company=name, price=dollars)


def buy(name: str, seat: str = "Ann") -> BuyShare:
    """Buy a share of the initial offering."""
    return BuyShare(by=seat, company=name, source="initial offering")


def buy_used(name: str, seat: str = "Ann") -> BuyShare:
    """Buy a share of the open market."""
    return BuyShare(by=seat, company=name, source="open market")


def sell(shares: int, name: str, seat: str = "Ann") -> SellShares:
    """Sell shares."""
    return SellShares(by=seat, company=name, shares=shares)


def trade(private: str, seller: str, buyer: str, dollars: int, by: str = "Ann") -> TradePrivate:
    """Propose a sale of a private company."""
    return TradePrivate(by=by, private=private, seller=seller, buyer=buyer, price=dollars)


def accept(seat: str) -> Accept:
    """Agree."""
    return Accept(by=seat)


def lay(
    name: str, tile: str, hex_: str, rotation: int = 0, *, power: str = "", by: str = "Ann"
) -> LayTile:
    """Lay a tile."""
    return LayTile(by=by, company=name, tile=tile, hex=hex_, rotation=rotation, power=power)


def token(name: str, hex_: str, by: str = "Ann", *, stop: int = 0, power: str = "") -> PlaceStation:
    """Place a station."""
    return PlaceStation(by=by, company=name, hex=hex_, stop=stop, power=power)


def run(name: str, *routes: tuple[str, str], by: str = "Ann") -> Run:
    """Run trains, each written ("2", "A4-C4")."""
    runs = tuple(TrainRun(train, tuple(path.split("-"))) for train, path in routes)
    return Run(by=by, company=name, runs=runs)


def pay(name: str, by: str = "Ann") -> Dividend:
    """Pay out."""
    return Dividend(by=by, company=name, kind="pay")


def withhold(name: str, by: str = "Ann") -> Dividend:
    """Withhold."""
    return Dividend(by=by, company=name, kind="withhold")


def buy_train(
    name: str, train: str, dollars: int, source: str = OFFERING, *, power: str = "", by: str = "Ann"
) -> BuyTrain:
    """Buy a train."""
    return BuyTrain(by=by, company=name, train=train, source=source, price=dollars, power=power)


# what a proof asks


def after(state: State, *actions: Action, title: Title = AL) -> State:
    """The position after these actions."""
    return reduce(lambda now, action: flow.apply(title, now, action).state, actions, state)


def happened(state: State, action: Action, kind: type[E], title: Title = AL) -> list[E]:
    """What an action brought about, of one kind of event."""
    return [e for e in flow.apply(title, state, action).events if isinstance(e, kind)]


def why_not(state: State, action: Action, title: Title = AL) -> Refusal | None:
    """What the judge says."""
    return flow.why_not(title, state, action)


def allowed(state: State, action: Action, title: Title = AL) -> bool:
    """Whether the action is legal, as the judge and the hand agree."""
    if flow.why_not(title, state, action) is None:
        flow.apply(title, state, action)
        return True
    return False


def refused(state: State, action: Action, rule: str, *words: str, title: Title = AL) -> Refusal:
    """The refusal of an action: it must cite ``rule`` and name ``words`` in its text or hint."""
    found = flow.why_not(title, state, action)
    assert found is not None, f"{action} is allowed"
    assert found.rule == f"{title.name} {rule}", found
    for word in words:
        # a text and a hint are sentences: what begins one has a capital
        begins = f"{word[:1].upper()}{word[1:]}"
        told = word in f"{found.text} {found.hint}"
        assert told or found.text.startswith(begins) or found.hint.startswith(begins), (word, found)
    try:
        flow.apply(title, state, action)
    except Illegal as no:
        assert no.refusal == found
        return found
    raise AssertionError(f"{action} is refused and played")


def offered(state: State, seat: str, kind: type, title: Title = AL) -> list[Action]:
    """The actions of a kind among a player's options; of a range the lowest."""
    found = flow.options(title, state, seat)
    return [o.action for o in found if isinstance(o, Choice | Range) and isinstance(o.action, kind)]


def table(state: State, title: Title = AL) -> Table:
    """The position seen through its title."""
    return Table(title, state)


def price(state: State, name: str, title: Title = AL) -> int:
    """Market value of a company."""
    return table(state, title).price(name)


def percent(state: State, name: str) -> dict[str, int]:
    """Percent of a company by owner."""
    return {owner: sum(held) for owner, held in state.shares[name].items()}


def waits_for(state: State, title: Title = AL) -> tuple[str, ...]:
    """Who must decide."""
    return flow.to_act(title, state)

"""A reply that could be sent as it stands: commands tried out one after the other."""

from engine import Action, Choice, Open, Option, Seat, State, apply, options, to_act
from engine.actions import (
    Accept,
    BidPrivate,
    BuyPrivate,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    Dividend,
    Done,
    GoBankrupt,
    KeepStation,
    LayTile,
    Par,
    PlaceStation,
    Run,
    SellShares,
)
from engine.board.hexes import opposite
from engine.facts.title import Title
from engine.notation import write
from engine.notation.position import turn_company
from engine.position.frames import (
    CityChoice,
    Discard,
    Home,
    Interest,
    MergerStations,
    OperatingTurn,
)
from engine.position.table import Table
from service.reports.scene import Scene

#: more commands than this are no example any more
_MOST = 8


def example(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """Commands that are legal now, in this order; () when the player has nothing to decide."""
    title, state = scene.title, scene.state
    found: list[str] = []
    laid = False
    while len(found) < _MOST and seat in to_act(title, state):
        every = scene.options(seat) if state is scene.state else options(title, state, seat)
        action = _next(title, state, every, laid)
        if action is None and not found:
            action = next((a for a in _actions(every) if isinstance(a, Done)), None)
        if action is None:
            break
        found.append(_shortest(title, state, action))
        laid = laid or isinstance(action, LayTile)
        before, state = state, apply(title, state, action).state
        if not _same_turn(before, state):
            break
    return tuple(found)


def button(scene: Scene, seat: Seat, *wanted: str) -> tuple[str, ...]:
    """The words of a short reply if they are legal one after the other, else ()."""
    title, state = scene.title, scene.state
    found = []
    for word in wanted:
        if seat not in to_act(title, state):
            return ()
        every = scene.options(seat) if state is scene.state else options(title, state, seat)
        action = next((a for a in _actions(every) if _word(a) == word), None)
        if action is None:
            return ()
        found.append(_shortest(title, state, action))
        state = apply(title, state, action).state
    return tuple(found)


def _word(action: Action) -> str:
    if isinstance(action, Run):
        return "run" if action.runs else ""
    if isinstance(action, Dividend):
        return action.kind
    if isinstance(action, Done):
        return "pass"
    return type(action).__name__.lower()


def _shortest(title: Title, state: State, action: Action) -> str:
    """The best run needs no stops."""
    if isinstance(action, Run) and action.runs:
        return "run"
    return write(title, state, action)


def _same_turn(before: State, after: State) -> bool:
    """Whether the company that operated still does; the turns of players end with one act."""

    def turn(state: State) -> tuple[str, int] | None:
        for frame in state.stack:
            if isinstance(frame, OperatingTurn):
                return frame.company, state.turns.get(frame.company, 0)
        return None

    return turn(before) is not None and turn(before) == turn(after)


def _actions(every: tuple[Option, ...]) -> list[Action]:
    return [option.action for option in every if not isinstance(option, Open)]


def _next(title: Title, state: State, every: tuple[Option, ...], laid: bool) -> Action | None:
    """The next command of a plain turn, or None where it is complete."""
    actions = _actions(every)
    lays = [a for a in actions if isinstance(a, LayTile) and not a.power]
    if lays and not laid:
        return max(lays, key=lambda lay: _joins(Table(title, state), lay))
    for kind in (Accept, Run, Dividend, BuyPrivate, BuyShare):
        found = next((a for a in actions if isinstance(a, kind)), None)
        if found is not None:
            return found
    if isinstance(state.stack[-1], Home | CityChoice):
        return next(a for a in actions if isinstance(a, PlaceStation))
    if isinstance(state.stack[-1], MergerStations | Interest):
        kinds = KeepStation | SellShares | GoBankrupt | Done
        return next(a for a in actions if isinstance(a, kinds))
    company = turn_company(state)
    if company and not isinstance(state.stack[-1], Discard):
        return _train(state, company, every)
    pars = [a for a in actions if isinstance(a, Par)]
    if pars:
        prices = sorted({a.price for a in pars})
        return next(a for a in pars if a.price == prices[len(prices) // 2])
    discards = [a for a in actions if isinstance(a, DiscardTrain)]
    if discards:
        return min(discards, key=lambda a: title.trains[a.train].price)
    return next((a for a in actions if isinstance(a, BidPrivate | Done | SellShares)), None)


def _joins(table: Table, lay: LayTile) -> tuple[int, int]:
    """How many exits of a tile meet track, and how few dollars it costs."""
    title = table.title
    meets = 0
    for side in title.face(lay.tile, lay.rotation).exits:
        beyond = title.beyond(lay.hex, side)
        if beyond is not None and opposite(side) in table.face(beyond).exits:
            meets += 1
    stops = len(title.face(lay.tile, lay.rotation).stops)
    return 2 * meets + stops, -title.hexes[lay.hex].cost


def _train(state: State, company: str, every: tuple[Option, ...]) -> Action | None:
    """The cheapest train of the bank for a company without one; else nothing more."""
    actions = _actions(every)
    if state.trains.get(company):
        return None
    bank = [o.action for o in every if isinstance(o, Choice)]
    buys = [action for action in bank if isinstance(action, BuyTrain)]
    if buys:
        return min(buys, key=lambda a: a.price)
    if any(isinstance(a, Done) for a in actions):
        return None
    for kind in (SellShares, BuyTrain, GoBankrupt):
        found = next((a for a in actions if isinstance(a, kind)), None)
        if found is not None:
            return found
    return None

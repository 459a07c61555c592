"""How far a turn has gone on 18xx.games, where steps without a choice end by themselves.

Knows the position and the stage of their turn; reads no actions and plays none.
"""

from collections.abc import Iterable
from enum import IntEnum

from msgspec.structs import replace

from engine.actions import (
    Action,
    BuyTrain,
    Dividend,
    GoBankrupt,
    LayTile,
    Pass,
    PlaceStation,
    Run,
    SellShares,
)
from engine.facts.powers import HexTilePower, Power, StationPower, TilePower, TrainPower
from engine.facts.title import Title
from engine.options import Choice
from engine.position.draft import Draft
from engine.position.frames import Payout, Stations, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, PrivateId, State
from engine.steps import STEPS
from engine.steps.judging.forced import must_buy
from engine.steps.judging.offers import offers
from engine.steps.judging.station_cost import station_cost
from engine.steps.operating.track import allowance
from engine.steps.operating.turn_wide import price_range
from engine.steps.questions.discard import counted_trains, train_limit
from engine.track.network import has_route


class Stage(IntEnum):
    """The steps of a company's turn there that can wait for its president, in order."""

    TRACK = 0
    TOKEN = 1
    ROUTE = 2
    DIVIDEND = 3
    TRAINS = 4
    PRIVATES = 5
    OVER = 6


#: our action → the stage of their turn in which it is done; others are for any stage
STAGE_OF_OURS: dict[type, Stage] = {
    LayTile: Stage.TRACK,
    PlaceStation: Stage.TOKEN,
    Run: Stage.ROUTE,
    Dividend: Stage.DIVIDEND,
    BuyTrain: Stage.TRAINS,
    SellShares: Stage.TRAINS,
    GoBankrupt: Stage.TRAINS,
}

#: the stage in which a type of action is done; those that are not here are for any stage
STAGE_OF = {
    "lay_tile": Stage.TRACK,
    "place_token": Stage.TOKEN,
    "run_routes": Stage.ROUTE,
    "dividend": Stage.DIVIDEND,
    "buy_train": Stage.TRAINS,
    "sell_shares": Stage.TRAINS,
    "bankrupt": Stage.TRAINS,
}

#: stages that a company cannot pass: one that passes has stopped before
UNPASSED = (Stage.ROUTE, Stage.DIVIDEND)

#: powers that lay a tile
_LAYING: tuple[type[Power], ...] = (TilePower, HexTilePower)
#: our frame → the stage whose end passes it over; a run is never passed over
_FRAMES = {Track: Stage.TRACK, Stations: Stage.TOKEN}


def asked(title: Title, state: State, turn: StockTurn) -> bool:
    """Whether their system waits for a player in a stock turn (its step `BuySellParShares`).

    It does while the player can buy or sell a share, or buy a private company of another player.
    """
    table = Table(title, state)
    if _can_buy_of_player(table, turn):
        return True
    step = STEPS[StockTurn]
    return any(
        isinstance(option, Choice)
        and not isinstance(option.action, Pass)
        and step.why_not(table, turn, option.action) is None
        for option in step.candidates(table, turn)
    )


def _can_buy_of_player(table: Table, turn: StockTurn) -> bool:
    """Whether another player has a private company; any price will do, and any may be named."""
    if turn.bought or not table.at.cash[turn.seat]:
        return False
    return any(table.is_player(o) and o != turn.seat for o in table.at.privates.values())


def waits(title: Title, state: State, company: CompanyId, stage: Stage) -> bool:
    """Whether their system stops at this stage of the company's turn."""
    table = Table(title, state)
    match stage:
        case Stage.TRACK:
            return _waits_for_track(table, company)
        case Stage.TOKEN:
            return _can_put_station(table, company)
        case Stage.ROUTE:
            return bool(state.trains.get(company)) and has_route(table, company)
        case Stage.DIVIDEND:
            return isinstance(state.stack[-1], Payout)
        case Stage.TRAINS:
            return must_buy(table, company) or _can_buy_train(table, company)
        case Stage.PRIVATES:
            return _can_buy_private(table, company)
    return True


def lays_tiles(title: Title, private: PrivateId) -> bool:
    """Whether a private company has the power to lay a tile."""
    return isinstance(title.privates[private].power, _LAYING)


def puts_stations(title: Title, private: PrivateId) -> bool:
    """Whether a private company has the power to put a station."""
    return isinstance(title.privates[private].power, StationPower)


def brings_train(title: Title, private: PrivateId) -> bool:
    """Whether a private company brings the company that buys it a train."""
    return isinstance(title.privates[private].power, TrainPower)


def _waits_for_track(table: Table, company: CompanyId) -> bool:
    """A lay is left, or a private company that lays tiles is in hand or can be bought."""
    frame = table.at.stack[-1]
    if not isinstance(frame, Track):
        return False
    lays = allowance(table, company)
    if not frame.upgraded and frame.laid < (lays.yellow if frame.laid else 1):
        return True
    if any(
        lays_tiles(table.title, p) and p not in table.at.spent for p in table.privates_of(company)
    ):
        return True
    return _can_buy_private(table, company, _LAYING)


def _can_buy_private(
    table: Table, company: CompanyId, powers: tuple[type[Power], ...] = ()
) -> bool:
    """Whether a private company of a player, one with such powers, is within its means."""
    if not table.phase.company_privates:
        return False
    return any(
        table.is_player(owner)
        and (not powers or isinstance(table.title.privates[private].power, powers))
        and price_range(table, private)[0] <= table.at.cash[company]
        for private, owner in table.at.privates.items()
    )


def _can_put_station(table: Table, company: CompanyId) -> bool:
    """Whether their step `Token` stops: a city takes a station that the company has money for.

    With a private company that can put one for nothing, money is not asked for (18GA): that there
    is no room for it, or that another city is meant, makes no difference.
    """
    if not table.at.charters[company]:
        return False
    step, frame = STEPS[Stations], Stations(company)
    free = any(puts_stations(table.title, p) for p in table.privates_of(company))
    if not free and table.at.cash[company] < station_cost(table, company):
        return False
    puts = (o.action for o in step.candidates(table, frame) if isinstance(o, Choice))
    stations: Iterable[PlaceStation] = (put for put in puts if isinstance(put, PlaceStation))
    if free:
        stations = list(stations)
        if any(put.power and _may_use(table, put) for put in stations):
            rich = replace(table.at, cash={**table.at.cash, company: table.title.facts.bank})
            table = Table(table.title, rich)
    # most cities are full, which is seen at once
    room = (put for put in stations if table.free_circles(put.hex, put.stop) > 0)
    return any(step.why_not(table, frame, put) is None for put in room)


def _may_use(table: Table, put: PlaceStation) -> bool:
    """Whether a private company's power is left, and its hex without a station of the company."""
    here = (station.company for station in table.at.stations.get(put.hex, ()))
    return put.power not in table.at.spent and put.company not in here


def _can_buy_train(table: Table, company: CompanyId) -> bool:
    """Whether their step `SingleDepotTrainBuy` stops, which asks for room and the least money.

    A train of another company may cost $1. Whether the bank sells one in this turn is not asked.
    """
    if not isinstance(table.at.stack[-1], Trains):
        return False
    if counted_trains(table, company) >= train_limit(table, company):
        return False
    prices = [1] if _others_sell(table, company) else []
    prices += [offer.price for offer in offers(table, company)]
    return bool(prices) and table.at.cash[company] >= min(prices)


def _others_sell(table: Table, company: CompanyId) -> bool:
    """Whether another company has a train that is neither obsolete nor a private company's gift."""
    return any(
        not table.title.trains[train].gift and not table.obsolete(train)
        for other in table.title.companies
        if other != company
        for train in table.at.trains.get(other, ())
    )


def ends_trains(title: Title, state: State, action: Action) -> bool:
    """Whether an action that led to a position has ended their step `SingleDepotTrainBuy`.

    The purchase of the bank's last train for this turn does where no other company has one; nothing
    does later, and one with a private company's discount is made in a step of its own.
    """
    if not isinstance(action, BuyTrain) or action.power or action.source not in (OFFERING, MARKET):
        return False
    table, frame = Table(title, state), state.stack[-1] if state.stack else None
    if not isinstance(frame, Trains) or _others_sell(table, action.company):
        return False
    return 0 < table.phase.bank_trains <= frame.bought


def passed_over(title: Title, state: State, stage: Stage) -> State:
    """The position in which track and stations are over as far as they lie before ``stage``.

    It has the number of ``state``: passing over is a part of the action that follows.
    """
    draft: Draft | None = None
    stack = state.stack
    while stack and _FRAMES.get(type(stack[-1]), Stage.OVER) < stage:
        draft = draft or Draft(title, state)
        STEPS[type(stack[-1])].leave(draft, stack[-1])
        _go_on(draft)
        stack = draft.stack
    return replace(draft.commit(), number=state.number) if draft else state


def _go_on(draft: Draft) -> None:
    """Do what follows by itself."""
    while draft.stack:
        before = draft.stack
        STEPS[type(before[-1])].enter(draft, before[-1])
        if draft.stack is before:
            return

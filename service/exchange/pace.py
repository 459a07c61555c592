"""How far a turn has gone on 18xx.games, where steps without a choice end by themselves.

Knows the position and the stage of their turn; reads no actions and plays none.
"""

from collections.abc import Callable
from enum import IntEnum

from msgspec.structs import replace

from engine.actions import Action, BuyTrain
from engine.facts.powers import HexTilePower, Power, StationPower, TilePower, TrainPower
from engine.facts.title import Title
from engine.flow import settle
from engine.options import Choice
from engine.position.draft import Draft
from engine.position.frames import Payout, Stations, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, PrivateId, State
from engine.steps import STEPS
from engine.steps.judging.forced import must_buy
from engine.steps.judging.offers import offers
from engine.steps.judging.places import why_not_again, why_not_city, why_not_room
from engine.steps.judging.station_cost import station_cost
from engine.steps.operating.track import allowance
from engine.steps.operating.turn_wide import price_range
from engine.steps.questions.discard import counted_trains, train_limit
from engine.track.ground import Place
from engine.track.network import has_route, reaches


class Stage(IntEnum):
    """The steps of a company's turn there that can wait for its president, in order."""

    TRACK = 0
    TOKEN = 1
    ROUTE = 2
    DIVIDEND = 3
    TRAINS = 4
    PRIVATES = 5
    OVER = 6


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
        type(option) is Choice and step.why_not(table, turn, option.action) is None
        for option in step.candidates(table, turn)
    )


def _can_buy_of_player(table: Table, turn: StockTurn) -> bool:
    """Whether another player has a private company; any price will do, and any may be named."""
    if turn.bought or not table.at.cash[turn.seat]:
        return False
    return any(table.is_player(o) and o != turn.seat for o in table.at.privates.values())


def next_stop(title: Title, state: State, company: CompanyId, stage: Stage) -> tuple[Stage, State]:
    """The first stage of the company's turn, from one on, at which their system stops.

    With the position in which what lies before that stage is passed over.
    """
    table = Table(title, state)
    for at in _STAGES[stage:]:
        if at > _LAST_WITHOUT_FRAME and (there := passed_over(title, state, at)) is not state:
            state, table = there, Table(title, there)
        if _WAITS[at](table, company):
            break
    return at, passed_over(title, state, at)


def waits(title: Title, state: State, company: CompanyId, stage: Stage) -> bool:
    """Whether their system stops at this stage of the company's turn."""
    return _WAITS[stage](Table(title, state), company)


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

    def takes(place: Place) -> bool:
        # most cities are full, which is seen at once
        hex_, stop = place
        return table.free_circles(hex_, stop) > 0 and not (
            why_not_city(table, hex_, stop)
            or why_not_again(table, company, hex_)
            or why_not_room(table, company, hex_, stop)
        )

    free = [
        hex_
        for private, hex_ in table.title.station_powers.items()
        if table.has_power(private, company) and not why_not_again(table, company, hex_)
    ]
    if not free and table.at.cash[company] < station_cost(table, company):
        return False
    cities = ((hex_, stop) for hex_ in free for stop in range(len(table.face(hex_).stops)))
    return any(map(takes, cities)) or reaches(table, company, takes)


def _has_route(table: Table, company: CompanyId) -> bool:
    """Whether their step `Route` stops: there are a train and a route."""
    return bool(table.at.trains.get(company)) and has_route(table, company)


def _has_earned(table: Table, company: CompanyId) -> bool:
    """Whether their step `Dividend` stops: the trains have earned something."""
    return isinstance(table.at.stack[-1], Payout)


def _waits_for_train(table: Table, company: CompanyId) -> bool:
    """Whether their step `SingleDepotTrainBuy` stops: a train is due, or there are room and money.

    A train of another company may cost $1. Whether the bank sells one in this turn is not asked.
    """
    if must_buy(table, company):
        return True
    if not isinstance(table.at.stack[-1], Trains):
        return False
    if counted_trains(table, company) >= train_limit(table, company):
        return False
    cash = table.at.cash[company]
    if cash and _others_sell(table, company):
        return True
    return any(offer.price <= cash for offer in offers(table, company))


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
    while stack and (own := _FRAMES.get(type(stack[-1]))) is not None and own < stage:
        draft = draft or Draft(title, state)
        STEPS[type(stack[-1])].leave(draft, stack[-1])
        settle(draft)
        stack = draft.stack
    return replace(draft.commit(), number=state.number) if draft else state


_STAGES = tuple(Stage)
#: by stage: whether their system stops there
_WAITS: tuple[Callable[[Table, CompanyId], bool], ...] = (
    _waits_for_track,
    _can_put_station,
    _has_route,
    _has_earned,
    _waits_for_train,
    _can_buy_private,
    lambda table, company: True,
)
#: up to here no stage looks at a frame, so what is passed over for it can wait
_LAST_WITHOUT_FRAME = Stage.ROUTE

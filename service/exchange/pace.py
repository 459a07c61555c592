"""How far a turn has advanced on 18xx.games, where steps without a choice end by themselves.

Knows the position and the stage of their turn; reads and plays no actions.
"""

from collections.abc import Callable
from enum import IntEnum

from msgspec.structs import replace

from engine.facts.powers import HexTilePower, Power, StationPower, TilePower, TrainPower
from engine.facts.title import Title
from engine.flow import settle
from engine.options import Choice
from engine.position.draft import Draft
from engine.position.frames import Payout, Stations, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import CompanyId, PrivateId, State
from engine.steps import STEPS
from engine.steps.judging.forced import must_buy
from engine.steps.judging.offers import offers
from engine.steps.judging.places import why_not_again, why_not_city, why_not_room
from engine.steps.judging.station_cost import station_cost
from engine.steps.operating.track import allowance
from engine.steps.questions.discard import counted_trains, train_limit
from engine.steps.questions.private_trade import price_range
from engine.track.ground import Place
from engine.track.network import has_route, reaches


class Stage(IntEnum):
    """The steps of a company's turn on 18xx.games that can wait for its president, in order."""

    TRACK = 0
    TOKEN = 1
    ROUTE = 2
    DIVIDEND = 3
    TRAINS = 4
    PRIVATES = 5
    OVER = 6


#: all stages in order: ``STAGES[stage + 1]`` follows a stage
STAGES = tuple(Stage)
#: stages in which a company must act and cannot pass
UNPASSED = (Stage.ROUTE, Stage.DIVIDEND)

#: powers that lay a tile
_LAYING: tuple[type[Power], ...] = (TilePower, HexTilePower)
#: our frame → the stage whose end passes it over; runs are never passed over
_FRAMES = {Track: Stage.TRACK, Stations: Stage.TOKEN}


def asked(title: Title, state: State, turn: StockTurn) -> bool:
    """Whether 18xx.games waits for a player in a stock turn (its step `BuySellParShares`).

    It waits if the player can buy or sell a share, or buy another player's private company.
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
    """Whether another player owns a private company; the players may name any price."""
    if turn.bought or not table.at.cash[turn.seat]:
        return False
    others = {*table.at.seats} - {turn.seat}
    return not others.isdisjoint(table.at.privates.values())


def next_stop(title: Title, state: State, company: CompanyId, stage: Stage) -> tuple[Stage, State]:
    """The first stage of the company's turn, from one on, at which 18xx.games stops.

    Also gives the position with all earlier stages passed over.
    """
    table = Table(title, state)
    for at in STAGES[stage:]:
        if at > _LAST_WITHOUT_FRAME and type(state.stack[-1]) in _FRAMES:
            state = passed_over(title, state, at)
            table = Table(title, state)
        if _WAITS[at](table, company):
            break
    return at, passed_over(title, state, at)


def waits(title: Title, state: State, company: CompanyId, stage: Stage) -> bool:
    """Whether 18xx.games stops at this stage of the company's turn."""
    return _WAITS[stage](Table(title, state), company)


def lays_tiles(title: Title, private: PrivateId) -> bool:
    """Whether a private company has the power to lay a tile."""
    return isinstance(title.privates[private].power, _LAYING)


def puts_stations(title: Title, private: PrivateId) -> bool:
    """Whether a private company has the power to place a token."""
    return isinstance(title.privates[private].power, StationPower)


def brings_train(title: Title, private: PrivateId) -> bool:
    """Whether a private company brings the company that buys it a train."""
    return isinstance(title.privates[private].power, TrainPower)


def _waits_for_track(table: Table, company: CompanyId) -> bool:
    """A lay is left, or the company has or can buy a private company that lays tiles."""
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
    """Whether the company can afford a player's private company that has such powers."""
    if not table.phase.company_privates:
        return False
    return any(
        table.is_player(owner)
        and (not powers or isinstance(table.title.privates[private].power, powers))
        and price_range(table, private)[0] <= table.at.cash[company]
        for private, owner in table.at.privates.items()
    )


def _can_put_station(table: Table, company: CompanyId) -> bool:
    """Whether their step `Token` stops: the company can pay for a token, and a city has room.

    A private company that places a token free of charge needs no money (18GA). Their step stops
    even if that token has no room, or belongs in another city.
    """
    if not table.at.charters[company]:
        return False

    def takes(place: Place) -> bool:
        # check first whether a city has room: most are full, and the test is fast
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
    """Whether their step `Route` stops: the company has a train and a route."""
    return bool(table.at.trains.get(company)) and has_route(table, company)


def _has_earned(table: Table, company: CompanyId) -> bool:
    """Whether their step `Dividend` stops: the trains have earned money."""
    return isinstance(table.at.stack[-1], Payout)


def _waits_for_train(table: Table, company: CompanyId) -> bool:
    """Whether their step `SingleDepotTrainBuy` stops: a train is due, or the company can buy one.

    To buy, it needs room and money. Another company's train may cost $1. The step does not check
    whether the bank still sells a train in this turn.
    """
    if must_buy(table, company):
        return True
    if not isinstance(table.at.stack[-1], Trains):
        return False
    if counted_trains(table, company) >= train_limit(table, company):
        return False
    cash = table.at.cash[company]
    if cash and others_sell(table, company):
        return True
    return any(offer.price <= cash for offer in offers(table, company))


def others_sell(table: Table, company: CompanyId) -> bool:
    """Whether another company has a train that is neither obsolete nor a private company's gift."""
    return any(
        not table.title.trains[train].gift and not table.obsolete(train)
        for other in table.title.companies
        if other != company
        for train in table.at.trains.get(other, ())
    )


def passed_over(title: Title, state: State, stage: Stage) -> State:
    """The position with track and token steps passed over, if they come before ``stage``.

    It keeps the number of ``state``, because passing over is part of the next action.
    """
    draft: Draft | None = None
    stack = state.stack
    while stack and (own := _FRAMES.get(type(stack[-1]))) is not None and own < stage:
        draft = draft or Draft(title, state)
        STEPS[type(stack[-1])].leave(draft, stack[-1])
        settle(draft)
        stack = draft.stack
    return replace(draft.commit(), number=state.number) if draft else state


#: by stage: whether 18xx.games stops there
_WAITS: tuple[Callable[[Table, CompanyId], bool], ...] = (
    _waits_for_track,
    _can_put_station,
    _has_route,
    _has_earned,
    _waits_for_train,
    _can_buy_private,
    lambda table, company: True,
)
#: up to this stage no test looks at a frame, so steps need not be passed over for it
_LAST_WITHOUT_FRAME = Stage.ROUTE

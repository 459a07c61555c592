"""How far a turn has gone on 18xx.games, where steps without a choice end by themselves.

Knows the position and the stage of their turn; reads no actions and plays none.
"""

from enum import IntEnum

from msgspec.structs import replace

from engine.actions import Done, PlaceStation
from engine.facts.powers import HexTilePower, Power, TilePower
from engine.facts.title import Title
from engine.flow import options
from engine.options import Choice, Range
from engine.position.draft import Draft
from engine.position.frames import Payout, Stations, StockTurn, Track, Trains
from engine.position.table import Table
from engine.position.values import CompanyId, PrivateId, State
from engine.steps import STEPS
from engine.steps.judging.forced import must_buy
from engine.steps.operating.track import allowance
from engine.steps.operating.turn_wide import price_range
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
    """Whether their system waits for a player in a stock turn.

    It does while they can buy or sell something. A president's certificate that is for sale counts
    if they have as much as a dollar, for its price is not known yet.
    """
    table = Table(title, state)
    may_buy = not turn.bought and table.certificates(turn.seat) < table.certificate_limit()
    unfounded = any(company not in state.pars for company in title.companies)
    if may_buy and unfounded and state.cash[turn.seat]:
        return True
    return any(
        isinstance(option, Choice) and not isinstance(option.action, Done)
        for option in options(title, state, turn.seat)
    )


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
    if not table.at.charters[company]:
        return False
    step, frame = STEPS[Stations], Stations(company)
    return any(
        isinstance(option, Choice)
        and isinstance(option.action, PlaceStation)
        # a private's power to put a station is not waited for
        and not option.action.power
        and step.why_not(table, frame, option.action) is None
        for option in step.candidates(table, frame)
    )


def _can_buy_train(table: Table, company: CompanyId) -> bool:
    frame = table.at.stack[-1]
    if not isinstance(frame, Trains):
        return False
    step = STEPS[Trains]
    return any(
        isinstance(option, Choice | Range) and step.why_not(table, frame, option.action) is None
        for option in step.candidates(table, frame)
    )


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

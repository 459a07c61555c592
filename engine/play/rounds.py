"""The beginning and end of rounds and of players' turns; the steps that end them call it."""

from engine.events import Passed, RoundBegan
from engine.facts.powers import SwapPower
from engine.position.draft import Draft
from engine.position.frames import (
    Frame,
    Home,
    Interest,
    OperatingRound,
    OwnShares,
    Payout,
    PrivateTurn,
    Redeem,
    Repay,
    Retire,
    Running,
    Stations,
    StationTrade,
    StockRound,
    StockTurn,
    Swap,
    Track,
    Trains,
)
from engine.position.values import Round


def begin_stock_round(draft: Draft) -> None:
    """Begin the next stock round, with the priority deal."""
    draft.begin_round(Round("SR", draft.round.number + 1))
    draft.forget_sales()
    draft.record(RoundBegan(str(draft.round)))
    if draft.priority in draft.out:
        draft.deal_to(draft.table.after(draft.priority))
    draft.push(StockRound(draft.priority))


def end_turn(draft: Draft, acted: bool) -> None:
    """End a player's turn; the round goes on with the next player."""
    turn = draft.pop()
    assert isinstance(turn, PrivateTurn | StockTurn)
    stock_round = draft.stack[-1]
    assert isinstance(stock_round, StockRound)
    if not acted:
        draft.record(Passed(turn.seat))
    draft.replace(
        StockRound(
            draft.table.after(turn.seat),
            0 if acted else stock_round.passes + 1,
            turn.seat if acted else stock_round.last,
            stock_round.turns,
        )
    )


def begin_operating_round(draft: Draft, part: int, parts: int) -> None:
    """Begin operating round ``part`` of ``parts``."""
    if draft.ending is not None and not draft.ending.full_set and draft.round.kind == "SR":
        parts = 1
    draft.begin_round(Round("OR", draft.round.number, part, parts))
    draft.record(RoundBegan(str(draft.round)))
    draft.push(OperatingRound())
    for private, owner in draft.privates.items():
        if isinstance(draft.title.privates[private].power, SwapPower) and owner in draft.seats:
            draft.push(Swap(owner, private))


#: a step of an operating turn, as titles name it → the frame that begins it
TURN: dict[
    str,
    type[
        Home
        | Track
        | Stations
        | Running
        | Interest
        | Payout
        | Retire
        | Trains
        | Repay
        | Redeem
        | OwnShares
        | StationTrade
    ],
] = {
    "home": Home,
    "track": Track,
    "token": Stations,
    "run": Running,
    "interest": Interest,
    "dividend": Payout,
    "retire": Retire,
    "trains": Trains,
    "repay": Repay,
    "redeem": Redeem,
    "own shares": OwnShares,
    "station trade": StationTrade,
}


def first_frame(step: str, company: str) -> Frame:
    """The frame that begins a step of a company's turn; KeyError for an unknown step."""
    return TURN[step](company)

"""Decides which decisions an order is for: its player's turns, or those of its commands."""

from __future__ import annotations

import engine
from engine import Seat, State, Title
from engine.notation import NotationError, parse
from engine.position.frames import (
    Auction,
    OperatingTurn,
    ParallelAuction,
    PrivateTurn,
    StockTurn,
)
from service.games import readymade
from service.orders import values as v

#: turns of a player besides the turns of companies
_STOCK = (StockTurn, PrivateTurn, Auction, ParallelAuction)


def concerns(title: Title, state: State, seat: Seat, order: v.Order, step: v.Turn) -> bool:
    """Whether a step of an order is meant for the question its player has in a position."""
    if any(act.ahead for action in step.actions for act in action.acts):
        asked = engine.question(state)
        return asked is not None and asked.asked == seat
    first = [act.command for act in step.actions[0].acts]
    moments = [readymade.is_moment(command, state) for command in first]
    if any(moment is not None for moment in moments):
        return any(moments)
    if order.head == "always":
        return any(_is_meant(title, state, seat, command) for command in first)
    top = state.stack[-1] if state.stack else None
    if order.head == "operate":
        return _operates(state, seat) == order.company
    if order.head == "next":
        return isinstance(top, _STOCK) or bool(_operates(state, seat))
    return isinstance(top, _STOCK)


def _operates(state: State, seat: Seat) -> str:
    """The company of the seat whose turn asks the seat something; "" if none does.

    The step of a turn is directly on its frame; a question in between is on top of a step.
    """
    turn = state.stack[-2] if len(state.stack) > 1 else None
    company = turn.company if isinstance(turn, OperatingTurn) else ""
    return company if company and state.presidents.get(company) == seat else ""


def _is_meant(title: Title, state: State, seat: Seat, command: str) -> bool:
    """Whether a command's kind can be decided here; the command need not be legal."""
    if command in (v.SKIP, v.ASK):
        return True
    text = readymade.played(title, state, seat, command)
    try:
        action = parse(title, state, seat, text) if text else None
    except NotationError:
        return False
    if action is None:
        return False
    if engine.why_not(title, state, action) is None:
        return True
    options = engine.options(title, state, seat)
    return any(isinstance(getattr(option, "action", None), type(action)) for option in options)

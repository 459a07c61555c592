"""Decides whether a condition holds, by past events and the present position."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import singledispatch

from engine.events import (
    AuctionBegan,
    BidMade,
    Floated,
    ParSet,
    PhaseBegan,
    PresidentChanged,
    RoundEnded,
    ShareBought,
    SharesSold,
    TrainBought,
)
from engine.position.values import MARKET, OFFERING
from service.orders import values as v
from service.orders.sight import Sight, alarm

_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip


@singledispatch
def holds(test: v.Test, sight: Sight) -> bool:
    """Whether a test holds for the player who gave the order."""
    raise TypeError(f"no meaning for {test!r}")


def _is(who: str, seat: str, sight: Sight) -> bool:
    """Whether an order means ``seat``: "anyone" is everybody except the player who gave it."""
    return seat != sight.seat if who == v.ANYONE else seat == _seat(who, sight)


def _seat(who: str, sight: Sight) -> str:
    return sight.seat if who == v.ME else who


@holds.register
def _(test: v.Trades, sight: Sight) -> bool:
    kinds = (SharesSold,) if test.sells else (ShareBought, ParSet)
    return any(
        isinstance(e, kinds) and _is(test.who, e.seat, sight) and test.company in ("", e.company)
        for e in sight.happened
    )


@holds.register
def _(test: v.Bids, sight: Sight) -> bool:
    return any(
        isinstance(e, BidMade) and _is(test.who, e.seat, sight) and test.private in ("", e.private)
        for e in sight.happened
    )


@holds.register
def _(test: v.Outbid, sight: Sight) -> bool:
    """One of my bids is no longer the highest on its private company, or an auction asks me."""
    for bids in sight.state.bids.values():
        mine = max((bid.amount for bid in bids if bid.seat == sight.seat), default=0)
        if mine and mine < max(bid.amount for bid in bids):
            return True
    return any(isinstance(e, AuctionBegan) and sight.seat in e.seats for e in sight.happened)


@holds.register
def _(test: v.Starts, sight: Sight) -> bool:
    return any(isinstance(e, ParSet) and e.company == test.company for e in sight.happened)


@holds.register
def _(test: v.Floats, sight: Sight) -> bool:
    return any(isinstance(e, Floated) and e.company == test.company for e in sight.happened)


@holds.register
def _(test: v.PresidentChanges, sight: Sight) -> bool:
    changes = (e for e in sight.happened if isinstance(e, PresidentChanged))
    return any(e.company == test.company and e.old != e.new for e in changes)


@holds.register
def _(test: v.TrainPurchase, sight: Sight) -> bool:
    return any(isinstance(e, TrainBought) and e.train == test.train for e in sight.happened)


@holds.register
def _(test: v.PhaseChanges, sight: Sight) -> bool:
    return any(isinstance(e, PhaseBegan) for e in sight.happened)


@holds.register
def _(test: v.RoundEnds, sight: Sight) -> bool:
    return any(isinstance(e, RoundEnded) for e in sight.happened)


@holds.register
def _(test: v.Alarm, sight: Sight) -> bool:
    return bool(alarm(sight))


@holds.register
def _(test: v.Compare, sight: Sight) -> bool:
    left, other = figure(test.left, sight), test.right
    right = figure(other, sight) if isinstance(other, v.Sum) else rank(test, sight)
    return _RELATIONS[test.relation](left, right)


@holds.register
def _(test: v.HasTrain, sight: Sight) -> bool:
    return bool(sight.state.trains.get(test.company))


@holds.register
def _(test: v.IsFloated, sight: Sight) -> bool:
    return test.company in sight.state.floated


@holds.register
def _(test: v.IsFree, sight: Sight) -> bool:
    return test.hex not in sight.state.tiles


@holds.register
def _(test: v.HasTile, sight: Sight) -> bool:
    return sight.state.tiles.get(test.hex, ("", 0))[0] == test.tile


@holds.register
def _(test: v.Presides, sight: Sight) -> bool:
    return sight.state.presidents.get(test.company) == _seat(test.seat, sight)


@holds.register
def _(test: v.Not, sight: Sight) -> bool:
    return not holds(test.test, sight)


@holds.register
def _(test: v.All, sight: Sight) -> bool:
    return all(holds(one, sight) for one in test.tests)


@holds.register
def _(test: v.Any, sight: Sight) -> bool:
    return any(holds(one, sight) for one in test.tests)


def rank(test: v.Compare, sight: Sight) -> int:
    """The number that a figure is compared with; for a train or a phase, its rank."""
    assert isinstance(test.right, str)
    if test.left.what == "next train":
        return [kind.type for kind in sight.title.facts.train].index(test.right)
    if test.left.what == "phase":
        return [phase.id for phase in sight.title.facts.phase].index(test.right)
    return int(test.right)


def figure(value: v.Sum, sight: Sight) -> int:
    """A figure of the position: dollars, percent, or the rank of a phase or a train type.

    Shares are a number of shares. If the bank has no trains left, its next train ranks above all.
    """
    return _FIGURES[value.what](value, sight)


def _shares(company: str, owner: str, sight: Sight) -> int:
    table = sight.table
    return table.percent(company, owner) // table.unit(company)


def _cash(value: v.Sum, sight: Sight) -> int:
    if value.seat:
        return sight.table.free_cash(_seat(value.seat, sight))
    return sight.state.cash.get(value.of, 0)


def _next_train(value: v.Sum, sight: Sight) -> int:
    kinds = [kind.type for kind in sight.title.facts.train]
    offered = sight.table.next_train()
    return kinds.index(offered.type) if offered else len(kinds)


def _high_bid(value: v.Sum, sight: Sight) -> int:
    return max((bid.amount for bid in sight.state.bids.get(value.of, ())), default=0)


_FIGURES: dict[str, Callable[[v.Sum, Sight], int]] = {
    "price": lambda value, sight: sight.table.price(value.of),
    "par": lambda value, sight: sight.state.pars.get(value.of, 0),
    "run": lambda value, sight: sight.state.earned.get(value.of, 0),
    "cash": _cash,
    "shares": lambda value, sight: _shares(value.of, _seat(value.seat, sight), sight),
    "ipo": lambda value, sight: _shares(value.of, OFFERING, sight),
    "pool": lambda value, sight: _shares(value.of, MARKET, sight),
    "phase": lambda value, sight: [p.id for p in sight.title.facts.phase].index(sight.state.phase),
    "trains left": lambda value, sight: sight.state.trains.get(OFFERING, ()).count(value.of),
    "next train": _next_train,
    "high bid": _high_bid,
}

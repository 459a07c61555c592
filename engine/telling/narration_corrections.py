"""Sentences for a director's corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.corrections import (
    BondsMoved,
    CashMoved,
    LoansPut,
    MarkPut,
    PricePut,
    PriorityPut,
    PrivateMoved,
    SharesMoved,
    StationPut,
    TilePut,
    TrainMoved,
)
from engine.facts.title import Title
from engine.notation.orientation import orientation
from engine.position.values import BANK, CLOSED, MARKET, OFFERING, REMOVED
from engine.wording import counted, one


def _name(owner: str) -> str:
    return {BANK: "the bank", OFFERING: "the IPO", MARKET: "the open market"}.get(owner, owner)


def _shares(title: Title, p: SharesMoved) -> str:
    what = "the president's certificate" if p.president else f"{p.percent}%"
    return f"{what} of {p.company} went from {_name(p.giver)} to {_name(p.taker)}"


def _train(title: Title, p: TrainMoved) -> str:
    to = "out of the game" if p.taker == REMOVED else f"to {_name(p.taker)}"
    return f"{one(p.train)} train went from {_name(p.giver)} {to}"


def _tile(title: Title, p: TilePut) -> str:
    place = title.place(p.hex)
    if not p.tile:
        return f"{place} is again as it is printed"
    return f"{place} has tile {p.tile} {orientation(title, p.tile, p.rotation)}".strip()


def _station(title: Title, p: StationPut) -> str:
    place = title.place(p.hex)
    if p.off:
        return f"the token of {p.company} in {place} went back to its charter"
    return f"{p.company} has a token in {place}"


def _bonds(title: Title, p: BondsMoved) -> str:
    to = "out of the game" if p.taker == REMOVED else f"to {_name(p.taker)}"
    return f"{counted(p.count, 'bond')} went from {_name(p.giver)} {to}"


def _mark(title: Title, p: MarkPut) -> str:
    if not p.company:
        return f"{p.mark} ({p.private}) left the game"
    where = f"in {title.place(p.hex)}" if p.hex else "on its charter"
    return f"{p.company} has {p.mark} ({p.private}) {where}"


_PARTS: dict[type[Any], Callable[[Title, Any], str]] = {
    CashMoved: lambda t, p: f"{_name(p.taker)} got {t.money(p.dollars)} from {_name(p.giver)}",
    SharesMoved: _shares,
    TrainMoved: _train,
    PrivateMoved: lambda t, p: (
        f"{p.private} closed" if p.taker == CLOSED else f"{p.private} belongs to {_name(p.taker)}"
    ),
    TilePut: _tile,
    StationPut: _station,
    PricePut: lambda t, p: f"the share price of {p.company} is {t.money(t.chart.price(p.cell))}",
    PriorityPut: lambda t, p: f"{p.seat} has the priority deal",
    LoansPut: lambda t, p: f"{p.company} owes {counted(p.count, 'loan')}",
    BondsMoved: _bonds,
    MarkPut: _mark,
}


def _corrected(title: Title, e: ev.Corrected) -> str:
    why = f", because {e.because}" if e.because else ""
    return f"corrected by the director: {_PARTS[type(e.part)](title, e.part)}{why}"


#: type of event → its sentence
OF_CORRECTIONS: dict[type[Any], Callable[[Title, Any], str]] = {ev.Corrected: _corrected}

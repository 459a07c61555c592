"""Sentences for fire sales, and for companies without a president."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.facts.title import Title
from engine.position.values import MARKET
from engine.wording import one


def _lot(title: Title, hex_: str, company: str, percent: int = 0) -> str:
    if hex_:
        return f"the token of {company} in {title.place(hex_)}"
    return f"{percent}% of {company}" if percent else f"a share of {company}"


def _offered(title: Title, e: ev.LotOffered) -> str:
    what = _lot(title, e.hex, e.company, e.percent)
    return f"{e.company} offered {what} for sale from {title.money(e.least)}, to pay for a train"


def _bid(title: Title, e: ev.LotBid) -> str:
    return f"{e.seat} bid {title.money(e.amount)}" + (f" for {e.buyer}" if e.buyer else "")


def _sold(title: Title, e: ev.LotSold) -> str:
    what = _lot(title, "", e.company, e.percent)
    if e.buyer == MARKET:
        return f"nobody bid: the bank took {what} for {title.money(e.amount)}, to the open market"
    return f"{e.buyer} bought {what} for {title.money(e.amount)}"


def _station(title: Title, e: ev.StationSold) -> str:
    what = _lot(title, e.hex, e.company)
    paid = f"{title.money(e.amount)} and paid the bank {title.money(e.cost)}"
    return f"{e.buyer} took the place of {what} for {paid}"


def _unsold(title: Title, e: ev.LotUnsold) -> str:
    if e.hex:
        return f"nobody bid on {_lot(title, e.hex, e.company)}"
    return f"nobody bid on a share of {e.company}, and the open market can hold no more of them"


OF_DISTRESS: dict[type[Any], Callable[[Title, Any], str]] = {
    ev.LotOffered: _offered,
    ev.LotBid: _bid,
    ev.LotSold: _sold,
    ev.StationSold: _station,
    ev.LotUnsold: _unsold,
    ev.ReceiverNamed: lambda t, e: f"{e.company} went into receivership; {e.seat} runs it",
    ev.ReceivershipEnded: lambda t, e: f"{e.seat} took over {e.company} and became president",
    ev.TrainBorrowed: lambda t, e: f"{e.company} borrowed {one(e.train)} train from the bank",
    ev.TrainReturned: lambda t, e: f"{e.company} gave the borrowed {e.train} train back",
}

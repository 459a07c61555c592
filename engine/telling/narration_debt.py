"""Sentences for debt, companies' own shares, and companies that merge or leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.facts.title import Title
from engine.position.values import MARKET, OFFERING
from engine.wording import counted, listed


def _owes(e: ev.LoanTaken | ev.LoansRepaid) -> str:
    return f"owes {counted(e.owes, 'loan')}" if e.owes else "no longer owes a loan"


def _interest(title: Title, e: ev.InterestPaid) -> str:
    text = f"{e.company} paid {title.money(e.due)} of interest on its {e.on}"
    if not e.earnings:
        return text
    return f"{text}, {title.money(e.earnings) if e.treasury else 'all'} of it from its earnings"


def _issued(title: Title, e: ev.BondsIssued) -> str:
    bonds = counted(e.count, "bond")
    if e.amount:
        return f"{e.company} issued {bonds} to the open market for {title.money(e.amount)}"
    return f"{bonds} of {e.company} went to the open market for the loans of merged companies"


def _redeemed(title: Title, e: ev.BondsRedeemed) -> str:
    source = "the open market" if e.source == MARKET else e.source
    return (
        f"{e.company} redeemed {counted(e.count, 'bond')} of {source} for {title.money(e.amount)}"
    )


def _of_bonds(title: Title) -> str:
    facts = title.facts.bonds
    return f" of {facts.company}" if facts else ""


def _sold_bonds(title: Title, e: ev.BondsSold) -> str:
    return f"{e.seat} sold {counted(e.count, 'bond')}{_of_bonds(title)} for {title.money(e.amount)}"


def _merged(title: Title, e: ev.Merged) -> str:
    shares = f"{100 // e.percent} shares of {e.percent}%"
    return (
        f"{e.company} formed from {listed(e.merged)}: {shares}, share price {title.money(e.price)}"
    )


def _exchanged(title: Title, e: ev.MergerExchanged) -> str:
    """What an owner gave and received; the new company what the treasuries of the merged had."""
    given = counted(e.given, "share")
    shares = f"{counted(e.shares, 'share')} of {e.company}"
    parts = [(e.shares, shares), (e.bonds, counted(e.bonds, "bond"))]
    received = listed(text for count, text in parts if count) or "nothing"
    if e.owner == MARKET:
        text = f"{given} in the open market became {received}"
    elif e.owner == e.company:
        text = f"{given} in the treasuries became {received}"
    else:
        text = f"{e.owner} got {received} for {given}"
    if e.odd:
        text += ", one odd share "
        text += "left the game" if e.owner == MARKET else "went to the open market"
    if e.lost and received != "nothing":
        text += f", {e.lost} of them for nothing"
    return text


def _system(title: Title, e: ev.SystemFormed) -> str:
    """The system, who has what of it, and what it has."""
    owners = {
        e.company: "its treasury",
        OFFERING: "the IPO",
        MARKET: "the open market",
    }
    held = listed(f"{owners.get(owner, owner)} {percent}%" for owner, percent in e.held.items())
    trains = f", the trains {' '.join(e.trains)}" if e.trains else ", no train"
    stations = f" and tokens in {listed(map(title.place, e.hexes))}"
    more = f", {counted(e.tokens, 'more token')}" if e.tokens else ""
    return (
        f"{listed(e.merged)} merged into {e.company}, {e.seat} is president: "
        f"share price {title.money(e.price)}, par {title.money(e.par)}; {held}; "
        f"it has {title.money(e.cash)}{trains}{stations}{more}"
    )


def _not_formed(title: Title, e: ev.MergerNotFormed) -> str:
    why = f"only {listed(e.trainless)} was" if e.trainless else "no company that had operated was"
    return f"{e.company} did not form: {why} without a train"


def _replaced(title: Title, e: ev.StationsReplaced) -> str:
    if not e.hexes:
        return ""
    places = listed(title.place(hex_) for hex_ in e.hexes)
    return f"{e.company} kept the token{'s' * (len(e.hexes) > 1)} in {places}"


OF_DEBT: dict[type[Any], Callable[[Title, Any], str]] = {
    ev.LoanTaken: lambda t, e: (
        f"{e.company} borrowed {t.money(e.amount)} ({counted(e.count, 'loan')}) and now {_owes(e)}"
    ),
    ev.LoansRepaid: lambda t, e: (
        f"{e.company} repaid {counted(e.count, 'loan')} for {t.money(e.amount)} and {_owes(e)}"
    ),
    ev.InterestPaid: _interest,
    ev.BondsIssued: _issued,
    ev.BondsRedeemed: _redeemed,
    ev.BondBought: lambda t, e: f"{e.seat} bought a bond{_of_bonds(t)} for {t.money(e.amount)}",
    ev.BondsSold: _sold_bonds,
    ev.SharesIssued: lambda t, e: (
        f"{e.company} sold {e.percent}% of its own shares to the open market "
        f"for {t.money(e.amount)}"
    ),
    ev.SharesBoughtBack: lambda t, e: (
        f"{e.company} bought back {e.percent}% of its own shares for {t.money(e.amount)}"
    ),
    ev.PresidentPaid: lambda t, e: f"{e.seat} paid {t.money(e.amount)} of what {e.company} owed",
    ev.Merged: _merged,
    ev.MergerExchanged: _exchanged,
    ev.MergerNotFormed: _not_formed,
    ev.SystemFormed: _system,
    ev.ActingPresident: lambda t, e: (
        f"{e.seat} became acting president of {e.company}: "
        "no player has its president's certificate"
    ),
    ev.MergerCapital: lambda t, e: (
        f"the bank paid {e.company} {t.money(e.amount)} for "
        f"{counted(e.shares, 'share')} that nobody received"
    ),
    ev.StationsReplaced: _replaced,
    ev.CompanyClosed: lambda t, e: f"{e.company} closed and its shares are worth nothing",
    ev.PlayerOut: lambda t, e: f"{e.seat} left the game",
    ev.TrainsWithdrawn: lambda t, e: (
        f"{counted(e.count, f'{e.train} train')} left the game unsold; the bank has {e.left}"
    ),
}

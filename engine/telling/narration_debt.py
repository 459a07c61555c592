"""Sentences of what companies owe, of their own shares, and of those that merge or leave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import events as ev
from engine.facts.title import Title
from engine.position.values import MARKET, OFFERING
from engine.wording import counted, listed


def _owes(e: ev.LoanTaken | ev.LoansRepaid) -> str:
    return f"owes {counted(e.owes, 'loan')}" if e.owes else "owes no loan any more"


def _interest(title: Title, e: ev.InterestPaid) -> str:
    text = f"{e.company} paid ${e.due} of interest on its {e.on}"
    if not e.earnings:
        return text
    return f"{text}, {f'${e.earnings}' if e.treasury else 'all'} of it from its earnings"


def _issued(title: Title, e: ev.BondsIssued) -> str:
    bonds = counted(e.count, "bond")
    if e.amount:
        return f"{e.company} issues {bonds} to the open market for ${e.amount}"
    go = "goes" if e.count == 1 else "go"
    return f"{bonds} of {e.company} {go} to the open market for the loans of merged companies"


def _redeemed(title: Title, e: ev.BondsRedeemed) -> str:
    source = "the open market" if e.source == MARKET else e.source
    return f"{e.company} redeemed {counted(e.count, 'bond')} of {source} for ${e.amount}"


def _of_bonds(title: Title) -> str:
    facts = title.facts.bonds
    return f" of {facts.company}" if facts else ""


def _sold_bonds(title: Title, e: ev.BondsSold) -> str:
    return f"{e.seat} sold {counted(e.count, 'bond')}{_of_bonds(title)} for ${e.amount}"


def _merged(title: Title, e: ev.Merged) -> str:
    shares = f"{100 // e.percent} shares of {e.percent}%"
    return f"{e.company} forms from {listed(e.merged)}: {shares}, at ${e.price}"


def _exchanged(title: Title, e: ev.MergerExchanged) -> str:
    """What an owner gave and received; the new company what the treasuries of the merged had."""
    given = counted(e.given, "share")
    shares = f"{counted(e.shares, 'share')} of {e.company}"
    parts = [(e.shares, shares), (e.bonds, counted(e.bonds, "bond"))]
    received = listed(text for count, text in parts if count) or "nothing"
    if e.owner == MARKET:
        text = f"{given} in the open market become {received}"
    elif e.owner == e.company:
        text = f"{given} in the treasuries become {received}"
    else:
        text = f"for {given} {e.owner} gets {received}"
    if e.odd:
        text += ", one odd share "
        text += "leaves the game" if e.owner == MARKET else "goes to the open market"
    if e.lost and received != "nothing":
        text += f", {e.lost} of them for nothing"
    return text


def _system(title: Title, e: ev.SystemFormed) -> str:
    """The system, who has what of it, and what it has."""
    owners = {
        e.company: "its treasury",
        OFFERING: "the initial offering",
        MARKET: "the open market",
    }
    held = listed(f"{owners.get(owner, owner)} {percent}%" for owner, percent in e.held.items())
    trains = f", the trains {' '.join(e.trains)}" if e.trains else ", no train"
    stations = f" and stations in {listed(map(title.place, e.hexes))}"
    more = f", {counted(e.tokens, 'more token')}" if e.tokens else ""
    return (
        f"{listed(e.merged)} merge into {e.company}, {e.seat} presides: price ${e.price}, "
        f"par ${e.par}; {held}; it has ${e.cash}{trains}{stations}{more}"
    )


def _not_formed(title: Title, e: ev.MergerNotFormed) -> str:
    why = f"only {listed(e.trainless)} is" if e.trainless else "no company that has operated is"
    return f"{e.company} does not form: {why} without a train"


def _replaced(title: Title, e: ev.StationsReplaced) -> str:
    if not e.hexes:
        return ""
    places = listed(title.place(hex_) for hex_ in e.hexes)
    return f"{e.company} keeps the station{'s' * (len(e.hexes) > 1)} in {places}"


OF_DEBT: dict[type[Any], Callable[[Title, Any], str]] = {
    ev.LoanTaken: lambda t, e: (
        f"{e.company} borrows ${e.amount} ({counted(e.count, 'loan')}) and now {_owes(e)}"
    ),
    ev.LoansRepaid: lambda t, e: (
        f"{e.company} repaid {counted(e.count, 'loan')} for ${e.amount} and {_owes(e)}"
    ),
    ev.InterestPaid: _interest,
    ev.BondsIssued: _issued,
    ev.BondsRedeemed: _redeemed,
    ev.BondBought: lambda t, e: f"{e.seat} bought a bond{_of_bonds(t)} for ${e.amount}",
    ev.BondsSold: _sold_bonds,
    ev.SharesIssued: lambda t, e: (
        f"{e.company} sold {e.percent}% of its own shares to the open market for ${e.amount}"
    ),
    ev.SharesBoughtBack: lambda t, e: (
        f"{e.company} bought back {e.percent}% of its own shares for ${e.amount}"
    ),
    ev.PresidentPaid: lambda t, e: f"{e.seat} paid ${e.amount} of what {e.company} owed",
    ev.Merged: _merged,
    ev.MergerExchanged: _exchanged,
    ev.MergerNotFormed: _not_formed,
    ev.SystemFormed: _system,
    ev.ActingPresident: lambda t, e: (
        f"{e.seat} acts as president of {e.company}, no player has its president's certificate"
    ),
    ev.MergerCapital: lambda t, e: (
        f"the bank pays {e.company} ${e.amount} for "
        f"{counted(e.shares, 'share')} that nobody received"
    ),
    ev.StationsReplaced: _replaced,
    ev.CompanyClosed: lambda t, e: f"{e.company} closes and its shares are worth nothing",
    ev.PlayerOut: lambda t, e: f"{e.seat} is out of the game",
    ev.TrainsWithdrawn: lambda t, e: (
        f"{counted(e.count, f'{e.train} train')} "
        f"leave{'s' * (e.count == 1)} the game unsold, the bank has {e.left}"
    ),
}

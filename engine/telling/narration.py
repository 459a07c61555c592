"""Events as sentences: the words of all emails and logs, in one place.

Sentences name seats, companies, hexes and dollars. They do not know when and to whom Waybill sends
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, get_args

from engine import events as ev
from engine.actions import TrainRun
from engine.facts.powers import TerrainPower
from engine.facts.title import Title
from engine.notation.orientation import orientation
from engine.position.values import BANK, MARKET, OFFERING
from engine.proposals import BarredLay, PowerUse, PrivateSale, StationSale, TrainSale, Unstated
from engine.telling.narration_corrections import OF_CORRECTIONS
from engine.telling.narration_debt import OF_DEBT
from engine.telling.narration_distress import OF_DISTRESS
from engine.telling.narration_places import OF_PLACES
from engine.wording import counted, listed, one


def narrate(title: Title, event: ev.Event) -> str:
    """One sentence without a full stop, or "" for an event that needs no words."""
    return SENTENCES[type(event)](title, event)


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of an event, without a full stop; ``doer`` is the acting player, "" if none.

    ``text`` continues after the doer's name: "passed" after Bob. ``of_game`` says that it is no
    consequence of a player's action: a round or an auction begins, a round ends, private companies
    pay, or it comes after a pass or the end of a company's turn.
    """

    text: str
    doer: str = ""
    of_game: bool = False

    def __str__(self) -> str:
        """With who did it: "Bob passed"."""
        return f"{self.doer} {self.text}".lstrip()


def sentences(title: Title, events: Iterable[ev.Event]) -> list[Sentence]:
    """The sentences of several events with their doers; silent events are left out."""
    found, goes_on = [], False
    for event in events:
        text, doer = narrate(title, event), _doer(title, event)
        goes_on = goes_on or isinstance(event, _OF_GAME)
        if text:
            found.append(Sentence(text.removeprefix(f"{doer} "), doer, goes_on and not doer))
        goes_on = goes_on or isinstance(event, ev.Passed | ev.TurnEnded)
    return found


#: events that no player brings about
_OF_GAME = (ev.RoundBegan, ev.RoundEnded, ev.AuctionBegan, ev.PrivatePaid)


def _doer(title: Title, event: ev.Event) -> str:
    """The player with whose name the sentence of an event begins, as who did it."""
    field = _DOERS.get(type(event), "")
    name = str(getattr(event, field)) if field else ""
    return "" if name in title.companies or name == MARKET else name


def _price_moved(title: Title, event: ev.PriceMoved) -> str:
    """A move on the chart; its cells may have the same price."""
    old, new = title.money(event.old), title.money(event.new)
    if event.old == event.new:
        return f"{event.company} moved on the stock chart and its share price stayed {new}"
    verb = "rose" if event.new > event.old else "fell"
    return f"the share price of {event.company} {verb}: {old} → {new}"


def narrate_all(title: Title, events: Iterable[ev.Event]) -> list[str]:
    """The sentences of several events; silent events are left out."""
    return [sentence for event in events if (sentence := narrate(title, event))]


def _asked(title: Title, e: ev.Asked) -> str:
    what = e.proposal
    if isinstance(what, StationSale):
        place = title.place(what.hex)
        sale = f"{what.buyer} takes the place of the token of {what.seller} in {place}"
        return f"{e.by} made {e.asked} an offer: {sale}"
    if isinstance(what, PrivateSale | TrainSale):
        sale = f"{what.buyer} buys {_thing(what)} from {what.seller} for {title.money(what.price)}"
        return f"{e.by} made {e.asked} an offer: {sale}"
    return f"{e.by} asked {e.asked} for leave to {_use(title, what)}"


def _use(title: Title, what: PowerUse | BarredLay | Unstated) -> str:
    """What a private's owner is asked to allow: its power, or a tile on its hexes.

    An event of format 1 leaves open which; it may be either where the private has both.
    """
    if isinstance(what, PowerUse):
        return f"use {what.private} for {what.company}"
    if isinstance(what, BarredLay):
        barred = set(title.privates[what.private].blocks)
        places = listed(title.place(lay.hex) for lay in what.action.lays if lay.hex in barred)
        return f"lay for {what.company} on {places}, which {what.private} blocks"
    facts = title.privates[what.id]
    places = " or ".join(title.place(hex_) for hex_ in facts.blocks)
    if facts.power is None:
        return f"lay for {what.company} on {places}, which {what.id} blocks"
    return f"use {what.id} for {what.company}" + (f", or lay on {places}" if places else "")


def _declined(title: Title, e: ev.Declined) -> str:
    what = e.proposal
    if isinstance(what, Unstated):
        thing = what.id if what.thing != "train" else f"{one(what.id)} train"
        leave = what.thing == "power"
        return f"{e.asked} {'gave no leave for' if leave else 'declined to trade'} {thing}"
    if isinstance(what, StationSale):
        return f"{e.asked} declined to sell the token of {what.seller} in {title.place(what.hex)}"
    if isinstance(what, PrivateSale | TrainSale):
        return f"{e.asked} declined to trade {_thing(what)}"
    return f"{e.asked} gave no leave for {what.private}"


def _countered(title: Title, e: ev.Countered) -> str:
    what = e.proposal
    assert isinstance(what, PrivateSale | TrainSale)
    sale = f"{_thing(what)} from {what.seller} to {what.buyer}"
    return f"{e.by} made {e.asked} a counteroffer of {title.money(what.price)}: {sale}"


def _withdrawn(title: Title, e: ev.Withdrawn) -> str:
    what = e.proposal
    if isinstance(what, PrivateSale | TrainSale):
        return f"{e.by} withdrew the offer to trade {_thing(what)}"
    if isinstance(what, StationSale):
        return (
            f"{e.by} withdrew the offer for the token of {what.seller} in {title.place(what.hex)}"
        )
    return f"{e.by} no longer asks for leave to {_use(title, what)}"


def _thing(sale: PrivateSale | TrainSale) -> str:
    return sale.private if isinstance(sale, PrivateSale) else f"{one(sale.train)} train"


def _drawn(title: Title, e: ev.PrivateDrawn) -> str:
    return f"{_full_name(title, e.private)} was drawn by lot, and not {' or '.join(e.others)}"


def _full_name(title: Title, private: str) -> str:
    """The name of a private company, and its short name if that differs."""
    name = title.privates[private].name
    return name if name == private else f"{name} ({private})"


def _given(title: Title, e: ev.MarksGiven) -> str:
    powers = (private.power for private in title.facts.private)
    kinds = {power.mark for power in powers if isinstance(power, TerrainPower)}
    marks = (f"the {mark} marker" if mark in kinds else mark for mark in e.marks)
    return f"{e.company} received {listed(marks)}"


def _ferry(title: Title, e: ev.FerryActivated) -> str:
    """The tiles of the lake go without saying."""
    ends = title.ferries[e.ferry].ends
    laid = [f"{tile} at {title.place(hex_)}" for hex_, tile, _ in e.tiles if hex_ in ends]
    tiles = f" with {listed(laid)}" if laid else ""
    cost = f" for {title.money(e.cost)}" if e.cost else ""
    return f"{e.company} opened the ferry {e.ferry}{tiles}{cost}"


def _ferry_paid(title: Title, e: ev.FerryPaid) -> str:
    trains = counted(e.trains, "train")
    if e.payee == BANK:
        return f"{e.company} paid the bank {title.money(e.amount)} for {trains} on a ferry"
    return f"{e.company} paid {e.payee} {title.money(e.amount)} for {trains} on its ferry"


def _bankrupt(title: Title, e: ev.WentBankrupt) -> str:
    if title.facts.loans:
        return f"{e.seat} went bankrupt: {e.company} could not pay what it owed"
    return f"{e.seat} went bankrupt: {e.company} could not pay for a train"


UNPROVED = ", the best run that was found; it is not proved to be the best"


def _runs(title: Title, e: ev.TrainsRan) -> str:
    if not e.runs:
        return f"{e.company} ran no trains"
    routes = "; ".join(f"{run.train}: {'-'.join(_stops(title, run))}" for run in e.runs)
    doubt = UNPROVED if e.unproved else ""
    return f"{e.company} ran for {title.money(e.revenue)} ({routes}){doubt}"


def _stops(title: Title, run: TrainRun) -> list[str]:
    """The hexes of a route that have a name, its ends always; not those it runs past."""
    last = len(run.path) - 1
    return [
        hex_
        for i, hex_ in enumerate(run.path)
        if i in (0, last) or (title.hexes[hex_].name and hex_ not in run.past)
    ]


def _dividend(title: Title, e: ev.DividendPaid) -> str:
    shares = ", ".join(f"{owner} {title.money(amount)}" for owner, amount in e.paid.items())
    if e.retained or e.share != 10:
        kept = f" and kept {title.money(e.retained)}" if e.retained else ""
        return f"{e.company} paid out {title.money(e.revenue - e.retained)}{kept} ({shares})"
    return f"{e.company} paid {title.money(e.revenue // 10)} per share ({shares})"


def _gone(title: Title, e: ev.TrainsGone) -> str:
    owners = listed(f"{'the ' if o == MARKET else ''}{o} {n}" for o, n in e.lost.items())
    return f"all {e.train} trains rusted ({owners})"


def _bought(title: Title, e: ev.TrainBought) -> str:
    source = {OFFERING: "", MARKET: " from the open market"}.get(e.source, f" from {e.source}")
    if e.power and not e.price:
        return f"{e.company} received {one(e.train)} train{source} for {e.power}"
    aid = f", {title.money(e.aid)} of it from its president" if e.aid else ""
    power = f" with {e.power}" if e.power else ""
    return f"{e.company} bought {one(e.train)} train{source} for {title.money(e.price)}{aid}{power}"


def _laid(title: Title, e: ev.TileLaid) -> str:
    way = orientation(title, e.tile, e.rotation)
    way = f" ({way})" if way else ""
    cost = f" for {title.money(e.cost)}" if e.cost else ""
    power = f" with {e.power}" if e.power else ""
    return f"{e.company} laid {e.tile} at {title.place(e.hex)}{way}{cost}{power}"


def _station(title: Title, e: ev.StationPlaced) -> str:
    if e.home:
        return f"{e.company} placed its home token in {title.place(e.hex)}"
    cost = f" for {title.money(e.cost)}" if e.cost or not e.power else ""
    power = f" with {e.power}" if e.power else ""
    return f"{e.company} placed a token in {title.place(e.hex)}{power}{cost}"


def _moved(title: Title, e: ev.StationMoved) -> str:
    return f"the token of {e.company} went to city {e.stop + 1} of {title.place(e.hex)}"


def _private(title: Title, e: ev.PrivateBought) -> str:
    source = "" if e.seller == OFFERING else f" from {e.seller}"
    price = f"for {title.money(e.price)}" if e.price else "for nothing"
    return f"{e.buyer} bought {_full_name(title, e.private)}{source} {price}"


def _ended(title: Title, e: ev.GameEnded) -> str:
    return "the game is over: " + ", ".join(
        f"{seat} {title.money(worth)}" for seat, worth in e.worth.items()
    )


_CAUSES = {
    "bank": "the end of the game is near: the bank ran out of money",
    "price": "the end of the game is near: a share price reached the end of the stock chart",
    # the bankruptcy before it says why the game ends at once
    "bankruptcy": "",
    "survivor": "all players but one went bankrupt",
}


def _foreseen(title: Title, e: ev.EndForeseen) -> str:
    return _CAUSES[e.cause]


#: where shares are bought, but for treasuries
_PLACES = {MARKET: "the open market", OFFERING: "the IPO"}


def _sold(title: Title, e: ev.SharesSold) -> str:
    return f"{e.seat} sold {e.percent}% of {e.company} for {title.money(e.amount)}"


def _share(title: Title, e: ev.ShareBought) -> str:
    source = _PLACES.get(e.source, "its treasury")
    return f"{e.seat} bought {e.percent}% of {e.company} from {source} for {title.money(e.cost)}"


def _swapped(title: Title, e: ev.PrivateSwapped) -> str:
    source = _PLACES.get(e.source, "its treasury")
    return f"{e.seat} exchanged {e.private} for {e.percent}% of {e.company} from {source}"


def _named(title: Title, e: ev.TrainNamed) -> str:
    if e.train:
        return f"{e.company} named its {e.train} train {e.name}"
    return f"{e.company} took the name {e.name} off its trains"


def _discarded(title: Title, e: ev.TrainDiscarded) -> str:
    where = "and it left the game" if e.gone else "to the open market"
    return f"{e.company} discarded {one(e.train)} train {where}"


def _idle_foreseen(title: Title, e: ev.IdleForeseen) -> str:
    if not e.companies:
        return f"{e.cause} began and affects no company"
    each = "of each " * (len(e.companies) > 1)
    turn = f"in the next operating turn of {listed(e.companies)}"
    return f"{e.cause} began: one train {each}earns nothing {turn}"


def _withheld(title: Title, e: ev.Withheld) -> str:
    return (
        f"{e.company} withheld {title.money(e.revenue)}"
        if e.revenue
        else f"{e.company} earned nothing"
    )


#: type of event → its sentence
SENTENCES: dict[type[Any], Callable[[Title, Any], str]] = {
    **OF_DEBT,
    **OF_DISTRESS,
    **OF_CORRECTIONS,
    **OF_PLACES,
    ev.RoundBegan: lambda t, e: f"{e.round} began",
    ev.RoundEnded: lambda t, e: (
        f"{e.round} ended; {e.priority} has the priority deal"
        if e.round.startswith("SR")
        else f"{e.round} ended"
    ),
    ev.Passed: lambda t, e: f"{e.seat} passed",
    ev.BidMade: lambda t, e: f"{e.seat} bid {t.money(e.amount)} on {e.private}",
    ev.BidTakenBack: lambda t, e: (
        f"{e.seat} took back {t.money(e.amount)} and left the auction of {e.private}"
    ),
    ev.AuctionBegan: lambda t, e: f"an auction of {e.private} began among {listed(e.seats)}",
    ev.PrivateBought: _private,
    ev.Asked: _asked,
    ev.Declined: _declined,
    ev.Countered: _countered,
    ev.Withdrawn: _withdrawn,
    ev.ParSet: lambda t, e: f"{e.seat} started {e.company} at par {t.money(e.price)}",
    ev.ShareBought: _share,
    ev.ShareGiven: lambda t, e: f"{e.seat} received {e.percent}% of {e.company} with {e.private}",
    ev.SharesSold: _sold,
    ev.PriceProtected: lambda t, e: (
        f"{e.seat} bought the {e.percent}% of {e.company} for {t.money(e.cost)} "
        "and protected its price"
    ),
    ev.PriceLetFall: lambda t, e: f"{e.seat} let the price of {e.company} fall",
    ev.PresidentChanged: lambda t, e: (
        f"{e.new} became president of {e.company} (was {e.old})"
        if e.new != e.old
        else f"{e.new} took the president's certificate of {e.company}"
    ),
    ev.Floated: lambda t, e: f"{e.company} floated with {t.money(e.cash)}",
    ev.PriceMoved: _price_moved,
    ev.PrivateDrawn: _drawn,
    ev.PrivateSwapped: _swapped,
    ev.PrivatePaid: lambda t, e: f"{e.private} paid {e.owner} {t.money(e.amount)}",
    ev.BridgePaid: lambda t, e: f"{e.owner} received {t.money(e.amount)} of it for {e.private}",
    ev.TileLaid: _laid,
    ev.StationPlaced: _station,
    ev.StationMoved: _moved,
    ev.BonusPaid: lambda t, e: (
        f"{e.company} received {t.money(e.amount)} from the bank for its token in {t.place(e.hex)}"
    ),
    ev.MarkPlaced: lambda t, e: f"{e.company} placed the {e.mark} marker in {t.place(e.hex)}",
    ev.MarksGiven: _given,
    ev.MarksGone: lambda t, e: f"{e.company} lost {listed(e.marks)}",
    ev.TrainNamed: _named,
    ev.TrainsRan: _runs,
    ev.DividendPaid: _dividend,
    ev.Withheld: _withheld,
    ev.TrainBought: _bought,
    ev.TrainGiven: lambda t, e: f"{e.company} received the {e.train} train of {e.private}",
    ev.TrainExtended: lambda t, e: (
        f"{e.company} made {one(e.train)} train {one(e.extended)} with {e.private}"
    ),
    ev.FerryActivated: _ferry,
    ev.FerryPaid: _ferry_paid,
    ev.TrainsGone: _gone,
    ev.SalvagePaid: lambda t, e: (
        f"{e.company} received {t.money(e.amount)} for its {e.train} trains"
    ),
    ev.IdleForeseen: _idle_foreseen,
    ev.TrainIdled: lambda t, e: f"{one(e.train)} train of {e.company} earns nothing in this turn",
    ev.TrainsObsolete: lambda t, e: f"{e.train} trains became obsolete and run once more",
    ev.TrainDiscarded: _discarded,
    ev.PhaseBegan: lambda t, e: f"phase {e.phase} began",
    ev.PrivateClosed: lambda t, e: f"{_full_name(t, e.private)} closed",
    ev.TurnEnded: lambda t, e: "",
    ev.WentBankrupt: _bankrupt,
    ev.EndForeseen: _foreseen,
    ev.ExtraRound: lambda t, e: (
        f"{listed(e.seats)} were tied, so one more operating round is played"
    ),
    ev.GameEnded: _ended,
    ev.Insisted: lambda t, e: (
        f"{e.seat} insisted on best runs" if e.on else f"{e.seat} stopped insisting on best runs"
    ),
}


#: type of event → its field that names who did it, where the sentence begins with that name
_DOERS: dict[type[Any], str] = {
    ev.Passed: "seat",
    ev.BidMade: "seat",
    ev.BidTakenBack: "seat",
    ev.PrivateBought: "buyer",
    ev.Asked: "by",
    ev.Declined: "asked",
    ev.Countered: "by",
    ev.Withdrawn: "by",
    ev.ParSet: "seat",
    ev.ShareBought: "seat",
    ev.ShareGiven: "seat",
    ev.SharesSold: "seat",
    ev.PriceProtected: "seat",
    ev.PriceLetFall: "seat",
    ev.PresidentChanged: "new",
    ev.PrivateSwapped: "seat",
    ev.BridgePaid: "owner",
    ev.WentBankrupt: "seat",
    ev.PlayerOut: "seat",
    ev.Insisted: "seat",
    ev.BondBought: "seat",
    ev.BondsSold: "seat",
    ev.PresidentPaid: "seat",
    ev.ActingPresident: "seat",
    ev.LotBid: "seat",
    ev.LotSold: "buyer",
    ev.ReceivershipEnded: "seat",
}


def _complete() -> None:
    """Raises TypeError naming events without a sentence."""
    mute = [kind.__name__ for kind in get_args(ev.Event) if kind not in SENTENCES]
    if mute:
        raise TypeError(f"events without words: {', '.join(mute)}")


_complete()

"""Reads offers in a fire sale, and bids on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, BidLot, OfferShare, OfferStation
from engine.notation import names
from engine.notation.forms import Form, Verb, fire_sales
from engine.notation.reading import CommandReader
from engine.notation.writing import written
from engine.position.frames import FireSale

if TYPE_CHECKING:
    from engine.position.table import Table

_AT = ("at", "for", "from", "@")


def offer(reader: CommandReader) -> Action:
    """``offer share``, ``offer station G5 for 40``."""
    if reader.title.facts.fire_sale is None:
        reader.unknown(f"There are no fire sales in {reader.title.name}", at=0)
    company = reader.company()
    reader.skip("a", "the", "its", "one", "redeemed", "treasury")
    if reader.take("share", "shares", "certificate"):
        reader.end()
        return OfferShare(by=reader.seat, company=company)
    reader.skip("station", "token", "in")
    stations = [hex_ for hex_, _ in reader.table.stations_of(company)]
    if not reader.word:
        every = ("offer share", *(f"offer station {hex_} for 40" for hex_ in stations))
        reader.incomplete("Offer what?", every)
    hex_ = reader.name(names.places(reader.title), "the place of the token").id
    reader.skip(*_AT)
    reader.skip("at", "least", "min", "minimum")
    price = reader.money("The price at which bids begin is missing", f"offer station {hex_} for 40")
    reader.end()
    return OfferStation(by=reader.seat, company=company, hex=hex_, price=price)


def is_on(reader: CommandReader) -> bool:
    """Whether bids are for a fire sale now."""
    return bool(reader.state.stack) and isinstance(reader.state.stack[-1], FireSale)


def bid(reader: CommandReader) -> Action:
    """``bid 45``, ``45``; for a token ``bid 60 for IC`` if several companies could buy it."""
    sale = reader.state.stack[-1]
    assert isinstance(sale, FireSale)
    reader.skip("at", "@")
    amount = reader.money("How much?", f"bid {sale.amount or sale.least}")
    buyer = reader.heading
    reader.heading_used = True
    if reader.take("for", "by", "with"):
        buyer = reader.name(names.companies(reader.title), "the company").id
    reader.end("for")
    if buyer or not sale.hex:
        return BidLot(by=reader.seat, amount=amount, buyer=buyer)
    mine = [c for c, seat in reader.state.presidents.items() if seat == reader.seat]
    return reader.one_of(
        [BidLot(by=reader.seat, amount=amount, buyer=company) for company in mine or ("",)],
        "For which company?",
    )


@written.register(OfferShare)
def _(action: OfferShare, table: Table) -> str:
    return "offer share"


@written.register(OfferStation)
def _(action: OfferStation, table: Table) -> str:
    return f"offer station {action.hex} for {action.price}"


@written.register(BidLot)
def _(action: BidLot, table: Table) -> str:
    return f"bid {action.amount}" + (f" for {action.buyer}" if action.buyer else "")


# the verbs, and how they are written

OFFER = Verb(
    "offer",
    ("auction",),
    offer,
    (
        Form(
            "offer share",
            "put a share of the treasury up for a fire sale, for a train that must be bought",
            "offer share",
            feature=fire_sales,
        ),
        Form(
            "offer station HEX for PRICE",
            "place a token up for it, from this price on",
            "offer station {city} for 40",
            feature=fire_sales,
        ),
    ),
)

"""What a sensible player does in parallel auctions, about falling prices, and with exchanges."""

from __future__ import annotations

from random import Random

from engine.actions import (
    Action,
    BidPrivate,
    BuyBack,
    LetFall,
    Protect,
    SwapPrivate,
    TakeBack,
)
from engine.play.protection import cost, open_blocks
from engine.position.frames import Protection
from engine.position.table import Table
from service.workshop.practice.choices import Choices
from service.workshop.practice.investing import STARTING_MONEY, Investor

#: of a hundred turns in which a player could redeem shares, the number in which they do
_REDEEMED = 10


def parallel_bid(offer: Choices, investor: Investor, random: Random) -> Action:
    """A bid on what is worth it and not one's own already, mostly; later on whatever is left."""
    table, seat = offer.table, offer.seat
    late = offer.state.round.number > 1
    bids = [
        action
        for action, low, _ in offer.ranges(BidPrivate)
        if not _leads(table, action)
        and low <= investor.limit(table, action.private)
        and (late or table.free_cash(seat) - low >= STARTING_MONEY)
    ]
    if bids and (late or random.random() < 0.8):
        return bids[0] if late else random.choice(bids)
    back = offer.of(TakeBack)
    return back[0] if back and random.random() < 0.5 else offer.ending


def _leads(table: Table, bid: BidPrivate) -> bool:
    own = table.set_aside(bid.private, bid.by)
    return bool(own) and own == max(b.amount for b in table.at.bids[bid.private])


def kept_price(offer: Choices) -> Action:
    """Keep the price of what earns, if enough money is left for another share."""
    assert isinstance(offer.frame, Protection)
    table, seat = offer.table, offer.seat
    block = open_blocks(table, offer.frame, seat)[0]
    keep = Protect(by=seat, which=block.company)
    earns = bool(offer.state.earned.get(block.company))
    left = offer.state.cash[seat] - cost(table, block)
    if earns and left >= table.price(block.company) and keep in offer.of(Protect):
        return keep
    return LetFall(by=seat, which=block.company)


def exchange(offer: Choices) -> Action:
    """The dearest share, once it is dearer than the private company was."""
    table = offer.table
    swaps = offer.of(SwapPrivate)
    best = max(swaps, key=lambda swap: table.price(swap.company), default=None)
    if best and table.price(best.company) >= table.title.privates[best.private].par:
        return best
    return offer.ending


def redemption(offer: Choices, random: Random) -> Action | None:
    """A share that the company can easily pay for, now and then."""
    for redeem in offer.of(BuyBack):
        price, cash = offer.table.price(redeem.company), offer.state.cash[redeem.company]
        if cash >= 5 * price and random.randrange(100) < _REDEEMED:
            return redeem
    return None

"""What a sensible player does about falling prices, and with exchanges."""

from __future__ import annotations

from engine.actions import Action, Protect, SwapPrivate
from engine.play.protection import cost, open_blocks
from engine.position.frames import Protection
from service.workshop.practice.choices import Choices


def kept_price(offer: Choices) -> Action:
    """Protect the price of a company that earns, if money for another share is left."""
    assert isinstance(offer.frame, Protection)
    table, seat = offer.table, offer.seat
    block = open_blocks(table, offer.frame, seat)[0]
    keep = Protect(by=seat, which=block.company)
    earns = bool(offer.state.earned.get(block.company))
    left = offer.state.cash[seat] - cost(table, block)
    if earns and left >= table.price(block.company) and keep in offer.of(Protect):
        return keep
    return offer.declining


def exchange(offer: Choices) -> Action:
    """The dearest share, once it costs more than the private company did."""
    table = offer.table
    swaps = offer.of(SwapPrivate)
    best = max(swaps, key=lambda swap: table.price(swap.company), default=None)
    if best and table.price(best.company) >= table.title.privates[best.private].par:
        return best
    return offer.ending

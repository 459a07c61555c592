"""Reading what players answer when they are asked, and what they insist on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Accept, Counter, Decline, Insist, LetFall, Protect, Withdraw
from engine.notation import names
from engine.notation.forms import protection
from engine.notation.reading import Reader
from engine.notation.stock import take_back
from engine.play.protection import ALL, open_blocks
from engine.position.frames import ParallelAuction, Protection

if TYPE_CHECKING:
    from engine.actions import Action

NO_PROTECTION = "{title} knows no price protection"


def accept(reader: Reader) -> Action:
    """``accept``."""
    reader.heading_used = True
    reader.skip("the", "offer", "sale")
    reader.end()
    return Accept(by=reader.seat)


def decline(reader: Reader) -> Action:
    """``decline``."""
    reader.heading_used = True
    reader.skip("the", "offer", "sale")
    reader.end()
    return Decline(by=reader.seat)


def counter(reader: Reader) -> Action:
    """``counter for 140``, ``counter 140``."""
    reader.heading_used = True
    reader.skip("the", "offer", "sale", "with", "at", "for")
    price = reader.money("which price?", "counter for 140")
    reader.end()
    return Counter(by=reader.seat, price=price)


def withdraw(reader: Reader) -> Action:
    """``withdraw`` a proposal; where bids can be taken back, it is one of these."""
    if isinstance(reader.state.stack[-1], ParallelAuction):
        return take_back(reader)
    reader.heading_used = True
    reader.skip("the", "my", "offer", "proposal")
    reader.end()
    return Withdraw(by=reader.seat)


def protect(reader: Reader) -> Action:
    """``protect``, ``protect IC``; ``protect all`` for all companies that one is asked about."""
    _known(reader)
    which = _protected(reader)
    reader.end()
    return Protect(by=reader.seat, which=which)


def let_fall(reader: Reader) -> Action:
    """``let fall``, ``let IC fall``, ``let fall IC``, ``let all fall``."""
    _known(reader)
    reader.skip("it", "them", "fall")
    which = _protected(reader)
    reader.skip("fall")
    reader.end("fall")
    return LetFall(by=reader.seat, which=which)


def _known(reader: Reader) -> None:
    if not protection(reader.title):
        reader.unknown(NO_PROTECTION.format(title=reader.title.name), at=0)


def _protected(reader: Reader) -> str:
    """Take a company, or what stands for all where there are several that are asked about."""
    reader.skip("the", "price", "prices", "of")
    named = not reader.take("all", "both") and bool(reader.word) and reader.low != "fall"
    if named:
        return reader.name(names.companies(reader.title), "the company").id
    top = reader.state.stack[-1] if reader.state.stack else None
    blocks = open_blocks(reader.table, top, reader.seat) if isinstance(top, Protection) else []
    return blocks[0].company if len(blocks) == 1 else ALL


def insist(reader: Reader) -> Action:
    """``insist on``, ``insist off``."""
    off = bool(reader.take("off", "no", "stop"))
    if not off:
        reader.take("on", "yes")
    reader.end("on", "off")
    return Insist(by=reader.seat, on=not off)

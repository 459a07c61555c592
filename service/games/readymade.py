"""Commands that only orders have: bids, fire sale bids and price protection up to a limit.

Waybill plays each as the command that its player would write at that moment, and judges it like any
other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import engine
from engine import Range, Seat, State, Title
from engine.actions import BidLot, BidPrivate
from engine.notation import names, parse
from engine.position.frames import FireSale, ParallelAuction, Protection
from engine.position.table import Table
from service.orders.hopeless import only_bought
from service.orders.special import BID, LATER, LOT, PROTECT


@dataclass(frozen=True)
class _At:
    """A position and the seat of the order."""

    title: Title
    state: State
    seat: Seat

    def company(self, text: str) -> str:
        """The company with that name; "" if there is none."""
        found = names.match(names.companies(self.title), text)
        return found[0].id if len(found) == 1 else ""


def is_moment(command: str, state: State) -> bool | None:
    """Whether a command that is only for one kind of decision fits this one.

    None if it is not bound to a kind.
    """
    top = state.stack[-1] if state.stack else None
    for pattern, frame in ((LOT, FireSale), (PROTECT, Protection)):
        if pattern.fullmatch(command):
            return isinstance(top, frame)
    return _swaps(state) if LATER.fullmatch(command) else None


def _swaps(state: State) -> bool:
    """Whether an owner is asked only about an exchange before an operating round."""
    return bool(state.stack) and state.stack[-1].__struct_config__.tag == "swap"


def played(title: Title, state: State, seat: Seat, command: str) -> str:
    """The command to play now; "" for none, the same command if it is an ordinary one.

    It plays nothing in three cases: the own bid is the highest, nothing within the limit is
    possible, or the position asks for another decision.
    """
    for pattern, play in _KINDS:
        if found := pattern.fullmatch(command):
            return play(_At(title, state, seat), found)
    return command


def _bid(at: _At, found: re.Match[str]) -> str:
    named, limit = names.match(names.privates(at.title), found["name"]), int(found["limit"])
    if len(named) != 1:
        return found[0]
    private, state = named[0].id, at.state
    for option in engine.options(at.title, state, at.seat):
        action = getattr(option, "action", None)
        if isinstance(action, BidPrivate) and action.private == private:
            least = option.low if isinstance(option, Range) else action.amount
            bids = state.bids.get(private, ())
            leads = bool(bids) and max(bids, key=lambda bid: bid.amount).seat == at.seat
            if least <= limit and not leads:
                return f"bid private {private} {least}"
    auctioned = getattr(state.stack[-1], "private", "") == private
    return "pass" if auctioned else ""


def why_nothing(title: Title, state: State, command: str) -> str:
    """The reason why a bid up to a limit can never play again; other players are no reason."""
    found = BID.fullmatch(command)
    named = names.match(names.privates(title), found["name"]) if found else []
    return only_bought(Table(title, state), named[0].id) if len(named) == 1 else ""


def _lot(at: _At, found: re.Match[str]) -> str:
    """The lowest bid in a fire sale, or a pass above the limit."""
    sale, share = at.state.stack[-1], found["what"].lower().startswith("share")
    company = at.company(found["name"])
    if not isinstance(sale, FireSale) or sale.company != company or bool(sale.percent) != share:
        return ""
    buyer = at.company(found["buyer"]) if found["buyer"] else ""
    for option in engine.options(at.title, at.state, at.seat):
        action = getattr(option, "action", None)
        if isinstance(action, BidLot) and buyer in ("", action.buyer):
            least = option.low if isinstance(option, Range) else action.amount
            if least <= int(found["limit"]):
                return f"bid {least}" + (f" for {action.buyer}" if action.buyer else "")
    return "pass"


def _protect(at: _At, found: re.Match[str]) -> str:
    """Buy the sold shares if they cost no more than the limit."""
    top, company = at.state.stack[-1], at.company(found["name"])
    if not isinstance(top, Protection) or not company:
        return ""
    table = Table(at.title, at.state)
    block = next((block for block in top.blocks if block.company == company), None)
    if block is None or table.value(company, block.percent, up=True) > int(found["limit"]):
        return ""
    command = f"protect {company}"
    action = parse(at.title, at.state, at.seat, command)
    return "" if engine.why_not(at.title, at.state, action) else command


def _later(at: _At, found: re.Match[str]) -> str:
    """The exchange, if an operating round is about to begin."""
    return found["command"] if _swaps(at.state) else ""


_KINDS: tuple[tuple[re.Pattern[str], Callable[[_At, re.Match[str]], str]], ...] = (
    (LOT, _lot), (BID, _bid), (PROTECT, _protect), (LATER, _later),
)  # fmt: skip


NOT_FOR_SALE = "the bank no longer sells {private}"


def is_over(title: Title, state: State, seat: Seat, command: str) -> str:
    """The reason why a bid up to a limit has nothing left to do; "" if it has.

    A player who has bid on the private company is asked again in its auction, and passes there.
    """
    found = BID.fullmatch(command)
    if not found or LOT.fullmatch(command):
        return ""
    named = names.match(names.privates(title), found["name"])
    if len(named) != 1 or named[0].id in Table(title, state).unsold():
        return _passed(state, seat, named[0].id, int(found["limit"])) if len(named) == 1 else ""
    return NOT_FOR_SALE.format(private=named[0].id)


HAS_BID = "{name} has bid ${high} on {private}"


def _passed(state: State, seat: Seat, private: str, limit: int) -> str:
    """The reason why no bid on a private company is possible any more; "" if one is."""
    bids = state.bids.get(private, ())
    high = max(bids, key=lambda bid: bid.amount, default=None)
    if high is None or high.seat == seat or high.amount < limit:
        return ""
    parallel = any(isinstance(frame, ParallelAuction) for frame in state.stack)
    auctioned = any(getattr(frame, "private", "") == private for frame in state.stack)
    if auctioned or (not parallel and any(bid.seat == seat for bid in bids)):
        return ""
    return HAS_BID.format(name=high.seat, high=high.amount, private=private)

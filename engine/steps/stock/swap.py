"""A private company that its owner exchanges for a share (18MW Lacrosse and Milwaukee)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, SwapPrivate
from engine.events import PrivateSwapped
from engine.facts.powers import SwapPower
from engine.options import Choice, Option
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import StockTurn, Swap
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, PrivateId, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts, Step


def swaps(table: Table, seat: Seat) -> Iterator[SwapPrivate]:
    """Every share that a player could ask for, for each such private company of theirs."""
    for private in table.privates_of(seat):
        if isinstance(table.title.privates[private].power, SwapPower):
            for company in table.at.pars:
                for source in (OFFERING, MARKET, company):
                    yield SwapPrivate(by=seat, private=private, company=company, source=source)


def could_swap(table: Table, seat: Seat) -> bool:
    """Whether the player can get some share, at whatever moment."""
    return any(_why_not_share(table, swap, 0) is None for swap in swaps(table, seat))


class Swapping(Acts):
    """Exchange in the owner's stock turn, between two turns, or before an operating round."""

    verbs = (SwapPrivate,)

    def why_not(self, table: Table, frame: Any, action: SwapPrivate) -> Refusal | None:  # noqa: ANN401
        """Require the owner, one of these moments, and a share that the owner may hold."""
        private, owner = action.private, table.at.privates[action.private]
        if not isinstance(table.title.privates[private].power, SwapPower):
            text = f"{private} is exchanged for no share"
            return table.refuse("private companies", "place", text)
        if owner != action.by:
            text = f"{private} belongs to {owner}, not to {action.by}"
            return table.refuse("swap", "place", text)
        if not _is_moment(frame, action.by):
            text = f"{private} is exchanged in its owner's turn of a stock round, between two turns"
            text += " of it, or when an operating round begins"
            return table.refuse("swap", "order", text, _when(frame))
        return _why_not_share(table, action, _pending(table, frame, action.company))

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """The private company closes, and the player gets the share; it is no purchase or move."""
        assert isinstance(action, SwapPrivate)
        if isinstance(frame, Swap):
            draft.pop()
        company, percent = action.company, draft.table.share(action.company)
        draft.record(PrivateSwapped(action.by, action.private, company, percent, action.source))
        draft.close_private(action.private)
        draft.move_certificate(company, action.source, action.by, percent)
        shares.settle_presidency(draft, company, shares.holdings(draft.table, company))
        shares.float_if_ready(draft, company)


SWAPPING = Swapping()


class SwapStep(Step[Swap]):
    """Before an operating round the owner exchanges the private company, or keeps it."""

    frame = Swap
    deciding = "an operating round begins; exchange the private company, or pass"
    verbs = (SwapPrivate,)
    passes = True

    def key(self, frame: Swap, now: Round) -> str:
        """Each operating round has one such decision."""
        return f"exchange of {frame.private}"

    def enter(self, draft: Draft, frame: Swap) -> None:
        """Ask nobody if there is no share to get."""
        if not could_swap(draft.table, frame.seat):
            draft.pop()

    def actors(self, table: Table, frame: Swap) -> tuple[Seat, ...]:
        """The owner."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: Swap) -> Iterator[Option]:
        """Every share."""
        for swap in swaps(table, frame.seat):
            yield Choice(swap)

    def why_not(self, table: Table, frame: Swap, action: Any) -> Refusal | None:  # noqa: ANN401
        """Refuse as at any other moment."""
        return SWAPPING.why_not(table, frame, action)

    def play(self, draft: Draft, frame: Swap, action: Action) -> None:
        """Exchange it, without revenue for the round (18MW R20)."""
        SWAPPING.play(draft, frame, action)


def _is_moment(frame: Any, seat: Seat) -> bool:  # noqa: ANN401
    """Whether it is the owner's turn, one in which nobody has acted, or a round's beginning."""
    if isinstance(frame, StockTurn):
        return frame.seat == seat or not (frame.bought or frame.sold)
    return isinstance(frame, Swap) and frame.seat == seat


def _when(frame: Any) -> str:  # noqa: ANN401
    if isinstance(frame, StockTurn):
        return f"The turn of {frame.seat} has begun; it can be done as soon as it is over."
    return ""


def _pending(table: Table, frame: Any, company: CompanyId) -> int:  # noqa: ANN401
    """Percent in single shares sold in the turn that presidents may still buy.

    They go to the open market when the turn ends (18MW R53).
    """
    blocks = frame.pending if isinstance(frame, StockTurn) else ()
    sold = sum(block.percent for block in blocks if block.company == company)
    return sold - sum(table.largest(company) for b in blocks if b.company == company and b.double)


def _why_not_share(table: Table, action: SwapPrivate, pending: int) -> Refusal | None:
    """Require one available ordinary share, within both limits (18MW R21)."""
    company, source, seat = action.company, action.source, action.by
    if company not in table.at.pars:
        text = f"{company} has no price, {action.private} brings a share of one that has"
        return table.refuse("swap", "place", text)
    share, held = table.share(company), table.percent(company, seat)
    need = shares.president_percent(table, company)
    if company not in table.at.presidents and held + share < need:
        text = f"Nobody presides over {company}: who takes a share must have {need}% of it then"
        return table.refuse("swap", "presidency", text)
    if not _is_there(table, company, source, pending):
        text = f"There is no share of {company} in the {_place(company, source)}"
        return table.refuse("swap", "place", text)
    most = table.player_limit(company)
    if held + share > most:
        text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
        return table.refuse("player limit", "limit", text)
    return _why_not_count(table, company, seat, action.private)


def _is_there(table: Table, company: CompanyId, source: Owner, pending: int) -> bool:
    if source not in (OFFERING, MARKET, company):
        return False
    size = table.share(company)
    there = sum(p for p in shares.ordinary(table, company, source) if p == size)
    return there - (pending if source == MARKET else 0) >= size


def _place(company: CompanyId, source: Owner) -> str:
    return f"treasury of {company}" if source == company else source


def _why_not_count(
    table: Table, company: CompanyId, seat: Seat, private: PrivateId
) -> Refusal | None:
    """Count the certificate limit without the private company, which makes room by closing."""
    less = 1 if table.title.facts.stock.privates_count else 0
    then, limit = table.certificates(seat) - less + 1, table.certificate_limit()
    if not table.counts(company) or then <= limit:
        return None
    text = f"{seat} would hold {then} certificates with the share for {private}"
    return table.refuse("certificate limit", "limit", f"{text}, the limit is {limit}")

"""What privates bring their owners by the way; they and their markers leave the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.events import BridgePaid, MarksGone, ShareGiven
from engine.facts.powers import BridgePower, MarkPower, SharePower, TerrainPower
from engine.position.values import BANK, CLOSED, OFFERING, Mark

if TYPE_CHECKING:
    from engine.position.draft import Draft


def marks_expire(draft: Draft, phase: str) -> None:
    """Markers leave in the phases that their power names: unplaced ones, then all."""

    def expired(mark: Mark) -> bool:
        power = draft.title.privates[mark.private].power
        if isinstance(power, TerrainPower):
            return power.removed_on == phase
        if not isinstance(power, MarkPower):
            return False
        return power.removed_on == phase or (power.lost_on == phase and not mark.hex)

    drop_marks(draft, expired)


def drop_marks(draft: Draft, gone: Callable[[Mark], bool]) -> None:
    """Markers and names leave the game, told company by company."""
    for company in dict.fromkeys(m.company for m in draft.marks if gone(m)):
        lost = tuple(m.kind for m in draft.marks if m.company == company and gone(m))
        draft.record(MarksGone(company, lost))
    draft.set_marks(tuple(m for m in draft.marks if not gone(m)))


def close_privates(draft: Draft) -> None:
    """All private companies leave the game."""
    for private, owner in draft.privates.items():
        if owner != CLOSED:
            draft.close_private(private)


def share_brought(draft: Draft, private: str, seat: str) -> None:
    """A share of the initial offering for the first owner of a private (18GA Table III)."""
    power = draft.title.privates[private].power
    if isinstance(power, SharePower):
        share = draft.table.share(power.company)
        draft.move_certificate(power.company, OFFERING, seat, share)
        draft.record(ShareGiven(seat, power.company, share, private))


def share_bridges(draft: Draft, cost: int) -> None:
    """The bank hands on what a private's owner gets of the cost of bridges (18MW Rock Island)."""
    for private, facts in draft.title.privates.items():
        owner = draft.privates[private]
        if isinstance(facts.power, BridgePower) and owner not in (OFFERING, CLOSED) and cost:
            amount = cost * facts.power.percent // 100
            draft.pay(BANK, owner, amount)
            draft.record(BridgePaid(private, owner, amount))

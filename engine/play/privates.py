"""What private companies bring to their owners by the way, and how they and their markers end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine.events import BridgePaid, MarksGone, PassagesPaid, PowerEnded, PowerKept, ShareGiven
from engine.facts.powers import (
    BridgePower,
    DoublePower,
    MarkPower,
    PassagePower,
    SharePower,
    TerrainPower,
)
from engine.position.values import BANK, CLOSED, OFFERING, Mark
from engine.runs.connections import keeper

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.position.draft import Draft
    from engine.position.values import Owner, PrivateId


def marks_expire(draft: Draft, phase: str) -> None:
    """Remove markers in the phases that their power names: first unplaced ones, then all."""

    def expired(mark: Mark) -> bool:
        power = draft.title.privates[mark.private].power
        if isinstance(power, TerrainPower):
            return power.removed_on == phase
        if not isinstance(power, MarkPower):
            return False
        return power.removed_on == phase or (power.lost_on == phase and not mark.hex)

    drop_marks(draft, expired)


def drop_marks(draft: Draft, gone: Callable[[Mark], bool]) -> None:
    """Remove markers and names from the game, with one event per company."""
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
    """Give a private company's first owner a share from the IPO (18GA Table III)."""
    power = draft.title.privates[private].power
    if isinstance(power, SharePower):
        share = draft.table.share(power.company)
        draft.move_certificate(power.company, OFFERING, seat, share)
        draft.record(ShareGiven(seat, power.company, share, private))


def close_with_heirs(draft: Draft) -> None:
    """Close all private companies; lasting benefits of some stay with their owners."""
    for private, facts in draft.title.privates.items():
        owner = draft.privates[private]
        if not isinstance(facts.power, PassagePower | DoublePower):
            continue
        lasts = owner not in (OFFERING, CLOSED) and not draft.table.begun(facts.power.until)
        companies_only = isinstance(facts.power, DoublePower) and owner in draft.seats
        if lasts and not companies_only:
            draft.inherit(private, owner)
            draft.record(PowerKept(private, owner))
    close_privates(draft)


def end_inheritance(draft: Draft, owner: Owner) -> None:
    """End the lasting benefits that an owner has from closed private companies (18MW R47)."""
    for private, heir in draft.heirs.items():
        if heir == owner:
            draft.inherit(private, CLOSED)
            draft.record(PowerEnded(private, owner))


def note_passages(draft: Draft, runs: Sequence[TrainRun]) -> None:
    """Count the runs to a place for which a private company's owner is paid (18MW R19)."""
    for private, facts in draft.title.privates.items():
        power = facts.power
        if not isinstance(power, PassagePower) or draft.table.begun(power.until):
            continue
        owner = keeper(draft.table, private)
        times = sum(power.hex in run.path and power.hex not in run.past for run in runs)
        if times and owner not in (OFFERING, CLOSED):
            draft.note_passages(private, owner, times * power.dollars)


def pay_passages(draft: Draft, passages: Sequence[tuple[PrivateId, Owner, int]]) -> None:
    """The bank pays each owner all they are due, at the end of a round; no one who has left."""
    due: dict[tuple[PrivateId, Owner], int] = {}
    for private, owner, dollars in passages:
        if owner not in draft.out and owner not in draft.gone:
            due[private, owner] = due.get((private, owner), 0) + dollars
    for (private, owner), dollars in due.items():
        draft.record(PassagesPaid(private, owner, dollars))
        draft.pay(BANK, owner, dollars)


def share_bridges(draft: Draft, cost: int) -> None:
    """Pay a private company's owner their part of the cost of bridges (18MW Rock Island)."""
    for private, facts in draft.title.privates.items() if cost else ():
        owner = draft.privates[private]
        if isinstance(facts.power, BridgePower) and owner not in (OFFERING, CLOSED):
            amount = cost * facts.power.percent // 100
            draft.pay(BANK, owner, amount)
            draft.record(BridgePaid(private, owner, amount))

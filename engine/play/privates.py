"""What privates bring their owners by the way; they and their markers leave the game."""

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


def close_with_heirs(draft: Draft) -> None:
    """All private companies leave the game; what outlives some stays with who owned them."""
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
    """What outlived privates of an owner ends with them (18MW R47)."""
    for private, heir in draft.heirs.items():
        if heir == owner:
            draft.inherit(private, CLOSED)
            draft.record(PowerEnded(private, owner))


def note_passages(draft: Draft, runs: Sequence[TrainRun]) -> None:
    """Count the runs that stop where a private has its owner paid for each (18MW R19)."""
    for private, facts in draft.title.privates.items():
        power = facts.power
        if not isinstance(power, PassagePower) or draft.table.begun(power.until):
            continue
        owner = keeper(draft.table, private)
        times = sum(power.hex in run.path and power.hex not in run.past for run in runs)
        if times and owner not in (OFFERING, CLOSED):
            draft.note_passages(private, owner, times * power.dollars)


def pay_passages(draft: Draft, passages: Sequence[tuple[PrivateId, Owner, int]]) -> None:
    """The bank pays at the end of a round, what each owner is due at once; none who has left."""
    due: dict[tuple[PrivateId, Owner], int] = {}
    for private, owner, dollars in passages:
        if owner not in draft.out and owner not in draft.gone:
            due[private, owner] = due.get((private, owner), 0) + dollars
    for (private, owner), dollars in due.items():
        draft.record(PassagesPaid(private, owner, dollars))
        draft.pay(BANK, owner, dollars)


def share_bridges(draft: Draft, cost: int) -> None:
    """The bank hands on what a private's owner gets of the cost of bridges (18MW Rock Island)."""
    for private, facts in draft.title.privates.items() if cost else ():
        owner = draft.privates[private]
        if isinstance(facts.power, BridgePower) and owner not in (OFFERING, CLOSED):
            amount = cost * facts.power.percent // 100
            draft.pay(BANK, owner, amount)
            draft.record(BridgePaid(private, owner, amount))

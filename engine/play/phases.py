"""The beginning of a phase: the purchase that starts it, what it ends and what it causes (1.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.events import PhaseBegan, SalvagePaid, TrainsObsolete
from engine.position.rules import rules_of
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Owner, TrainType

if TYPE_CHECKING:
    from engine.facts.facts import Phase
    from engine.position.draft import Draft


def begin_phases(draft: Draft, train: TrainType, buyer: CompanyId) -> None:
    """Begin the phase, if any, that starts with the first train of this type (1.2)."""
    count = draft.title.trains[train].count
    sold = max(1, count - draft.trains[OFFERING].count(train))
    for phase in draft.title.facts.phase:
        if phase.on == train and phase.nth <= sold and not draft.table.begun(phase.id):
            _begin(draft, phase, buyer)


def _begin(draft: Draft, phase: Phase, buyer: CompanyId) -> None:
    draft.begin_phase(phase.id)
    draft.record(PhaseBegan(phase.id))
    for kind in draft.title.facts.train:
        if kind.removed_on == phase.id:
            everyone = (*draft.title.companies, *draft.title.privates, MARKET, OFFERING)
            salvage(draft, kind.type, draft.remove_trains(kind.type, everyone))
        if kind.obsolete_on == phase.id:
            draft.record(TrainsObsolete(kind.type))
            keeps = draft.title.facts.operating.buyer_keeps_obsolete
            draft.remove_trains(kind.type, (MARKET,) if keeps else (buyer, MARKET))
    for event in phase.events:
        rules_of(draft.title).on_event[event](draft)
    rules_of(draft.title).on_phase(draft, phase.id)


def salvage(draft: Draft, train: TrainType, lost: Mapping[Owner, int]) -> None:
    """The bank pays companies for trains that a phase has taken from them."""
    value = draft.title.trains[train].salvage
    for owner, count in lost.items() if value else ():
        if owner in draft.title.companies:
            draft.record(SalvagePaid(owner, train, value * count))
            draft.pay(BANK, owner, value * count)

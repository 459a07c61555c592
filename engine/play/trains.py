"""Changes of trains, and private companies that close because of them (18GL 4.3(9), (12)).

This module knows no steps. Steps of purchases and discards, and phases, call it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.facts.powers import ExtendPower, FoundingPower
from engine.position.values import CLOSED, MARKET, CompanyId, TrainType

if TYPE_CHECKING:
    from engine.position.draft import Draft


def after_purchase(draft: Draft, company: CompanyId) -> None:
    """Close the private company that founded a company, once that has bought a train."""
    private = draft.title.founders.get(company)
    if private is None or draft.privates[private] == CLOSED:
        return
    power = draft.title.privates[private].power
    assert isinstance(power, FoundingPower)
    if power.closes == "first train":
        draft.close_private(private)


def after_rust(draft: Draft) -> None:
    """Close a private company that extended a train, once a phase has removed all such trains.

    If the train had been discarded before, that is the next phase.
    """
    owned = {train for company in draft.title.companies for train in draft.trains.get(company, ())}
    for private, facts in draft.title.privates.items():
        power = facts.power
        if (
            isinstance(power, ExtendPower)
            and private in draft.spent
            and draft.privates[private] != CLOSED
            and not owned & set(power.trains.values())
        ):
            draft.close_private(private)


def to_market(draft: Draft, company: CompanyId, train: TrainType) -> None:
    """Move a train to the open market, where an extended train has its old type again."""
    plain = draft.title.trains[train].extends
    if plain:
        draft.change_train(company, train, plain)
    draft.move_train(plain or train, company, MARKET)

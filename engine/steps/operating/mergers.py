"""Mergers into systems, in the train step of a corporation that needs one (18MW Merger)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, MergeInto
from engine.options import Choice, Option
from engine.play.systems import form_system
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn
from engine.track.network import reach


class Mergers(Acts):
    """The president of a corporation without a train may merge it with another."""

    verbs = (MergeInto,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every other company of the president, into every charter that is left."""
        yield from map(Choice, mergers(table, frame.company))

    def why_not(self, table: Table, frame: Any, action: MergeInto) -> Refusal | None:  # noqa: ANN401
        """Require the company whose turn it is, and a legal merger."""
        refusal = not_its_turn(table, frame, action.company) or why_not_merge(table, action)
        if refusal:
            return refusal
        for block in frame.pending:
            if block.company in (action.company, action.partner):
                text = f"{action.by} has sold shares of {block.company}, and its price has to fall"
                hint = "Sell on until there is enough for a train; then it has fallen."
                return table.refuse("merger", "order", f"{text} before it merges", hint)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Merge, and end the turn."""
        assert isinstance(action, MergeInto)
        form_system(draft, action.system, (action.company, action.partner))


def mergers(table: Table, company: CompanyId) -> Iterator[MergeInto]:
    """Mergers with every other company of its president, into every charter that is left."""
    facts, president = table.title.facts.systems, table.at.presidents.get(company)
    if facts is None or president is None:
        return
    for partner, other in table.at.presidents.items():
        for system in facts.companies:
            if partner != company and other == president and system not in table.at.formed:
                yield MergeInto(by=president, company=company, partner=partner, system=system)


def why_not_merge(table: Table, action: MergeInto) -> Refusal | None:
    """Refuse a merger by the first condition, in the rulebook's order, that does not hold."""
    refusal = _why_not_yet(table, action.company)
    refusal = refusal or _why_not_partner(table, action)
    return refusal or _why_not_connected(table, action) or _why_not_charter(table, action)


def _why_not_yet(table: Table, company: CompanyId) -> Refusal | None:
    """Refuse a corporation that has a train, or the money for one.

    A president who has taken a company over may merge it in any case (18MW Bankruptcy).
    """
    facts = table.title.facts.systems
    if facts is None:
        return table.refuse("turn order", "order", "No companies merge in this game")
    if not table.begun(facts.phase):
        text = f"Corporations merge from phase {facts.phase} on, this is phase {table.at.phase}"
        return table.refuse("merger", "phase", text)
    if table.is_system(company):
        return table.refuse("merger", "name", f"{company} is a system, corporations merge")
    if company not in table.at.presidents:
        text = f"{company} is in receivership, only a president may merge it"
        return table.refuse("merger", "presidency", text)
    if table.at.trains.get(company):
        text = f"{company} has a train, only a corporation without one starts a merger"
        return table.refuse("merger", "train", text)
    cheapest, cash = table.cheapest_bank_train(), table.at.cash[company]
    if cheapest and cheapest.price <= cash and company not in table.at.taken_over:
        text = f"{company} has {table.money(cash)} and can pay for a {cheapest.type} train itself"
        return table.refuse("merger", "money", text, f"`buy {cheapest.type}`.")
    return None


def _why_not_partner(table: Table, action: MergeInto) -> Refusal | None:
    """Refuse a partner that is not another corporation of the president."""
    company, partner, at = action.company, action.partner, table.at
    mine = [c for c, by in at.presidents.items() if by == action.by and c != company]
    others = [c for c in mine if not table.is_system(c)]
    hint = f"`merge {company} with {others[0]}`." if others else ""
    if partner == company or partner not in table.title.companies:
        text = f"{company} merges with another corporation"
        return table.refuse("merger", "name", text, hint)
    if table.is_system(partner):
        text = f"{partner} is a system, systems do not merge"
        return table.refuse("merger", "name", text, hint)
    if partner not in mine:
        text = f"{action.by} is not president of {partner}"
        return table.refuse("merger", "presidency", text, hint)
    return None


def _why_not_connected(table: Table, action: MergeInto) -> Refusal | None:
    """Refuse two companies whose tokens no route without a blocking token joins."""
    company, partner = action.company, action.partner
    if reach(table, company).stops & set(table.stands_at(partner)):
        return None
    text = f"No open route joins a token of {company} to one of {partner}"
    return table.refuse("merger", "track", text)


def _why_not_charter(table: Table, action: MergeInto) -> Refusal | None:
    """Refuse a charter that is used already; any free charter will do for any merger."""
    facts = table.title.facts.systems
    assert facts is not None
    left = [system for system in facts.companies if system not in table.at.formed]
    if action.system in left:
        return None
    if not left:
        text = f"All {len(facts.companies)} systems have formed"
        return table.refuse("system charter", "supply", text)
    formed = action.system in facts.companies
    text = f"{action.system} {'has formed before' if formed else 'is not a system'}"
    return table.refuse("system charter", "name", text, f"Left: {', '.join(left)}.")

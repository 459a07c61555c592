"""Corrections of loans, bonds and marks: what is wrong with them, and how they are carried out.

Money, prices and interest are separate parts. A loan that was never taken needs its count, its
dollars and the price corrected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.correcting.places import no
from engine.play import debt
from engine.position.values import MARKET, REMOVED, Mark

if TYPE_CHECKING:
    from engine.corrections import BondsMoved, LoansPut, MarkPut
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.refusal import Refusal


NO_LOANS = "nobody takes loans in {title}"
MOST_LOANS = "a company owes {limit} loans at most, not {count}"
OWES_ALREADY = "{company} owes {count} loans already"


def why_not_loans(table: Table, part: LoansPut) -> Refusal | None:
    """Refuse more loans than a company may owe, or a company that does not operate."""
    facts, company = table.title.facts.loans, part.company
    if facts is None:
        return no(NO_LOANS.format(title=table.title.name))
    if company not in table.at.floated or company in table.at.gone:
        return no(f"{company} does not operate, so it owes nothing")
    if not 0 <= part.count <= facts.limit:
        return no(MOST_LOANS.format(limit=facts.limit, count=part.count))
    if debt.owes(table, company) == part.count:
        return no(OWES_ALREADY.format(company=company, count=part.count))
    return None


def put_loans(draft: Draft, part: LoansPut) -> None:
    """Set the number of loans."""
    draft.set_loans(part.company, part.count)


NO_BONDS = "there are no bonds in {title}"
NO_BONDS_YET = "{company} has no bonds yet"
NO_OWNER = "{owner} cannot have bonds"
LESS_BONDS = "{giver} has {own} bonds, not {count}"


def why_not_bonds(table: Table, part: BondsMoved) -> Refusal | None:
    """Require existing bonds, between owners who may have some."""
    facts = table.title.facts.bonds
    if facts is None:
        return no(NO_BONDS.format(title=table.title.name))
    if not table.at.bonds:
        return no(NO_BONDS_YET.format(company=facts.company))
    for owner in (part.giver, part.taker):
        if owner not in (facts.company, MARKET, REMOVED, *table.at.seats):
            return no(NO_OWNER.format(owner=owner))
        if owner in table.at.out:
            return no(f"{owner} has left the game")
    if part.giver == part.taker or part.count <= 0:
        return no("that moves no bonds")
    own = table.at.bonds.get(part.giver, 0)
    if own < part.count:
        return no(LESS_BONDS.format(giver=part.giver, own=own, count=part.count))
    return None


def move_bonds(draft: Draft, part: BondsMoved) -> None:
    """Move the bonds."""
    draft.move_bonds(part.giver, part.taker, part.count)


def mark_of(table: Table, part: MarkPut) -> Mark | None:
    """The mark that is meant; None if there is no such mark."""
    found = (m for m in table.at.marks if (m.private, m.kind) == (part.private, part.mark))
    return next(found, None)


NOWHERE = "{mark} of {private} is with no company"
THERE_ALREADY = "{mark} is there already"
GOES_TO = "{mark} goes to {places}"


def why_not_mark(table: Table, part: MarkPut) -> Refusal | None:
    """Require a mark in play, and a company that operates, one of its hexes, or its removal."""
    now = mark_of(table, part)
    if now is None:
        text = NOWHERE.format(mark=part.mark, private=part.private)
        return no(text, "Go back to a position in which it was: rollback NUMBER.")
    if not part.company:
        return None
    if part.company not in table.at.floated or part.company in table.at.gone:
        return no(f"{part.company} does not operate")
    if (now.company, now.hex, now.train) == (part.company, part.hex, ""):
        return no(THERE_ALREADY.format(mark=part.mark))
    if not part.hex:
        return None
    icons = [hex_ for hex_, facts in table.title.hexes.items() if part.mark in facts.icons]
    if part.hex in icons:
        return None
    if not icons:
        return no(f"{part.mark} lies on no hex")
    return no(GOES_TO.format(mark=part.mark, places=", ".join(map(table.place, icons))))


def put_mark(draft: Draft, part: MarkPut) -> None:
    """Move the mark there without a train's name, or remove it."""
    now = mark_of(draft.table, part)
    new = (Mark(part.mark, part.company, part.private, part.hex),) if part.company else ()
    draft.set_marks((*(m for m in draft.marks if m != now), *new))

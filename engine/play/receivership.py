"""Companies without a president: the players who run them, and the trains the bank lends them.

`engine.play.shares` decides who takes such a company over (18MW Bankruptcy).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import ReceiverNamed

if TYPE_CHECKING:
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.position.values import CompanyId, Seat


def next_receiver(table: Table) -> Seat:
    """The player who runs the next company:

    after the latest receiver, or with the priority deal.
    """
    order = table.at.receiverships
    return table.after(table.at.receivers[order[-1]]) if order else table.at.priority


def appoint(draft: Draft, company: CompanyId) -> None:
    """Put a company into receivership."""
    seat = next_receiver(draft.table)
    draft.appoint(company, seat)
    draft.record(ReceiverNamed(company, seat))


def pass_on(draft: Draft, seat: Seat) -> None:
    """Pass the companies that an eliminated player ran to the next player on the left."""
    for company in draft.receiverships:
        if draft.receivers[company] == seat:
            after = draft.table.after(seat)
            draft.appoint(company, after)
            draft.record(ReceiverNamed(company, after))


def lend_train(draft: Draft, company: CompanyId) -> None:
    """The bank lends a train to a company in receivership that has none when its turn begins."""
    facts = draft.title.facts.receivership
    if facts and company in draft.receivers and not draft.trains.get(company):
        draft.borrow(company, facts.train)


def must_retain(table: Table, company: CompanyId) -> bool:
    """Whether it must keep the earnings of a borrowed train: it cannot pay for the cheapest one."""
    if company not in table.at.borrowing:
        return False
    cheapest = table.cheapest_bank_train()
    return cheapest is not None and table.at.cash[company] < cheapest.price

"""Debt of companies: loans, bonds of one company, and interest on both (18GL 4.6.4, 4.7, 4.8).

This module knows no steps. The steps decide who must pay for what, and when.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.events import BondsIssued, InterestPaid, LoanTaken
from engine.position.values import BANK, MARKET, CompanyId, Owner

if TYPE_CHECKING:
    from engine.position.draft import Draft
    from engine.position.table import Table

#: the two kinds of debt with interest, in the order of a turn
LOANS = "loans"
BONDS = "bonds"


def owes(table: Table, company: CompanyId) -> int:
    """The number of loans that a company has not repaid."""
    return table.at.loans.get(company, 0)


def own_bonds(table: Table, company: CompanyId) -> int:
    """Bonds in the treasury of the company that issues bonds; 0 for any other company."""
    facts = table.title.facts.bonds
    return table.at.bonds.get(company, 0) if facts and facts.company == company else 0


def outstanding(table: Table, company: CompanyId) -> dict[Owner, int]:
    """Bonds of a company outside its treasury, by owner."""
    facts = table.title.facts.bonds
    if facts is None or facts.company != company:
        return {}
    return {who: count for who, count in table.at.bonds.items() if count and who != company}


def funds(table: Table, company: CompanyId) -> int:
    """Dollars of a treasury for a train that must be bought: its bonds count as cash (4.7.4)."""
    bonds = table.title.facts.bonds
    return table.at.cash[company] + (own_bonds(table, company) * bonds.value if bonds else 0)


def credit(table: Table, company: CompanyId) -> int:
    """Dollars that a company can still raise by bonds and loans when it must pay."""
    bonds, loans = table.title.facts.bonds, table.title.facts.loans
    by_bonds = own_bonds(table, company) * bonds.value if bonds else 0
    by_loans = (loans.limit - owes(table, company)) * loans.value if loans else 0
    return by_bonds + max(by_loans, 0)


def price_in_debt(table: Table, company: CompanyId) -> int:
    """Dollars for a share after the company has taken all the loans it may."""
    loans, cell = table.title.facts.loans, table.cell(company)
    assert cell is not None
    for _ in range(loans.limit - owes(table, company) if loans else 0):
        cell = table.title.chart.left(cell)
    return table.title.chart.price(cell)


def borrow(draft: Draft, company: CompanyId, missing: int) -> None:
    """Raise the missing money by bonds, then by loans, and no more of them than needed (4.7.2).

    Each loan moves the price one space left. If both are not enough, the rest remains missing.
    """
    bonds, loans = draft.title.facts.bonds, draft.title.facts.loans
    if bonds and (there := own_bonds(draft.table, company)):
        count = min(there, _times(missing, bonds.value))
        missing -= count * bonds.value
        _issue(draft, company, count, bonds.value)
    if loans and missing > 0:
        room = loans.limit - owes(draft.table, company)
        _take(draft, company, min(room, _times(missing, loans.value)), loans.value)


def _times(amount: int, value: int) -> int:
    """The number of ``value`` that covers an amount."""
    return max(0, -(-amount // value))


def _issue(draft: Draft, company: CompanyId, count: int, value: int) -> None:
    if count:
        draft.record(BondsIssued(company, count, count * value))
        draft.move_bonds(company, MARKET, count)
        draft.pay(BANK, company, count * value)


def _take(draft: Draft, company: CompanyId, count: int, value: int) -> None:
    if count <= 0:
        return
    owed = owes(draft.table, company) + count
    draft.set_loans(company, owed)
    draft.record(LoanTaken(company, count, count * value, owed))
    draft.pay(BANK, company, count * value)
    for _ in range(count):
        cell = draft.table.cell(company)
        assert cell is not None
        draft.move_price(company, draft.title.chart.left(cell))


class InterestDue(NamedTuple):
    """The interest due before any payment, in dollars."""

    amount: int
    #: the part that the earnings pay
    earnings: int
    #: the parts that players receive
    owners: dict[Owner, int]


def interest(table: Table, company: CompanyId, on: str) -> InterestDue:
    """Interest that a company owes on its loans or on its bonds (4.6.4, 4.6.5).

    The treasury pays all of it if it can. If not, the earnings pay, down to zero, and the treasury
    pays the rest.
    """
    loans, bonds = table.title.facts.loans, table.title.facts.bonds
    amount, owners = 0, {}
    if on == LOANS and loans:
        amount = owes(table, company) * loans.interest
    elif on == BONDS and bonds:
        out = {who: count * bonds.interest for who, count in outstanding(table, company).items()}
        amount = sum(out.values())
        owners = {who: dollars for who, dollars in out.items() if table.is_player(who)}
    short = amount > table.at.cash[company]
    return InterestDue(amount, min(amount, table.at.earned.get(company, 0)) if short else 0, owners)


def pay_interest(draft: Draft, company: CompanyId, on: str, due: InterestDue) -> None:
    """Pay the interest due, part of it from the earnings; the treasury must have the rest.

    Interest on loans goes to the bank. Interest on bonds goes to their holders, for the open market
    to the bank.
    """
    draft.record(InterestPaid(company, on, due.amount, due.amount - due.earnings, due.earnings))
    draft.pay(company, BANK, due.amount - due.earnings)
    if due.earnings:
        draft.set_earned(company, draft.earned[company] - due.earnings)
    for owner, amount in due.owners.items():
        draft.pay(BANK, owner, amount)

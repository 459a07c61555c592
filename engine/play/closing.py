"""Companies that leave the game without compensation, for example because of their price."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.events import CompanyClosed
from engine.play.privates import drop_marks, end_inheritance
from engine.play.trains import to_market
from engine.position.values import BANK, CLOSED, REMOVED, CompanyId, Owner
from engine.runs.connections import pass_token

if TYPE_CHECKING:
    from engine.board.market import Cell
    from engine.position.draft import Draft
    from engine.position.table import Table


def close(draft: Draft, company: CompanyId, money_to: Owner = BANK) -> None:
    """A company leaves the game without compensation; its trains go to the open market."""
    draft.record(CompanyClosed(company))
    draft.give_back(company)
    for train in draft.trains.get(company, ()):
        to_market(draft, company, train)
    draft.pay(company, money_to, draft.cash[company])
    if draft.loans.get(company):
        draft.set_loans(company, 0)
    if draft.bonds.get(company):
        draft.move_bonds(company, REMOVED, draft.bonds[company])
    for private in draft.table.privates_of(company):
        draft.close_private(private)
    end_inheritance(draft, company)
    drop_marks(draft, lambda mark: mark.company == company)
    for ferry, owner in draft.ferries.items():
        if owner == company:
            draft.open_ferry(ferry, BANK)
    pass_token(draft, company, CLOSED)
    draft.drop_company(company)


def closes_at(table: Table, cell: Cell) -> bool:
    """Whether a company closes when its price comes to a space (18MW Closed Zone)."""
    kinds = table.title.chart.kinds(cell)
    return any(zone in kinds for zone in table.title.facts.market.closing_zones)


def settle_price(draft: Draft, company: CompanyId, cell: Cell) -> None:
    """Move a price; in a closing zone its company closes at once (18MW Closed Zone).

    The company's money leaves the game with it. If it is the company's operating turn, the turn is
    over: all its frames are then gone from the stack.
    """
    draft.move_price(company, cell)
    if closes_at(draft.table, cell):
        close(draft, company, REMOVED)
        draft.drop_frames(company)

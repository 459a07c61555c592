"""Whether a company must buy a train, and what money is missing (4.2.5.2); knows no way to it."""

from engine.network import has_route
from engine.table import Table
from engine.values import CompanyId


def must_buy(table: Table, company: CompanyId) -> bool:
    """Whether the company has a legal run, no train, and the bank has one to sell (4.2.5.2)."""
    return (
        not table.at.trains.get(company) and bool(table.bank_trains()) and has_route(table, company)
    )


def shortfall(table: Table, company: CompanyId) -> int:
    """Dollars that company and president lack for the cheapest train of the bank."""
    cheapest = table.cheapest_bank_train()
    assert cheapest is not None
    president = table.at.presidents[company]
    return cheapest.price - table.at.cash[company] - table.at.cash[president]

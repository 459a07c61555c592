"""What a player could think of buying in a stock turn; judges only who may start what."""

from collections.abc import Iterator

from engine.actions import BuyShare, Par
from engine.options import Choice, Option
from engine.play import shares
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Seat
from engine.refusal import Refusal
from engine.steps.stock.private_sale import par_values
from engine.steps.stock.several import several


def purchases(table: Table, seat: Seat, company: CompanyId) -> Iterator[Option]:
    """Ways to start a company, or to buy of it where there is something of it."""
    if company not in table.at.pars:
        if why_not_startable(table, company) is None:
            percent, cash = shares.president_percent(table, company), table.at.cash[seat]
            for price in par_values(table):
                if table.part(company, price, percent) <= cash:
                    yield Choice(Par(by=seat, company=company, price=price))
        return
    for source in (OFFERING, MARKET, company):
        if not table.at.shares[company].get(source):
            continue
        yield Choice(BuyShare(by=seat, company=company, source=source))
        if table.is_system(company):
            yield Choice(BuyShare(by=seat, company=company, source=source, double=True))
        if source == MARKET and shares.sells_several(table, company):
            yield from several(table, seat, company)
        if shares.acts_only(table, company):
            yield Choice(BuyShare(by=seat, company=company, source=source, president=True))


def why_not_startable(table: Table, company: CompanyId) -> Refusal | None:
    """Companies that players do not start: those of mergers, and those that have left the game."""
    if company in table.at.gone:
        return table.refuse("company gone", "place", f"{company} has left the game")
    if table.title.companies[company].merger:
        text = f"{company} has no shares before it forms, nobody starts it"
        return table.refuse("merger company", "place", text)
    return None

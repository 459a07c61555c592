"""Several shares from the open market as one purchase of a turn (18MW Brown Zone)."""

from collections.abc import Iterator

from engine.actions import BuyShare
from engine.options import Choice, Option
from engine.play import shares
from engine.position.table import Table
from engine.position.values import MARKET, CompanyId, Seat
from engine.refusal import Refusal


def several(table: Table, seat: Seat, company: CompanyId) -> Iterator[Option]:
    """Purchases of more than one certificate from the open market."""
    singles = shares.ordinary(table, company, MARKET).count(table.share(company))
    for double in (False, True) if table.is_system(company) else (False,):
        for more in range(1, singles + double):
            buy = BuyShare(by=seat, company=company, source=MARKET, double=double, more=more)
            yield Choice(buy)
    if company in table.at.receivers:
        for more in range(1, singles + 1):
            buy = BuyShare(by=seat, company=company, source=MARKET, president=True, more=more)
            yield Choice(buy)


def why_not_several(table: Table, action: BuyShare) -> Refusal | None:
    """Allow several shares as one purchase in some zones of the chart (18MW Brown Zone)."""
    company, key = action.company, "several shares"
    zones = table.title.facts.stock.several_zones
    if not zones:
        text = "Certificates are bought one at a time"
        return table.refuse("one purchase", "order", text, f"`buy {company}`.")
    if not shares.sells_several(table, company):
        text = f"Several shares at once are bought of stock in the brown zone, {company} is not"
        return table.refuse(key, "limit", text, f"`buy {company}` buys one.")
    there = shares.ordinary(table, company, MARKET).count(table.share(company))
    count = action.more + (2 if action.double else 1)
    wanted = shares.block(table, company, MARKET, count, double=action.double)
    if action.president:
        wanted = (table.share(company),) * (action.more <= there)
    if action.source != MARKET or action.more < 1 or not wanted:
        text = f"Several shares at once come from the open market, which has {there} of {company}"
        return table.refuse(key, "place", text)
    return None

"""What may be started or bought in a stock turn: which companies, and from where (3.2)."""

from collections.abc import Iterator

from engine.actions import BuyShare, Par
from engine.options import Choice, Option
from engine.play import shares
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, Seat
from engine.refusal import Refusal
from engine.steps.stock.private_sale import par_values
from engine.steps.stock.several import several


def purchases(table: Table, seat: Seat, company: CompanyId) -> Iterator[Option]:
    """Ways to start a company, or to buy its certificates where there are some."""
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


def why_not_take_over(table: Table, seat: Seat, company: CompanyId, then: int) -> Refusal | None:
    """Require buyers in receivership to then hold as much as the president's certificate (18MW)."""
    need = shares.president_percent(table, company)
    if company not in table.at.receivers or then >= need:
        return None
    text = f"{company} is in receivership: who buys must have {need}% of it then, {seat} would "
    text += f"have {then}%"
    return table.refuse("receivership", "presidency", text, f"`buy president {company}`.")


def why_not_startable(table: Table, company: CompanyId) -> Refusal | None:
    """Refuse companies that players do not start: results of mergers, and those out of the game."""
    if company in table.at.gone:
        return table.refuse("company gone", "place", f"{company} has left the game")
    if table.title.companies[company].merger:
        text = f"{company} has no shares before it forms, nobody starts it"
        return table.refuse("merger company", "place", text)
    return None


def why_not_source(table: Table, action: BuyShare) -> Refusal | None:
    """Refuse a certificate that is not where the player wants to buy it (3.2(c)(2), (3))."""
    company, source = action.company, action.source
    places: tuple[Owner, ...] = (OFFERING, MARKET, company)
    if action.president and action.double:
        text = "One certificate is bought, the president's or the other double one"
        return table.refuse("one purchase", "order", text)

    def lies(place: Owner) -> bool:
        if action.president:
            held = table.at.shares[company].get(place, ())
            president = shares.president_percent(table, company)
            return president in held and shares.acts_only(table, company)
        size = table.share(company) * (1 + action.double)
        return size in shares.ordinary(table, company, place)

    if source in places and lies(source):
        return None
    there = [place for place in places if lies(place)]
    treasury = source == company and table.title.facts.stock.treasuries
    key = "share of the offering" if source == OFFERING else "share of the market"
    what = "double share" if action.double else "share"
    what = "president's certificate" if action.president else what
    where = f"treasury of {company}" if treasury else source
    text = f"There is no {what} of {company} in the {where}"
    word = "treasury" if company in there else "".join(there[:1]).rpartition(" ")[2]
    double = "double " * action.double
    hint = f"`buy {double}{company} {word}`." if there and not action.president else ""
    return table.refuse("share of the treasury" if treasury else key, "place", text, hint)

"""Purchases in a stock turn: which companies are started, what is bought, from where (3.2, 3.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, BuyShare, Par
from engine.events import ParSet
from engine.options import Choice, Option
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Owner, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts
from engine.steps.stock.private_sale import par_values, why_not_value
from engine.steps.stock.selling import must_sell
from engine.steps.stock.several import several, why_not_several
from engine.wording import halves


class Purchases(Acts):
    """Buy one certificate a turn, or start a company."""

    verbs = (BuyShare, Par)

    def why_not(self, table: Table, frame: StockTurn, action: Action) -> Refusal | None:
        """Refuse by 3.2(c) and 3.3."""
        if isinstance(action, Par):
            return _why_not_par(table, frame, action)
        assert isinstance(action, BuyShare)
        return _why_not_buy(table, frame, action)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Start the company, or buy the certificate."""
        use_purchase(draft, frame)
        if isinstance(action, Par):
            draft.record(ParSet(action.by, action.company, action.price))
            shares.found(draft, action.by, action.company, action.price)
        elif isinstance(action, BuyShare):
            shares.buy(draft, action)


def use_purchase(draft: Draft, frame: StockTurn) -> None:
    """Record that the one purchase of a turn is made."""
    over = frame.sold or draft.title.facts.stock.sales_first
    draft.replace(replace(frame, bought=True, sold_first=over))


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
    where = f"treasury of {company}" if treasury else "IPO" if source == OFFERING else source
    text = f"There is no {what} of {company} in the {where}"
    first = there[0] if there else ""
    word = "treasury" if company in there else "ipo" if first == OFFERING else "market"
    double = "double " * action.double
    hint = f"`buy {double}{company} {word}`." if there and not action.president else ""
    if hint and action.more and word != "market":
        hint = f"Several shares at once come from the open market only. {hint}"
    return table.refuse("share of the treasury" if treasury else key, "place", text, hint)


def _why_not_par(table: Table, frame: StockTurn, action: Par) -> Refusal | None:
    company = action.company
    if company in table.at.pars:
        par = table.at.pars[company]
        text = f"The president's certificate of {company} is sold, its par is {table.money(par)}"
        return table.refuse("president's purchase", "place", text, f"`buy {company}` buys a share.")
    if refusal := why_not_startable(table, company) or why_not_value(table, action):
        return refusal
    percent = shares.president_percent(table, company)
    cost = table.part(company, action.price, percent)
    return _why_not_purchase(table, frame, company, percent, cost)


def _why_not_buy(table: Table, frame: StockTurn, action: BuyShare) -> Refusal | None:
    company = action.company
    if company not in table.at.pars:
        if refusal := why_not_startable(table, company):
            return refusal
        text = f"{company} has not been started"
        hint = f"`par {company} {par_values(table)[0]}` starts it (or another par value)."
        return table.refuse("share of the offering", "place", text, hint)
    if refusal := why_not_source(table, action):
        return refusal
    if action.more and (refusal := why_not_several(table, action)):
        return refusal
    percent, price = shares.to_buy(table, action)
    return _why_not_purchase(table, frame, company, percent, price)


def _why_not_purchase(
    table: Table, frame: StockTurn, company: CompanyId, percent: int, price: int
) -> Refusal | None:
    """Refuse by the rules for every purchase of a certificate (3.2(c), 3.3)."""
    seat = frame.seat
    if refusal := why_not_second(table, frame):
        return refusal
    if company in table.at.sold.get(seat, ()):
        text = f"{seat} sold {company} in this stock round and cannot buy it back in it"
        return table.refuse("bought after sold", "order", text)
    held = table.percent(company, seat)
    if refusal := why_not_take_over(table, seat, company, held + percent):
        return refusal
    most = table.player_limit(company)
    if held + percent > most:
        text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
        return table.refuse("player limit", "limit", text)
    if refusal := why_not_pay(table, frame, price) or why_not_yet(table, frame):
        return refusal
    limit, own = table.certificate_limit(), table.certificates(seat)
    more = table.halves(company, (percent,)) / 2
    if table.counts(company) and own + more > limit:
        text = f"{seat} holds {halves(own)} certificates, the limit is {limit}"
        return table.refuse("certificate limit", "limit", text, "Sell one first.")
    return None


def why_not_second(table: Table, frame: StockTurn) -> Refusal | None:
    """Refuse a second purchase in the same turn (3.2)."""
    if not frame.bought:
        return None
    text = f"{frame.seat} has made the one purchase of this turn"
    return table.refuse("one purchase", "order", text, "`done` ends the turn.")


def why_not_pay(table: Table, frame: StockTurn, price: int) -> Refusal | None:
    """Refuse a price in dollars that the player does not have."""
    cash = table.at.cash[frame.seat]
    if price <= cash:
        return None
    text = f"It costs {table.money(price)}, {frame.seat} has {table.money(cash)}"
    return table.refuse("purchase", "money", text)


def why_not_yet(table: Table, frame: StockTurn) -> Refusal | None:
    """Require sales down to a limit before a purchase that no sale can follow."""
    stock = table.title.facts.stock
    last = stock.sales_first or (frame.sold and not stock.sales_around)
    return must_sell(table, frame) if last else None

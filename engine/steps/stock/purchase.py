"""Purchases in a stock turn: which companies are started, what is bought, from where (3.2, 3.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, BuyShare, Par
from engine.events import ParSet, ShareBought
from engine.facts.powers import FoundingPower
from engine.options import Choice, Option
from engine.play import shares
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import Founding, StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Owner, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts, Step
from engine.steps.stock.selling import must_sell
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
            _buy(draft, action)


def _buy(draft: Draft, purchase: BuyShare) -> None:
    """Buy from the IPO, the open market or a treasury, which gets the money."""
    seat, company, source = purchase.by, purchase.company, purchase.source
    table, share, more = draft.table, draft.table.share(company), purchase.more
    percent, price = to_buy(table, purchase)
    draft.pay(seat, company if source == company else BANK, price)
    for size in (percent - more * share, *(share,) * more):
        draft.move_certificate(company, source, seat, size)
    draft.record(ShareBought(seat, company, percent, source, price))
    shares.settle_presidency(draft, company, shares.holdings(table, company))
    shares.float_if_ready(draft, company)


def to_buy(table: Table, purchase: BuyShare) -> tuple[int, int]:
    """Percent and cost in dollars of a purchase."""
    company, source = purchase.company, purchase.source
    share = table.share(company)
    percent = share * (1 + purchase.double)
    if purchase.president:
        percent = shares.president_percent(table, company)
    percent += purchase.more * share
    return percent, table.part(company, shares.cost(table, company, source), percent, up=True)


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
            yield from _several(table, seat, company)
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


def _several(table: Table, seat: Seat, company: CompanyId) -> Iterator[Option]:
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
    if refusal := why_not_startable(table, company) or _why_not_value(table, action):
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
    if action.more and (refusal := _why_not_several(table, action)):
        return refusal
    percent, price = to_buy(table, action)
    return _why_not_purchase(table, frame, company, percent, price)


def _why_not_several(table: Table, action: BuyShare) -> Refusal | None:
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
    return table.refuse("one purchase", "purchase", text, "`done` ends the turn.")


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


class FoundingStep(Step[Founding]):
    """The buyer of a private company with a president's certificate sets the par (Table III)."""

    frame = Founding
    deciding = "a private company brings a president's certificate; set the par value"
    verbs = (Par,)

    def key(self, frame: Founding, now: Round) -> str:
        """Each company that is founded is a decision of its own."""
        return encode(frame).decode()

    def actors(self, table: Table, frame: Founding) -> tuple[Seat, ...]:
        """The buyer."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: Founding) -> Iterator[Option]:
        """Every par value."""
        for price in par_values(table):
            yield Choice(Par(by=frame.seat, company=frame.founds, price=price))

    def must(self, table: Table, frame: Founding) -> Refusal | None:
        """The par value comes before anything else."""
        text = f"{frame.seat} sets the par value of {frame.founds} first"
        hint = f"`par {frame.founds} {par_values(table)[0]}`, or another value."
        return table.refuse("founding", "order", text, hint)

    def why_not(self, table: Table, frame: Founding, action: Par) -> Refusal | None:
        """The company of the private, at one of the par values."""
        if action.company != frame.founds:
            return self.must(table, frame)
        return _why_not_value(table, action)

    def play(self, draft: Draft, frame: Founding, action: Action) -> None:
        """Found the company; the private company may close with that."""
        assert isinstance(action, Par)
        draft.pop()
        draft.record(ParSet(action.by, action.company, action.price))
        shares.found(draft, action.by, action.company, action.price, paid=True)
        power = draft.title.privates[frame.private].power
        if isinstance(power, FoundingPower) and power.closes == "at once":
            draft.close_private(frame.private)


def par_values(table: Table) -> list[int]:
    """The par values that may be set now, lowest first; some come with later phases."""
    return table.recall("par values", lambda: _par_values(table), (table.at.phase,))


def _par_values(table: Table) -> list[int]:
    later = table.title.facts.market.par_from
    return sorted(
        price
        for price in table.title.chart.pars
        if str(price) not in later or table.begun(later[str(price)])
    )


def _why_not_value(table: Table, action: Par) -> Refusal | None:
    """Refuse values that the chart does not mark as par values of this phase (3.2(c)(1))."""
    pars = par_values(table)
    if action.price in pars:
        return None
    text = f"{table.money(action.price)} is not a par value"
    if action.price in table.title.chart.pars:
        phase = table.title.facts.market.par_from[str(action.price)]
        text += f" before phase {phase}"
    hint = f"Choose {', '.join(f'{table.money(p)}' for p in pars[:-1])} or {table.money(pars[-1])}."
    return table.refuse("par", "amount", text, hint)

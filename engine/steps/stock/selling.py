"""Sales of shares, in a stock turn or to raise money, and the duty to sell (3.2(a), 3.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, SellShares
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import MARKET, CompanyId, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts
from engine.wording import halves

MUST_SELL = "{player} holds more than {most}% of {company} and must sell"


class Sales(Acts):
    """Sell any number of shares; in some titles all shares of a company as one block."""

    verbs = (SellShares,)

    def why_not(self, table: Table, frame: StockTurn, action: SellShares) -> Refusal | None:
        """Refuse by 3.2(a), and what the order of a turn leaves no room for."""
        if table.title.facts.stock.no_sale_in_first_round and table.at.round.number == 1:
            text = "Nothing is sold to the bank in the first stock round"
            return table.refuse("first round", "order", text)
        if refusal := why_sales_are_over(table, frame):
            return refusal
        if action.company in frame.blocks:
            text = f"Shares of {action.company} were sold in this turn, all of them go as one block"
            return table.refuse("one block", "order", text)
        company, count = action.company, action.shares
        refusal = why_not_sell(table, action.by, company, count, double=action.double)
        return refusal or why_not_block(table, frame, company, count)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Sell a block; where presidents protect prices, the price falls only after the turn."""
        assert isinstance(action, SellShares)
        stock = draft.title.facts.stock
        falls = not stock.protection
        by, company = action.by, action.company
        sold = shares.sell(draft, by, company, action.shares, double=action.double, falls=falls)
        once = stock.sales_first or stock.one_block
        blocks = (*frame.blocks, company) if once else ()
        pending = frame.pending if falls else (*frame.pending, sold)
        draft.replace(replace(frame, sold=True, blocks=blocks, pending=pending))


#: the rules of sales in a stock turn
SALES = Sales()


def must_sell(table: Table, frame: StockTurn) -> Refusal | None:
    """Require a player over a limit of 3.3 to sell while that is possible (3.3(b))."""
    seat = frame.seat
    if not is_over_limits(table, seat):
        return None
    sales = _least_sales(table, frame)
    for company, count in sales.items():
        most = table.holding_limit(company, seat)
        if table.percent(company, seat) > most:
            text = MUST_SELL.format(player=seat, most=most, company=company)
            return table.refuse("player limit", "limit", text, f"`sell {count} {company}`.")
    over = table.certificates(seat) - table.certificate_limit()
    # where sales come first, a player must sell even shares that do not count
    every = table.title.facts.stock.limits_first
    counted = [company for company in sales if every or table.counts(company)]
    if over <= 0 or not counted:
        return None
    text = f"{seat} is {halves(over)} over the certificate limit and must sell"
    hint = f"Shares to sell: {', '.join(counted)}."
    return table.refuse("certificate limit", "limit", text, hint)


def _least_sales(table: Table, frame: StockTurn) -> dict[CompanyId, int]:
    """Companies whose shares the player can sell now, and the fewest shares of each."""
    found: dict[CompanyId, int] = {}
    for company in table.title.companies:
        every = sales_of(table, frame.seat, company) if company in table.at.pars else ()
        for sale in every:
            if SALES.why_not(table, frame, sale) is None:
                found.setdefault(company, sale.shares)
    return found


def why_sales_are_over(table: Table, frame: StockTurn) -> Refusal | None:
    """Refuse a sale after the one purchase of a turn if others came before it (3.2)."""
    around = table.title.facts.stock.sales_around
    if around or not (frame.bought and frame.sold_first):
        return None
    text = "The one purchase comes before all sales or after all of them"
    if table.title.facts.stock.sales_first:
        text = "All sales of a turn come before its one purchase"
    return table.refuse("order of a stock turn", "order", text, "`done` ends the turn.")


# every sale, in a stock turn or to raise money


def sales_of(table: Table, seat: Seat, company: CompanyId) -> Iterator[SellShares]:
    """Every number of shares that a player could sell; for systems with and without the double
    share."""
    for count in range(1, table.percent(company, seat) // table.share(company) + 1):
        yield SellShares(by=seat, company=company, shares=count)
        if count > 1 and table.is_system(company):
            yield SellShares(by=seat, company=company, shares=count, double=True)


def why_not_sell(
    table: Table, seat: Seat, company: CompanyId, count: int, *, double: bool = False
) -> Refusal | None:
    """Refuse by the rules of 3.2(a) that apply to every sale of shares, forced ones too.

    ``double``: the double share certificate of a system is among the shares, and counts as two.
    """
    if company not in table.at.pars:
        text = f"{company} has no market value yet, nobody holds it"
        return table.refuse("sale", "place", text)
    if not has_operated(table, company):
        text = f"{company} has not operated yet, its shares cannot be sold"
        return table.refuse("not operated", "order", text)
    share = table.share(company)
    held = table.percent(company, seat)
    if count < 1 or count * share > held:
        text = f"{seat} holds {held // share} shares of {company}, {count} cannot be sold"
        return table.refuse("sale", "amount", text)
    there = table.percent(company, MARKET)
    room = table.title.facts.stock.market_limit - there
    if count * share > room:
        text = f"The open market may hold {there + max(room, 0)}% of {company} and has {there}%"
        hint = f"At most: `sell {room // share} {company}`." if room > 0 else ""
        return table.refuse("market limit", "limit", text, hint)
    if refusal := _why_not_keep_excess(table, seat, company, held - count * share):
        return refusal
    spare = count * share <= shares.ordinary_percent(table, company, seat)
    judge = _why_not_sell_last if spare else _why_not_sell_presidency
    refusal = judge(table, seat, company, held - count * share)
    return refusal or _why_not_part(table, seat, company, count, double=double)


def _why_not_part(
    table: Table, seat: Seat, company: CompanyId, count: int, *, double: bool
) -> Refusal | None:
    """Refuse a sale that would split a certificate (18MW Shares and Limits).

    A change of presidency comes first, with the shares that the new president gives in exchange.
    """
    if not table.is_system(company):
        if not double:
            return None
        text = f"{company} has no double share beside the president's certificate"
        hint = f"`sell {count} {company}`."
        return table.refuse("president's certificate", "amount", text, hint)
    draft, held = Draft(table.title, table.at), shares.holdings(table, company)
    held[seat] -= count * table.share(company)
    shares.settle_presidency(draft, company, held)
    if shares.block(draft.table, company, seat, count, double=double):
        return None
    wanted = f"{count} shares with the double one" if double else f"{count} single shares"
    text = f"{seat} has no {wanted} of {company} to sell"
    other = shares.block(draft.table, company, seat, count, double=not double)
    hint = f"`sell {count} {company}{'' if double else ' with double'}`." if other else ""
    return table.refuse("half shares", "amount", text, hint)


def has_operated(table: Table, company: CompanyId) -> bool:
    """Whether the company has operated, in titles that allow sales of its shares only then.

    No emergency is an exception, and neither is a company formed by a merger (18GL 4.5.1.2).
    """
    return not table.title.facts.stock.sale_needs_turn or bool(table.at.turns.get(company))


def _why_not_keep_excess(table: Table, seat: Seat, company: CompanyId, left: int) -> Refusal | None:
    """Refuse to keep some of the shares over the limit: a seller must sell all of them at once.

    This applies where presidents protect prices (18MW Share Price Protection, Procedure).
    """
    most, share = table.player_limit(company), table.share(company)
    if not table.title.facts.stock.protection or left <= most:
        return None
    text = f"{seat} would still hold {left}% of {company}, over the limit of {most}%"
    count = -(-(table.percent(company, seat) - most) // share)
    return table.refuse("excess", "limit", text, f"At least: `sell {count} {company}`.")


def _why_not_sell_last(table: Table, seat: Seat, company: CompanyId, left: int) -> Refusal | None:
    """Refuse a sale that leaves nobody who can be president (18GL 4.5.1.2)."""
    if left or company in table.at.receivers:
        return None
    if any(table.percent(company, other) for other in table.at.seats if other != seat):
        return None
    text = f"Nobody else has a share of {company}, the last one stays with {seat}"
    return table.refuse("last share", "presidency", text)


def _why_not_sell_presidency(
    table: Table, seat: Seat, company: CompanyId, left: int
) -> Refusal | None:
    """Refuse to sell a president's certificate if nobody else can be president (3.2(a)(3), (4))."""
    need = shares.president_percent(table, company)
    others = shares.holdings(table, company)
    del others[seat]
    most = max(others.values())
    if most >= need and most > left:
        return None
    text = (
        f"{seat} would sell the president's certificate of {company}, and nobody else could preside"
    )
    free = shares.ordinary_percent(table, company, seat) // table.share(company)
    hint = f"At most: `sell {free} {company}`." if free else f"Another player needs {need}% first."
    return table.refuse("president's certificate", "presidency", text, hint)


def is_over_limits(table: Table, seat: Seat) -> bool:
    """Whether the player has too many certificates, or too much of a company (3.3)."""
    at = table.at
    sources = (at.shares, at.tokens, at.pars, at.privates, at.formed, at.excess)
    return table.recall(("over limits", seat), lambda: _is_over_limits(table, seat), sources)


def _is_over_limits(table: Table, seat: Seat) -> bool:
    if table.certificates(seat) > table.certificate_limit():
        return True
    least = table.title.facts.stock.player_limit
    for company, held in table.at.shares.items():
        own = held.get(seat)
        if own and (percent := sum(own)) > least and percent > table.holding_limit(company, seat):
            return True
    return False


def largest_block(table: Table, frame: StockTurn, company: CompanyId) -> int:
    """The most shares of a company that the player can still sell in this turn."""
    if company in frame.blocks:
        return 0
    return table.recall(
        ("largest block", frame.seat, company), lambda: _most(table, frame, company)
    )


def _most(table: Table, frame: StockTurn, company: CompanyId) -> int:
    most = table.percent(company, frame.seat) // table.share(company)
    every = range(most, 0, -1)
    return next((n for n in every if why_not_sell(table, frame.seat, company, n) is None), 0)


def why_not_block(table: Table, frame: StockTurn, company: CompanyId, count: int) -> Refusal | None:
    """Refuse a block that leaves its seller over the limits, if shares are sold as one block."""
    seat = frame.seat
    stock = table.title.facts.stock
    if not (stock.sales_first or stock.one_block) or not is_over_limits(table, seat):
        return None
    largest = largest_block(table, frame, company)
    if count == largest:
        return None
    then = _after(table, seat, company, count)
    most, limit = then.player_limit(company), then.certificate_limit()
    if then.percent(company, seat) > most:
        text = f"{seat} would still hold more than {most}% of {company}"
        return table.refuse("must sell", "limit", text, "Sell more of it at once.")
    left = then.certificates(seat)
    others = sum(
        _freed(table, seat, other, largest_block(table, frame, other))
        for other in table.at.pars
        if other != company
    )
    missing = left - limit - others
    helps = _freed(table, seat, company, largest) > _freed(table, seat, company, count)
    if missing <= 0 or not helps:
        return None
    text = f"{seat} would be {missing} over the certificate limit and unable to sell more"
    return table.refuse("must sell", "limit", text, f"Sell more of {company} at once.")


def _after(table: Table, seat: Seat, company: CompanyId, count: int) -> Table:
    """The position after the sale of a block."""
    draft = Draft(table.title, table.at)
    if count:
        falls = not table.title.facts.stock.protection
        shares.sell(draft, seat, company, count, falls=falls)
    return draft.table


def _freed(table: Table, seat: Seat, company: CompanyId, count: int) -> float:
    """The number of certificates fewer, as the limit counts them, after the sale of a block.

    It is not the number of shares. A lost presidency brings two certificates for one. A price that
    falls into a zone without limit frees the kept certificates too.
    """

    def freed() -> float:
        then = _after(table, seat, company, count)
        return table.certificates(seat) - then.certificates(seat)

    return table.recall(("freed", seat, company, count), freed)

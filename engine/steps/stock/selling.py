"""Sales of shares in a stock turn, and the duty to sell down to the limits (3.2(a), 3.3)."""

from msgspec.structs import replace

from engine.actions import Action, SellShares
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.refusal import Refusal
from engine.steps.base import Acts
from engine.steps.judging.sales import is_over_limits, sales_of, why_not_block, why_not_sell
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

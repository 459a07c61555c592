"""A company sells shares of its treasury, or buys back its own shares (18GL 4.6.11)."""

from collections.abc import Iterator

from engine.actions import Action, BuyBack, IssueShares
from engine.events import SharesBoughtBack, SharesIssued
from engine.options import Choice, Option
from engine.play import shares
from engine.position.draft import Draft
from engine.position.frames import OwnShares
from engine.position.table import Table
from engine.position.values import BANK, MARKET, CompanyId
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn


def most_to_issue(table: Table, company: CompanyId) -> int:
    """The number of treasury shares that the open market has room for."""
    share = table.share(company)
    room = table.title.facts.stock.market_limit - table.percent(company, MARKET)
    return max(0, min(shares.ordinary_percent(table, company, company), room) // share)


def most_to_buy_back(table: Table, company: CompanyId) -> int:
    """The number of shares in the open market that the company can pay for."""
    there = shares.ordinary_percent(table, company, MARKET) // table.share(company)
    every = range(there, 0, -1)
    return next((n for n in every if cost_of(table, company, n) <= table.at.cash[company]), 0)


def cost_of(table: Table, company: CompanyId, count: int) -> int:
    """Dollars for a number of shares from the open market."""
    return table.value(company, count * table.share(company), up=True)


class OwnSharesStep(CompanyStep[OwnShares]):
    """Sell one block of treasury shares to the open market, or buy any number there; not both."""

    frame = OwnShares
    deciding = "the company may sell shares of its treasury, or buy its own back"
    verbs = (IssueShares, BuyBack)

    def enter(self, draft: Draft, frame: OwnShares) -> None:
        """Go on if nothing can be sold or bought, and in the company's first operating round."""
        if not any(True for _ in self.candidates(draft.table, frame)):
            draft.pop()

    def candidates(self, table: Table, frame: OwnShares) -> Iterator[Option]:
        """Every number of shares to sell, and to buy."""
        company = frame.company
        by = table.at.presidents[company]
        if is_first_turn(table, company):
            return
        for count in range(1, most_to_issue(table, company) + 1) if not frame.way else ():
            yield Choice(IssueShares(by=by, company=company, shares=count))
        for count in range(1, most_to_buy_back(table, company) + 1):
            yield Choice(BuyBack(by=by, company=company, shares=count))

    def why_not(
        self, table: Table, frame: OwnShares, action: IssueShares | BuyBack
    ) -> Refusal | None:
        """Refuse in the first operating round, in both directions, or more than fits."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        company = frame.company
        if is_first_turn(table, company):
            text = f"{company} neither sells nor buys its shares in its first operating round"
            return table.refuse("own shares", "order", text)
        if isinstance(action, BuyBack):
            return _why_not_buy_back(table, action)
        if frame.way:
            text = f"{company} has bought shares back and sells none in this turn"
            return table.refuse("own shares", "order", text)
        return _why_not_issue(table, action)

    def play(self, draft: Draft, frame: OwnShares, action: Action) -> None:
        """Sell one block, which lowers the price, or buy."""
        assert isinstance(action, IssueShares | BuyBack)
        company, table = frame.company, draft.table
        share, selling = table.share(company), isinstance(action, IssueShares)
        amount = table.value(company, action.shares * share, up=not selling)
        giver, taker = (company, MARKET) if selling else (MARKET, company)
        for _ in range(action.shares):
            draft.move_certificate(company, giver, taker, share)
        if not selling:
            draft.record(SharesBoughtBack(company, action.shares * share, amount))
            draft.pay(company, BANK, amount)
            draft.replace(OwnShares(company, "buy"))
            return
        draft.record(SharesIssued(company, action.shares * share, amount))
        draft.pay(BANK, company, amount)
        cell = table.cell(company)
        assert cell is not None
        draft.move_price(company, draft.title.chart.down(cell, action.shares))
        draft.pop()


def is_first_turn(table: Table, company: CompanyId) -> bool:
    """Whether the company operates for the first time."""
    return not table.at.turns.get(company)


def _why_not_issue(table: Table, action: IssueShares) -> Refusal | None:
    company, share = action.company, table.share(action.company)
    own = shares.ordinary_percent(table, company, company) // share
    if not 1 <= action.shares <= own:
        text = f"The treasury of {company} has {own or 'no'} shares to sell"
        return table.refuse("own shares", "amount", text)
    most = most_to_issue(table, company)
    if action.shares > most:
        limit, there = table.title.facts.stock.market_limit, table.percent(company, MARKET)
        text = f"The open market may hold {limit}% of {company} and has {there}%"
        return table.refuse("market limit", "limit", text)
    return None


def _why_not_buy_back(table: Table, action: BuyBack) -> Refusal | None:
    company, share = action.company, table.share(action.company)
    there = shares.ordinary_percent(table, company, MARKET) // share
    if not 1 <= action.shares <= there:
        text = f"The open market has {there or 'no'} shares of {company}"
        return table.refuse("own shares", "amount", text)
    cost, cash = cost_of(table, company, action.shares), table.at.cash[company]
    if cost > cash:
        text = f"That costs {table.money(cost)}, {company} has {table.money(cash)}"
        return table.refuse("own shares", "money", text)
    return None

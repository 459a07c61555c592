"""A company redeems its own shares in a stock turn of its president (18MW Share Redemption)."""

from collections.abc import Iterator

from engine.actions import Action, BuyBack
from engine.events import SharesBoughtBack
from engine.options import Choice, Option
from engine.play import shares
from engine.play.rounds import end_turn
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET
from engine.refusal import Refusal
from engine.steps.base import Acts
from engine.steps.stock.selling import must_sell


class Redemption(Acts):
    """Redeem any number of shares from the open market, as the president's whole turn."""

    verbs = (BuyBack,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """Every number of shares of each company that the player presides over."""
        if not table.title.facts.stock.redemption:
            return
        for company, president in table.at.presidents.items():
            if president == frame.seat:
                for count in range(1, table.percent(company, MARKET) // table.share(company) + 1):
                    yield Choice(BuyBack(by=frame.seat, company=company, shares=count))

    def why_not(self, table: Table, frame: StockTurn, action: BuyBack) -> Refusal | None:
        """Require the open market, and a company that has operated and can pay for all of it."""
        if not table.title.facts.stock.redemption:
            text = "Not now: this is a stock turn; companies buy no shares back in it"
            return table.refuse("turn order", "order", text)
        company = action.company
        if table.at.presidents.get(company) != frame.seat:
            who = table.at.presidents.get(company, "nobody")
            text = f"Shares of {company} are redeemed by its president, that is {who}"
            return table.refuse("redemption", "turn", text)
        if frame.bought or frame.sold:
            text = "To redeem shares takes the whole turn, with no other purchase or sale"
            return table.refuse("redemption", "order", text, "`pass` ends the turn.")
        if not table.at.turns.get(company):
            text = f"{company} has not operated yet, it redeems nothing before"
            return table.refuse("redemption turn", "order", text)
        refusal = _why_not_there(table, action) or _why_not_pay(table, action)
        return refusal or must_sell(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """The company pays the bank; the price does not change, and the turn ends (18MW R8)."""
        assert isinstance(action, BuyBack)
        company = action.company
        percent, price = _percent(draft.table, action), cost(draft.table, action)
        draft.pay(company, BANK, price)
        for size in _certificates(draft.table, action):
            draft.move_certificate(company, MARKET, company, size)
        draft.record(SharesBoughtBack(company, percent, price))
        end_turn(draft, acted=True)


def cost(table: Table, action: BuyBack) -> int:
    """Dollars for the shares of a redemption."""
    return table.value(action.company, _percent(table, action), up=True)


def _percent(table: Table, action: BuyBack) -> int:
    return action.shares * table.share(action.company)


def _certificates(table: Table, action: BuyBack) -> tuple[int, ...]:
    """The certificates to redeem; the double share of a system only if it is needed."""
    company, count = action.company, action.shares
    single = shares.block(table, company, MARKET, count)
    return single or shares.block(table, company, MARKET, count, double=True)


def _why_not_there(table: Table, action: BuyBack) -> Refusal | None:
    company, count = action.company, action.shares
    there = table.percent(company, MARKET) // table.share(company)
    if not there:
        text = f"{company} redeems shares of the open market, and there are none"
        hint = "Those of players and of the IPO stay where they are."
        return table.refuse("redemption place", "place", text, hint)
    if not 1 <= count <= there or not _certificates(table, action):
        text = f"The open market has {there} shares of {company}, {count} cannot be redeemed"
        hint = f"At most: `redeem {there} {company}`."
        return table.refuse("redemption market", "amount", text, hint)
    return None


def _why_not_pay(table: Table, action: BuyBack) -> Refusal | None:
    price, cash = cost(table, action), table.at.cash[action.company]
    if price <= cash:
        return None
    text = (
        f"That costs {table.money(price)}, {action.company} has {table.money(cash)} in its treasury"
    )
    return table.refuse("redemption money", "money", text)

"""The regular stock turn: sales, one purchase, private companies between players (3.2, 3.3)."""

from collections.abc import Iterator

from engine import shares
from engine.actions import Action, BuyShare, Done, Par, SellShares, TradePrivate
from engine.draft import Draft
from engine.events import ParSet
from engine.frames import StockTurn
from engine.options import Choice, Open, Option
from engine.refusal import Refusal
from engine.rounds import end_turn
from engine.shares import SHARE
from engine.steps.base import Step
from engine.steps.consent import propose
from engine.steps.private_sale import why_not_value
from engine.table import Table
from engine.values import MARKET, OFFERING, CompanyId, Seat


def why_not_sell(table: Table, seat: Seat, company: CompanyId, count: int) -> Refusal | None:
    """The rules of 3.2(a) that hold for every sale of shares, forced ones included."""
    if company not in table.at.pars:
        text = f"{company} has no market value yet, nobody holds it"
        return table.refuse("sale", "place", text)
    held = table.percent(company, seat)
    if count < 1 or count * SHARE > held:
        text = f"{seat} holds {held // SHARE} shares of {company}, {count} cannot be sold"
        return table.refuse("sale", "amount", text)
    there = table.percent(company, MARKET)
    room = table.title.facts.stock.market_limit - there
    if count * SHARE > room:
        text = f"the open market may hold {there + room}% of {company} and has {there}%"
        hint = f"At most: `sell {room // SHARE} {company}`." if room > 0 else ""
        return table.refuse("market limit", "limit", text, hint)
    if count * SHARE <= shares.ordinary_percent(table, company, seat):
        return None
    return _why_not_sell_presidency(table, seat, company, held - count * SHARE)


def _why_not_sell_presidency(
    table: Table, seat: Seat, company: CompanyId, left: int
) -> Refusal | None:
    """The president's certificate goes only to somebody who will preside (3.2(a)(3), (4))."""
    need = shares.president_percent(table, company)
    others = shares.holdings(table, company)
    del others[seat]
    most = max(others.values())
    if most >= need and most > left:
        return None
    text = (
        f"{seat} would sell the president's certificate of {company}, and nobody else could preside"
    )
    free = shares.ordinary_percent(table, company, seat) // SHARE
    hint = f"At most: `sell {free} {company}`." if free else f"Another player needs {need}% first."
    return table.refuse("president's certificate", "presidency", text, hint)


def why_not_between_players(table: Table, action: TradePrivate) -> Refusal | None:
    """What holds whenever a player sells a private to another: owner, price, limit (3.2(b))."""
    key, private, buyer = "private between players", action.private, action.buyer
    owner = table.at.privates[private]
    if owner != action.seller:
        return table.refuse(key, "place", f"{private} belongs to {owner}, not {action.seller}")
    if action.price < 1:
        return table.refuse(key, "money", "the price is a whole number of dollars above 0")
    if action.price > table.free_cash(buyer):
        text = f"{buyer} has ${table.free_cash(buyer)}, not ${action.price}"
        return table.refuse(key, "money", text)
    if table.certificates(buyer) >= table.certificate_limit():
        text = f"{buyer} is at the certificate limit, a private counts toward it"
        return table.refuse("certificate limit", "limit", text)
    return None


class StockTurnStep(Step[StockTurn]):
    """Sell any number, buy one, in either order."""

    frame = StockTurn
    deciding = "this is a stock turn; buy, sell or pass"
    verbs = (SellShares, BuyShare, Par, TradePrivate, Done)

    def actors(self, table: Table, frame: StockTurn) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """Purchases, sales of every size, and the end of the turn."""
        seat = frame.seat
        for company in table.title.companies:
            if company in table.at.pars:
                yield Choice(BuyShare(by=seat, company=company, source=OFFERING))
                yield Choice(BuyShare(by=seat, company=company, source=MARKET))
                for count in range(1, table.percent(company, seat) // SHARE + 1):
                    yield Choice(SellShares(by=seat, company=company, shares=count))
            else:
                for price in sorted(table.title.chart.pars):
                    yield Choice(Par(by=seat, company=company, price=price))
        sales = table.title.facts.stock.player_sales
        if sales and any(table.is_player(owner) for owner in table.at.privates.values()):
            yield Open("private", "`sell private NAME to PLAYER for PRICE`, or buy one from him")
        yield Choice(Done(by=seat))

    def why_not(self, table: Table, frame: StockTurn, action: Action) -> Refusal | None:
        """3.2 by kind of act."""
        if isinstance(action, SellShares):
            return self._why_not_sale(table, frame, action)
        if isinstance(action, Par):
            return self._why_not_par(table, frame, action)
        if isinstance(action, BuyShare):
            return self._why_not_buy(table, frame, action)
        if isinstance(action, TradePrivate):
            return self._why_not_trade(table, frame, action)
        return self.must(table, frame)

    def must(self, table: Table, frame: StockTurn) -> Refusal | None:
        """Who is over one of the limits of 3.3 must sell while he can (3.3(b))."""
        seat = frame.seat
        sales = self._sales(table, frame) if self._is_over_limits(table, seat) else []
        for company in sales:
            most = table.player_limit(company)
            if table.percent(company, seat) > most:
                text = f"{seat} holds more than {most}% of {company} and must sell"
                return table.refuse("player limit", "limit", text, f"`sell 1 {company}`.")
        over = table.certificates(seat) - table.certificate_limit()
        counted = [company for company in sales if table.counts(company)]
        if over <= 0 or not counted:
            return None
        text = f"{seat} is {over} over the certificate limit and must sell"
        hint = f"Shares to sell: {', '.join(counted)}."
        return table.refuse("certificate limit", "limit", text, hint)

    @staticmethod
    def _is_over_limits(table: Table, seat: Seat) -> bool:
        if table.certificates(seat) > table.certificate_limit():
            return True
        return any(table.percent(c, seat) > table.player_limit(c) for c in table.at.pars)

    def _sales(self, table: Table, frame: StockTurn) -> list[CompanyId]:
        """Companies of which the player can sell something now."""
        found = (
            option.action.company
            for option in self.candidates(table, frame)
            if isinstance(option, Choice)
            and isinstance(option.action, SellShares)
            and self._why_not_sale(table, frame, option.action) is None
        )
        return list(dict.fromkeys(found))

    def _sales_are_over(self, table: Table, frame: StockTurn) -> Refusal | None:
        if not (frame.bought and frame.sold_first):
            return None
        text = "the one purchase comes before all sales or after all of them"
        return table.refuse("order of a stock turn", "order", text, "`done` ends the turn.")

    def _why_not_sale(self, table: Table, frame: StockTurn, action: SellShares) -> Refusal | None:
        if table.title.facts.stock.no_sale_in_first_round and table.at.round.number == 1:
            text = "nothing is sold to the bank in the first stock round"
            return table.refuse("first round", "order", text)
        return self._sales_are_over(table, frame) or why_not_sell(
            table, action.by, action.company, action.shares
        )

    def _why_not_purchase(
        self, table: Table, frame: StockTurn, company: CompanyId, percent: int, price: int
    ) -> Refusal | None:
        """What holds for every purchase of a certificate (3.2(c), 3.3)."""
        seat = frame.seat
        if frame.bought:
            text = f"{seat} has made the one purchase of this turn"
            return table.refuse("one purchase", "order", text, "`done` ends the turn.")
        if company in table.at.sold.get(seat, ()):
            text = f"{seat} sold {company} in this stock round and cannot buy it back in it"
            return table.refuse("bought after sold", "order", text)
        held = table.percent(company, seat)
        most = table.player_limit(company)
        if held + percent > most:
            text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
            return table.refuse("player limit", "limit", text)
        if refusal := self._over_after_sales(table, frame):
            return refusal
        limit = table.certificate_limit()
        if table.counts(company) and table.certificates(seat) >= limit:
            text = f"{seat} holds {table.certificates(seat)} certificates, the limit is {limit}"
            return table.refuse("certificate limit", "limit", text, "Sell one first.")
        cash = table.at.cash[seat]
        if price > cash:
            text = f"it costs ${price}, {seat} has ${cash}"
            return table.refuse("purchase", "money", text)
        return None

    def _why_not_par(self, table: Table, frame: StockTurn, action: Par) -> Refusal | None:
        company = action.company
        if company in table.at.pars:
            par = table.at.pars[company]
            text = f"the president's certificate of {company} is sold, its par is ${par}"
            return table.refuse(
                "president's purchase", "place", text, f"`buy {company}` buys a share."
            )
        if refusal := why_not_value(table, action):
            return refusal
        percent = shares.president_percent(table, company)
        cost = action.price * percent // SHARE
        return self._why_not_purchase(table, frame, company, percent, cost)

    def _why_not_buy(self, table: Table, frame: StockTurn, action: BuyShare) -> Refusal | None:
        company = action.company
        if company not in table.at.pars:
            text = f"{company} has not been started"
            low = min(table.title.chart.pars)
            hint = f"`par {company} {low}` starts it (or another par value)."
            return table.refuse("share of the offering", "place", text, hint)
        if not table.percent(company, action.source):
            other = MARKET if action.source == OFFERING else OFFERING
            text = f"there is no share of {company} in the {action.source}"
            key = "share of the offering" if action.source == OFFERING else "share of the market"
            hint = f"`buy {company} {other.split()[-1]}`." if table.percent(company, other) else ""
            return table.refuse(key, "place", text, hint)
        price = shares.cost(table, company, action.source)
        return self._why_not_purchase(table, frame, company, SHARE, price)

    def _why_not_trade(
        self, table: Table, frame: StockTurn, action: TradePrivate
    ) -> Refusal | None:
        """Private companies between players, at a price of at least a dollar (3.2(b), (c)(4))."""
        buying, key = action.buyer == frame.seat, "private between players"
        if not table.title.facts.stock.player_sales:
            text = "players sell no private companies to each other in this game"
            return table.refuse(key, "place", text)
        if action.seller == action.buyer or frame.seat not in (action.seller, action.buyer):
            return table.refuse(key, "turn", f"on this turn {frame.seat} buys or sells")
        if not (table.is_player(action.seller) and table.is_player(action.buyer)):
            text = "in a stock round private companies change hands between players only"
            return table.refuse(key, "place", text)
        if refusal := why_not_between_players(table, action):
            return refusal
        if not buying:
            return self._sales_are_over(table, frame)
        if frame.bought:
            text = f"{frame.seat} has made the one purchase of this turn"
            return table.refuse("one purchase", "order", text)
        return self._over_after_sales(table, frame)

    def _over_after_sales(self, table: Table, frame: StockTurn) -> Refusal | None:
        """No sale follows a purchase that comes after a sale: what is too much goes before it."""
        return self.must(table, frame) if frame.sold else None

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Do it, and remember what the rest of the turn allows."""
        if isinstance(action, SellShares):
            shares.sell(draft, action.by, action.company, action.shares)
            draft.replace(StockTurn(frame.seat, frame.bought, True, frame.sold_first))
        elif isinstance(action, TradePrivate):
            seller, buyer = action.seller, action.buyer
            propose(draft, action.by, "private", action.private, seller, buyer, action.price)
        elif isinstance(action, Par | BuyShare):
            if isinstance(action, Par):
                draft.record(ParSet(action.by, action.company, action.price))
                shares.found(draft, action.by, action.company, action.price)
            else:
                shares.buy(draft, action.by, action.company, action.source)
            draft.replace(StockTurn(frame.seat, True, frame.sold, frame.sold))
        else:
            self.leave(draft, frame)

    def leave(self, draft: Draft, frame: StockTurn) -> None:
        """The turn ends; without an act it was a pass."""
        end_turn(draft, acted=frame.bought or frame.sold)

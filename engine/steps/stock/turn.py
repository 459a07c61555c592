"""The regular stock turn: sales, one purchase, private companies between players (3.2, 3.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import (
    Action,
    BuyBond,
    BuyShare,
    Done,
    Par,
    SellBonds,
    SellShares,
    TradePrivate,
)
from engine.events import BondBought, BondsSold, ParSet
from engine.facts.powers import SharePower
from engine.options import Choice, Open, Option
from engine.play import shares
from engine.play.rounds import end_turn
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Owner, Round, Seat
from engine.proposals import PrivateSale
from engine.refusal import Refusal
from engine.steps.base import Step
from engine.steps.judging.sales import is_over_limits, why_not_block, why_not_sell
from engine.steps.questions.asking import propose
from engine.steps.stock.private_sale import par_values, why_not_value


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
    unlimited = table.title.facts.stock.player_purchases
    if not unlimited and table.certificates(buyer) >= table.certificate_limit():
        text = f"{buyer} is at the certificate limit, a private counts toward it"
        return table.refuse("certificate limit", "limit", text)
    return None


class StockTurnStep(Step[StockTurn]):
    """Sell any number, buy one; in either order unless the title has sales come first."""

    frame = StockTurn
    deciding = "this is a stock turn; buy, sell or pass"
    verbs = (SellShares, SellBonds, BuyShare, BuyBond, Par, TradePrivate, Done)

    def key(self, frame: StockTurn, now: Round) -> str:
        """The turn is told by the round below."""
        return ""

    def actors(self, table: Table, frame: StockTurn) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """Purchases, sales of every size, and the end of the turn."""
        seat = frame.seat
        for company in table.title.companies:
            if company not in table.at.pars:
                for price in par_values(table):
                    yield Choice(Par(by=seat, company=company, price=price))
                continue
            for source in (OFFERING, MARKET, company):
                yield Choice(BuyShare(by=seat, company=company, source=source))
                if shares.acts_only(table, company):
                    yield Choice(BuyShare(by=seat, company=company, source=source, president=True))
            for count in range(1, table.percent(company, seat) // table.share(company) + 1):
                yield Choice(SellShares(by=seat, company=company, shares=count))
        if table.title.facts.bonds:
            yield Choice(BuyBond(by=seat))
            for count in range(1, table.at.bonds.get(seat, 0) + 1):
                yield Choice(SellBonds(by=seat, count=count))
        stock, owners = table.title.facts.stock, table.at.privates.values()
        if stock.player_sales and any(map(table.is_player, owners)):
            yield Open(
                "private", "`sell private NAME to PLAYER for PRICE`, or buy one from a player"
            )
        elif stock.player_purchases and any(table.is_player(o) and o != seat for o in owners):
            yield Open("private", "`buy private NAME from PLAYER for PRICE`")
        yield Choice(Done(by=seat))

    def why_not(self, table: Table, frame: StockTurn, action: Action) -> Refusal | None:
        """3.2 by kind of act."""
        if isinstance(action, SellShares):
            return self._why_not_sale(table, frame, action)
        if table.title.facts.stock.limits_first and (refusal := self.must(table, frame)):
            return refusal
        if isinstance(action, SellBonds | BuyBond):
            return self._why_not_bond(table, frame, action)
        if isinstance(action, Par):
            return self._why_not_par(table, frame, action)
        if isinstance(action, BuyShare):
            return self._why_not_buy(table, frame, action)
        if isinstance(action, TradePrivate):
            return self._why_not_trade(table, frame, action)
        return self.must(table, frame)

    def must(self, table: Table, frame: StockTurn) -> Refusal | None:
        """Who is over one of the limits of 3.3 must sell while that is possible (3.3(b))."""
        seat = frame.seat
        sales = self._sales(table, frame) if is_over_limits(table, seat) else {}
        for company, count in sales.items():
            most = table.player_limit(company)
            if table.percent(company, seat) > most:
                text = f"{seat} holds more than {most}% of {company} and must sell"
                return table.refuse("player limit", "limit", text, f"`sell {count} {company}`.")
        over = table.certificates(seat) - table.certificate_limit()
        # where sales come before all else a player sells even what does not count
        every = table.title.facts.stock.limits_first
        counted = [company for company in sales if every or table.counts(company)]
        if over <= 0 or not counted:
            return None
        text = f"{seat} is {over} over the certificate limit and must sell"
        hint = f"Shares to sell: {', '.join(counted)}."
        return table.refuse("certificate limit", "limit", text, hint)

    def _sales(self, table: Table, frame: StockTurn) -> dict[CompanyId, int]:
        """Companies of which the player can sell something now, and the fewest shares of each."""
        found: dict[CompanyId, int] = {}
        for option in self.candidates(table, frame):
            if (
                isinstance(option, Choice)
                and isinstance(option.action, SellShares)
                and self._why_not_sale(table, frame, option.action) is None
            ):
                found.setdefault(option.action.company, option.action.shares)
        return found

    def _sales_are_over(self, table: Table, frame: StockTurn) -> Refusal | None:
        around = table.title.facts.stock.sales_around
        if around or not (frame.bought and frame.sold_first):
            return None
        text = "the one purchase comes before all sales or after all of them"
        if table.title.facts.stock.sales_first:
            text = "all sales of a turn come before its one purchase"
        return table.refuse("order of a stock turn", "order", text, "`done` ends the turn.")

    def _why_not_sale(self, table: Table, frame: StockTurn, action: SellShares) -> Refusal | None:
        if table.title.facts.stock.no_sale_in_first_round and table.at.round.number == 1:
            text = "nothing is sold to the bank in the first stock round"
            return table.refuse("first round", "order", text)
        if refusal := self._sales_are_over(table, frame):
            return refusal
        if action.company in frame.blocks:
            text = f"shares of {action.company} were sold in this turn, all of them go as one block"
            return table.refuse("one block", "order", text)
        refusal = why_not_sell(table, action.by, action.company, action.shares)
        return refusal or why_not_block(table, frame, action.company, action.shares)

    def _why_not_bond(
        self, table: Table, frame: StockTurn, action: SellBonds | BuyBond
    ) -> Refusal | None:
        """Bonds to and from the open market, at face value (18GL 4.1.2)."""
        facts, seat = table.title.facts.bonds, frame.seat
        if facts is None:
            return table.refuse("turn order", "order", "there are no bonds in this game")
        if isinstance(action, SellBonds):
            own = table.at.bonds.get(seat, 0)
            if not 1 <= action.count <= own:
                text = f"{seat} has {own} bonds, {action.count} cannot be sold"
                return table.refuse("bond", "amount", text)
            return self._sales_are_over(table, frame)
        if not table.at.bonds.get(MARKET):
            text = f"there is no bond of {facts.company} in the open market"
            return table.refuse("bond", "place", text)
        refusal = self._why_not_second(table, frame)
        refusal = refusal or self._why_not_pay(table, frame, facts.value)
        return refusal or self._why_not_yet(table, frame)

    @staticmethod
    def _why_not_second(table: Table, frame: StockTurn) -> Refusal | None:
        if not frame.bought:
            return None
        text = f"{frame.seat} has made the one purchase of this turn"
        return table.refuse("one purchase", "order", text, "`done` ends the turn.")

    def _why_not_yet(self, table: Table, frame: StockTurn) -> Refusal | None:
        """What is over a limit goes before a purchase that no sale can follow."""
        stock = table.title.facts.stock
        last = stock.sales_first or (frame.sold and not stock.sales_around)
        return self.must(table, frame) if last else None

    @staticmethod
    def _why_not_pay(table: Table, frame: StockTurn, price: int) -> Refusal | None:
        cash = table.at.cash[frame.seat]
        if price <= cash:
            return None
        text = f"it costs ${price}, {frame.seat} has ${cash}"
        return table.refuse("purchase", "money", text)

    def _why_not_purchase(
        self, table: Table, frame: StockTurn, company: CompanyId, percent: int, price: int
    ) -> Refusal | None:
        """What holds for every purchase of a certificate (3.2(c), 3.3)."""
        seat = frame.seat
        if refusal := self._why_not_second(table, frame):
            return refusal
        if company in table.at.sold.get(seat, ()):
            text = f"{seat} sold {company} in this stock round and cannot buy it back in it"
            return table.refuse("bought after sold", "order", text)
        held = table.percent(company, seat)
        most = table.player_limit(company)
        if held + percent > most:
            text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
            return table.refuse("player limit", "limit", text)
        if refusal := self._why_not_pay(table, frame, price) or self._why_not_yet(table, frame):
            return refusal
        limit = table.certificate_limit()
        if table.counts(company) and table.certificates(seat) >= limit:
            text = f"{seat} holds {table.certificates(seat)} certificates, the limit is {limit}"
            return table.refuse("certificate limit", "limit", text, "Sell one first.")
        return None

    def _why_not_par(self, table: Table, frame: StockTurn, action: Par) -> Refusal | None:
        company = action.company
        if company in table.at.pars:
            par = table.at.pars[company]
            text = f"the president's certificate of {company} is sold, its par is ${par}"
            return table.refuse(
                "president's purchase", "place", text, f"`buy {company}` buys a share."
            )
        if refusal := _why_not_startable(table, company) or why_not_value(table, action):
            return refusal
        percent = shares.president_percent(table, company)
        cost = table.part(company, action.price, percent)
        return self._why_not_purchase(table, frame, company, percent, cost)

    def _why_not_buy(self, table: Table, frame: StockTurn, action: BuyShare) -> Refusal | None:
        company, source = action.company, action.source
        if company not in table.at.pars:
            if refusal := _why_not_startable(table, company):
                return refusal
            text = f"{company} has not been started"
            hint = f"`par {company} {par_values(table)[0]}` starts it (or another par value)."
            return table.refuse("share of the offering", "place", text, hint)
        if refusal := _why_not_source(table, action):
            return refusal
        percent, price = shares.to_buy(table, company, source, president=action.president)
        return self._why_not_purchase(table, frame, company, percent, price)

    def _why_not_trade(
        self, table: Table, frame: StockTurn, action: TradePrivate
    ) -> Refusal | None:
        """Private companies between players, at a price of at least a dollar (3.2(b), (c)(4))."""
        buying, key = action.buyer == frame.seat, "private between players"
        stock = table.title.facts.stock
        if not (stock.player_sales or stock.player_purchases):
            text = "players sell no private companies to each other in this game"
            return table.refuse(key, "place", text)
        if not buying and not stock.player_sales:
            text = f"a private company is bought on the turn of its buyer, not of {frame.seat}"
            return table.refuse(key, "turn", text)
        if action.seller == action.buyer or frame.seat not in (action.seller, action.buyer):
            return table.refuse(key, "turn", f"on this turn {frame.seat} buys or sells")
        if not (table.is_player(action.seller) and table.is_player(action.buyer)):
            text = "in a stock round private companies change hands between players only"
            return table.refuse(key, "place", text)
        if refusal := why_not_between_players(table, action):
            return refusal
        if not stock.player_sales and isinstance(
            table.title.privates[action.private].power, SharePower
        ):
            text = f"{action.private} would bring its share again, it stays with its first owner"
            return table.refuse(key, "power", text)
        if not buying:
            return self._sales_are_over(table, frame)
        if frame.bought:
            text = f"{frame.seat} has made the one purchase of this turn"
            return table.refuse("one purchase", "order", text)
        return self._why_not_yet(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Do it, and remember what the rest of the turn allows."""
        if isinstance(action, SellShares):
            shares.sell(draft, action.by, action.company, action.shares)
            stock = draft.title.facts.stock
            once = stock.sales_first or stock.one_block
            blocks = (*frame.blocks, action.company) if once else ()
            draft.replace(replace(frame, sold=True, blocks=blocks))
        elif isinstance(action, SellBonds):
            self._sell_bonds(draft, action)
            draft.replace(replace(frame, sold=True))
        elif isinstance(action, TradePrivate):
            sale = PrivateSale(action.private, action.seller, action.buyer, action.price)
            propose(draft, action.by, sale)
        elif isinstance(action, Par | BuyShare | BuyBond):
            over = frame.sold or draft.title.facts.stock.sales_first
            draft.replace(replace(frame, bought=True, sold_first=over))
            self._buy(draft, action)
        else:
            self.leave(draft, frame)

    @staticmethod
    def _buy(draft: Draft, action: Par | BuyShare | BuyBond) -> None:
        if isinstance(action, Par):
            draft.record(ParSet(action.by, action.company, action.price))
            shares.found(draft, action.by, action.company, action.price)
        elif isinstance(action, BuyShare):
            company, source = action.company, action.source
            shares.buy(draft, action.by, company, source, president=action.president)
        elif (facts := draft.title.facts.bonds) is not None:
            draft.pay(action.by, BANK, facts.value)
            draft.move_bonds(MARKET, action.by, 1)
            draft.record(BondBought(action.by, facts.value))

    @staticmethod
    def _sell_bonds(draft: Draft, action: SellBonds) -> None:
        facts = draft.title.facts.bonds
        assert facts is not None
        amount = action.count * facts.value
        draft.pay(BANK, action.by, amount)
        draft.move_bonds(action.by, MARKET, action.count)
        draft.record(BondsSold(action.by, action.count, amount))

    def leave(self, draft: Draft, frame: StockTurn) -> None:
        """The turn ends; without an act it was a pass."""
        end_turn(draft, acted=frame.bought or frame.sold)


def _why_not_startable(table: Table, company: CompanyId) -> Refusal | None:
    """Companies that players do not start: those of mergers, and those that have left the game."""
    if company in table.at.gone:
        return table.refuse("company gone", "place", f"{company} has left the game")
    if table.title.companies[company].merger:
        text = f"{company} has no shares before it forms, nobody starts it"
        return table.refuse("merger company", "place", text)
    return None


def _why_not_source(table: Table, action: BuyShare) -> Refusal | None:
    """Whether the certificate lies where it is to be bought (3.2(c)(2), (3))."""
    company, source = action.company, action.source
    places: tuple[Owner, ...] = (OFFERING, MARKET, company)
    if action.president:
        certificate = shares.president_percent(table, company)
        there = [p for p in places if certificate in table.at.shares[company].get(p, ())]
    else:
        there = [p for p in places if shares.ordinary_percent(table, company, p)]
    if source in there:
        return None
    treasury = source == company and table.title.facts.stock.capital == "bought"
    key = "share of the offering" if source == OFFERING else "share of the market"
    what = "president's certificate" if action.president else "share"
    where = f"treasury of {company}" if treasury else source
    text = f"there is no {what} of {company} in the {where}"
    word = "treasury" if company in there else "".join(there[:1]).rpartition(" ")[2]
    hint = f"`buy {company} {word}`." if there and not action.president else ""
    return table.refuse("share of the treasury" if treasury else key, "place", text, hint)

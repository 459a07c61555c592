"""Decisions of a sensible player on private companies, auctions and shares; knows no track."""

from __future__ import annotations

from random import Random

from engine.actions import (
    Action,
    BidPrivate,
    BuyBond,
    BuyPrivate,
    BuyShare,
    Par,
    SellShares,
    TakeBack,
    TradePrivate,
)
from engine.flow import why_not
from engine.play.shares import SHARE, cost, float_percent
from engine.position.frames import Auction
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, State
from service.workshop.practice.choices import Ask, Choices

#: dollars that a bidder keeps for the first shares of a company
STARTING_MONEY = 180
#: a bidder values a private company at this percentage of its par
_FROM, _TO = 100, 150
#: a company's shares pay back in about this many operating rounds
_HORIZON = 5


class Investor:
    """A player's decisions in stock rounds."""

    def __init__(self, random: Random) -> None:
        self._random = random
        #: the value of a private company to this player, in percent of par
        self._likes: dict[str, int] = {}

    def private_turn(self, offer: Choices) -> Action:
        """Buy the cheapest, sometimes bid on a better one, otherwise pass."""
        table, seat = offer.table, offer.seat
        free = table.free_cash(seat)
        bids = [
            action
            for action, low, _ in offer.ranges(BidPrivate)
            if low <= self.limit(table, action.private) and free - low >= STARTING_MONEY
        ]
        if bids and self._random.random() < 0.5:
            bid = self._random.choice(bids)
            return offer.at(bid, amount=bid.amount + 5 * self._random.randrange(2))
        for buy in offer.of(BuyPrivate):
            if free - table.title.privates[buy.private].par >= 0:
                return buy
        return offer.ending

    def auction(self, offer: Choices) -> Action:
        """Raise while the private company is worth it."""
        assert isinstance(offer.frame, Auction)
        limit = self.limit(offer.table, offer.frame.private)
        for bid, low, _ in offer.ranges(BidPrivate):
            if low <= limit:
                return bid
        return offer.ending

    def parallel_bid(self, offer: Choices) -> Action:
        """A bid on what is worth it and has no higher own bid; later on all that is left."""
        table, seat = offer.table, offer.seat
        late = offer.state.round.number > 1
        bids = [
            action
            for action, low, _ in offer.ranges(BidPrivate)
            if not outbids_himself(table.at, action)
            and low <= self.limit(table, action.private)
            and (late or table.free_cash(seat) - low >= STARTING_MONEY)
        ]
        if bids and (late or self._random.random() < 0.8):
            return bids[0] if late else self._random.choice(bids)
        back = offer.of(TakeBack)
        return back[0] if back and self._random.random() < 0.5 else offer.ending

    def limit(self, table: Table, private: str) -> int:
        """The value of a private company to this player, in dollars."""
        percent = self._likes.setdefault(private, self._random.randrange(_FROM, _TO))
        return table.title.privates[private].par * percent // 100

    @staticmethod
    def founding(offer: Choices) -> Action:
        """The highest par; if a company gets money only for sold shares, one that floats it."""
        pars = sorted(offer.of(Par), key=lambda par: par.price)
        if offer.title.facts.stock.capital != "bought":
            return pars[-1]
        cash = offer.table.free_cash(offer.seat)
        missing = _shares_to_float(offer.table, pars[0].company) - 2
        return next((par for par in reversed(pars) if missing * par.price <= cash), pars[0])

    def stock_turn(self, offer: Choices) -> Action:
        """Float the own company first, then start one, then buy the best share; sell bad ones."""
        sale = self._sale(offer)
        if sale:
            return sale
        own = self._float_own(offer) or self._start(offer)
        if own:
            return own
        shares = [(self.score(offer.table, buy), buy) for buy in offer.of(BuyShare)]
        good = [entry for entry in shares if entry[0] > 0]
        if good:
            return max(good, key=lambda entry: entry[0])[1]
        if offer.seat not in offer.state.presidents.values() and self._random.random() < 0.15:
            trade = self._trade(offer)
            if trade:
                return trade
        bonds = offer.of(BuyBond)
        return bonds[0] if bonds else offer.ending

    def _float_own(self, offer: Choices) -> Action | None:
        """A share of an own company that does not operate yet."""
        state = offer.state
        for buy in offer.of(BuyShare):
            waits = buy.company not in state.floated and buy.source == OFFERING
            if waits and state.presidents.get(buy.company) == offer.seat:
                return buy
        return None

    def _start(self, offer: Choices) -> Action | None:
        """A new company, at the highest par that can be carried to its start."""
        state, table, seat = offer.state, offer.table, offer.seat
        pars = offer.of(Par)
        mine = [c for c, president in state.presidents.items() if president == seat]
        if not pars or any(c not in state.floated for c in mine):
            return None
        cash = state.cash[seat]
        alone = [
            par
            for par in pars
            if par.price * _shares_to_float(table, par.company) <= cash + 20 * len(mine)
        ]
        if not alone and (mine or cash < STARTING_MONEY):
            return None
        price = max((par.price for par in alone), default=min(par.price for par in pars))
        if state.round.number > 2:
            price = max(price, self._dear(table, cash, pars[0].company))
        fitting = [par for par in pars if par.price == price]
        return self._random.choice(fitting) if fitting else None

    @staticmethod
    def _dear(table: Table, cash: int, company: CompanyId) -> int:
        """The highest par with affordable first shares: later trains are expensive."""
        shares = _shares_to_float(table, company)
        return max((p for p in table.title.chart.pars if p * shares <= cash), default=0)

    def score(self, table: Table, buy: BuyShare) -> float:
        """The value of a share: its dividends of some rounds, the possible gain of its price."""
        company, state = buy.company, table.at
        price = cost(table, company, buy.source)
        value = table.price(company)
        paid = _HORIZON * state.earned.get(company, 0) * table.share(company) / 100
        gain = 2 * (value - price)
        mine = state.presidents.get(company) == buy.by
        if company not in state.floated:
            missing = table.percent(company, OFFERING) - (100 - float_percent(table, company))
            paid += 60 - missing + 40 * mine
        elif not state.trains.get(company):
            paid -= 40
        return (paid + gain + 15 * mine - 0.25 * price) * (0.8 + 0.4 * self._random.random())

    def _sale(self, offer: Choices) -> Action | None:
        """A sale over the limit, or sometimes of a share that earns nothing."""
        sales = offer.of(SellShares)
        forced = bool(sales) and not offer.can_end
        if forced:
            return min(
                sales, key=lambda sale: (self._keeps(offer.table, sale.company), -sale.shares)
            )
        state = offer.state
        bad = [
            sale
            for sale in sales
            if state.presidents.get(sale.company) != offer.seat
            and sale.company in state.floated
            and not state.earned.get(sale.company)
            and offer.table.percent(sale.company, MARKET) < 30
        ]
        return self._random.choice(bad) if bad and self._random.random() < 0.12 else None

    @staticmethod
    def _keeps(table: Table, company: CompanyId) -> int:
        return table.at.earned.get(company, 0) + 5 * table.price(company)

    def _trade(self, offer: Choices) -> Action | None:
        """Offer the next player a private company that no own company will buy, above par."""
        table, seat = offer.table, offer.seat
        for private in table.privates_of(seat):
            price = table.title.privates[private].par * 11 // 10
            trade = TradePrivate(
                by=seat, private=private, seller=seat, buyer=table.after(seat), price=price
            )
            if why_not(table.title, offer.state, trade) is None:
                return trade
        return None


def private_for(offer: Choices, company: CompanyId, ask: Ask) -> Action | None:
    """Sell the company an own private company at the highest price; buy another's at a good one."""
    table, seat = offer.table, offer.seat
    cash = offer.state.cash[company]
    owned = len(offer.state.trains.get(company, ()))
    train = table.cheapest_bank_train()
    spare = cash - (train.price if train and owned < 2 else 0)
    for action, low, high in offer.ranges(TradePrivate):
        if action.seller == seat and low <= spare:
            return offer.at(action, price=min(high, spare))
        wanted = table.title.privates[action.private].power is not None
        price = table.title.privates[action.private].par * 5 // 4
        if wanted and low <= price <= min(high, spare) and ask(action.private):
            return offer.at(action, price=price)
    return None


def _shares_to_float(table: Table, company: CompanyId) -> int:
    return float_percent(table, company) // SHARE


def outbids_himself(state: State, action: Action) -> bool:
    """Whether an action raises its player's own highest bid, which ties up money for nothing."""
    if not isinstance(action, BidPrivate):
        return False
    best = max(state.bids.get(action.private, ()), key=lambda bid: bid.amount, default=None)
    return best is not None and best.seat == action.by

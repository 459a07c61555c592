"""A bot that plays sensibly: floats companies, builds, runs, and buys trains in time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine import State, Title
from engine.actions import (
    Action,
    BuyTrain,
    DiscardTrain,
    Dividend,
    NameTrain,
    Run,
)
from engine.facts.powers import DiscountPower
from engine.flow import why_not
from engine.notation.position import turn_company
from engine.position.frames import (
    Auction,
    CityChoice,
    Discard,
    FireSale,
    Founding,
    Home,
    MergerStations,
    ParallelAuction,
    PrivateTurn,
    Protection,
    Question,
    Running,
    Stations,
    StockTurn,
    Swap,
    Track,
    Trains,
)
from engine.position.table import Table
from engine.position.values import MARKET, OFFERING, CompanyId, Seat
from engine.proposals import PrivateSale, StationSale, TrainSale
from engine.runs.best.search import best_run
from engine.steps import STEPS
from service.workshop.practice import answers, building, finance, investing, lending
from service.workshop.practice.choices import Choices

#: the steps of a best-run search that a guess may cost
_BUDGET = 20_000
#: dollars a round that another train must earn before the bot buys it
_GAIN = 20


class SensibleBot:
    """Plays to win without much foresight; most games end by the bank or by the price."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._investor = investing.Investor(self._random)
        #: things that were already offered to others, by round
        self._asked: set[tuple[str, str, str]] = set()

    def choose(self, title: Title, state: State, seat: Seat) -> Action:
        """The bot's action."""
        offer = Choices(title, state, seat)
        way = _WAYS.get(type(offer.frame))
        if way is not None:
            return way(self, offer)
        if STEPS[type(offer.frame)].in_turn:
            return self._operate(offer, turn_company(state))
        return offer.first

    def _operate(self, offer: Choices, company: CompanyId) -> Action:
        """The next step of a company's turn."""
        frame = offer.frame
        action = self._at_any_time(offer, company)
        if action is None and isinstance(frame, Track):
            action = building.tile(offer, company)
        if action is None and isinstance(frame, Track | Stations):
            action = building.station(offer, company)
        if action is None and isinstance(frame, Track | Stations | Running):
            action = max(offer.of(Run), key=lambda run: len(run.runs), default=None)
        if action is None and not isinstance(frame, Trains):
            action = self._dividend(offer, company)
        if action is None:
            action = self._train(offer, company) or finance.settle(offer, company)
        return action or (offer.ending if offer.can_end else offer.first)

    # private companies, markers, names

    def _at_any_time(self, offer: Choices, company: CompanyId) -> Action | None:
        return (
            investing.private_for(offer, company, lambda thing: self._ask(offer, thing))
            or lending.power(offer, company, lambda thing: self._ask(offer, thing))
            or self._name(offer, company)
        )

    def _ask(self, offer: Choices, thing: str) -> bool:
        """Whether nobody asked this in this round before."""
        asked = (str(offer.state.round), thing, offer.seat)
        fresh = asked not in self._asked
        self._asked.add(asked)
        return fresh

    def _name(self, offer: Choices, company: CompanyId) -> Action | None:
        """A name for the train that goes farthest, once."""
        trains = offer.state.trains.get(company, ())
        if not trains:
            return None
        best = max(trains, key=lambda train: offer.title.trains[train].price)
        for mark in offer.state.marks:
            if mark.company == company and not mark.train:
                name = NameTrain(by=offer.seat, company=company, name=mark.kind, train=best)
                if why_not(offer.title, offer.state, name) is None:
                    return name
        return None

    # revenue

    def _dividend(self, offer: Choices, company: CompanyId) -> Action | None:
        """Pay out, unless the company must save for a train that it needs soon."""
        choices = offer.of(Dividend)
        if not choices:
            return None
        kind = self._kind(offer.table, company) if self._saves(offer.table, company) else "pay"
        known: dict[str, Dividend] = {choice.kind: choice for choice in choices}
        return known.get(kind) or known["withhold"]

    @staticmethod
    def _kind(table: Table, company: CompanyId) -> str:
        """Pay half if the other half is enough for the next train."""
        half = table.at.earned.get(company, 0) // 2
        short = finance.next_train(table, company) - table.at.cash[company]
        return "half" if 0 < short <= half else "withhold"

    def _saves(self, table: Table, company: CompanyId) -> bool:
        """Whether the last train goes soon and the money for the next is not there."""
        coming = table.cheapest_bank_train()
        if coming is None:
            return False
        lasting = [t for t in table.at.trains.get(company, ()) if not self._leaves(table, t)]
        short = coming.price - table.at.cash[company]
        president = table.at.cash[table.operator(company)]
        return not lasting and short > 0 and (short > president or self._random.random() < 0.6)

    @staticmethod
    def _leaves(table: Table, train: str) -> bool:
        """Whether the train leaves with one of the next two types."""
        kind = table.title.trains[train]
        phase = table.title.phases.get(kind.removed_on or kind.obsolete_on)
        offered = list(dict.fromkeys(table.at.trains[OFFERING]))
        return (phase is not None and phase.on in offered[:2]) or table.obsolete(train)

    # trains

    def _train(self, offer: Choices, company: CompanyId) -> Action | None:
        """Buy a train that pays or is required, or raise the money for it."""
        owned = offer.state.trains.get(company, ())
        buys = offer.of(BuyTrain)
        bank = [buy for buy in buys if buy.source in (OFFERING, MARKET)]
        forced = not offer.can_end
        sister = self._from_company(offer, company) if not owned or forced else None
        if sister:
            return sister
        way_out = finance.merger(offer) or finance.put_up(offer) if forced else None
        if way_out:
            return way_out
        useful = [buy for buy in bank if forced or self._gain(offer.table, company, buy) >= _GAIN]
        if useful:
            return min(useful, key=lambda buy: (buy.price, buy.source))
        if not forced:
            return self._from_company(offer, company) if len(owned) < 2 else None
        # what is left is to sell shares, as many as possible, and then bankruptcy
        last = [way for way in offer.every if way.owed and not isinstance(way, BuyTrain)]
        first = min((way.owed for way in last), default=0)
        return next((way for way in reversed(last) if way.owed == first), offer.first)

    @staticmethod
    def _gain(table: Table, company: CompanyId, buy: BuyTrain) -> int:
        """The dollars per round of one more train; more for one that lasts."""
        owned = table.at.trains.get(company, ())
        staying = [train for train in owned if not SensibleBot._leaves(table, train)]
        with_it = best_run(table, company, (*staying, buy.train), _BUDGET).total
        without = best_run(table, company, staying, _BUDGET).total if staying else 0
        return with_it - without

    def _from_company(self, offer: Choices, company: CompanyId) -> Action | None:
        """Buy a train of another company: of an own one cheaply, of another's for a good price."""
        table = offer.table
        for buy, low, high in offer.ranges(BuyTrain):
            face = table.title.trains[buy.train].price
            spares = len(offer.state.trains.get(buy.source, ())) > 1
            if not spares or self._leaves(table, buy.train):
                continue
            price = max(low, min(face * 3 // 4, high))
            own = offer.state.presidents.get(buy.source) == offer.seat
            fair = price * 2 >= face and self._gain(table, company, buy) * 5 >= price
            if own or (fair and self._ask(offer, f"{buy.source} {buy.train}")):
                return offer.at(buy, price=price)
        return None

    def _discard(self, offer: Choices) -> Action:
        """The train that is worth least."""
        trains = offer.title.trains
        return min(offer.of(DiscardTrain), key=lambda d: (trains[d.train].price, d.company))

    # answers

    @staticmethod
    def _answer(offer: Choices) -> Action:
        """Decide by the price: sell above the value, buy below it."""
        assert isinstance(offer.frame, Question)
        what = offer.frame.proposal
        if offer.first.declines:
            yes = False
        elif isinstance(what, PrivateSale | TrainSale):
            yes = _is_fair(offer, what)
        elif isinstance(what, StationSale):
            # a company that must buy a train needs the money more than the space
            yes = not offer.table.at.trains.get(what.seller)
        else:
            yes = lending.lends(offer.table, offer.seat, what)
        return offer.first if yes else offer.declining


def _is_fair(offer: Choices, sale: PrivateSale | TrainSale) -> bool:
    """Whether the price is good for the player who is asked."""
    selling = offer.table.agent(sale.seller) == offer.seat
    if isinstance(sale, TrainSale):
        face = offer.title.trains[sale.train].price
        return sale.price * 5 >= face * 3 if selling else sale.price <= face
    facts = offer.title.privates[sale.private]
    held = isinstance(facts.power, DiscountPower)
    if selling:
        return sale.price >= facts.par * (6 + held) // 5
    return sale.price * 10 <= facts.par * 11


#: decision → the bot's function for it; other decisions are an ordinary step of a company's turn,
#: or take the first legal answer
_WAYS: dict[type, Callable[[SensibleBot, Choices], Action]] = {
    PrivateTurn: lambda bot, offer: bot._investor.private_turn(offer),
    Auction: lambda bot, offer: bot._investor.auction(offer),
    StockTurn: lambda bot, offer: (
        finance.redemption(offer, bot._random) or bot._investor.stock_turn(offer)
    ),
    ParallelAuction: lambda bot, offer: bot._investor.parallel_bid(offer),
    Protection: lambda bot, offer: answers.kept_price(offer),
    Swap: lambda bot, offer: answers.exchange(offer),
    Founding: lambda bot, offer: bot._investor.founding(offer),
    Question: lambda bot, offer: bot._answer(offer),
    FireSale: lambda bot, offer: finance.lot(offer),
    Discard: lambda bot, offer: bot._discard(offer),
    MergerStations: lambda bot, offer: finance.kept_station(offer) or offer.ending,
    Home: lambda bot, offer: building.home(offer),
    CityChoice: lambda bot, offer: building.home(offer),
}

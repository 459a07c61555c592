"""A company pays another to remove its token, and places its own there.

Both presidents must agree. Bases are never sold (18MW Purchase of Tokens, R34).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.actions import BuyStation
from engine.events import StationSold
from engine.options import Choice, Option
from engine.position.frames import StationTrade
from engine.position.values import BANK, Seat
from engine.proposals import StationSale
from engine.runs.connections import pass_token
from engine.steps.base import CompanyStep, not_its_turn
from engine.steps.judging.places import NOT_CONNECTED, why_not_again
from engine.steps.judging.station_cost import station_cost
from engine.steps.questions.asking import ask
from engine.track.network import reach

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.position.values import CompanyId
    from engine.refusal import Refusal
    from engine.track.ground import Place


class StationTradeStep(CompanyStep[StationTrade]):
    """After its trains a company may buy a token of another, instead of placing one."""

    frame = StationTrade
    deciding = "the company has bought its trains; it may buy a token of another company"
    verbs = (BuyStation,)

    def enter(self, draft: Draft, frame: StationTrade) -> None:
        """Go on if no token can be bought."""
        table = draft.table
        buys = (o.action for o in self.candidates(table, frame) if isinstance(o, Choice))
        if not any(
            isinstance(buy, BuyStation) and self.why_not(table, frame, buy) is None for buy in buys
        ):
            draft.pop()

    def candidates(self, table: Table, frame: StationTrade) -> Iterator[Option]:
        """Every token of another company that track leads to."""
        company = frame.company
        by = table.operator(company)
        there = reach(table, company).stops
        if table.has_stationed(company) or not table.at.charters[company]:
            return
        for hex_, stop in sorted(there):
            sellers = (s.company for s in table.at.stations.get(hex_, ()) if s.stop == stop)
            for seller in dict.fromkeys(sellers):
                if seller != company:
                    yield Choice(
                        BuyStation(by=by, company=company, source=seller, hex=hex_, stop=stop)
                    )

    def why_not(self, table: Table, frame: StationTrade, action: BuyStation) -> Refusal | None:
        """Require another company's token, not its base, where the buyer may place its own."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        company, seller, key = action.company, action.source, "station trade"
        if seller not in table.title.companies or seller == company:
            return table.refuse(key, "name", f"{company} buys tokens of other companies")
        place = (action.hex, action.stop)
        if place not in table.stations_of(seller):
            where = table.place(action.hex) if action.hex in table.title.hexes else action.hex
            return table.refuse(key, "place", f"{seller} has no token in {where}")
        if place not in for_sale(table, seller):
            text = f"The token of {seller} in {table.place(action.hex)} is its base"
            return table.refuse(key, "place", text, "A base is never sold.")
        for one in (company, seller):
            if one in table.at.receivers:
                text = f"{one} is in receivership and neither buys nor sells tokens"
                return table.refuse("receivership", "presidency", text)
        return why_not_take(table, key, company, place, table.title.facts.operating.station_trade)

    def play(self, draft: Draft, frame: StationTrade, action: Action) -> None:
        """Carry the sale out if one player decides for both; otherwise ask the other president."""
        assert isinstance(action, BuyStation)
        sale = StationSale(action.source, action.company, action.hex, action.stop)
        asked = draft.table.agent(action.source)
        assert asked is not None
        if asked == action.by:
            carry_out(draft, sale)
        else:
            ask(draft, asked, action.by, sale)


def station_offer(sale: StationSale, by: Seat) -> BuyStation:
    """The action that offers this sale."""
    return BuyStation(by=by, company=sale.buyer, source=sale.seller, hex=sale.hex, stop=sale.stop)


def for_sale(table: Table, seller: CompanyId) -> list[Place]:
    """The cities of a company's tokens, without its bases."""
    places = list(table.stations_of(seller))
    for home in table.homes(seller):
        base = next((place for place in places if place[0] == home), None)
        if base:
            places.remove(base)
    return places


def why_not_take(
    table: Table, key: str, buyer: CompanyId, place: Place, price: int
) -> Refusal | None:
    """Refuse a company that may not place its token there, or cannot pay the price."""
    if buyer not in table.at.floated or not table.at.charters[buyer]:
        return table.refuse("station", "supply", f"{buyer} has no token left")
    if table.has_stationed(buyer):
        text = f"{buyer} has placed or bought its one token of this round"
        return table.refuse("station", "limit", text)
    if refusal := why_not_again(table, buyer, place[0]):
        return refusal
    where = table.place(place[0])
    if place not in reach(table, buyer).stops:
        text = NOT_CONNECTED.format(company=buyer, place=where)
        return table.refuse("station connection", "track", text)
    cost, cash = station_cost(table, buyer, place), table.at.cash[buyer]
    if price + cost > cash:
        text = (
            f"{buyer} has {table.money(cash)}, not {table.money(price)} "
            f"and {table.money(cost)} to the bank for the place in {where}"
        )
        most = max(cash - cost, 0)
        return table.refuse(key, "money", text, f"At most {table.money(most)} can be paid for it.")
    return None


def carry_out(draft: Draft, sale: StationSale) -> None:
    """Carry the sale out at the price of the rulebook."""
    price = draft.title.facts.operating.station_trade
    take_station(draft, sale.seller, sale.buyer, (sale.hex, sale.stop), price)
    draft.pop()


def take_station(
    draft: Draft, seller: CompanyId, buyer: CompanyId, place: Place, price: int
) -> None:
    """Pay the seller for the place, and the bank for the buyer's token of the round."""
    cost = station_cost(draft.table, buyer, place)
    draft.pay(buyer, seller, price)
    draft.pay(buyer, BANK, cost)
    if place[0] in draft.title.token_hexes:
        pass_token(draft, seller, buyer, place[0])
    draft.take_place(place[0], seller, buyer)
    draft.note_station(buyer)
    draft.record(StationSold(seller, place[0], buyer, price, cost))

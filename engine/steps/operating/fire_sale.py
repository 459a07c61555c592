"""Fire sales: a company that must buy a train auctions shares of its treasury, then tokens.

The president chooses what to offer, and the other players bid (18MW Mandatory Train Purchase).
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, BidLot, OfferShare, OfferStation
from engine.events import LotBid, LotOffered, LotSold, LotUnsold, Passed
from engine.options import Choice, Option, Range
from engine.play.shares import fall, holdings, settle_presidency
from engine.position.codec import encode
from engine.position.draft import Draft
from engine.position.frames import FireSale, Trains
from engine.position.table import Table
from engine.position.values import BANK, MARKET, CompanyId, Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts, Step, not_its_turn
from engine.steps.judging.distress import (
    bank_pays,
    dearest_station,
    least_bid,
    next_share,
    next_stations,
    why_not_own_money,
)
from engine.steps.judging.forced import must_buy, no_emergency
from engine.steps.judging.offers import own_way
from engine.steps.judging.station_cost import station_cost
from engine.steps.operating.station_trade import take_station, why_not_take
from engine.track.ground import Place
from engine.track.network import reach
from engine.wording import halves


class FireSaleOffers(Acts):
    """The president offers shares of the treasury, then any number of tokens."""

    verbs = (OfferShare, OfferStation)

    def candidates(self, table: Table, frame: Trains) -> Iterator[Option]:
        """The next share, and each token from any starting price."""
        company = frame.company
        by = table.operator(company)
        yield Choice(OfferShare(by=by, company=company))
        for hex_ in next_stations(table, frame):
            action = OfferStation(by=by, company=company, hex=hex_, price=1)
            yield Range(action, "price", 1, dearest_station(table, company))

    def why_not(self, table: Table, frame: Trains, action: Action) -> Refusal | None:
        """Require a train that the treasury cannot pay for; shares come before tokens."""
        assert isinstance(action, OfferShare | OfferStation)
        company, share = frame.company, isinstance(action, OfferShare)
        key = "redeemed shares" if share else "station for sale"
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if not must_buy(table, company):
            text = f"{company} offers shares and tokens only for a train that it must buy"
            return table.refuse(key, "order", text)
        if own := own_way(table, company):
            return no_emergency(table, key, company, own)
        if isinstance(action, OfferShare):
            if next_share(table, frame):
                return None
            text = f"{company} has no share of its own left to offer"
            return table.refuse(key, "amount", text)
        return why_not_own_money(table, frame) or _why_not_station(table, frame, action)

    def play(self, draft: Draft, frame: Trains, action: Action) -> None:
        """Start the auction: the others bid, from the holder of the priority deal on."""
        company, table = frame.company, draft.table
        bidders = _bidders(table, company)
        if isinstance(action, OfferStation):
            sale = FireSale(company, bidders, action.price, hex=action.hex)
        else:
            percent = next_share(table, frame)
            sale = FireSale(company, bidders, least_bid(table, company, percent), percent)
        draft.record(LotOffered(company, sale.percent, sale.hex, sale.least, bidders))
        draft.push(sale)


def _bidders(table: Table, company: CompanyId) -> tuple[Seat, ...]:
    """All players but the president, from the holder of the priority deal on."""
    *others, first = table.clockwise(table.at.priority)
    president = table.at.presidents[company]
    return tuple(seat for seat in (first, *others) if seat != president)


def _why_not_station(table: Table, frame: Trains, action: OfferStation) -> Refusal | None:
    """Require a token on the board other than the base, at a price that somebody could pay."""
    key, company, hex_ = "station for sale", frame.company, action.hex
    if hex_ not in table.title.hexes:
        return table.refuse(key, "name", f"There is no hex {hex_} on the map")
    if frame.smallest:
        text = f"{action.by} has sold stock, the fire sale of {company} is over"
        return table.refuse(key, "order", text)
    left = next_stations(table, frame)
    if hex_ not in left:
        text = f"{company} has no token in {table.place(hex_)}"
        if hex_ in frame.unsold:
            text = f"Nobody wanted the token of {company} in {table.place(hex_)}"
        elif hex_ in {there for there, _ in table.stations_of(company)}:
            text = f"{company} never sells its base"
        places = ", ".join(map(table.place, left))
        return table.refuse(key, "place", text, f"It may offer {places}." if left else "")
    most = dearest_station(table, company)
    if not 1 <= action.price <= most:
        text = f"Bids begin at $1 or more, and no other company has more than {table.money(most)}"
        return table.refuse(key, "money", text)
    return None


class FireSaleStep(Step[FireSale]):
    """Players bid in turn until all but one have passed; a pass is for good."""

    frame = FireSale
    deciding = "a company sells what it has for a train; bid or pass"
    verbs = (BidLot,)
    passes = True

    def key(self, frame: FireSale, now: Round) -> str:
        """Each bid is a decision of its own."""
        return encode(frame).decode()

    def enter(self, draft: Draft, frame: FireSale) -> None:
        """Pass for a player who cannot bid; the last bidder gets what is offered."""
        if frame.bidders in ((), (frame.high,)):
            draft.pop()
            _settle(draft, frame)
        elif not draft.title.facts.waits_without_choice and not self._can_bid(draft.table, frame):
            self.leave(draft, frame)

    def _can_bid(self, table: Table, frame: FireSale) -> bool:
        bids = (o.action for o in self.candidates(table, frame) if isinstance(o, Range))
        return any(self.why_not(table, frame, bid) is None for bid in bids)

    def actors(self, table: Table, frame: FireSale) -> tuple[Seat, ...]:
        """The next of the bidders who are left."""
        return frame.bidders[:1]

    def candidates(self, table: Table, frame: FireSale) -> Iterator[Option]:
        """A bid, for a token with each company of the player."""
        seat, low = frame.bidders[0], lowest_bid(table, frame)
        if frame.hex:
            for buyer, president in table.at.presidents.items():
                if president == seat:
                    bid = BidLot(by=seat, amount=low, buyer=buyer)
                    yield Range(bid, "amount", low, most_for(table, frame, buyer))
        else:
            yield Range(BidLot(by=seat, amount=low), "amount", low, table.at.cash[seat])

    def why_not(self, table: Table, frame: FireSale, action: Action) -> Refusal | None:
        """Require half the market value or the asked price, then a step more; within all limits."""
        assert isinstance(action, BidLot)
        key, low = "station for sale" if frame.hex else "redeemed shares", lowest_bid(table, frame)
        if action.amount < low:
            return table.refuse(
                key, "money", f"A bid must be at least {table.money(low)}", f"`bid {low}`."
            )
        if frame.hex:
            return _why_not_buyer(table, frame, action)
        if action.buyer:
            text = f"Players bid on a share of {frame.company} for themselves"
            return table.refuse(key, "name", text, f"`bid {action.amount}`.")
        cash = table.at.cash[action.by]
        if action.amount > cash:
            return table.refuse(
                key,
                "money",
                f"{action.by} has {table.money(cash)}, not {table.money(action.amount)}",
            )
        return why_not_hold(table, action.by, frame.company, frame.percent)

    def play(self, draft: Draft, frame: FireSale, action: Action) -> None:
        """Record the bid, until somebody raises it."""
        assert isinstance(action, BidLot)
        draft.record(LotBid(action.by, action.amount, action.buyer))
        bidders = (*frame.bidders[1:], action.by)
        high, buyer, amount = action.by, action.buyer, action.amount
        draft.replace(replace(frame, bidders=bidders, high=high, buyer=buyer, amount=amount))

    def leave(self, draft: Draft, frame: FireSale) -> None:
        """Pass, which is for good."""
        draft.record(Passed(frame.bidders[0]))
        draft.replace(replace(frame, bidders=frame.bidders[1:]))


def lowest_bid(table: Table, frame: FireSale) -> int:
    """The least that the next bid must be."""
    facts = table.title.facts.fire_sale
    assert facts is not None
    return frame.amount + facts.step if frame.high else frame.least


def why_not_hold(table: Table, seat: Seat, company: CompanyId, percent: int) -> Refusal | None:
    """Refuse one more certificate that takes a player over a limit."""
    held, most = table.percent(company, seat), table.player_limit(company)
    if held + percent > most:
        text = f"{seat} holds {held}% of {company}, nobody may have over {most}%"
        return table.refuse("player limit", "limit", text)
    limit, own = table.certificate_limit(), table.certificates(seat)
    more = table.halves(company, (percent,)) / 2
    if table.counts(company) and own + more > limit:
        text = f"{seat} holds {halves(own)} certificates, the limit is {limit}"
        return table.refuse("certificate limit", "limit", text)
    return None


def _place(table: Table, frame: FireSale) -> Place:
    """The city of the token that is offered."""
    there = table.at.stations[frame.hex]
    return frame.hex, next(s.stop for s in there if s.company == frame.company)


def most_for(table: Table, frame: FireSale, buyer: CompanyId) -> int:
    """The most that a company can bid on a token; it must pay the bank for its own token too."""
    place = _place(table, frame)
    if place not in reach(table, buyer).stops:
        return 0
    return table.at.cash[buyer] - station_cost(table, buyer, place)


def _why_not_buyer(table: Table, frame: FireSale, action: BidLot) -> Refusal | None:
    """Require a company of the bidder that may place a token there now, and can pay all."""
    key, buyer, place = "station for sale", action.buyer, _place(table, frame)
    mine = [c for c, seat in table.at.presidents.items() if seat == action.by]
    if buyer not in mine:
        text = f"{action.by} bids on the token for one of their companies"
        return table.refuse(key, "name", text, f"They are {', '.join(mine)}." if mine else "")
    return why_not_take(table, key, buyer, place, action.amount)


def _settle(draft: Draft, frame: FireSale) -> None:
    """The high bidder pays the treasury; the bank pays the least for a share nobody wants."""
    if frame.hex and frame.high:
        _sell_station(draft, frame)
    elif frame.high:
        _sell_share(draft, frame, frame.high, frame.amount)
    elif frame.percent and _bank_takes(draft.table, frame):
        _sell_to_bank(draft, frame)
    else:
        draft.record(LotUnsold(frame.company, frame.hex))
        turn = draft.stack[-1]
        assert isinstance(turn, Trains)
        draft.replace(replace(turn, unsold=(*turn.unsold, frame.hex or frame.company)))


def _bank_takes(table: Table, frame: FireSale) -> bool:
    """Whether the open market has room for the share."""
    there = table.percent(frame.company, MARKET)
    return there + frame.percent <= table.title.facts.stock.market_limit


def _sell_share(draft: Draft, frame: FireSale, buyer: Seat, amount: int) -> None:
    """Sell the share to a player, who may become president; the price does not change."""
    company = frame.company
    draft.pay(buyer, company, amount)
    draft.move_certificate(company, company, buyer, frame.percent)
    draft.record(LotSold(company, frame.percent, buyer, amount))
    settle_presidency(draft, company, holdings(draft.table, company))


def _sell_to_bank(draft: Draft, frame: FireSale) -> None:
    """Sell to the open market; the price falls as for any sale, but not for an odd half share."""
    company, table = frame.company, draft.table
    amount = bank_pays(table, company, frame.percent)
    draft.pay(BANK, company, amount)
    draft.move_certificate(company, company, MARKET, frame.percent)
    draft.record(LotSold(company, frame.percent, MARKET, amount))
    fall(draft, company, frame.percent)


def _sell_station(draft: Draft, frame: FireSale) -> None:
    """The buyer pays its bid and places its token of the round (18MW R26)."""
    place = _place(draft.table, frame)
    take_station(draft, frame.company, frame.buyer, place, frame.amount)

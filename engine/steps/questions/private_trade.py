"""Sales of private companies: between players in a stock turn (3.2(b), (c)), and to companies.

A company buys from players at any time of its turn (4.2.6). A president who lacks the money for a
train may sell to players there (4.2.5.2(d)).
"""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, TradePrivate
from engine.facts.facts import FirstRoundSale
from engine.facts.powers import SharePower
from engine.options import Open, Option, Range
from engine.position.draft import Draft
from engine.position.frames import OperatingRound, StockTurn, Trains
from engine.position.table import Table
from engine.position.values import MARKET, PrivateId, Seat
from engine.proposals import PrivateSale
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn
from engine.steps.judging.forced import must_buy, shortfall
from engine.steps.questions.asking import propose
from engine.steps.stock.purchase import why_not_yet
from engine.steps.stock.selling import why_sales_are_over

BUYERS_TURN = "A private company is bought on the turn of its buyer, not of {player}"


class PlayerTrades(Acts):
    """Propose the sale of a private company to another player, or its purchase."""

    verbs = (TradePrivate,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """A hint: there are too many prices to list."""
        if hint := how_to_trade(table, frame.seat):
            yield Open(TradePrivate, hint)

    def why_not(self, table: Table, frame: StockTurn, action: TradePrivate) -> Refusal | None:
        """Judge private companies between players; in most titles a move of the turn (3.2(b),
        (c))."""
        buying, key = action.buyer == frame.seat, "private between players"
        stock = table.title.facts.stock
        if not (stock.player_sales or stock.player_purchases):
            text = "Players sell no private companies to each other in this game"
            return table.refuse(key, "place", text)
        if not buying and not stock.player_sales:
            return table.refuse(key, "turn", BUYERS_TURN.format(player=frame.seat))
        if action.seller == action.buyer or frame.seat not in (action.seller, action.buyer):
            return table.refuse(key, "turn", f"On this turn {frame.seat} buys or sells")
        if not (table.is_player(action.seller) and table.is_player(action.buyer)):
            text = "In a stock round private companies change hands between players only"
            return table.refuse(key, "place", text)
        if stock.player_sales_beside and (no := why_not_beside(table, frame, action)):
            return no
        if refusal := why_not_between_players(table, action):
            return refusal
        if stock.player_sales_beside:
            return None
        if not stock.player_sales and (no := _why_not_brought_again(table, action)):
            return no
        if not buying:
            return why_sales_are_over(table, frame)
        if frame.bought:
            text = f"{frame.seat} has made the one purchase of this turn"
            return table.refuse("one purchase", "order", text)
        return why_not_yet(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Ask the other player."""
        assert isinstance(action, TradePrivate)
        sale = PrivateSale(action.private, action.seller, action.buyer, action.price)
        propose(draft, action.by, sale)


def private_offer(sale: PrivateSale, by: Seat) -> TradePrivate:
    """The action that offers this sale."""
    return TradePrivate(
        by=by, private=sale.private, seller=sale.seller, buyer=sale.buyer, price=sale.price
    )


def how_to_trade(table: Table, seat: Seat) -> str:
    """How a player can trade private companies on a turn now; "" if nothing can be traded."""
    stock = table.title.facts.stock
    owners = {owner for owner in table.at.privates.values() if table.is_player(owner)}
    if not stock.player_sales or stock.player_sales_beside:
        owners -= {seat}  # a turn may buy from its player, not sell
    if not owners or not (stock.player_sales or stock.player_purchases):
        return ""
    if stock.player_purchases and not stock.player_sales:
        return "`buy private NAME from PLAYER for PRICE`"
    if not stock.player_sales_beside:
        return "`sell private NAME to PLAYER for PRICE`, or buy one from a player"
    first = table.at.round.number == 1 and stock.no_sale_in_first_round
    return "" if first else "`buy private NAME from PLAYER for PRICE`"


NOT_THE_OWNER = "{private} belongs to {owner}, not {seller}"
LESS_MONEY = "{buyer} has {money}, not {price}"
AT_LIMIT = "{buyer} is at the certificate limit, and a private company counts toward it"


def why_not_between_players(table: Table, action: TradePrivate) -> Refusal | None:
    """Refuse a player's sale of a private company to another by owner, price or limit (3.2(b))."""
    key, private, buyer = "private between players", action.private, action.buyer
    owner = table.at.privates[private]
    if owner != action.seller:
        text = NOT_THE_OWNER.format(private=private, owner=owner, seller=action.seller)
        return table.refuse(key, "place", text)
    least = 0 if table.title.facts.stock.player_sales_beside else 1
    if action.price < least:
        text = f"The price is a whole number of dollars{' above 0' if least else ''}"
        return table.refuse(key, "money", text)
    if action.price > table.free_cash(buyer):
        money, price = table.money(table.free_cash(buyer)), table.money(action.price)
        text = LESS_MONEY.format(buyer=buyer, money=money, price=price)
        return table.refuse(key, "money", text)
    unlimited = table.title.facts.stock.player_purchases
    if not unlimited and table.certificates(buyer) + 1 > table.certificate_limit():
        text = AT_LIMIT.format(buyer=buyer)
        return table.refuse("certificate limit", "limit", text)
    return None


def why_not_beside(table: Table, frame: StockTurn, action: TradePrivate) -> Refusal | None:
    """Allow it on the buyer's turn, and not in the first stock round (18MW Private Companies)."""
    if table.at.round.number == 1 and table.title.facts.stock.no_sale_in_first_round:
        text = "Players sell no private companies in the first stock round"
        return table.refuse("first round", "order", text)
    if action.buyer != frame.seat:
        text = f"{action.private} is bought on the turn of {action.buyer}, not sold on this one"
        return table.refuse("private between players", "turn", text)
    return None


def _why_not_brought_again(table: Table, action: TradePrivate) -> Refusal | None:
    """Require the share again that the private company brings: it must be in the open market."""
    power = table.title.privates[action.private].power
    if not isinstance(power, SharePower) or table.percent(power.company, MARKET):
        return None
    text = f"{action.private} would bring its share again, which nobody has sold"
    return table.refuse("private between players", "power", text)


class CompanyPrivates(Acts):
    """A company buys private companies from players (4.2.6)."""

    verbs = (TradePrivate,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every private company of a player, at any price allowed."""
        company = frame.company
        by = table.operator(company)
        for private, owner in table.at.privates.items():
            wanted = may_buy_privates(table) and table.title.privates[private].for_companies
            if wanted and table.is_player(owner):
                low, high = price_range(table, private)
                action = TradePrivate(
                    by=by, private=private, seller=owner, buyer=company, price=low
                )
                yield Range(action, "price", low, min(high, table.at.cash[company]))
        if may_sell_for_aid(table, frame) and table.privates_of(by):
            yield Open(TradePrivate, "`sell private NAME to PLAYER for PRICE`")

    def why_not(self, table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
        """Refuse by phase or first operating round, by owner and by price."""
        players = table.is_player(action.buyer) and table.is_player(action.seller)
        if players and aid_by_privates(table):
            return _why_not_for_aid(table, frame, action)
        if refusal := not_its_turn(table, frame, action.buyer):
            return refusal
        key, private, company = "company buys private", action.private, action.buyer
        if company in table.at.receivers:
            text = f"{company} is in receivership and buys no private company"
            return table.refuse("receivership", "presidency", text)
        if not may_buy_privates(table):
            text = f"Companies cannot buy private companies in phase {table.at.phase}"
            return table.refuse(key, "phase", text)
        if not table.title.privates[private].for_companies:
            return table.refuse(key, "place", f"{private} is never sold to a company")
        owner = table.at.privates[private]
        if owner != action.seller or not table.is_player(owner):
            return table.refuse(key, "place", f"{private} belongs to {owner}, not to a player")
        if refusal := _why_not_first_round(table, action) or _why_not_instead(table, frame, action):
            return refusal
        low, high = price_range(table, private)
        if not low <= action.price <= high:
            span = (
                f"{table.money(low)} to {table.money(high)}"
                if low < high
                else f"exactly {table.money(low)}"
            )
            text = f"A company pays {span} for {private}"
            return table.refuse(key, "money", text)
        if action.price > table.at.cash[company]:
            text = (
                f"{company} has {table.money(table.at.cash[company])}, "
                f"not {table.money(action.price)}"
            )
            return table.refuse(key, "money", text)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Buy at once from its own president; otherwise ask the owner."""
        assert isinstance(action, TradePrivate)
        sale = PrivateSale(action.private, action.seller, action.buyer, action.price)
        propose(draft, action.by, sale)


def first_round_sale(table: Table) -> FirstRoundSale | None:
    """What the first operating round allows, while the phase allows nothing yet (4.2.6)."""
    now = table.at.round
    first = (now.kind, now.number, now.part) == ("OR", 1, 1)
    allowed = first and not table.phase.company_privates
    return table.title.facts.operating.first_round_sale if allowed else None


def may_buy_privates(table: Table) -> bool:
    """Whether companies may buy private companies now (4.2.6)."""
    return table.phase.company_privates or first_round_sale(table) is not None


def _why_not_first_round(table: Table, action: TradePrivate) -> Refusal | None:
    """Allow a number of sales in the first operating round, per company and player (4.2.6)."""
    sale = first_round_sale(table)
    if sale is None:
        return None
    key = "company buys private"
    done = next(f.private_sales for f in table.at.stack if isinstance(f, OperatingRound))
    if sum(buyer == action.buyer for _, buyer in done) >= sale.per_company:
        text = f"{action.buyer} has bought its private company of the first operating round"
        return table.refuse(key, "limit", text)
    if sum(seller == action.seller for seller, _ in done) >= sale.per_player:
        text = f"{action.seller} has sold the one private company of the first operating round"
        return table.refuse(key, "limit", text)
    return None


def price_range(table: Table, private: PrivateId) -> tuple[int, int]:
    """The lowest and highest price a company may pay, in whole dollars (4.2.6)."""
    par = table.title.privates[private].par
    sale = first_round_sale(table)
    usual = table.phase.private_price or table.title.facts.operating.private_price
    low, high = sale.price if sale else usual
    return max(1, -(-par * low // 100)), par * high // 100


def aid_by_privates(table: Table) -> bool:
    """Whether a president may sell private companies to players for a forced train (4.2.5.2(d))."""
    return table.title.facts.operating.aid_privates and table.title.facts.stock.player_sales


def may_sell_for_aid(table: Table, frame: Any) -> bool:  # noqa: ANN401
    """Whether a president may do so now, because money is missing for a forced train."""
    forced = isinstance(frame, Trains) and must_buy(table, frame.company)
    if not (forced and aid_by_privates(table)):
        return False
    return shortfall(table, frame.company, frame.smallest) > 0


def _why_not_for_aid(table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
    """Allow an own private company, to another player, up to what a sale of shares may leave."""
    key, by = "aid sale", action.by
    if not may_sell_for_aid(table, frame):
        text = "In an operating round players buy private companies only where a president lacks"
        return table.refuse(key, "order", f"{text} the money for a train that must be bought")
    if action.seller != by or action.buyer == by:
        return table.refuse(
            key, "turn", f"Only private companies of {by} are sold here, to other players"
        )
    if refusal := why_not_between_players(table, action):
        return refusal
    need = shortfall(table, frame.company, frame.smallest)
    if frame.smallest and action.price - need >= frame.smallest:
        text = (
            f"Only {table.money(need)} is missing, the sale "
            f"would leave {table.money(action.price - need)}"
        )
        hint = f"Ask for at most {table.money(need + frame.smallest - 1)}."
        return table.refuse(key, "amount", text, hint)
    return None


def _why_not_instead(table: Table, frame: Any, action: TradePrivate) -> Refusal | None:  # noqa: ANN401
    """Refuse a private company that brings a train, after a sale for the bank's train."""
    if not (isinstance(frame, Trains) and frame.smallest and table.at.trains.get(action.private)):
        return None
    text = f"{action.by} sold for the bank's cheapest train, which must be bought"
    return table.refuse("cheapest train", "order", text)

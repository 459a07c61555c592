"""Private companies that players sell to each other in a stock turn (3.2(b), (c))."""

from collections.abc import Iterator

from engine.actions import Action, TradePrivate
from engine.facts.powers import SharePower
from engine.options import Open, Option
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import MARKET, Seat
from engine.proposals import PrivateSale
from engine.refusal import Refusal
from engine.steps.base import Acts
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
            yield Open("private", hint)

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

"""Rules for private companies that players sell to each other; sells nothing."""

from engine.actions import TradePrivate
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import Seat
from engine.refusal import Refusal


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

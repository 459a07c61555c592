"""The parts of an email that only one player sees: their orders, expired orders, and notes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import engine
from engine import Event, Seat, State
from engine.events import (
    FerryActivated,
    MarkPlaced,
    ParSet,
    PhaseBegan,
    PriceMoved,
    StationMoved,
    StationPlaced,
    StationsReplaced,
    TileLaid,
)
from engine.wording import cut, listed
from service.desk.ahead.orders_given import order_row, with_notes
from service.games import orders
from service.games.choices import Images
from service.games.games import GameTable, Past, new_tiles
from service.games.orders import Book, GivenOrder, Trial
from service.games.votes import acts
from service.reports import PageLook
from service.reports.tables import Block, Lines, Pairs, Row
from service.said import YOUR_SECRET_ORDERS

#: most orders that an email lists; `orders` has all of them
_LISTED = 8
#: a command that answers whether to protect a price
_PROTECTS = re.compile(r"(?:protect|let)\b", re.IGNORECASE)
#: most characters of notes in an email
_NOTES = 1_500


@dataclass(frozen=True)
class Own:
    """A game after a change, to be shown to one player after the other.

    ``over`` are the orders that ended otherwise than planned, and that no note reports. A ``turn``
    email reports them, and the notes too.
    """

    table: GameTable
    book: Book
    over: Sequence[GivenOrder]
    state: State
    turn: bool
    #: whether something was taken back: no order acts before the next email of its player
    back: bool = False


YOUR_PRICES = "PRICES OF YOUR COMPANIES"
YOUR_NOTES = "YOUR NOTES"


def own_of(own: Own, seat: Seat) -> tuple[Block, ...]:
    """The blocks for a seat, () if there is nothing to show."""
    orders, notes = tuple(_orders(own, seat)), tuple(_notes(own, seat))
    found: list[Block] = []
    if orders:
        found.append(Pairs(YOUR_SECRET_ORDERS, orders))
    if prices := _prices(own, seat):
        found.append(Lines(YOUR_PRICES, (prices,)))
    if notes:
        found.append(Lines(YOUR_NOTES, notes))
    return tuple(found)


PROTECT_AHEAD = (
    "You are president of {companies}. When another player sells shares of your company, you are "
    "asked whether you buy them to protect the price. To answer in advance: `always protect "
    "{company} up to 400`, or `never protect`."
)


def _prices(own: Own, seat: Seat) -> str:
    """To a president in a stock round: how to protect prices in advance; "" if they have answered.

    Each sale of another player asks them (18MW Share Price Protection); an order saves these
    emails.
    """
    title, state = own.table.title, own.state
    mine = [c for c in title.companies if state.presidents.get(c) == seat]
    if not (title.facts.stock.protection and state.stack and state.round.kind == "SR" and mine):
        return ""
    said = (o for o in own.book.orders if o.seat == seat and _stands(own, o))
    if any(_PROTECTS.match(act.command) for o in said for act in acts(o.order)):
        return ""
    return PROTECT_AHEAD.format(companies=listed(mine), company=mine[0])


AND_MORE = "and {count} more: `orders` lists them"
STANDS_NO_MORE = "expired: {why}"
HAS_ENDED = "ended: {why}"


def _orders(own: Own, seat: Seat) -> Iterator[Row]:
    mine = sorted((o for o in own.book.orders if o.seat == seat), key=lambda o: o.number)
    alive = [order for order in mine if _stands(own, order)]
    for order in alive[:_LISTED]:
        yield with_notes(order, _asked_anew(order)) if _waits(own, order) else order_row(order)
    if len(alive) > _LISTED:
        yield Row("…", (AND_MORE.format(count=len(alive) - _LISTED),))
    for order in own.over if own.turn else ():
        if order.seat == seat:
            text = STANDS_NO_MORE if order.status == "over" else HAS_ENDED
            yield with_notes(order, (text.format(why=order.reason),))


def as_planned(order: GivenOrder) -> bool:
    """Whether the end of an order is no news: it has made all its moves, or it only passed."""
    if order.status == "done":
        return not order.reason
    return all(act.command == "pass" for act in acts(order.order))


def _waits(own: Own, order: GivenOrder) -> bool:
    """Whether an order would act, but waits because its player must decide again after an undo."""
    if not (own.back and own.turn and order.status == "open"):
        return False
    title, state = own.table.title, own.state
    here = order.seat in engine.to_act(title, state)
    return here and Trial(title, state, order.seat, own.table.next_number, own.book).plays(order)


WAITS = "waits, as you are asked again: `resume {number}` lets it act, `clear {number}` drops it."


def _asked_anew(order: GivenOrder) -> tuple[str, ...]:
    return (WAITS.format(number=order.number),)


def _stands(own: Own, order: GivenOrder) -> bool:
    """Whether an order is still valid; one whose time is over is marked when it is next tried."""
    if order.status == "suspended":
        return True
    return order.status == "open" and not orders.life_is_over(order, own.state, own.book.past)


def _notes(own: Own, seat: Seat) -> Iterator[str]:
    room = _NOTES
    for jotting in own.table.jottings if own.turn else ():
        if (jotting.seat, jotting.kind) != (seat, "note") or room <= 0:
            continue
        text = cut(jotting.text, room)
        yield text
        room -= len(text)


#: the events that change each picture, by the beginning of its name
_CHANGES: dict[str, tuple[type[Event], ...]] = {
    "map": (
        TileLaid,
        StationPlaced,
        StationMoved,
        StationsReplaced,
        MarkPlaced,
        FerryActivated,
    ),
    "market": (ParSet, PriceMoved),
    "tiles": (PhaseBegan,),
}


def look_for(
    images: Images, since: Sequence[Past], untold: Sequence[Past], first: bool
) -> PageLook:
    """The pictures that a player wants, with the tiles of ``since`` marked as new.

    A player who wants only changed pictures does not get the others again. ``untold`` is what
    happened after the last email. The ``first`` email has all pictures.
    """
    new = new_tiles(since)
    if images != "changed" or first:
        return PageLook(images != "off", new)
    events = [e for p in untold for e in p.events]
    changed = (n for n, kinds in _CHANGES.items() if any(isinstance(e, kinds) for e in events))
    return PageLook(True, new, frozenset(changed))

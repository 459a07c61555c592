"""Decides who may read orders and diaries: during the game only seals, at its end everything."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Seat
from service.games.games import GameTable
from service.reports.tables import FIRM, Block, Lines, Pairs, Row
from service.store import Jotting, OrderRow

#: the most rows of one answer
MOST = 20
#: the most of these rows in the last letter of a game
_LAST = 8


@dataclass(frozen=True)
class Kept:
    """The orders and diaries that one reader may see."""

    #: position at which an order was given, and its seal, without its seat
    seals: tuple[tuple[int, str], ...] = ()
    #: the orders with their texts and salts, once the game is over
    opened: tuple[OrderRow, ...] = ()
    #: the reader's own diary, and all of them once the game is over
    diaries: tuple[Jotting, ...] = ()


def kept(table: GameTable, reader: Seat, over: bool) -> Kept:
    """The orders and diaries that a seat may see; "" for a non-player, ``over`` after the end."""
    seals = tuple(sorted((row.given, row.seal) for row in table.orders))
    pages = (j for j in table.jottings if j.kind == "diary" and (over or j.seat == reader))
    return Kept(seals, table.orders if over else (), tuple(pages))


def orders_block(known: Kept, start: int = 1, most: int = MOST) -> tuple[Block, ...]:
    """The advance orders from the ``start``-th on, as texts or as seals."""
    if not known.seals:
        return (Lines("ADVANCE ORDERS", ("None was given.",)),)
    rows = [*_opened(known.opened)] if known.opened else [*_sealed(known.seals)]
    heading = "ADVANCE ORDERS, OPENED" if known.opened else "ADVANCE ORDERS, SEALED"
    block = Pairs(heading, (*_part(rows, start, most, "history orders"),))
    return (block, Lines("", _CHECK if known.opened else _SEALED))


def diary_block(known: Kept, start: int = 1, most: int = MOST) -> tuple[Block, ...]:
    """The diaries that a reader may see, from the ``start``-th page on."""
    rows = [Row(f"{page.seat} #{page.number}", (page.text,)) for page in known.diaries]
    if not rows:
        return (Lines("DIARIES", ("There is no page that you may read.",)),)
    return (Pairs("DIARIES", tuple(_part(rows, start, most, "history diary"))),)


def at_the_end(known: Kept) -> tuple[Block, ...]:
    """The blocks that the last letter of a game reveals, if it has room for them."""
    orders = orders_block(known, most=_LAST) if known.seals else ()
    return (*orders, *(diary_block(known, most=_LAST) if known.diaries else ()))


def _sealed(seals: Sequence[tuple[int, str]]) -> Iterator[Row]:
    for number, seal in seals:
        yield Row(f"#{number}", (seal,))


def _opened(orders: Sequence[OrderRow]) -> Iterator[Row]:
    for row in sorted(orders, key=lambda order: (order.given, order.seat, order.number)):
        texts = (f"given at #{row.given}", f"salt {row.salt}", f"seal{FIRM}{row.seal}")
        yield Row(f"{row.seat} {row.number}  {row.text}", texts, stacked=True)


def _part(rows: Sequence[Row], start: int, most: int, asked: str) -> Iterator[Row]:
    first = max(start, 1) - 1
    yield from rows[first : first + most]
    if len(rows) > first + most:
        left, after = len(rows) - first - most, first + most + 1
        yield Row("…", (f"{left} more: send `{asked} from {after}`",))


_SEALED = (
    "A seal is the SHA-256 of an order that only its player may see. At the end of the game the "
    "orders are opened, and anybody can check each against its seal.",
)
_CHECK = (
    "A seal is the SHA-256, in hexadecimal, of five lines with a line feed between them. The lines "
    "are the name of the game, the player, the number, the text and the salt. For example:",
    "`printf 'dixie7\\nBob\\n1\\npass until round ends\\n0123…' | sha256sum`",
)

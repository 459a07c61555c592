"""The regular stock turn: sales, one purchase, private companies between players (3.2, 3.3)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action
from engine.options import Choice, Option
from engine.play import protection
from engine.play.rounds import end_turn
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import Round, Seat
from engine.refusal import Refusal
from engine.steps.base import Acts, Step
from engine.steps.questions.private_trade import PlayerTrades
from engine.steps.stock.bonds import Bonds
from engine.steps.stock.purchase import Purchases, purchases
from engine.steps.stock.redemption import Redemption
from engine.steps.stock.selling import SALES, must_sell, sales_of
from engine.steps.stock.swap import SWAPPING, swaps

_BONDS, _REDEMPTION, _TRADES = Bonds(), Redemption(), PlayerTrades()
#: what a turn consists of; exchanges are possible at other moments too
_PARTS: tuple[Acts, ...] = (SALES, Purchases(), _BONDS, _TRADES, _REDEMPTION)
_PART_OF: dict[type[Any], Acts] = {
    verb: part for part in (*_PARTS, SWAPPING) for verb in part.verbs
}


class StockTurnStep(Step[StockTurn]):
    """Sell any number and buy one, in either order unless the title requires sales first."""

    frame = StockTurn
    deciding = "this is a stock turn; buy, sell or pass"
    verbs = tuple(verb for part in _PARTS for verb in part.verbs)
    passes = True

    def key(self, frame: StockTurn, now: Round) -> str:
        """Nothing: the frame of the round, below on the stack, names the turn."""
        return ""

    def actors(self, table: Table, frame: StockTurn) -> tuple[Seat, ...]:
        """The player whose turn it is."""
        return (frame.seat,)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """Purchases, and sales of every size."""
        seat = frame.seat
        for company in table.title.companies:
            if not frame.bought:
                yield from purchases(table, seat, company)
            if company in table.at.pars:
                yield from map(Choice, sales_of(table, seat, company))
        yield from _BONDS.candidates(table, frame)
        yield from _REDEMPTION.candidates(table, frame)
        yield from map(Choice, swaps(table, seat))
        yield from _TRADES.candidates(table, frame)

    def why_not(self, table: Table, frame: StockTurn, action: Action) -> Refusal | None:
        """Refuse by the rules of 3.2 for each kind of action."""
        part, limits_first = _PART_OF[type(action)], table.title.facts.stock.limits_first
        if limits_first and part is not SALES and (refusal := must_sell(table, frame)):
            return refusal
        return part.why_not(table, frame, action)

    def must(self, table: Table, frame: StockTurn) -> Refusal | None:
        """Require a player over a limit of 3.3 to sell while that is possible (3.3(b))."""
        return must_sell(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Carry the action out, and record what the rest of the turn allows."""
        _PART_OF[type(action)].play(draft, frame, action)

    def leave(self, draft: Draft, frame: StockTurn) -> None:
        """End the turn; a turn without an action counts as a pass."""
        end_turn(draft, acted=frame.bought or frame.sold)
        protection.offer(draft, frame.seat, frame.pending)

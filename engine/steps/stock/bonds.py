"""Bonds in a stock turn: players buy and sell them at face value (18GL 4.1.2)."""

from collections.abc import Iterator

from msgspec.structs import replace

from engine.actions import Action, BuyBond, SellBonds
from engine.events import BondBought, BondsSold
from engine.options import Choice, Option
from engine.position.draft import Draft
from engine.position.frames import StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET
from engine.refusal import Refusal
from engine.steps.base import Acts
from engine.steps.stock.purchase import use_purchase, why_not_pay, why_not_second, why_not_yet
from engine.steps.stock.selling import why_sales_are_over


class Bonds(Acts):
    """Buy one bond as the purchase of a turn, or sell any number."""

    verbs = (BuyBond, SellBonds)

    def candidates(self, table: Table, frame: StockTurn) -> Iterator[Option]:
        """A purchase, and sales of every number."""
        if table.title.facts.bonds:
            yield Choice(BuyBond(by=frame.seat))
            for count in range(1, table.at.bonds.get(frame.seat, 0) + 1):
                yield Choice(SellBonds(by=frame.seat, count=count))

    def why_not(
        self, table: Table, frame: StockTurn, action: SellBonds | BuyBond
    ) -> Refusal | None:
        """Allow bonds to and from the open market, at face value (18GL 4.1.2)."""
        facts, seat = table.title.facts.bonds, frame.seat
        if facts is None:
            return table.refuse("turn order", "order", "There are no bonds in this game")
        if isinstance(action, SellBonds):
            own = table.at.bonds.get(seat, 0)
            if not 1 <= action.count <= own:
                text = f"{seat} has {own} bonds, {action.count} cannot be sold"
                return table.refuse("bond", "amount", text)
            return why_sales_are_over(table, frame)
        if not table.at.bonds.get(MARKET):
            text = f"There is no bond of {facts.company} in the open market"
            return table.refuse("bond", "place", text)
        refusal = why_not_second(table, frame)
        refusal = refusal or why_not_pay(table, frame, facts.value)
        return refusal or why_not_yet(table, frame)

    def play(self, draft: Draft, frame: StockTurn, action: Action) -> None:
        """Trade with the bank, by the open market."""
        facts = draft.title.facts.bonds
        assert facts is not None
        if isinstance(action, SellBonds):
            amount = action.count * facts.value
            draft.pay(BANK, action.by, amount)
            draft.move_bonds(action.by, MARKET, action.count)
            draft.record(BondsSold(action.by, action.count, amount))
            draft.replace(replace(frame, sold=True))
        elif isinstance(action, BuyBond):
            use_purchase(draft, frame)
            draft.pay(action.by, BANK, facts.value)
            draft.move_bonds(MARKET, action.by, 1)
            draft.record(BondBought(action.by, facts.value))

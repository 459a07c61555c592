"""Interest on loans, then bonds (18GL 4.6.4, 4.6.5): no choice unless the president must sell."""

from collections.abc import Iterator

from engine.actions import Action, GoBankrupt, SellShares
from engine.events import PresidentPaid
from engine.options import Option
from engine.play import protection
from engine.play.bankruptcy import go_bankrupt
from engine.play.debt import BONDS, LOANS, InterestDue, borrow, credit, interest, pay_interest
from engine.position.draft import Draft
from engine.position.frames import Interest
from engine.position.table import Table
from engine.position.values import CompanyId
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn
from engine.steps.judging.forced import (
    Call,
    raise_money,
    ways_to_raise,
    why_not_bankrupt,
    why_not_raise,
)


def call_for_interest(table: Table, frame: Interest) -> Call | None:
    """The money to raise for interest; None if treasury and earnings can pay it."""
    company, due = frame.company, interest(table, frame.company, frame.on)
    lacks = due.amount - due.earnings - table.at.cash[company]
    if lacks <= 0:
        return None
    left = lacks - credit(table, company) - table.at.cash[table.at.presidents[company]]
    return Call(company, left, frame.smallest, "the interest", "pay")


class InterestStep(CompanyStep[Interest]):
    """Paid by treasury, or earnings and treasury; then bonds, loans, the president's money and
    shares."""

    frame = Interest
    deciding = "the interest is to be paid first"
    verbs = (SellShares, GoBankrupt)

    def enter(self, draft: Draft, frame: Interest) -> None:
        """Pay as soon as there is enough money."""
        company, on = frame.company, frame.on
        call = call_for_interest(draft.table, frame)
        if call is not None and call.missing > 0:
            return
        due = interest(draft.table, company, on)
        if due.amount:
            self._raise(draft, company, due)
            pay_interest(draft, company, on, due)
        if on == LOANS:
            draft.replace(Interest(company, BONDS))
        else:
            draft.pop()

    @staticmethod
    def _raise(draft: Draft, company: CompanyId, due: InterestDue) -> None:
        """Take what the treasury lacks from bonds and loans, then from the president (4.7.2)."""
        needs = due.amount - due.earnings
        borrow(draft, company, needs - draft.cash[company])
        lacks = needs - draft.cash[company]
        if lacks > 0:
            seat = draft.presidents[company]
            draft.record(PresidentPaid(seat, company, lacks))
            draft.pay(seat, company, lacks)

    def candidates(self, table: Table, frame: Interest) -> Iterator[Option]:
        """Sales, and bankruptcy."""
        yield from ways_to_raise(table, call_for_interest(table, frame))

    def must(self, table: Table, frame: Interest) -> Refusal | None:
        """Require interest that is due to be paid before anything else."""
        call = call_for_interest(table, frame)
        if call is None or call.missing <= 0:
            return None
        company, due = frame.company, interest(table, frame.company, frame.on).amount
        text = f"{company} must pay {table.money(due)} of interest on its {frame.on}"
        hint = f"{table.money(call.missing)} must come from selling shares."
        return table.refuse(_key(frame), "money", text, hint)

    def why_not(self, table: Table, frame: Interest, action: Action) -> Refusal | None:
        """Allow sales that are needed, and bankruptcy if none is left."""
        call = call_for_interest(table, frame)
        if isinstance(action, SellShares):
            return why_not_raise(table, frame.company, call, action)
        assert isinstance(action, GoBankrupt)
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        return why_not_bankrupt(table, call, action)

    def play(self, draft: Draft, frame: Interest, action: Action) -> None:
        """Raise money, or go bankrupt."""
        if isinstance(action, SellShares):
            raised = raise_money(draft, call_for_interest(draft.table, frame), action)
            draft.replace(Interest(frame.company, frame.on, raised.smallest))
            protection.offer(draft, action.by, raised.pending)
        elif isinstance(action, GoBankrupt):
            draft.replace(Interest(frame.company, frame.on))
            go_bankrupt(draft, action.by, frame.company)


def _key(frame: Interest) -> str:
    return "interest" if frame.on == LOANS else "bond interest"

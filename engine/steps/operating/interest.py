"""Interest on loans, then bonds (18GL 4.6.4, 4.6.5): no choice unless the president must sell."""

from engine.events import PresidentPaid
from engine.play import protection
from engine.play.debt import BONDS, LOANS, InterestDue, borrow, credit, interest, pay_interest
from engine.position.draft import Draft
from engine.position.frames import Interest
from engine.position.table import Table
from engine.position.values import CompanyId, Seat
from engine.refusal import Refusal
from engine.steps.judging.forced import Call, Raised, RaisingStep


def call_for_interest(table: Table, frame: Interest) -> Call | None:
    """The money to raise for interest; None if treasury and earnings can pay it."""
    company, due = frame.company, interest(table, frame.company, frame.on)
    lacks = due.amount - due.earnings - table.at.cash[company]
    if lacks <= 0:
        return None
    left = lacks - credit(table, company) - table.at.cash[table.at.presidents[company]]
    return Call(company, left, frame.smallest, "the interest", "pay")


class InterestStep(RaisingStep[Interest]):
    """Paid by treasury, or earnings and treasury; then bonds, loans, the president's money and
    shares."""

    frame = Interest
    deciding = "the interest is to be paid first"

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

    def must(self, table: Table, frame: Interest) -> Refusal | None:
        """Require interest that is due to be paid before anything else."""
        call = call_for_interest(table, frame)
        if call is None or call.missing <= 0:
            return None
        company, due = frame.company, interest(table, frame.company, frame.on).amount
        text = f"{company} must pay {table.money(due)} of interest on its {frame.on}"
        hint = f"{table.money(call.missing)} must come from selling shares."
        return table.refuse(_key(frame), "money", text, hint)

    def call(self, table: Table, frame: Interest) -> Call | None:
        """The money to raise for the interest."""
        return call_for_interest(table, frame)

    def sold(self, draft: Draft, frame: Interest, company: CompanyId, raised: Raised) -> None:
        """Note the price of a share, and offer the block at once."""
        draft.replace(Interest(frame.company, frame.on, raised.smallest))
        protection.offer(draft, draft.presidents[frame.company], raised.pending)

    def ruin(self, draft: Draft, frame: Interest, seat: Seat) -> None:
        """Forget the sales of the president, whose successor has made none."""
        draft.replace(Interest(frame.company, frame.on))
        super().ruin(draft, frame, seat)


def _key(frame: Interest) -> str:
    return "interest" if frame.on == LOANS else "bond interest"

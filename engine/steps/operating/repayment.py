"""A company repays loans, then redeems bonds (18GL 4.6.9, 4.6.10)."""

from collections.abc import Iterator

from engine.actions import Action, RedeemBonds, RepayLoans
from engine.events import BondsRedeemed, LoansRepaid
from engine.options import Choice, Option
from engine.play.debt import outstanding, owes
from engine.position.draft import Draft
from engine.position.frames import Redeem, Repay
from engine.position.table import Table
from engine.position.values import BANK, MARKET, CompanyId, Owner
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn


class RepayStep(CompanyStep[Repay]):
    """Repay any number of the company's loans in full; each moves the price right (4.6.9)."""

    frame = Repay
    deciding = "the company may repay loans now"
    verbs = (RepayLoans,)

    def enter(self, draft: Draft, frame: Repay) -> None:
        """Go on if the company owes no loan, or can repay none."""
        if not affordable_loans(draft.table, frame.company):
            draft.pop()

    def candidates(self, table: Table, frame: Repay) -> Iterator[Option]:
        """Every number of loans."""
        by = table.at.presidents[frame.company]
        for count in range(1, affordable_loans(table, frame.company) + 1):
            yield Choice(RepayLoans(by=by, company=frame.company, count=count))

    def why_not(self, table: Table, frame: Repay, action: RepayLoans) -> Refusal | None:
        """Require loans that the company owes, and money that it has."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        company, owed = frame.company, owes(table, frame.company)
        if not 1 <= action.count <= owed:
            text = f"{company} owes {owed or 'no'} loan{'s' * (owed != 1)}"
            return table.refuse("loan repayment", "amount", text)
        cost, cash = action.count * loan_value(table), table.at.cash[company]
        if cost > cash:
            text = f"That costs {table.money(cost)}, {company} has {table.money(cash)}"
            return table.refuse("loan repayment", "money", text)
        return None

    def play(self, draft: Draft, frame: Repay, action: Action) -> None:
        """Pay the bank and move the price."""
        assert isinstance(action, RepayLoans)
        company, amount = frame.company, action.count * loan_value(draft.table)
        left = owes(draft.table, company) - action.count
        draft.set_loans(company, left)
        draft.record(LoansRepaid(company, action.count, amount, left))
        draft.pay(company, BANK, amount)
        for _ in range(action.count):
            cell = draft.table.cell(company)
            assert cell is not None
            draft.move_price(company, draft.title.chart.right(cell))


def loan_value(table: Table) -> int:
    """Dollars of one loan; 0 in a title without loans."""
    facts = table.title.facts.loans
    return facts.value if facts else 0


def affordable_loans(table: Table, company: CompanyId) -> int:
    """The number of its loans that the company can repay."""
    owed = owes(table, company)
    return min(owed, table.at.cash[company] // loan_value(table)) if owed else 0


class RedeemStep(CompanyStep[Redeem]):
    """Redeem bonds from the open market; if it has none, those of one player (4.6.10)."""

    frame = Redeem
    deciding = "the company may redeem bonds now"
    verbs = (RedeemBonds,)

    def enter(self, draft: Draft, frame: Redeem) -> None:
        """Go on if there is no bond that the company can redeem."""
        options = self.candidates(draft.table, frame)
        if not any(isinstance(option, Choice) for option in options):
            draft.pop()

    def candidates(self, table: Table, frame: Redeem) -> Iterator[Option]:
        """Every number of bonds, from each owner that may be asked."""
        company = frame.company
        facts, by = table.title.facts.bonds, table.at.presidents[company]
        for owner, there in redeemable(table, frame).items() if facts else ():
            assert facts is not None
            for count in range(1, min(there, table.at.cash[company] // facts.value) + 1):
                yield Choice(RedeemBonds(by=by, company=company, count=count, source=owner))

    def why_not(self, table: Table, frame: Redeem, action: RedeemBonds) -> Refusal | None:
        """Refuse by owner, by number and by the money for the bonds."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        company, source = frame.company, action.source
        key, facts = "bond redemption", table.title.facts.bonds
        every = outstanding(table, company)
        if facts is None or not every:
            return table.refuse(key, "place", f"Nobody holds a bond of {company}")
        there = redeemable(table, frame)
        if source not in there:
            if MARKET in there:
                text = "Bonds of the open market are redeemed before those of players"
            elif frame.source and source in every:
                text = f"{company} redeems bonds of one player in a turn, of {frame.source} now"
            else:
                text = f"{source} holds no bond of {company}"
            return table.refuse(key, "place", text, _hint(there))
        if not 1 <= action.count <= there[source]:
            text = f"{source} holds {there[source]} bonds of {company}"
            text = text.replace(source, "the open market", 1) if source == MARKET else text
            return table.refuse(key, "amount", text)
        cost, cash = action.count * facts.value, table.at.cash[company]
        if cost > cash:
            text = f"That costs {table.money(cost)}, {company} has {table.money(cash)}"
            return table.refuse(key, "money", text)
        return None

    def play(self, draft: Draft, frame: Redeem, action: Action) -> None:
        """Pay the owner, or the bank for the open market; the bonds return to the treasury."""
        assert isinstance(action, RedeemBonds)
        facts = draft.title.facts.bonds
        assert facts is not None
        company, source, amount = frame.company, action.source, action.count * facts.value
        draft.record(BondsRedeemed(company, action.count, source, amount))
        draft.move_bonds(source, company, action.count)
        draft.pay(company, BANK if source == MARKET else source, amount)
        if source != MARKET:
            draft.replace(Redeem(company, source))


def redeemable(table: Table, frame: Redeem) -> dict[Owner, int]:
    """Owners whose bonds the company may redeem now, and the number that each holds."""
    every = outstanding(table, frame.company)
    if MARKET in every:
        return {MARKET: every[MARKET]}
    return {who: count for who, count in every.items() if frame.source in ("", who)}


def _hint(there: dict[Owner, int]) -> str:
    owners = " or ".join(f"{who} ({count})" for who, count in there.items())
    return f"Bonds to redeem: {owners}." if owners else ""

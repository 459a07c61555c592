"""Dividends, and how they move the price (4.2.4; 18GL 4.6.6, 4.6.7)."""

from collections.abc import Iterator

from engine.actions import Action, Dividend
from engine.events import DividendPaid, Withheld
from engine.options import Choice, Option
from engine.play.closing import settle_price
from engine.play.receivership import must_retain
from engine.play.shares import SHARE
from engine.position.draft import Draft
from engine.position.frames import Payout
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, CompanyId, Owner
from engine.refusal import Refusal
from engine.steps.base import CompanyStep, not_its_turn

#: dollars to which half of the earnings is rounded up
_STEP = 10


def total_dividends(earned: int, kind: str) -> int:
    """Dollars of the earnings that are paid out; a half dividend is rounded to full tens."""
    if kind == "half":
        return min(earned, -(-earned // (2 * _STEP)) * _STEP)
    return earned if kind == "pay" else 0


def payments(table: Table, company: CompanyId, total: int) -> dict[Owner, int]:
    """Dollars for each receiver, for all shares that are paid.

    Shares in the treasury pay the company. Shares in the open market and in the IPO pay the company
    or nobody. For shares smaller than usual, players receive full dollars, and the company the
    remainder rounded down. In a system an odd half share is rounded up too (18MW R45).
    """
    facts = table.title.facts.operating
    own = table.percent(company, company)
    if facts.market_dividend == "treasury":
        own += table.percent(company, MARKET)
    if facts.offering_dividend == "treasury":
        own += table.percent(company, OFFERING)
    up = table.share(company) < SHARE
    paid: dict[Owner, int] = {}
    for owner in table.at.seats:
        percent = table.percent(company, owner)
        if percent:
            paid[owner] = -(-total * percent // 100) if up else total * percent // 100
    if own:
        paid[company] = -(-total * own // 100) if table.is_system(company) else total * own // 100
    return paid


def steps_right(table: Table, company: CompanyId, total: int) -> int:
    """The number of spaces that a dividend moves the price to the right."""
    price, zone = table.price(company), table.zone(company)
    for letter, times in table.title.facts.market.dividend_steps.items():
        if letter in zone:
            return sum(total >= price * least for least in times)
    if table.title.facts.operating.price_rises == "any dividend":
        return 1
    return min(total // price, table.phase.most_steps)


class DividendStepRules(CompanyStep[Payout]):
    """Pay out all, withhold, or in some titles pay half; the price follows."""

    frame = Payout
    deciding = "the trains have run; pay out or withhold"
    verbs = (Dividend,)

    def enter(self, draft: Draft, frame: Payout) -> None:
        """Without revenue there is no choice: the price goes left (4.2.4).

        The price does not change if the company's only train was idle.
        """
        company = frame.company
        waits = draft.title.facts.waits_without_choice
        if draft.earned[company] and must_retain(draft.table, company) and not waits:
            self._withhold(draft, company, draft.earned[company])
        elif not draft.earned[company]:
            lost = company in draft.idle and len(draft.trains.get(company, ())) == 1
            self._withhold(draft, company, 0, stays=lost)

    def candidates(self, table: Table, frame: Payout) -> Iterator[Option]:
        """All kinds of dividend that the title has."""
        company = frame.company
        by = table.operator(company)
        yield Choice(Dividend(by=by, company=company, kind="pay"))
        if "half" in table.title.facts.operating.dividends:
            yield Choice(Dividend(by=by, company=company, kind="half"))
        yield Choice(Dividend(by=by, company=company, kind="withhold"))

    def must(self, table: Table, frame: Payout) -> Refusal | None:
        """Require a choice: the president must make it, and there is no default."""
        earned = table.at.earned[frame.company]
        kinds = table.title.facts.operating.dividends
        some = "pay out, pay half" if "half" in kinds else "pay out"
        text = f"{frame.company} must {some} or withhold its {table.money(earned)}"
        ways = [f"`{kind}`" for kind in kinds]
        hint = f"{', '.join(ways[:-1])} or {ways[-1]}."
        return table.refuse("dividend", "order", text, hint)

    def why_not(self, table: Table, frame: Payout, action: Dividend) -> Refusal | None:
        """Refuse a kind of dividend that the title does not have."""
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if action.kind != "withhold" and must_retain(table, action.company):
            train = table.cheapest_bank_train()
            assert train is not None
            text = f"{action.company} runs a borrowed train and keeps its earnings until it has "
            text += (
                f"{table.money(train.price)} for a {train.type}, it "
                f"has {table.money(table.at.cash[action.company])}"
            )
            return table.refuse("receivership", "money", text, "`withhold`.")
        if action.kind in table.title.facts.operating.dividends:
            return None
        text = f"{action.company} pays out all that it has earned, or nothing"
        return table.refuse("dividend", "amount", text, "`pay` or `withhold`.")

    def play(self, draft: Draft, frame: Payout, action: Action) -> None:
        """Carry the choice out."""
        assert isinstance(action, Dividend)
        earned = draft.earned[action.company]
        if action.kind == "withhold":
            self._withhold(draft, action.company, earned)
        else:
            self._pay(draft, action.company, earned, total_dividends(earned, action.kind))

    def _pay(self, draft: Draft, company: CompanyId, earned: int, total: int) -> None:
        """Pay the owners by their shares; the rest goes to the treasury (4.2.4(a))."""
        paid, retained = payments(draft.table, company, total), earned - total
        draft.record(DividendPaid(company, earned, paid, retained, draft.table.unit(company)))
        for payee, amount in paid.items():
            draft.pay(BANK, payee, amount)
        if retained:
            draft.pay(BANK, company, retained)
        cell = draft.table.cell(company)
        assert cell is not None
        steps = steps_right(draft.table, company, total)
        self._over(draft, company)
        settle_price(draft, company, draft.title.chart.right(cell, steps))

    def _withhold(
        self, draft: Draft, company: CompanyId, total: int, *, stays: bool = False
    ) -> None:
        draft.record(Withheld(company, total))
        if total:
            draft.pay(BANK, company, total)
        cell = draft.table.cell(company)
        assert cell is not None
        self._over(draft, company)
        if not stays:
            settle_price(draft, company, draft.title.chart.left(cell))

    @staticmethod
    def _over(draft: Draft, company: CompanyId) -> None:
        draft.pop()
        if company in draft.idle:
            draft.set_idle(tuple(other for other in draft.idle if other != company))

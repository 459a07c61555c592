"""Running trains and dividends (4.2.3, 4.2.4), and trains after their last run (4.2.5.1)."""

from collections.abc import Iterator

from engine.actions import Action, Dividend, Run
from engine.draft import Draft
from engine.events import DividendPaid, TrainsRan, Withheld
from engine.frames import DividendStep, Retire, RunStep
from engine.network import has_route
from engine.options import Choice, Option
from engine.refusal import Refusal
from engine.routes import check_runs, revenue
from engine.search import best_run, better_than
from engine.shares import SHARE
from engine.steps.base import CompanyStep, Step, not_its_turn
from engine.table import Table
from engine.values import BANK, MARKET, CompanyId, Seat


def insisting(table: Table, company: CompanyId) -> list[Seat]:
    """Shareholders beside the president who insist on the best run (4.2.3.1)."""
    president = table.at.presidents[company]
    return [s for s in table.at.insist if s != president and table.percent(company, s)]


class RunStepRules(CompanyStep[RunStep]):
    """The trains run; for the best total if a shareholder insists."""

    frame = RunStep
    deciding = "the time for tiles and stations is over in this turn; run the trains"
    verbs = (Run,)

    def enter(self, draft: Draft, frame: RunStep) -> None:
        """Without a train or a route there is nothing to run."""
        if not draft.trains.get(frame.company) or not has_route(draft.table, frame.company):
            self._finish(draft, frame.company, 0)

    def candidates(self, table: Table, frame: RunStep) -> Iterator[Option]:
        """The best run, and none at all where nobody insists."""
        by = table.at.presidents[frame.company]
        yield Choice(Run(by=by, company=frame.company, runs=best_run(table, frame.company).runs))
        yield Choice(Run(by=by, company=frame.company))

    def why_not(self, table: Table, frame: RunStep, action: Run) -> Refusal | None:
        """4.2.3(a) to (j), then the shareholders' right."""
        company = action.company
        if refusal := not_its_turn(table, frame, company):
            return refusal
        if refusal := check_runs(table, company, action.runs, table.rule):
            return refusal
        if not insisting(table, company):
            return None
        return self._why_not_total(table, company, revenue(table, company, action.runs))

    @staticmethod
    def _why_not_total(table: Table, company: CompanyId, total: int) -> Refusal | None:
        holders = insisting(table, company)
        if not holders or not better_than(table, company, total):
            return None
        best = best_run(table, company)
        known = "the best run earns" if best.proved else "a run earns at least"
        text = (
            f"{known} ${best.total}, not ${total}, and {' and '.join(holders)} insist on the best"
        )
        if len(holders) == 1:
            text = text.replace(" insist ", " insists ")
        return table.refuse("best run", "run", text, "`run` runs it.")

    def play(self, draft: Draft, frame: RunStep, action: Action) -> None:
        """Add up and go on to the dividend."""
        assert isinstance(action, Run)
        total = revenue(draft.table, action.company, action.runs)
        draft.record(TrainsRan(action.company, action.runs, total))
        self._finish(draft, action.company, total)

    def leave(self, draft: Draft, frame: RunStep) -> None:
        """Not to mention the run is to run for the best; `run none` leaves the trains at home."""
        best = best_run(draft.table, frame.company)
        draft.record(TrainsRan(frame.company, best.runs, best.total))
        self._finish(draft, frame.company, best.total)

    @staticmethod
    def _finish(draft: Draft, company: CompanyId, total: int) -> None:
        draft.pop()
        draft.set_earned(company, total)


class DividendStepRules(CompanyStep[DividendStep]):
    """Pay out or withhold; the price follows."""

    frame = DividendStep
    deciding = "the trains have run; pay out or withhold"
    verbs = (Dividend,)

    def enter(self, draft: Draft, frame: DividendStep) -> None:
        """Without revenue there is no choice: the price goes left (4.2.4)."""
        if not draft.earned[frame.company]:
            self._withhold(draft, frame.company, 0)

    def candidates(self, table: Table, frame: DividendStep) -> Iterator[Option]:
        """Both."""
        by = table.at.presidents[frame.company]
        yield Choice(Dividend(by=by, company=frame.company, kind="pay"))
        yield Choice(Dividend(by=by, company=frame.company, kind="withhold"))

    def must(self, table: Table, frame: DividendStep) -> Refusal | None:
        """The choice is the president's to make, never a default."""
        earned = table.at.earned[frame.company]
        text = f"{frame.company} must pay out or withhold its ${earned}"
        return table.refuse("dividend", "order", text, "`pay` or `withhold`.")

    def why_not(self, table: Table, frame: DividendStep, action: Dividend) -> Refusal | None:
        """Either will do."""
        return not_its_turn(table, frame, action.company)

    def play(self, draft: Draft, frame: DividendStep, action: Action) -> None:
        """Carry the choice out."""
        assert isinstance(action, Dividend)
        if action.kind == "pay":
            self._pay(draft, action.company, draft.earned[action.company])
        else:
            self._withhold(draft, action.company, draft.earned[action.company])

    @staticmethod
    def _pay(draft: Draft, company: CompanyId, total: int) -> None:
        """To players by their shares, to the treasury for the open market (4.2.4(a))."""
        paid = {}
        for owner in (*draft.seats, MARKET):
            percent = draft.table.percent(company, owner)
            if percent:
                payee = company if owner == MARKET else owner
                paid[payee] = total * percent // (10 * SHARE)
        draft.record(DividendPaid(company, total, paid))
        for payee, amount in paid.items():
            draft.pay(BANK, payee, amount)
        cell = draft.table.cell(company)
        assert cell is not None
        draft.move_price(company, draft.title.chart.right(cell))
        draft.pop()

    @staticmethod
    def _withhold(draft: Draft, company: CompanyId, total: int) -> None:
        draft.record(Withheld(company, total))
        if total:
            draft.pay(BANK, company, total)
        cell = draft.table.cell(company)
        assert cell is not None
        draft.move_price(company, draft.title.chart.left(cell))
        draft.pop()


class RetireStep(Step[Retire]):
    """Obsolete trains that have had their last run leave the game (4.2.5.1)."""

    frame = Retire

    def enter(self, draft: Draft, frame: Retire) -> None:
        """No decision."""
        draft.pop()
        for train in dict.fromkeys(draft.trains.get(frame.company, ())):
            if draft.table.obsolete(train):
                draft.remove_trains(train, (frame.company,))

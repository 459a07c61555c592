"""Running trains (4.2.3; 18GL 4.6.3), and trains after their last run (4.2.5.1)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.actions import Action, IdleTrain, Run, TrainRun
from engine.events import FerryPaid, TrainIdled, TrainsRan
from engine.options import Choice, Option
from engine.play.privates import note_passages
from engine.position.draft import Draft
from engine.position.frames import Retire, Running
from engine.position.table import Table
from engine.position.values import CompanyId, Round, Seat, TrainType
from engine.refusal import Refusal
from engine.runs.best.search import Best, best_run, better_than
from engine.runs.routes import RunValue, check_runs, explain, revenue
from engine.steps.base import AutomaticStep, CompanyStep, not_its_turn
from engine.steps.operating.connected import best_by_token, best_with_tokens, connect
from engine.steps.powers.extend import could_extend
from engine.track.ferries import ferry_users
from engine.track.network import has_route


def idles(table: Table, company: CompanyId) -> bool:
    """Whether one of the company's trains earns nothing in this turn, chosen by its president."""
    return company in table.at.idle and table.title.facts.operating.idle == "choice"


def rest_of(table: Table, company: CompanyId, idle: TrainType) -> tuple[TrainType, ...]:
    """The company's trains without the idle one; all of them for ""."""
    owned = list(table.at.trains.get(company, ()))
    if idle:
        owned.remove(idle)
    return tuple(owned)


def may_idle(table: Table, frame: Running, runs: Sequence[TrainRun]) -> list[TrainType]:
    """Types that may be the idle train with these runs; "" if no train must be idle."""
    owned = table.at.trains.get(frame.company, ())
    if not owned or not idles(table, frame.company):
        return [""]
    left = Counter(owned) - Counter(run.train for run in runs)
    return [train for train in left if frame.idle in ("", train)]


def best_of_turn(table: Table, company: CompanyId) -> tuple[TrainType, Best]:
    """The best run of this turn and the train that is idle for it, "" if none is chosen."""
    own = (f for f in table.at.stack if isinstance(f, Running) and f.company == company)
    frame = next(own, Running(company))
    losing = loses(table, company)
    left = _left_at_home(table, company) if losing else may_idle(table, frame, ())
    choices = [(idle, _best_with(table, company, idle)) for idle in left]
    train, best = max(choices, key=lambda choice: choice[1].total)
    best = replace(best, proved=all(found.proved for _, found in choices))
    return "" if losing else train, best


def _left_at_home(table: Table, company: CompanyId) -> list[TrainType]:
    """Types of which one stays at home for the best run, if otherwise the poorest run is lost."""
    return list(dict.fromkeys(table.at.trains.get(company, ()))) or [""]


def _best_with(table: Table, company: CompanyId, idle: TrainType, fares: int = 0) -> Best:
    """The best run with an idle train, "" for none, and a number of paid ferries."""
    return best_run(table, company, rest_of(table, company, idle), fares=fares)


def earned(table: Table, company: CompanyId, runs: Sequence[TrainRun]) -> int:
    """Dollars of the runs, without the poorest run if that one earns nothing."""
    lost = poorest(table, company, runs)
    return revenue(table, company, runs) - (lost.total if lost else 0)


def loses(table: Table, company: CompanyId) -> bool:
    """Whether the company's poorest run earns nothing this turn if all its trains run."""
    return company in table.at.idle and table.title.facts.operating.idle == "poorest run"


def poorest(table: Table, company: CompanyId, runs: Sequence[TrainRun]) -> RunValue | None:
    """The run that earns nothing because it is the poorest, in titles with that rule.

    None while a train stays at home: that one is then the idle train.
    """
    if not loses(table, company) or len(runs) < len(table.at.trains.get(company, ())):
        return None
    each = explain(table, company, runs)
    return min(each, key=lambda value: value.total, default=None)


def insisting(table: Table, company: CompanyId) -> list[Seat]:
    """Shareholders other than the president who insist on the best run (4.2.3.1)."""
    president = table.operator(company)
    return [s for s in table.at.insist if s != president and table.percent(company, s)]


def why_best(table: Table, company: CompanyId) -> str:
    """Why a company must run for the most, as words after "and"; "" if it need not."""
    if table.title.facts.operating.best_run == "always":
        return f"{company} must run for the most"
    holders = insisting(table, company)
    return (
        f"{' and '.join(holders)} insist{'s' * (len(holders) == 1)} on the best" if holders else ""
    )


def ferry_cost(table: Table, company: CompanyId, runs: Sequence[TrainRun]) -> int:
    """Dollars that the runs cost for ferries with tokens of other companies (18GL 4.6.3)."""
    return len(ferry_users(table, company, runs)) * table.title.facts.ferry_fee


def most_fares(table: Table, company: CompanyId) -> int:
    """The number of trains for which the company can pay a ferry."""
    fee = table.title.facts.ferry_fee
    if not fee or all(holder == company for holder in table.at.ferries.values()):
        return 0
    return min(len(table.at.trains.get(company, ())), table.at.cash[company] // fee)


class RunStepRules(CompanyStep[Running]):
    """The trains run; for the best total if a shareholder insists, or the title requires it."""

    frame = Running
    deciding = "the time for tiles and tokens is over in this turn; run the trains"
    verbs = (Run, IdleTrain)

    def enter(self, draft: Draft, frame: Running) -> None:
        """Go on without a train or a route; if all trains are alike, the idle one needs no choice.

        A train's reach may be extended whether or not it has a route (18GL 4.3(9)).
        """
        company = frame.company
        trains = draft.trains.get(company, ())
        if not trains or not has_route(draft.table, company):
            if not _extends(draft, frame):
                self._finish(draft, company, 0)
        elif idles(draft.table, company) and len(trains) == 1:
            draft.record(TrainIdled(company, trains[0]))
            self._finish(draft, company, 0)
        elif idles(draft.table, company) and not frame.idle and len(set(trains)) == 1:
            draft.replace(Running(company, trains[0]))

    def candidates(self, table: Table, frame: Running) -> Iterator[Option]:
        """The best run, also for each number of paid ferries, none at all, and the idle train."""
        company = frame.company
        by = table.operator(company)
        best = best_of_turn(table, company)[1]
        if best.runs:
            yield Choice(Run(by=by, company=company, runs=best.runs))
        for other in best_with_tokens(table, company):
            if other.runs != best.runs:
                yield Choice(Run(by=by, company=company, runs=other.runs))
        most = most_fares(table, company)
        # often no fare, or one, is as good as all
        peak = best_run(table, company, fares=most).total if most else 0
        for fares in range(1, most + 1):
            if best.total >= peak:
                break
            paid = best_run(table, company, fares=fares)
            if paid.total > best.total:
                best = paid
                yield Choice(Run(by=by, company=company, runs=best.runs))
        yield Choice(Run(by=by, company=company))
        if idles(table, company):
            for train in dict.fromkeys(table.at.trains.get(company, ())):
                yield Choice(IdleTrain(by=by, company=company, train=train))

    def why_not(self, table: Table, frame: Running, action: Action) -> Refusal | None:
        """Refuse by 4.2.3(a) to (j), the idle train, ferries, then the duty to run for the most."""
        assert isinstance(action, Run | IdleTrain)
        company = action.company
        if refusal := not_its_turn(table, frame, company):
            return refusal
        if isinstance(action, IdleTrain):
            return self._why_not_idle(table, frame, action)
        if refusal := check_runs(table, company, action.runs, table.rule):
            return refusal
        choices = may_idle(table, frame, action.runs)
        if not choices:
            which = f"Its {frame.idle} train" if frame.idle else "One of its trains"
            text = f"{which} earns nothing in this turn of {company}"
            hint = "" if frame.idle else "Leave one at home, or choose it with `idle`."
            return table.refuse("idle train", "train", text, hint)
        fee, cash = ferry_cost(table, company, action.runs), table.at.cash[company]
        if fee > cash:
            text = f"The ferry costs {table.money(fee)}, {company} has {table.money(cash)}"
            return table.refuse("ferry fee", "money", text)
        if not why_best(table, company):
            return None
        refusals = [self._why_not_total(table, action, idle) for idle in choices]
        if None in refusals or best_by_token(table, company, action.runs):
            return None
        return refusals[0]

    @staticmethod
    def _why_not_idle(table: Table, frame: Running, action: IdleTrain) -> Refusal | None:
        company = action.company
        if not idles(table, company):
            return table.refuse("idle train", "train", f"All trains of {company} may earn")
        if action.train not in table.at.trains.get(company, ()):
            text = f"{company} has no {action.train} train"
            return table.refuse("idle train", "train", text)
        if action.train == frame.idle:
            text = f"The {action.train} train of {company} earns nothing already"
            return table.refuse("idle train", "settled", text)
        return None

    @staticmethod
    def _earns_more(
        table: Table, company: CompanyId, runs: Sequence[TrainRun], idle: TrainType
    ) -> bool | None:
        """Whether a company that must run for the most can earn more; None if it is unknown.

        Only runs that pay for no more ferries than these count.
        """
        if not why_best(table, company):
            return False
        total = earned(table, company, runs)
        if loses(table, company):
            best = best_of_turn(table, company)[1]
            return True if best.total > total else False if best.proved else None
        fares = len(ferry_users(table, company, runs))
        return better_than(table, company, total, rest_of(table, company, idle), fares=fares)

    def _why_not_total(self, table: Table, action: Run, idle: TrainType) -> Refusal | None:
        company, runs = action.company, action.runs
        if not self._earns_more(table, company, runs, idle):
            return None
        fares = len(ferry_users(table, company, runs))
        best = _best_with(table, company, idle, fares)
        if loses(table, company):
            best = best_of_turn(table, company)[1]
        known = "The best run earns" if best.proved else "A run earns at least"
        total = earned(table, company, runs)
        found = f"{known} {table.money(best.total)}, not {table.money(total)}"
        if best.total <= total:
            # a run that was found above the total need not be found again without it
            found = f"a run earns more than {table.money(total)}"
        text = f"{found}, and {why_best(table, company)}"
        return table.refuse("best run", "run", text, "" if fares else "`run` runs it.")

    def play(self, draft: Draft, frame: Running, action: Action) -> None:
        """Choose the idle train; or add the revenue up and go on to the dividend."""
        assert isinstance(action, Run | IdleTrain)
        company = action.company
        if isinstance(action, IdleTrain):
            draft.replace(Running(company, action.train))
            return
        choices = may_idle(draft.table, frame, action.runs)
        idle = choices[0]
        if len(choices) > 1:
            fitting = (
                other
                for other in choices
                if self._why_not_total(draft.table, action, other) is None
            )
            idle = next(fitting, idle)
        unproved = self._earns_more(draft.table, company, action.runs, idle) is None
        self._run(draft, company, action.runs, idle, unproved)

    def leave(self, draft: Draft, frame: Running) -> None:
        """Run for the best if the player wrote no run; `run none` leaves the trains at home."""
        if not has_route(draft.table, frame.company):
            self._finish(draft, frame.company, 0)
            return
        idle, best = best_of_turn(draft.table, frame.company)
        unproved = bool(why_best(draft.table, frame.company)) and not best.proved
        self._run(draft, frame.company, best.runs, idle, unproved)

    def _run(
        self,
        draft: Draft,
        company: CompanyId,
        runs: tuple[TrainRun, ...],
        idle: TrainType,
        unproved: bool,
    ) -> None:
        self._pay_ferries(draft, company, runs)
        lost = poorest(draft.table, company, runs)
        if idle or lost:
            draft.record(TrainIdled(company, lost.train if lost else idle))
        total = earned(draft.table, company, runs)
        draft.record(TrainsRan(company, runs, total, unproved))
        note_passages(draft, runs)
        self._finish(draft, company, total)
        connect(draft, company, runs)

    @staticmethod
    def _pay_ferries(draft: Draft, company: CompanyId, runs: Sequence[TrainRun]) -> None:
        """Each train pays the owner of the token of a ferry that it uses, before the run."""
        fee = draft.title.facts.ferry_fee
        holders = [holder for _, holder in ferry_users(draft.table, company, runs)]
        for payee in dict.fromkeys(holders):
            trains = holders.count(payee)
            draft.record(FerryPaid(company, payee, trains, trains * fee))
            draft.pay(company, payee, trains * fee)

    @staticmethod
    def _finish(draft: Draft, company: CompanyId, total: int) -> None:
        draft.pop()
        draft.set_earned(company, total)


def _extends(draft: Draft, frame: Running) -> bool:
    """Whether the step offers a power that extends the reach of a train of the company."""
    lent = draft.title.facts.operating.powers == "player"
    return lent and could_extend(draft.table, frame)


class RetireStep(AutomaticStep[Retire]):
    """Obsolete trains leave the game after their last run (4.2.5.1)."""

    frame = Retire

    def key(self, frame: Retire, now: Round) -> str:
        """Nobody decides here."""
        return ""

    def enter(self, draft: Draft, frame: Retire) -> None:
        """Remove the trains and go on."""
        draft.pop()
        for train in dict.fromkeys(draft.trains.get(frame.company, ())):
            if draft.table.obsolete(train):
                draft.remove_trains(train, (frame.company,))

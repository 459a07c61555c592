"""What a company's turn can still bring: its best run, and what each dividend leads to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine import Choice, Event, Illegal, State, apply, options
from engine.actions import Dividend, Run
from engine.events import DividendPaid, PriceMoved
from engine.inquiry import best_of_turn, earned, train_limit
from engine.position.frames import Connected, Payout, Running, Stations, Track
from engine.runs.explaining import RunSum, sums
from engine.telling.view import CompanyView
from engine.wording import counted
from service.reports.scene import Scene
from service.reports.sums import sum_rows
from service.reports.tables import Pairs, Row


@dataclass(frozen=True, slots=True)
class DividendFate:
    """The position and the events after a dividend was paid or withheld."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Prospect:
    """A company's earnings in this turn on the present map, and the uses of the money."""

    company: str
    runs: tuple[RunSum, ...]
    total: int
    proved: bool
    #: whether the trains have already run
    ran: bool
    pay: DividendFate | None
    withhold: DividendFate | None
    half: DividendFate | None = None


#: in the order of `Prospect`'s fields
_KINDS: tuple[Literal["pay", "withhold", "half"], ...] = ("pay", "withhold", "half")


def prospect(scene: Scene) -> Prospect | None:
    """The outlook of the operating company; None if its trains have already earned money."""
    company, state = scene.view.company, scene.state
    if not company or not state.stack:
        return None
    top = state.stack[-1]
    if isinstance(top, Payout):
        total = state.earned[company]
        fates = (_fate(scene, state, company, kind) for kind in _KINDS)
        return Prospect(company, (), total, True, True, *fates)
    if not isinstance(top, Track | Stations | Running):
        return None
    _, best = best_of_turn(scene.table, company)
    if not best.runs:
        return Prospect(company, (), 0, best.proved, False, None, None)
    by = scene.later(state).table.operator(company)
    each = sums(scene.table, company, best.runs)
    total = earned(scene.table, company, best.runs)
    try:
        ran = apply(scene.title, state, Run(by=by, company=company, runs=best.runs)).state
    except Illegal:
        return Prospect(company, each, total, best.proved, False, None, None)
    if isinstance(ran.stack[-1], Connected):
        # the token is left out: the prospect is what this run surely pays
        ways = (way for way in options(scene.title, ran, by) if isinstance(way, Choice))
        ran = next(apply(scene.title, ran, w.action).state for w in ways if w.action.declines)
    fates = (_fate(scene, ran, company, kind) for kind in _KINDS)
    return Prospect(company, each, total, best.proved, False, *fates)


def _fate(
    scene: Scene, state: State, company: str, kind: Literal["pay", "withhold", "half"]
) -> DividendFate | None:
    action = Dividend(by=scene.later(state).table.operator(company), company=company, kind=kind)
    try:
        outcome = apply(scene.title, state, action)
    except Illegal:
        return None
    return DividendFate(outcome.state, outcome.events)


def fates(scene: Scene, found: Prospect, seat: str) -> tuple[Row, ...]:
    """The results of `pay` and `withhold`, with the share price."""
    rows = []
    if found.pay:
        rows.append(Row("`pay`", (_paid(found.pay, found.company, seat),)))
    if found.half:
        rows.append(Row("`half`", (_paid(found.half, found.company, seat),)))
    if found.withhold:
        text = (
            f"{found.company} keeps {scene.money(found.total)}; "
            f"{_moved_price(found.withhold, found.company)}"
        )
        rows.append(Row("`withhold`", (text,)))
    return tuple(rows)


def _paid(fate: DividendFate, company: str, seat: str) -> str:
    dividend = next(e for e in fate.events if isinstance(e, DividendPaid))
    parts = [f"you ${dividend.paid.get(seat, 0)}"]
    parts += [f"{owner} ${amount}" for owner, amount in dividend.paid.items() if owner != seat]
    total = dividend.revenue - dividend.retained
    share = f"${per_share(total, dividend.share)} per share: {', '.join(parts)}"
    return f"{share}; {_moved_price(fate, company)}"


def per_share(total: int, percent: int) -> str:
    """A total's dollars for one share, as a whole number if possible."""
    return f"{total * percent / 100:g}"


def _moved_price(fate: DividendFate, company: str) -> str:
    for event in fate.events:
        if isinstance(event, PriceMoved) and event.company == company:
            return f"share price ${event.old} → ${event.new}"
    return "the share price stays"


#: money for a token in a company's historical objective
GOAL = "a token in {place} brings {company} {amount} from the bank, once"
#: a company that cannot run
EARNS_NOTHING = "no {lacks}: it earns nothing, and its share price falls"


def _goal(scene: Scene, company: CompanyView) -> str:
    """The money that the company can still earn by a token in its objective; "" for none."""
    place = scene.title.companies[company.id].objective
    amount = scene.title.facts.operating.objective_bonus
    if not place or not amount or not company.tokens_left or place in company.stations:
        return ""
    named = scene.table.place(place)
    return GOAL.format(place=named, company=company.id, amount=scene.money(amount))


def company_block(scene: Scene, seat: str) -> Pairs | None:
    """The operating company: its money, its best run, and the result of each dividend."""
    company = scene.companies.get(scene.view.company)
    if company is None or seat not in (company.president, company.receiver):
        return None
    limit = train_limit(scene.table, company.id)
    means = [
        f"price {scene.money(company.price)}",
        f"cash {scene.money(company.cash)}",
        f"trains {' '.join(company.trains) or 'none'} (limit {limit})",
        f"{company.tokens_left} token{'s' * (company.tokens_left != 1)} left",
    ]
    if company.loans:
        means.append(counted(company.loans, "loan"))
    if company.bonds_out:
        means.append(f"{counted(company.bonds_out, 'bond')} out")
    rows = [Row("has", tuple(means))]
    if company.marks or company.privates:
        rows.append(Row("owns", (*company.privates, *company.marks)))
    if goal := _goal(scene, company):
        rows.append(Row("goal", (goal,)))
    found = prospect(scene)
    if found is None:
        ran = (
            f"ran for {scene.money(company.earned)} this turn"
            if company.earned
            else "earned nothing"
        )
        rows.append(Row("run", (ran,)))
    elif found.total:
        rows += _run_rows(scene, found)
        rows += fates(scene, found, seat)
    elif company.id in scene.state.idle and len(company.trains) == 1:
        rows.append(
            Row("run", ("its only train earns nothing in this turn; its share price stays",))
        )
    else:
        lacks = "route" if company.trains else "train"
        rows.append(Row("run", (EARNS_NOTHING.format(lacks=lacks),)))
    return Pairs(f"YOUR COMPANY {company.id} – {company.name}", tuple(rows))


NO_ROUTE = "no route"
NOT_RUNNING = "not running"


def idlers(scene: Scene, company: str, running: Sequence[str]) -> list[str]:
    """The company's trains without those that run."""
    owned = Counter(scene.state.trains.get(company, ()))
    return list((owned - Counter(running)).elements())


def _run_rows(scene: Scene, found: Prospect) -> list[Row]:
    if found.ran:
        return [Row("run", (f"its trains ran for {scene.money(found.total)}",))]
    best = "the best run" if found.proved else "the best run found so far"
    idle = ", one train idle" if found.company in scene.state.idle else ""
    text = f"{best} on the current map{idle}: {scene.money(found.total)}"
    rows = [Row("run", (text,)), *sum_rows(scene, found.runs)]
    rest = idlers(scene, found.company, [one.train for one in found.runs])
    if rest and found.company not in scene.state.idle:
        label = NO_ROUTE if found.proved else NOT_RUNNING
        rows.append(Row(label, tuple(f"{train} train" for train in rest)))
    return rows

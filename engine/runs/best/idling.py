"""The best run where the poorest of its routes earns nothing; knows no rounds and no one's wishes.

The train whose route is lost may run anywhere: so for each type, and each of the least routes that
a train of the type can have, the best run of the others beside it is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import TrainRun
from engine.runs.best.hops import HopPlan, plan
from engine.runs.best.search import Best, best_beside, best_run, case
from engine.runs.routes import check_runs, passed
from engine.track.ferries import ferry_users
from engine.track.ground import Recent

if TYPE_CHECKING:
    from engine.position.table import Table

_BESTS: Recent[Best] = Recent(64)


class _Least(Struct, frozen=True):
    """A route from a station to the next stop, than which no route needs less."""

    run: TrainRun
    #: bits of its sides
    sides: int


def best_but_poorest(table: Table, company: str) -> Best:
    """The run of the company's trains that earns most without its poorest route.

    ``total`` is what it earns so; the lost route is among ``runs``. A single route is always lost.
    No train pays for a ferry.
    """
    owned = table.at.trains.get(company, ())
    return _BESTS.get(case(table, company, owned), lambda: _best(table, company, owned))


def _best(table: Table, company: str, owned: Sequence[str]) -> Best:
    best = Best((), 0, True, 0)
    for train in sorted(set(owned)):
        others = list(owned)
        others.remove(train)
        most = best_run(table, company, others)
        net = plan(table, company, table.towns_free(table.train_kind(train)))
        proved = best.proved and most.proved and not net.dense
        best = replace(best, proved=proved, nodes=best.nodes + most.nodes)
        for least in _least_routes(table, company, train, net):
            if best.total >= most.total:
                break
            found = best_beside(table, company, others, least.sides, best.total)
            better = best
            if found.runs:
                runs = sorted((*found.runs, least.run), key=lambda run: owned.index(run.train))
                better = Best((*runs,), found.total, True, 0)
            proved = best.proved and found.proved
            best = replace(better, proved=proved, nodes=best.nodes + found.nodes)
    return best


def _least_routes(table: Table, company: str, train: str, plan: HopPlan) -> Iterator[_Least]:
    """The legal routes from a station to the next stop, those that need the fewest sides first."""
    hops = [plan.hops[number] for own in plan.net.own for number in plan.leaving[own]]
    for hop in sorted(hops, key=lambda hop: (len(hop.path), hop.path)):
        stops = {plan.net.stops[stop] for stop in (hop.start, *hop.stops)}
        path = min(hop.path, hop.path[::-1])
        run = TrainRun(train, path, passed(table, path, stops))
        legal = check_runs(table, company, (run,), lambda key: key) is None
        if legal and not ferry_users(table, company, (run,)):
            yield _Least(run, hop.mask & plan.net.sides)

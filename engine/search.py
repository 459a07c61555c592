"""The best run of a company's trains, exact within a budget of steps (4.2.3.1).

Knows no clock: steps are counted, so that the same position always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice, permutations
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.actions import TrainRun
from engine.ground import Recent
from engine.hops import plan
from engine.hunt import Hunt, Meter, OutOfBudget, Route
from engine.network import Place, board, network_key
from engine.packing import Chosen, Packing
from engine.routes import passed

if TYPE_CHECKING:
    from engine.table import Table

#: orders of trains that are tried to begin with
ORDERS = 6
#: routes of one train that are kept for putting them together
ROUTES = 400_000


class Best(Struct, frozen=True):
    """The best run that was found."""

    runs: tuple[TrainRun, ...]
    #: dollars, bonuses included
    total: int
    #: whether no better run exists; False if the budget did not last
    proved: bool
    #: steps of the search
    nodes: int


class _Search:
    """The search for the best run of a number of trains."""

    def __init__(
        self,
        table: Table,
        company: str,
        trains: Sequence[str],
        budget: int,
        floor: int = 0,
        first: bool = False,
    ) -> None:
        """``first`` ends the search at the first run above ``floor`` dollars."""
        self._table = table
        self._company = company
        self._trains = trains
        self._first = first
        self._meter = Meter(budget)
        network = plan(table, company)
        self._hunts = {
            train: Hunt(network, table.title.trains[train], worth, self._meter)
            for train, worth in _worths(table, company, trains)
        }
        self._bonus = table.title.rules.most_bonus(table, company)
        self._peaks: dict[str, Route] = {}
        self.total = floor
        self.runs: tuple[TrainRun, ...] = ()

    def best(self) -> Best:
        """The best run within the budget; with ``first`` the first one above the floor."""
        proved = True
        try:
            self._solve()
        except OutOfBudget:
            proved = False
        except _Enough:
            pass
        return Best(self.runs, self.total, proved, self._meter.nodes)

    def _solve(self) -> None:
        for train, hunt in self._hunts.items():
            self._climb(train, hunt)
        if self._ahead(self._trains) <= self.total:
            return
        orders = sorted(set(permutations(sorted(self._trains))))
        for order in islice(orders, ORDERS):
            self._one_by_one(order)
        if self._ahead(self._trains) <= self.total:
            return
        lists: dict[str, list[Route]] = {}
        for train, hunt in self._hunts.items():
            others = list(self._trains)
            others.remove(train)
            lists[train] = self._all(hunt, self.total - self._ahead(others))
        shortest = sorted(self._trains, key=lambda train: (len(lists[train]), train))
        Packing(shortest, lists, self._bonus, self._offer, self._meter).search(self.total)

    def _ahead(self, trains: Sequence[str]) -> int:
        """The most that these trains can earn, bonuses included."""
        return self._bonus + sum(
            self._peaks[train].value for train in trains if train in self._peaks
        )

    def _climb(self, train: str, hunt: Hunt) -> None:
        """Find what a train earns at most when it runs alone."""

        def keep(route: Route) -> int:
            self._peaks[train] = route
            self._offer(((train, route),))
            return route.value

        hunt.find(0, 0, keep)

    def _one_by_one(self, order: Sequence[str]) -> None:
        """Give each train in turn the best route that is left."""
        used = 0
        chosen: Chosen = ()
        for train in order:
            route = self._hunts[train].best(used) if used else self._peaks.get(train)
            if route:
                used |= route.mask
                chosen = (*chosen, (train, route))
        self._offer(chosen)

    @staticmethod
    def _all(hunt: Hunt, floor: int) -> list[Route]:
        """All routes above a floor, the best first."""
        found: list[Route] = []

        def keep(route: Route) -> int:
            found.append(route)
            if len(found) > ROUTES:
                raise OutOfBudget
            return floor

        hunt.find(0, floor, keep)
        found.sort(key=lambda route: -route.value)
        return found

    def _offer(self, chosen: Chosen) -> int:
        """Take a set of routes if it beats the best so far; the best total from now on."""
        total = sum(route.value for _, route in chosen)
        if total + self._bonus <= self.total:
            return self.total
        runs = self._in_order(chosen)
        if self._bonus:
            bonuses = self._table.title.rules.set_bonus(self._table, self._company, runs)
            total += sum(dollars for _, dollars, _ in bonuses)
        if total > self.total:
            self.total, self.runs = total, runs
            if self._first:
                raise _Enough
        return self.total

    def _run(self, train: str, route: Route) -> TrainRun:
        hunt = self._hunts[train]
        path = hunt.path(route)
        return TrainRun(train, path, passed(self._table, path, hunt.stops(route)))

    def _in_order(self, chosen: Chosen) -> tuple[TrainRun, ...]:
        """The routes as runs, in the order of the trains."""
        runs = [self._run(train, route) for train, route in chosen]
        return tuple(sorted(runs, key=lambda run: (self._trains.index(run.train), run.path)))


class _Enough(Exception):
    """A run above the floor was found, and no more was asked."""


_BESTS: Recent[Best] = Recent(256)


def _worths(
    table: Table, company: str, trains: Sequence[str]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """For each type among the trains the dollars of every stop of the map."""
    worth = table.title.rules.stop_value
    stops: tuple[Place, ...] = board(table).stops
    return tuple(
        (
            train,
            tuple(worth(table, company, table.title.trains[train], *place) for place in stops),
        )
        for train in sorted(set(trains))
    )


def _case(table: Table, company: str, trains: Sequence[str]) -> Hashable:
    """All that the best run depends on."""
    bonus = table.title.rules.most_bonus(table, company)
    # bonuses may go by the names that trains bear, and these by the trains that are owned
    names = (table.at.marks, table.at.trains.get(company)) if bonus else ()
    worths = _worths(table, company, trains)
    return (network_key(table, company), tuple(trains), worths, bonus, names)


def best_run(
    table: Table, company: str, trains: Sequence[str] | None = None, budget: int = 2_000_000
) -> Best:
    """The run of the company's trains, or of ``trains``, that earns most (4.2.3.1).

    Trains may stay at home. Of equal runs always the same is found. ``budget`` is in steps, about
    a million a second; when they are used up the best run so far is given as not proved.
    """
    owned = tuple(table.at.trains.get(company, ()) if trains is None else trains)
    key = (_case(table, company, owned), budget)
    return _BESTS.get(key, lambda: _Search(table, company, owned, budget).best())


def better_than(
    table: Table,
    company: str,
    total: int,
    trains: Sequence[str] | None = None,
    budget: int = 2_000_000,
) -> bool | None:
    """Whether the company's trains, or ``trains``, can earn more than ``total`` dollars.

    None if that is unknown.
    """
    owned = tuple(table.at.trains.get(company, ()) if trains is None else trains)
    found = _Search(table, company, owned, budget, total, True).best()
    return True if found.runs else False if found.proved else None

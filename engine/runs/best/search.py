"""The best run of a company's trains, exact within a budget of steps (4.2.3.1).

Knows no clock: steps are counted, so that the same position always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice, permutations
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from engine.actions import TrainRun
from engine.position.recall import PositionKey
from engine.position.rules import most_bonus, rules_of
from engine.runs.best.allowance import allowed, ended, took
from engine.runs.best.glance import at_most, near
from engine.runs.best.hops import net_of, plan
from engine.runs.best.hunt import Hunt, HuntTask, Meter, OutOfBudget, TrainRoute
from engine.runs.best.packing import Chosen, Limits, Packing
from engine.runs.best.prizes import apart
from engine.runs.best.problem import Problem
from engine.runs.routes import passed
from engine.track.ground import Recent, ground
from engine.track.links import Link, board, joined, ways_of
from engine.track.network import network_key

if TYPE_CHECKING:
    from engine.facts.facts import TrainKind
    from engine.position.table import Table

#: the number of train orders that are tried first
ORDERS = 6
#: routes of one train that are kept for combinations
ROUTES = 400_000


#: steps for trying routes before the integer program, if trains without a limit run
TRIAL = 20_000
#: the same, if all trains have a limit
ROUTED = 300_000
#: the least budget that is shared with the integer program, if all trains have a limit
WORTH = 1_000_000
#: the number of steps that one branch of the program costs
BRANCH = 2_000


class Best(Struct, frozen=True):
    """The best run that was found."""

    runs: tuple[TrainRun, ...]
    #: dollars, bonuses included
    total: int
    #: whether no better run exists; False if the budget did not last
    proved: bool
    #: steps of the search
    nodes: int


class _Aim(NamedTuple):
    """The aim of a search."""

    #: in steps
    budget: int
    #: how many trains may pay for ferries
    fares: int = 0
    #: dollars that a run must exceed to be useful
    floor: int = 0
    #: whether the first run above the floor is enough
    first: bool = False
    #: bits of sides that no train may use
    shut: int = 0


class _Search:
    """The search for the best run of a number of trains."""

    def __init__(
        self,
        table: Table,
        company: str,
        trains: Sequence[str],
        aim: _Aim,
    ) -> None:
        self._table = table
        self._company = company
        self._trains = trains
        self._aim = aim
        self._bonuses = rules_of(table.title).bonuses(table, company)
        hexes = [hex_ for hex_, _ in board(table).stops]
        self._bonus = most_bonus(apart(self._bonuses, hexes), len(trains))
        lines = _foreign_lines(table, company)
        self._tolls = lines if aim.fares else 0
        self._tasks = {
            train: HuntTask(
                kind,
                plan(table, company, table.towns_free(kind)),
                _worth(table, company, kind),
                _reached(table, company, kind),
                aim.shut | (0 if aim.fares else lines),
                self._bonuses,
            )
            for train in sorted(set(trains))
            for kind in [table.train_kind(train)]
        }
        self._endless = any(task.kind.counts == "nothing" for task in self._tasks.values())
        #: branches to try; few are not worth it if routes can be tried
        worth_it = self._endless or aim.budget >= WORTH
        self._branches = aim.budget // BRANCH if worth_it else 0
        trial = TRIAL if self._endless else ROUTED
        self._meter = Meter(min(aim.budget, trial) if self._branches else aim.budget)
        #: the most dollars that a train of a type can earn beside the others; infinite if unknown
        self._most: dict[str, float] = dict.fromkeys(self._tasks, inf)
        self._hunts: dict[str, Hunt] = {}
        self._peaks: dict[str, TrainRoute] = {}
        self.total = aim.floor
        self.runs: tuple[TrainRun, ...] = ()

    def best(self) -> Best:
        """The best run within the budget, or the first one above the floor."""
        try:
            proved = self._try() or self._choose() or self._try_again()
        except _Enough:
            proved = True
        took(self._meter.nodes)
        return Best(self.runs, self.total, proved, self._meter.nodes)

    def _try(self) -> bool:
        """Find the best run by trying routes; False if there are too few steps."""
        try:
            self._solve()
        except OutOfBudget:
            return False
        return True

    def _try_again(self) -> bool:
        """Try again with all steps, from the best run so far."""
        if not self._branches or self._endless:
            return False
        self._meter.budget = self._meter.nodes + self._aim.budget
        return self._try()

    def _solve(self) -> None:
        for train, task in self._tasks.items():
            self._hunts[train] = Hunt(task, self._meter)
            self._climb(train, self._hunts[train])
            if self._ahead(self._trains) <= self.total:
                return
        orders = sorted(set(permutations(sorted(self._trains))))
        for order in islice(orders, ORDERS):
            self._one_by_one(order)
        if self._ahead(self._trains) <= self.total:
            return
        lists: dict[str, list[TrainRoute]] = {}
        for train, hunt in self._hunts.items():
            lists[train] = self._all(hunt, int(self._least(train)))
        shortest = sorted(self._trains, key=lambda train: (len(lists[train]), train))
        limits = Limits(self._bonus, self._tolls, self._aim.fares)
        Packing(shortest, lists, limits, self._offer, self._meter).search(self.total)

    def _choose(self) -> bool:
        """Find the best run by an integer program; False if the budget is too small."""
        from engine.runs.best.dispatch import ask

        if not self._branches:
            return False
        trains = sorted(self._trains)
        answer = ask(
            Problem(
                board(self._table).links,
                tuple(self._tasks[train].duty() for train in trains),
                self._bonuses,
                self.total,
                self._branches,
                self._aim.first,
                self._tolls,
                self._aim.fares,
            )
        )
        self._meter.nodes += answer.branches * BRANCH
        if answer.run:
            runs = [self._along(trains[number], route) for number, route in answer.run]
            total = sum(dollars for dollars, _ in runs)
            self._take(*self._in_all(self._sorted([run for _, run in runs]), total))
        return answer.proved

    def _ahead(self, trains: Sequence[str]) -> float:
        """The most dollars that these trains can earn, with bonuses."""
        return self._bonus + sum(self._most[train] for train in trains)

    def _least(self, train: str) -> float:
        """The dollars that a train must exceed, so that all of them can beat the best so far."""
        others = list(self._trains)
        others.remove(train)
        return self.total - self._ahead(others)

    def _climb(self, train: str, hunt: Hunt) -> None:
        """Find the most dollars that a train earns alone, if that can be enough."""

        def keep(route: TrainRoute) -> int:
            self._peaks[train] = route
            self._most[train] = route.value
            self._offer(((train, route),))
            return route.value

        self._most[train] = floor = int(max(self._least(train), 0))
        hunt.find(0, floor, keep)

    def _one_by_one(self, order: Sequence[str]) -> None:
        """Give each train in turn the best route that is left."""
        used = paying = 0
        chosen: Chosen = ()
        for train in order:
            route = self._hunts[train].best(used) if used else self._peaks.get(train)
            if route:
                paying += bool(route.mask & self._tolls)
                used |= route.mask | (self._tolls if paying >= self._aim.fares else 0)
                chosen = (*chosen, (train, route))
        self._offer(chosen)

    @staticmethod
    def _all(hunt: Hunt, floor: int) -> list[TrainRoute]:
        """All routes above a floor in dollars, the best first."""
        found: list[TrainRoute] = []

        def keep(route: TrainRoute) -> int:
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
        plain = total - sum(route.prize for _, route in chosen)
        self._take(*self._in_all(self._in_order(chosen), plain))
        return self.total

    def _in_all(self, runs: tuple[TrainRun, ...], total: int) -> tuple[tuple[TrainRun, ...], int]:
        """Runs with their revenue in dollars, with bonuses."""
        if not self._bonuses:
            return runs, total
        bonuses = rules_of(self._table.title).set_bonus(self._table, self._company, runs)
        return runs, total + sum(dollars for _, dollars, _ in bonuses)

    def _take(self, runs: tuple[TrainRun, ...], total: int) -> None:
        if total > self.total:
            self.total, self.runs = total, runs
            if self._aim.first:
                raise _Enough

    def _run(self, train: str, route: TrainRoute) -> TrainRun:
        hunt = self._hunts[train]
        path = hunt.path(route)
        return TrainRun(train, path, passed(self._table, path, hunt.stops(route)))

    def _along(self, train: str, links: Sequence[Link]) -> tuple[int, TrainRun]:
        """The dollars of a train along consecutive links, and its run."""
        task = self._tasks[train]
        stops = {stop for link in links for stop in link.ends}
        path = joined(links)
        there = [task.plan.net.stops[stop] for stop in stops]
        run = TrainRun(train, path, passed(self._table, path, there))
        return sum(task.worth[stop] for stop in stops), run

    def _in_order(self, chosen: Chosen) -> tuple[TrainRun, ...]:
        """The routes as runs, in the order of the trains."""
        return self._sorted([self._run(train, route) for train, route in chosen])

    def _sorted(self, runs: Sequence[TrainRun]) -> tuple[TrainRun, ...]:
        return tuple(sorted(runs, key=lambda run: (self._trains.index(run.train), run.path)))


class _Enough(Exception):
    """A run above the floor was found, which was enough."""


_BESTS: Recent[Best] = Recent(256)
_BETTER: Recent[bool | None] = Recent(256)


def _worth(table: Table, company: str, kind: TrainKind) -> tuple[int, ...]:
    """Index of a stop → the dollars it earns for a train; 0 where the train cannot come."""

    def worth() -> tuple[int, ...]:
        value, stops = rules_of(table.title).stop_value, board(table).stops
        found = [0] * len(stops)
        for stop in _reached(table, company, kind):
            found[stop] = value(table, company, kind, *stops[stop])
        return tuple(found)

    # the key of a search needs it, and then the search
    return table.recall(("worth", company, kind.type), worth)


def _reached(table: Table, company: str, kind: TrainKind) -> dict[int, int]:
    """Stop → the least reach that a way from the company's tokens uses."""

    def reached() -> dict[int, int]:
        net = net_of(table, company, table.towns_free(kind))
        return near(board(table), net, kind, net.own)

    return table.recall(("reached", company, kind.type), reached)


def _foreign_lines(table: Table, company: str) -> int:
    """The bits of the sides that other owners' ferries cross."""
    base = ground(table.title)
    found = 0
    for ferry, holder in table.at.ferries.items():
        for hex_ in table.title.lakes[ferry] if holder != company else ():
            here = base.index[hex_]
            for side, track in enumerate(ways_of(table, here).plain):
                found |= base.bits[6 * here + side] if track else 0
    return found


def _payers(table: Table, company: str, trains: Sequence[str], fares: int) -> int:
    """The number of trains that can pay for ferries; each crosses two sides at a lake."""
    lines = _foreign_lines(table, company)
    return min(fares, len(trains), lines.bit_count() // 2)


def case(table: Table, company: str, trains: Sequence[str]) -> Hashable:
    """A key of everything that the best run depends on."""
    return table.recall(("case", company, *trains), lambda: _case(table, company, trains))


def _case(table: Table, company: str, trains: Sequence[str]) -> PositionKey:
    bonuses = rules_of(table.title).bonuses(table, company)
    # bonuses may depend on the names of trains, and names on the owned trains
    names = (table.at.marks, table.at.trains.get(company)) if bonuses else ()
    kinds = tuple(table.train_kind(train) for train in sorted(set(trains)))
    worths = tuple(_worth(table, company, kind) for kind in kinds)
    return PositionKey(network_key(table, company), tuple(trains), kinds, worths, bonuses, names)


def _at_most(table: Table, company: str, trains: Sequence[str]) -> int:
    """Dollars that the trains cannot exceed, with bonuses; found without any route."""
    most = most_bonus(rules_of(table.title).bonuses(table, company), len(trains))
    for train in trains:
        kind = table.train_kind(train)
        net = net_of(table, company, table.towns_free(kind))
        worth, reached = _worth(table, company, kind), _reached(table, company, kind)
        most += at_most(board(table), net, kind, worth, reached)
    return most


def best_run(
    table: Table,
    company: str,
    trains: Sequence[str] | None = None,
    budget: int = 2_000_000,
    fares: int = 0,
) -> Best:
    """The run of the company's trains, or of ``trains``, that earns most (4.2.3.1).

    Trains may stay at home; at most ``fares`` of them use ferries of others. Of equal runs it
    always finds the same. ``budget`` is in steps, about a million a second. After them it gives the
    best run so far as not proved.
    """
    owned = tuple(table.at.trains.get(company, ()) if trains is None else trains)
    fares = _payers(table, company, owned, fares)
    known = case(table, company, owned)
    # an answer within the whole budget is better than one within the steps of the block
    found = _BESTS.known((known, budget, fares))
    if found:
        return found
    given = allowed(budget)
    key = (known, given, fares)
    found = _BESTS.get(key, lambda: _Search(table, company, owned, _Aim(given, fares)).best())
    ended(budget, given, found.proved)
    return found


def better_than(
    table: Table,
    company: str,
    total: int,
    trains: Sequence[str] | None = None,
    budget: int = 2_000_000,
    fares: int = 0,
) -> bool | None:
    """Whether the company's trains, or ``trains``, can earn more than ``total`` dollars.

    At most ``fares`` of them use ferries of others. None if it is unknown.
    """
    owned = tuple(table.at.trains.get(company, ()) if trains is None else trains)
    fares = _payers(table, company, owned, fares)
    key = (case(table, company, owned), budget, fares)
    known = _BESTS.known(key)
    if known and (known.proved or known.total > total):
        return known.total > total

    given = allowed(budget)

    def answer() -> bool | None:
        if _at_most(table, company, owned) <= total:
            return False
        found = _Search(table, company, owned, _Aim(given, fares, total, True)).best()
        return True if found.runs else False if found.proved else None

    better = _BETTER.get((key[0], given, fares, total), answer)
    ended(budget, given, better is not None)
    return better

"""The best run as an integer program, for trains that run too far to try all their routes.

Each train chooses links and stops. Sets of stops that its links do not join to its ends are cut off
as they turn up. Counts branches and knows no clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import gcd
from typing import NamedTuple

import highspy

from engine.board.hexes import Hex
from engine.position.rules import RouteBonus
from engine.runs.best.cuts import loops
from engine.runs.best.highs import empty_model
from engine.runs.best.problem import Choice, Duty, Problem, bits_of, stops_of, useful
from engine.track.links import Link

#: rounds of cuts before the branching
ROUNDS = 30
#: starting to branch takes as long as this many branches
ROOT = 5
#: this many iterations of the simplex method are at least the work of one branch
ITERATIONS = 150
#: a choice above one half counts as chosen
HALF = 0.5

#: dollars by which sums of the solver may err
NEAR = 0.01
#: statuses for: no choice is good enough; no program here is unbounded
_NONE = (
    highspy.HighsModelStatus.kInfeasible,
    highspy.HighsModelStatus.kUnboundedOrInfeasible,
)

#: coefficients by variable
Terms = dict[int, float]


class _Train(NamedTuple):
    """One train's variables: used links, visited stops, its ends, and whether it runs."""

    duty: Duty
    links: dict[int, int]
    visits: dict[int, int]
    ends: dict[int, int]
    out: int


class Unproved(Exception):
    """No branches are left."""


class Programme:
    """The choice of links for a number of trains."""

    def __init__(self, question: Problem) -> None:
        """It looks for the best run, whatever ``question.first`` says."""
        self._links = question.links
        self._left = question.branches
        self.branches = 0
        self._costs: list[int] = []
        self._settled: set[int] = set()
        self._model = empty_model()
        rewarded = {hex_ for bonus in question.bonuses for hex_ in bonus.hexes}
        #: stops where a train may have to end though it earns nothing there
        self._rewarded = {
            stop for link in self._links if rewarded.intersection(link.path) for stop in link.ends
        }
        self._trains = [self._add(duty) for duty in question.duties]
        self._bonuses = self._reward(question.bonuses)
        self._unit = gcd(*self._costs) or 1
        for before, train in zip(self._trains, self._trains[1:], strict=False):
            if before.duty == train.duty:
                self._row(0, None, [*self._dollars(before), *self._dollars(train, -1)])
        self._share_sides()
        self._pay(question.tolls, question.fares)
        self._model.setOptionValue("mip_abs_gap", self._unit * 0.98)

    def solve(self, floor: int) -> Iterator[tuple[Choice, ...]]:
        """Better and better runs above a floor in dollars; the last one is the best.

        Raises Unproved if there may be a better one.
        """
        model = self._model
        least = self._next(floor)
        settling = True
        while settling:
            if not self._relax(least):
                return
            settling = self._settle(least)
        goal = model.getNumRow()
        self._row(least, None, self._total())
        for variable in range(len(self._costs)):
            model.changeColIntegrality(variable, highspy.HighsVarType.kInteger)
        while self._branch():
            whole = model.getSolution().col_value
            most = round(model.getInfo().objective_function_value)
            found = [self._pieces(train, whole) for train in self._trains]
            run = tuple(
                (number, route)
                for number, (route, _) in enumerate(found)
                if route and set(self._trains[number].duty.net.own) & stops_of(route)
            )
            value = self._value(run, whole)
            if value > floor:
                floor = value
                yield run
            cut = {circle for _, circles in found for circle in circles}
            for circle in sorted(cut, key=sorted):
                self._forbid(circle, sorted(circle))
            if floor >= most:
                return
            model.changeRowBounds(goal, self._next(floor), most)

    def _next(self, floor: int) -> int:
        """The least total above a floor, in dollars, whether or not its trains can earn it."""
        return (floor // self._unit + 1) * self._unit

    def _value(self, run: Sequence[Choice], values: Sequence[float]) -> int:
        """The revenue of a run in dollars, with the bonuses that were chosen."""
        stops = 0
        there: dict[int, set[Hex]] = {}
        for number, route in run:
            worth = self._trains[number].duty.worth
            stops += sum(worth[stop] for stop in stops_of(route))
            there[number] = {hex_ for link in route for hex_ in link.path}
        earners = [
            sum(
                number in there and values[chosen] > HALF and there[number].issuperset(bonus.hexes)
                for number, chosen in users.items()
            )
            for bonus, users in self._bonuses
        ]
        return stops + sum(
            bonus.dollars * count
            for (bonus, _), count in zip(self._bonuses, earners, strict=True)
            if bonus.needs < 0 or earners[bonus.needs]
        )

    def _variable(self, dollars: int = 0) -> int:
        self._model.addVar(0, 1)
        number = len(self._costs)
        self._costs.append(dollars)
        if dollars:
            self._model.changeColCost(number, dollars)
        return number

    def _row(
        self, least: float | None, most: float | None, terms: Sequence[tuple[int, int]]
    ) -> None:
        sums: Terms = {}
        for variable, times in terms:
            sums[variable] = sums.get(variable, 0.0) + times
        low = -highspy.kHighsInf if least is None else least
        high = highspy.kHighsInf if most is None else most
        self._model.addRow(low, high, len(sums), list(sums), list(sums.values()))

    def _dollars(self, train: _Train, times: int = 1) -> list[tuple[int, int]]:
        return [(v, times * self._costs[v]) for v in train.visits.values() if self._costs[v]]

    def _total(self) -> list[tuple[int, int]]:
        return [(variable, dollars) for variable, dollars in enumerate(self._costs) if dollars]

    def _add(self, duty: Duty) -> _Train:
        """Add a train's variables, and the rows that make them a route."""
        numbers = useful(self._links, duty)
        stops = sorted(stops_of(self._links[number] for number in numbers))
        train = _Train(
            duty,
            {number: self._variable() for number in numbers},
            {stop: self._variable(duty.worth[stop]) for stop in stops},
            {stop: self._variable() for stop in stops},
            self._variable(),
        )
        near: dict[int, dict[int, list[int]]] = {stop: {} for stop in stops}
        for number, variable in train.links.items():
            one, other = self._links[number].ends
            near[one].setdefault(other, []).append(variable)
            near[other].setdefault(one, []).append(variable)
        for stop in stops:
            self._join(train, stop, near[stop])
        self._shorten(train, near)
        self._row(0, 0, [*((end, 1) for end in train.ends.values()), (train.out, -2)])
        own = [(train.visits[stop], 1) for stop in duty.net.own if stop in train.visits]
        self._row(0, None, [*own, (train.out, -1)])
        self._limit(train)
        self._once(train)
        return train

    def _reward(self, bonuses: Sequence[RouteBonus]) -> list[tuple[RouteBonus, dict[int, int]]]:
        """Bonuses, each with index of a train → variable, for each train that can earn it."""
        found = []
        single: dict[int, list[int]] = {}
        for bonus in bonuses:
            users = {}
            for number, train in enumerate(self._trains):
                if bonus.train in ("", train.duty.train):
                    users[number] = variable = self._variable(bonus.dollars)
                    self._row(None, 0, [(variable, 1), (train.out, -1)])
                    if not (bonus.each or bonus.beside):
                        single.setdefault(number, []).append(variable)
                    for hex_ in bonus.hexes:
                        there = [
                            (v, 1) for n, v in train.links.items() if hex_ in self._links[n].path
                        ]
                        self._row(0, None, [*there, (variable, -1)])
            if not bonus.each and len(users) > 1:
                self._row(None, 1, [(variable, 1) for variable in users.values()])
            found.append((bonus, users))
        for rivals in single.values():
            if len(rivals) > 1:
                self._row(None, 1, [(variable, 1) for variable in rivals])
        for bonus, users in found:
            if bonus.needs >= 0:
                needed = [(variable, -1) for variable in found[bonus.needs][1].values()]
                for variable in users.values():
                    self._row(None, 0, [(variable, 1), *needed])
        return found

    def _join(self, train: _Train, stop: int, near: Mapping[int, Sequence[int]]) -> None:
        """A visited stop has two links, or one if the route ends there."""
        visit, end = train.visits[stop], train.ends[stop]
        links = [(variable, 1) for found in near.values() for variable in found]
        self._row(0, 0, [*links, (visit, -2), (end, 1)])
        self._row(None, 0, [(end, 1), (visit, -1)])
        if not train.duty.net.open[stop]:
            self._row(0, None, [(end, 1), (visit, -1)])
        self._row(None, 0, [(visit, 1), (train.out, -1)])
        for found in near.values():
            self._row(None, 0, [*((variable, 1) for variable in found), (visit, -1)])

    def _shorten(self, train: _Train, near: Mapping[int, Mapping[int, Sequence[int]]]) -> None:
        """No route is a circle of three stops."""
        for one in near:
            for two, three in combinations(sorted(near[one]), 2):
                if one < two and three in near[two]:
                    links = [*near[one][two], *near[one][three], *near[two][three]]
                    for pair in combinations((one, two, three), 2):
                        ends = [(train.visits[stop], -1) for stop in pair]
                        self._row(None, 0, [*((variable, 1) for variable in links), *ends])

    def _limit(self, train: _Train) -> None:
        """The reach of the train, and where it must end (4.2.3(i), 18GL 4.6.3, 4.9)."""
        duty = train.duty
        if duty.counts == "nothing":
            return
        if duty.counts == "hexes":
            used = [(v, len(self._links[n].path) - 1) for n, v in train.links.items()]
        else:
            used = [(v, 1) for stop, v in train.visits.items() if not duty.net.free[stop]]
        self._row(None, 0, [*used, (train.out, -duty.reach)])
        if duty.counts == "cities":
            self._row(0, None, [*used, (train.out, -2)])
            for stop, variable in train.ends.items():
                if duty.net.free[stop] and stop not in self._rewarded:
                    self._row(0, 0, [(variable, 1)])

    def _once(self, train: _Train) -> None:
        """No side twice, and only one stop of each location."""
        net, sides, places = train.duty.net, dict[int, list[int]](), dict[int, list[int]]()
        for number, variable in train.links.items():
            for bit in bits_of(self._links[number].mask & ~net.sides):
                sides.setdefault(bit, []).append(variable)
        for stop, variable in train.visits.items():
            for bit in bits_of(net.bits[stop]):
                places.setdefault(bit, []).append(variable)
        for users in (*sides.values(), *places.values()):
            if len(users) > 1:
                self._row(None, 0, [*((variable, 1) for variable in users), (train.out, -1)])

    def _share_sides(self) -> None:
        """A track across a side is for one train (4.2.3(j))."""
        sides: dict[int, list[int]] = {}
        for train in self._trains:
            for number, variable in train.links.items():
                for bit in bits_of(self._links[number].mask & train.duty.net.sides):
                    sides.setdefault(bit, []).append(variable)
        # sides that the same links cross need one row
        for users in {tuple(users): None for users in sides.values()}:
            if len(users) > 1:
                self._row(None, 1, [(variable, 1) for variable in users])

    def _pay(self, tolls: int, fares: int) -> None:
        """Only as many trains use ferries of others as may pay for them (18GL 4.6.3)."""
        payers = []
        for train in self._trains:
            used = [v for number, v in train.links.items() if self._links[number].mask & tolls]
            if used:
                payers.append(self._variable())
                for variable in used:
                    self._row(None, 0, [(variable, 1), (payers[-1], -1)])
        if len(payers) > fares:
            self._row(None, fares, [(payer, 1) for payer in payers])

    def _relax(self, goal: int) -> bool:
        """Forbid loops of routes that use links in part; False if no route can earn enough."""
        for _ in range(ROUNDS):
            self._model.run()
            if not self._enough(goal):
                return False
            values = self._model.getSolution().col_value
            found = {loop for train in self._trains for loop in self._loops(train, values)}
            for loop in sorted(found, key=sorted):
                most = max(loop, key=lambda stop: (self._visited(stop, values), stop))
                self._forbid(loop, [most])
            if not found:
                break
        self._model.run()
        return self._enough(goal)

    def _enough(self, goal: int) -> bool:
        """Whether the latest bound allows a run of ``goal`` dollars."""
        if self._model.getModelStatus() in _NONE:
            return False
        bound: float = self._model.getInfo().objective_function_value
        return bound > goal - NEAR

    def _settle(self, goal: int) -> bool:
        """Fix variables that every run of ``goal`` dollars has; True if they were many."""
        bound = self._model.getInfo().objective_function_value
        solution = self._model.getSolution()
        duals, values = solution.col_dual, solution.col_value
        settled = 0
        for variable, dual in enumerate(duals):
            if variable in self._settled or bound - abs(dual) > goal - NEAR:
                continue
            value = round(values[variable])
            self._model.changeColBounds(variable, value, value)
            self._settled.add(variable)
            settled += 1
        return settled > len(duals) // 50

    def _visited(self, stop: int, values: Sequence[float]) -> float:
        return max(values[t.visits[stop]] for t in self._trains if stop in t.visits)

    def _loops(self, train: _Train, values: Sequence[float]) -> list[frozenset[int]]:
        return loops(
            [(self._links[number].ends, values[v]) for number, v in train.links.items()],
            {stop: values[v] for stop, v in train.visits.items()},
            {stop: values[v] for stop, v in train.ends.items()},
        )

    def _forbid(self, loop: frozenset[int], apart: Sequence[int]) -> None:
        """A train has fewer links within the loop than it visits of its stops."""
        for train in self._trains:
            inside = [
                (v, 1) for n, v in train.links.items() if loop.issuperset(self._links[n].ends)
            ]
            for left in apart if inside else ():
                stops = [(train.visits[s], -1) for s in loop - {left} if s in train.visits]
                self._row(None, 0, [*inside, *stops])

    def _branch(self) -> bool:
        """Find the best choice; False if there is none. Raises Unproved if that is unknown."""
        model = self._model
        if self._left <= 0:
            raise Unproved
        model.setOptionValue("mip_max_nodes", self._left)
        model.run()
        info = model.getInfo()
        used = max(ROOT + info.mip_node_count, info.simplex_iteration_count // ITERATIONS)
        self._left -= used
        self.branches += used
        status = model.getModelStatus()
        if status in _NONE:
            return False
        if status != highspy.HighsModelStatus.kOptimal:
            raise Unproved
        return True

    def _pieces(
        self, train: _Train, values: Sequence[float]
    ) -> tuple[tuple[Link, ...], list[frozenset[int]]]:
        """A train's links in order, and the stops of each separate circle."""
        used = [self._links[n] for n, v in train.links.items() if values[v] > HALF]
        ends = sorted(stop for stop, v in train.ends.items() if values[v] > HALF)
        route: list[Link] = []
        circles = []
        here = ends[0] if ends else None
        while used:
            piece = []
            here = min(link.ends[0] for link in used) if here is None else here
            seen = {here}
            while link := next((link for link in used if here in link.ends), None):
                used.remove(link)
                piece.append(link)
                here = link.ends[link.ends[0] == here]
                seen.add(here)
            if ends and not route:
                route = piece
            else:
                circles.append(frozenset(seen))
            here = None
        return tuple(route), circles

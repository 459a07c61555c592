"""The best run of trains that run too far to try all their routes: in turn, then all together.

Knows links and what each train is to do; no companies and no budget but branches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from engine.hunt import Task
from engine.links import Link
from engine.programme import Programme

#: (number of the train, its links in order)
Choice = tuple[int, tuple[Link, ...]]
#: orders of trains that are tried to begin with
ORDERS = 3


class Dispatch:
    """The choice of links for a number of trains."""

    def __init__(self, links: Sequence[Link], tasks: Sequence[Task], branches: int) -> None:
        """``links`` are all of a position; ``branches`` are the most to be tried."""
        self._links = links
        self._tasks = tasks
        self._left = branches

    @property
    def left(self) -> int:
        """How many branches are left."""
        return self._left

    def solve(self, floor: int) -> Iterator[list[Choice]]:
        """Better and better runs above a floor in dollars, the last the best.

        Raises Unproved if there may be better ones still.
        """
        if len(self._tasks) > 1:
            orders = sorted(set(permutations(range(len(self._tasks)))))
            tried: set[tuple[Task, ...]] = set()
            for order in orders:
                alike = tuple(self._tasks[number] for number in order)
                if alike in tried or len(tried) == ORDERS:
                    continue
                tried.add(alike)
                run = self._in_turn(order)
                if self._value(run) > floor:
                    floor = self._value(run)
                    yield run
        for run in self._together(self._tasks, floor):
            floor = self._value(run)
            yield run

    def _value(self, run: Sequence[Choice]) -> int:
        return sum(
            sum(
                self._tasks[number].worth[stop] for stop in {s for link in route for s in link.ends}
            )
            for number, route in run
        )

    def _in_turn(self, order: Sequence[int]) -> list[Choice]:
        """Give each train in turn the best route that is left."""
        used = 0
        found: list[Choice] = []
        for number in order:
            task = self._tasks[number]
            alone = [task._replace(shut=task.shut | used & task.plan.sides)]
            last = list(self._together(alone, 0))[-1:]
            for _, route in (choice for run in last for choice in run):
                found.append((number, route))
                for link in route:
                    used |= link.mask
        return found

    def _together(self, tasks: Sequence[Task], floor: int) -> Iterator[list[Choice]]:
        programme = Programme(self._links, tasks, self._left)
        try:
            yield from programme.solve(floor)
        finally:
            self._left -= programme.branches

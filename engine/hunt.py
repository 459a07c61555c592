"""The routes of one train: grown from the company's stations, cut off where none can earn enough.

Knows no other trains but as sides that are taken, and no bonuses for more than one stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from engine.hexes import Hex
from engine.hops import FREE, Plan
from engine.network import Place

if TYPE_CHECKING:
    from engine.titles.facts import TrainKind

#: hops of an arm from the last to the first
Chain = tuple[int, "Chain"] | tuple[()]


class Route(NamedTuple):
    """A train's route in the making of a run: two arms from a station, the second perhaps empty."""

    value: int
    #: bits of its sides
    mask: int
    one: Chain
    other: Chain


class OutOfBudget(Exception):
    """The steps are used up."""


class Meter:
    """Counts steps."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nodes = 0

    def spend(self, steps: int) -> None:
        """Count steps; raises OutOfBudget when there are too many."""
        self.nodes += steps
        if self.nodes > self.budget:
            raise OutOfBudget


class Hunt:
    """All routes of one type of train on a plan."""

    def __init__(self, plan: Plan, kind: TrainKind, worth: Sequence[int], meter: Meter) -> None:
        self.plan = plan
        self.kind = kind
        self.meter = meter
        self.gains = [sum(worth[stop] for stop in hop.stops) for hop in plan.hops]
        self.worth = worth

        def order(number: int) -> tuple[int, int, tuple[Hex, ...]]:
            path = plan.hops[number].path
            return -self.gains[number], len(path), path

        self._leaving = [sorted(numbers, key=order) for numbers in plan.leaving]
        self._following = [sorted(numbers, key=order) for numbers in plan.following]
        self._beyond = self._bounds()

    def _bounds(self) -> list[list[int]]:
        """By hop and stops left: the most that can follow if only the hop is not repeated."""
        hops, gains = self.plan.hops, self.gains
        beyond: list[list[int]] = [[] for _ in hops]
        for left in range(self.kind.reach):
            for number, following in enumerate(self._following):
                most = 0
                for after in following:
                    if hops[after].end == FREE:
                        most = max(most, gains[after])
                    elif left:
                        most = max(most, gains[after] + beyond[after][left - 1])
                beyond[number].append(most)
        return beyond

    def _second_arm(self, second: Sequence[int]) -> list[int]:
        """By stops left: the most that an arm with one of these first hops can earn."""
        hops, gains = self.plan.hops, self.gains
        best = []
        for left in range(self.kind.reach):
            most = 0
            for number in second:
                if hops[number].end == FREE:
                    most = max(most, gains[number])
                elif left:
                    most = max(most, gains[number] + self._beyond[number][left - 1])
            best.append(most)
        return best

    def find(self, used: int, floor: int, keep: Callable[[Route], int]) -> None:
        """Give ``keep`` every route that earns more than ``floor`` without the sides in ``used``.

        ``keep`` returns the floor from then on. Raises OutOfBudget.
        """
        banned = used
        for station in self.plan.own:
            banned |= self.plan.bits[station]
            leaving = self._leaving[station]
            for index, first in enumerate(leaving):
                if not banned & self.plan.hops[first].mask:
                    second = leaving[index + 1 :] if self.plan.open[station] else []
                    floor = self._from(station, first, second, banned, floor, keep)

    def _from(
        self,
        station: int,
        first: int,
        second: Sequence[int],
        banned: int,
        floor: int,
        keep: Callable[[Route], int],
    ) -> int:
        """All routes whose first arm begins with one hop and whose second with one of others."""
        hops, gains, following = self.plan.hops, self.gains, self._following
        beyond, meter = self._beyond, self.meter
        own_sides = self.plan.sides & ~banned
        apart = self._second_arm(second)

        @cache
        def both(number: int, left: int) -> int:
            """The most that can follow a hop of the first arm, on both arms."""
            ahead = beyond[number]
            return max(ahead[k] + apart[left - k] for k in range(left + 1))

        def grow(
            ways: Sequence[int], used: int, left: int, value: int, one: Chain, other: Chain | None
        ) -> None:
            """Go on by one of these hops; ``other`` is None while the first arm grows."""
            nonlocal floor
            for number in ways:
                hop = hops[number]
                rest = left if hop.end == FREE else left - 1
                if rest < 0 or used & hop.mask:
                    continue
                now = value + gains[number]
                most = both(number, rest) if other is None else beyond[number][rest]
                if now + most <= floor:
                    continue
                meter.spend(1)
                taken = used | hop.mask
                here, there = ((number, one), None) if other is None else (one, (number, other))
                if now > floor:
                    floor = keep(Route(now, taken & own_sides, here, there or ()))
                if following[number]:
                    grow(following[number], taken, rest, now, here, there)
                if there is None and second:
                    grow(second, taken, rest, now, here, ())

        grow([first], banned, self.kind.reach - 1, self.worth[station], (), None)
        return floor

    def best(self, used: int = 0, floor: int = 0) -> Route | None:
        """The route that earns most, if one earns more than ``floor``; raises OutOfBudget."""
        found: list[Route] = []

        def keep(route: Route) -> int:
            found.append(route)
            return route.value

        self.find(used, floor, keep)
        return found[-1] if found else None

    def stops(self, route: Route) -> set[Place]:
        """Where a route stops; its station is the start of either arm."""
        found: set[Place] = set()
        for chain in (route.one, route.other):
            while chain:
                number, chain = chain
                hop = self.plan.hops[number]
                found.update(self.plan.stops[stop] for stop in (hop.start, *hop.stops))
        return found

    def path(self, route: Route) -> tuple[Hex, ...]:
        """The hexes of a route from end to end, in the direction that reads first."""
        arms: list[list[Hex]] = []
        for chain in (route.one, route.other):
            numbers = []
            while chain:
                number, chain = chain
                numbers.append(number)
            arm: list[Hex] = []
            for number in reversed(numbers):
                arm += self.plan.hops[number].path[bool(arm) :]
            arms.append(arm)
        one, other = arms
        path = (*reversed(one), *other[1:])
        return min(path, path[::-1])

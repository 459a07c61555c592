"""The routes of one train, grown from the company's tokens; hopeless ones are cut off.

It knows other trains only as occupied sides, and no bonuses for several stops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from engine.board.hexes import Hex
from engine.position.rules import RouteBonus
from engine.runs.best.glance import span
from engine.runs.best.hops import FREE, Hop, HopPlan
from engine.runs.best.prizes import earned, prizes
from engine.runs.best.problem import Duty
from engine.track.ground import Place

if TYPE_CHECKING:
    from engine.facts.facts import TrainKind

#: the hops of an arm, from the last to the first
Chain = tuple[int, "Chain"] | tuple[()]


class TrainRoute(Struct, frozen=True, gc=False):
    """A train's route: two arms from a token, the second perhaps empty."""

    #: dollars of its stops, and of the bonuses that may count for it
    value: int
    #: bits of its sides
    mask: int
    one: Chain
    other: Chain
    #: those of ``value`` that are bonuses
    prize: int = 0


class HuntTask(NamedTuple):
    """The task of a type of train: earn the most on a plan."""

    kind: TrainKind
    plan: HopPlan
    #: dollars by stop
    worth: tuple[int, ...]
    #: see `near`, from the company's tokens
    reached: Mapping[int, int]
    #: bits of sides that it may not use
    shut: int = 0
    #: bonuses, which may make a route end where the train earns nothing
    bonuses: tuple[RouteBonus, ...] = ()
    #: whether a route may end there in any case
    anywhere: bool = False

    def duty(self) -> Duty:
        """The same task without hops, for `engine.runs.best.problem`."""
        kind = self.kind
        return Duty(kind.type, kind.counts, kind.reach, self.plan.net, self.worth, self.shut)


class OutOfBudget(Exception):
    """No steps are left."""


class Meter:
    """Counts steps."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.nodes = 0

    def spend(self, steps: int) -> None:
        """Count steps. Raises OutOfBudget if none are left."""
        self.nodes += steps
        if self.nodes > self.budget:
            raise OutOfBudget


def _sorted(numbers: Sequence[int], ranks: Sequence[int | None]) -> tuple[int, ...]:
    """The hops in order of rank, without those that have none."""
    if not numbers:
        return ()
    by_rank = {rank: number for number in numbers if (rank := ranks[number]) is not None}
    return tuple([by_rank[rank] for rank in sorted(by_rank)])


def _cost(kind: TrainKind, hop: Hop) -> int:
    """The reach that a hop uses: its hexes, or 1 if it ends in a stop that counts."""
    if kind.counts == "hexes":
        return len(hop.path) - 1
    return int(hop.end != FREE)


class Hunt:
    """All routes of one type of train on a plan."""

    def __init__(self, task: HuntTask, meter: Meter) -> None:
        """Raises OutOfBudget if the plan has too many hops to try routes."""
        kind, plan, worth, reached, shut, bonuses, anywhere = task
        if plan.dense:
            raise OutOfBudget
        self.plan = plan
        self.meter = meter
        self.gains = [sum(worth[stop] for stop in hop.stops) for hop in plan.hops]
        self.worth = worth
        self._shut = shut
        #: by hop: the reach that it uses
        self._cost = [_cost(kind, hop) for hop in plan.hops]
        #: the reach that is left at the first station
        self._span = span(kind, len(plan.net.stops))

        #: the most reach that a route may leave unused: a train that counts cities needs two
        self._spare = self._span - (kind.counts == "cities")

        # a train that counts cities earns nothing in a last town
        ends = anywhere or bool(bonuses) or kind.counts != "cities"
        ranks = self._ranks(ends, reached)
        self._leaving = [_sorted(numbers, ranks) for numbers in plan.leaving]
        self._following = [
            () if rank is None else _sorted(numbers, ranks)
            for rank, numbers in zip(ranks, plan.following, strict=True)
        ]
        #: [hop][reach left] → the most dollars that can follow the hop
        self._beyond: list[tuple[int, ...]] = []
        #: [reach left][hop] → the most dollars of the hop and what can follow it
        self._onward: list[list[int]] = []
        self._bound(reached)
        self._prizes = prizes(bonuses, kind, plan)
        self._most_prize = sum(prize.dollars for prize in self._prizes)
        #: by token: see `_second_arms`
        self._arms = {station: self._second_arms(station) for station in plan.net.own}

    def _ranks(self, ends: bool, reached: Mapping[int, int]) -> list[int | None]:
        """[hop] → its rank, best first; None if it is too far away, or no route may end there."""
        hops, gains, cost, far = self.plan.hops, self.gains, self._cost, self._span + 1
        near = [n for n, hop in enumerate(hops) if reached.get(hop.start, far) + cost[n] < far]
        used = [n for n in near if ends or hops[n].end != FREE]
        used.sort(key=lambda n: (-gains[n], len(hops[n].path), hops[n].path))
        ranks: list[int | None] = [None] * len(hops)
        for rank, number in enumerate(used):
            ranks[number] = rank
        return ranks

    def _bound(self, reached: Mapping[int, int]) -> None:
        """Compute the most dollars that hops can earn, if no hop is repeated at once."""
        hops, gains, cost = self.plan.hops, self.gains, self._cost
        at_once = max(cost, default=0) <= 1
        #: [reach left][hop] → the most dollars that can follow the hop
        most: list[list[int]] = []
        # routes come to a hop with no more reach left than this, and it needs no bound for more
        needs = sorted(
            (
                (self._span - reached[hops[number].start] - cost[number], number)
                for number, after in enumerate(self._following)
                if after
            ),
            reverse=True,
        )
        for left in range(self._span + 1):
            if left and at_once:
                # nothing follows a hop without cost
                onward = list(map(add, gains, most[-1]))
            else:
                onward = [
                    gain + (most[left - used][hop] if used else 0) if used <= left else 0
                    for hop, (gain, used) in enumerate(zip(gains, cost, strict=True))
                ]
            self._onward.append(onward)
            value, ahead = onward.__getitem__, [0] * len(hops)
            while needs and needs[-1][0] < left:
                needs.pop()
            for _, number in needs:
                ahead[number] = max(map(value, self._following[number]))
            most.append(ahead)
        self._beyond = list(zip(*most, strict=True))

    def _second_arms(self, station: int) -> list[tuple[int, ...]]:
        """[how many of the first hops are left out][reach left] → the most dollars of a second arm.

        The hops are those that leave a token, in order.
        """
        leaving = self._leaving[station]
        if not self.plan.net.open[station]:
            return [(0,) * len(self._onward)] * (len(leaving) + 1)
        last = leaving[::-1]
        mosts = (
            accumulate(map(onward.__getitem__, last), max, initial=0) for onward in self._onward
        )
        return list(zip(*mosts, strict=True))[::-1]

    def find(self, used: int, floor: int, keep: Callable[[TrainRoute], int]) -> None:
        """Give ``keep`` each route above ``floor`` dollars that uses no side in ``used``.

        ``keep`` returns the next floor. Raises OutOfBudget.
        """
        banned, net = used | self._shut, self.plan.net
        for station in net.own:
            leaving, arms = self._leaving[station], self._arms[station]
            taken = banned | net.bits[station]
            worth = self.worth[station] + self._most_prize
            for index, first in enumerate(leaving):
                if taken & self.plan.hops[first].mask:
                    continue
                apart = arms[index + 1]
                # most hops cannot begin a good route, and need no search
                most = self._both(first, self._span - self._cost[first], apart)
                if worth + self.gains[first] + most > floor:
                    second = leaving[index + 1 :] if net.open[station] else ()
                    floor = self._from(station, first, second, apart, taken, floor, keep)
            # all routes by this station are found
            banned |= net.own_bits[station]

    def _both(self, number: int, left: int, apart: Sequence[int]) -> int:
        """The most dollars that can follow a hop of the first arm, on both arms.

        ``apart`` is [reach left] → the most dollars of the second arm; both arms share the reach.
        """
        most: int = max(map(add, self._beyond[number][: left + 1], apart[left::-1]))
        return most

    def _from(
        self,
        station: int,
        first: int,
        second: Sequence[int],
        apart: Sequence[int],
        banned: int,
        floor: int,
        keep: Callable[[TrainRoute], int],
    ) -> int:
        """All routes whose first arm begins with one hop, and the second arm with one of others."""
        hops, gains, following = self.plan.hops, self.gains, self._following
        beyond, meter, cost = self._beyond, self.meter, self._cost
        spare, own_sides = self._spare, self.plan.net.sides & ~banned
        here_bits, every = self.plan.net.bits[station], self._prizes
        most_prize = self._most_prize

        #: [hop, reach left] → the answer of `both`
        mosts: dict[tuple[int, int], int] = {}

        def both(number: int, left: int) -> int:
            most = mosts.get((number, left))
            if most is None:
                most = mosts[number, left] = self._both(number, left, apart)
            return most

        def grow(
            ways: Sequence[int], used: int, left: int, value: int, one: Chain, other: Chain | None
        ) -> None:
            """Extend the arm by one of these hops; ``other`` is None while the first arm grows."""
            nonlocal floor
            for number in ways:
                hop = hops[number]
                rest = left - cost[number]
                if rest < 0 or used & hop.mask:
                    continue
                now = value + gains[number]
                most = both(number, rest) if other is None else beyond[number][rest]
                if now + most + most_prize <= floor:
                    continue
                meter.spend(1)
                taken = used | hop.mask
                here, there = ((number, one), None) if other is None else (one, (number, other))
                if now + most_prize > floor and rest <= spare:
                    prize = earned(every, taken & ~banned | here_bits) if every else 0
                    if now + prize > floor:
                        mask = taken & own_sides
                        floor = keep(TrainRoute(now + prize, mask, here, there or (), prize))
                if following[number]:
                    grow(following[number], taken, rest, now, here, there)
                if there is None and second:
                    grow(second, taken, rest, now, here, ())

        grow([first], banned, self._span, self.worth[station], (), None)
        return floor

    def best(self, used: int = 0, floor: int = 0) -> TrainRoute | None:
        """The best route, None if none earns more than ``floor`` dollars; raises OutOfBudget."""
        found: list[TrainRoute] = []

        def keep(route: TrainRoute) -> int:
            found.append(route)
            return route.value

        self.find(used, floor, keep)
        return found[-1] if found else None

    def stops(self, route: TrainRoute) -> set[Place]:
        """The stops of a route. Both arms start at its token."""
        found: set[Place] = set()
        for chain in (route.one, route.other):
            while chain:
                number, chain = chain
                hop = self.plan.hops[number]
                found.update(self.plan.net.stops[stop] for stop in (hop.start, *hop.stops))
        return found

    def path(self, route: TrainRoute) -> tuple[Hex, ...]:
        """The hexes of a route from end to end, in the direction that is first alphabetically."""
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

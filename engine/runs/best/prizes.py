"""Bonuses that a company's trains do not compete for: each route counts them in its possible value.

The bits of its stops show whether a route visits all hexes of a bonus. If only one train earns a
bonus, or if it needs another train, the count may be too high, but never too low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.facts.facts import TrainKind
    from engine.position.rules import RouteBonus
    from engine.runs.best.hops import HopPlan


class Prize(NamedTuple):
    """Dollars for a route that visits every one of several stops."""

    dollars: int
    #: the bits of these stops
    need: int


def apart(bonuses: Sequence[RouteBonus], hexes: Sequence[str]) -> tuple[RouteBonus, ...]:
    """The bonuses that single routes cannot count; ``hexes`` are the hexes of all stops.

    A train earns at most one of them, or its stops have no bits of their own.
    """
    stops = Counter(hexes)
    return tuple(
        bonus
        for bonus in bonuses
        if not (bonus.each or bonus.beside) or any(stops[hex_] != 1 for hex_ in bonus.hexes)
    )


def prizes(
    bonuses: Sequence[RouteBonus], kind: TrainKind, plan: HopPlan, costs: Sequence[int], span: int
) -> tuple[Prize, ...]:
    """The other bonuses that a type of train can earn within its reach.

    ``costs`` is hop → the reach it uses; ``span`` is the reach left at the first stop.
    """
    number = {hex_: index for index, (hex_, _) in enumerate(plan.net.stops)}
    left_out = apart(bonuses, [hex_ for hex_, _ in plan.net.stops])
    found = []
    for bonus in bonuses:
        if bonus in left_out or bonus.train not in ("", kind.type):
            continue
        stops = [number[hex_] for hex_ in bonus.hexes]
        # hops begin at stops that count, so nothing is known of the way from one that does not
        first = next((stop for stop in stops if not plan.net.free[stop]), None)
        if first is None or all(_near(plan, costs, first, stop) <= span for stop in stops):
            need = 0
            for stop in stops:
                need |= plan.net.own_bits[stop]
            found.append(Prize(bonus.dollars, need))
    return tuple(found)


def earned(every: Sequence[Prize], stops: int) -> int:
    """The sum of prizes in dollars for a route with these bits of stops."""
    return sum(prize.dollars for prize in every if prize.need & stops == prize.need)


def _near(plan: HopPlan, costs: Sequence[int], start: int, end: int) -> float:
    """The least reach that a way between two stops uses; infinite if there is no way."""
    least: dict[int, int] = {start: 0}
    ahead = [(0, start)]
    while ahead:
        used, here = heappop(ahead)
        if here == end:
            return used
        for number in plan.leaving[here] if used == least[here] else ():
            for stop in plan.hops[number].stops:
                after = used + costs[number]
                if after < least.get(stop, after + 1):
                    least[stop] = after
                    heappush(ahead, (after, stop))
    return float("inf")

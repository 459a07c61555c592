"""Bonuses that no train takes from another of its own: routes count them in what they may earn.

A route is told by the bits of its stops whether it comes to all hexes of a bonus. Of a bonus that
only one train earns, or that needs another, it may count too much, and never too little.
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
    """Dollars for a route through all of some stops."""

    dollars: int
    #: the bits of these stops
    need: int


def apart(bonuses: Sequence[RouteBonus], hexes: Sequence[str]) -> tuple[RouteBonus, ...]:
    """Bonuses that routes cannot count, where ``hexes`` are those of all stops.

    A train earns one of them at most, or bits do not tell where it stops.
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
    """What a type of train can earn by bonuses of the others, as far as it runs.

    ``costs`` are by hop what it takes of the reach, ``span`` is what is left at the first stop.
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
    """Dollars of prizes for a route with these bits of stops."""
    return sum(prize.dollars for prize in every if prize.need & stops == prize.need)


def _near(plan: HopPlan, costs: Sequence[int], start: int, end: int) -> float:
    """What the least way from one stop to another takes of a reach, infinite if there is none."""
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

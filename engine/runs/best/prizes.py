"""Bonuses that a company's trains do not compete for: each route counts them in its possible value.

The bits of its stops show whether a route visits all hexes of a bonus. If only one train earns a
bonus, or if it needs another train, the count may be too high, but never too low.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.runs.best.glance import near

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


def prizes(bonuses: Sequence[RouteBonus], kind: TrainKind, plan: HopPlan) -> tuple[Prize, ...]:
    """The other bonuses that a type of train can earn within its reach."""
    number = {hex_: index for index, (hex_, _) in enumerate(plan.net.stops)}
    left_out = apart(bonuses, [hex_ for hex_, _ in plan.net.stops])
    found = []
    for bonus in bonuses:
        if bonus in left_out or bonus.train not in ("", kind.type):
            continue
        stops = [number[hex_] for hex_ in bonus.hexes]
        starts = (plan.net.own, stops[:1])
        if all(near(plan.board, plan.net, kind, start).keys() >= set(stops) for start in starts):
            need = 0
            for stop in stops:
                need |= plan.net.own_bits[stop]
            found.append(Prize(bonus.dollars, need))
    return tuple(found)


def earned(every: Sequence[Prize], stops: int) -> int:
    """The sum of prizes in dollars for a route with these bits of stops."""
    return sum(prize.dollars for prize in every if prize.need & stops == prize.need)

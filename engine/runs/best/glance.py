"""How far a train comes and what it earns at most, at a glance; grows no routes.

A route may come less far and earn less, but never more.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heappop, heappush
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.facts.facts import TrainKind
    from engine.runs.best.hops import Net
    from engine.track.links import LinkBoard


def span(kind: TrainKind, stops: int) -> int:
    """The reach left at a train's first stop; at most the number of ``stops``."""
    if kind.counts == "hexes":
        return kind.reach
    return stops if kind.counts == "nothing" else kind.reach - 1


def near(board: LinkBoard, net: Net, kind: TrainKind, starts: Collection[int]) -> dict[int, int]:
    """Stop → the least reach that a way from one of ``starts`` uses; without stops too far away."""
    most, hexes = span(kind, len(net.stops)), kind.counts == "hexes"
    found = dict.fromkeys(starts, 0)
    ahead = [(0, start) for start in starts]
    while ahead:
        used, here = heappop(ahead)
        if used > found[here] or not (net.open[here] or here in starts):
            continue
        for there, _, path in board.leaving[here]:
            after = used + (len(path) - 1 if hexes else not net.free[there])
            if after <= most and after < found.get(there, after + 1):
                found[there] = after
                heappush(ahead, (after, there))
    return found


def at_most(
    board: LinkBoard, net: Net, kind: TrainKind, worth: Sequence[int], reached: Collection[int]
) -> int:
    """Dollars that no route of a train exceeds, without bonuses; ``worth`` is dollars by stop.

    A route has a token, and other stops among those ``reached``. Each of them uses at least the
    reach of the shortest link to it. So a route earns no more than the stops that bring most for
    their reach.
    """
    if not net.own:
        return 0
    hexes = kind.counts == "hexes"

    def least(stop: int) -> int:
        if not hexes:
            return not net.free[stop]
        return min((len(path) for _, _, path in board.leaving[stop]), default=1) - 1

    token = max(net.own, key=worth.__getitem__)
    # the route may begin at another token, and go on to this one
    cheapest = min(map(least, net.own))
    stops = [
        (worth[stop], cheapest if stop in net.own else least(stop))
        for stop in reached
        if stop != token and worth[stop]
    ]
    stops.sort(key=lambda stop: stop[0] / stop[1] if stop[1] else inf, reverse=True)
    total, left = worth[token], span(kind, len(net.stops))
    for dollars, reach in stops:
        if reach > left:
            return total + dollars * left // reach
        total, left = total + dollars, left - reach
    return total

"""Loops in half-made routes: sets of stops that a train's links do not join to its ends.

Knows stops as numbers and the use of each link, from 0 to 1; no tracks and no trains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: flows below this count as zero
NOTHING = 1e-7
#: the least shortage of links for which a set is reported
ENOUGH = 0.02
#: stops that a route visits less are ignored
SEEN = 0.05
#: the number of the node that is joined to a route's ends
ENDS = -1

_Net = dict[int, dict[int, float]]


def loops(
    links: Sequence[tuple[tuple[int, int], float]],
    visits: Mapping[int, float],
    ends: Mapping[int, float],
) -> list[frozenset[int]]:
    """Sets of stops whose links to the route's ends are used less than a stop in it is visited.

    ``links`` are pairs of stops with their use. ``visits`` and ``ends`` are stop → how far a route
    stops or ends there. All these are from 0 to 1.
    """
    net: _Net = {ENDS: {}, **{stop: {} for stop in visits}}
    for (one, other), use in links:
        _join(net, one, other, use)
    for stop, use in ends.items():
        _join(net, ENDS, stop, use)
    found: list[frozenset[int]] = []
    done: set[int] = set()
    for stop in sorted(visits, key=lambda stop: (-visits[stop], stop)):
        need = 2 * visits[stop] - ENOUGH
        if visits[stop] < SEEN or stop in done:
            continue
        side = _cut(net, stop, need)
        if side:
            found.append(frozenset(side))
            done |= side
    return found


def _join(net: _Net, one: int, other: int, use: float) -> None:
    if use > NOTHING:
        net[one][other] = net[one].get(other, 0.0) + use
        net[other][one] = net[other].get(one, 0.0) + use


def _cut(net: _Net, source: int, need: float) -> set[int]:
    """The stops on the source's side of the least cut, if the cut is less than ``need``."""
    left = {node: dict(near) for node, near in net.items()}
    flow = 0.0
    while flow < need:
        before = {source: source}
        ahead = [source]
        for here in ahead:
            for there, room in left[here].items():
                if room > NOTHING and there not in before:
                    before[there] = here
                    ahead.append(there)
            if ENDS in before:
                break
        if ENDS not in before:
            return set(before)
        flow += _push(left, before, source)
    return set()


def _push(left: _Net, before: Mapping[int, int], source: int) -> float:
    """Increase the flow along the way found as far as possible; returns the increase."""
    way = []
    here = ENDS
    while here != source:
        way.append((before[here], here))
        here = before[here]
    room = min(left[one][other] for one, other in way)
    for one, other in way:
        left[one][other] -= room
        left[other][one] = left[other].get(one, 0.0) + room
    return room

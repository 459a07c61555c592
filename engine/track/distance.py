"""Distances in hexes from a company's tokens to the stops it reaches; knows no trains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING

from engine.track.ground import Place, Recent, ground
from engine.track.links import ways_of
from engine.track.network import Trace, network_key, reach

if TYPE_CHECKING:
    from engine.position.table import Table

#: by network and stop; a company reaches some dozens of stops
_DISTANCES: Recent[int] = Recent(1024)
#: by network: [arrival] → at least so many hexes; the same for all stops
_LEAST: Recent[dict[int, int]] = Recent(64)


def distance(table: Table, company: str, place: Place) -> int:
    """The length in hexes of the shortest trace from a token of the company to a stop (18GL 4.6.2).

    The hex of the token does not count. The hex of the stop and the hexes of a ferry do. Raises
    ValueError if no trace leads to the stop.
    """
    if place in table.stands_at(company):
        return 0
    key = network_key(table, company), place
    return _DISTANCES.get(key, lambda: _distance(table, company, place))


def _distance(table: Table, company: str, place: Place) -> int:
    base, (hex_, stop) = ground(table.title), place
    number, own = base.index[hex_], base.bits_of(place)
    known, leading = reach(table, company), ways_of(table, number).stops
    into = [6 * number + side for side in range(6) if stop in leading[side]]
    traces = [used for arrival in into if (used := known.first.get(arrival))]
    tried = (used & base.sides for used in traces if not used & own)
    most = min(map(int.bit_count, tried), default=None)
    if known.direct and most == min(
        ((used & base.sides).bit_count() for used in traces), default=0
    ):
        # mostly so, and then no other length is needed
        return most
    least = _LEAST.get(network_key(table, company), lambda: _least(table, company))
    shortest = min((least[arrival] for arrival in into if arrival in least), default=0)
    if most == shortest:
        return shortest
    trace = Trace(table, company, table.stands_at(company))
    left = _left(trace, into, least)
    for limit in range(shortest, len(least) + 1):
        if limit == most or _reaches(trace, left, limit, own):
            return limit
    raise ValueError("no trace leads there")


def _least(table: Table, company: str) -> dict[int, int]:
    """The least length of traces to each arrival, as if they could use track twice."""
    known = reach(table, company)
    if known.direct:
        sides = ground(table.title).sides
        # a trace crosses one side for each hex
        return {arrival: (used & sides).bit_count() for arrival, used in known.first.items()}
    trace = Trace(table, company, table.stands_at(company))
    least: dict[int, int] = {}
    fresh = {to for to, _ in trace.starts()}
    for length in count(1):
        least.update(dict.fromkeys(fresh, length))
        fresh = {to for arrival in fresh for to, _ in trace.moves(arrival)} - least.keys()
        if not fresh:
            break
    return least


def _left(trace: Trace, into: Iterable[int], least: Iterable[int]) -> dict[int, int]:
    """Arrival → the least number of hexes from there to one of these arrivals."""
    behind: dict[int, list[int]] = {}
    for arrival in least:
        for to, _ in trace.moves(arrival):
            behind.setdefault(to, []).append(arrival)
    left = dict.fromkeys(into, 0)
    ahead = list(left)
    for arrival in ahead:
        for before in behind.get(arrival, ()):
            if before not in left:
                left[before] = left[arrival] + 1
                ahead.append(before)
    return left


def _reaches(trace: Trace, left: Mapping[int, int], limit: int, stop: int) -> bool:
    """Whether a trace of at most ``limit`` hexes gets to an arrival with 0 hexes left.

    ``stop`` is the bits of the stop there, which the trace may not use before.
    """

    def grow(arrival: int, used: int, rest: int) -> bool:
        least = left.get(arrival)
        if least is None or least > rest or used & stop:
            return False
        return least == 0 or any(
            not used & bits and grow(to, used | bits, rest - 1) for to, bits in trace.moves(arrival)
        )

    return any(grow(to, bits, limit - 1) for to, bits in trace.starts())

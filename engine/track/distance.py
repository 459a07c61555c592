"""Distances in hexes from a company's tokens to the stops it reaches; knows no trains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from engine.track.ground import Move, Place, Recent
from engine.track.network import Trace, network_key, reach

if TYPE_CHECKING:
    from engine.position.table import Table

_DISTANCES: Recent[dict[Place, int]] = Recent(64)


def distances(table: Table, company: str) -> Mapping[Place, int]:
    """Stop → the length in hexes of the shortest trace from a token of the company (18GL 4.6.2).

    The hex of the token does not count. The hex of the stop and the hexes of a ferry do.
    """
    key = network_key(table, company)
    return _DISTANCES.get(key, lambda: _distances(table, company))


def _distances(table: Table, company: str) -> dict[Place, int]:
    own = table.stands_at(company)
    trace = Trace(table, company, own)
    steps = _Steps(trace)
    found = dict.fromkeys(own, 0)
    into: dict[Place, list[int]] = {}
    for arrival in steps.least:
        for stop in trace.stops_at(arrival):
            into.setdefault(stop, []).append(arrival)
    for place in sorted(reach(table, company).stops - set(own)):
        found[place] = steps.fewest(into[place], trace.bits_of(place))
    return found


class _Steps:
    """The lengths of a company's traces, in hexes."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        #: by arrival: at least so many hexes
        self.least: dict[int, int] = {}
        self._behind: dict[int, list[int]] = {}
        #: by arrival: the hexes and bits of a trace, short but perhaps not the shortest
        self._traces: dict[int, tuple[int, int]] = {}
        self._measure()
        self._try()

    def _measure(self) -> None:
        """Find the least lengths, as if traces could use track twice."""
        here = dict.fromkeys(to for to, _ in self._trace.starts())
        for length in count(1):
            fresh = [to for to in here if to not in self.least]
            if not fresh:
                return
            self.least.update(dict.fromkeys(fresh, length))
            here = {}
            for arrival in fresh:
                for to, _ in self._trace.moves(arrival):
                    self._behind.setdefault(to, []).append(arrival)
                    here[to] = None

    def _try(self) -> None:
        """Find the first trace to each arrival, which is enough for most of them."""
        ahead: list[tuple[int, Move]] = [(1, start) for start in self._trace.starts()]
        for length, (arrival, used) in ahead:
            if arrival in self._traces:
                continue
            self._traces[arrival] = length, used
            ahead += [
                (length + 1, (to, used | bits))
                for to, bits in self._trace.moves(arrival)
                if not used & bits and to not in self._traces
            ]

    def fewest(self, into: Sequence[int], stop: int) -> int:
        """The length of the shortest trace to one of these arrivals that does not use the stop."""
        least = min(self.least[arrival] for arrival in into)
        tried = [self._traces[arrival] for arrival in into if arrival in self._traces]
        most = min((length for length, used in tried if not used & stop), default=None)
        if most == least:
            return least
        left = self._left(into)
        for limit in range(least, len(self.least) + 1):
            if limit == most or self._reaches(left, limit, stop):
                return limit
        raise ValueError("no trace leads there")

    def _left(self, into: Iterable[int]) -> dict[int, int]:
        """Arrival → the least number of hexes from there to one of these arrivals."""
        left = dict.fromkeys(into, 0)
        ahead = list(left)
        for arrival in ahead:
            for before in self._behind.get(arrival, ()):
                if before not in left:
                    left[before] = left[arrival] + 1
                    ahead.append(before)
        return left

    def _reaches(self, left: Mapping[int, int], limit: int, stop: int) -> bool:
        """Whether a trace of at most ``limit`` hexes gets to an arrival with 0 hexes left."""

        def grow(arrival: int, used: int, rest: int) -> bool:
            least = left.get(arrival)
            if least is None or least > rest or used & stop:
                return False
            return least == 0 or any(
                not used & bits and grow(to, used | bits, rest - 1)
                for to, bits in self._trace.moves(arrival)
            )

        return any(grow(to, bits, limit - 1) for to, bits in self._trace.starts())

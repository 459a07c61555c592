"""A company's network as its trains see it: stops that count toward a train's reach, and hops.

Where towns do not count toward a train's reach (4.2.3(i), 18GL 4.9) they are folded into the hops.
Knows no values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.ground import Recent, ground
from engine.hexes import Hex
from engine.links import Board, board
from engine.network import network_key

if TYPE_CHECKING:
    from engine.table import Table

#: where a hop leads that ends in a stop that does not count
FREE = -1


class Hop(NamedTuple):
    """Track from one stop that counts to the next, or to a last free one, by any free ones."""

    start: int
    #: the stop that counts where it ends, or FREE
    end: int
    #: bits of its sides and of its stops but the start
    mask: int
    #: all stops but the start
    stops: tuple[int, ...]
    path: tuple[Hex, ...]


class Plan:
    """A company's network: stops as numbers, hops between those that count."""

    def __init__(self, table: Table, company: str, towns_free: bool) -> None:
        net = board(table)
        base = ground(table.title)
        self.stops = net.stops
        self.sides = base.sides
        #: by stop: its bits, of which no train may use one twice, and among them its own
        self.bits = [base.stop_bits(base.index[hex_], stop) for hex_, stop in net.stops]
        self.own_bits = [base.own_bit(base.index[hex_], stop) for hex_, stop in net.stops]
        facts = [table.face(hex_).stops[stop] for hex_, stop in net.stops]
        #: whether a stop does not count
        self.free = [towns_free and stop.kind == "town" for stop in facts]
        #: whether a train may run through
        self.open = [
            stop.kind != "offboard" and not table.blocked(*place, company)
            for stop, place in zip(facts, net.stops, strict=True)
        ]
        own = set(table.stands_at(company))
        self.own = [number for number, place in enumerate(net.stops) if place in own]
        self.hops: list[Hop] = []
        #: by stop: the hops that leave it
        self.leaving: list[list[int]] = [[] for _ in net.stops]
        self._fill(net)
        #: by hop: the hops that can follow it
        self.following = [self._after(hop) for hop in self.hops]

    def _fill(self, net: Board) -> None:
        links: list[list[tuple[int, int, tuple[Hex, ...]]]] = [[] for _ in net.stops]
        for (one, other), mask, path in net.links:
            links[one].append((other, mask, path))
            links[other].append((one, mask, path[::-1]))
        for start in range(len(net.stops)):
            if self.free[start]:
                continue
            for hop in _undominated(self._hops_from(start, links)):
                self.leaving[start].append(len(self.hops))
                self.hops.append(hop)

    def _hops_from(
        self, start: int, links: Sequence[Sequence[tuple[int, int, tuple[Hex, ...]]]]
    ) -> Iterator[Hop]:
        ahead = [Hop(start, start, 0, (), ())]
        while ahead:
            hop = ahead.pop()
            for end, mask, path in links[hop.stops[-1] if hop.stops else start]:
                bits = mask | self.bits[end]
                if self.bits[start] & bits or hop.mask & bits:
                    continue
                longer = Hop(
                    start,
                    FREE if self.free[end] else end,
                    hop.mask | bits,
                    (*hop.stops, end),
                    hop.path + path[bool(hop.path) :],
                )
                yield longer
                if longer.end == FREE:
                    ahead.append(longer)

    def _after(self, hop: Hop) -> list[int]:
        if hop.end == FREE or not self.open[hop.end]:
            return []
        behind = hop.mask | self.bits[hop.start]
        return [n for n in self.leaving[hop.end] if not self.hops[n].mask & behind]


def _undominated(hops: Iterator[Hop]) -> list[Hop]:
    """Hops without those that need all the track of another hop to the same stops, and more."""
    kept: list[Hop] = []
    by_size = sorted(hops, key=lambda hop: (hop.mask.bit_count(), len(hop.path), hop.path))
    for hop in by_size:
        if not any(
            other.end == hop.end
            and not other.mask & ~hop.mask
            and set(other.stops) == set(hop.stops)
            for other in kept
        ):
            kept.append(hop)
    return kept


_PLANS: Recent[Plan] = Recent(64)


def plan(table: Table, company: str, towns_free: bool) -> Plan:
    """The plan of a company in a position, for trains for which towns count or do not."""
    key = (network_key(table, company), towns_free)
    return _PLANS.get(key, lambda: Plan(table, company, towns_free))

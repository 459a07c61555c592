"""A company's network as its trains see it: stops that count toward a train's reach, and hops.

If towns do not count toward a train's reach (4.2.3(i), 18GL 4.9), they are part of hops. Knows no
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import is_
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from engine.board.hexes import Hex
from engine.track.ground import Place, Recent, ground
from engine.track.links import LinkBoard, board
from engine.track.network import network_key

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.table import Table

#: the end of a hop in a stop that does not count
FREE = -1
#: the most hops for which growing routes is worth the time
HOPS = 6_000


class Hop(Struct, frozen=True, gc=False):
    """Track from one stop that counts to the next, or to a free last stop, through free stops."""

    start: int
    #: the stop that counts where it ends, or FREE
    end: int
    #: bits of its sides and of its stops but the start
    mask: int
    #: all stops but the start
    stops: tuple[int, ...]
    path: tuple[Hex, ...]


class Net(NamedTuple):
    """The stops of a company's network as numbers, with values, tokens and passable stops."""

    stops: tuple[Place, ...]
    #: the bits of all tracks across sides
    sides: int
    #: by stop: its bits; a train may use each bit only once
    bits: tuple[int, ...]
    #: by stop: the bit among them that is its own
    own_bits: tuple[int, ...]
    #: by stop: whether it does not count; False without a link
    free: tuple[bool, ...]
    #: by stop: whether a train may run through; False without a link
    open: tuple[bool, ...]
    #: the stops with stations of the company
    own: tuple[int, ...]


def _net(table: Table, company: str, towns_free: bool) -> Net:
    base, (stops, _, leaving) = ground(table.title), board(table)
    kinds = [
        table.face(place[0]).stops[place[1]].kind if there else ""
        for place, there in zip(stops, leaving, strict=True)
    ]
    own = set(table.stands_at(company))
    return Net(
        stops,
        base.sides,
        *_bits(table.title, stops),
        tuple([towns_free and kind == "town" for kind in kinds]),
        tuple(
            [
                kind == "town" or (kind == "city" and not table.blocked(*place, company))
                for kind, place in zip(kinds, stops, strict=True)
            ]
        ),
        tuple(number for number, place in enumerate(stops) if place in own),
    )


@lru_cache(64)
def _bits(title: Title, stops: tuple[Place, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """By stop: its bits, and its own bit; kept because few tiles bring other stops."""
    base = ground(title)
    own = tuple(base.own_bit(base.index[hex_], stop) for hex_, stop in stops)
    return tuple(map(base.bits_of, stops)), own


#: by stop: the links that leave it, see `LinkBoard`
_Leaving = Sequence[Sequence[tuple[int, int, tuple[Hex, ...]]]]


class HopPlan:
    """The stops of a company's network, and the hops between those that count."""

    def __init__(self, board: LinkBoard, net: Net) -> None:
        self.board = board
        self.net = net
        #: whether there are too many hops; then the plan has none
        self.dense = False
        self.hops: list[Hop] = []
        #: by stop: the hops that leave it
        self.leaving: list[Sequence[int]] = [()] * len(net.stops)
        self._fill()
        #: by hop: the hops that can follow it
        self.following = [self._after(hop) for hop in self.hops]

    def _fill(self) -> None:
        links, grown, known = self.board.leaving, 0, _hops_of(self.net)
        for start in self._reached(links):
            if self.net.free[start]:
                continue
            made = known.get(start)
            if made is None or not made.still(links):
                made = known[start] = _made(self.net, start, links)
            grown += made.grown
            if grown > HOPS:
                self.dense = True
                self.hops.clear()
                return
            first = len(self.hops)
            self.hops += made.hops
            self.leaving[start] = range(first, len(self.hops))

    def _reached(self, links: _Leaving) -> list[int]:
        """The stops that links join to the company's tokens, through open stops."""
        found = dict.fromkeys(self.net.own)
        ahead = list(found)
        for stop in ahead:
            fresh = {end for end, _, _ in links[stop] if end not in found}
            found |= dict.fromkeys(fresh)
            ahead += [end for end in fresh if self.net.open[end]]
        return sorted(found)

    def _after(self, hop: Hop) -> Sequence[int]:
        if hop.end == FREE or not self.net.open[hop.end]:
            return ()
        behind = hop.mask | self.net.bits[hop.start]
        return [n for n in self.leaving[hop.end] if not self.hops[n].mask & behind]


class _MadeHops(NamedTuple):
    """The hops that leave a stop, and the links that they were made of."""

    hops: list[Hop]
    #: how many were tried
    grown: int
    #: the stops whose links they use, and these links
    stops: tuple[int, ...]
    links: tuple[object, ...]

    def still(self, links: Sequence[object]) -> bool:
        """Whether the links are the same; a board shares them with the one before it."""
        return all(map(is_, self.links, map(links.__getitem__, self.stops)))


#: by the stops of a map, and which are free: by stop its hops, the same for all companies
_HOPS: Recent[dict[int, _MadeHops]] = Recent(32)


def _hops_of(net: Net) -> dict[int, _MadeHops]:
    return _HOPS.get((net.stops, net.bits, net.free), dict)


def _made(net: Net, start: int, links: _Leaving) -> _MadeHops:
    """The hops from a stop; none if more than HOPS would have to be tried."""
    found: list[Hop] = []
    used = [start]
    ahead = [Hop(start, start, 0, (), ())]
    while ahead and len(found) <= HOPS:
        hop = ahead.pop()
        for end, mask, path in links[hop.stops[-1] if hop.stops else start]:
            bits = mask | net.bits[end]
            if net.bits[start] & bits or hop.mask & bits:
                continue
            free = net.free[end]
            stops, way = (*hop.stops, end), hop.path + path[bool(hop.path) :]
            longer = Hop(start, FREE if free else end, hop.mask | bits, stops, way)
            found.append(longer)
            if free:
                ahead.append(longer)
                used.append(end)
    stops = tuple(dict.fromkeys(used))
    kept = _undominated(found) if len(found) <= HOPS else []
    return _MadeHops(kept, len(found), stops, tuple(map(links.__getitem__, stops)))


def _undominated(hops: Iterable[Hop]) -> list[Hop]:
    """The hops except those that use all track of another hop to the same stops, and more.

    A hop through more hexes stays, because a bonus may need these hexes.
    """
    kept: list[Hop] = []
    #: the end and the stops → the hops kept for them, mostly one
    alike: dict[tuple[int, frozenset[int]], list[Hop]] = {}
    by_size = sorted(hops, key=lambda hop: (hop.mask.bit_count(), len(hop.path), hop.path))
    for hop in by_size:
        others = alike.setdefault((hop.end, frozenset(hop.stops)), [])
        if not others or not any(
            not other.mask & ~hop.mask and set(other.path) >= set(hop.path) for other in others
        ):
            others.append(hop)
            kept.append(hop)
    return kept


_NETS: Recent[Net] = Recent(64)
_PLANS: Recent[HopPlan] = Recent(64)


def net_of(table: Table, company: str, towns_free: bool) -> Net:
    """The stops of a position as a company's trains see them, if towns count or do not."""
    key = (network_key(table, company), towns_free)
    return _NETS.get(key, lambda: _net(table, company, towns_free))


def plan(table: Table, company: str, towns_free: bool) -> HopPlan:
    """The plan of a company in a position, for trains for which towns count or do not."""
    key = (network_key(table, company), towns_free)
    return _PLANS.get(key, lambda: HopPlan(board(table), net_of(table, company, towns_free)))

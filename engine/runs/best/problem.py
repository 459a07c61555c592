"""The question to a solver of runs, and its answer: links as numbers, dollars, no game.

All are plain values, so that the solver may be another process.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine.position.rules import RouteBonus
from engine.runs.best.hops import Net
from engine.track.links import Link


class Duty(NamedTuple):
    """The task of one train: earn the most on a network."""

    train: str
    #: the things that its reach limits, see `engine.facts.facts.TrainKind`
    counts: str
    reach: int
    net: Net
    #: dollars by stop
    worth: tuple[int, ...]
    #: bits of sides that it may not use
    shut: int = 0


#: (number of the train, its links in order)
Choice = tuple[int, tuple[Link, ...]]


class Problem(NamedTuple):
    """A question: which links earn the most for some trains?"""

    #: all of a position
    links: tuple[Link, ...]
    duties: tuple[Duty, ...]
    bonuses: tuple[RouteBonus, ...]
    #: dollars that are certain without a search
    floor: int
    #: the most branches to be tried
    branches: int
    #: whether the first run above the floor is enough
    first: bool = False
    #: bits of sides for which a train pays, and how many trains may
    tolls: int = 0
    fares: int = 0


class Solution(NamedTuple):
    """The best run found above the floor of a question; () if none was found."""

    run: tuple[Choice, ...]
    #: whether no better one exists
    proved: bool
    #: branches that were tried
    branches: int


def useful(links: Sequence[Link], duty: Duty) -> list[int]:
    """The indexes of links that a train may use: joined to a token, and not just a detour."""
    net = duty.net
    near: dict[int, list[int]] = {}
    kept: dict[tuple[int, int], list[int]] = {}
    for number in sorted(range(len(links)), key=lambda n: (links[n].mask.bit_count(), n)):
        (one, other), mask, path = links[number]
        alike = kept.setdefault((one, other), [])
        if mask & duty.shut or net.bits[one] & net.bits[other]:
            continue
        # a bonus may be for hexes that only the longer link visits
        if any(
            not links[better].mask & ~mask and set(links[better].path) >= set(path)
            for better in alike
        ):
            continue
        alike.append(number)
        near.setdefault(one, []).append(number)
        near.setdefault(other, []).append(number)
    found: dict[int, None] = {}
    ahead = deque(net.own)
    own, seen = set(net.own), set(net.own)
    while ahead:
        stop = ahead.popleft()
        for number in near.get(stop, ()) if net.open[stop] or stop in own else ():
            found[number] = None
            there = set(links[number].ends) - seen
            seen |= there
            ahead.extend(sorted(there))
    return sorted(found)


def stops_of(links: Iterable[Link]) -> set[int]:
    """The stops that links join."""
    return {stop for link in links for stop in link.ends}


def bits_of(mask: int) -> Iterator[int]:
    """The bits of a mask, one at a time."""
    while mask:
        lowest = mask & -mask
        mask ^= lowest
        yield lowest

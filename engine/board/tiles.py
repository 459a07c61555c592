"""Tiles and printed hexes as track and stops, their rotations, and what an upgrade must keep.

An end of a piece of track is a side (0 to 5) or a stop: 6 for the first stop of the hex, 7 for the
second, and so on. Knows no map and no state.
"""

import re
from collections import Counter
from functools import cache
from itertools import permutations
from typing import Any

from msgspec import Struct

STOP = 6
#: tiles left of one that there is any number of: more than any map has hexes
ENDLESS = 10_000
COLOURS = ("yellow", "green", "brown", "gray")
_SPEC = re.compile(r"(city|town|offboard)((?: (?:[a-z]+:)?\d+)*)(?: x(\d+))?")


class Stop(Struct, frozen=True, cache_hash=True):
    """A city, town or off-board location of a hex."""

    kind: str
    #: revenue by the colour that brings it, in the order of colours; "" where it never changes
    revenue: tuple[tuple[str, int], ...]
    #: circles for stations
    slots: int

    def value(self, colour: str) -> int:
        """Revenue in dollars while ``colour`` is the newest colour that counts."""
        newest = COLOURS.index(colour)
        worth = 0
        for since, amount in self.revenue:
            if not since or COLOURS.index(since) <= newest:
                worth = amount
        return worth


class Face(Struct, frozen=True, cache_hash=True):
    """The visible face of a hex: a tile in its rotation, or the printed map."""

    colour: str
    stops: tuple[Stop, ...]
    track: tuple[tuple[int, int], ...]
    label: str = ""
    name: str = ""
    #: number printed on the tile where it differs from the id
    printed: str = ""
    tile: str = ""
    rotation: int = 0
    exits: frozenset[int] = frozenset()
    #: whether track joins two sides that also meet at a stop
    bypass: bool = False
    #: ferry line, in pieces like ``track``; of its sides none is in ``exits``
    ferry: tuple[tuple[int, int], ...] = ()

    @property
    def cities(self) -> int:
        """The number of its stops that are cities."""
        return [stop.kind for stop in self.stops].count("city")

    @property
    def towns(self) -> int:
        """The number of its stops that are towns."""
        return [stop.kind for stop in self.stops].count("town")


@cache
def read_stop(text: str) -> Stop:
    """A stop from its line: "city 30 x2", "town 10", "offboard yellow:40 brown:50 x1"."""
    found = _SPEC.fullmatch(text)
    if not found:
        raise ValueError(f"not a stop: {text!r} (as in 'city 30 x2' or 'town 10')")
    kind, values, slots = found.groups()
    revenue = []
    for value in values.split():
        colour, _, amount = value.rpartition(":")
        revenue.append((colour, int(amount)))
    circles = int(slots) if slots else int(kind == "city")
    return Stop(kind, tuple(revenue) or (("", 0),), circles)


@cache
def read_track(text: str, stops: int) -> tuple[tuple[int, int], ...]:
    """Pieces of track from "0-a 3-a 1-4": sides are digits, stops are letters from a."""
    ends = "012345" + "abcdefgh"[:stops]
    pieces = []
    for piece in text.split():
        one, dash, other = piece.partition("-")
        if not dash or one not in ends or other not in ends:
            raise ValueError(f"not a piece of track: {piece!r} (ends are {' '.join(ends)})")
        pieces.append((ends.index(one), ends.index(other)))
    return tuple(pieces)


@cache
def rotated(face: Face, rotation: int) -> Face:
    """The face turned clockwise by ``rotation`` sixths."""

    def turn(end: int) -> int:
        return (end + rotation) % 6 if end < STOP else end

    track = tuple((turn(a), turn(b)) for a, b in face.track)
    ferry = tuple((turn(a), turn(b)) for a, b in face.ferry)
    exits = frozenset(end for piece in track for end in piece if end < STOP)
    pieces = set(map(frozenset, track))
    bypass = any(
        max(piece) < STOP and all(frozenset((side, STOP + stop)) in pieces for side in piece)
        for piece in track
        for stop in range(len(face.stops))
    )
    return Face(
        face.colour,
        face.stops,
        track,
        face.label,
        face.name,
        face.printed,
        face.tile,
        rotation,
        exits,
        bypass,
        ferry,
    )


@cache
def look(face: Face) -> tuple[object, ...]:
    """The visible track; two rotations with the same look are the same lay.

    Plain track and ferry line by their sides, and each stop with the sides it is joined to; stops
    that are alike may change places.
    """
    stops = sorted(
        (
            (stop, _sorted(_sides(face.track, i)), _sorted(_sides(face.ferry, i)))
            for i, stop in enumerate(face.stops)
        ),
        key=repr,
    )
    return _sorted(_plain(face.track)), _sorted(_plain(face.ferry)), tuple(stops)


Pieces = tuple[tuple[int, int], ...]


def _plain(pieces: Pieces) -> Counter[tuple[int, int]]:
    """The pieces that touch no stop, with their number."""
    return Counter((min(p), max(p)) for p in pieces if max(p) < STOP)


def _sides(pieces: Pieces, stop: int) -> Counter[int]:
    """The sides that track joins to a stop, with the number of tracks."""
    end = STOP + stop
    return Counter(a if b == end else b for a, b in pieces if end in (a, b))


def _sorted(things: Counter[Any]) -> tuple[object, ...]:
    return tuple(sorted(things.elements()))


@cache
def distinct_rotations(face: Face) -> tuple[int, ...]:
    """The rotations that look different, the lowest number of each look."""
    seen: dict[object, int] = {}
    for rotation in range(6):
        seen.setdefault(look(rotated(face, rotation)), rotation)
    return tuple(seen.values())


@cache
def keeps(old: Face, new: Face) -> bool:
    """Whether ``new`` keeps all track, cities and towns of ``old`` (4.2.1(d), (e), (h)).

    Every pair of sides that was joined stays joined, as many times as before, every stop keeps the
    sides it had, there are as many cities and as many towns as before, and ferry lines are the
    same, no less and no more (18GL 4.6.1.1).
    """
    return stop_mapping(old, new) is not None


@cache
def turns_kept(old: Face, new: Face) -> frozenset[int]:
    """The rotations in which ``new`` keeps what ``old`` has."""
    return frozenset(turn for turn in range(6) if keeps(old, rotated(new, turn)))


@cache
def stop_mapping(old: Face, new: Face) -> tuple[int, ...] | None:
    """For each stop of ``old``, its stop on ``new``; None if ``new`` does not keep ``old``."""
    if [s.kind for s in old.stops].count("city") != new.cities or old.towns != new.towns:
        return None
    if not _plain(old.track) <= _plain(new.track) or _plain(old.ferry) != _plain(new.ferry):
        return None
    for order in permutations(range(len(new.stops))):
        if all(
            old.stops[i].kind == new.stops[j].kind
            and _sides(old.track, i) <= _sides(new.track, j)
            and _sides(old.ferry, i) == _sides(new.ferry, j)
            for i, j in enumerate(order)
        ):
            return order
    return None

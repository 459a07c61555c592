"""A title's map as numbers and bits, for searches along track; knows no companies and no trains."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from engine.hexes import Side, opposite
from engine.tiles import STOP, Face

if TYPE_CHECKING:
    from engine.titles.title import Title

#: a step along track: the side it arrives at (see `Ground`), and bits of the side and stop it uses
Move = tuple[int, int]

_Kept = TypeVar("_Kept")


class Recent(Generic[_Kept]):
    """The latest answers by key, the least used forgotten first; threads may share it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """The answer for a key, made now if it is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return made


class Ways(NamedTuple):
    """The track of one hex, with its sides as the arrivals behind them."""

    #: by side: moves along plain track that starts there
    plain: tuple[tuple[Move, ...], ...]
    #: by side: stops that track leads to
    stops: tuple[tuple[int, ...], ...]
    #: by stop: (side, move) of the track that leaves it
    exits: tuple[tuple[tuple[Side, Move], ...], ...]
    kinds: tuple[str, ...]


class Ground:
    """The sides of a title's map as numbers and bits.

    Arrival ``6 * hex + side`` means entering that hex across that side. Both arrivals across one
    side share a bit: a side carries at most one section of track.
    """

    def __init__(self, title: Title) -> None:
        self.title = title
        self.names = sorted(title.hexes)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.arrivals = [(name, side) for name in self.names for side in range(6)]
        #: what leaving a hex by a side arrives at, -1 for nowhere
        self.cross: list[int] = []
        for name, side in self.arrivals:
            there = title.beyond(name, side)
            self.cross.append(6 * self.index[there] + opposite(side) if there else -1)
        self.bits = [0] * len(self.arrivals)
        sides = [(one, other) for one, other in enumerate(self.cross) if one < other]
        for number, (one, other) in enumerate(sides):
            self.bits[one] = self.bits[other] = 1 << number
        self._first_stop = len(sides)
        #: bits of all sides
        self.sides = (1 << len(sides)) - 1
        self._ways: dict[tuple[int, tuple[str, int] | None], Ways] = {}

    def stop_bit(self, hex_: int, stop: int) -> int:
        """The bit of a stop."""
        return 1 << (self._first_stop + stop * len(self.names) + hex_)

    def ways(self, hex_: int, laid: tuple[str, int] | None) -> Ways:
        """The track of a hex under a tile in a rotation; None is the printed map."""
        key = (hex_, laid)
        if key not in self._ways:
            name = self.names[hex_]
            face = self.title.face(*laid) if laid else self.title.printed[name]
            self._ways[key] = self._compile(hex_, face)
        return self._ways[key]

    def _compile(self, hex_: int, face: Face) -> Ways:
        plain: list[list[Move]] = [[] for _ in range(6)]
        stops: list[list[int]] = [[] for _ in range(6)]
        exits: list[list[tuple[Side, Move]]] = [[] for _ in face.stops]
        for piece in face.track:
            for one, other in (piece, piece[::-1]):
                if other >= STOP:
                    if one < STOP:
                        stops[one].append(other - STOP)
                    continue
                out = 6 * hex_ + other
                move = (self.cross[out], self.bits[out])
                if move[0] < 0:
                    continue
                if one < STOP:
                    plain[one].append(move)
                else:
                    exits[one - STOP].append((other, move))
        return Ways(
            tuple(tuple(sorted(moves)) for moves in plain),
            tuple(tuple(sorted(found)) for found in stops),
            tuple(tuple(sorted(found)) for found in exits),
            tuple(stop.kind for stop in face.stops),
        )


@cache
def ground(title: Title) -> Ground:
    """The ground of a title, made once."""
    return Ground(title)

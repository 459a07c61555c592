"""A title's map as numbers and bits, for searches along track; knows no companies and no trains."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from engine.board.hexes import Hex, Side, opposite
from engine.board.tiles import STOP, Face, Pieces
from engine.position import recall

if TYPE_CHECKING:
    from engine.facts.title import Title

#: a step along track: the side it arrives at (see `Ground`), and bits of the side and stop it uses
Move = tuple[int, int]
#: a stop of the map: hex, and index among the hex's stops
Place = tuple[Hex, int]
#: stops with the moves through them
Through = tuple[tuple[Place, tuple[Move, ...]], ...]

#: plain track from a stop: its end, the bits of the sides it crosses, its hexes
Plain = tuple[Place, int, tuple[Hex, ...]]

#: stops that a hex has at most
STOPS = 8

_Kept = TypeVar("_Kept")
_NONE = object()


class Recent(Generic[_Kept]):
    """The latest answers by key; it forgets the least used first. Threads may share it."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()
        _EVERY.append(self)

    def get(self, key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """The answer for a key; ``make`` computes it if it is not kept."""
        with self._lock:
            # look it up only once: a key is long, and each lookup takes time
            found = self._kept.get(key, _NONE)
            if found is not _NONE:
                self._kept.move_to_end(key)
                return cast(_Kept, found)
        made = make()
        self.keep(key, made)
        return made

    def keep(self, key: Hashable, made: _Kept) -> None:
        """Keep an answer in place of an older one."""
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def known(self, key: Hashable) -> _Kept | None:
        """The answer for a key, None if it is not kept."""
        with self._lock:
            return self._kept.get(key)

    def clear(self) -> None:
        """Forget them."""
        with self._lock:
            self._kept.clear()


_EVERY: list[Recent[Any]] = []


def forget() -> None:
    """Forget all answers about positions, so that a bench measures the work."""
    for recent in _EVERY:
        recent.clear()
    recall.forget()


class Ways(NamedTuple):
    """The track of one hex; each side is given as the arrival that it leads to."""

    #: by side: moves along plain track that starts there
    plain: tuple[tuple[Move, ...], ...]
    #: by side: stops that track leads to
    stops: tuple[tuple[int, ...], ...]
    #: by stop: (side, move) of the track that leaves it
    exits: tuple[tuple[tuple[Side, Move], ...], ...]
    #: by side: its stops with the moves through them, the bits of the stop included
    through: tuple[Through, ...]
    #: by side: how many separate tracks lead there; 1 throughout where no tile has parallel ones
    tracks: tuple[int, ...]


#: numbers of hexes, and the track of each of them when it was noted
NotedTrack = tuple[tuple[int, ...], tuple[Ways, ...]]


class Tracks(NamedTuple):
    """The track of all hexes under some tiles while some ferries run; its lists are never changed.

    Its lists are indexed by arrival, those of `Ways` by side.
    """

    tiles: Mapping[Hex, tuple[str, int]]
    ferries: Mapping[str, object]
    #: by number of the hex
    ways: list[Ways]
    #: by arrival
    plain: list[tuple[Move, ...]]
    through: list[Through]


class Ground:
    """The sides of a title's map as numbers and bits.

    Arrival ``6 * hex + side`` means entering that hex across that side. Both arrivals across one
    side share a bit: no train crosses a side twice.
    """

    def __init__(self, title: Title) -> None:
        self.title = title
        self.names = sorted(title.hexes)
        self.index = {name: number for number, name in enumerate(self.names)}
        self.arrivals = [(name, side) for name in self.names for side in range(6)]
        #: the arrival after leaving a hex by a side, -1 for nowhere
        self.cross = [
            6 * self.index[there] + opposite(side) if there else -1
            for name in self.names
            for side, there in enumerate(title.across[name])
        ]
        self.bits = [0] * len(self.arrivals)
        sides = [(one, other) for one, other in enumerate(self.cross) if one < other]
        for number, (one, other) in enumerate(sides):
            self.bits[one] = self.bits[other] = 1 << number
        #: whether any hex has parallel tracks
        self.parallel = any(
            len(set(face.track)) < len(face.track)
            for face in (*title.printed.values(), *title.tiles.values())
        )
        self._second = len(sides)
        #: bits of all tracks across sides
        self.sides = (1 << len(sides) * (1 + self.parallel)) - 1
        self._first_stop = len(sides) * (1 + 2 * self.parallel)
        #: hex → the bit of the location that it is part of
        self.locations = {
            hex_: 1 << (self._first_stop + STOPS * len(self.names) + number)
            for number, location in enumerate(title.facts.locations.values())
            for hex_ in location.hexes
        }
        #: the answers of `bits_of`, which never change: at most `STOPS` for each hex
        self._bits_of: dict[Place, int] = {}
        self._ways: dict[tuple[Hex, tuple[str, int] | None, tuple[str, ...]], Ways] = {}
        #: by stop: the latest plain track from it, with the track on its way
        self.links: dict[Place, tuple[NotedTrack, tuple[Plain, ...]]] = {}
        #: by stop: the latest link from it that was asked for, as the track on its way
        self.leads: dict[Place, NotedTrack] = {}
        single = (0,) * 6 if self.parallel else _SINGLE
        #: a hex without track and stops
        self._bare = Ways(((),) * 6, ((),) * 6, (), ((),) * 6, single)
        many = len(self.arrivals)
        bare = Tracks({}, {}, [self._bare] * len(self.names), [()] * many, [()] * many)
        #: the latest answer of `tracks`, at first that of the printed map
        self._latest = self._under(bare, self.names, {}, {})

    def own_bit(self, hex_: int, stop: int) -> int:
        """The bit of the stop itself."""
        return 1 << (self._first_stop + stop * len(self.names) + hex_)

    def bits_of(self, place: Place) -> int:
        """The bits of a stop: its own, and the bit of its location if that has several hexes."""
        known = self._bits_of.get(place)
        if known is None:
            hex_, stop = place
            own = self.own_bit(self.index[hex_], stop)
            known = self._bits_of[place] = own | self.locations.get(hex_, 0)
        return known

    def twins(self, bit: int) -> tuple[int, int]:
        """The bits of the two tracks across a side; the first is the bit of the side.

        Both have the bit of the side in common, so no train uses both.
        """
        both = bit << 2 * self._second
        return bit | both, bit << self._second | both

    def tracks(self, tiles: Mapping[Hex, tuple[str, int]], ferries: Mapping[str, object]) -> Tracks:
        """The track with these tiles (hex → tile, rotation) and these active ferries.

        The latest answer is kept. If only tiles differ from it, only their hexes are computed.
        The caller must not change the dicts afterwards.
        """
        last = self._latest
        if last.tiles is tiles and last.ferries is ferries:
            return last
        names = self.names
        if last.ferries == ferries:
            gone = last.tiles.keys() - tiles.keys()
            names = [*gone, *[h for h, laid in tiles.items() if last.tiles.get(h) != laid]]
        found = self._latest = self._under(last, names, tiles, ferries)
        return found

    def _under(
        self,
        last: Tracks,
        names: Iterable[Hex],
        tiles: Mapping[Hex, tuple[str, int]],
        ferries: Mapping[str, object],
    ) -> Tracks:
        """A copy of ``last`` with the present track of these hexes."""
        found = Tracks(tiles, ferries, last.ways[:], last.plain[:], last.through[:])
        running = tuple(ferries)
        for name in names:
            hex_ = self.index[name]
            ways = self._ways_of(name, tiles.get(name), running)
            found.ways[hex_] = ways
            found.plain[6 * hex_ : 6 * hex_ + 6] = ways.plain
            found.through[6 * hex_ : 6 * hex_ + 6] = ways.through
        return found

    def _ways_of(self, name: Hex, laid: tuple[str, int] | None, ferries: tuple[str, ...]) -> Ways:
        """The track of a hex with ``laid``, a tile and its rotation; None is the printed map."""
        key = (name, laid, ferries)
        known = self._ways.get(key)
        if known is None:
            face = self.title.face(*laid) if laid else self.title.printed[name]
            track = self.title.running_track(name, face, ferries)
            bare = not track and not face.stops
            known = self._ways[key] = self._bare if bare else self._compile(name, face, track)
        return known

    def _compile(self, name: Hex, face: Face, track: Pieces) -> Ways:
        first = 6 * self.index[name]
        moves = [(self.cross[out], self.bits[out]) for out in range(first, first + 6)]
        onward, stops, leaving = _joined(track, len(face.stops))
        plain: list[tuple[Move, ...]] = [()] * 6
        for side, outs in onward:
            plain[side] = tuple(sorted([moves[out] for out in outs if moves[out][0] >= 0]))
        exits = [tuple([(o, moves[o]) for o in outs if moves[o][0] >= 0]) for outs in leaving]
        through: list[Through] = [()] * 6
        for stop, ways in enumerate(exits):
            place = (name, stop)
            bits = self.bits_of(place)
            for side in leaving[stop]:
                # no train leaves by the track it came on
                on = tuple([(to, used | bits) for out, (to, used) in ways if out != side])
                through[side] += ((place, on),)
        tracks = _parallel(track) if self.parallel else _SINGLE
        return Ways(tuple(plain), stops, tuple(exits), tuple(through), tracks)


class _Joined(NamedTuple):
    """The connections of a face, the same on all hexes."""

    #: sides that plain track starts from, with those it leads to
    plain: tuple[tuple[Side, tuple[Side, ...]], ...]
    #: by side: its stops
    stops: tuple[tuple[int, ...], ...]
    #: by stop: its sides
    leaving: tuple[tuple[Side, ...], ...]


@cache
def _joined(track: Pieces, stops: int) -> _Joined:
    every = sorted({*track, *(piece[::-1] for piece in track)})
    sides = [tuple(other for one, other in every if one == side) for side in range(STOP)]
    plain = [(side, tuple(end for end in there if end < STOP)) for side, there in enumerate(sides)]
    return _Joined(
        tuple((side, there) for side, there in plain if there),
        tuple(tuple(end - STOP for end in there if end >= STOP) for there in sides),
        tuple(
            tuple(other for one, other in every if one == STOP + stop and other < STOP)
            for stop in range(stops)
        ),
    )


#: by side, where no tile of the title has parallel tracks
_SINGLE = (1,) * 6


def _parallel(track: Pieces) -> tuple[int, ...]:
    """Side → the number of separate tracks there."""
    times = Counter(track)
    return tuple(
        max((count for piece, count in times.items() if side in piece), default=0)
        for side in range(6)
    )


@cache
def ground(title: Title) -> Ground:
    """The ground of a title, computed once."""
    return Ground(title)

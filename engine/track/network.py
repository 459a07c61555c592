"""Track as trains see it: the stops that a company's tokens reach, and paths along the track.

This module knows no trains, no money and no rounds. It computes everything from the tiles and
tokens of a position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from engine.board.hexes import Hex, Side
from engine.track.ground import Move, Place, Ways, ground
from engine.track.links import leads, tracks_of, ways_of

if TYPE_CHECKING:
    from engine.position.table import Table


class Reach(Struct, frozen=True):
    """The places that are connected to a company's tokens (4.2.1(j), 4.2.2(a))."""

    #: stops where a trace from a station can end, the stations' own included
    stops: frozenset[Place]
    #: (hex, side): a trace along track enters the hex across its side, with or without track there
    arrivals: frozenset[tuple[Hex, Side]]
    #: stops from which a trace can continue
    passable: frozenset[Place]
    #: arrival (see `engine.track.ground.Ground`) → the bits of the first trace found there
    first: Mapping[int, int]
    #: whether no first trace blocked its own continuation; then they are the shortest
    direct: bool


def network_key(table: Table, company: str) -> Hashable:
    """A key of everything that a company's network depends on."""
    reserved = tuple(tuple(table.reserved_for(hex_)) for hex_ in table.title.shut_before_home)
    return (company, table.layout_key, reserved)


def reach(table: Table, company: str) -> Reach:
    """The places that are connected to the company's tokens (4.2.1(j), 4.2.2(a)).

    Traced like a train without a limit: no side and no stop twice, no turning at a fork, not
    through off-board locations and not through blocked cities.
    """

    def found() -> Reach:
        return Trace(table, company, table.stands_at(company)).reach()

    return table.recall(("reach", company), found, _sources(table))


def enters(table: Table, company: str, hex_: Hex, sides: Collection[Side]) -> bool:
    """Whether a trace from the company's tokens enters a hex across one of these sides.

    The answer is the same as from `reach`, but may need only one trace.
    """
    if not table.recalled(("reach", company), _sources(table)):
        first = 6 * ground(table.title).index[hex_]
        goals = {first + side for side in sides}
        if Trace(table, company, table.stands_at(company)).leads_to(goals.__contains__):
            return True
    arrivals = reach(table, company).arrivals
    return any((hex_, side) in arrivals for side in sides)


def reaches(table: Table, company: str, wanted: Callable[[Place], bool]) -> bool:
    """Whether a trace from the company's tokens ends at a stop for which ``wanted`` is true.

    The answer is the same as from `reach`, but the first search may be enough. It never is on a
    map where several hexes are one location.
    """
    stations = table.stands_at(company)
    if any(map(wanted, stations)):
        return True
    known = table.recalled(("reach", company), _sources(table))
    if not known and not ground(table.title).locations:
        through = tracks_of(table).through

        def ends(arrival: int) -> bool:
            # a loop, because most arrivals have no stop
            for place, _ in through[arrival]:  # noqa: SIM110
                if wanted(place):
                    return True
            return False

        found = Trace(table, company, stations).leads_to(ends)
        if found is not None:
            return found
    return any(map(wanted, reach(table, company).stops))


def has_route(table: Table, company: str) -> bool:
    """Whether a train of the company can run: a token has a link to a stop (4.2.3(a))."""

    def found() -> bool:
        return any(leads(table, place) for place in table.stands_at(company))

    return table.recall(("route", company), found, _sources(table))


def _sources(table: Table) -> tuple[object, ...]:
    """The fields that a company's network depends on."""
    at = table.at
    laid = (at.tiles, at.ferries, at.stations)
    return (*laid, at.turns, at.floated, at.gone) if table.title.shut_before_home else laid


class Trace:
    """One company's search along the track of one position."""

    def __init__(self, table: Table, company: str, stations: Collection[Place]) -> None:
        """The search begins at ``stations``."""
        self._table = table
        self._company = company
        self._stations = frozenset(stations)
        self._ground = ground(table.title)
        self.bits_of = self._ground.bits_of
        self._tracks = tracks_of(table)
        self._onward: dict[int, tuple[Move, ...]] = {}
        self._open: dict[Place, bool] = {}

    def reach(self) -> Reach:
        """The stops, the arrivals, and the stops that trains may pass."""
        own, through = self._stations, self._tracks.through
        first, doubts = self._first()
        found = self._arrivals(first, doubts) if doubts else first
        stops = own.union(place for arrival in found for place, _ in through[arrival])
        return Reach(
            stops - self._own_again(stops),
            frozenset(map(self._ground.arrivals.__getitem__, found)),
            frozenset(place for place in stops if place in own or self._is_open(place)),
            first,
            not doubts,
        )

    def _own_again(self, places: Collection[Place]) -> set[Place]:
        """The places that are one location with the only tokens from which they are reached."""
        found = set()
        locations = self._ground.locations
        shared = [place for place in places if place[0] in locations] if locations else ()
        for place in (place for place in shared if place not in self._stations):
            bits = self.bits_of(place)
            others = [other for other in self._stations if not self.bits_of(other) & bits]
            if len(others) < len(self._stations) and (
                place not in Trace(self._table, self._company, others).reach().stops
            ):
                found.add(place)
        return found

    def _is_open(self, place: Place) -> bool:
        """Whether a train may run through a stop (4.2.3(e), (h))."""
        known = self._open.get(place)
        if known is None:
            table, (hex_, stop) = self._table, place
            known = self._open[place] = table.face(hex_).stops[stop].kind != "offboard" and not (
                table.blocked(hex_, stop, self._company)
            )
        return known

    def starts(self) -> list[Move]:
        """The first moves of traces, with the bits of the side and of the token's stop."""
        return [
            (arrival, bit | self.bits_of((hex_, stop)))
            for hex_, stop in sorted(self._stations)
            for _, (arrival, bit) in self._tracks.ways[self._ground.index[hex_]].exits[stop]
        ]

    def moves(self, arrival: int) -> tuple[Move, ...]:
        """The moves that are possible after an arrival.

        The search ends at the company's own tokens, because it also begins at each of them.
        """
        stops = self._tracks.through[arrival]
        if not stops:
            return self._tracks.plain[arrival]
        moves = self._onward.get(arrival)
        if moves is None:
            moves = self._tracks.plain[arrival]
            for place, through in stops:
                if place not in self._stations and self._is_open(place):
                    moves += through
            self._onward[arrival] = moves
        return moves

    def _first(self) -> tuple[dict[int, int], set[int]]:
        """Arrival → the bits of the first trace found there, and arrivals that are in doubt.

        A trace was about to enter an arrival in doubt, but had used its track already.
        """
        found: dict[int, int] = {}
        doubts: set[int] = set()
        for to, bits in self.starts():
            found.setdefault(to, bits)
        self._spread(found, doubts, list(found))
        return found, doubts

    def _arrivals(self, first: Mapping[int, int], doubts: set[int]) -> dict[int, int]:
        """Arrival → the bits of one trace that leads there; a search through all traces decides."""
        found = dict(first)
        refuted: set[int] = set()
        while left := doubts - refuted - found.keys():
            target = min(left)
            trace = self._trace_to(target)
            if trace:
                found[target] = trace
                self._spread(found, doubts, [target])
            else:
                refuted.add(target)
        return found

    def leads_to(self, wanted: Callable[[int], bool]) -> bool | None:
        """Whether an arrival is ``wanted``; None if the first search cannot decide it."""
        found = {to: bits for to, bits in reversed(self.starts())}
        doubts: set[int] = set()
        fresh = list(found)
        for arrival in fresh:
            if wanted(arrival):
                return True
            used = found[arrival]
            for to, bits in self.moves(arrival):
                if to in found:
                    continue
                if used & bits:
                    doubts.add(to)
                else:
                    found[to] = used | bits
                    fresh.append(to)
        return False if doubts <= found.keys() else None

    def _spread(self, found: dict[int, int], doubts: set[int], fresh: list[int]) -> None:
        for arrival in fresh:
            used = found[arrival]
            for to, bits in self.moves(arrival):
                if to in found:
                    continue
                if used & bits:
                    doubts.add(to)
                else:
                    found[to] = used | bits
                    fresh.append(to)

    def _trace_to(self, target: int) -> int:
        """The bits of a trace to an arrival, 0 if there is none."""
        against = self._ground.cross[target]
        for to, bits in self.starts():
            trace = self._grow(to, bits, target, against)
            if trace:
                return trace
        return 0

    def _grow(self, arrival: int, used: int, target: int, against: int) -> int:
        if arrival == target:
            return used
        if arrival == against or not self._may(arrival, used, target, against):
            return 0
        for to, bits in self.moves(arrival):
            if not used & bits:
                trace = self._grow(to, used | bits, target, against)
                if trace:
                    return trace
        return 0

    def _may(self, arrival: int, used: int, target: int, against: int) -> bool:
        """Whether the target may be reachable: only the track used so far is forbidden."""
        seen = {arrival, against}
        ahead = [arrival]
        for here in ahead:
            for to, bits in self.moves(here):
                if to not in seen and not used & bits:
                    if to == target:
                        return True
                    seen.add(to)
                    ahead.append(to)
        return False


class _Walk(NamedTuple):
    """A path that is not complete yet."""

    arrival: int
    #: bits of the sides behind it
    used: int
    #: how many of the named hexes are behind it
    named: int
    path: tuple[Hex, ...]
    #: how many blocked cities it runs through
    blocked: int
    #: the hexes behind it where it ran past a stop
    past: tuple[Hex, ...] = ()


class Way(NamedTuple):
    """A complete path along track, and its hexes where it runs past a stop."""

    path: tuple[Hex, ...]
    past: tuple[Hex, ...]


def paths(table: Table, company: str, hexes: Sequence[Hex], limit: int = 8) -> list[Way]:
    """Complete paths from the first of ``hexes`` to the last, with stops as these say.

    Each stop on the way must be among ``hexes``, in order; hexes without a stop are optional. If a
    hex has track to a stop and track past it, a path runs past it unless ``hexes`` names it. No
    path crosses a side twice. The shortest paths come first; paths through cities that are blocked
    for the company come last.
    """
    base = ground(table.title)
    if len(hexes) < 2 or any(name not in base.index for name in hexes):
        return []
    first = base.index[hexes[0]]
    ahead = deque(
        _Walk(to, bit, 1, (hexes[0],), 0)
        for exits in ways_of(table, first).exits
        for _, (to, bit) in exits
    )
    found: dict[Way, int] = {}
    while ahead and len(found) < limit:
        walk = ahead.popleft()
        hex_, side = divmod(walk.arrival, 6)
        name = base.names[hex_]
        ways = ways_of(table, hex_)
        path = (*walk.path, name)
        named = {walk.named}
        if walk.named < len(hexes) and hexes[walk.named] == name:
            named.add(walk.named + 1)
            if walk.named + 1 < len(hexes):
                ahead.extend(_walks_through(table, company, walk, path))
            elif ways.stops[side]:
                found.setdefault(Way(path, walk.past), walk.blocked)
        for to, bit in ways.plain[side]:
            if walk.used & bit:
                continue
            past = any(bit == other for _, other in _exits_of(ways, side))
            counts = {walk.named} if past else named
            behind = (*walk.past, name) if past else walk.past
            ahead.extend(
                _Walk(to, walk.used | bit, count, path, walk.blocked, behind)
                for count in sorted(counts)
            )
    return sorted(found, key=lambda way: found[way])


def _exits_of(ways: Ways, side: Side) -> Iterator[Move]:
    """The moves from the stops to which track leads from a side."""
    for stop in ways.stops[side]:
        for out, move in ways.exits[stop]:
            if out != side:
                yield move


def _walks_through(
    table: Table, company: str, walk: _Walk, path: tuple[Hex, ...]
) -> Iterator[_Walk]:
    """The continuations through the stops at which the walk arrives."""
    hex_, side = divmod(walk.arrival, 6)
    ways = ways_of(table, hex_)
    for stop in ways.stops[side]:
        blocked = walk.blocked + table.blocked(path[-1], stop, company)
        for out, (to, bit) in ways.exits[stop]:
            if out != side and not walk.used & bit:
                yield _Walk(to, walk.used | bit, walk.named + 1, path, blocked, walk.past)

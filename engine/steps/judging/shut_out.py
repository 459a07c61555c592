"""Whether tiles shut out a company that has not operated yet (18GL 4.6.1.1).

A company is not shut out if some way leads from its home to a second stop that scores. The way may
use the present track, or track that available tiles can make, one on top of another. Each hex is
judged alone. Money, tokens and other companies' connections do not count. A doubtful tile is
allowed.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from engine.board.hexes import Hex, Side, opposite
from engine.board.tiles import STOP, Face
from engine.position.frames import OperatingRound, OperatingTurn
from engine.steps.judging.fit import bad_exits, barred_sides, colour_after, ordinary_of
from engine.track.ground import Recent

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.table import Table
    from engine.position.values import CompanyId
    from engine.refusal import Refusal

#: hex → tile and rotation
Laid = Mapping[Hex, tuple[str, int]]
#: an end of a hex's track → the ends it is or can be joined to → the tiles of limited supply that
#: may be needed for that
Joins = dict[int, dict[int, frozenset[str]]]


class OpenWay(NamedTuple):
    """A way from a home to a second stop: its hexes, and the tiles it may need."""

    hexes: frozenset[Hex]
    tiles: frozenset[str]


class _HexJoins(NamedTuple):
    """The joins of a hex, and the tiles of limited supply that they may need."""

    joins: Joins
    tiles: frozenset[str]


def why_not_shut_out(table: Table, company: CompanyId, lays: Laid) -> Refusal | None:
    """Refuse tiles of ``company`` that close another company's last way from its home."""
    if not table.title.facts.operating.protects_homes:
        return None
    new = {tile for tile, _ in lays.values()}
    for other, way in ways(table).items():
        if other == company or not (way.hexes & lays.keys() or way.tiles & new):
            continue
        homes = homes_of(table, other)
        after = _WaySearch(table.title, table.phase.tiles, {**table.at.tiles, **lays})
        if after.way(homes) is None:
            hexes = " and ".join(map(table.place, lays))
            text = f"A tile so on {hexes} would leave {other} no way from {table.place(homes[0])}"
            first = table.title.facts.operating.protects_first_round
            hint = f"{other} has not operated{' before this round' * first}; a second stop must "
            hint += "stay within its reach."
            return table.refuse("protected homes", "track", text, hint)
    return None


class _FoundWay(NamedTuple):
    """A way, and what lay on its hexes when it was found."""

    way: OpenWay
    laid: tuple[tuple[Hex, tuple[str, int] | None], ...]


#: by the homes of a company: its latest way, which most tiles leave open; a title has a few
#: companies, and few colors of tiles
_LATEST: Recent[_FoundWay] = Recent(256)


def ways(table: Table) -> dict[CompanyId, OpenWay]:
    """A way for each company that has not operated and is not shut out already.

    It is any way that is open, not always the same one in the same position.
    """
    at = table.at
    sources = (at.tiles, at.stations, at.turns, at.gone, at.stack, at.phase)
    return table.recall("ways", lambda: _ways(table), sources)


def _ways(table: Table) -> dict[CompanyId, OpenWay]:
    search, found = _WaySearch(table.title, table.phase.tiles, table.at.tiles), {}
    for company in waiting_companies(table):
        homes = homes_of(table, company)
        key = (table.title, table.phase.tiles, homes)
        known = _LATEST.known(key)
        if known is not None and search.is_open(known):
            found[company] = known.way
        elif (way := search.way(homes)) is not None:
            found[company] = way
            _LATEST.keep(key, _FoundWay(way, search.laid_on(way)))
    return found


def waiting_companies(table: Table) -> list[CompanyId]:
    """Companies that may still operate for the first time, or that do so in this round."""
    at, now = table.at, _over_in_this_round(table)
    return [
        company
        for company, facts in table.title.companies.items()
        if at.turns.get(company, 0) <= (company in now)
        and not facts.merger
        and company not in at.gone
    ]


def _over_in_this_round(table: Table) -> Collection[CompanyId]:
    """Companies whose turn in this round is over, if that turn does not count yet."""
    if not table.title.facts.operating.protects_first_round:
        return ()
    done = next((f.done for f in table.at.stack if isinstance(f, OperatingRound)), ())
    on = [f.company for f in table.at.stack if isinstance(f, OperatingTurn)]
    return set(done).difference(on)


def homes_of(table: Table, company: CompanyId) -> tuple[Hex, ...]:
    """Hexes where a company's home is or may be: all hexes that its token there stands for."""
    placed = [hex_ for hex_, _ in table.stations_of(company)]
    facts = table.title.companies[company]
    homes = placed or [*(facts.homes or (facts.home,)), *facts.more_homes]
    spread = table.title.station_hexes
    return tuple(dict.fromkeys(each for hex_ in homes for each in spread.get(hex_, (hex_,))))


class _WaySearch:
    """The search for ways over the present map, with the available tiles in some colors."""

    def __init__(self, title: Title, colours: tuple[str, ...], tiles: Laid) -> None:
        self._title = title
        self._colours = colours
        self._tiles = tiles
        used = Counter(tile for tile, _ in tiles.values())
        self._none_left = frozenset(
            tile
            for tile, count in used.items()
            if tile not in title.endless and count >= title.supply[tile]
        )

    def is_open(self, found: _FoundWay) -> bool:
        """Whether a way that was found earlier is still open."""
        unchanged = all(self._tiles.get(hex_) == laid for hex_, laid in found.laid)
        return unchanged and found.way.tiles.isdisjoint(self._none_left)

    def laid_on(self, way: OpenWay) -> tuple[tuple[Hex, tuple[str, int] | None], ...]:
        """What lies on the hexes of a way."""
        return tuple((hex_, self._tiles.get(hex_)) for hex_ in way.hexes)

    def way(self, homes: tuple[Hex, ...]) -> OpenWay | None:
        """The first way found from one of the homes, None if there is none."""
        ahead: deque[tuple[Hex, Side, OpenWay]] = deque()
        for home in homes:
            start = OpenWay(frozenset((home,)), frozenset())
            for end in range(STOP, STOP + len(self._title.printed[home].stops)):
                ahead.extend(self._beyond(home, end, start))
        seen = set(homes)
        entered: set[tuple[Hex, Side]] = set()
        while ahead:
            hex_, side, so_far = ahead.popleft()
            if (hex_, side) in entered or hex_ in seen or self._same_place(hex_, homes):
                continue
            entered.add((hex_, side))
            way = OpenWay(so_far.hexes | {hex_}, so_far.tiles)
            for end, tiles in self._joins(hex_).get(side, {}).items():
                if end >= STOP:
                    return OpenWay(way.hexes, way.tiles | tiles)
            ahead.extend(self._beyond(hex_, side, way))
        return None

    def _same_place(self, hex_: Hex, homes: tuple[Hex, ...]) -> bool:
        location = self._title.location.get(hex_)
        return location is not None and any(
            self._title.location.get(home) == location for home in homes
        )

    def _beyond(self, hex_: Hex, end: int, so_far: OpenWay) -> Iterator[tuple[Hex, Side, OpenWay]]:
        """The neighbors that a way can enter from an end of a hex's track, each by a side."""
        for side, tiles in self._joins(hex_).get(end, {}).items():
            there = self._title.beyond(hex_, side) if side < STOP else None
            if there is not None:
                yield there, opposite(side), OpenWay(so_far.hexes, so_far.tiles | tiles)

    def _joins(self, hex_: Hex) -> Joins:
        like, laid = _likes(self._title)[hex_], self._tiles.get(hex_)
        where = (self._title, self._colours, like, laid)
        known = _JOINS.get((where, _NONE), lambda: self._find_joins(like, laid, _NONE))
        gone = self._none_left & known.tiles
        if gone:
            known = _JOINS.get((where, gone), lambda: self._find_joins(like, laid, gone))
        return known.joins

    def _find_joins(
        self, hex_: Hex, laid: tuple[str, int] | None, gone: frozenset[str]
    ) -> _HexJoins:
        """The ends that track joins on a hex with ``laid``, or can join without tiles in ``gone``.

        ``laid`` is a tile and its rotation; None is the printed map.
        """
        found: Joins = {}
        every: set[str] = set()
        joined: set[tuple[int, int]] = set()
        for face, tiles in self._faces(hex_, laid, gone):
            every |= tiles
            # most tiles join what another tile has joined before
            for one, other in [pair for pair in face.track if pair not in joined]:
                ends = [face.stops[end - STOP] for end in (one, other) if end >= STOP]
                if all(stop.value(self._colours[-1]) > 0 for stop in ends):
                    joined.add((one, other))
                    found.setdefault(one, {}).setdefault(other, tiles)
                    found.setdefault(other, {}).setdefault(one, tiles)
        return _HexJoins(found, frozenset(every))

    def _faces(
        self, hex_: Hex, laid: tuple[str, int] | None, none_left: frozenset[str]
    ) -> Iterator[tuple[Face, frozenset[str]]]:
        """The tiles that a hex may show, one after another, with the tiles each may need."""
        printed = self._title.printed[hex_]
        faces = [(self._title.face(*laid) if laid else printed, frozenset[str]())]
        known = {(face.tile, face.rotation) for face, _ in faces}
        for face, tiles in faces:
            yield face, tiles
            colour = colour_after(printed, face)
            for new in self._next_faces(hex_, face, colour) if colour in self._colours else ():
                if new.tile not in none_left and (new.tile, new.rotation) not in known:
                    known.add((new.tile, new.rotation))
                    faces.append((new, tiles | ({new.tile} - self._title.endless)))

    def _next_faces(self, hex_: Hex, face: Face, colour: str) -> tuple[Face, ...]:
        """The results of tiles of the next color on a hex."""
        title = self._title

        def found() -> tuple[Face, ...]:
            return tuple(
                title.face(tile, rotation)
                for tile in ordinary_of(title, hex_, colour)
                for rotation in title.keeping(face, tile)
                if not any(bad_exits(title, hex_, tile, rotation))
            )

        return _NEXT.get((title, hex_, face.tile, face.rotation), found)


@cache
def _likes(title: Title) -> dict[Hex, Hex]:
    """Hex → the first hex that takes the same tiles in the same rotations; most are like others.

    A hex that is named with some of its tiles is like no other.
    """
    named = {
        *title.own_tiles,
        *(hex_ for hexes in title.reserved_tiles.values() for hex_ in hexes),
        *(hex_ for hexes in title.facts.off_map.values() for hex_ in hexes),
    }
    first: dict[tuple[object, ...], Hex] = {}
    found: dict[Hex, Hex] = {}
    for hex_, face in title.printed.items():
        barred = [(side, bool(beyond)) for side, beyond in barred_sides(title, hex_)]
        found[hex_] = hex_ if hex_ in named else first.setdefault((face, *barred), hex_)
    return found


_NONE: frozenset[str] = frozenset()
_JOINS: Recent[_HexJoins] = Recent(4096)
_NEXT: Recent[tuple[Face, ...]] = Recent(8192)

"""The links of a position: plain track between stops; knows no companies and no trains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from operator import attrgetter, is_
from typing import TYPE_CHECKING, NamedTuple

from engine.board.hexes import Hex
from engine.track.ground import Ground, NotedTrack, Place, Plain, Recent, Tracks, Ways, ground

if TYPE_CHECKING:
    from engine.position.table import Table


class Link(NamedTuple):
    """Plain track between two stops."""

    #: numbers of the stops in `LinkBoard.stops`, the smaller first
    ends: tuple[int, int]
    #: bits of the sides it crosses, see `engine.track.ground.Ground`
    mask: int
    #: its hexes, those of the stops included
    path: tuple[Hex, ...]


class LinkBoard(NamedTuple):
    """The network of a position: its stops and the links between them.

    Each link is listed once; across a side with two tracks there are two links.
    """

    stops: tuple[Place, ...]
    links: tuple[Link, ...]
    #: by stop: the links that leave it, each with its other end, its bits and its hexes in order
    leaving: tuple[tuple[tuple[int, int, tuple[Hex, ...]], ...], ...]


_BOARDS: Recent[LinkBoard] = Recent(128)


def board(table: Table) -> LinkBoard:
    """The network of a position, the same for all companies."""
    return _BOARDS.get(table.track_key, lambda: _board(table))


def tracks_of(table: Table) -> Tracks:
    """The present track of the map."""
    return ground(table.title).tracks(table.at.tiles, table.at.ferries)


def ways_of(table: Table, hex_: int) -> Ways:
    """The present track of a hex."""
    return tracks_of(table).ways[hex_]


def tracks_across(table: Table, one: Hex, other: Hex) -> int:
    """The number of separate tracks across the side between two neighbors (18GL 4.6.3)."""
    base, near = ground(table.title), table.title.grid.neighbours
    return min(
        ways_of(table, base.index[here]).tracks[near[here].index(there)]
        for here, there in ((one, other), (other, one))
    )


class _MadeBoard(NamedTuple):
    """A board with all that it was made of, so that the next one can share what is the same."""

    board: LinkBoard
    twins: dict[int, tuple[int, int]]
    #: by stop: the plain track from it, and its links to stops with greater numbers, sorted
    plain: list[tuple[Plain, ...]]
    links: list[list[Link]]


#: by title: its latest board; most positions differ from the one before by one tile
_LATEST: Recent[_MadeBoard] = Recent(16)


def _board(table: Table) -> LinkBoard:
    """The links of a position; those of stops whose track is unchanged are the latest board's."""
    base, ways = ground(table.title), tracks_of(table).ways
    stops = tuple(
        [(base.names[hex_], n) for hex_, way in enumerate(ways) for n in range(len(way.exits))]
    )
    twins = _twins(table, base)
    plain = [_all_links_from(base, ways, place) for place in stops]
    last = _LATEST.known(table.title)
    if last is None or last.board.stops != stops or last.twins != twins:
        nothing = LinkBoard(stops, (), ((),) * len(stops))
        last = _MadeBoard(nothing, twins, [()] * len(stops), [[] for _ in stops])
    (stops, _, before), links = last.board, last.links[:]
    number = {place: index for index, place in enumerate(stops)}
    changed = [one for one, found in enumerate(plain) if found is not last.plain[one]]
    touched = set(changed)
    for one in changed:
        now = _links_of(one, plain[one], number, twins)
        touched |= {link.ends[1] for link in (*links[one], *now)}
        links[one] = now
    leaving = list(before)
    for stop in touched:
        near = sorted({other for end, _, _ in plain[stop] if (other := number[end]) < stop})
        back = ((link.ends[0], link.mask, link.path[::-1]) for link in _between(links, near, stop))
        ahead = ((link.ends[1], link.mask, link.path) for link in links[stop])
        leaving[stop] = (*back, *ahead)
    board = LinkBoard(stops, tuple(chain.from_iterable(links)), tuple(leaving))
    _LATEST.keep(table.title, _MadeBoard(board, twins, plain, links))
    return board


def _links_of(
    one: int, plain: Sequence[Plain], number: Mapping[Place, int], twins: dict[int, tuple[int, int]]
) -> list[Link]:
    """The links from a stop to stops with greater numbers, sorted."""
    links = [
        Link((one, number[end]), variant, path)
        for end, mask, path in plain
        if number[end] > one
        for variant in (_variants(mask, twins) if twins else (mask,))
    ]
    links.sort(key=attrgetter("ends", "path", "mask"))
    return links


def _between(links: Sequence[Sequence[Link]], ones: Iterable[int], other: int) -> Iterator[Link]:
    """The links from some stops to another one."""
    return (link for one in ones for link in links[one] if link.ends[1] == other)


def leads(table: Table, place: Place) -> bool:
    """Whether plain track leads from a stop to another one. It tries the last known way first."""
    base, ways = ground(table.title), tracks_of(table).ways
    known = base.leads.get(place)
    if known and _is_unchanged(ways, known):
        return True
    own = base.bits_of(place)
    links = (path for end, _, path in _follow(base, ways, place, []) if not base.bits_of(end) & own)
    on_way = tuple(map(base.index.__getitem__, next(links, ())))
    if on_way:
        base.leads[place] = _noted(ways, on_way)
    return bool(on_way)


def _all_links_from(base: Ground, ways: Sequence[Ways], place: Place) -> tuple[Plain, ...]:
    """All plain track from a stop to other stops; computed again if a hex on its way changes."""
    known = base.links.get(place)
    if known is None or not _is_unchanged(ways, known[0]):
        seen: list[int] = []
        found = tuple(_follow(base, ways, place, seen))
        known = base.links[place] = (_noted(ways, tuple(seen)), found)
    return known[1]


def _noted(ways: Sequence[Ways], hexes: tuple[int, ...]) -> NotedTrack:
    """The present track of some hexes."""
    return hexes, tuple([ways[hex_] for hex_ in hexes])


def _is_unchanged(ways: Sequence[Ways], noted: NotedTrack) -> bool:
    """Whether the track of some hexes is as it was when it was noted."""
    hexes, before = noted
    return all(map(is_, map(ways.__getitem__, hexes), before))


def _follow(base: Ground, ways: Sequence[Ways], place: Place, seen: list[int]) -> Iterator[Plain]:
    """Plain track from a stop to other stops, one by one; adds visited hexes to ``seen``."""
    hex_, stop = place
    seen.append(base.index[hex_])
    ahead: list[tuple[int, int, tuple[Hex, ...]]] = [
        (to, bit, (hex_,)) for _, (to, bit) in ways[seen[0]].exits[stop]
    ]
    while ahead:
        arrival, used, so_far = ahead.pop()
        there, side = divmod(arrival, 6)
        seen.append(there)
        name = base.names[there]
        path = (*so_far, name)
        for end in ways[there].stops[side]:
            yield (name, end), used, path
        ahead += [(to, used | bit, path) for to, bit in ways[there].plain[side] if not used & bit]


def joined(links: Sequence[Link]) -> tuple[Hex, ...]:
    """The hexes of consecutive links, in the direction that is first in alphabetical order."""
    one, other = links[0].ends
    if len(links) > 1 and one in links[1].ends:
        one, other = other, one
    path: list[Hex] = []
    here = one
    for link in links:
        forward = link.ends[0] == here
        way = link.path if forward else link.path[::-1]
        path += way[bool(path) :]
        here = link.ends[forward]
    return min(tuple(path), tuple(path[::-1]))


def _twins(table: Table, base: Ground) -> dict[int, tuple[int, int]]:
    """Bit of a side with two tracks → the bits of both tracks."""
    double = [
        6 * hex_ + side
        for hex_, ways in enumerate(tracks_of(table).ways if base.parallel else ())
        if max(ways.tracks) > 1
        for side in range(6)
    ]
    return {
        base.bits[arrival]: base.twins(base.bits[arrival])
        for arrival in double
        if arrival < (beyond := base.cross[arrival])
        and tracks_across(table, base.names[arrival // 6], base.names[beyond // 6]) > 1
    }


def _variants(mask: int, twins: dict[int, tuple[int, int]]) -> Iterator[int]:
    """The masks of a link, one for each choice of tracks at sides that have two."""
    choices = [tracks for bit, tracks in twins.items() if mask & bit]
    for bit in twins:
        mask &= ~bit
    for chosen in product(*choices):
        found = mask
        for track in chosen:
            found |= track
        yield found

"""Routes and connections by trying everything, straight from the printed track: slow, and sharing no code
with the engine's searches. For tests of those searches on small boards.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.actions import TrainRun
from engine.hexes import Hex
from engine.table import Table
from engine.tiles import STOP


class Route(NamedTuple):
    """A way along track from a stop on."""

    path: tuple[Hex, ...]
    stops: tuple[tuple[Hex, int], ...]
    #: pieces of track, and pairs of hexes between which it crosses
    sections: frozenset[object]


def _pieces(table: Table, hex_: Hex, end: int) -> list[tuple[int, frozenset[int]]]:
    """The other ends of the pieces of track at an end, with the pieces."""
    return [
        (two, frozenset((one, two)))
        for piece in table.face(hex_).track
        for one, two in (piece, piece[::-1])
        if one == end
    ]


def _side_of(table: Table, hex_: Hex, other: Hex) -> int:
    return table.title.grid.neighbours[hex_].index(other)


def walks(table: Table, company: str, hex_: Hex, stop: int) -> Iterator[tuple[Route, bool]]:
    """Every way from a stop, with True where it has come to a stop and False where it crosses a side."""

    def closed(place: tuple[Hex, int]) -> bool:
        facts = table.face(place[0]).stops[place[1]]
        return facts.kind == "offboard" or table.blocked(*place, company)

    def go_on(
        route: Route, here: Hex, end: int, came: frozenset[int] | None
    ) -> Iterator[tuple[Route, bool]]:
        """Leave an end (a stop, or the side just entered) by every piece of track but ``came``."""
        for other, piece in _pieces(table, here, end):
            section = (here, piece)
            if piece == came or section in route.sections:
                continue
            used = route.sections | {section}
            if other >= STOP:
                place = (here, other - STOP)
                if place in route.stops:
                    continue
                reached = Route(route.path, (*route.stops, place), used)
                yield reached, True
                if not closed(place):
                    yield from go_on(reached, here, other, piece)
                continue
            beyond = table.title.beyond(here, other)
            if beyond is None:
                continue
            crossing = frozenset((here, beyond))
            if crossing in used:
                continue
            crossed = Route((*route.path, beyond), route.stops, used | {crossing})
            yield crossed, False
            yield from go_on(crossed, beyond, _side_of(table, beyond, here), None)

    yield from go_on(Route((hex_,), ((hex_, stop),), frozenset()), hex_, STOP + stop, None)


def connections(table: Table, company: str) -> tuple[set[tuple[Hex, int]], set[tuple[Hex, int]]]:
    """Stops that stations of a company are connected to, and (hex, side) that its track enters."""
    stops = set(table.stations_of(company))
    arrivals = set()
    for place in table.stations_of(company):
        for route, stopped in walks(table, company, *place):
            if stopped:
                stops.add(route.stops[-1])
            else:
                one, other = route.path[-2:]
                arrivals.add((other, _side_of(table, other, one)))
    return stops, arrivals


def routes(table: Table, company: str, train: str) -> list[Route]:
    """All legal routes of a train, each in the direction that reads first."""
    own = set(table.stations_of(company))
    reach = table.title.trains[train].reach
    free = () if table.title.facts.operating.towns_count else ("town",)
    found = {}
    for hex_ in table.title.hexes:
        for stop in range(len(table.face(hex_).stops)):
            for route, stopped in walks(table, company, hex_, stop):
                kinds = [table.face(h).stops[s].kind for h, s in route.stops]
                counted = sum(kind not in free for kind in kinds)
                if stopped and own & set(route.stops) and counted <= reach:
                    forward = route.path <= route.path[::-1]
                    path = route.path if forward else route.path[::-1]
                    stops = route.stops if forward else route.stops[::-1]
                    found[path, stops] = Route(path, stops, route.sections)
    return [found[key] for key in sorted(found)]


def past(table: Table, route: Route) -> tuple[Hex, ...]:
    """Hexes that a route crosses by track beside a stop that joins the same two sides."""
    found = []
    for before, hex_, after in zip(route.path, route.path[1:], route.path[2:], strict=False):
        sides = _side_of(table, hex_, before), _side_of(table, hex_, after)
        track = {frozenset(piece) for piece in table.face(hex_).track}
        beside = any(
            all(frozenset((side, STOP + stop)) in track for side in sides)
            for stop in range(len(table.face(hex_).stops))
        )
        if beside and all(place != hex_ for place, _ in route.stops):
            found.append(hex_)
    return tuple(found)


def best(table: Table, company: str, trains: Sequence[str]) -> int:
    """The most that trains can earn together, every combination tried."""
    rules = table.title.rules
    choices: list[list[Route | None]] = [[None, *routes(table, company, t)] for t in trains]
    worth = {
        (train, route): sum(
            rules.stop_value(table, company, table.title.trains[train], *place)
            for place in route.stops
        )
        for train, options in zip(trains, choices, strict=True)
        for route in options
        if route
    }
    most = 0
    for combination in product(*choices):
        running = [(t, r) for t, r in zip(trains, combination, strict=True) if r]
        used = [section for _, route in running for section in route.sections]
        if len(used) != len(set(used)):
            continue
        runs = [TrainRun(train, route.path, past(table, route)) for train, route in running]
        bonus = sum(dollars for _, dollars, _ in rules.set_bonus(table, company, runs))
        most = max(most, bonus + sum(worth[pair] for pair in running))
    return most

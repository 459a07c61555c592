"""Routes and connections by trying everything, straight from the printed track: slow, and sharing no code
with the engine's searches. For tests of those searches on small boards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.board.tiles import STOP
from engine.position.rules import rules_of
from engine.position.table import Table


class Route(NamedTuple):
    """A way along track from a stop on."""

    path: tuple[Hex, ...]
    stops: tuple[tuple[Hex, int], ...]
    #: pieces of track, and pairs of hexes between which it crosses
    sections: frozenset[object]


def _track(table: Table, hex_: Hex) -> list[tuple[int, int]]:
    """The pieces of track of a hex, and of its ferry lines those on and to lakes where a tile lies."""
    face = table.face(hex_)
    found = list(face.track)
    for piece in face.ferry:
        lake = hex_ if not face.stops else table.title.grid.neighbours[hex_][min(piece)]
        if lake in table.at.tiles and table.title.hexes[lake].colour == "blue":
            found.append(piece)
    return found


def _pieces(table: Table, hex_: Hex, end: int) -> list[tuple[int, frozenset[int]]]:
    """The other ends of the pieces of track at an end, with the pieces."""
    return [
        (two, frozenset((one, two)))
        for piece in set(_track(table, hex_))
        for one, two in (piece, piece[::-1])
        if one == end
    ]


def _capacity(table: Table, section: object) -> int:
    """How many trains may use a section: as many as there are such pieces, on both sides of a side."""

    def parallel(hex_: Hex, sides: set[int]) -> int:
        track = [frozenset(piece) for piece in _track(table, hex_)]
        return max(track.count(piece) for piece in track if piece & sides)

    if isinstance(section, frozenset):
        one, other = section
        return min(
            parallel(one, {_side_of(table, one, other)}),
            parallel(other, {_side_of(table, other, one)}),
        )
    hex_, piece = section
    return [frozenset(other) for other in _track(table, hex_)].count(piece)


def _identity(table: Table, place: tuple[Hex, int]) -> tuple[Hex, int]:
    """A stop, for hexes that are one place always the first of them."""
    for location in table.title.facts.locations.values():
        if place[0] in location.hexes:
            return location.hexes[0], 0
    return place


def stands(table: Table, company: str) -> set[tuple[Hex, int]]:
    """Where a company has stations, hexes that share one included."""
    found = set()
    for hex_, stations in table.at.stations.items():
        found |= {(hex_, station.stop) for station in stations if station.company == company}
    for location in table.title.facts.locations.values():
        if location.one_station and any(hex_ in location.hexes for hex_, _ in found):
            found |= {(hex_, 0) for hex_ in location.hexes}
    return found


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
                if _identity(table, place) in [_identity(table, p) for p in route.stops]:
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
    stops, arrivals = set(stands(table, company)), set()
    for place in stands(table, company):
        for route, stopped in walks(table, company, *place):
            if stopped:
                stops.add(route.stops[-1])
            else:
                one, other = route.path[-2:]
                arrivals.add((other, _side_of(table, other, one)))
    return stops, arrivals


def distances(table: Table, company: str) -> dict[tuple[Hex, int], int]:
    """The hexes of the shortest trace from a station to every stop, without the station's own."""
    found = dict.fromkeys(stands(table, company), 0)
    for place in stands(table, company):
        for route, stopped in walks(table, company, *place):
            if stopped:
                length = len(route.path) - 1
                found[route.stops[-1]] = min(length, found.get(route.stops[-1], length))
    return found


def _reaches(table: Table, train: str, route: Route) -> bool:
    """Whether a train may run so far, and stops often enough."""
    kind = table.title.trains[train]
    reach = kind.reach
    if kind.reach_by_owned and not table.begun(kind.settled_on):
        owned = [t for trains in table.at.trains.values() for t in trains].count(train)
        reach = kind.reach_by_owned[min(owned, len(kind.reach_by_owned)) - 1]
    kinds = [table.face(h).stops[s].kind for h, s in route.stops]
    cities = sum(found != "town" for found in kinds)
    if kind.counts == "stops":
        counted = len(kinds) if table.title.facts.operating.towns_count else cities
        return counted <= reach
    entered = len(route.path) - 1
    return {"hexes": entered <= reach, "cities": 2 <= cities <= reach, "nothing": True}[kind.counts]


def routes(table: Table, company: str, train: str) -> list[Route]:
    """All legal routes of a train, each in the direction that reads first."""
    own = stands(table, company)
    found = {}
    for hex_ in table.title.hexes:
        for stop in range(len(table.face(hex_).stops)):
            for route, stopped in walks(table, company, hex_, stop):
                if stopped and own & set(route.stops) and _reaches(table, train, route):
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


def foreign(table: Table, company: str, path: Sequence[Hex]) -> list[tuple[str, str]]:
    """Ferries on a path whose tokens others hold, with these."""
    found = []
    for ferry in table.title.facts.ferries:
        holder = table.at.ferries.get(ferry.name, company)
        crosses = any(text.split()[0] in path for text in ferry.tiles)
        if crosses and holder != company:
            found.append((ferry.name, holder))
    return found


def best(table: Table, company: str, trains: Sequence[str], fares: int = 0) -> int:
    """The most that trains can earn together, every combination tried."""
    rules = rules_of(table.title)
    choices: list[list[Route | None]] = [[None, *routes(table, company, t)] for t in trains]
    worth = {
        (train, route): sum(
            rules.stop_value(table, company, table.train_kind(train), *place)
            for place in route.stops
        )
        for train, options in zip(trains, choices, strict=True)
        for route in options
        if route
    }
    pays = {route: bool(foreign(table, company, route.path)) for _, route in worth}
    most = 0
    for combination in product(*choices):
        running = [(t, r) for t, r in zip(trains, combination, strict=True) if r]
        used = Counter(section for _, route in running for section in route.sections)
        if any(count > 1 and count > _capacity(table, s) for s, count in used.items()):
            continue
        if sum(pays[route] for _, route in running) > fares:
            continue
        runs = [TrainRun(train, route.path, past(table, route)) for train, route in running]
        bonus = sum(dollars for _, dollars, _ in rules.set_bonus(table, company, runs))
        most = max(most, bonus + sum(worth[pair] for pair in running))
    return most


def bonuses(table: Table, company: str, runs: Sequence[TrainRun]) -> list[tuple[str, int, int]]:
    """The greatest sum of bonuses: every way of giving those that are paid once to trains."""
    every = rules_of(table.title).bonuses(table, company)
    always, once = [], []
    for number, bonus in enumerate(every):
        fitting = [
            (number, index)
            for index, run in enumerate(runs)
            if bonus.train in ("", run.train) and set(bonus.hexes) <= set(run.path)
        ]
        if bonus.each:
            always += fitting
        else:
            once.append([None, *fitting])
    most: list[tuple[str, int, int]] = []
    for choice in product(*once):
        given = [earned for earned in choice if earned]
        alone = [index for number, index in given if not every[number].beside]
        if len(set(alone)) < len(alone):
            continue
        there = {number for number, _ in (*given, *always)}
        paid = [
            (str(number), every[number].dollars, index)
            for number, index in (*given, *always)
            if every[number].needs < 0 or every[number].needs in there
        ]
        if sum(bonus[1] for bonus in paid) > sum(bonus[1] for bonus in most):
            most = paid
    return most

"""The routes that a company names for its trains: are they legal, what do they earn (4.2.3).

Knows nothing of the best run (see `engine.search`) and of what becomes of the revenue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.actions import TrainRun
from engine.ground import ground
from engine.hexes import Hex, Side, opposite
from engine.network import Place
from engine.refusal import Refusal
from engine.tiles import STOP, Face

if TYPE_CHECKING:
    from engine.table import Table

#: keys of a title's sections, by the clause of 4.2.3 that they stand for
OWN_TRAINS = "own trains"
ROUTE = "route"
TRACK_ONCE = "track once"
FORKS = "forks"
THROUGH_CITIES = "through cities"
BLOCKED_CITIES = "blocked cities"
OWN_STATION = "own station"
STOPS_ONCE = "stops once"
OFFBOARD_ENDS = "off-board ends"
TRAIN_REACH = "train reach"
SEPARATE_TRACK = "separate track"


class Traced(Struct, frozen=True):
    """A route followed along its track."""

    #: in order from the first hex to the last
    stops: tuple[Place, ...]
    #: bits of the sides it crosses, see `engine.ground.Ground`
    mask: int


class Fault(Struct, frozen=True):
    """What is wrong with a route: the key of the broken rule, and the parts of a refusal."""

    key: str
    code: str
    text: str
    hint: str = ""


class RunValue(Struct, frozen=True):
    """What one train's run earns, in dollars."""

    train: str
    path: tuple[Hex, ...]
    #: (hex, index of the stop, dollars)
    stops: tuple[tuple[Hex, int, int], ...]
    #: (name, dollars)
    bonuses: tuple[tuple[str, int], ...]
    total: int


def trace(table: Table, run: TrainRun) -> Traced | Fault:
    """Follow a route hex by hex: its stops, or where it cannot go on (4.2.3(a) to (d))."""
    path = run.path
    if len(path) < 2:
        text = f"a route of the {run.train} train joins two or more stops"
        return Fault(ROUTE, "route", text, "Name its hexes from end to end, as in `run 2: A4-C4`.")
    for hex_ in path:
        if hex_ not in table.title.hexes:
            return Fault(ROUTE, "name", f"there is no hex {hex_} on the map")
    sides: list[Side] = []
    for one, other in pairwise(path):
        side = _crossing(table, one, other)
        if isinstance(side, Fault):
            return side
        sides.append(side)
    stops: list[Place] = []
    for index, hex_ in enumerate(path):
        came = opposite(sides[index - 1]) if index else None
        goes = sides[index] if index < len(sides) else None
        past = hex_ in run.past
        stop = _past(table, hex_, came, goes) if past else _stop_at(table, hex_, came, goes)
        if isinstance(stop, Fault):
            return stop
        if stop is not None:
            stops.append((hex_, stop))
    return _side_once(table, run, sides) or Traced(tuple(stops), _mask(table, path, sides))


def _crossing(table: Table, one: Hex, other: Hex) -> Side | Fault:
    """The side by which track leads from one hex to the other."""
    side = table.title.grid.side_between(one, other)
    if (
        side is not None
        and table.title.beyond(one, side) is not None
        and side in table.face(one).exits
        and opposite(side) in table.face(other).exits
    ):
        return side
    return _no_crossing(table, one, other, side)


def _no_crossing(table: Table, one: Hex, other: Hex, side: Side | None) -> Fault:
    """Why no track leads from one hex to the other."""
    here, there = table.place(one), table.place(other)
    if side is None:
        text = f"{here} and {there} are not neighbours"
        return Fault(ROUTE, "track", text, "Name every stop of the route, in order.")
    if table.title.beyond(one, side) is None:
        return Fault(ROUTE, "track", f"no track may cross the side between {here} and {there}")
    if side in table.face(one).exits:
        here, there = there, here
    return Fault(ROUTE, "track", f"{here} has no track toward {there}")


def _joined(face: Face, end: int) -> set[int]:
    """The ends that track joins to one."""
    return {b if a == end else a for a, b in face.track if end in (a, b)}


def _stop_at(table: Table, hex_: Hex, came: Side | None, goes: Side | None) -> int | Fault | None:
    """The stop that a route makes between two sides of a hex, None on plain track."""
    face, place = table.face(hex_), table.place(hex_)
    behind = _joined(face, came) if came is not None else set(range(STOP, STOP + len(face.stops)))
    ahead = _joined(face, goes) if goes is not None else set(range(STOP, STOP + len(face.stops)))
    stops = sorted(end - STOP for end in behind & ahead if end >= STOP)
    if came is None or goes is None:
        if stops:
            return stops[0]
        text = f"a route ends at stops, and its track does not stop at {place}"
        return Fault(ROUTE, "route", text)
    if came == goes:
        text = f"the route turns round at {place} and leaves by the track on which it came"
        return Fault(THROUGH_CITIES if stops else FORKS, "track", text)
    if stops:
        return stops[0]
    if goes in behind:
        return None
    back, on = (_toward(table, hex_, side) for side in (came, goes))
    if behind & ahead:
        text = f"the route would turn round at the fork on {place}, from {back} to {on}"
        return Fault(FORKS, "track", text)
    return Fault(ROUTE, "track", f"no track on {place} joins {back} to {on}")


def _past(table: Table, hex_: Hex, came: Side | None, goes: Side | None) -> Fault | None:
    """Whether track runs past the stops of a hex between two sides."""
    face, place = table.face(hex_), table.place(hex_)
    if came is None or goes is None:
        return Fault(ROUTE, "route", f"a route ends at stops, it cannot run past {place} there")
    behind, ahead = _joined(face, came), _joined(face, goes)
    if max(behind & ahead, default=0) >= STOP and goes in behind:
        return None
    return Fault(ROUTE, "track", f"no track runs past the stop on {place} there")


def passed(table: Table, path: Sequence[Hex], stops: Collection[Place]) -> tuple[Hex, ...]:
    """Hexes of a path where a train could stop between the same sides and does not.

    ``stops`` are where it stops. The path must follow track.
    """
    found: list[Hex] = []
    if not table.title.bypasses:
        return ()
    for before, hex_, after in zip(path, path[1:], path[2:], strict=False):
        face, near = table.face(hex_), table.title.grid.side_between
        if not face.bypass:
            continue
        came, goes = near(hex_, before), near(hex_, after)
        assert came is not None
        assert goes is not None
        ends = {end - STOP for end in _joined(face, came) & _joined(face, goes) if end >= STOP}
        if ends and not any((hex_, end) in stops for end in ends):
            found.append(hex_)
    return tuple(found)


def _toward(table: Table, hex_: Hex, side: Side) -> str:
    return table.title.beyond(hex_, side) or table.title.grid.word(side)


def _bits(table: Table, path: Sequence[Hex], sides: Sequence[Side]) -> Iterator[int]:
    base = ground(table.title)
    for hex_, side in zip(path, sides, strict=False):
        yield base.bits[6 * base.index[hex_] + side]


def _mask(table: Table, path: Sequence[Hex], sides: Sequence[Side]) -> int:
    mask = 0
    for bit in _bits(table, path, sides):
        mask |= bit
    return mask


def _side_once(table: Table, run: TrainRun, sides: Sequence[Side]) -> Fault | None:
    """No section of track twice (4.2.3(b)); each crosses a side, and a side carries one."""
    used = 0
    for index, bit in enumerate(_bits(table, run.path, sides)):
        if used & bit:
            one, other = (table.place(hex_) for hex_ in run.path[index : index + 2])
            text = f"the route of the {run.train} train uses the track from {one} to {other} twice"
            return Fault(TRACK_ONCE, "track", text)
        used |= bit
    return None


def check_runs(
    table: Table, company: str, runs: Sequence[TrainRun], section: Callable[[str], str]
) -> Refusal | None:
    """Why a company may not run its trains so (4.2.3(a) to (j)), or None if it may.

    ``section`` turns one of the keys above into the section that a refusal cites, as `Table.rule`.
    """
    fault = _why_not_owned(table, company, runs)
    traced: list[Traced] = []
    for run in runs:
        if fault:
            break
        found = trace(table, run)
        if isinstance(found, Fault):
            fault = found
        else:
            fault = _why_not_route(table, company, run, found)
            traced.append(found)
    fault = fault or _why_not_separate(table, runs, traced)
    return Refusal(section(fault.key), fault.code, fault.text, fault.hint) if fault else None


def _why_not_owned(table: Table, company: str, runs: Sequence[TrainRun]) -> Fault | None:
    owned = Counter(table.at.trains.get(company, ()))
    for train, count in Counter(run.train for run in runs).items():
        if count > owned[train]:
            has = ", ".join(owned.elements()) or "no trains"
            many = f"a {train} train" if count == 1 else f"{count} trains {train}"
            return Fault(OWN_TRAINS, "train", f"{company} does not own {many}", f"It has {has}.")
    return None


def _why_not_route(table: Table, company: str, run: TrainRun, found: Traced) -> Fault | None:
    """4.2.3(g), (h), (e), (f), (i) of a single route."""
    train = f"the route of the {run.train} train"
    for place, count in Counter(found.stops).items():
        if count > 1:
            text = f"{train} stops at {table.place(place[0])} {_times(count)}"
            return Fault(STOPS_ONCE, "stop", text)
    for hex_, stop in found.stops[1:-1]:
        name = table.place(hex_)
        if table.face(hex_).stops[stop].kind == "offboard":
            text = f"{train} runs through {name}"
            return Fault(OFFBOARD_ENDS, "stop", text, "An off-board place is an end of a route.")
        if table.blocked(hex_, stop, company):
            text = f"{train} runs through {name}, whose circles other companies have filled"
            return Fault(BLOCKED_CITIES, "blocked", text, "It may end there.")
    own = table.stations_of(company)
    if not set(own) & set(found.stops):
        where = ", ".join(sorted(table.place(hex_) for hex_, _ in own)) or "nowhere"
        text = f"{train} stops at no station of {company}"
        return Fault(OWN_STATION, "station", text, f"Its stations: {where}.")
    counted = counted_stops(table, found.stops)
    reach = table.title.trains[run.train].reach
    if counted > reach:
        towns = table.title.facts.operating.towns_count
        what = "stops" if towns else "stops at cities and off-board places"
        hint = "Towns count." if towns else "Towns do not count."
        text = f"{train} makes {counted} {what}, it may make {reach}"
        return Fault(TRAIN_REACH, "reach", text, hint)
    return None


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def counted_stops(table: Table, stops: Sequence[Place]) -> int:
    """How many of the stops count toward a train's reach (4.2.3(i))."""
    return sum(table.is_counted(*place) for place in stops)


def _why_not_separate(
    table: Table, runs: Sequence[TrainRun], traced: Sequence[Traced]
) -> Fault | None:
    """No two trains on one section of track (4.2.3(j))."""
    for index, found in enumerate(traced):
        for before, other in enumerate(traced[:index]):
            if not found.mask & other.mask:
                continue
            one, two = _shared_side(table, runs[index], found.mask & other.mask)
            text = f"trains {runs[before].train} and {runs[index].train} both use the track from"
            return Fault(SEPARATE_TRACK, "track", f"{text} {one} to {two}")
    return None


def _shared_side(table: Table, run: TrainRun, shared: int) -> tuple[str, str]:
    """The first two hexes of a path between which one of the shared sides lies."""
    base = ground(table.title)
    for one, other in pairwise(run.path):
        side = table.title.grid.side_between(one, other)
        if side is not None and base.bits[6 * base.index[one] + side] & shared:
            return table.place(one), table.place(other)
    raise ValueError(f"no shared side on {'-'.join(run.path)}")


def stops_of(table: Table, run: TrainRun) -> tuple[Place, ...]:
    """The stops of a route in order; ValueError if it does not follow track."""
    found = trace(table, run)
    if isinstance(found, Fault):
        raise ValueError(found.text)
    return found.stops


def values(table: Table, company: str, run: TrainRun) -> tuple[tuple[Hex, int, int], ...]:
    """The stops of a route with the dollars each earns (4.2.3.1), set bonuses apart."""
    kind = table.title.trains[run.train]
    worth = table.title.rules.stop_value
    return tuple(
        (hex_, stop, worth(table, company, kind, hex_, stop)) for hex_, stop in stops_of(table, run)
    )


def revenue(table: Table, company: str, runs: Sequence[TrainRun]) -> int:
    """Dollars of a set of runs, bonuses included (4.2.3.1)."""
    return sum(value.total for value in explain(table, company, runs))


def explain(table: Table, company: str, runs: Sequence[TrainRun]) -> tuple[RunValue, ...]:
    """What each run earns, stop by stop and with its bonuses."""
    bonuses = table.title.rules.set_bonus(table, company, runs)
    found = []
    for index, run in enumerate(runs):
        stops = values(table, company, run)
        extra = tuple((name, dollars) for name, dollars, of in bonuses if of == index)
        total = sum(stop[2] for stop in stops) + sum(dollars for _, dollars in extra)
        found.append(RunValue(run.train, run.path, stops, extra, total))
    return tuple(found)

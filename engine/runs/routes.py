"""The routes that a company names for its trains: whether legal, and what they earn (4.2.3).

Knows neither the best run (see `engine.runs.best.search`) nor the use of the revenue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.actions import TrainRun
from engine.board.hexes import Hex, Side, opposite
from engine.board.tiles import STOP, Pieces
from engine.position.rules import rules_of
from engine.refusal import Refusal
from engine.track.ground import Place, ground
from engine.track.links import tracks_across

if TYPE_CHECKING:
    from engine.position.table import Table

#: the keys of a title's sections, by clause of 4.2.3
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


class Traced(Struct, frozen=True, gc=False):
    """A route with its stops and the bits of its track."""

    #: in order from the first hex to the last
    stops: tuple[Place, ...]
    #: bits of the sides it crosses, in order, see `engine.track.ground.Ground`
    sides: tuple[int, ...]


class RunFault(Struct, frozen=True, gc=False):
    """A fault of a route: the key of the broken rule, and the parts of a refusal."""

    key: str
    code: str
    text: str
    hint: str = ""


class RunValue(Struct, frozen=True, gc=False):
    """The revenue of one train's run, in dollars."""

    train: str
    path: tuple[Hex, ...]
    #: (hex, index of the stop, dollars)
    stops: tuple[tuple[Hex, int, int], ...]
    #: (name, dollars)
    bonuses: tuple[tuple[str, int], ...]
    total: int


def trace(table: Table, run: TrainRun) -> Traced | RunFault:
    """Follow a route hex by hex: its stops, or the fault where it ends (4.2.3(a) to (d))."""
    # several callers follow the same route: judging a run, adding it up and carrying it out
    at = table.at
    return table.recall(("trace", run), lambda: _found(table, run), (at.tiles, at.ferries))


def _found(table: Table, run: TrainRun) -> Traced | RunFault:
    """The answer of `trace`; kept until track on the way changes."""
    path = run.path
    if len(path) < 2:
        text = f"a route of the {run.train} train joins two or more stops"
        return RunFault(
            ROUTE, "route", text, "Name its hexes from end to end, as in `run 2: A4-C4`."
        )
    if unknown := [hex_ for hex_ in path if hex_ not in table.title.hexes]:
        return RunFault(ROUTE, "name", f"there is no hex {unknown[0]} on the map")
    tracks = tuple(map(table.track, path))
    return table.recall(("route", run), lambda: _trace(table, run, tracks), tracks)


def _trace(table: Table, run: TrainRun, tracks: Sequence[Pieces]) -> Traced | RunFault:
    path, sides = run.path, list[Side]()
    ends = [_ends(track) for track in tracks]
    for (one, here), (other, there) in pairwise(zip(path, ends, strict=True)):
        side = table.title.side_across(one, other)
        if side is None or side not in here or opposite(side) not in there:
            return _no_crossing(table, one, other)
        sides.append(side)
    stops: list[Place] = []
    behind, ahead = (None, *map(opposite, sides)), (*sides, None)
    for hex_, track, came, goes in zip(path, tracks, behind, ahead, strict=True):
        fault = _past(table, hex_, came, goes) if hex_ in run.past else None
        if hex_ in run.past and not fault:
            continue
        leads, stop = _leads(track, came, goes)
        # a route may stop at a hex on one visit and run past it on another
        if fault and (path.count(hex_) == 1 or not leads):
            return fault
        if not leads:
            return _no_stop(table, hex_, came, goes)
        if stop is not None:
            stops.append((hex_, stop))
    bits = _bits(table, path, sides)
    return _side_once(table, run, bits) or Traced(tuple(stops), bits)


def _no_crossing(table: Table, one: Hex, other: Hex) -> RunFault:
    """The fault that no track leads from one hex to the other."""
    here, there = table.place(one), table.place(other)
    side = table.title.grid.side_between(one, other)
    if side is None:
        text = f"{here} and {there} are not neighbours"
        return RunFault(ROUTE, "track", text, "Name every stop of the route, in order.")
    if table.title.beyond(one, side) is None:
        return RunFault(ROUTE, "track", f"no track may cross the side between {here} and {there}")
    ferry = next((f for f, lake in table.title.lakes.items() if {one, other} & set(lake)), None)
    if ferry and ferry not in table.at.ferries:
        return RunFault(ROUTE, "track", f"the ferry {ferry} does not run from {here} to {there}")
    if side in _ends(table.track(one)):
        here, there = there, here
    return RunFault(ROUTE, "track", f"{here} has no track toward {there}")


@cache
def _ends(track: Pieces) -> frozenset[int]:
    """The sides and stops that track leads to."""
    return frozenset(end for piece in track for end in piece)


@cache
def _joined(track: Pieces, end: int | None) -> frozenset[int]:
    """The ends that track joins to ``end``; with None, the stops for the end of a route."""
    if end is None:
        return frozenset(other for other in _ends(track) if other >= STOP)
    return frozenset(b if a == end else a for a, b in track if end in (a, b))


@cache
def _leads(track: Pieces, came: Side | None, goes: Side | None) -> tuple[bool, int | None]:
    """Whether track leads from side to side, and the stop on the way or None."""
    if came == goes:
        return False, None
    behind = _joined(track, came)
    stops = [end - STOP for end in behind & _joined(track, goes) if end >= STOP]
    return bool(stops) or goes in behind, min(stops, default=None)


def _no_stop(table: Table, hex_: Hex, came: Side | None, goes: Side | None) -> RunFault:
    """The fault of a route on a hex: it turns around, or ends on plain track."""
    place, track = table.place(hex_), table.track(hex_)
    behind, ahead = _joined(track, came), _joined(track, goes)
    if came is None or goes is None:
        text = f"a route ends at stops, and its track does not stop at {place}"
        return RunFault(ROUTE, "route", text)
    if came == goes:
        stops = max(behind, default=0) >= STOP
        text = f"the route turns round at {place} and leaves by the track on which it came"
        return RunFault(THROUGH_CITIES if stops else FORKS, "track", text)
    back, on = (_toward(table, hex_, side) for side in (came, goes))
    if behind & ahead:
        text = f"the route would turn round at the fork on {place}, from {back} to {on}"
        return RunFault(FORKS, "track", text)
    return RunFault(ROUTE, "track", f"no track on {place} joins {back} to {on}")


def _past(table: Table, hex_: Hex, came: Side | None, goes: Side | None) -> RunFault | None:
    """A fault unless track runs past the stops of a hex between two sides."""
    track, place = table.track(hex_), table.place(hex_)
    if came is None or goes is None:
        return RunFault(ROUTE, "route", f"a route ends at stops, it cannot run past {place} there")
    behind, ahead = _joined(track, came), _joined(track, goes)
    if max(behind & ahead, default=0) >= STOP and goes in behind:
        return None
    return RunFault(ROUTE, "track", f"no track runs past the stop on {place} there")


def runs_past(table: Table, run: TrainRun) -> list[bool]:
    """For each hex of a route that follows track: whether it runs past the hex's stops there."""
    near = table.title.grid.side_between
    return [
        hex_ in run.past
        and _past(
            table,
            hex_,
            near(hex_, run.path[index - 1]) if index else None,
            near(hex_, run.path[index + 1]) if index + 1 < len(run.path) else None,
        )
        is None
        for index, hex_ in enumerate(run.path)
    ]


def passed(table: Table, path: Sequence[Hex], stops: Collection[Place]) -> tuple[Hex, ...]:
    """The hexes of a path where a train runs past a stop, although it could stop there.

    ``stops`` are the stops of its run. The path must follow track.
    """
    if not table.title.bypasses:
        return ()
    near = table.title.grid.side_between
    sides = [
        (near(hex_, before) if before else None, near(hex_, after) if after else None)
        for before, hex_, after in zip((None, *path), path, (*path[1:], None), strict=False)
    ]
    found = []
    for index, hex_ in enumerate(path):
        face, (came, goes) = table.face(hex_), sides[index]
        if not face.bypass or came is None or goes is None:
            continue
        ends = _joined(face.track, came) & _joined(face.track, goes)
        if goes not in _joined(face.track, came):
            continue
        there = {end - STOP for end in ends if end >= STOP and (hex_, end - STOP) in stops}
        others = (sides[i] for i, other in enumerate(path) if other == hex_ and i != index)
        there -= {_leads(table.track(hex_), *other)[1] for other in others}
        if max(ends, default=0) >= STOP and not there:
            found.append(hex_)
    return tuple(found)


def _toward(table: Table, hex_: Hex, side: Side) -> str:
    return table.title.beyond(hex_, side) or table.title.grid.word(side)


def _bits(table: Table, path: Sequence[Hex], sides: Sequence[Side]) -> tuple[int, ...]:
    base = ground(table.title)
    return tuple(
        base.bits[6 * base.index[hex_] + side] for hex_, side in zip(path, sides, strict=False)
    )


def _side_once(table: Table, run: TrainRun, bits: Sequence[int]) -> RunFault | None:
    """Refuse a route that uses a section of track twice (4.2.3(b))."""
    used = 0
    for index, bit in enumerate(bits):
        if used & bit:
            one, other = (table.place(hex_) for hex_ in run.path[index : index + 2])
            text = f"The route of the {run.train} train uses the track from {one} to {other} twice"
            return RunFault(TRACK_ONCE, "track", text)
        used |= bit
    return None


def check_runs(
    table: Table, company: str, runs: Sequence[TrainRun], section: Callable[[str], str]
) -> Refusal | None:
    """The reason why these runs of a company are illegal (4.2.3(a) to (j)), or None.

    ``section`` turns a fault's key into the section that the refusal cites, as `Table.rule` does.
    """
    fault = _why_not_owned(table, company, runs)
    traced: list[Traced] = []
    for run in runs:
        if fault:
            break
        found = trace(table, run)
        if isinstance(found, RunFault):
            fault = found
        else:
            fault = _why_not_route(table, company, run, found)
            traced.append(found)
    fault = fault or _why_not_separate(table, runs, traced)
    return Refusal(section(fault.key), fault.code, fault.text, fault.hint) if fault else None


def _why_not_owned(table: Table, company: str, runs: Sequence[TrainRun]) -> RunFault | None:
    owned, running = table.at.trains.get(company, ()), [run.train for run in runs]
    for train in running:
        count = running.count(train)
        if count > owned.count(train):
            has = ", ".join(Counter(owned).elements()) or "no trains"
            many = f"a {train} train" if count == 1 else f"{count} trains {train}"
            return RunFault(OWN_TRAINS, "train", f"{company} does not own {many}", f"It has {has}.")
    return None


def _why_not_route(table: Table, company: str, run: TrainRun, found: Traced) -> RunFault | None:
    """Refuse a single route by 4.2.3(g), (h), (e), (f) and (i)."""
    train = f"The route of the {run.train} train"
    if fault := _why_not_once(table, train, found.stops):
        return fault
    for hex_, stop in found.stops[1:-1]:
        if table.face(hex_).stops[stop].kind == "offboard":
            text = f"{train} runs through {table.place(hex_)}"
            return RunFault(OFFBOARD_ENDS, "stop", text, "An off-board place is an end of a route.")
        if table.blocked(hex_, stop, company):
            name = table.place(hex_)
            text = f"{train} runs through {name}, whose circles other companies have filled"
            return RunFault(BLOCKED_CITIES, "blocked", text, "It may end there.")
    if set(found.stops).isdisjoint(table.stands_at(company)):
        own = table.stations_of(company)
        where = ", ".join(sorted(table.place(hex_) for hex_, _ in own)) or "nowhere"
        text = f"{train} stops at no token of {company}"
        return RunFault(OWN_STATION, "station", text, f"Its tokens: {where}.")
    return _why_not_so_far(table, run, found.stops)


def _why_not_once(table: Table, train: str, stops: Sequence[Place]) -> RunFault | None:
    """Refuse a stop that is visited twice, or two hexes of one location (4.2.3(g))."""
    bits, seen = ground(table.title).bits_of, 0
    for index, place in enumerate(stops):
        own = bits(place)
        if seen & own:
            before = next(other for other in stops[:index] if bits(other) & own)
            one, other = table.place(before[0]), table.place(place[0])
            text = f"{train} stops at {one} and at {other}, which are one place"
            if before == place:
                text = f"{train} stops at {other} {_times(stops.count(place))}"
            return RunFault(STOPS_ONCE, "stop", text)
        seen |= own
    return None


TOO_MANY_HEXES = "The route of the {train} train enters {entered} hexes, it may enter {most}"


def _why_not_so_far(table: Table, run: TrainRun, stops: Sequence[Place]) -> RunFault | None:
    """Refuse a route beyond the train's reach (4.2.3(i); 18GL 4.6.3, 4.9 and 4.10)."""
    train, kind = f"The route of the {run.train} train", table.train_kind(run.train)
    if kind.counts == "nothing":
        return None
    if kind.counts == "hexes":
        entered = len(run.path) - 1
        if entered <= kind.reach:
            return None
        text = TOO_MANY_HEXES.format(train=run.train, entered=entered, most=kind.reach)
        return RunFault(TRAIN_REACH, "reach", text, "Its first hex does not count.")
    free = table.towns_free(kind)
    towns = [table.face(h).stops[s].kind for h, s in stops].count("town") if free else 0
    counted = len(stops) - towns
    if counted > kind.reach:
        what = "stops at cities and off-board places" if free else "stops"
        hint = "Towns do not count." if free else "Towns count."
        text = f"{train} makes {counted} {what}, it may make {kind.reach}"
        return RunFault(TRAIN_REACH, "reach", text, hint)
    if kind.counts == "cities" and counted < 2:
        text = f"{train} joins fewer than two cities and off-board places"
        return RunFault(ROUTE, "route", text, "Towns earn nothing for it.")
    return None


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"


def _why_not_separate(
    table: Table, runs: Sequence[TrainRun], traced: Sequence[Traced]
) -> RunFault | None:
    """Refuse two trains on one section of track (4.2.3(j)); some sides have two (18GL 4.6.3)."""
    every = [bit for found in traced for bit in found.sides]
    if len(set(every)) == len(every):
        return None
    users: dict[int, list[TrainRun]] = {}
    for run, found in zip(runs, traced, strict=False):
        for index, bit in enumerate(found.sides):
            there = users.setdefault(bit, [])
            there.append(run)
            if len(there) > 1 and len(there) > tracks_across(table, *run.path[index : index + 2]):
                one, two = (table.place(hex_) for hex_ in run.path[index : index + 2])
                text = f"trains {there[0].train} and {run.train} both use the track from"
                if len(there) > 2:
                    text = f"{len(there)} trains use the {len(there) - 1} tracks from"
                return RunFault(SEPARATE_TRACK, "track", f"{text} {one} to {two}")
    return None


def stops_of(table: Table, run: TrainRun) -> tuple[Place, ...]:
    """The stops of a route in order. Raises ValueError if the route does not follow track."""
    found = trace(table, run)
    if isinstance(found, RunFault):
        raise ValueError(found.text)
    return found.stops


def values(table: Table, company: str, run: TrainRun) -> tuple[tuple[Hex, int, int], ...]:
    """(hex, stop, dollars) for each stop of a route (4.2.3.1), without bonuses of the set."""
    kind = table.train_kind(run.train)
    worth = rules_of(table.title).stop_value
    return tuple(
        (hex_, stop, worth(table, company, kind, hex_, stop)) for hex_, stop in stops_of(table, run)
    )


def revenue(table: Table, company: str, runs: Sequence[TrainRun]) -> int:
    """The revenue of a set of runs in dollars, with bonuses (4.2.3.1)."""
    return sum(value.total for value in explain(table, company, runs))


def explain(table: Table, company: str, runs: Sequence[TrainRun]) -> tuple[RunValue, ...]:
    """The revenue of each run, stop by stop and with its bonuses, in the order of ``runs``."""
    bonuses = rules_of(table.title).set_bonus(table, company, runs)
    found = []
    for index, run in enumerate(runs):
        stops = values(table, company, run)
        extra = tuple((name, dollars) for name, dollars, of in bonuses if of == index)
        total = sum(stop[2] for stop in stops) + sum(dollars for _, dollars in extra)
        found.append(RunValue(run.train, run.path, stops, extra, total))
    return tuple(found)

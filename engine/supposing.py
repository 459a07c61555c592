"""Hypothetical positions: a company with other trains, tiles and tokens; nothing is played.

The map and the rules of tiles still limit what may be supposed. Turns, money, connections and
permissions do not count, because other companies may build too, and later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from engine.actions import LaidTile
from engine.flow import settle
from engine.position.draft import Draft
from engine.position.frames import OperatingRound, OperatingTurn
from engine.position.table import Table
from engine.position.values import CompanyId, Round, State, Station, TrainType
from engine.refusal import Illegal, Refusal
from engine.runs.best.allowance import allowed, ended
from engine.runs.best.search import best_run
from engine.steps.judging.cost import laying_cost
from engine.steps.judging.fit import why_not_connected, why_not_fit
from engine.steps.judging.shut_out import why_not_shut_out
from engine.steps.judging.station_cost import station_cost
from engine.steps.operating.stations import why_not_place
from engine.track.network import reach

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.facts.title import Title

#: number of ways to do all that is supposed, from which the best is chosen
WAYS = 24
#: steps of the search for all ways together
BUDGET = 2_000_000


class SupposedTile(Struct, frozen=True):
    """A tile on a hex, in any of several rotations."""

    tile: str
    hex: Hex
    rotations: tuple[int, ...]


class SupposedStation(Struct, frozen=True):
    """A token of the company on a hex, in any of several cities."""

    hex: Hex
    stops: tuple[int, ...]


class Supposition(Struct, frozen=True):
    """Everything supposed of a company; ``trains`` None means the trains that it has."""

    trains: tuple[TrainType, ...] | None
    pieces: tuple[SupposedTile | SupposedStation, ...] = ()


class Piece(Struct, frozen=True):
    """A supposed tile or token: its cost, and why the company cannot place it itself.

    ``cost`` None means unknown, because no track leads there.
    """

    #: "" for a token
    tile: str
    hex: Hex
    #: rotation of the tile, or index of the token's city
    way: int
    cost: int | None
    doubt: str = ""
    #: whether it is the company's home token
    home: bool = False


class SupposedPosition(Struct, frozen=True):
    """The position of a plan; where the plan leaves ``ways`` open, the one that earns most.

    ``proved`` says whether it surely earns most, see `engine.runs.best.search`.
    """

    state: State
    pieces: tuple[Piece, ...]
    ways: int
    proved: bool = True


class TooManyWays(ValueError):
    """A plan leaves too much open to look for the best way."""


#: a position, and the pieces that led to it
_Way = tuple[State, tuple[Piece, ...]]


def suppose(title: Title, state: State, company: CompanyId, plan: Supposition) -> SupposedPosition:
    """The position in which the plan has come true; the given state is not changed.

    A company without a token gets its home token first. Raises Illegal with the reason for the
    first piece that does not fit, and TooManyWays.
    """
    if plan.trains is not None:
        state = replace(state, trains={**state.trains, company: plan.trains})
    ways = _with_home(title, state, company)
    for piece in plan.pieces:
        ways = _with_piece(title, company, ways, piece)
        if len(ways) > WAYS:
            raise TooManyWays
    if len(ways) == 1:
        return SupposedPosition(*ways[0], 1)
    given = allowed(BUDGET)
    bests = [best_run(Table(title, after), company, None, given // len(ways)) for after, _ in ways]
    first = max(range(len(ways)), key=lambda number: bests[number].total)
    proved = all(found.proved for found in bests)
    ended(BUDGET, given, proved)
    return SupposedPosition(*ways[first], len(ways), proved)


def with_turn(title: Title, state: State, company: CompanyId) -> State | None:
    """The position as if the company's operating turn came now; None if it has not floated.

    In a stock round, the turn is in the first operating round after it, before private companies
    pay.
    """
    if company not in state.floated or not state.stack:
        return None
    turns = next((f for f in state.stack if isinstance(f, OperatingRound)), OperatingRound(True))
    round_ = state.round
    if round_.kind != "OR":
        round_ = Round("OR", round_.number, 1, 1)
    turns = replace(turns, done=tuple(dict.fromkeys((*turns.done, company))))
    begun = (turns, OperatingTurn(company))
    draft = Draft(title, replace(state, round=round_, stack=begun))
    settle(draft)
    return replace(draft.commit(), number=state.number)


def _with_home(title: Title, state: State, company: CompanyId) -> list[_Way]:
    """Every home token a company without one might place; for others the position alone."""
    table = Table(title, state)
    facts = title.companies[company]
    if table.stations_of(company) or not (facts.home or facts.homes):
        return [(state, ())]
    circles = [
        (home, stop)
        for home in table.homes(company)
        for stop in range(len(table.face(home).stops))
        if table.free_circles(home, stop) > 0
    ]
    if not any(table.face(home).track for home, _ in circles):
        # the circles of a hex without track are all alike
        circles = list({home: (home, stop) for home, stop in reversed(circles)}.values())[::-1]
    found: list[_Way] = [
        (_put(title, state, company, home, stop), (Piece("", home, stop, 0, home=True),))
        for home, stop in circles
    ]
    return found or [(state, ())]


def _with_piece(
    title: Title, company: CompanyId, ways: Sequence[_Way], piece: SupposedTile | SupposedStation
) -> list[_Way]:
    """Each way, with the piece added in each way that fits; ways the company could lay itself
    first."""
    found: list[_Way] = []
    refused: list[Refusal] = []
    for state, so_far in ways:
        tries = _tries(title, state, company, piece)
        fitting = [done for done in tries if not isinstance(done, Refusal)]
        refused += [done for done in tries if isinstance(done, Refusal)]
        sure = [done for done in fitting if not done[1].doubt]
        found += [(after, (*so_far, made)) for after, made in sure or fitting]
    if not found:
        raise Illegal(max(refused, key=refused.count))
    return found


def _tries(
    title: Title, state: State, company: CompanyId, piece: SupposedTile | SupposedStation
) -> list[tuple[State, Piece] | Refusal]:
    table = Table(title, state)
    if isinstance(piece, SupposedTile):
        lays = (LaidTile(piece.hex, piece.tile, rotation) for rotation in piece.rotations)
        return [done for lay in lays for done in _lay(table, state, company, lay)]
    return [_station(table, state, company, piece.hex, stop) for stop in piece.stops]


def _lay(
    table: Table, state: State, company: CompanyId, lay: LaidTile
) -> Iterator[tuple[State, Piece] | Refusal]:
    laid = {lay.hex: (lay.tile, lay.rotation)}
    refusal = why_not_fit(table, lay) or why_not_shut_out(table, company, laid)
    if refusal:
        yield refusal
        return
    apart = why_not_connected(table, company, lay)
    cost = laying_cost(table, company, lay)
    after = _drafted(table, state, lambda draft: draft.lay(lay.hex, lay.tile, lay.rotation))
    made = Piece(lay.tile, lay.hex, lay.rotation, cost, apart.text if apart else "")
    for settled in _settled(table, after, company, lay.hex):
        yield settled, made


def _settled(before: Table, after: State, company: CompanyId, hex_: Hex) -> Iterator[State]:
    """The company's token in each city of a tile that gives token circles their first track.

    The player who lays the tile chooses the city of each token (4.2.1(h)).
    """
    old, there = before.face(hex_), after.stations.get(hex_, ())
    others = tuple(station for station in there if station.company != company)
    if old.track or len(old.stops) < 2 or len(others) == len(there):
        yield after
        return
    rest = replace(after, stations={**after.stations, hex_: others})
    table = Table(before.title, rest)
    for stop in range(len(table.face(hex_).stops)):
        if table.free_circles(hex_, stop) > 0:
            put = (*others, Station(company, stop))
            yield replace(rest, stations={**rest.stations, hex_: put})


def _station(
    table: Table, state: State, company: CompanyId, hex_: Hex, stop: int
) -> tuple[State, Piece] | Refusal:
    rich = replace(state, cash={**state.cash, company: sum(state.cash.values())})
    refusal = why_not_place(Table(table.title, rich), company, hex_, stop)
    if refusal and refusal.rule != table.rule("station connection"):
        return refusal
    reached = (hex_, stop) in reach(table, company).stops
    cost = station_cost(table, company, (hex_, stop)) if reached else None
    after = _put(table.title, state, company, hex_, stop)
    return after, Piece("", hex_, stop, cost, refusal.text if refusal else "")


def _put(title: Title, state: State, company: CompanyId, hex_: Hex, stop: int) -> State:
    table = Table(title, state)
    return _drafted(table, state, lambda draft: draft.put_station(company, hex_, stop))


def _drafted(table: Table, state: State, change: Callable[[Draft], None]) -> State:
    """The position with a change of the map, and the same number as before."""
    draft = Draft(table.title, state)
    change(draft)
    return replace(draft.commit(), number=state.number)

"""Writes our positions in the format of their traces, and compares the two; plays nothing."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.facts.title import Title
from engine.position.frames import Auction, Discard, Founding, PrivateTurn, StockTurn
from engine.position.table import Table
from engine.position.values import BANK, MARKET, OFFERING, State
from service.exchange.dialect import Dialect, NeighbourError
from service.exchange.files import from_json


class Holder(Struct):
    """A player's property: dollars, percent by company, private companies."""

    cash: int
    shares: dict[str, int]
    privates: list[str]


class Charter(Struct):
    """A company's property; ``cell`` is row and column, ``pool`` and ``offer`` are percent."""

    president: str
    cash: int
    par: int
    price: int
    cell: list[int]
    pool: int
    offer: int
    floated: bool
    trains: list[str]
    stations: list[str]
    privates: list[str]


class TraceLine(Struct):
    """A position on 18xx.games after an action; the start has no action.

    The order of players (theirs is by priority), trains, tokens and private companies has no
    meaning. ``next`` is the acting player or company, ``depot`` the next new train. ``priority`` is
    compared if the trace has it. ``next`` is not compared after the end of the game, because nobody
    acts.
    """

    round: str
    phase: str
    next: str | None
    bank: int
    players: dict[str, Holder]
    corporations: dict[str, Charter]
    tiles: dict[str, str]
    depot: str | None
    priority: str | None = None
    finished: bool = False
    action: int | None = None
    type: str = ""


def read_trace(path: Path, dialect: Dialect) -> list[TraceLine]:
    """The lines of a trace, plain or gzipped. Raises NeighbourError if it is not a trace.

    Their types that are one type here get our name: it makes no difference which train it is.
    """
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            every = [from_json(line, path.name) for line in file if line.strip()]
        found = [msgspec.convert(line, TraceLine) for line in every]
    except (OSError, EOFError, msgspec.ValidationError) as error:
        raise NeighbourError(None, f"{path.name} is not a trace ({error})") from error
    return [canonical(line, dialect) for line in found]


def canonical(line: TraceLine, dialect: Dialect) -> TraceLine:
    """Their line in our form: our types of trains, and sorted lists."""
    line.depot = dialect.trains.get(line.depot, line.depot) if line.depot else None
    for player in line.players.values():
        player.privates.sort()
    for charter in line.corporations.values():
        charter.trains = [dialect.trains.get(train, train) for train in charter.trains]
        for names in (charter.trains, charter.stations, charter.privates):
            names.sort()
    return line


class Scribe:
    """Writes the positions of one game as trace lines; keeps the parts that have not changed."""

    def __init__(self, title: Title, dialect: Dialect) -> None:
        self._title = title
        self._phases = dialect.phases
        self._order = dialect.order or tuple(title.companies)
        self._companies = {ours: theirs for theirs, ours in dialect.companies.items()}
        self._privates = {ours: theirs for theirs, ours in dialect.privates.items()}
        self._trains = {ours: id_.rpartition("-")[0] for id_, ours in dialect.single_trains.items()}
        self._tiles = {ours: theirs for theirs, ours in dialect.tiles.items()}
        self._last: State | None = None
        self._line: TraceLine | None = None

    def line(self, state: State) -> TraceLine:
        """The position as a line of a trace."""
        last, old = self._last, self._line
        table = Table(self._title, state)
        same_owners = bool(
            last
            and old
            and last.cash is state.cash
            and last.shares is state.shares
            and last.privates is state.privates
            and last.ending is state.ending
        )
        same_charters = bool(
            same_owners
            and last
            and last.tokens is state.tokens
            and last.trains is state.trains
            and last.stations is state.stations
            and last.presidents is state.presidents
            and last.floated is state.floated
        )
        offered = state.trains[OFFERING]
        line = TraceLine(
            round=self._round(table),
            phase=self._phases.get(state.phase, state.phase),
            next=self._next(table),
            bank=state.cash[BANK] + self._forfeit(state),
            players=old.players if same_owners and old else self._holders(state),
            corporations=old.corporations if same_charters and old else self._charters(table),
            tiles=old.tiles if last and old and last.tiles is state.tiles else self._laid(state),
            depot=offered[0] if offered else None,
            priority=state.priority,
            finished=not state.stack,
        )
        self._last, self._line = state, line
        return line

    @staticmethod
    def _round(table: Table) -> str:
        now = table.at.round
        if now.kind == "OR":
            return f"OR{now.number}.{now.part}"
        founding = bool(table.at.stack) and isinstance(table.at.stack[-1], Founding)
        initial = table.unsold() or founding
        return f"ISR{now.number}" if initial else f"SR{now.number}"

    def _next(self, table: Table) -> str | None:
        """The acting player or company; of the companies over the train limit, the first."""
        if not table.at.stack:
            return None
        top = table.at.stack[-1]
        if isinstance(top, StockTurn | PrivateTurn | Auction | Founding):
            return top.seat
        if isinstance(top, Discard):
            over = next(c for c in self._order if c in top.companies)
            return self._companies.get(over, over)
        company = getattr(top, "company", None)
        return self._companies.get(company, company) if company else None

    @staticmethod
    def _forfeit(state: State) -> int:
        """Dollars that a bankrupt player loses to the bank on 18xx.games."""
        ending = state.ending
        return state.cash[ending.bankrupt] if ending is not None and ending.bankrupt else 0

    def _holders(self, state: State) -> dict[str, Holder]:
        bankrupt = state.ending.bankrupt if state.ending is not None else ""
        found = {}
        for seat in state.seats:
            shares = {
                self._companies.get(company, company): sum(held[seat])
                for company, held in state.shares.items()
                if seat in held
            }
            cash = 0 if seat == bankrupt else state.cash[seat]
            found[seat] = Holder(cash, shares, self._owned(state.privates, seat))
        return found

    def _owned(self, privates: dict[str, str], owner: str) -> list[str]:
        return sorted(self._privates.get(p, p) for p, at in privates.items() if at == owner)

    def _charters(self, table: Table) -> dict[str, Charter]:
        at, chart = table.at, self._title.chart
        cells = {token.company: token.cell for token in at.tokens}
        stations: dict[str, list[str]] = {}
        for hex_, there in at.stations.items():
            for station in there:
                stations.setdefault(station.company, []).append(hex_)
        found = {}
        for company, president in at.presidents.items():
            shares = at.shares[company]
            cell = cells[company]
            found[self._companies.get(company, company)] = Charter(
                president=president,
                cash=at.cash[company],
                par=at.pars[company],
                price=chart.price(cell),
                cell=list(cell),
                pool=sum(shares.get(MARKET, ())),
                offer=sum(shares.get(OFFERING, ())),
                floated=company in at.floated,
                trains=sorted(self._trains.get(t, t) for t in at.trains.get(company, ())),
                stations=sorted(stations.get(company, ())),
                privates=self._owned(at.privates, company),
            )
        return found

    def _laid(self, state: State) -> dict[str, str]:
        return {
            hex_: f"{self._tiles.get(tile, tile)}/{rotation}"
            for hex_, (tile, rotation) in state.tiles.items()
        }


def difference(theirs: TraceLine, ours: TraceLine) -> tuple[str, Any, Any] | None:
    """The first field in which two lines differ: its path and both values; None if equal."""
    ours.action, ours.type = theirs.action, theirs.type
    if theirs.priority is None:
        ours.priority = None
    if theirs.finished:
        ours.next = theirs.next
    if theirs == ours:
        return None
    return next(_apart("", msgspec.to_builtins(theirs), msgspec.to_builtins(ours)), None)


def _apart(path: str, theirs: Any, ours: Any) -> Iterator[tuple[str, Any, Any]]:  # noqa: ANN401
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys((*theirs, *ours)):
            inner = f"{path}.{key}" if path else str(key)
            yield from _apart(inner, theirs.get(key), ours.get(key))
    elif theirs != ours:
        yield path, theirs, ours

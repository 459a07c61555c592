"""A run as sums that a person can check: printed values, doubling, markers, ferries, hexes.

Knows no best run (see `engine.runs.best.search`) and no words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.facts.powers import MarkPower
from engine.runs.connections import factor
from engine.runs.routes import RunValue, explain
from engine.track.ferries import ferries_used

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.board.hexes import Hex
    from engine.facts.facts import TrainKind
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner, TrainType


class StopSum(Struct, frozen=True):
    """The revenue of a stop: ``printed`` dollars times ``times``, and the company's markers.

    ``times`` is 0 if the train earns nothing at such stops.
    """

    hex: Hex
    stop: int
    printed: int
    times: int
    #: (kind, dollars)
    marks: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """The revenue of the stop in dollars."""
        return self.printed * self.times + sum(dollars for _, dollars in self.marks)


class RunSum(Struct, frozen=True):
    """One train's run, its revenue in dollars and the part of its reach that it uses."""

    train: TrainType
    path: tuple[Hex, ...]
    stops: tuple[StopSum, ...]
    #: bonuses of several stops: (name, dollars)
    bonuses: tuple[tuple[str, int], ...]
    #: (ferry, holder of its token) for each that the run uses
    ferries: tuple[tuple[str, Owner], ...]
    #: the reach: its kind in `TrainKind.counts`, the part that is used, and the limit, none for
    #: "nothing"
    counts: str
    used: int
    reach: int
    total: int


def sums(table: Table, company: CompanyId, runs: Sequence[TrainRun]) -> tuple[RunSum, ...]:
    """The sums of runs, in their order; the runs must follow track (4.2.3.1)."""
    every = zip(runs, explain(table, company, runs), strict=True)
    return tuple(_sum(table, company, run, value) for run, value in every)


def _sum(table: Table, company: CompanyId, run: TrainRun, value: RunValue) -> RunSum:
    kind = table.train_kind(run.train)
    ferries = tuple((ferry, table.at.ferries[ferry]) for ferry in ferries_used(table, run))
    stops = tuple(_stop(table, company, kind, *stop) for stop in value.stops)
    return RunSum(
        train=run.train,
        path=run.path,
        stops=stops,
        bonuses=value.bonuses,
        ferries=ferries,
        counts=kind.counts,
        used=_used(table, kind, value),
        reach=kind.reach,
        total=value.total,
    )


def _stop(
    table: Table, company: CompanyId, kind: TrainKind, hex_: Hex, stop: int, dollars: int
) -> StopSum:
    """Split the dollars of a stop; any rest after printed and doubled values is from markers."""
    facts = table.face(hex_).stops[stop]
    printed = facts.value(table.phase.value_colour)
    times = (2 if facts.kind in kind.doubles else 1) * factor(table, company, hex_)
    if kind.counts == "cities" and facts.kind == "town":
        times = 0
    marks = tuple(_marks(table, company, hex_)) if dollars != printed * times else ()
    return StopSum(hex_, stop, printed, times, marks)


def _marks(table: Table, company: CompanyId, hex_: Hex) -> list[tuple[str, int]]:
    """The company's markers on a hex, with their dollars."""
    return [
        (mark.kind, power.bonus)
        for mark in table.at.marks
        if mark.company == company and mark.hex == hex_
        for power in [table.title.privates[mark.private].power]
        if isinstance(power, MarkPower)
    ]


def _used(table: Table, kind: TrainKind, value: RunValue) -> int:
    """The part of a train's reach that a run uses: hexes that it enters, or stops that count."""
    if kind.counts == "hexes":
        return len(value.path) - 1
    free = table.towns_free(kind)
    return sum(
        not free or table.face(hex_).stops[stop].kind != "town" for hex_, stop, _ in value.stops
    )

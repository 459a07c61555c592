"""Measures how fast best runs are found and options are listed, without any cache.

Times are CPU seconds of this process, so other work of the machine matters little.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from statistics import median, quantiles
from time import process_time
from typing import NamedTuple

from engine import Action, State, Title, options, to_act
from engine.notation.position import turn_company
from engine.position.frames import Track
from engine.position.table import Table
from engine.runs.best.dispatch import use
from engine.runs.best.search import best_run
from engine.steps.operating.running import best_of_turn
from engine.track.ground import forget
from engine.track.links import board
from service.workshop.practice.bench import Recording
from service.workshop.practice.late_networks import TRAINS, Network
from service.workshop.practice.positions import positions

#: called with the present step and the number of figures so far
Progress = Callable[[int, str], None]


class _Timed(NamedTuple):
    """One question, and how long the answer took."""

    milliseconds: float
    proved: bool = True
    #: the question, in a form for asking it again
    name: str = ""


def bench_routes(
    progress: Progress, games: Iterable[Recording] = (), networks: Iterable[Network] = ()
) -> dict[str, object]:
    """Find the best run of every operating turn of games, and of trains on large networks.

    The result has ``real`` if there are games, and ``synthetic`` if there are networks. Each has
    figures by group: by title and limit of the trains, or by trains (`_figures`). The solver runs
    in this process.
    """
    before = use()
    try:
        found = {"real": _real(progress, games), "synthetic": _synthetic(progress, networks)}
        return {part: figures for part, figures in found.items() if figures}
    finally:
        use(before)


def _real(progress: Progress, games: Iterable[Recording]) -> dict[str, object]:
    found: dict[str, list[_Timed]] = defaultdict(list)
    done = 0
    for game in games:
        for _, of, state, _ in positions(game, _runs):
            table, company = Table(of, state), turn_company(state)
            name = f"{game.name} #{state.number}"
            took = _timed(name, partial(_run_of_turn, table, company))
            counts = {table.train_kind(train).counts for train in state.trains[company]}
            for group in ("all", of.name, f"{of.name}, {' and '.join(sorted(counts))}"):
                found[group].append(took)
            done += 1
        progress(done, game.name)
    return _groups(found)


def _synthetic(progress: Progress, networks: Iterable[Network]) -> dict[str, object]:
    found: dict[str, list[_Timed]] = defaultdict(list)
    sizes = []
    for number, (table, company) in enumerate(networks, start=1):
        net = board(table)
        segments = sum(len(table.track(hex_)) for hex_ in table.at.tiles)
        sizes.append((len(table.at.tiles), segments, len(net.stops), len(net.links)))
        for trains in TRAINS:
            name = f"network {number}: {' '.join(trains)}"
            took = _timed(name, partial(_run_of_trains, table, company, trains))
            for group in ("all", " and ".join(trains)):
                found[group].append(took)
            progress(len(found["all"]), name)
    if not sizes:
        return {}
    words = ("hexes", "segments", "stops", "links")
    size = {word: median(one) for word, one in zip(words, zip(*sizes, strict=True), strict=True)}
    return {**_groups(found), "median network": size}


def bench_options(progress: Progress, games: Iterable[Recording]) -> dict[str, object]:
    """List the options of every track step from a title's last phase but one on; figures by title.

    Every tile in every rotation is judged.
    """
    found: dict[str, list[_Timed]] = defaultdict(list)
    for game in games:
        late = game.title.phase_order[-2:]
        for _, of, state, _ in positions(game, partial(_lays, late)):
            took = _timed(f"{game.name} #{state.number}", partial(_list, of, state))
            for group in ("all", of.name):
                found[group].append(took)
        progress(len(found["all"]), game.name)
    return _groups(found)


def _timed(name: str, answer: Callable[[], bool]) -> _Timed:
    """How long an answer takes with nothing remembered, and whether it is proved."""
    forget()
    # collect the garbage of whole games first, because the question does not cause it
    gc.disable()
    try:
        began = process_time()
        proved = answer()
        return _Timed(1000 * (process_time() - began), proved, name)
    finally:
        gc.enable()


def _run_of_turn(table: Table, company: str) -> bool:
    return best_of_turn(table, company)[1].proved


def _run_of_trains(table: Table, company: str, trains: Sequence[str]) -> bool:
    return best_run(table, company, trains).proved


def _list(title: Title, state: State) -> bool:
    for seat in to_act(title, state):
        options(title, state, seat)
    return True


def _runs(state: State, action: Action) -> bool:
    return bool(action.runs)


def _lays(phases: Sequence[str], state: State, action: Action) -> bool:
    return isinstance(state.stack[-1], Track) and state.phase in phases


def _groups(found: dict[str, list[_Timed]]) -> dict[str, object]:
    return {group: _figures(times) for group, times in sorted(found.items())}


def _figures(times: Iterable[_Timed]) -> dict[str, object]:
    """Count, milliseconds (median, 95th and 99th of a hundred, most), the slowest, those open."""
    sorted_ = sorted(times)
    took = [one.milliseconds for one in sorted_]
    parts = quantiles(took, n=100, method="inclusive") if len(took) > 1 else took * 99
    return {
        "count": len(took),
        "median_ms": round(median(took), 1),
        "p95_ms": round(parts[94], 1),
        "p99_ms": round(parts[98], 1),
        "max_ms": round(took[-1], 1),
        "slowest": sorted_[-1].name,
        "unproved": sum(not one.proved for one in sorted_),
    }

"""Whether one of a company's trains can run to a place; knows no revenue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.hexes import Hex
from engine.runs.best.glance import near
from engine.runs.best.hops import plan
from engine.runs.best.hunt import Hunt, HuntTask, Meter, OutOfBudget
from engine.track.links import board
from engine.track.network import reach

if TYPE_CHECKING:
    from engine.position.table import Table

#: the limit of steps, far more than routes to one place ever need
BUDGET = 2_000_000


def can_run_to(table: Table, company: str, hex_: Hex) -> bool:
    """Whether a legal route of a train that the company owns stops on the hex (4.2.3)."""
    if all(place != hex_ for place, _ in reach(table, company).stops):
        return False
    worth = tuple(int(place == hex_) for place, _ in board(table).stops)
    kinds = [table.train_kind(train) for train in sorted(set(table.at.trains.get(company, ())))]
    # a route may end even in a town that earns nothing
    tasks = []
    for kind in kinds:
        there = plan(table, company, table.towns_free(kind))
        reached = near(there.board, there.net, kind, there.net.own)
        tasks.append(HuntTask(kind, there, worth, reached, anywhere=True))
    try:
        return any(Hunt(task, Meter(BUDGET)).best() is not None for task in tasks)
    except OutOfBudget:
        # So many routes, and none reached the hex yet: track leads there, so assume that one does.
        return True

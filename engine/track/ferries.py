"""Ferry lines as track: where they run, and which company gets the fare; knows no routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.actions import TrainRun
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner


def ferries_used(table: Table, run: TrainRun) -> list[str]:
    """The names of the ferries that a run uses."""
    lakes = table.title.lakes
    return [ferry for ferry in table.at.ferries if set(lakes[ferry]) & set(run.path)]


def ferry_users(
    table: Table, company: CompanyId, runs: Sequence[TrainRun]
) -> list[tuple[str, Owner]]:
    """(ferry, owner of its token) for each run that must pay for a ferry (18GL 4.6.3)."""
    holders = table.at.ferries
    if not holders:
        return []
    return [
        (ferry, holders[ferry])
        for run in runs
        for ferry in ferries_used(table, run)
        if holders.get(ferry, company) != company
    ]

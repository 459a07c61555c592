"""Ferry lines as track: where they run, and who is paid for them; knows no routes."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from engine.board.tiles import STOP, Face, Pieces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.actions import TrainRun
    from engine.board.hexes import Hex, Side
    from engine.facts.title import Title
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner


def running_track(title: Title, hex_: Hex, face: Face, ferries: Container[str]) -> Pieces:
    """The pieces of track of a hex with those of its ferry lines that run (18GL 4.6.3)."""
    if not face.ferry:
        return face.track
    lines = (p for p in face.ferry if _ferry_of(title, hex_, p) in ferries)
    return (*face.track, *lines)


def _ferry_of(title: Title, hex_: Hex, piece: tuple[Side, int]) -> str | None:
    """The ferry that a piece of ferry line belongs to: that of the lake it lies on or leads to."""
    if max(piece) < STOP:
        return title.ferry_on.get(hex_)
    lake = title.beyond(hex_, min(piece))
    return title.ferry_on.get(lake) if lake else None


def ferries_used(table: Table, run: TrainRun) -> list[str]:
    """The ferries by which a run crosses the lake."""
    lakes = table.title.lakes
    return [ferry for ferry in table.at.ferries if set(lakes[ferry]) & set(run.path)]


def ferry_users(
    table: Table, company: CompanyId, runs: Sequence[TrainRun]
) -> list[tuple[str, Owner]]:
    """(ferry, holder of its token) for each run that has to pay for a ferry (18GL 4.6.3)."""
    holders = table.at.ferries
    return [
        (ferry, holders[ferry])
        for run in runs
        for ferry in ferries_used(table, run)
        if holders.get(ferry, company) != company
    ]

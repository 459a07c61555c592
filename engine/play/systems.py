"""Two corporations of one president merge into a system (18MW Merger).

This module knows the facts of systems, and no titles. `engine.steps.operating.mergers` decides
which companies may merge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from engine.events import SystemFormed
from engine.play.protection import note_excess, offer
from engine.position.frames import OperatingRound, OperatingTurn, SoldBlock, Trains
from engine.position.values import OFFERING, Mark
from engine.runs.connections import has_token, pass_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.board.hexes import Hex
    from engine.board.market import Cell
    from engine.facts.features import SystemFacts
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.position.values import CompanyId, Owner
    from engine.track.ground import Place

Merged = tuple["CompanyId", "CompanyId"]


def form_system(draft: Draft, system: CompanyId, merged: Merged) -> None:
    """Form a system of two corporations; it and they no longer operate in this round."""
    facts, table = draft.title.facts.systems, draft.table
    assert facts is not None
    seat, cell, par = draft.presidents[merged[0]], top_cell(table, merged), mean_par(table, merged)
    cash = sum(draft.cash[company] for company in merged)
    trains = tuple(train for company in merged for train in draft.trains.get(company, ()))
    kept, tokens = stations_kept(table, merged), tokens_of(table, merged)
    draft.print_shares(system, facts.certificates)
    for owner, percent in list(exchanged(table, facts, system, merged)):
        if owner != OFFERING:
            draft.move_certificate(system, OFFERING, owner, percent)
    for company in merged:
        pass_token(draft, company, system)
    protected = any(company in draft.excess for company in merged)
    _inherit(draft, system, merged)
    for company in merged:
        draft.drop_company(company)
    draft.note_system(system, merged)
    draft.set_president(system, seat)
    if protected:
        note_excess(draft, system, seat)
    draft.enter_chart(system, par, cell)
    draft.float(system)
    draft.add_tokens(system, tokens)
    for place in kept:
        draft.put_station(system, *place)
    held = {owner: table.percent(system, owner) for owner in draft.shares[system]}
    hexes, left = tuple(hex_ for hex_, _ in kept), draft.charters[system]
    price = table.price(system)
    draft.record(SystemFormed(system, merged, seat, price, par, held, cash, trains, hexes, left))
    _end_turn(draft, system)


def exchanged(
    table: Table, facts: SystemFacts, system: CompanyId, merged: Merged
) -> Iterator[tuple[Owner, int]]:
    """Each certificate of the system with its owner, for one of twice its percent in the two.

    The certificates of the two treasuries go to the system's treasury (Merger 2).
    """
    for company in merged:
        share = table.share(company)
        for owner, certificates in table.at.shares[company].items():
            for percent in certificates:
                part = percent * facts.certificates[-1] // share
                yield (system if owner == company else owner), part


def top_cell(table: Table, merged: Merged) -> Cell:
    """The top-row space with the highest price not above the mean of two (Merger 5).

    If the mean is lower than all prices, it is the first space.
    """
    double = sum(table.price(company) for company in merged)
    row = table.title.chart.rows[0]
    fits = [column for column, space in enumerate(row) if 2 * space.price <= double]
    return 0, max(fits, key=lambda column: row[column].price, default=0)


def mean_par(table: Table, merged: Merged) -> int:
    """The highest starting value not above the mean of two (Merger 5)."""
    double = sum(table.at.pars[company] for company in merged)
    return max(par for par in table.title.chart.pars if 2 * par <= double)


def stations_kept(table: Table, merged: Merged) -> tuple[Place, ...]:
    """Places of the system's tokens: one wherever either corporation has a token (Merger 6).

    Two stay where one company may have two: its base and the token that doubles the place.
    """
    found: list[Place] = []
    for company in merged:
        before = {hex_ for hex_, _ in found}
        both = {hex_ for hex_ in before if _base_and_token(table, merged, hex_)}
        found += [place for place in table.stations_of(company) if place[0] not in before - both]
    return tuple(found)


def _base_and_token(table: Table, merged: Merged, hex_: Hex) -> bool:
    based = any(hex_ in table.homes(company) for company in merged)
    return based and any(has_token(table, company, hex_) for company in merged)


def tokens_of(table: Table, merged: Merged) -> int:
    """Tokens of the two corporations, on the map and on their charters (Merger 2)."""
    placed = sum(len(table.stations_of(company)) for company in merged)
    return placed + sum(table.at.charters[company] for company in merged)


def _inherit(draft: Draft, system: CompanyId, merged: Merged) -> None:
    """Take over money, trains (Merger 3), and their marks on the map."""
    for company in merged:
        draft.pay(company, system, draft.cash[company])
        for train in draft.trains.get(company, ()):
            draft.move_train(train, company, system)
    draft.set_marks(
        tuple(
            Mark(mark.kind, system, mark.private, mark.hex, mark.train)
            if mark.company in merged
            else mark
            for mark in draft.marks
        )
    )


def _end_turn(draft: Draft, system: CompanyId) -> None:
    """End the turn of the merged corporation; the system has no turn yet (Merger 7)."""
    pending: tuple[SoldBlock, ...] = ()
    while not isinstance(popped := draft.pop(), OperatingTurn):
        if isinstance(popped, Trains):
            pending = popped.pending
    below = draft.stack[-1]
    assert isinstance(below, OperatingRound)
    draft.replace(replace(below, done=(*below.done, system)))
    offer(draft, draft.presidents[system], pending)

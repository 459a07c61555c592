"""Connections: the first company to run between two places may place its token there.

The token is free and is the company's token of the round. The place counts double from this run on
(18MW Chicago-San Francisco Connection, New Orleans-Southwest Connection).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from engine.actions import Action, Decline, PlaceStation
from engine.events import ConnectionMade, PlaceDoubled, StationPlaced
from engine.options import Choice, Option
from engine.position.frames import Connected
from engine.position.values import BANK
from engine.runs.best.search import Best, best_run, better_than
from engine.runs.connections import (
    joins,
    made_by,
    note_station,
    possible,
    supposed,
    token_hexes,
)
from engine.runs.routes import revenue
from engine.steps.base import CompanyStep, not_its_turn
from engine.steps.judging.places import why_not_again, why_not_room

if TYPE_CHECKING:
    from engine.actions import TrainRun
    from engine.board.hexes import Hex
    from engine.position.draft import Draft
    from engine.position.table import Table
    from engine.position.values import CompanyId
    from engine.refusal import Refusal


class ConnectedStep(CompanyStep[Connected]):
    """The president places the token in one of the connected places, or declines."""

    frame = Connected
    deciding = "the run has made a connection; place a token there or decline"
    verbs = (PlaceStation, Decline)

    def candidates(self, table: Table, frame: Connected) -> Iterator[Option]:
        """The place of each connection, or none."""
        by = table.operator(frame.company)
        for hex_ in _tokens(table, frame.made):
            yield Choice(PlaceStation(by=by, company=frame.company, hex=hex_))
        yield Choice(Decline(by=by))

    def must(self, table: Table, frame: Connected) -> Refusal:
        """Refuse a silent pass: the token is free now and never again, so declining is explicit."""
        hexes = _tokens(table, frame.made)
        places = " or ".join(map(table.place, hexes))
        text = f"{frame.company} may place a token in {places} now, free of charge"
        key = f"connection {token_hexes(table)[hexes[0]].id}"
        ways = [*(f"`token {hex_}`" for hex_ in hexes), "`decline`"]
        hint = f"After `run`, {', '.join(ways[:-1])} or {ways[-1]}."
        return table.refuse(key, "order", text, hint)

    def why_not(self, table: Table, frame: Connected, action: Action) -> Refusal | None:
        """Require a newly connected place; the run must be the best with the token or without."""
        company = frame.company
        if isinstance(action, Decline):
            if not better_than(table, company, revenue(table, company, frame.runs)):
                return None
            text = f"The run of {company} is the best only with its token in the place it connected"
            return table.refuse("best run", "run", text, self.must(table, frame).hint)
        assert isinstance(action, PlaceStation)
        if refusal := not_its_turn(table, frame, action.company):
            return refusal
        if action.power or action.stop or action.hex not in _tokens(table, frame.made):
            return self.must(table, frame)
        if refusal := why_not_token(table, company, action.hex):
            return refusal
        if _earns_less(table, company, frame.runs, frame.made, action.hex):
            text = f"With a token in {table.place(action.hex)} another run would earn more"
            return table.refuse("best run", "run", text, "`decline`: it need not be placed there.")
        return None

    def play(self, draft: Draft, frame: Connected, action: Action) -> None:
        """Place the token; the place counts double now, so the run earns more."""
        company = frame.company
        if isinstance(action, Decline):
            draft.pop()
            return
        assert isinstance(action, PlaceStation)
        note_station(draft, company, action.hex)
        draft.put_station(company, action.hex, action.stop)
        draft.note_station(company)
        draft.record(StationPlaced(company, action.hex, 0))
        earned = revenue(draft.table, company, frame.runs)
        draft.set_earned(company, earned)
        draft.record(PlaceDoubled(company, action.hex, earned))
        draft.pop()


def connect(draft: Draft, company: CompanyId, runs: tuple[TrainRun, ...]) -> None:
    """Pay the treasury for connections that the runs make first; ask about the token."""
    made = made_by(draft.table, company, runs)
    for facts in made:
        draft.connect(facts.id, company)
        draft.record(ConnectionMade(company, facts.id, facts.treasury))
        draft.pay(BANK, company, facts.treasury)
    if any(why_not_token(draft.table, company, facts.token) is None for facts in made):
        draft.push(Connected(company, runs, tuple(facts.id for facts in made)))


def why_not_token(table: Table, company: CompanyId, hex_: Hex) -> Refusal | None:
    """Refuse the token of a new connection: it counts as the token of the round (18MW R39)."""
    if not table.at.charters[company]:
        return table.refuse("station", "supply", f"{company} has no token left")
    if table.has_stationed(company):
        text = f"{company} has placed or bought its token of this round"
        return table.refuse("station", "limit", text)
    return why_not_again(table, company, hex_) or why_not_room(table, company, hex_, 0)


def best_by_token(table: Table, company: CompanyId, runs: Sequence[TrainRun]) -> bool:
    """Whether the runs make a connection, and no run surely earns more with its token placed."""
    made = tuple(facts.id for facts in made_by(table, company, runs))
    after = supposed(table, company, made)
    return any(
        why_not_token(after, company, hex_) is None
        and not _earns_less(table, company, runs, made, hex_)
        for hex_ in _tokens(table, made)
    )


def best_with_tokens(table: Table, company: CompanyId) -> Iterator[Best]:
    """For each possible connection whose token could be placed: the best run with the token."""
    for facts in table.title.facts.connections:
        if facts.id in table.at.connected or not possible(table, company, facts):
            continue
        if why_not_token(supposed(table, company, (facts.id,)), company, facts.token) is None:
            best = best_run(supposed(table, company, (facts.id,), facts.token), company)
            if any(joins(facts, run) for run in best.runs):
                yield best


def _tokens(table: Table, made: Sequence[str]) -> list[Hex]:
    return [facts.token for facts in table.title.facts.connections if facts.id in made]


def _earns_less(
    table: Table, company: CompanyId, runs: Sequence[TrainRun], made: Sequence[str], hex_: Hex
) -> bool:
    """Whether other runs are known to earn more with the token in a place."""
    after = supposed(table, company, made, hex_)
    return better_than(after, company, revenue(after, company, runs)) is True

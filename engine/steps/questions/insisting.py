"""Insisting on best runs, which players may do at any time (4.2.3.1)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, Insist
from engine.events import Insisted
from engine.options import Option
from engine.position.draft import Draft
from engine.position.table import Table
from engine.refusal import Refusal
from engine.steps.base import Acts


class Insistence(Acts):
    """A player insists on best runs, or lets presidents run as they like."""

    verbs = (Insist,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """None, because insisting is never part of the decision to be made."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Insist) -> Refusal | None:  # noqa: ANN401
        """Refuse what changes nothing, and titles in which companies must run for the most."""
        if table.title.facts.operating.best_run == "always":
            text = f"Companies always run for the most they can in {table.title.name}"
            return table.refuse("best run", "settled", text)
        if action.on == (action.by in table.at.insist):
            state = "insists" if action.on else "does not insist"
            return table.refuse("best run", "settled", f"{action.by} {state} on best runs already")
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Record it, in seating order."""
        assert isinstance(action, Insist)
        wanted = {*draft.insist, action.by} if action.on else {*draft.insist} - {action.by}
        draft.insist_on_best_runs(tuple(seat for seat in draft.seats if seat in wanted))
        draft.record(Insisted(action.by, action.on))

"""What a player may settle at any time: insisting on best runs (4.2.3.1)."""

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
    """A player insists, or lets presidents run as they like."""

    verbs = (Insist,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Never a part of what is to be decided."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Insist) -> Refusal | None:  # noqa: ANN401
        """Only a change is one, and only where companies may run for less."""
        if table.title.facts.operating.best_run == "always":
            text = f"Companies always run for the most they can in {table.title.name}"
            return table.refuse("best run", "settled", text)
        if action.on == (action.by in table.at.insist):
            state = "insists" if action.on else "does not insist"
            return table.refuse("best run", "settled", f"{action.by} {state} on best runs already")
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Write it down, in seating order."""
        assert isinstance(action, Insist)
        wanted = {*draft.insist, action.by} if action.on else {*draft.insist} - {action.by}
        draft.insist_on_best_runs(tuple(seat for seat in draft.seats if seat in wanted))
        draft.record(Insisted(action.by, action.on))

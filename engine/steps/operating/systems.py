"""A merger into a system, in the train step of a corporation that needs one (18MW Merger)."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, MergeInto
from engine.options import Choice, Option
from engine.play.systems import form_system
from engine.position.draft import Draft
from engine.position.table import Table
from engine.refusal import Refusal
from engine.steps.base import Acts, not_its_turn
from engine.steps.judging.mergers import mergers, why_not_merge


class Mergers(Acts):
    """The president of a corporation without a train may merge it with another."""

    verbs = (MergeInto,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Every other company of the president, into every charter that is left."""
        yield from map(Choice, mergers(table, frame.company))

    def why_not(self, table: Table, frame: Any, action: MergeInto) -> Refusal | None:  # noqa: ANN401
        """Require the company whose turn it is, and a legal merger."""
        refusal = not_its_turn(table, frame, action.company) or why_not_merge(table, action)
        if refusal:
            return refusal
        for block in frame.pending:
            if block.company in (action.company, action.partner):
                text = f"{action.by} has sold shares of {block.company}, and its price has to fall"
                hint = "Sell on until there is enough for a train; then it has fallen."
                return table.refuse("merger", "order", f"{text} before it merges", hint)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Merge, and end the turn."""
        assert isinstance(action, MergeInto)
        form_system(draft, action.system, (action.company, action.partner))

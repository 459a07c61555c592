"""Who has proposed something takes it back, while nobody has answered; it is not their turn."""

from collections.abc import Iterator
from typing import Any

from engine.actions import Action, Withdraw
from engine.events import Withdrawn
from engine.options import Option
from engine.position.draft import Draft
from engine.position.frames import Question
from engine.position.table import Table
from engine.refusal import Refusal
from engine.steps.base import Acts

NO_OFFER = "No offer waits for an answer"
NOT_THEIRS = "It is {proposer} who has proposed this, not {player}"


class Withdrawal(Acts):
    """The proposal lapses, and the turn that it interrupted goes on."""

    verbs = (Withdraw,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """Never a part of what is to be decided."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Withdraw) -> Refusal | None:  # noqa: ANN401
        """Only what one has proposed oneself, as long as it waits for its answer."""
        if not isinstance(frame, Question):
            return table.refuse("turn order", "order", NO_OFFER)
        if frame.by != action.by:
            text = NOT_THEIRS.format(proposer=frame.by, player=action.by)
            hint = "`decline` turns it down." if frame.asked == action.by else ""
            return table.refuse("turn order", "turn", text, hint)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Nothing else changes."""
        assert isinstance(frame, Question)
        draft.pop()
        draft.record(Withdrawn(frame.by, frame.proposal))

"""Withdrawing one's own offer before anybody has answered, outside one's turn."""

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
    """The offer lapses, and the turn that it interrupted goes on."""

    verbs = (Withdraw,)

    def candidates(self, table: Table, frame: Any) -> Iterator[Option]:  # noqa: ANN401
        """None, because withdrawing is never part of the decision to be made."""
        yield from ()

    def why_not(self, table: Table, frame: Any, action: Withdraw) -> Refusal | None:  # noqa: ANN401
        """Refuse to withdraw an offer of another player, or one that no longer waits."""
        if not isinstance(frame, Question):
            return table.refuse("turn order", "order", NO_OFFER)
        if frame.by != action.by:
            text = NOT_THEIRS.format(proposer=frame.by, player=action.by)
            hint = "`decline` turns it down." if frame.asked == action.by else ""
            return table.refuse("turn order", "turn", text, hint)
        return None

    def play(self, draft: Draft, frame: Any, action: Action) -> None:  # noqa: ANN401
        """Remove the offer; nothing else changes."""
        assert isinstance(frame, Question)
        draft.pop()
        draft.record(Withdrawn(frame.by, frame.proposal))

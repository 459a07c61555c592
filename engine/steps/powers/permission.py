"""Permission of private companies' owners: to use a power, or to lay tiles on their hexes.

This module knows who must be asked, not what is done with the permission (18GL 4.3).
"""

from typing import Any

from engine.actions import Lent
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import PrivateId, Seat
from engine.proposals import BarredLay, PowerUse
from engine.steps.base import Acts
from engine.steps.questions.asking import ask


class WithLeave(Acts):
    """Rules of an action that may need permission from a private company's owner."""

    def play(self, draft: Draft, frame: Any, action: Any) -> None:  # noqa: ANN401
        """Ask for permission if the action needs it; otherwise carry it out."""
        if not ask_leave(draft, action):
            self.carry_out(draft, action)

    def carry_out(self, draft: Draft, action: Any) -> None:  # noqa: ANN401
        """Carry the action out in the frame it was proposed in; all owners have agreed."""
        raise NotImplementedError


def to_ask(table: Table, action: Lent) -> dict[Seat, PrivateId]:
    """Players whose permission an action needs, each with the private company it is about.

    Presidents need no permission from themselves. One answer of a player covers all they own.
    """
    if table.title.facts.operating.powers != "player":
        return {}
    barred = (p for lay in action.lays for p in table.title.barred.get(lay.hex, ()))
    found: dict[Seat, PrivateId] = {}
    for private in (action.uses, *barred):
        owner = table.at.privates.get(private, "")
        if table.is_player(owner) and owner != action.by:
            found.setdefault(owner, private)
    return found


def ask_leave(draft: Draft, action: Lent, given: Seat = "") -> bool:
    """Ask the next player, after ``given``, for permission; False if no more are needed."""
    asked = list(to_ask(draft.table, action).items())
    rest = [i + 1 for i, (owner, _) in enumerate(asked) if owner == given]
    for owner, private in asked[rest[0] if rest else 0 :]:
        sort = PowerUse if private == action.uses else BarredLay
        ask(draft, owner, action.by, sort(private, action.company, action))
        return True
    return False

"""Leave that owners of private companies give: to use a power, or to lay on hexes of theirs.

Knows who has to be asked, not what is done with their leave (18GL 4.3).
"""

from typing import Any

from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import PrivateId, Seat
from engine.proposals import BarredLay, Lent, PowerUse
from engine.steps.base import Acts
from engine.steps.questions.asking import ask


class WithLeave(Acts):
    """Rules of an action that may need the leave of a private company's owner."""

    def play(self, draft: Draft, frame: Any, action: Any) -> None:  # noqa: ANN401
        """Ask for leave where it is needed; else carry it out."""
        if not ask_leave(draft, action):
            self.carry_out(draft, action)

    def carry_out(self, draft: Draft, action: Any) -> None:  # noqa: ANN401
        """Do it in the frame it was proposed in: all have given leave whose leave it needs."""
        raise NotImplementedError


def to_ask(table: Table, action: Lent) -> dict[Seat, PrivateId]:
    """Players whose leave an action needs, each with the private that it is about.

    Presidents need no leave of their own, and one answer of a player covers all they own.
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
    """Ask the next player whose leave is needed, after ``given``; False if no more are needed."""
    asked = list(to_ask(draft.table, action).items())
    rest = [i + 1 for i, (owner, _) in enumerate(asked) if owner == given]
    for owner, private in asked[rest[0] if rest else 0 :]:
        sort = PowerUse if private == action.uses else BarredLay
        ask(draft, owner, action.by, sort(private, action.company, action))
        return True
    return False

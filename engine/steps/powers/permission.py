"""Leave that owners of private companies give: to use a power, or to lay on hexes of theirs.

Knows who has to be asked, not what is done with their leave (18GL 4.3).
"""

from engine.actions import ActivateFerry, LayTile
from engine.board.hexes import Hex
from engine.position.draft import Draft
from engine.position.table import Table
from engine.position.values import PrivateId, Seat
from engine.proposals import BarredLay, Lent, PowerUse
from engine.steps.questions.asking import ask


def power_of(action: Lent) -> PrivateId:
    """The private whose power an action uses, "" for none."""
    return action.power if isinstance(action, LayTile) else action.private


def hexes_of(action: Lent) -> tuple[Hex, ...]:
    """The hexes on which an action lays a tile of its president's choice."""
    if isinstance(action, LayTile):
        return (action.hex,)
    return tuple(lay.hex for lay in action.tiles) if isinstance(action, ActivateFerry) else ()


def to_ask(table: Table, action: Lent) -> dict[Seat, PrivateId]:
    """Players whose leave an action needs, each with the private that it is about.

    Presidents need no leave of their own, and one answer of a player covers all they own.
    """
    if table.title.facts.operating.powers != "player":
        return {}
    barred = (private for hex_ in hexes_of(action) for private in table.title.barred.get(hex_, ()))
    found: dict[Seat, PrivateId] = {}
    for private in (power_of(action), *barred):
        owner = table.at.privates.get(private, "")
        if table.is_player(owner) and owner != action.by:
            found.setdefault(owner, private)
    return found


def ask_leave(draft: Draft, action: Lent, given: Seat = "") -> bool:
    """Ask the next player whose leave is needed, after ``given``; False if no more are needed."""
    asked = list(to_ask(draft.table, action).items())
    rest = [i + 1 for i, (owner, _) in enumerate(asked) if owner == given]
    for owner, private in asked[rest[0] if rest else 0 :]:
        sort = PowerUse if private == power_of(action) else BarredLay
        ask(draft, owner, action.by, sort(private, action.company, action))
        return True
    return False

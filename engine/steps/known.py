"""Check that the names in an action exist in the game; knows no step and no position.

The steps rely on this check: they look up names without testing them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from engine.position.values import BANK, MARKET, OFFERING
from engine.wording import excerpt

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.position.table import Table
    from engine.refusal import Refusal

#: fields that name the two sides of a sale, where an action has both
_PARTIES = ("seller", "buyer")
#: sides of a hex, and rotations of a tile
_SIDES = 6


def why_not_known(table: Table, action: Action) -> Refusal | None:
    """Refuse an action with an unknown company, private company, owner or rotation."""
    title = table.title
    for field in _names(type(action)):
        name = getattr(action, field)
        if field == "company":
            if name not in title.companies:
                return _none(table, "companies", "company", name, title.companies)
        elif field in _PARTIES:
            if name not in {*table.at.seats, *title.companies, BANK, MARKET, OFFERING}:
                text = f"“{excerpt(name)}” is neither a player nor a company"
                return table.refuse("private companies", "name", text)
        elif name not in title.privates and (name or field != "power"):
            return _none(table, "private companies", "private company", name, title.privates)
    for lay in action.lays:
        if lay.rotation not in range(_SIDES):
            text = f"A tile lies in one of {_SIDES} rotations, not in {lay.rotation}"
            return table.refuse("exits of tiles", "name", text, f"They are 0 to {_SIDES - 1}.")
    return None


@cache
def _names(verb: type[Action]) -> tuple[str, ...]:
    """The fields of a verb's actions that `why_not_known` checks, in the order of the refusals."""
    own = verb.__struct_fields__
    parties = _PARTIES if set(_PARTIES) <= set(own) else ()
    return (*(field for field in ("company", "private", "power") if field in own), *parties)


def _none(table: Table, key: str, what: str, name: str, known: Iterable[str]) -> Refusal:
    text = f"There is no {what} “{excerpt(name)}”"
    return table.refuse(key, "name", text, f"There are {', '.join(known)}.")

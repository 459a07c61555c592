"""Writes actions as canonical commands that read back as themselves in the same position."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, get_args

from engine.actions import Action, BuyBack, CompanyAction
from engine.notation.position import in_stock_turn, turn_company
from engine.position.table import Table

if TYPE_CHECKING:
    from engine.facts.title import Title
    from engine.position.values import State


def write(title: Title, state: State, action: Action) -> str:
    """The canonical command for an action: ``parse`` reads it back in this position."""
    table = Table(title, state)
    return _heading(table, action) + written(action, table)


def _heading(table: Table, action: Action) -> str:
    """ "L&N: " if the position does not make the company clear."""
    if not isinstance(action, CompanyAction) or action.company == turn_company(table.at):
        return ""
    named = isinstance(action, BuyBack) and in_stock_turn(table)
    return "" if named else f"{action.company}: "


@singledispatch
def written(action: Action, table: Table) -> str:
    """The command without the company whose turn it is.

    The module that reads a kind of action also registers its writer here.
    """
    raise TypeError(f"no notation for {action!r}")


def complete() -> None:
    """Raise TypeError with the names of actions that cannot be written."""
    fallback = written.dispatch(object)
    mute = [kind.__name__ for kind in get_args(Action) if written.dispatch(kind) is fallback]
    if mute:
        raise TypeError(f"actions without notation: {', '.join(mute)}")

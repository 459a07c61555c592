"""Finds the actions that count in the log of an exported game; knows no rules and no title."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from service.exchange.dialect import NeighbourError

#: an action as in the file
Raw = Mapping[str, Any]

#: types that change nothing on the board
SILENT = ("message", "log")
#: types that turn a player's automatic action on or off
PROGRAM = "program_"


class Deed(Struct, frozen=True, gc=False):
    """One step of play: an action itself, or an automatic action that the system did with it."""

    #: the id of the action that contains it
    id: int
    type: str
    raw: Raw


class CountedAction(Struct, frozen=True, gc=False):
    """An action that counts, and its deeds in order; messages have none."""

    id: int
    type: str
    deeds: tuple[Deed, ...]


def standing(actions: Iterable[Raw]) -> list[Raw]:
    """The actions that remain after all undos and redos, in order.

    An undo takes back the last action that is not a message. With an ``action_id``, it takes back
    all actions after that one (0: all). A redo restores the actions of the last undo at their old
    place, before later messages, unless somebody has played since.
    """
    every = list(actions)
    kept: list[int] = []
    undone: list[list[int]] = []
    for place, action in enumerate(every):
        kind = action["type"]
        if kind == "undo":
            undone.append(_undo(every, kept, action.get("action_id")))
        elif kind == "redo":
            if undone:
                kept = sorted((*kept, *undone.pop()))
        else:
            if kind != "message":
                undone.clear()
            kept.append(place)
    return [every[place] for place in kept]


def _undo(every: Sequence[Raw], kept: list[int], back_to: int | None) -> list[int]:
    """Remove the places of actions from the end; messages stay."""
    if back_to is None:
        last = next((i for i in range(len(kept) - 1, -1, -1) if _counts(every[kept[i]])), None)
        start = len(kept) if last is None else last
    else:
        before = (i for i in range(len(kept) - 1, -1, -1) if every[kept[i]]["id"] <= back_to)
        start = next(before, -1) + 1
    tail = kept[start:]
    kept[start:] = [place for place in tail if not _counts(every[place])]
    return [place for place in tail if _counts(every[place])]


def _counts(action: Raw) -> bool:
    return bool(action["type"] != "message")


def lines(actions: Iterable[Raw]) -> list[CountedAction]:
    """The actions of a game's log that count, with the automatic actions that each one set off.

    Raises NeighbourError at the first entry that is not an action.
    """
    every = list(actions)
    for place, action in enumerate(every, 1):
        _check(place, action)
    return [_line(action) for action in standing(every)]


def _check(place: int, action: Any) -> None:  # noqa: ANN401 - whatever the file has
    """Raise NeighbourError if the entry at a place of the log (from 1) is not an action."""
    if not isinstance(action, dict) or type(action.get("id")) is not int:
        raise NeighbourError(None, f"entry {place} of its actions is none, or has no id")
    number, auto = action["id"], action.get("auto_actions")
    if auto is not None and not isinstance(auto, list):
        raise NeighbourError(number, "its automatic actions are no list")
    for raw in (action, *auto) if auto else (action,):
        if not isinstance(raw, dict) or not isinstance(raw.get("type"), str):
            raise NeighbourError(number, "it has no type")
    back_to = action.get("action_id")
    if back_to is not None and type(back_to) is not int:
        raise NeighbourError(number, f"{back_to} is not a number of an action")


def _line(action: Raw) -> CountedAction:
    number, automatic = action["id"], action.get("auto_actions")
    every = (action, *automatic) if automatic else (action,)
    done = [Deed(number, kind, raw) for raw in every if _is_done(kind := raw["type"])]
    return CountedAction(number, action["type"], tuple(done))


def _is_done(type_: str) -> bool:
    return type_ not in SILENT and not type_.startswith(PROGRAM)

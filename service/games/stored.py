"""The engine's values as the store keeps them: the one place that writes and reads their bytes.

Every row says by the engine's count of formats how it was written, so that a later engine can
still read it.
"""

import dataclasses
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import engine
from engine import FORMAT as FORMAT
from engine import Action, Correction, Event, State, Title
from service.games.playing import Played
from service.store import ActionRow, GameRow, NewAction

Value = TypeVar("Value")


def _reader(decode: Callable[..., Value]) -> Callable[[bytes, int], Value]:
    """A decoder that is told the format, where it knows of formats."""
    if "format" in inspect.signature(decode).parameters:
        return lambda data, number: decode(data, format=number)
    return lambda data, _: decode(data)


_state = _reader(engine.decode_state)
_action = _reader(engine.decode_action)
_events = _reader(engine.decode_events)
_title = _reader(engine.decode_title)


def title(row: GameRow) -> Title:
    """A game's title with the facts it began with."""
    return _title(row.title_data, row.format)


def state(row: ActionRow) -> State:
    """The position after a step. Raises LookupError where it is no longer kept."""
    if row.snapshot is None:
        raise LookupError(f"position #{row.number} is no longer kept")
    return _state(row.snapshot, row.format)


def action(row: ActionRow) -> Action | Correction:
    """What was done in a step; the opening position has no action."""
    return _action(row.action, row.format)


def events(row: ActionRow) -> tuple[Event, ...]:
    """What a step led to."""
    return _events(row.events, row.format)


def opening_step(title: Title, state: State, events: tuple[Event, ...]) -> NewAction:
    """The first row of a game, whose occasion is filled in when it is stored."""
    return NewAction(
        parent=None,
        number=0,
        seat="",
        text="",
        action=b"",
        events=engine.encode(events),
        rules=title.facts.edition,
        digest=engine.digest(state),
        snapshot=engine.encode(state),
        occasion_id=0,
        line=0,
        format=FORMAT,
    )


def step(title: Title, played: Played, line: int) -> NewAction:
    """The row of an action; parent and occasion are filled in when it is stored."""
    return replace(
        opening_step(title, played.state, played.events),
        number=played.number,
        seat=played.seat,
        text=played.text,
        action=engine.encode(played.action) if played.action is not None else b"",
        line=line,
    )


def unsaved(game: int, title: Title, state: State) -> ActionRow:
    """A position that is not stored yet, as a row without an id."""
    step = dataclasses.asdict(opening_step(title, state, ()))
    return ActionRow(id=0, game_id=game, at=0, **{**step, "number": state.number})

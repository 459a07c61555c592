"""A Waybill game as a file of its own: every step, even undone ones, so that all can be replayed.

It also stores steps that 18xx.games cannot express, such as a director's corrections. Knows no
files, no database and no command line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

import engine
from engine import Correction, Illegal, State, Title, UnknownFormat
from engine.invariants import Broken, check_state
from engine.play.ending import worth
from engine.position import codec
from engine.position.table import Table
from service.exchange.dialect import NeighbourError
from service.exchange.files import from_json
from service.exchange.verify import Difference, ReplayOutcome
from service.store import ActionRow

#: version of the file's own format; the values in it have the engine's format
EDITION = 1
#: stands for an action
_NONE = Raw(b"null")
#: reasons for which a game may have ended without an action
_STOPPED = ("agreement", "director")


class RecordedStep(Struct, frozen=True, omit_defaults=True):
    """A step: its player, its action, and the digest of the position after it.

    ``parent`` is the number of the position before it. ``action`` is null if the game was stopped.
    ``struck``: the step was undone.
    """

    number: int
    parent: int
    seat: str
    text: str
    digest: str
    at: int
    format: int
    action: Raw = _NONE
    struck: bool = False


class Record(Struct, frozen=True):
    """A whole game; ``opening`` is its first position."""

    waybill: int
    game: str
    title: Raw
    title_format: int
    opening: Raw
    opening_format: int
    steps: tuple[RecordedStep, ...]


def record(
    game: str, title: tuple[bytes, int], rows: Sequence[ActionRow], line: Sequence[ActionRow]
) -> bytes:
    """A game as JSON: all steps by number; ``line`` has the valid ones.

    ``title`` is its data with their format.
    """
    first, *rest = sorted(rows, key=lambda row: row.number)
    if first.snapshot is None:
        raise ValueError("its first position is no longer kept")
    numbers = {row.id: row.number for row in rows}
    stands = {row.id for row in line}
    steps = tuple(
        RecordedStep(
            row.number,
            numbers[row.parent] if row.parent is not None else first.number,
            row.seat,
            row.text,
            row.digest,
            row.at,
            row.format,
            Raw(row.action) if row.action else _NONE,
            row.id not in stands,
        )
        for row in rest
    )
    opening = Raw(first.snapshot)
    made = Record(EDITION, game, Raw(title[0]), title[1], opening, first.format, steps)
    return msgspec.json.encode(made)


def is_record(exported: Any) -> bool:  # noqa: ANN401 - whatever a file holds
    """Whether a file that was read is one of these records."""
    return isinstance(exported, dict) and "waybill" in exported


def read(data: bytes) -> Record:
    """The game in a file. Raises NeighbourError if it is not a record."""
    from_json(data, "the file")
    try:
        found = msgspec.json.decode(data, type=Record)
    except msgspec.MsgspecError as error:
        raise NeighbourError(None, f"this is not a game of Waybill ({error})") from error
    if found.waybill != EDITION:
        raise NeighbourError(None, f"the file is of edition {found.waybill}, not {EDITION}")
    return found


def verify(kept: Record, progress: Callable[[int, int], None] | None = None) -> ReplayOutcome:
    """Replay every step from the position before it; each must lead to the recorded position.

    Corrections are judged again, and all invariants must hold in every position.
    """
    try:
        title = engine.decode_title(bytes(kept.title), kept.title_format)
        first = codec.decode_state(bytes(kept.opening), kept.opening_format)
    except (msgspec.MsgspecError, UnknownFormat, ValueError) as error:
        raise NeighbourError(None, f"its beginning cannot be read ({error})") from error
    states, last = {first.number: first}, first
    for done, step in enumerate(kept.steps, 1):
        found = _again(title, states, step)
        if isinstance(found, Difference):
            return _verdict(title, kept, last, found)
        states[step.number] = found
        last = last if step.struck else found
        if progress:
            progress(done, len(kept.steps))
    return _verdict(title, kept, last, None)


def _again(title: Title, states: dict[int, State], step: RecordedStep) -> State | Difference:
    """The position after a step, or its difference from the recorded one."""
    before = states.get(step.parent)
    if before is None:
        return Difference(step.number, f"there is no position #{step.parent} for it to follow")
    numbered = replace(before, number=step.number - 1)
    try:
        after = _played(title, numbered, step)
        check_state(title, after)
    except Illegal as illegal:
        return Difference(step.number, f"`{step.text}` is refused: {illegal.refusal}")
    except Broken as broken:
        return Difference(step.number, f"after `{step.text}` something does not hold: {broken}")
    except msgspec.MsgspecError as error:
        return Difference(step.number, f"`{step.text}` cannot be read ({error})")
    if codec.digest(after) != step.digest:
        return Difference(step.number, f"`{step.text}` leads to another position")
    return after


def _played(title: Title, before: State, step: RecordedStep) -> State:
    if bytes(step.action) != bytes(_NONE):
        action = codec.decode_action(bytes(step.action), step.format)
        return engine.apply(title, before, action).state
    ends = (engine.agreed_end(title, before, cause).state for cause in _STOPPED)
    return next((end for end in ends if codec.digest(end) == step.digest), before)


def _verdict(title: Title, kept: Record, last: State, found: Difference | None) -> ReplayOutcome:
    table = Table(title, last)
    result = {seat: worth(table, seat) for seat in last.seats}
    variants = tuple(sorted(title.variants))
    return ReplayOutcome(found is None, title.name, variants, len(kept.steps), result, {}, found)


def corrections(kept: Record) -> int:
    """The number of steps by which a director corrected something."""
    every = (step for step in kept.steps if bytes(step.action) != bytes(_NONE))
    read_ = (codec.decode_action(bytes(step.action), step.format) for step in every)
    return sum(isinstance(action, Correction) for action in read_)

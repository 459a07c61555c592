"""Checks that a game from 18xx.games has the same result by our rules; knows no command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.actions import Action
from engine.facts.title import Title
from engine.play.ending import worth
from engine.position.table import Table
from engine.position.values import Seat, State
from engine.titles.registry import load_title
from service.exchange.course import ReplayedGame
from service.exchange.dialect import DIALECTS, Dialect, NeighbourError
from service.exchange.files import from_json
from service.exchange.history import CountedAction, lines
from service.exchange.kinds.kind import RefusedDeed
from service.exchange.trace import Scribe, TraceLine, difference, read_trace
from service.exchange.translator import Translator, seats_of


class Difference(Struct, frozen=True):
    """The first difference of the two systems: the action before it, the field, and both values."""

    #: None: before the first action, or in the result
    action: int | None
    #: the field of the trace, or the action that was refused
    what: str
    theirs: Any = None
    ours: Any = None

    def __str__(self) -> str:
        """One line for people to read."""
        where = "result" if self.action is None else f"action {self.action}"
        if self.theirs is None and self.ours is None:
            return f"{where}: {self.what}"
        return f"{where}: {self.what} is {self.ours} here and {self.theirs} there"


class ReplayOutcome(Struct, frozen=True):
    """The outcome of a replay; ``actions`` counts those that count, totals are in dollars."""

    agrees: bool
    title: str
    variants: tuple[str, ...]
    actions: int
    #: each player's worth in dollars at the end of the replay, by our rules
    result: dict[Seat, int]
    #: the same by 18xx.games; empty if the file has none
    expected: dict[Seat, int]
    first_difference: Difference | None = None

    def to_json(self) -> str:
        """The verdict as one JSON object."""
        return msgspec.json.encode(self).decode()


class ExportedGame:
    """An exported game that was read and is ready for a replay.

    Raises NeighbourError for a title, an optional rule or players that Waybill does not support.
    """

    def __init__(self, exported: dict[str, Any]) -> None:
        try:
            self.name = str(exported["title"])
            self.players = list(exported["players"])
            self.seats: tuple[Seat, ...] = tuple(p["name"] for p in self.players)
            self.lines: list[CountedAction] = lines(exported["actions"])
            settings = dict(exported.get("settings") or {})
            result = dict(exported.get("result") or {})
        except KeyError as error:
            what = f"this is not a game of 18xx.games: it has no {error}"
            raise NeighbourError(None, what) from error
        except (TypeError, ValueError, AttributeError) as error:
            raise NeighbourError(None, f"this is not a game of 18xx.games ({error})") from error
        if self.name not in DIALECTS:
            known = ", ".join(DIALECTS)
            raise NeighbourError(None, f"{self.name} games cannot be replayed, only {known}")
        self.dialect: Dialect = DIALECTS[self.name]
        self.variants = _variants(self.dialect, settings)
        self.title: Title = load_title(self.name, frozenset(self.variants))
        self.ended = str(exported.get("game_end_reason") or "")
        # 18xx.games archives finished games, and also others
        status = exported.get("status")
        self.finished = status == "finished" or (status == "archived" and bool(self.ended))
        seats = seats_of(self.players)
        self.expected = {seats.get(who, str(who)): result[who] for who in result}

    def course(self) -> ReplayedGame:
        """A new replay of the game."""
        deeds = [deed for line in self.lines for deed in line.deeds]
        to = Translator(self.title, self.dialect, self.players)
        try:
            return ReplayedGame(to, self.seats, deeds)
        except ValueError as error:
            raise NeighbourError(None, str(error)) from error


def _variants(dialect: Dialect, settings: dict[str, Any]) -> tuple[str, ...]:
    """The variants of our title that match the settings."""
    wanted = settings.get("optional_rules") or []
    names = [rule for rule in wanted if not isinstance(wanted, dict) or wanted[rule]]
    for rule in map(str, names):
        if rule not in dialect.optional_rules:
            raise NeighbourError(None, f"the optional rule {rule} is not known here")
    found = {dialect.optional_rules[rule] for rule in names} - {""}
    return (dialect.variant, *sorted(found))


def read_game(path: Path) -> ExportedGame:
    """The game in a file. Raises NeighbourError if Waybill cannot replay it."""
    try:
        exported = from_json(path.read_bytes(), path.name)
    except OSError as error:
        raise NeighbourError(None, f"{path.name} cannot be read ({error})") from error
    if not isinstance(exported, dict):
        raise NeighbourError(None, f"{path.name} holds no game")
    return ExportedGame(exported)


def replay(game: ExportedGame) -> tuple[State, list[Action]]:
    """The last position of a game, and all actions in our words.

    Raises NeighbourError at the first action that fails (Refused if a rule forbids it).
    """
    course = game.course()
    for index in range(len(course.deeds)):
        course.play(index)
    return course.state, course.actions


def verify(
    path: Path, trace: Path | None = None, progress: Callable[[int, int], None] | None = None
) -> ReplayOutcome:
    """Replay the game in a file, and compare each position with the trace, if there is one.

    ``progress`` is called with the number of actions done and of all. Raises NeighbourError for a
    file that cannot be understood. An action that our rules refuse is a difference in the verdict.
    """
    game = read_game(path)
    return compare(game, read_trace(trace, game.dialect) if trace else None, progress)


def compare(
    game: ExportedGame,
    trace: list[TraceLine] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ReplayOutcome:
    """The verdict on a game that was already read, see `verify`."""
    course = game.course()
    found = next(_differences(game, course, trace, progress), None)
    table = Table(course.title, course.state)
    result = {seat: worth(table, seat) for seat in game.seats}
    if found is None and game.finished:
        found = _wrong_end(game, course.state, result)
    return ReplayOutcome(
        agrees=found is None,
        title=game.name,
        variants=game.variants,
        actions=len(game.lines),
        result=result,
        expected=game.expected,
        first_difference=found,
    )


def _differences(
    game: ExportedGame,
    course: ReplayedGame,
    trace: list[TraceLine] | None,
    progress: Callable[[int, int], None] | None,
) -> Iterator[Difference]:
    """Play the game and give every difference on the way."""
    scribe = Scribe(game.title, game.dialect)
    expected = _by_action(trace or [])
    if trace:
        yield from _compare(scribe, course.state, expected.pop(None, None), None)
    index = 0
    for done, line in enumerate(game.lines, 1):
        for _ in line.deeds:
            try:
                remark = course.play(index)
            except RefusedDeed as refused:
                yield Difference(refused.action, refused.why)
                return
            if remark:
                yield Difference(line.id, remark)
            index += 1
        if trace:
            there = expected.pop(line.id, None)
            if there is None:
                yield Difference(line.id, "the trace has no such action")
            yield from _compare(scribe, course.state, there, line.id)
        if progress:
            progress(done, len(game.lines))
    for action in expected:
        yield Difference(action, "the trace has an action that does not count here")


def _by_action(trace: list[TraceLine]) -> dict[int | None, TraceLine]:
    return {line.action: line for line in trace}


def _compare(
    scribe: Scribe, state: State, there: TraceLine | None, action: int | None
) -> Iterator[Difference]:
    found = difference(there, scribe.line(state)) if there is not None else None
    if found:
        what, theirs, ours = found
        yield Difference(action, what, theirs, ours)


GOES_ON_HERE = "the game goes on here and is over there"
TOTAL = "the total of {seat}"


def _wrong_end(game: ExportedGame, state: State, result: dict[Seat, int]) -> Difference | None:
    """The difference at the end of a finished game, if any."""
    if state.stack:
        return Difference(None, GOES_ON_HERE)
    cause = state.ending.cause if state.ending else ""
    theirs = game.dialect.endings.get(game.ended)
    if theirs is not None and theirs != cause:
        return Difference(None, "the cause of the end", theirs, cause)
    for seat, dollars in game.expected.items():
        if result.get(seat) != dollars:
            return Difference(None, TOTAL.format(seat=seat), dollars, result.get(seat))
    return None

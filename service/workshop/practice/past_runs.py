"""The runs of companies in a game, each with the position before it, and better runs.

Reads exported games, scripts and the actions of Waybill's games; knows no command line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine import Action, Correction, Event, State, Title, apply, new_game
from engine.actions import Run, TrainRun
from engine.events import TrainsRan
from engine.position.table import Table
from engine.steps.operating.running import earned
from engine.track.ferries import ferry_users
from service.exchange.verify import ExportedGame, read_game
from service.reports import Scene
from service.reports.route_answers import Runs, best
from service.workshop.practice.script import read, run


@dataclass(frozen=True, slots=True)
class PastRun:
    """A company's run, and the position before it."""

    number: int
    before: State
    company: str
    runs: tuple[TrainRun, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """An action of a game: its number, the position after it, and the run made in it."""

    number: int
    after: State
    ran: PastRun | None = None


@dataclass(frozen=True, slots=True)
class PastGame:
    """A game with its moments in order, the opening first; computed one by one."""

    name: str
    title: Title
    moments: Iterator[Moment]


def of_file(path: Path) -> PastGame:
    """A game exported by 18xx.games or for it, or a script (FILE.game).

    Raises OSError, UnicodeDecodeError, ScriptError; NeighbourError here or from the moments.
    """
    if path.suffix == ".game":
        played = run(read(path.read_text(encoding="utf-8")))
        numbers = [outcome.state.number for outcome in played.outcomes]
        numbered = list(zip(numbers, played.actions, strict=True))
        return PastGame(path.stem, played.title, _played(played.title, played.states[0], numbered))
    game = read_game(path)
    return PastGame(path.stem, game.title, _replayed(game))


def of_actions(
    name: str,
    title: Title,
    seats: Sequence[str],
    actions: Sequence[tuple[int, Action | Correction]],
) -> PastGame:
    """A game of Waybill by its actions with their numbers."""
    return PastGame(name, title, _played(title, new_game(title, seats).state, actions))


def _played(
    title: Title, opening: State, actions: Sequence[tuple[int, Action | Correction]]
) -> Iterator[Moment]:
    yield Moment(opening.number, opening)
    state = opening
    for number, action in actions:
        outcome = apply(title, state, action)
        yield Moment(number, outcome.state, _ran(number, state, outcome.events))
        state = outcome.state


def _ran(number: int, before: State, events: Sequence[Event]) -> PastRun | None:
    """The run among some events: trains that nobody mentioned run with the dividend."""
    for event in events:
        if isinstance(event, TrainsRan):
            return PastRun(number, before, event.company, event.runs)
    return None


def _replayed(game: ExportedGame) -> Iterator[Moment]:
    """The moments of an exported game, by the numbers of their actions there."""
    course = game.course()
    yield Moment(0, course.state)
    index = 0
    for line in game.lines:
        ran = None
        for _ in line.deeds:
            before, done = course.state, len(course.actions)
            course.play(index)
            index += 1
            for action in course.actions[done:]:
                if isinstance(action, Run):
                    ran = PastRun(line.id, before, action.company, action.runs)
        yield Moment(line.id, course.state, ran)


def made(title: Title, ran: PastRun) -> Runs:
    """A recorded run with its earnings, which need not be the best."""
    total = earned(Table(title, ran.before), ran.company, ran.runs)
    return Runs(ran.company, ran.runs, total, False)


def best_instead(scene: Scene, ran: PastRun) -> Runs:
    """The best run in the position before a run, with at most as many paid ferries."""
    there = scene.later(ran.before)
    found = best(there, ran.company)
    fares = len(ferry_users(there.table, ran.company, ran.runs))
    dearer = (best(there, ran.company, number) for number in range(1, fares + 1))
    return max((found, *dearer), key=lambda runs: runs.total)

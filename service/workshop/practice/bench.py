"""Speed of the engine: replays recorded games with all its checks.

The games come with the program, or from a folder with games of another system.
"""

from __future__ import annotations

import cProfile
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from engine import Action, State, Title, replay
from service.workshop.practice.script import recorded_game, recorded_names

#: each game is played this many times; the fastest time counts
_ROUNDS = 3
#: games of another system are followed this many times, each game once a round: reading one takes
#: 0.03 s, so that three readings in a row may all have met other work of the machine
_READINGS = 15
#: the most functions of a profile that are printed
_HOTTEST = 12

#: called with the number of games done, and the number of all
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Recording:
    """A game to replay."""

    name: str
    title: Title
    start: State
    actions: tuple[Action, ...]
    #: reads the game again from the other system's file, and plays it at that system's pace
    follow: Callable[[], object] | None = None


def recordings(peer_games: Path | None = None) -> list[Recording]:
    """The games that come with the program, and those of a folder of another system."""
    found = []
    for name in recorded_names():
        played = recorded_game(name)
        found.append(Recording(name, played.title, played.states[0], tuple(played.actions)))
    return found + (peer_recordings(peer_games) if peer_games else [])


def peer_recordings(folder: Path) -> list[Recording]:
    """The games exported by another system in a folder, in name order.

    Games of unknown titles, and games that cannot be replayed, are left out.
    """
    from service.exchange.dialect import NeighbourError
    from service.exchange.verify import ExportedGame, read_game
    from service.exchange.verify import replay as replay_theirs

    def follow(path: Path) -> tuple[ExportedGame, tuple[Action, ...]]:
        game = read_game(path)
        return game, tuple(replay_theirs(game)[1])

    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            game, actions = follow(path)
        except NeighbourError:
            continue
        start = game.course().state
        found.append(Recording(path.stem, game.title, start, actions, partial(follow, path)))
    return found


def bench_engine(
    games: Sequence[Recording], progress: Progress | None = None, profile: bool = False
) -> dict[str, object]:
    """Replay games and report the actions per second.

    The result has ``games`` (for each its name as ``game``, actions, seconds, actions_per_second),
    the totals ``actions``, ``seconds`` and ``actions_per_second``, by title the actions a second as
    ``titles``, of which ``median`` is the median, and with ``profile`` the
    ``stages`` (part of the engine → share of the time) and the ``hottest`` functions. Each game is
    timed some times, and its fastest time counts; legality is judged for every action, as in play.
    Times are of the processor. Games of another system have ``followed`` too, the seconds to read
    one from its file and play it at that system's pace, and the result ``following``: of all those
    games ``games``, and the seconds ``replayed`` and ``followed``.
    """
    figures: list[dict[str, object]] = []
    actions, seconds = 0, 0.0
    replayed: list[float] = []
    of_title: dict[str, tuple[int, float]] = {}
    for number, game in enumerate(games):
        if progress:
            progress(number, len(games))
        took = min(_once(game) for _ in range(_ROUNDS))
        replayed.append(took)
        figures.append({"game": game.name, **_speed(len(game.actions), took)})
        actions, seconds = actions + len(game.actions), seconds + took
        before = of_title.get(game.title.name, (0, 0.0))
        of_title[game.title.name] = before[0] + len(game.actions), before[1] + took
    if progress:
        progress(len(games), len(games))
    rates = {name: _rate(*sums) for name, sums in of_title.items()}
    result: dict[str, object] = {
        "games": figures,
        **_speed(actions, seconds),
        "titles": rates,
        "median": round(median(rates.values())) if rates else 0,
    }
    if followed := _followed(games):
        for number, took in followed.items():
            figures[number]["followed"] = round(took, 4)
        result["following"] = {
            "games": len(followed),
            "replayed": round(sum(replayed[number] for number in followed), 4),
            "followed": round(sum(followed.values()), 4),
        }
    if profile:
        result |= _profile(games)
    return result


def _once(game: Recording) -> float:
    """The seconds of a game, with a new title so that no cache is filled."""
    title = Title(game.title.facts, game.title.rules, game.title.variants)
    return _timed(lambda: deque(replay(title, game.start, game.actions), maxlen=0))


def _followed(games: Sequence[Recording]) -> dict[int, float]:
    """By place in ``games``: the fastest seconds to read and follow a game of another system."""
    fastest: dict[int, float] = {}
    for _ in range(_READINGS):
        for number, game in enumerate(games):
            if game.follow:
                took = _timed(game.follow)
                fastest[number] = min(took, fastest.get(number, took))
    return fastest


def _timed(work: Callable[[], object]) -> float:
    """The CPU seconds of some work."""
    began = process_time()
    work()
    return process_time() - began


def _speed(actions: int, seconds: float) -> dict[str, object]:
    rate = _rate(actions, seconds)
    return {"actions": actions, "seconds": round(seconds, 4), "actions_per_second": rate}


def _rate(actions: int, seconds: float) -> int:
    return round(actions / seconds) if seconds else 0


def _profile(games: Sequence[Recording]) -> dict[str, object]:
    """The share of the time of each module of the engine, and of each function."""
    profiler = cProfile.Profile()
    profiler.enable()
    for game in games:
        _once(game)
    profiler.disable()
    # `pstats` would round to milliseconds, and a function of a short game takes less
    profiler.create_stats()
    times: Counter[tuple[str, str]] = Counter()
    for (file, _, name), (_, _, own, *_) in profiler.stats.items():
        times[file, name] += own
    total = sum(times.values()) or 1.0
    stages: dict[str, float] = {}
    for (file, _), own in times.items():
        stages[_stage(file)] = stages.get(_stage(file), 0) + own
    ranked = sorted(stages.items(), key=lambda item: -item[1])
    hottest = sorted(times.items(), key=lambda item: -item[1])[:_HOTTEST]
    return {
        "stages": {stage: round(time / total, 3) for stage, time in ranked if time * 200 > total},
        "hottest": {name: round(own / total, 3) for (_, name), own in hottest},
    }


def _stage(file: str) -> str:
    """The part of the engine that a file belongs to, as "steps/track", or another name."""
    parts = Path(file).with_suffix("").parts
    if "engine" in parts:
        return "/".join(parts[parts.index("engine") + 1 :])
    return "python"

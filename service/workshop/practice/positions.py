"""Positions of recorded games and games of bots, for measures of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from engine import Action, State, Title, load_title, replay, title_names
from service.workshop.practice.bench import Recording, recordings
from service.workshop.practice.selfplay import NAMES, UNCHECKED, play


class Position(NamedTuple):
    """A position of a game with a decision."""

    game: str
    title: Title
    state: State
    #: the action in the position
    action: Action


def games_of_bots(title: Title, games: int, seed: int = 1, at: int = 0) -> Iterator[Recording]:
    """Whole games of sensible bots, with all numbers of players in turn, from the number ``at``."""
    from service.workshop.practice.bots import bot_makers

    make = bot_makers()["sensible"]
    for number in range(games):
        names = NAMES[: title.seats[(at + number) % len(title.seats)]]
        bots = {name: make(1000 * (seed + number) + at) for at, name in enumerate(names)}
        game = play(title, seed + number, bots, UNCHECKED)
        yield Recording(f"{title.name} bots {seed + number}", title, game.start, (*game.actions,))


def all_games(
    games: int, peer_games: Path | None = None, titles: Sequence[str] = ()
) -> Iterator[Recording]:
    """Recorded games, those of a folder of another system, and ``games`` of bots per title.

    ``titles`` limits the titles, if it names any.
    """
    wanted = titles or title_names()
    yield from (game for game in recordings(peer_games) if game.title.name in wanted)
    for name in wanted:
        yield from games_of_bots(load_title(name), games)


def positions(game: Recording, wanted: Callable[[State, Action], bool]) -> Iterator[Position]:
    """The wanted positions of a game by the action in them, in order."""
    state = game.start
    for action, outcome in zip(game.actions, replay(game.title, state, game.actions), strict=True):
        if wanted(state, action):
            yield Position(game.name, game.title, state, action)
        state = outcome.state

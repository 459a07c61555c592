"""Whole games of bots: everything that must always hold does, whatever is played."""

import pytest

from engine import digest, load_title, new_game, replay
from engine.notation import parse, write
from service.practice.bots import RandomBot
from service.practice.selfplay import NAMES, Checks, play
from service.practice.selfplay import selfplay as games_of_bots

#: every step with the codec, many positions with their options and refusals
CLOSE = Checks(steps=1, codec=1, options=10, refusals=10, most=20)
VARIANTS = [
    ("18AL", ()),
    ("18AL", ("two-yellow", "decatur-home")),
    ("18AL", ("endless-4d", "tie-break")),
    ("18AL", ("no-last-run",)),
    ("18AL", ("18xx.games",)),
    ("18GA", ()),
    ("18GA", ("two-yellow", "columbus-home", "cog-one-less")),
    ("18GA", ("free-macon", "price-end-210", "endless-8")),
    ("18GA", ("18xx.games",)),
    ("18TN", ()),
    ("18TN", ("three-yellow", "early-privates", "salvage", "tie-break")),
    ("18TN", ("18xx.games",)),
    ("18GL", ()),
    ("18GL", ("with-terminal",)),
]


def random_game(title, seed, checks):
    names = NAMES[: title.seats[seed % len(title.seats)]]
    bots = {name: RandomBot(100 * seed + place) for place, name in enumerate(names)}
    return play(title, names, seed, bots, checks)


@pytest.mark.parametrize(("seed", "rules"), list(enumerate(VARIANTS)))
def test_a_random_game_ends_and_everything_holds(seed, rules):
    name, variants = rules
    game = random_game(load_title(name, frozenset(variants)), seed, CLOSE)
    assert game.broken == ""
    assert game.clean


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        *(("18AL", seed) for seed in (31, 32, 33)),
        ("18GA", 34),
        ("18GA", 35),
        ("18TN", 36),
        ("18TN", 37),
        ("18GL", 38),
    ],
)
def test_every_action_is_read_back_as_it_is_written_and_the_game_replays(name, seed):
    title = load_title(name)
    game = random_game(title, seed, Checks(0, 0, 0, 0))
    for state, action in zip(game.states, game.actions, strict=False):
        assert parse(title, state, action.by, write(title, state, action)) == action
    start = new_game(title, game.players, seed).state
    assert start == game.start
    outcomes = list(replay(title, start, game.actions))
    assert [digest(o.state) for o in outcomes] == [digest(s) for s in game.states[1:]]


@pytest.mark.parametrize(
    ("name", "players", "seed"),
    [("18AL", 3, 77), ("18GA", 3, 77), ("18TN", 3, 77), ("18GL", 5, 86)],
)
def test_games_of_sensible_bots_are_clean(name, players, seed):
    summary = games_of_bots(load_title(name), 1, players, seed, "sensible")
    assert summary.clean
    assert summary.powers

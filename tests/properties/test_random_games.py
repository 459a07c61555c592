"""Whole games of bots: everything that must always hold does, whatever is played.

What some games show and others do not is no business of these; for that there are recorded games.
"""

from zlib import crc32

import pytest

from engine import digest, load_title, new_game, replay, title_names
from engine.notation import parse, write
from service.workshop.practice.bots import bot_makers
from service.workshop.practice.occurrences import privates_used
from service.workshop.practice.selfplay import NAMES, SAMPLED, Checks, play
from tests import games

#: every step with the codec, many positions with their options and refusals
CLOSE = Checks(steps=1, codec=1, options=10, refusals=10, most=20)
VARIANTS = [
    ("18AL", ("two-yellow", "decatur-home")),
    ("18AL", ("endless-4d", "tie-break")),
    ("18AL", ("no-last-run",)),
    ("18AL", ("18xx.games",)),
    ("18GA", ("two-yellow", "columbus-home", "cog-one-less")),
    ("18GA", ("free-macon", "price-end-210", "endless-8")),
    ("18GA", ("18xx.games",)),
    ("18GA", ("cotton-port",)),
    ("18TN", ("three-yellow", "early-privates", "salvage", "tie-break")),
    ("18TN", ("18xx.games",)),
    ("18GL", ("with-terminal",)),
]
RECORDED = [*(name.lower() for name in title_names()), *games.names()]


def game_of_bots(bot, name, variants=(), checks=CLOSE, again=0):
    """A game whose seed comes from its rules, so that more rows here change no other's game."""
    title = load_title(name, frozenset(variants))
    seed = crc32(" ".join((bot, name, *variants)).encode()) % 10_000 + again
    names = NAMES[: title.seats[seed % len(title.seats)]]
    bots = {seat: bot_makers()[bot](100 * seed + place) for place, seat in enumerate(names)}
    return play(title, seed, bots, checks)


def held(game):
    """Whether a game was played to its end and everything held, all replays alike."""
    assert game.broken == "", f"seed {game.seed}"
    assert game.clean
    start = new_game(game.title, game.players, game.seed).state
    assert start == game.start
    outcomes = list(replay(game.title, start, game.actions))
    assert [digest(o.state) for o in outcomes] == [digest(s) for s in game.states[1:]]
    read_back(game)
    return True


def read_back(game):
    """Every action is read as it is written."""
    for state, action in zip(game.states, game.actions, strict=False):
        assert parse(game.title, state, action.by, write(game.title, state, action)) == action


TITLES = [pytest.param(name, marks=[pytest.mark.long] * (name != "18AL")) for name in title_names()]


@pytest.mark.parametrize("name", TITLES)
def test_a_random_game_ends_and_everything_holds(name):
    assert held(game_of_bots("random", name))


@pytest.mark.long
@pytest.mark.parametrize(("name", "variants"), VARIANTS)
def test_a_random_game_with_optional_rules_ends_and_everything_holds(name, variants):
    assert held(game_of_bots("random", name, variants))


@pytest.mark.long
@pytest.mark.parametrize("name", title_names())
@pytest.mark.parametrize("again", [1, 2])
def test_more_random_games_end_and_everything_holds(name, again):
    assert held(game_of_bots("random", name, checks=SAMPLED, again=again))


@pytest.mark.long
@pytest.mark.parametrize("name", title_names())
def test_a_game_of_sensible_bots_ends_and_everything_holds(name):
    assert held(game_of_bots("sensible", name, checks=SAMPLED))


@pytest.mark.parametrize("name", RECORDED)
def test_every_action_of_a_recorded_game_is_read_back_as_it_is_written(name):
    read_back(games.game(name))


@pytest.mark.parametrize("name", title_names())
def test_recorded_games_use_most_kinds_of_powers(name):
    """So that what holds in all of them holds with powers too."""
    used, kinds = set(), set()
    for recorded in map(games.game, RECORDED):
        if recorded.title.name == name:
            kinds |= {
                p.power.__struct_config__.tag for p in recorded.title.privates.values() if p.power
            }
            for at in zip(recorded.states, recorded.actions, recorded.outcomes, strict=False):
                used |= {kind for _, kind in privates_used(recorded.title, *at)}
    assert len(used & kinds) >= len(kinds) - 1, kinds - used

"""The bots do what is legal, the same for the same seed, and the sensible one plays games to the end."""

import pytest

from engine import apply, load_title, new_game, to_act, why_not
from engine.actions import Insist, TradePrivate
from service.practice.bots import RandomBot, bot_makers
from service.practice.selfplay import NAMES, UNCHECKED, play

TITLE = load_title("18AL")


def played(bot: str, seed: int, players: int = 3, cap: int = 6000):
    names = NAMES[:players]
    bots = {name: bot_makers()[bot](10 * seed + place) for place, name in enumerate(names)}
    return play(TITLE, names, seed, bots, UNCHECKED, cap=cap)


@pytest.mark.parametrize("bot", ["random", "sensible"])
def test_the_same_seed_plays_the_same_game(bot):
    assert played(bot, 5, cap=120).actions == played(bot, 5, cap=120).actions


def test_another_seed_plays_another_game():
    assert played("random", 5, cap=60).actions != played("random", 6, cap=60).actions


def test_a_random_bot_chooses_only_what_is_legal():
    state, bot = new_game(TITLE, ["Ann", "Bob", "Cat"], 3).state, RandomBot(3)
    for _ in range(150):
        seat = to_act(TITLE, state)[0]
        action = bot.choose(TITLE, state, seat)
        assert action.by == seat
        assert why_not(TITLE, state, action) is None
        state = apply(TITLE, state, action).state


def test_a_random_bot_also_does_what_is_never_listed():
    actions = [a for seed in (13, 14, 15) for a in played("random", seed, 4).actions]
    kinds = {type(action) for action in actions}
    between_players = [
        a for a in actions if isinstance(a, TradePrivate) and a.buyer in NAMES and a.seller in NAMES
    ]
    assert Insist in kinds
    assert between_players


def test_a_sensible_game_ends_by_the_bank_or_by_the_price_in_a_late_phase():
    game = played("sensible", 2, 4)
    assert game.ends in ("bank", "price")
    assert TITLE.phase_order.index(game.final.phase) >= TITLE.phase_order.index("5")
    assert len(game.final.floated) >= 5
    assert min(game.as_dict()["worth"].values()) > 2000

"""The bots do what is legal, the same for the same seed, and the sensible one plays games to the end."""

import pytest

from engine import apply, load_title, new_game, to_act, why_not
from engine.actions import BuyShare, Insist, TradePrivate
from service.workshop.practice.bots import RandomBot, bot_makers
from service.workshop.practice.selfplay import NAMES, UNCHECKED, play
from tests import games

TITLE = load_title("18AL")


def played(bot: str, seed: int, players: int = 3, cap: int = 6000):
    names = NAMES[:players]
    bots = {name: bot_makers()[bot](10 * seed + place) for place, name in enumerate(names)}
    return play(TITLE, seed, bots, UNCHECKED, cap=cap)


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


def test_random_bots_also_do_what_is_never_listed():
    """Of a thousand bots in one stock turn, while players own most of the private companies."""
    recorded = games.game("18al")
    state = next(
        state
        for state, action in zip(recorded.states, recorded.actions, strict=False)
        if isinstance(action, BuyShare)
        and sum(owner in state.seats for owner in state.privates.values()) > 3
    )
    (seat,) = to_act(TITLE, state)
    actions = [RandomBot(seed).choose(TITLE, state, seat) for seed in range(1000)]
    assert {BuyShare, Insist, TradePrivate} <= {type(action) for action in actions}
    sales = {(a.seller, a.buyer) for a in actions if isinstance(a, TradePrivate)}
    assert any(seller in state.seats and buyer in state.seats for seller, buyer in sales)


@pytest.mark.long
def test_most_sensible_games_end_by_the_bank_or_by_the_price_in_a_late_phase():
    good = 0
    for seed in range(8):
        game = played("sensible", seed, 3 + seed % 3)
        assert game.clean
        late = TITLE.phase_order.index(game.final.phase) >= TITLE.phase_order.index("5")
        built = len(game.final.floated) >= 5 and min(game.as_dict()["worth"].values()) > 1500
        good += game.ends in ("bank", "price") and late and built
    assert good >= 6

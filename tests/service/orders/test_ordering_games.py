"""Games of bots that play by orders: each order's turn is the same as its actions one by one."""

import pytest

import engine
from service.workshop.practice.selfplay import GameSeries, selfplay

TITLES = [
    pytest.param(name, marks=[pytest.mark.long] * (name != "18AL")) for name in engine.title_names()
]


@pytest.mark.long
@pytest.mark.parametrize("title", TITLES)
def test_a_game_by_orders_is_clean(title):
    summary = selfplay(engine.load_title(title), GameSeries(games=1, seed=3, bot="ordering"))
    assert summary.clean, summary.unclean


@pytest.mark.long
@pytest.mark.parametrize("title", engine.title_names())
def test_many_games_by_orders_are_clean(title):
    summary = selfplay(engine.load_title(title), GameSeries(games=8, seed=11, bot="ordering"))
    assert summary.clean, summary.unclean

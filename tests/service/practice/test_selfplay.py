"""Games of bots are repeatable, counted and summed up; what does not hold is told."""

import json

import pytest

import engine
from engine import load_title
from engine.actions import GoBankrupt, Pass
from service.workshop.practice import selfplay
from service.workshop.practice.bots import RandomBot
from service.workshop.practice.selfplay import SAMPLED, UNCHECKED, GameSeries, play

TITLE = load_title("18AL")


@pytest.mark.long
def test_the_same_seed_gives_the_same_summary():
    one, two = (selfplay.selfplay(TITLE, GameSeries(2, 3, 40), checks=UNCHECKED) for _ in range(2))
    assert one.verbs == two.verbs
    assert (one.actions, one.ends) == (two.actions, two.ends)


@pytest.mark.long
def test_all_numbers_of_players_take_turns():
    games = []
    summary = selfplay.selfplay(
        TITLE, GameSeries(4, seed=20), checks=UNCHECKED, on_game=games.append
    )
    assert [len(game.players) for game in games] == [3, 4, 5, 3]
    assert [game.seed for game in games] == [20, 21, 22, 23]
    assert summary.clean
    assert summary.clean_games == summary.games == 4
    assert summary.actions == sum(len(game.actions) for game in games)


def test_every_position_is_told():
    numbers = []
    selfplay.selfplay(
        TITLE,
        GameSeries(1, 3, 7),
        checks=UNCHECKED,
        on_step=lambda _, state: numbers.append(state.number),
    )
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_summary_and_the_games_can_be_written_as_json():
    games = []
    summary = selfplay.selfplay(TITLE, GameSeries(1, 4, 9), checks=UNCHECKED, on_game=games.append)
    line = json.loads(json.dumps(games[0].as_dict()))
    total = json.loads(json.dumps(summary.as_dict()))
    assert line["clean"] and len(line["digest"]) == 64
    assert line["ends"] in total["ends"]
    assert total["games"] == 1
    assert total["verbs"]["buy share"] > 0
    assert "1 of 1 games clean" in summary.lines()[0]


def test_an_unknown_bot_is_named_with_those_there_are():
    with pytest.raises(LookupError, match="no bot clever; there are random, sensible"):
        selfplay.selfplay(TITLE, GameSeries(bot="clever"))


def test_a_game_over_the_cap_is_unfinished_and_not_clean():
    bots = {name: RandomBot(1) for name in ("Ann", "Bob", "Cat")}
    game = play(TITLE, 1, bots, SAMPLED, cap=20)
    assert len(game.actions) == 20
    assert (game.ends, game.clean) == ("unfinished", False)
    assert game.why_unclean == selfplay.UNFINISHED.format(actions=20, round=game.final.round)


class Cheat:
    """Goes bankrupt at once, which nobody may."""

    def choose(self, title, state, seat):
        return GoBankrupt(by=seat, company="L&N")


def test_an_illegal_action_of_a_bot_breaks_the_game():
    bots = dict.fromkeys(("Ann", "Bob", "Cat"), Cheat())
    game = play(TITLE, 1, bots)
    assert game.ends == "broken"
    assert "refused" in game.broken


class Fault:
    """Fails as a fault in the rules would."""

    def choose(self, title, state, seat):
        raise KeyError("Zoe")


def test_a_fault_is_told_and_ends_only_its_own_game(monkeypatch):
    monkeypatch.setattr(selfplay, "bot_makers", lambda: {"faulty": lambda seed: Fault()})
    summary = selfplay.selfplay(TITLE, GameSeries(2, 3, 5, "faulty"))
    assert summary.unclean == [5, 6]
    assert summary.ends == {"broken": 2}


class Passer:
    """Always passes."""

    def choose(self, title, state, seat):
        return Pass(by=seat)


def test_what_does_not_hold_is_told_with_its_position(monkeypatch):
    def fail(*_):
        raise selfplay.Broken("the sky fell")

    bots = dict.fromkeys(("Ann", "Bob", "Cat"), Passer())
    monkeypatch.setattr(selfplay, "check", fail)
    game = play(TITLE, 1, bots)
    assert game.broken == "#0 the sky fell"
    summary = selfplay.Summary("18AL", (), "random", 1)
    summary.add(game)
    assert not summary.clean
    assert summary.lines()[-2:] == ["not clean: seeds 1", "  seed 1: #0 the sky fell"]


@pytest.mark.long
def test_who_interrupts_it_gets_the_sum_of_the_games_that_are_over():
    def interrupt(game):
        if game.seed == 8:
            raise KeyboardInterrupt

    found = selfplay.selfplay(load_title("18AL"), GameSeries(5, seed=7), on_game=interrupt)
    assert (found.games, found.clean) == (2, True)


def test_a_summary_says_why_a_game_was_not_clean():
    summary = selfplay.selfplay(TITLE, GameSeries(1, 3, 40), checks=UNCHECKED)
    state = engine.new_game(TITLE, ("Ann", "Bob", "Cat")).state
    game = selfplay.SelfPlayedGame(
        TITLE, ("Ann",), 7, state, state, broken="the bank's sum is wrong"
    )
    summary.add(game)
    assert "  seed 7: the bank's sum is wrong" in summary.lines()

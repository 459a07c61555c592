"""Ratings and records: what games make of them, and whom they leave out."""

import random

from service.tournaments.ratings import (
    PlayedGame,
    PlayedSeat,
    Rating,
    rated,
    records,
    records_grid,
    shown,
)
from service.tournaments.values import NEWCOMER


def game(name, *order, ended=1, **more):
    """A game that the players have ended in this order."""
    seats = tuple(
        one if isinstance(one, PlayedSeat) else PlayedSeat(one, place, 10, 9)
        for place, one in enumerate(order, 1)
    )
    return PlayedGame(name, more.pop("title", "18AL"), ended, seats, **more)


def test_a_newcomer_has_a_thousand_points_and_nobody_knows():
    assert str(Rating("Ann")) == "1000 ± 667" and Rating("Ann").points == NEWCOMER


def test_who_is_placed_first_rises_and_all_become_surer():
    found = rated([game("a", "Ann", "Bob", "Cat", "Dan")])
    points = [found[name].points for name in ("Ann", "Bob", "Cat", "Dan")]
    assert points == sorted(points, reverse=True) and points[0] > NEWCOMER > points[3]
    assert all(one.unsure < 667 and one.games == 1 for one in found.values())


def test_equal_places_are_equal_ratings():
    tied = PlayedGame(
        "a", "18AL", 1, tuple(PlayedSeat(n, p) for n, p in (("A", 1), ("B", 2), ("C", 2)))
    )
    found = rated([tied])
    assert found["B"].points == found["C"].points < found["A"].points


def test_a_hundred_boards_find_out_who_is_strong():
    luck = random.Random(4)
    names = [f"P{n:02}" for n in range(12)]
    boards = []
    for number in range(150):
        table = luck.sample(names, 4)
        table.sort(key=lambda name: -int(name[1:]) + luck.gauss(0, 2))
        boards.append(game(f"g{number}", *table, ended=number + 1))
    found = rated(boards)
    order = [one.player for one in sorted(found.values(), key=lambda one: -one.sure)]
    assert set(order[:3]) <= set(names[-5:]) and set(order[-3:]) <= set(names[:5])
    luck.shuffle(boards)
    assert rated(boards) == found
    assert max(one.unsure for one in found.values()) < 400


def test_boards_count_in_the_order_in_which_they_ended():
    one, other = game("a", "Ann", "Bob", ended=1), game("b", "Bob", "Cat", ended=2)
    assert rated([one, other]) == rated([other, one])


def test_what_rates_nobody():
    running = PlayedGame("a", "18AL", 0, (PlayedSeat("Ann"), PlayedSeat("Bob")))
    assert rated([running, game("b", "Ann", "Bob", counts=False)]) == {}
    alone = game("c", "Ann", PlayedSeat("Bob", 2, whole=False))
    kept = game("d", "Ann", PlayedSeat("Bob", 2, decisions=10, caretaken=5))
    assert rated([alone]) == rated([kept]) == {}
    three = game("e", PlayedSeat("Zoe", 1, whole=False), "Ann", "Bob")
    assert set(rated([three])) == {"Ann", "Bob"}


def test_who_wishes_to_be_in_no_list_is_in_none_and_rates_the_others_all_the_same():
    games = [game("a", "Ann", "Bob", "Cat")]
    found = rated(games)
    assert found["Cat"].points == rated(games)["Cat"].points
    assert [one.player for one in shown(records(games), {"Ann"})] == ["Bob", "Cat"]


def test_a_record_counts_games_wins_and_decisions():
    games = [
        game("a", "Ann", "Bob", "Cat", ended=5),
        game("b", "Bob", "Ann", "Cat", ended=6, title="18GA"),
        game("c", "Ann", "Cat", PlayedSeat("Bob", 0, 4, 1, whole=False),
             PlayedSeat("Dan", 3, 6, 6, whole=False), ended=7),
        PlayedGame("d", "18AL", 0, (PlayedSeat("Ann", 0, 10, 10), PlayedSeat("Eve", 0, 0, 0))),
    ]  # fmt: skip
    found = records(games)
    ann, bob, dan, eve = (found[name] for name in ("Ann", "Bob", "Dan", "Eve"))
    assert (ann.games, ann.finished, ann.won, ann.decisions, ann.on_time) == (4, 3, 2, 40, 92)
    assert (bob.left, bob.finished) == (1, 2)
    assert (dan.left, dan.won, dan.rating) == (0, 0, Rating("Dan"))
    assert eve.on_time == -1 and eve.games == 1
    grid = records_grid([ann, eve])
    assert grid.rows[0] == ("Ann", str(ann.rating), "4", "3", "2", "92 %", "0")
    assert grid.rows[1][5] == "–"


def test_an_abandoned_game_is_nobodys_win():
    assert records([game("a", "Ann", "Bob", counts=False)])["Ann"].won == 0

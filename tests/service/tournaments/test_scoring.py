"""What boards give: worked examples of each score, and what holds for all boards."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import engine
from service.tournaments import scoring
from service.tournaments.rules import Scoring
from service.tournaments.scoring import points_of, rounded, scored, written
from tests.service.tournaments.setting import result_of, seat


def scores(result, score="places", points=(), **more):
    found = scored(result, Scoring(score, points, **more))
    return {one.seat: str(one.figure) for one in found}


def test_places_are_points_of_those_left_behind():
    assert scores(result_of(900, 700, 600, 100)) == {
        "Ann": "100", "Bob": "66.67", "Cat": "33.33", "Dan": "0",
    }  # fmt: skip
    assert scores(result_of(900, 700, 600)) == {"Ann": "100", "Bob": "50", "Cat": "0"}


def test_points_of_places_are_stretched_to_tables_of_other_sizes():
    points = ("places", (10, 6, 3, 1))
    assert scores(result_of(9, 8, 7, 6), *points) == {
        "Ann": "10",
        "Bob": "6",
        "Cat": "3",
        "Dan": "1",
    }
    assert scores(result_of(9, 8, 7), *points) == {"Ann": "10", "Bob": "4.50", "Cat": "1"}
    assert list(scores(result_of(9, 8, 7, 6, 5), *points).values()) == [
        "10",
        "7",
        "4.50",
        "2.50",
        "1",
    ]


def test_the_share_of_the_tables_money_is_a_hundred_for_an_even_part():
    assert scores(result_of(600, 400, 200), "share") == {"Ann": "150", "Bob": "100", "Cat": "50"}
    assert scores(result_of(600, 400, 200, 400), "share")["Bob"] == "100"
    assert scores(result_of(300, -100, 100), "share") == {"Ann": "225", "Bob": "0", "Cat": "75"}
    assert set(scores(result_of(0, 0, 0), "share").values()) == {"100"}


def test_wins_are_one_point_for_each_table_and_equal_winners_share_it():
    assert scores(result_of(900, 700, 100), "wins") == {"Ann": "1", "Bob": "0", "Cat": "0"}
    assert scores(result_of(900, 900, 100), "wins") == {"Ann": "0.50", "Bob": "0.50", "Cat": "0"}


def test_each_figure_says_how_it_came_about_and_from_which_position():
    [first, *_] = scored(result_of(600, 400, 200), Scoring("share"))
    how = scoring.SHARE.format(worth=600, total=1200, seats=3)
    figure = first.figure
    assert (str(figure), figure.how, figure.game, figure.at) == ("150", how, "n1-1", 101)


def test_equal_players_share_the_points_of_their_places():
    tied = result_of(900, 700, 700, 100)
    assert scores(tied)["Bob"] == scores(tied)["Cat"] == "50"


def test_a_stopped_board_is_placed_by_what_its_players_are_worth():
    seats = (seat("Ann", 2, 900), seat("Bob", 1, 800), seat("Cat", 3, 10))
    result = replace(result_of(1, 2, 3), seats=seats)
    assert scores(result) == {"Ann": "50", "Bob": "100", "Cat": "0"}, "as its own rules say"
    for ended in ("adjudicated", "abandoned"):
        stopped = replace(result, ended=ended)
        assert scores(stopped) == {"Ann": "100", "Bob": "50", "Cat": "0"}


def test_who_went_bankrupt_is_placed_behind_all_who_played_on():
    assert engine.places(("Bob",), {"Ann": 300, "Cat": -40, "Dan": 0, "Bob": 0}) == {
        "Ann": 1, "Dan": 2, "Cat": 3, "Bob": 4,
    }  # fmt: skip
    assert set(engine.places(("Ann", "Bob"), {"Ann": 0, "Bob": 0}).values()) == {1}
    ended = result_of(300, -40, 0)
    bankrupt = replace(ended.seats[2], out=True)
    stopped_ = replace(ended, ended="adjudicated", seats=(*ended.seats[:2], bankrupt))
    assert [one.place for one in scored(stopped_, Scoring())] == [1, 2, 3]


def test_a_seat_that_the_caretaker_played_scores_nothing_and_the_others_what_they_have():
    kept = replace(result_of(900, 700, 100), seats=(
        seat("Ann", 1, 900, decisions=100, caretaken=50), seat("Bob", 2, 700, decisions=9, caretaken=4),
        seat("Cat", 3, 100),
    ))  # fmt: skip
    [ann, bob, _] = scored(kept, Scoring())
    assert (str(ann.figure), str(bob.figure)) == ("0", "50")
    assert ann.figure.how == scoring.CARETAKER.format(caretaken=50, decisions=100)
    assert str(ann.figure.of[0]) == "100"


def test_the_score_of_a_seat_that_several_played_is_the_last_player_s():
    many = seat("Ann", 1, 900, players=("Ann", "Yan", "Zoe"))
    result = replace(result_of(1, 2), seats=(many, seat("Bob", 2, 1)))
    [first, second] = scored(result, Scoring())
    assert (first.player, str(first.figure), second.player) == ("Zoe", "100", "Bob")


worths = st.lists(st.integers(-500, 20_000), min_size=2, max_size=6)


@given(worths, st.sampled_from([(), (10, 6, 3, 1), (5, 3), (7, 7, 0)]))
def test_no_place_is_worth_more_than_a_better_one_and_all_tables_share_alike(worth, points):
    result = result_of(*worth)
    found = scored(result, Scoring("places", points))
    ranked = sorted(found, key=lambda one: -one.worth)
    values = [one.figure.value for one in ranked]
    assert values == sorted(values, reverse=True)
    ends = points or (100, 0)
    assert points_of(1, len(worth), points) == ends[0]
    assert points_of(len(worth), len(worth), points) == ends[-1]
    every = sum(points_of(n, len(worth), points) for n in range(1, len(worth) + 1))
    assert abs(sum(values) - every * 100) <= len(worth)


@given(worths)
def test_shares_make_a_hundred_for_each_seat(worth):
    found = scored(result_of(*worth), Scoring("share"))
    assert abs(sum(one.figure.value for one in found) - 10_000 * len(worth)) <= len(worth)


def test_figures_are_rounded_halves_up_and_written_short():
    assert [rounded(Fraction(n, 1000)) for n in (5, 15, 14, -5)] == [1, 2, 1, 0]
    assert [written(n) for n in (6667, 5000, 5, -1250, 0)] == ["66.67", "50", "0.05", "-12.50", "0"]

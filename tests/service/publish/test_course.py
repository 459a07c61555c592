"""The course of a game by rounds, and the book of how it was."""

from itertools import pairwise

import pytest

from service.games import games
from service.games.games import load
from service.publish.book import honours
from service.publish.course import course
from service.workshop.practice.script import recorded_game


@pytest.fixture(scope="module")
def over(_made):
    from service.store import Store

    store = Store(f"sqlite:///{_made}/games.sqlite")
    with store.transaction() as tx:
        table = load(tx, "over")
        rows = tx.log.actions(table.row.id)
    store.close()
    return table, rows


def test_rounds_follow_each_other_and_every_act_is_in_one(over):
    table, rows = over
    stages = course(table.title, rows).stages
    numbers = [deed.number for stage in stages for deed in stage.deeds]
    assert numbers == [row.number for row in rows]
    assert len({stage.round for stage in stages}) == len(stages)
    assert all(earlier.over and earlier.at <= later.at for earlier, later in pairwise(stages))
    played = recorded_game("18al").states
    assert all(
        str(played[deed.number - 1].round) == s.round for s in stages[3:6] for deed in s.deeds
    )


@pytest.mark.long
def test_a_round_says_what_everybody_was_worth_at_its_end(over):
    table, rows = over
    last = course(table.title, rows).stages[-1]
    assert last.worth == {"Ann": 4028, "Bob": 4422, "Cat": 3864, "Dan": 4116}
    assert last.prices["L&N"] == 215 and last.income["WRA"] == 400


@pytest.mark.long
def test_incomes_are_those_that_the_trains_ran_for(over):
    from engine.events import TrainsRan

    table, rows = over
    ran = sum(e.revenue for row in rows for e in games.events(row) if isinstance(e, TrainsRan))
    stages = course(table.title, rows).stages
    assert ran == sum(sum(stage.income.values()) for stage in stages) > 10_000
    assert all(stage.round.startswith("OR") for stage in stages if stage.income)


@pytest.mark.parametrize("acts", [1, 41, 300])
def test_what_was_told_before_is_gone_on_with(over, acts):
    table, rows = over
    before = course(table.title, rows[:acts])
    assert course(table.title, rows, before.stages).stages == course(table.title, rows).stages


@pytest.mark.long
def test_what_was_told_of_acts_that_were_taken_back_is_told_anew(over):
    table, rows = over
    later = course(table.title, rows[:300])
    assert (
        course(table.title, rows[:120], later.stages).stages
        == course(table.title, rows[:120]).stages
    )


@pytest.mark.long
def test_honours_are_the_best_run_of_each_company_and_single_feats(over):
    table, rows = over
    found = honours(table.title, rows)
    assert [(ran.company, ran.revenue) for ran in found.best] == [
        ("WRA", 400), ("ABC", 390), ("TAG", 350), ("M&O", 290), ("ATN", 270), ("L&N", 250),
    ]  # fmt: skip
    assert found.best[0].trains == "4D G8–K2"
    feats = dict(found.feats)
    assert feats["Longest run"].startswith("a 5 train of ATN over 16 hexes, A4 Nashville to M8")
    assert (
        feats["Most expensive train"]
        == "a 4D train for ABC, $800, $238 of it from its president, #422"
    )
    assert honours(table.title, rows[:1]).feats == ()

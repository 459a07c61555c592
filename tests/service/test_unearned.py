"""Emails with `run` and `pay` for a company that has nothing to run: the rest of them is done."""

import pytest
from msgspec.structs import replace

from engine import flow
from engine.position.values import MARKET
from service.commands.command import Command
from service.games import playing
from service.games.playing import Play
from tests.engine.notation import positions
from tests.engine.test_unearned import NO_ROUTE, ROUTE
from tests.service.players import one, says, to, unsaid
from tests.service.test_stale import operating

TRACK = positions.operating("track")
#: L&N of Ann without a train
NO_TRAIN = replace(TRACK, trains={**TRACK.trains, "L&N": ()})


def send(on, state, *texts, keep_open=False):
    commands = [Command(number, "play", text, text) for number, text in enumerate(texts, 1)]
    return Play(on.title, state, "Ann", state.number + 1).commands(commands, keep_open)


def played(outcome):
    return [one.text for one in outcome.played]


@pytest.mark.parametrize("step", ["track", "token", "trains"])
@pytest.mark.parametrize("share", ["pay", "withhold"])
@pytest.mark.parametrize(
    ("on", "turn"),
    [*NO_ROUTE.values(), ROUTE["18AL"]],
    ids=[*NO_ROUTE, "18AL"],
)
def test_the_rest_is_done(on, turn, step, share):
    state = turn(step)
    buy = f"buy {on.table(state).next_train().type}"
    outcome = send(on, state, "run", share, buy)
    nothing = playing.NOTHING_EARNED.format(why=flow.NO_ROUTE)
    assert outcome.done
    assert [one.settled for one in outcome.steps] == [nothing, nothing, ""]
    assert played(outcome)[0] == buy


def test_half_is_no_fault_where_the_title_has_it():
    on, turn = NO_ROUTE["18GL"]
    outcome = send(on, turn("track", "2"), "run", "half", "buy 2H")
    assert outcome.done
    assert played(outcome)[0] == "buy 2H"


@pytest.mark.parametrize(("on", "turn"), NO_ROUTE.values(), ids=NO_ROUTE)
def test_the_turn_ends_with_the_mail_where_nothing_is_owed(on, turn):
    state = turn("track", "2")
    ended = send(on, state, "run", "pay")
    assert played(ended) == ["done"]
    kept = send(on, state, "run", "pay", keep_open=True)
    assert kept.done
    assert (played(kept), kept.state) == ([], state)


@pytest.mark.parametrize(("on", "turn"), NO_ROUTE.values(), ids=NO_ROUTE)
def test_a_run_that_names_a_route_is_refused(on, turn):
    state = turn("track", "2")
    first, second, *_ = on.title.hexes
    for text in (
        f"run {state.trains[state.stack[-2].company][0]}: {first}-{second}",
        "run 99: best",
    ):
        outcome = send(on, state, text, "pay")
        assert not outcome.done
        assert outcome.steps[0].fault


def test_what_comes_after_the_end_of_the_turn_is_settled_as_well():
    """When the company has bought its train nothing is left for it, and it has no route."""
    on, turn = NO_ROUTE["18GA"]
    state = turn("track")
    outcome = send(on, state, "buy 2", "run", "pay", "done")
    assert played(outcome) == ["buy 2"]
    assert outcome.state.round != state.round
    assert [bool(one.settled) for one in outcome.steps] == [False, True, True, True]


def test_with_a_train_bought_before_run_is_refused_still():
    on, turn = ROUTE["18AL"]
    outcome = send(on, turn("track"), "buy 2", "run", "pay")
    assert not outcome.done
    assert outcome.steps[1].fault


@pytest.mark.parametrize(("on", "turn"), ROUTE.values(), ids=ROUTE)
def test_a_run_after_the_purchase_is_told_that_it_comes_before(on, turn):
    state = turn("track")
    company = state.stack[-2].company
    outcome = send(on, state, f"buy {on.table(state).next_train().type}", "run", "pay")
    fault = outcome.steps[1].fault
    assert says(fault.text, flow.RUNS_FIRST, company=company)
    assert f"({on.title.name} 4.2)" in fault.text
    assert "`run` runs it" not in fault.hint


@pytest.mark.parametrize("run", ["run", "run 3: A4-C4"])
def test_so_is_a_run_after_the_purchase_that_ended_the_turn(players, run):
    state = operating("track")
    trains = {**state.trains, "L&N": (), MARKET: ()}
    cash = {**state.cash, "L&N": 180, "Ann": 0, "Bob": 0}
    players.place(replace(state, trains=trains, cash=cash))
    told = one(players.write("Ann", "buy 3", run, "pay"), "Ann")
    assert says(told, f"{flow.RUNS_FIRST} (18AL 4.2).", company="L&N")
    assert "not $0" not in told.text
    assert players.texts() == ["placed"]


def test_trains_left_at_home_earn_nothing_to_withhold():
    on, turn = ROUTE["18AL"]
    outcome = send(on, turn("track", "2"), "run none", "withhold")
    assert outcome.steps[1].settled == playing.NOTHING_EARNED.format(why=flow.NO_REVENUE)
    assert played(outcome) == ["run none", "done"]


def test_an_email_of_a_first_turn_is_done(players):
    players.place(NO_TRAIN)
    letters = players.write("Ann", "run; pay; buy 3")
    assert players.texts()[-2:] == ["buy 3", "done"]
    assert says(one(letters, "Ann"), playing.NOTHING_EARNED, why=flow.NO_ROUTE)
    assert one(letters, "Ann").subject.endswith("– done")


def test_an_email_whose_route_is_impossible_is_refused(players):
    players.place(NO_TRAIN)
    letters = players.write("Ann", "run 2: A4-C4; pay; buy 3")
    assert players.texts() == ["placed"]
    assert to(letters, "Ann") == ["receipt"]
    assert unsaid(one(letters, "Ann"), playing.NOTHING_EARNED)


def test_a_plan_tells_the_same(players):
    players.place(NO_TRAIN)
    letters = players.write("Ann", "try: run; pay; buy 3")
    assert players.texts() == ["placed"]
    assert says(one(letters, "Ann"), playing.NOTHING_EARNED, why=flow.NO_ROUTE)

"""Runs and dividends that find nothing to do in a company's turn, in each title."""

import pytest
from msgspec.structs import replace

import engine
from engine import flow
from engine.actions import Dividend, Run, TrainRun
from engine.notation import NotationError, parse
from engine.position.frames import Home
from tests.rules.ga.setting import LINE
from tests.rules.ga.setting import on as ga
from tests.rules.ga.setting import turn as ga_turn
from tests.rules.gl.setting import on as gl
from tests.rules.mw.setting import on as mw
from tests.rules.titled import Titled
from tests.rules.tn.setting import EAST
from tests.rules.tn.setting import on as tn

al = Titled(engine.load_title("18AL"))


def alabama(step, *trains):
    """TAG, which has a station between two cities, and so a route where it has a train."""
    state = al.company(al.stock_turn(), "TAG", {"Ann": 60}, cash=600, trains=trains)
    return al.operating(state, "TAG", step)


#: each title with a company of Ann's that has no route, its turn at a step with these trains
NO_ROUTE = {
    "18GA": (ga, lambda step, *trains: ga_turn("GA", step, *trains)),
    "18TN": (tn, lambda step, *trains: tn.turn("SOU", step, trains=trains)),
    "18MW": (mw, lambda step, *trains: mw.turn(step, "IC", trains=trains)),
    "18GL": (gl, lambda step, *trains: gl.turn(step, "DT&I", trains=[f"{t}H" for t in trains])),
}
#: the same with a route, where it has a train
ROUTE = {
    "18AL": (al, alabama),
    "18GA": (ga, lambda step, *trains: ga_turn("ACL", step, *trains, laid=LINE)),
    "18TN": (tn, lambda step, *trains: tn.turn("SOU", step, trains=trains, laid=EAST)),
}
DIVIDENDS = ("pay", "withhold")


def unearned(on, state, action):
    return engine.unearned(on.title, state, state, action)


def company(state):
    return state.stack[-2].company


@pytest.mark.parametrize("step", ["track", "token", "trains"])
@pytest.mark.parametrize(
    ("on", "turn", "trains"),
    [
        *((*pair, ()) for pair in (*NO_ROUTE.values(), *ROUTE.values())),
        *((*pair, ("2",)) for pair in NO_ROUTE.values()),
    ],
)
def test_without_a_train_or_a_route_there_is_none(on, turn, trains, step):
    state = replace(turn(step, *trains), earned={})
    if step == "trains":
        state = replace(state, earned={company(state): 0})
    name = company(state)
    kinds = on.title.facts.operating.dividends
    for action in (
        Run(by="Ann", company=name),
        *(Dividend(by="Ann", company=name, kind=kind) for kind in kinds),
    ):
        assert not on.allowed(state, action)
        assert unearned(on, state, action) == flow.NO_ROUTE


@pytest.mark.parametrize(("on", "turn"), ROUTE.values(), ids=ROUTE)
def test_with_a_route_there_is_something_to_run_and_to_pay(on, turn):
    before, ran = turn("track", "2"), replace(turn("trains", "2"))
    ran = replace(ran, earned={company(ran): 40})
    for state in (before, ran):
        for text in ("run", *DIVIDENDS):
            assert unearned(on, state, parse(on.title, state, "Ann", text)) == ""


@pytest.mark.parametrize(("on", "turn"), ROUTE.values(), ids=ROUTE)
def test_trains_that_stayed_at_home_have_no_revenue_to_share_out(on, turn):
    state = turn("track", "2")
    state = on.after(state, Run(by="Ann", company=company(state)))
    for kind in DIVIDENDS:
        assert unearned(on, state, parse(on.title, state, "Ann", kind)) == flow.NO_REVENUE
    assert unearned(on, state, parse(on.title, state, "Ann", "run")) == ""


def test_what_the_company_earned_in_its_last_turn_does_not_count():
    on, turn = NO_ROUTE["18GA"]
    state = replace(turn("track", "2"), earned={"GA": 90})
    assert unearned(on, state, parse(on.title, state, "Ann", "pay")) == flow.NO_ROUTE


@pytest.mark.parametrize(("on", "turn"), NO_ROUTE.values(), ids=NO_ROUTE)
def test_a_run_that_names_a_route_is_none_of_these(on, turn):
    state = turn("track", "2")
    first, second, *_ = on.title.hexes
    train = state.trains[company(state)][0]
    routes = (TrainRun(train, (first, second)),)
    assert unearned(on, state, Run(by="Ann", company=company(state), runs=routes)) == ""


@pytest.mark.parametrize(("on", "turn"), NO_ROUTE.values(), ids=NO_ROUTE)
def test_nor_is_what_another_player_or_another_company_would_do(on, turn):
    state = turn("track")
    name = company(state)
    other = next(c for c in on.title.companies if c != name)
    assert unearned(on, state, Run(by="Bob", company=name)) == ""
    assert unearned(on, state, Run(by="Ann", company=other)) == ""
    assert unearned(on, on.stock_turn(), Run(by="Ann", company=name)) == ""


def test_nothing_is_passed_over_that_must_be_decided_before():
    """The company must choose the city of its home before anything else."""
    state = tn.turn("SOU", "track", laid=EAST, turns=0)
    waits = replace(state, stations={}, stack=(*state.stack[:-1], Home("SOU")))
    pay, run = Dividend(by="Ann", company="SOU", kind="pay"), Run(by="Ann", company="SOU")
    assert [unearned(tn, state, action) for action in (pay, run)] == [flow.NO_ROUTE, flow.NO_ROUTE]
    assert [unearned(tn, waits, action) for action in (pay, run)] == ["", ""]


def test_it_is_known_of_a_turn_that_is_over():
    state = al.company(al.stock_turn(), "ABC", {"Ann": 60})
    state = al.operating(state, "ABC")
    over = al.after(state, al.done())
    pay = Dividend(by="Ann", company="ABC", kind="pay")
    assert engine.unearned(al.title, state, over, pay) == flow.NO_ROUTE
    earned = replace(over, earned={**over.earned, "ABC": 30})
    assert engine.unearned(al.title, state, earned, pay) == ""


def test_half_is_no_word_of_a_title_without_it():
    state = alabama("track")
    with pytest.raises(NotationError):
        parse(al.title, state, "Ann", "half")

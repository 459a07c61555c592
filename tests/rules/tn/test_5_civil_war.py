"""18TN 5.1, the Civil War."""

import pytest
from msgspec.structs import replace

from engine.actions import IdleTrain
from engine.events import (
    IdleForeseen,
    PriceMoved,
    TrainIdled,
    TrainsRan,
)
from engine.position.frames import Payout, Running
from engine.position.values import State
from engine.titles.t18tn import CIVIL_WAR
from tests.rules.tn.setting import EAST, on

BOTH = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"
RED = ("F17-F19-E20-E22",)


def war(*trains: str, step: str = "run", laid: str = BOTH, **more: object) -> State:
    """SOU's turn after the war has begun."""
    state = on.turn("SOU", step, laid=laid, at_phase="3½", trains=trains, **more)  # type: ignore[arg-type]
    return replace(state, idle=("SOU",))


@pytest.mark.rule("18TN 5")
@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN Table I 3½")
def test_the_fourth_3_begins_the_war_for_companies_with_a_train_and_a_route() -> None:
    """The buyer among them; not for one without a train, nor for one without a route."""
    state = on.buying(16, "3", others=("2",))
    state = on.company(state, "TC", {"Cas": 60}, trains=("2",))  # no route
    state = on.company(state, "IC", {"Cas": 60}, stations=("F11",))  # no train
    (war,) = on.happened(state, on.next_train(state), IdleForeseen)
    assert (war.companies, war.cause) == (("SOU", "L&N"), CIVIL_WAR)
    assert on.after(state, on.next_train(state)).idle == ("SOU", "L&N")
    third = on.buying(17, "3", others=("2",))
    assert on.after(third, on.next_train(third)).idle == ()


@pytest.mark.rule("18TN 5.1")
def test_the_war_is_felt_in_each_company_s_next_turn() -> None:
    """At once by who has yet to operate in this round, by all others in the next one."""
    state = on.company(on.buying(16, "3", "2"), "TC", {"Cas": 60}, trains=("2",), stations=("F17",))
    waiting = replace(state.stack[0], done=("SOU", "L&N"))  # type: ignore[type-var]
    state = on.after(replace(state, stack=(waiting, *state.stack[1:])), on.next_train(state))
    assert state.idle == ("SOU", "TC")
    state = on.after(state, on.done())
    assert (on.waits_for(state), str(state.round)) == (("Cas",), "OR 2.1")
    assert on.happened(state, on.done("Cas"), TrainIdled) == [TrainIdled("TC", "2")]
    state = on.after(state, on.done("Cas"))
    assert (state.idle, str(state.round)) == (("SOU",), "SR 3")


@pytest.mark.rule("18TN 5.1")
def test_the_president_chooses_the_train_that_earns_nothing() -> None:
    """Only the others run; then the war is over for the company."""
    state = war("2", "3")
    chosen = on.after(state, on.idle("SOU", "2"))
    assert chosen.stack[-1] == Running("SOU", "2")
    on.refused(chosen, on.idle("SOU", "2"), "5.1", "already")
    on.refused(chosen, on.run("SOU", ("2", *RED)), "5.1", "2 train")
    on.refused(state, on.idle("SOU", "4"), "5.1", "no 4 train")
    run = on.run("SOU", ("3", "F17-F15-F13-F11"))
    assert on.happened(chosen, run, TrainIdled) == [TrainIdled("SOU", "2")]
    assert on.happened(chosen, run, TrainsRan)[0].revenue == 70
    then = on.after(chosen, run)
    assert (then.earned["SOU"], then.idle) == (70, ("SOU",))
    paid = on.after(then, on.pay("SOU"))
    assert (paid.idle, on.price(paid, "SOU")) == ((), 100)


@pytest.mark.rule("18TN 5.1")
def test_a_train_left_at_home_is_the_one_that_earns_nothing() -> None:
    """All trains at once are refused; `run` alone chooses what earns most."""
    state = war("2", "3")
    both = on.run("SOU", ("2", *RED), ("3", "F17-F15-F13-F11"))
    on.refused(state, both, "5.1", "one of its trains", "idle")
    run = on.run("SOU", ("2", *RED))
    assert on.happened(state, run, TrainIdled) == [TrainIdled("SOU", "3")]
    best, _ = on.offered(state, "Ann", type(run))
    assert [r.train for r in best.runs] == ["3"]  # type: ignore[attr-defined]
    assert len(on.offered(state, "Ann", IdleTrain)) == 2


@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN 4.2(d)")
def test_shareholders_insist_on_the_best_run_of_the_trains_that_are_left() -> None:
    """Which train that is, is the president's choice alone."""
    state = replace(war("2", "3", bob=10), insist=("Bob",))
    assert on.allowed(state, on.run("SOU", ("2", *RED)))
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13")), "4.2.3.1", "Bob")
    on.refused(on.after(state, on.idle("SOU", "2")), on.run("SOU"), "4.2.3.1")


@pytest.mark.rule("18TN 5.1")
def test_trains_that_are_alike_need_no_choice() -> None:
    """One of two 2 trains runs."""
    state = on.after(war("2", "2", step="token"), on.run("SOU", ("2", *RED)))
    assert isinstance(state.stack[-1], Payout)
    both = on.run("SOU", ("2", *RED), ("2", "F17-F15-F13"))
    on.refused(war("2", "2", step="token"), both, "5.1")


@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN 4.2.4")
def test_the_price_stays_where_the_only_train_earned_nothing() -> None:
    """All else of the turn is as ever, and the marker goes."""
    state = war("3", step="track")
    events = on.happened(state, on.done(), PriceMoved)
    assert events == []
    then = on.after(state, on.done())
    assert (then.idle, on.price(then, "SOU"), then.earned["SOU"]) == ((), 90, 0)
    assert on.happened(state, on.done(), TrainIdled) == [TrainIdled("SOU", "3")]


@pytest.mark.rule("18TN 5.1")
def test_a_company_that_has_lost_its_trains_moves_left_as_ever() -> None:
    """Its marker goes with that turn."""
    then = on.after(war(step="token"), on.buy_train("SOU", "3", 180))
    assert (then.idle, on.price(then, "SOU")) == ((), 80)


@pytest.mark.rule("18TN 5.1")
def test_without_a_war_no_train_is_idle() -> None:
    """Also where the title knows none."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2", "3"))
    on.refused(state, on.idle("SOU", "2"), "5.1", "all trains")
    assert not on.offered(state, "Ann", IdleTrain)

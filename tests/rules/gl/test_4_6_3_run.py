"""18GL 4.6.3: a company runs for the most; ferries that it pays for are its choice."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine import apply
from engine.actions import Dividend, Run
from engine.events import FerryPaid, TrainsRan
from engine.position.values import BANK, State
from engine.runs.best.search import Best, best_run
from engine.steps.operating import running as running_step
from engine.telling.narration import UNPROVED, narrate
from tests.rules.gl.setting import on

FERRY = "Milwaukee–Muskegon"
#: Chicago to Milwaukee, and over the lake to Muskegon
LAKE = "D10 730 0,F10 724 0,E9 722 1"


def running(*trains: str, laid: str = "", cash: int = 500) -> State:
    """MR runs, with its station in the north of Chicago; Chicago's two cities are worth 30 each."""
    return on.turn("run", "MR", trains=trains, laid=laid, cash=cash)


def sailing(*trains: str, holder: str = "IC", cash: int = 500) -> State:
    """The ferry from Milwaukee to Muskegon runs, and IC holds its token."""
    state = on.company(running(*trains, laid=LAKE, cash=cash), "IC", {"Bob": 60})
    return replace(state, ferries={FERRY: holder})


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_the_trains_must_earn_the_most() -> None:
    """Two cities of Chicago are $60, three places with Milwaukee $90."""
    on.refused(running("2H"), on.run("MR"), "4.6.3", "$60", "$0", "MR must run for the most")
    state = running("2H", laid="D10 730 0")
    on.refused(state, on.run("MR", ("2H", "D12-D14")), "4.6.3", "$90", "$60")
    assert on.allowed(state, on.run("MR", ("2H", "D10-D12-D14")))


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_it_is_the_most_of_all_trains_together() -> None:
    """One train's $90 are the most of a train; two that meet in Chicago earn $120."""
    state = running("2H", "4H", laid="D10 730 0")
    on.refused(state, on.run("MR", ("4H", "D10-D12-D14")), "4.6.3", "$120", "$90")
    assert on.allowed(state, on.run("MR", ("4H", "D10-D12"), ("2H", "D12-D14")))


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_who_says_nothing_runs_for_the_most() -> None:
    """The dividend comes next, and the trains have run."""
    state = running("2H", laid="D10 730 0")
    (ran,) = on.happened(state, on.pay("MR"), TrainsRan)
    assert ran.revenue == 90
    assert on.after(state, on.pay("MR")).earned["MR"] == 90


@pytest.mark.rule("18GL 4.6.3", "18GL R29")
def test_4_6_3_a_foreign_ferry_is_a_choice() -> None:
    """Without it the most is $90, which is what runs by itself; with it $100."""
    state = sailing("4H")
    with_it = on.run("MR", ("4H", "F10-E9-D10-D12-D14"))
    without = on.run("MR", ("4H", "D10-D12-D14"))
    assert on.allowed(state, with_it)
    assert on.allowed(state, without)
    (ran,) = on.happened(state, on.pay("MR"), TrainsRan)
    assert ran.revenue == 90


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_with_a_ferry_the_run_is_still_the_most() -> None:
    """$50 buy no run to Muskegon that leaves out Chicago's south."""
    on.refused(sailing("4H"), on.run("MR", ("4H", "F10-E9-D10-D12")), "4.6.3", "$100", "$70")


@pytest.mark.rule("18GL 4.6.3", "18GL R16")
def test_4_6_3_the_fee_goes_to_the_holder_before_the_run() -> None:
    """MR pays IC $50, which its earnings do not count."""
    state, act = sailing("4H", cash=60), on.run("MR", ("4H", "F10-E9-D10-D12-D14"))
    assert on.happened(state, act, FerryPaid) == [FerryPaid("MR", "IC", 1, 50)]
    now = on.after(state, act)
    assert (now.cash["MR"], now.cash["IC"], now.earned["MR"]) == (10, 50, 100)


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_a_company_that_cannot_pay_does_not_sail() -> None:
    """$49 are too little, and the most is then what it can do on land."""
    state = sailing("4H", cash=49)
    on.refused(state, on.run("MR", ("4H", "F10-E9-D10-D12-D14")), "4.6.3", "$50", "$49")
    assert on.offered(state, "Ann", Run) == [on.run("MR", ("4H", "D10-D12-D14"))]


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_the_holder_of_the_token_sails_free_and_must() -> None:
    """To MR its own ferry is track like any other."""
    state = sailing("4H", holder="MR")
    on.refused(state, on.run("MR", ("4H", "D10-D12-D14")), "4.6.3", "$100", "$90")
    act = on.run("MR", ("4H", "F10-E9-D10-D12-D14"))
    assert not on.happened(state, act, FerryPaid)


@pytest.mark.rule("18GL 4.6.3", "18GL R17")
def test_4_6_3_without_a_holder_the_bank_is_paid() -> None:
    """The company that held the token is gone."""
    act = on.run("MR", ("4H", "F10-E9-D10-D12-D14"))
    assert on.happened(sailing("4H", holder=BANK), act, FerryPaid) == [FerryPaid("MR", BANK, 1, 50)]


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_the_options_name_the_run_with_and_without_the_ferry() -> None:
    """Both are legal, nothing else is offered."""
    runs = on.offered(sailing("4H"), "Ann", Run)
    assert [len(run.runs[0].path) for run in runs] == [3, 5]


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_a_company_without_a_train_earns_nothing() -> None:
    """It is at its purchase of trains, and its price has gone left."""
    state = running()
    now = on.after(on.operating(state, "MR", "token"), on.buy_train("MR", "2H", 100))
    assert now.earned["MR"] == 0
    assert on.price(now, "MR") < on.price(state, "MR")


@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.parametrize("named", [True, False])
def test_4_6_3_a_run_that_is_not_proved_to_be_the_most_counts_and_says_so(
    named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is held to what is not known; who reads of the run may look for a better one."""
    state = running("2H", laid="D10 730 0")
    action = (
        on.run("MR", ("2H", "D10-D12-D14"))
        if named
        else Dividend(by="Ann", company="MR", kind="pay")
    )
    sure = apply(on.title, state, action).events
    monkeypatch.setattr(running_step, "better_than", lambda *_, **__: None)
    monkeypatch.setattr(running_step, "best_run", _doubtful)
    doubtful = apply(on.title, state, action).events
    assert [e.unproved for e in (*sure, *doubtful) if isinstance(e, TrainsRan)] == [False, True]
    [proved] = [narrate(on.title, e) for e in sure if isinstance(e, TrainsRan)]
    [told] = [narrate(on.title, e) for e in doubtful if isinstance(e, TrainsRan)]
    assert told == f"{proved}{UNPROVED}"


def _doubtful(*asked: Any, **how: Any) -> Best:
    return replace(best_run(*asked, **how), proved=False)


@pytest.mark.rule("18GL 4.6.3")
def test_4_6_3_a_refusal_names_no_total_that_is_not_above_the_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is looked for above a run may be found where a search from nothing ends before it."""
    state = running("2H", laid="D10 730 0")
    monkeypatch.setattr(running_step, "best_run", lambda *_, **__: Best((), 0, False, 0))
    on.refused(state, on.run("MR", ("2H", "D12-D14")), "4.6.3", "a run earns more than $60")

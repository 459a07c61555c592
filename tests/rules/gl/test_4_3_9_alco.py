"""18GL 4.3(9): ALCO makes one H train reach two hexes further."""

import pytest
from msgspec.structs import replace

from engine.actions import Decline, ExtendTrain
from engine.events import PrivateClosed, TrainExtended
from engine.position.frames import Running
from engine.position.values import CLOSED
from tests.rules.gl.lent import extend
from tests.rules.gl.setting import on

WAY = "E13 6 5,F14 57 2,G15 57 2"
IC = on.turn("run", "IC", laid=WAY, owns={"ALCO": "Ann"}, trains=("2H", "2H"))


@pytest.mark.rule("18GL 4.3(9)")
@pytest.mark.rule("18GL 4.6.3")
@pytest.mark.parametrize("train", ["2H", "4H", "6H"])
def test_one_train_reaches_two_hexes_further_for_good(train: str) -> None:
    """Before the run; the private stays open."""
    state = on.own(IC, "IC", train, train)
    act = extend("IC", train)
    event = TrainExtended("IC", "ALCO", train, f"{train}+2")
    assert on.happened(state, act, TrainExtended) == [event]
    then = on.after(state, act)
    assert then.trains["IC"] == (f"{train}+2", train)
    assert on.title.trains[f"{train}+2"].reach == on.title.trains[train].reach + 2
    assert then.stack[-1] == Running("IC")
    assert then.privates["ALCO"] == "Ann"
    on.refused(then, act, "4.3(9)", "used up")


@pytest.mark.rule("18GL 4.3(9)")
def test_the_extended_train_runs_where_it_could_not() -> None:
    """Chicago to Fort Wayne is three hexes."""
    on.refused(IC, on.run("IC", ("2H", "D14-E13-F14-G15")), "4.6.3")
    then = on.after(IC, extend("IC", "2H"))
    assert on.why_not(then, on.run("IC", ("2H+2", "D14-E13-F14-G15"), ("2H", "D14-D12"))) is None


@pytest.mark.rule("18GL 4.3(9)")
def test_only_trains_of_the_company_and_only_2h_4h_6h() -> None:
    """Not a 10H, not one that it does not have, not before or after the run."""
    state = on.own(IC, "IC", "10H", "2H")
    on.refused(state, extend("IC", "10H"), "4.3(9)", "10H")
    on.refused(state, extend("IC", "4H"), "4.3(9)", "has no 4H")
    early = on.operating(IC, "IC", "token")
    assert on.allowed(early, extend("IC", "2H"))
    late = on.operating(IC, "IC", "trains")
    on.refused(late, extend("IC", "2H"), "4.1, 4.6")


@pytest.mark.rule("18GL 4.3(9)")
def test_alco_of_another_player_needs_his_leave() -> None:
    """Bob agrees; Ann runs."""
    waiting = on.after(on.privates(IC, {"ALCO": "Bob"}), extend("IC", "2H"))
    assert on.waits_for(waiting) == ("Bob",)
    then = on.after(waiting, on.accept("Bob"))
    assert then.trains["IC"] == ("2H+2", "2H")
    assert on.waits_for(then) == ("Ann",)


@pytest.mark.rule("18GL 4.3(9)")
@pytest.mark.rule("18GL R14")
def test_it_closes_when_the_train_rusts() -> None:
    """A 2H goes with the first 6H; a 4H that was extended goes on, and so does ALCO."""
    for train, owner in (("2H", CLOSED), ("4H", "Ann")):
        state = on.turn("trains", "IC", at_phase="4H", cash=999, trains=(f"{train}+2",))
        state = on.privates(on.phase(state, "4H", left=14), {"ALCO": "Ann"})
        state = replace(state, spent=("ALCO",))
        buy = on.buy_train("IC", "6H", 300)
        closed = [e.private for e in on.happened(state, buy, PrivateClosed)]
        assert closed == (["ALCO"] if owner == CLOSED else [])
        assert on.after(state, buy).privates["ALCO"] == owner


@pytest.mark.rule("18GL 4.3(9)")
def test_a_train_without_a_route_may_be_extended() -> None:
    """DT&I has no track, so nothing to run; its turn waits for the power, and goes on without it."""
    state = on.waiting(on.turn("run", "DT&I", owns={"ALCO": "Ann"}, trains=("2H",)))
    assert state.stack[-1] == Running("DT&I")
    assert on.offered(state, "Ann", ExtendTrain) == [extend("DT&I", "2H")]
    then = on.after(state, extend("DT&I", "2H"))
    assert then.trains["DT&I"] == ("2H+2",)
    assert not isinstance(then.stack[-1], Running), "nothing is left to decide about runs"
    without = on.after(state, on.buy_train("DT&I", "2H", 100))
    assert (without.trains["DT&I"], on.price(without, "DT&I")) == (("2H", "2H"), 90)
    assert on.allowed(state, on.done())


@pytest.mark.rule("18GL 4.3(9)")
def test_without_a_route_anothers_alco_is_asked_for() -> None:
    """Bob declines, and Ann may go on."""
    state = on.waiting(on.turn("run", "DT&I", owns={"ALCO": "Bob"}, trains=("2H",)))
    asked = on.after(state, extend("DT&I", "2H"))
    assert on.waits_for(asked) == ("Bob",)
    assert on.after(asked, on.accept("Bob")).trains["DT&I"] == ("2H+2",)
    declined = on.after(asked, Decline(by="Bob"))
    assert on.allowed(declined, on.done())


@pytest.mark.rule("18GL 4.3(9)")
@pytest.mark.parametrize("owner", [CLOSED, "Ann"])
def test_without_a_route_and_nothing_to_extend_nobody_is_asked(owner: str) -> None:
    """The power is gone, or serves no 10H."""
    trains = ("10H",) if owner == "Ann" else ("2H",)
    state = on.waiting(on.turn("run", "DT&I", owns={"ALCO": owner}, trains=trains))
    assert not isinstance(state.stack[-1], Running)

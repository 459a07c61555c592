"""18GL 4.3(4), (5): Bridge and Tunnel halve what rivers and hills cost a company."""

import pytest
from msgspec.structs import replace

from engine.actions import LaidTile, LayTile
from engine.events import MarksGiven, TileLaid
from engine.position.values import Mark, State
from engine.steps.judging.cost import laying_cost
from tests.rules.gl.lent import mark
from tests.rules.gl.setting import on

#: Lake Superior and Ishpeming beside the hill C3, Cleveland beside the hill L16
LSI = on.turn("track", "LS&I", laid="D2 6 5", owns={"Tunnel": "Ann", "Bridge": "Bob"})
LAY = on.lay("LS&I", "9", "C3", 1)


def cost(state: State, lay: LayTile) -> int:
    """What a lay costs."""
    return on.happened(state, lay, TileLaid)[0].cost


@pytest.mark.rule("18GL 4.3(5)")
@pytest.mark.rule("18GL R12")
def test_the_marker_goes_on_the_charter_before_the_tile_is_paid() -> None:
    """A hill of $20 costs $10; the private stays open, the marker is given once."""
    assert cost(LSI, LAY) == 20
    give = mark("LS&I", "Tunnel")
    assert on.happened(LSI, give, MarksGiven) == [MarksGiven("LS&I", ("tunnel",))]
    then = on.after(LSI, give)
    assert then.privates["Tunnel"] == "Ann"
    assert then.marks == (Mark("tunnel", "LS&I", "Tunnel"),)
    assert cost(then, LAY) == 10
    on.refused(then, give, "4.3(4)", "used up")


@pytest.mark.rule("18GL 4.3(4)")
@pytest.mark.rule("18GL 4.3(5)")
@pytest.mark.parametrize(
    ("private", "hex_", "whole", "half"),
    [
        ("Bridge", "F10", 20, 10),
        ("Bridge", "B4", 40, 20),
        ("Bridge", "E19", 50, 25),
        ("Bridge", "C3", 20, 20),
        ("Tunnel", "C3", 20, 10),
        ("Tunnel", "K17", 40, 20),
        ("Tunnel", "L18", 50, 25),
        ("Tunnel", "M19", 60, 30),
        ("Tunnel", "B4", 40, 40),
    ],
)
def test_every_laying_cost_the_rulebook(private: str, hex_: str, whole: int, half: int) -> None:
    """Rivers for Bridge, hills for Tunnel."""
    lay = LaidTile(hex_, "9", 0)
    assert laying_cost(on.table(LSI), "LS&I", lay) == whole
    kind = private.lower()
    marked = on.marks(LSI, Mark(kind, "LS&I", private))
    assert laying_cost(on.table(marked), "LS&I", lay) == half
    other = on.marks(LSI, Mark(kind, "IC", private))
    assert laying_cost(on.table(other), "LS&I", lay) == whole


@pytest.mark.rule("18GL 4.3(4)")
def test_bridge_of_another_player_needs_his_leave() -> None:
    """Bob agrees; Ann goes on with her tiles, at half price for rivers."""
    waiting = on.after(LSI, mark("LS&I", "Bridge"))
    assert on.waits_for(waiting) == ("Bob",)
    then = on.after(waiting, on.accept("Bob"))
    assert [m.kind for m in then.marks] == ["bridge"]
    assert on.waits_for(then) == ("Ann",)
    assert then.privates["Bridge"] == "Bob"


@pytest.mark.rule("18GL 4.3(4)")
def test_the_marker_has_no_place_on_the_map() -> None:
    """It is a company's."""
    on.refused(LSI, mark("LS&I", "Tunnel", "C3"), "4.3(4)", "charter")


@pytest.mark.rule("18GL 4.3(4)")
@pytest.mark.rule("18GL 4.3")
def test_the_marker_leaves_with_phase_e_and_not_before() -> None:
    """At 10H the private closes, the marker goes on."""
    state = on.turn("trains", "LS&I", at_phase="6H", cash=2000, owns={"Tunnel": "Ann"})
    state = on.marks(state, Mark("tunnel", "LS&I", "Tunnel"))
    state = replace(on.phase(state, "6H", left=9), spent=("Tunnel",))
    then = on.after(state, on.buy_train("LS&I", "10H", 600))
    assert then.phase == "10H"
    assert then.privates["Tunnel"] == "closed"
    assert len(then.marks) == 1
    last = on.phase(on.money(then, {"LS&I": 2000}), "10H", left=5)
    assert on.after(last, on.buy_train("LS&I", "E", 800)).marks == ()


@pytest.mark.rule("18GL 4.3(4)")
def test_a_company_that_has_only_the_half_can_pay_it() -> None:
    """$10 is not enough for the hill without the marker."""
    poor = on.money(LSI, {"LS&I": 10})
    on.refused(poor, LAY, "4.6.1.1", "$20", "$10")
    assert on.allowed(on.after(poor, mark("LS&I", "Tunnel")), LAY)

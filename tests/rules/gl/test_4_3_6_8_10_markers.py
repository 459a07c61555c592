"""18GL 4.3(6), (8), (10): Terminal, Mine and Port are worth a bonus to one company."""

import pytest

from engine.actions import PlaceMark, PlaceStation
from engine.events import MarkPlaced
from engine.position.frames import Stations
from engine.position.values import CLOSED, Mark, State
from engine.runs.routes import explain
from tests.rules.gl.lent import mark
from tests.rules.gl.setting import on

OWN = {"Terminal": "Ann", "Mine": "Ann", "Port": "Ann"}
#: Illinois Central with Gary and South Bend in reach
WAY = "E13 6 5,F14 57 2"
IC = on.turn("token", "IC", laid=WAY, owns=OWN, trains=("4H",))


def worth(state: State, path: str, train: str = "4H", name: str = "IC") -> int:
    """What one run earns."""
    return sum(v.total for v in explain(on.table(state), name, on.run(name, (train, path)).runs))


@pytest.mark.rule("18GL 4.3(6)")
@pytest.mark.rule("18GL 4.3(10)")
@pytest.mark.parametrize(("private", "bonus"), [("Terminal", 10), ("Port", 20)])
def test_a_place_with_the_icon_is_worth_more_and_the_private_closes(
    private: str, bonus: int
) -> None:
    """Gary has both icons; the bonus is the company's alone."""
    put = mark("IC", private, "E13")
    assert on.happened(IC, put, MarkPlaced) == [MarkPlaced("IC", private.lower(), "E13")]
    then = on.after(IC, put)
    assert then.privates[private] == CLOSED
    assert worth(then, "D14-E13") == worth(IC, "D14-E13") + bonus
    other = on.company(then, "MR", {"Bob": 60}, trains=("4H",))
    assert worth(other, "D12-D14-E13", name="MR") == worth(IC, "D14-E13") + 30


@pytest.mark.rule("18GL 4.3(6)")
@pytest.mark.rule("18GL 4.3(10)")
@pytest.mark.rule("18GL R13")
def test_any_place_with_the_icon_whether_track_leads_there_or_not() -> None:
    """Cities, towns and off-map locations; nothing else."""
    places = {
        private: {
            a.hex
            for a in on.offered(IC, "Ann", PlaceMark)
            if isinstance(a, PlaceMark) and a.private == private
        }
        for private in OWN
    }
    assert places["Terminal"] == {"E13", "I13", "J12", "L14", "L16", "M13", "N18"}
    ports = {"D2", "D6", "D10", "E3", "E13", "F10", "G7", "H2", "I5", "I13", "K11", "L14"}
    assert places["Port"] == ports
    assert places["Mine"] == {"E1"}
    on.refused(IC, mark("IC", "Port", "F14"), "4.3", "E13")
    on.refused(IC, mark("IC", "RailWorks", "E13"), "4.3", "no marker")


@pytest.mark.rule("18GL 4.3(8)")
def test_the_mine_is_worth_a_hundred_and_stays_open() -> None:
    """E1 counts double for one company; the marker is given once."""
    laid = "E3 725 4,D2 57 2"
    state = on.turn("token", "LS&I", laid=laid, owns=OWN, trains=("4H",))
    before = worth(state, "D2-E3-E1", name="LS&I")
    then = on.after(state, mark("LS&I", "Mine", "E1"))
    assert worth(then, "D2-E3-E1", name="LS&I") == before + 50
    assert then.privates["Mine"] == "Ann"
    again = on.operating(then, "LS&I", "token")
    on.refused(again, mark("LS&I", "Mine", "E1"), "4.3", "used up")


@pytest.mark.rule("18GL 4.3(6)")
@pytest.mark.rule("18GL R13")
def test_a_place_with_two_towns_counts_the_bonus_once_a_train() -> None:
    """Ashtabula and Erie: whichever town a train stops in, and if in both, once."""
    laid = "M13 56 4,M15 3 2,L14 733 0"
    state = on.turn("run", "NYC", laid=laid, at_phase="4H", trains=("4H",))
    marked = on.marks(state, Mark("terminal", "NYC", "Terminal", "M13"))
    for path in ("N12-M13-M15", "N14-M13-L14", "N12-M13-M15-L14-M13"):
        assert worth(marked, path, name="NYC") == worth(state, path, name="NYC") + 10


@pytest.mark.rule("18GL 4.6.2")
@pytest.mark.rule("18GL 4.3(10)")
def test_markers_are_put_beside_the_turns_station() -> None:
    """Before it or after it; the step ends when neither is possible any more."""
    then = on.after(IC, on.token("IC", "E13"))
    assert then.stack[-1] == Stations("IC", True)
    assert not on.offered(then, "Ann", PlaceStation)
    then = on.after(then, mark("IC", "Port", "E13"), mark("IC", "Terminal", "E13"))
    assert then.stack[-1] == Stations("IC", True)
    then = on.after(then, mark("IC", "Mine", "E1"))
    assert not isinstance(then.stack[-1], Stations)
    first = on.after(IC, mark("IC", "Port", "E13"))
    assert on.allowed(first, on.token("IC", "E13"))


@pytest.mark.rule("18GL 4.3")
def test_markers_leave_with_phase_e() -> None:
    """They outlive the privates, which close with 10H."""
    state = on.turn("trains", "IC", at_phase="6H", cash=2000, trains=("6H",))
    state = on.marks(on.phase(state, "6H", left=9), Mark("port", "IC", "Port", "E13"))
    then = on.after(state, on.buy_train("IC", "10H", 600))
    assert [m.kind for m in then.marks] == ["port"]
    last = on.operating(on.money(on.own(then, "IC", "10H"), {"IC": 2000}), "IC", "trains")
    last = on.phase(last, "10H", left=5)
    assert on.after(last, on.buy_train("IC", "E", 800)).marks == ()


@pytest.mark.rule("18GL 4.3")
def test_powers_that_nobody_used_are_lost_with_phase_10h() -> None:
    """All privates close."""
    state = on.turn("trains", "IC", at_phase="6H", cash=2000, trains=("6H",), owns=OWN)
    state = on.phase(state, "6H", left=9)
    then = on.after(state, on.buy_train("IC", "10H", 600))
    assert {then.privates[private] for private in OWN} == {CLOSED}
    later = on.operating(then, "IC", "token")
    on.refused(later, mark("IC", "Port", "E13"), "4.3", "closed")

"""18GL 4.9, 4.10: what express and diesel trains are."""

import pytest

from engine.position.values import OFFERING
from tests.rules.gl.setting import on


@pytest.mark.rule("18GL 4.9", "18GL Table 8")
def test_4_9_express_trains_count_cities_and_double_until_the_first_diesel() -> None:
    """By their number two, three, three and four; five and single once there is a D."""
    kind = on.GL.trains["E"]
    assert (kind.counts, kind.doubles) == ("cities", ("city", "offboard"))
    assert (kind.reach_by_owned, kind.reach, kind.settled_on) == ((2, 3, 3, 4), 5, "D")


@pytest.mark.rule("18GL 4.9", "18GL 4.10")
def test_4_9_each_type_comes_when_the_one_before_is_sold() -> None:
    """10H, then E, then D."""
    state = on.turn("trains", "MR", at_phase="10H", trains=("10H",), cash=9000)
    state = on.own(state, OFFERING, "10H", "E", "D")
    on.refused(state, on.buy_train("MR", "E", 800), "4.6.8", "10H")
    state = on.after(state, on.buy_train("MR", "10H", 600))
    state = on.operating(on.own(state, "MR", "10H"), "MR", "trains")
    on.refused(state, on.buy_train("MR", "D", 1000), "4.6.8", "next new train is a E")
    state = on.after(state, on.buy_train("MR", "E", 800))
    assert (state.phase, on.table(state).next_train().type) == ("E", "D")


@pytest.mark.rule("18GL 4.10")
def test_4_10_diesel_trains_run_as_far_as_they_can() -> None:
    """Nothing limits them, and no other train."""
    kind = on.GL.trains["D"]
    assert (kind.counts, kind.count, kind.doubles) == ("nothing", 0, ())

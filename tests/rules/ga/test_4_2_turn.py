"""18GA 4.2: the steps of a corporation's turn, and where it starts."""

import pytest
from msgspec.structs import replace

from engine.events import StationPlaced, TrainsRan
from engine.position.values import State, Station
from tests.rules.ga.setting import ATLANTA, GA, LINE, SHORT, on, turn


@pytest.mark.rule("18GA 4.2")
def test_4_2_steps_come_in_their_order() -> None:
    """No tile after a station, no station after a run."""
    state = turn("ACL", "track", "2", laid=LINE)
    state = on.after(state, on.token("ACL", "I11"))
    on.refused(state, on.lay("ACL", "9", "J10"), "3, 4", "tiles")
    state = on.after(state, on.run("ACL", ("2", "J12-I11")))
    on.refused(state, on.token("ACL", "I9"), "3, 4")


@pytest.mark.rule("18GA 4.2(a)")
def test_a_the_home_station_is_put_on_the_first_turn_for_nothing() -> None:
    """CoG's in Macon."""
    state = on.company(on.stock_turn(), "CoG", {"Ann": 60}, turns=0)
    ended = on.end_of_round(state)
    assert on.happened(ended, on.done(), StationPlaced) == [StationPlaced("CoG", "F6", 0, True)]


def wa(laid: str = "") -> State:
    """The first operating turn of W&A."""
    state = on.company(on.stock_turn(), "W&A", {"Ann": 60}, turns=0)
    state = on.tiles(state, laid) if laid else state
    found: State = on.operating_round(state)
    return found


@pytest.mark.rule("18GA 4.2(a)")
@pytest.mark.parametrize("stop", [0, 1, 2])
def test_a_wa_takes_any_of_atlantas_cities(stop: int) -> None:
    """Where a tile lies, its president chooses and nothing comes before."""
    state = wa(ATLANTA)
    on.refused(state, on.lay("W&A", "9", "E3"), "4.2(a)", "Atlanta")
    on.refused(state, on.token("W&A", "C3"), "4.2(a)", "Atlanta")
    now = on.after(state, on.token("W&A", "D4", stop=stop))
    assert now.stations == {"D4": (Station("W&A", stop),)}


@pytest.mark.rule("18GA 4.2(a)")
def test_a_atlantas_circles_are_alike_before_a_tile_lies_there() -> None:
    """The station is put without a question; with the tile its layer chooses the city."""
    state = on.money(wa(), {"W&A": 100})
    assert [s.company for s in state.stations["D4"]] == ["W&A"]
    state = on.after(state, on.lay("W&A", "451a", "D4"))
    on.refused(state, on.done(), "4.2.1(h)", "W&A", "Atlanta")
    on.refused(state, on.token("W&A", "C3"), "4.2.1(h)")
    for stop in (0, 1, 2):
        now = on.after(state, on.token("W&A", "D4", stop=stop))
        assert now.stations["D4"] == (Station("W&A", stop),)
        assert now.charters["W&A"] == state.charters["W&A"] - 1
    assert on.allowed(now, on.done())


@pytest.mark.rule("18GA 4.2(a)")
def test_a_whoever_lays_atlantas_tile_chooses_for_wa() -> None:
    """SAL comes from Rome, lays the tile and puts W&A's station where it likes."""
    state = on.company(on.stock_turn(), "W&A", {"Bob": 60}, at=(0, 0))
    state = on.company(state, "SAL", {"Ann": 60}, cash=100, stations=("C3",))
    state = on.operating(on.tiles(state, "C3 57 2"), "SAL")
    state = on.after(state, on.lay("SAL", "451a", "D4"))
    assert on.waits_for(state) == ("Ann",)
    now = on.after(state, on.token("SAL", "D4", stop=2))
    assert now.stations["D4"] == (Station("W&A", 2),)


@pytest.mark.rule("18GA 4.2(a)")
def test_a_a_power_puts_no_home_station() -> None:
    """W&S serves for Waycross alone."""
    state = on.privates(wa(ATLANTA), {"W&S": "W&A"})
    on.refused(state, on.token("W&A", "D4", power="W&S"), "4.2(a)", "Atlanta")


@pytest.mark.rule("18GA 4.2(a)")
def test_a_acl_starts_in_jacksonville() -> None:
    """The red area is its home and has a circle."""
    state = on.operating_round(on.company(on.stock_turn(), "ACL", {"Ann": 60}, turns=0))
    assert state.stations == {"J12": (Station("ACL", 0),)}


@pytest.mark.rule("18GA 4.2(b)")
def test_b_one_tile_new_or_upgraded() -> None:
    """After one no other."""
    state = turn("ACL", laid=SHORT, phase="3")
    state = on.after(state, on.lay("ACL", "9", "H10", 2))
    on.refused(state, on.lay("ACL", "9", "G9", 2), "4.2(b)")
    on.refused(state, on.lay("ACL", "14", "I11", 1), "4.2(b)")


@pytest.mark.rule("18GA 4.2(c)")
def test_c_one_station() -> None:
    """After it the company runs."""
    state = on.after(turn("ACL", "token", "2", laid=LINE), on.token("ACL", "I11"))
    on.refused(state, on.token("ACL", "I9"), "3, 4")


@pytest.mark.rule("18GA 4.2(d)")
def test_d_running_may_be_left_out_unless_a_shareholder_insists() -> None:
    """Bob has a share."""
    state = turn("ACL", "run", "2", laid=LINE, held={"Ann": 50, "Bob": 10})
    assert on.allowed(state, on.run("ACL"))
    on.refused(replace(state, insist=("Bob",)), on.run("ACL"), "4.2.3.1", "Bob")


@pytest.mark.rule("18GA 4.2(e)")
def test_e_the_dividend_is_no_option() -> None:
    """It must be paid or withheld."""
    state = replace(turn("ACL", "dividend", "2", laid=LINE), earned={"ACL": 50})
    on.refused(state, on.done(), "4.2.4", "ACL", "pay")


@pytest.mark.rule("18GA 4.2(f)")
def test_f_trains_come_after_running() -> None:
    """A company that just floated does not run what it buys."""
    state = on.after(turn("ACL", "track", laid=LINE), on.buy_train("ACL", "2", 100))
    on.refused(state, on.run("ACL", ("2", "J12-I11")), "3, 4")


@pytest.mark.rule("18GA 4.2(f)")
def test_f_the_ocilla_southerns_train_runs_on_the_first_turn() -> None:
    """Bought in the tile step, it brings a train that runs at once."""
    state = turn("ACL", laid=LINE, phase="3", owns={"OSR": "Ann"})
    state = on.after(state, on.trade("OSR", "Ann", "ACL", 100))
    (ran,) = on.happened(state, on.run("ACL", ("2F", "J12-I11")), TrainsRan)
    assert ran.revenue == 50


@pytest.mark.rule("18GA 4.2(g)")
@pytest.mark.parametrize("step", ["track", "token", "run", "trains"])
def test_g_private_companies_at_any_time_of_the_turn(step: str) -> None:
    """At every step, and more than one."""
    state = turn("ACL", step, "2", laid=LINE, phase="3", owns={"LT": "Ann", "M&B": "Ann"})
    state = on.after(state, on.trade("LT", "Ann", "ACL", 20), on.trade("M&B", "Ann", "ACL", 150))
    assert (state.privates["LT"], state.privates["M&B"]) == ("ACL", "ACL")


@pytest.mark.rule("18GA 4.2(h)")
def test_h_a_power_is_its_owners_in_its_own_step() -> None:
    """The Midland's tile in the tile step; not of a player, and not of another company."""
    lay = on.lay("ACL", "9", "F12", 2, power="MRC")
    assert on.allowed(turn("ACL", laid=LINE, owns={"MRC": "ACL"}), lay)
    on.refused(turn("ACL", laid=LINE, owns={"MRC": "Ann"}), lay, "Table III", "Ann")
    on.refused(turn("ACL", laid=LINE, owns={"MRC": "CoG"}), lay, "Table III", "CoG")
    on.refused(turn("ACL", "token", laid=LINE, owns={"MRC": "ACL"}), lay, "3, 4")
    assert GA.facts.anytime == ("company privates",)

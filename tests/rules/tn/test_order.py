"""18TN 1.1, 1.4, 4, 4.2, 4.2.5: the order of rounds and steps, the bank's two places."""

import pytest

from engine.events import RoundBegan, TrainBought
from engine.position.frames import Payout, Track, Trains
from engine.position.values import MARKET, OFFERING
from tests.rules.tn.setting import EAST, on


@pytest.mark.rule("18TN 1.1")
@pytest.mark.rule("18TN 4")
def test_rounds_alternate_and_each_floated_company_operates_once() -> None:
    """In the order of prices; one that has not floated does not operate."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60}, par=70, turns=0)
    state = on.company(state, "IC", {"Bob": 60}, par=90, turns=0)
    state = on.company(state, "SOU", {"Cas": 50}, par=80, turns=0)
    state = on.after(on.end_of_round(state), on.done())
    assert (str(state.round), on.waits_for(state)) == ("OR 2.1", ("Bob",))
    state = on.after(state, on.done("Bob"))
    assert on.waits_for(state) == ("Ann",)
    assert on.happened(state, on.done(), RoundBegan) == [RoundBegan("SR 3")]


@pytest.mark.rule("18TN 1.4")
@pytest.mark.rule("18TN 3.2(c)(3)")
def test_new_shares_cost_par_and_used_ones_the_market_value() -> None:
    """As different as they have become."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 50}, par=65, at=(0, 5), market=10)
    assert on.after(state, on.buy("TC")).cash["Ann"] == 535
    assert on.after(state, on.buy_used("TC")).cash["Ann"] == 490


@pytest.mark.rule("18TN 4.2")
@pytest.mark.rule("18TN 4.2(c)")
@pytest.mark.rule("18TN 4.2(g)")
def test_tiles_a_station_the_run_the_dividend_and_trains_in_this_order() -> None:
    """One station; trains are bought after running."""
    state = on.turn("SOU", laid="F17 57 1,F15 9 1,F13 4 1,F11 TN2 0", trains=("2",))
    assert isinstance(state.stack[-1], Track)
    placed = on.after(state, on.token("SOU", "F11"))
    on.refused(placed, on.token("SOU", "G12"), "3, 4")
    on.refused(placed, on.lay("SOU", "8", "F19", 1), "3, 4")
    ran = on.after(placed, on.run("SOU", ("2", "F17-F15-F13")))
    assert isinstance(ran.stack[-1], Payout)
    on.refused(ran, on.buy_train("SOU", "2", 80), "4.2.4")
    bought = on.after(ran, on.pay("SOU"))
    assert isinstance(bought.stack[-1], Trains)
    on.refused(bought, on.run("SOU"), "4.2")


@pytest.mark.rule("18TN 4.2.1")
@pytest.mark.rule("18TN 4.2.1(b)")
def test_tiles_are_everybody_s_and_their_number_is_limited() -> None:
    """Two of tile 3: the third is not to be had until one is replaced."""
    laid = "F17 57 1,F15 8 4,C16 3 0,F5 3 0"
    state = on.turn("SOU", laid=f"{laid},E14 9 1,F13 58 0", at_phase="3")
    assert on.table(state).tiles_left("3") == 0
    on.refused(state, on.lay("SOU", "3", "E10", 0), "4.2.1(b)")
    freed = on.tiles(state, "F5 141 0")
    assert on.table(freed).tiles_left("3") == 1


@pytest.mark.rule("18TN 4.2.3(c)")
def test_a_train_does_not_turn_at_a_fork() -> None:
    """From F17 by the switch of tile 24 on F15 it runs to either side, not from side to side."""
    state = on.turn("SOU", "run", laid="F17 57 1,F15 24 1,F13 4 1,E16 9 0", trains=("3",))
    sides = on.TN.face("24", 1).track
    assert {frozenset(piece) for piece in sides} == {frozenset((1, 4)), frozenset((1, 3))}
    on.refused(state, on.run("SOU", ("3", "F17-F15-E16")), "4.2.3(c)", "fork")
    assert on.allowed(state, on.run("SOU", ("3", "F17-F15-F13")))


@pytest.mark.rule("18TN 4.2.5")
@pytest.mark.rule("18TN 4.2.5(a)")
@pytest.mark.rule("18TN 4.2.5(b)")
@pytest.mark.rule("18TN 4.2.5(c)")
def test_new_trains_are_bought_in_their_order_and_used_ones_at_any_time() -> None:
    """All of the bank at face value."""
    state = on.own(on.turn("SOU", "trains", laid=EAST, at_phase="4", cash=900), MARKET, "3")
    on.refused(state, on.buy_train("SOU", "5", 450), "4.2.5(b)", "next new train is a 4")
    on.refused(state, on.buy_train("SOU", "4", 299), "4.2.5(c)")
    on.refused(state, on.buy_train("SOU", "3", 100, MARKET), "4.2.5(c)")
    both = on.after(state, on.buy_train("SOU", "4", 300), on.buy_train("SOU", "3", 180, MARKET))
    assert both.trains["SOU"] == ("4", "3")
    assert both.trains[OFFERING][0] == "4"


@pytest.mark.rule("18TN 4.2.5.2(b)")
def test_a_president_helps_to_buy_one_train_only() -> None:
    """After it the company has no money, and no need."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="4", cash=100)
    (bought,) = on.happened(state, on.buy_train("SOU", "4", 300), TrainBought)
    assert bought.aid == 200
    then = on.after(state, on.buy_train("SOU", "4", 300))
    assert then.cash["SOU"] == 0
    assert not isinstance(then.stack[-1], Trains)

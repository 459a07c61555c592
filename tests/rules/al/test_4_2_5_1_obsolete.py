"""18AL 4.2.5.1: obsolete trains."""

import pytest
from msgspec.structs import replace

from engine.actions import DiscardTrain
from engine.events import (
    TrainsGone,
    TrainsObsolete,
)
from engine.position.frames import Discard
from engine.position.values import MARKET, OFFERING, REMOVED, State
from tests.rules import setting as on


def rich(phase: str, *trains: str) -> State:
    """L&N, Ann's, with $2000 and these trains."""
    state = on.phase(on.stock_turn(), phase)
    return on.company(state, "L&N", {"Ann": 60}, cash=2000, trains=trains)


def seven() -> State:
    """L&N is to buy the 7; L&N, M&O and the market have 4 trains."""
    state = on.company(rich("6", "4"), "M&O", {"Bob": 60}, trains=("4",), par=60, cash=900)
    return on.own(on.operating(state, "L&N", "trains"), MARKET, "4")


@pytest.mark.rule("18AL 4.2.5.1")
def test_4_2_5_1_buyers_and_markets_4_trains_go_at_once() -> None:
    """M&O's 4 train stays and is obsolete."""
    act = on.buy_train("L&N", "7", 700)
    assert on.happened(seven(), act, TrainsGone) == [TrainsGone("4", {"L&N": 1, MARKET: 1})]
    assert on.happened(seven(), act, TrainsObsolete) == [TrainsObsolete("4")]
    now = on.after(seven(), act)
    assert (now.trains["L&N"], now.trains["M&O"], now.trains[MARKET]) == (("7",), ("4",), ())


@pytest.mark.rule("18AL 4.2.5.1")
def test_4_2_5_1_an_obsolete_train_runs_once_more() -> None:
    """M&O's 4 runs in M&O's next turn, goes after the dividend, and then a train must be bought."""
    state = on.tiles(on.after(seven(), on.buy_train("L&N", "7", 700)), "O2 9 0,M2 9 0,K2 57 0")
    state = on.operating(state, "M&O", "run")
    ran = on.after(state, on.run("M&O", ("4", "Q2-O2-M2-K2"), by="Bob"))
    assert ran.earned["M&O"] == 50 + 20
    paid = on.after(ran, on.pay("M&O", by="Bob"))
    assert paid.trains["M&O"] == ()
    on.refused(paid, on.done("Bob"), "4.2.5.2", "M&O", "4D")


@pytest.mark.rule("18AL 4.2.5.1")
def test_4_2_5_1_other_types_go_at_once() -> None:
    """The first 6 removes the 3 trains of everybody."""
    state = on.company(rich("5", "3"), "M&O", {"Bob": 60}, trains=("3",), par=60)
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "6", "7")
    now = on.after(state, on.buy_train("L&N", "6", 630))
    assert (now.trains["L&N"], now.trains["M&O"]) == (("6",), ())


@pytest.mark.rule("18AL 4.2.5.1")
def test_4_2_5_1_nobody_buys_an_obsolete_train() -> None:
    """M&O's 4 is not for sale once the 7 is bought; before, it was."""
    act = on.buy_train("L&N", "4", 50, "M&O")
    before = on.after(seven(), act)
    assert on.waits_for(before) == ("Bob",)
    on.refused(on.after(seven(), on.buy_train("L&N", "7", 700)), act, "4.2.5.1", "4")


@pytest.mark.rule("18AL 4.2.5.1")
def test_4_2_5_1_a_discarded_obsolete_train_leaves_the_game() -> None:
    """A company over the limit gives up an obsolete 4: it does not come to the open market."""
    state = on.company(rich("7"), "M&O", {"Bob": 60}, trains=("4", "4", "5"), par=60)
    state = replace(state, stack=(*state.stack, Discard(("M&O",))))
    now = on.after(state, DiscardTrain(by="Bob", company="M&O", train="4"))
    assert (now.trains[MARKET], now.trains[REMOVED]) == ((), ("4",))

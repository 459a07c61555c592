"""18AL 4.2.6: corporations buy private companies."""

import pytest

from engine.actions import Decline
from engine.events import Asked, PrivateBought
from engine.position.values import State
from engine.proposals import PrivateSale
from tests.rules import setting as on


def buyer(owner: str = "Ann", *, phase: str = "3", cash: int = 500) -> State:
    """L&N under Ann at its tile step; ``owner`` has all private companies."""
    state = on.company(on.phase(on.stock_turn(), phase), "L&N", {"Ann": 60}, cash=cash)
    return on.operating(on.privates(state, dict.fromkeys(on.AL.privates, owner)), "L&N")


@pytest.mark.rule("18AL 4.2.6")
@pytest.mark.parametrize("phase", ["1", "2"])
def test_4_2_6_not_before_the_first_3(phase: str) -> None:
    """Phase 3 allows it, phases 1 and 2 do not."""
    on.refused(buyer(phase=phase), on.trade("TR", "Ann", "L&N", 20), "4.2.6", f"phase {phase}")
    assert on.allowed(buyer(), on.trade("TR", "Ann", "L&N", 20))


@pytest.mark.rule("18AL 4.2.6")
def test_4_2_6_in_the_turn_that_brings_the_3() -> None:
    """The company that buys the first 3 may buy a private after it."""
    state = on.own(buyer(phase="2"), "initial offering", "3", "4")
    state = on.after(state, on.buy_train("L&N", "3", 180))
    assert on.allowed(state, on.trade("TR", "Ann", "L&N", 20))


@pytest.mark.rule("18AL 4.2.6")
@pytest.mark.parametrize(
    ("private", "low", "high"),
    [("TR", 10, 30), ("S&NA", 20, 60), ("B&SLC", 35, 105), ("M&C", 50, 150), ("NDY", 60, 180)],
)
def test_4_2_6_half_to_one_and_a_half_of_par(private: str, low: int, high: int) -> None:
    """The bounds of the price, each allowed, and a dollar beyond them."""
    state = buyer()
    for dollars in (low, high):
        now = on.after(state, on.trade(private, "Ann", "L&N", dollars))
        assert (now.privates[private], now.cash["L&N"]) == ("L&N", 500 - dollars)
        assert now.cash["Ann"] == 600 + dollars
    for dollars in (low - 1, high + 1):
        act = on.trade(private, "Ann", "L&N", dollars)
        on.refused(state, act, "4.2.6", private, f"${low}", f"${high}")


@pytest.mark.rule("18AL 4.2.6")
def test_4_2_6_the_treasury_pays() -> None:
    """$49 do not buy the M&C at half its par, $50 do."""
    on.refused(buyer(cash=49), on.trade("M&C", "Ann", "L&N", 50), "4.2.6", "$49", "$50")
    assert on.after(buyer(cash=50), on.trade("M&C", "Ann", "L&N", 50)).cash["L&N"] == 0


@pytest.mark.rule("18AL 4.2.6")
def test_4_2_6_the_owner_must_agree() -> None:
    """Bob is asked; his yes sells, his no does not."""
    state, act = buyer("Bob"), on.trade("M&C", "Bob", "L&N", 140)
    assert on.happened(state, act, Asked) == [
        Asked("Bob", "Ann", PrivateSale("M&C", "Bob", "L&N", 140))
    ]
    asked = on.after(state, act)
    assert on.happened(asked, on.accept("Bob"), PrivateBought) == [
        PrivateBought("M&C", "L&N", "Bob", 140)
    ]
    assert on.after(asked, Decline(by="Bob")).privates["M&C"] == "Bob"


@pytest.mark.rule("18AL 4.2.6")
def test_4_2_6_from_players_only_and_for_good() -> None:
    """What a company owns is never sold: not to another company, not to a player."""
    state = on.company(buyer(), "M&O", {"Ann": 60}, cash=500, par=60)
    state = on.operating(on.privates(state, {"TR": "M&O"}), "L&N")
    on.refused(state, on.trade("TR", "M&O", "L&N", 20), "4.2.6", "M&O")
    on.refused(state, on.trade("TR", "Ann", "L&N", 20), "4.2.6", "M&O")
    on.refused(state, on.trade("TR", "M&O", "Ann", 20), "4(b)", "Ann")


@pytest.mark.rule("18AL 4.2.6")
def test_4_2_6_closed_privates_are_not_bought() -> None:
    """From phase 5 on there is none."""
    state = on.privates(buyer(phase="5"), dict.fromkeys(on.AL.privates, "closed"))
    on.refused(state, on.trade("TR", "Ann", "L&N", 20), "4.2.6", "phase 5")

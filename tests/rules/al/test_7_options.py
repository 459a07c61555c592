"""18AL 7: the optional rules."""

import pytest

from engine.events import TrainsGone, TrainsObsolete
from engine.position.values import MARKET, OFFERING, State, Station
from engine.titles.registry import load_title
from tests.rules import setting as on

TWO_YELLOW = load_title("18AL", frozenset({"two-yellow"}))
DECATUR = load_title("18AL", frozenset({"decatur-home"}))
ENDLESS = load_title("18AL", frozenset({"endless-4d"}))
NO_LAST_RUN = load_title("18AL", frozenset({"no-last-run"}))


def first_turn(turns: int = 0, phase: str = "1") -> State:
    """L&N at its tile step, with so many turns behind it."""
    state = on.company(on.phase(on.stock_turn(), phase), "L&N", {"Ann": 60}, cash=500, turns=turns)
    state = state if turns else on.station(state, "L&N", "A4")
    return on.operating(state, "L&N")


@pytest.mark.rule("18AL 7(a)")
def test_a_two_yellow_tiles_on_the_first_turn() -> None:
    """A second one, not a third."""
    state = on.after(first_turn(), on.lay("L&N", "57", "C4"), title=TWO_YELLOW)
    state = on.after(state, on.lay("L&N", "9", "E4"), title=TWO_YELLOW)
    on.refused(state, on.lay("L&N", "9", "B3", 1), "4.2(b)", "L&N", title=TWO_YELLOW)


@pytest.mark.rule("18AL 7(a)")
def test_a_one_tile_on_later_turns() -> None:
    """The second turn is as in the game without the option."""
    state = on.after(first_turn(1), on.lay("L&N", "57", "C4"), title=TWO_YELLOW)
    on.refused(state, on.lay("L&N", "9", "E4"), "4.2(b)", title=TWO_YELLOW)


@pytest.mark.rule("18AL 7(a)")
def test_a_not_two_upgrades_and_not_one_of_each() -> None:
    """Two yellow tiles instead of one; an upgrade remains the one tile of the turn."""
    state = on.tiles(first_turn(phase="3"), "C4 57 0")
    upgraded = on.after(state, on.lay("L&N", "14", "C4"), title=TWO_YELLOW)
    on.refused(upgraded, on.lay("L&N", "9", "B3", 1), "4.2(b)", title=TWO_YELLOW)
    laid = on.after(state, on.lay("L&N", "9", "B3", 1), title=TWO_YELLOW)
    on.refused(laid, on.lay("L&N", "14", "C4"), "4.2(b)", title=TWO_YELLOW)


@pytest.mark.rule("18AL 7(a)")
def test_a_without_the_option_one_tile() -> None:
    """The first turn has one tile."""
    state = on.after(first_turn(), on.lay("L&N", "57", "C4"))
    on.refused(state, on.lay("L&N", "9", "E4"), "4.2(b)")


@pytest.mark.rule("18AL 7(b)")
def test_b_ln_starts_in_decatur() -> None:
    """Its home station stands there and Nashville is empty."""
    state = on.company(on.stock_turn(title=DECATUR), "L&N", {"Ann": 60}, turns=0, title=DECATUR)
    state = on.operating_round(state, DECATUR)
    assert state.stations == {"C4": (Station("L&N", 0),)}
    assert on.allowed(on.money(state, {"L&N": 20}), on.lay("L&N", "57", "C4", 1), DECATUR)


@pytest.mark.rule("18AL 7(b)")
def test_b_decatur_is_kept_free_for_it() -> None:
    """M&O cannot fill Decatur's circle before L&N is there; without the option it can."""
    state = on.company(
        on.stock_turn(), "M&O", {"Ann": 60}, cash=500, trains=("2",), stations=("G4",)
    )
    state = on.operating(on.tiles(state, "C4 57 0,E4 9 0,G4 441a 3"), "M&O", "token")
    on.refused(state, on.token("M&O", "C4"), "4.2.2(c)", "Decatur", "L&N", title=DECATUR)
    assert on.allowed(state, on.token("M&O", "C4"))


@pytest.mark.rule("18AL 7(c)")
def test_c_4d_trains_never_run_out() -> None:
    """Seven are bought and the next is for sale; without the option five are all."""
    state = on.opening(title=ENDLESS)
    state = on.own(
        on.company(on.stock_turn(title=ENDLESS), "L&N", {"Ann": 60}, cash=2000, title=ENDLESS),
        OFFERING,
        "4D",
    )
    for _ in range(7):
        state = on.own(on.money(state, {"L&N": 800}), "L&N")
        state = on.operating(state, "L&N", "trains")
        state = on.after(state, on.buy_train("L&N", "4D", 800), title=ENDLESS)
    assert state.trains[OFFERING] == ("4D",)
    last = on.own(
        on.operating(on.money(on.own(state, "L&N"), {"L&N": 800}), "L&N", "trains"), OFFERING, "4D"
    )
    assert on.after(last, on.buy_train("L&N", "4D", 800)).trains[OFFERING] == ()


@pytest.mark.rule("18AL 7(d)")
def test_d_the_7_removes_all_4_trains_at_once() -> None:
    """Everybody's go; without the option those of others run once more."""
    state = on.company(on.phase(on.stock_turn(), "6"), "L&N", {"Ann": 60}, cash=2000, trains=("4",))
    state = on.company(state, "M&O", {"Bob": 60}, par=60, trains=("4",))
    state = on.own(on.operating(state, "L&N", "trains"), MARKET, "4")
    act = on.buy_train("L&N", "7", 700)
    gone = on.happened(state, act, TrainsGone, NO_LAST_RUN)
    assert gone == [TrainsGone("4", {"L&N": 1, "M&O": 1, MARKET: 1})]
    assert on.happened(state, act, TrainsObsolete, NO_LAST_RUN) == []
    assert on.after(state, act).trains["M&O"] == ("4",)


@pytest.mark.rule("18AL 7(a)")
@pytest.mark.rule("18AL 7(b)")
@pytest.mark.rule("18AL 7(c)")
@pytest.mark.rule("18AL 7(d)")
def test_7_options_go_together_and_only_those_there_are() -> None:
    """All four at once; an unknown one is an error that names those there are."""
    names = frozenset({"two-yellow", "decatur-home", "endless-4d", "no-last-run"})
    assert load_title("18AL", names).variants == names
    assert {on.AL.facts.variants[n].rule for n in names} == {"7(a)", "7(b)", "7(c)", "7(d)"}
    with pytest.raises(LookupError, match=r"no optional rule three-yellow; it has .*two-yellow"):
        load_title("18AL", frozenset({"three-yellow"}))

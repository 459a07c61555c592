"""18AL 2: the start of the game."""

import pytest

from engine.flow import new_game
from engine.position.frames import PrivateTurn
from engine.position.values import BANK, MARKET, OFFERING
from tests.rules import setting as on


@pytest.mark.rule("18AL 2")
def test_2_first_named_has_priority_and_begins_a_stock_round() -> None:
    """The game begins with stock round 1 and the holder of the priority deal."""
    state = on.opening()
    assert (state.priority, str(state.round)) == ("Ann", "SR 1")
    assert state.stack[-1] == PrivateTurn("Ann")


@pytest.mark.rule("18AL 2")
def test_2_seats_and_priority_are_drawn_by_lot() -> None:
    """A seed draws the seating and the priority deal; all draws occur, each seed always the same."""
    names = ("Ann", "Bob", "Cas")
    drawn = {new_game(on.AL, names, seed).state.seats for seed in range(60)}
    assert len(drawn) == 6
    assert new_game(on.AL, names, 7).state == new_game(on.AL, names, 7).state
    assert all(new_game(on.AL, names, s).state.priority in names for s in range(5))


@pytest.mark.rule("18AL 2")
def test_2_map_and_chart_begin_empty() -> None:
    """No tile, no station, no price token."""
    state = on.opening()
    assert (state.tiles, state.stations, state.tokens) == ({}, {}, ())


@pytest.mark.rule("18AL 2")
def test_2_everything_is_in_the_initial_offering() -> None:
    """All shares, trains and private companies are new, nothing is used, no company has money."""
    state = on.opening()
    counts = {t: state.trains[OFFERING].count(t) for t in ("2", "3", "4", "5", "6", "7", "4D")}
    assert counts == {"2": 5, "3": 4, "4": 3, "5": 2, "6": 1, "7": 1, "4D": 5}
    assert state.trains[MARKET] == ()
    assert set(state.privates.values()) == {OFFERING}
    assert all(set(held) == {OFFERING} for held in state.shares.values())
    assert all(state.cash[c] == 0 for c in on.AL.companies)


@pytest.mark.rule("18AL 2")
def test_2_rest_of_the_money_is_the_bank() -> None:
    """What the players do not get is the bank."""
    assert on.opening(4).cash[BANK] == 8000 - 4 * 500


@pytest.mark.rule("18AL 2")
@pytest.mark.parametrize(
    "names", [("Ann", "Ann", "Bob"), ("Ann", "Bob", "bank"), ("Ann", "Bob", "TAG")]
)
def test_2_names_tell_owners_apart(names: tuple[str, ...]) -> None:
    """No two owners go by one name."""
    with pytest.raises(ValueError, match="the name is taken"):
        new_game(on.AL, names)

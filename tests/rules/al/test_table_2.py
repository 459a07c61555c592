"""18AL Table II: what players begin with and how many certificates they may have."""

import pytest

from engine.position.values import BANK
from tests.rules import setting as on


@pytest.mark.rule("18AL Table II 3 players")
@pytest.mark.rule("18AL Table II 4 players")
@pytest.mark.rule("18AL Table II 5 players")
@pytest.mark.parametrize(("seats", "dollars", "limit"), [(3, 600, 15), (4, 500, 12), (5, 400, 10)])
def test_table_2_cash_and_limit(seats: int, dollars: int, limit: int) -> None:
    """Cash and certificates by the number of players."""
    state = on.opening(seats)
    assert {state.cash[s] for s in state.seats} == {dollars}
    assert state.cash[BANK] == 8000 - seats * dollars
    assert on.table(state).certificate_limit() == limit


@pytest.mark.rule("18AL Table II 4 players")
@pytest.mark.rule("18AL Table II 5 players")
@pytest.mark.parametrize(("seats", "limit"), [(4, 12), (5, 10)])
def test_table_2_limit_in_play(seats: int, limit: int) -> None:
    """With one below the limit one buys, at the limit not."""
    state = on.company(on.stock_turn(seats=seats), "M&O", {"Ann": 50})
    state = on.company(state, "WRA", {"Ann": 50})
    state = on.money(on.company(state, "L&N", {"Bob": 20}), {"Ann": 2000})
    names = list(on.AL.privates)
    below = limit - 1 - on.table(state).certificates("Ann")
    assert on.allowed(on.privates(state, dict.fromkeys(names[:below], "Ann")), on.buy("L&N"))
    at = on.privates(state, dict.fromkeys(names[: below + 1], "Ann"))
    on.refused(at, on.buy("L&N"), "3.3(b)", f"{limit}")

"""18MW Private Companies: sales between players, certificates, revenue, closing."""

import pytest

from engine.position.frames import StockTurn
from engine.position.values import State
from tests.rules.mw.setting import on

RULE = "Private Companies"
pytestmark = pytest.mark.rule("18MW Private Companies")


def turn(number: int = 2) -> State:
    """Ann's turn; Bob owns two private companies, Ann one."""
    state = on.privates(on.stock_turn(number=number), {"RI": "Bob", "LCM": "Bob", "MO": "Ann"})
    return on.company(state, "IC", {"Cas": 50, "Ann": 10}, at=(2, 6))


BUY = on.trade("RI", "Bob", "Ann", 300)


def test_a_player_buys_of_another_at_any_price_on_the_own_turn() -> None:
    """The seller is asked; no limit by the face value, and no stock action."""
    state = turn()
    for price in (0, 1, 240, 650):
        sold = on.after(state, on.trade("RI", "Bob", "Ann", price), on.accept("Bob"))
        assert sold.privates["RI"] == "Ann"
        assert sold.cash["Bob"] - state.cash["Bob"] == price
    on.refused(state, on.trade("RI", "Bob", "Ann", 651), RULE, "$650")
    on.refused(state, on.trade("MO", "Bob", "Ann", 10), RULE, "belongs to Ann")


def test_it_does_not_count_as_a_stock_action() -> None:
    """One may still buy and sell, before and after it; who does nothing else has passed."""
    bought = on.after(turn(), BUY, on.accept("Bob"))
    assert bought.stack[-1] == StockTurn("Ann")
    assert on.allowed(bought, on.buy("IC"))
    assert on.allowed(bought, on.sell(1, "IC"))
    second = on.after(bought, on.trade("LCM", "Bob", "Ann", 90), on.accept("Bob"), on.buy("IC"))
    assert second.privates["LCM"] == "Ann"
    later = on.after(turn(), on.buy("IC"), BUY, on.accept("Bob"), on.done())
    assert later.stack[0].passes == 0
    assert on.after(bought, on.done()).stack[0].passes == 1


def test_nobody_sells_on_the_own_turn() -> None:
    """It is the buyer's turn on which they change hands."""
    on.refused(turn(), on.trade("MO", "Ann", "Bob", 200), RULE, "turn of Bob")


@pytest.mark.rule("18MW Initial Stock Round")
def test_none_are_sold_in_the_initial_stock_round() -> None:
    """Once all are sold by the bank neither."""
    on.refused(turn(1), BUY, "Initial Stock Round", "first stock round")


def test_a_private_company_is_a_certificate() -> None:
    """Who is at the limit buys none; one that closes counts no more."""
    state = turn()
    assert on.table(state).certificates("Ann") == 2
    closed = on.privates(state, {"MO": "closed"})
    assert on.table(closed).certificates("Ann") == 1
    for name in ("NP", "MP", "CNW"):
        state = on.company(state, name, {"Ann": 60})
    state = on.company(state, "SP", {"Cas": 30, "Ann": 30})
    assert on.table(state).certificates("Ann") == 20
    on.refused(state, BUY, "Shares and Limits", "certificate limit")


def test_the_first_5_closes_all() -> None:
    """Of whatever owner."""
    state = on.phase(on.turn("trains", "IC", cash=500, trains=["4"]), "4", left=13)
    state = on.privates(state, {"HSJ": "Ann", "RI": "IC", "MO": "Bob"})
    train = state.trains["initial offering"][0]
    assert train == "5"
    after = on.after(state, on.buy_train("IC", "5", 425))
    assert set(after.privates.values()) == {"closed"}

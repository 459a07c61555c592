"""18MW The Stock Market, Merger 8: what half shares of systems cost, bring, earn and are worth."""

import pytest
from msgspec.structs import replace

from engine.actions import Dividend
from engine.play.ending import worth
from engine.position.frames import OperatingRound, OperatingTurn, Payout
from engine.position.values import MARKET, OFFERING, State
from tests.rules.mw.setting import on

ANN = (10, 5, 5, 5)
BOB = (10, 5)


def system(price_at: tuple[int, int] = (0, 10), **elsewhere: tuple[int, ...]) -> State:
    """Ann's stock turn; she presides the Burlington Northern, at $145 unless told otherwise."""
    held = {"Ann": ANN, "Bob": BOB, **elsewhere}
    return on.system(on.phase(on.stock_turn(), "10"), "BN", held, at=price_at, cash=100)


@pytest.mark.rule("18MW The Stock Market")
@pytest.mark.rule("18MW R45")
@pytest.mark.parametrize(("halves", "dollars"), [(1, 72), (2, 145), (3, 217)])
def test_a_half_share_is_sold_for_half_the_price_rounded_down(halves: int, dollars: int) -> None:
    """Two halves that are sold together bring the full price."""
    state = system()
    sold = on.after(state, on.sell(halves, "BN"))
    assert on.price(state, "BN") == 145
    assert sold.cash["Ann"] - state.cash["Ann"] == dollars
    assert on.percent(sold, "BN")[MARKET] == 5 * halves


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.parametrize(("halves", "row"), [(1, 0), (2, 1), (3, 1)])
def test_the_price_moves_a_row_for_each_ten_percent_sold(halves: int, row: int) -> None:
    """An odd half does not move it."""
    sold = on.after(system(), on.sell(halves, "BN"))
    assert on.table(sold).cell("BN") == (row, 10)


@pytest.mark.rule("18MW Merger 8")
@pytest.mark.rule("18MW R45")
@pytest.mark.parametrize(
    ("source", "owner", "dollars"), [(MARKET, MARKET, 73), ("BN", "", 73), (OFFERING, OFFERING, 43)]
)
def test_a_half_share_is_bought_for_half_the_price_rounded_up(
    source: str, owner: str, dollars: int
) -> None:
    """Of the open market and the treasury at market value, of the initial offering at par."""
    state = system(**({owner: (5, 5)} if owner else {}))
    state = replace(state, pars={**state.pars, "BN": 85})
    bought = on.after(state, replace(on.buy_used("BN"), source=source))
    assert state.cash["Ann"] - bought.cash["Ann"] == dollars
    assert on.percent(bought, "BN")["Ann"] == 30


@pytest.mark.rule("18MW Dividend Payment")
@pytest.mark.rule("18MW Merger 4")
@pytest.mark.rule("18MW R45")
def test_odd_halves_are_paid_half_a_dividend_rounded_up() -> None:
    """Of $130 a share gets $13: Ann's two shares and a half $33, Bob's one and a half $20."""
    state = replace(
        system(),
        stack=(OperatingRound(True, ("BN",)), OperatingTurn("BN", 4), Payout("BN")),
        earned={"BN": 130},
    )
    paid = on.after(state, Dividend(by="Ann", company="BN", kind="pay"))
    assert paid.cash["Ann"] - state.cash["Ann"] == 33
    assert paid.cash["Bob"] - state.cash["Bob"] == 20


@pytest.mark.rule("18MW Ending the Game")
@pytest.mark.rule("18MW R45")
def test_at_the_end_an_odd_half_is_rounded_up() -> None:
    """Pairs count in full: two and a half shares at $145 are $363."""
    state = system()
    table = on.table(state)
    assert worth(table, "Ann") - state.cash["Ann"] == 2 * 145 + 73
    assert worth(table, "Bob") - state.cash["Bob"] == 145 + 73


@pytest.mark.rule("18MW Change in Presidency")
@pytest.mark.parametrize(
    ("bob", "cas", "anns", "bobs"),
    [
        ((10, 5), (5,), (10,), (10, 5)),  # his double share for the president's
        ((5, 5, 5), (10,), (5, 5), (10, 5)),  # two halves for it, whoever has the double share
    ],
)
def test_a_new_president_gives_a_double_share_or_two_halves(
    bob: tuple[int, ...], cas: tuple[int, ...], anns: tuple[int, ...], bobs: tuple[int, ...]
) -> None:
    """Ann keeps 10% and Bob presides with 15%."""
    state = on.system(on.stock_turn(), "BN", {"Ann": ANN, "Bob": bob, "Cas": cas}, at=(0, 10))
    sold = on.after(state, on.sell(3, "BN"))
    assert sold.presidents["BN"] == "Bob"
    assert sold.shares["BN"]["Ann"] == anns
    assert sold.shares["BN"]["Bob"] == bobs
    assert sold.shares["BN"]["Cas"] == cas
    assert sold.shares["BN"][MARKET] == (5, 5, 5)

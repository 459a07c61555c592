"""18AL 3.4: floating a corporation."""

import pytest
from msgspec.structs import replace

from engine.events import EndForeseen, Floated
from engine.position.values import BANK, OFFERING
from tests.rules import setting as on


@pytest.mark.rule("18AL 3.4")
def test_3_4_floats_when_60_percent_have_left_the_offering() -> None:
    """The sixth share floats it, the fifth does not."""
    fifth = on.company(on.stock_turn(), "L&N", {"Bob": 40})
    assert on.happened(fifth, on.buy("L&N"), Floated) == []
    sixth = on.company(on.stock_turn(), "L&N", {"Bob": 50})
    assert on.happened(sixth, on.buy("L&N"), Floated) == [Floated("L&N", 900)]


@pytest.mark.rule("18AL 3.4")
def test_3_4_before_it_floats_it_does_not_operate() -> None:
    """ATN with half of its shares in the offering has no turn."""
    state = on.company(on.stock_turn(), "ATN", {"Ann": 50}, par=60)
    state = on.operating_round(state)
    assert str(state.round) == "SR 3"
    assert state.turns.get("ATN", 0) == 1, "the turn it has is of the setting"


@pytest.mark.rule("18AL 3.4")
def test_3_4_it_floats_once() -> None:
    """The seventh share brings no second capital."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50, "Cas": 10}, cash=17)
    now = on.after(state, on.buy("L&N"))
    assert (now.floated, now.cash["L&N"]) == (("L&N",), 17)


@pytest.mark.rule("18AL 3.4(a)")
def test_a_charter_goes_to_the_president() -> None:
    """From then on its president acts for it."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50})
    state = on.after(
        replace(state, insist=()),
        on.buy("L&N"),
        on.done(),
        on.done("Bob"),
        on.done("Cas"),
        on.done(),
    )
    assert str(state.round) == "OR 2.1"
    assert on.waits_for(state) == ("Bob",)


@pytest.mark.rule("18AL 3.4(b)")
@pytest.mark.parametrize(
    ("name", "tokens"), [("L&N", 4), ("M&O", 4), ("WRA", 4), ("ATN", 3), ("ABC", 2), ("TAG", 2)]
)
def test_b_station_tokens(name: str, tokens: int) -> None:
    """Each company has the stations of its charter, the home among them."""
    state = on.after(on.company(on.stock_turn(), name, {"Bob": 50}, turns=0), on.buy(name))
    assert state.charters[name] == tokens


@pytest.mark.rule("18AL 3.4(c)")
@pytest.mark.parametrize("dollars", [60, 70, 75, 90, 105])
def test_c_ten_times_par(dollars: int) -> None:
    """The bank pays ten times the par value, whatever the market value is."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50}, par=dollars, at=(2, 0))
    now = on.after(state, on.buy("L&N"))
    assert now.cash["L&N"] == 10 * dollars
    assert state.cash[BANK] - now.cash[BANK] == 10 * dollars - dollars


@pytest.mark.rule("18AL 3.4(c)")
def test_c_capital_is_paid_at_once() -> None:
    """The capital breaks the bank in the stock round itself."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 50})
    state = on.money(state, {"Cas": state.cash["Cas"] + state.cash[BANK] - 800})
    assert on.happened(state, on.buy("L&N"), EndForeseen) == [EndForeseen("bank")]


@pytest.mark.rule("18AL 3.4(c)")
def test_c_shares_left_bring_the_company_nothing() -> None:
    """Later purchases of new shares pay the bank, not the company."""
    state = on.company(on.stock_turn(), "L&N", {"Bob": 60})
    now = on.after(state, on.buy("L&N"))
    assert on.percent(now, "L&N")[OFFERING] == 30
    assert (now.cash["L&N"], now.cash[BANK] - state.cash[BANK]) == (0, 90)

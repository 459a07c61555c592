"""18GL 4.6.6, 4.6.7, 3.5: dividends, full and half, and where the price goes for them."""

import pytest
from msgspec.structs import replace

from engine.actions import Dividend
from engine.events import DividendPaid, PriceMoved, Withheld
from engine.position.values import BANK, State
from tests.rules.gl.setting import on

#: top row: 75 80 90 100 110 …
AT_100 = (0, 3)


def earned(dollars: int, *, phase: str = "4H", at: tuple[int, int] = AT_100) -> State:
    """MR has earned something: Ann has 40%, Bob 10%, the market 20%, the treasury the rest."""
    held = {"Ann": 40, "Bob": 10}
    state = on.turn("dividend", "MR", at_phase=phase, held=held, market=20, cash=0, at=at)
    return replace(state, earned={"MR": dollars})


def half(name: str) -> Dividend:
    """Pay half."""
    return Dividend(by="Ann", company=name, kind="half")


def prices(state: State, act: Dividend) -> list[int]:
    """Where the price goes: the values it comes to."""
    return [event.new for event in on.happened(state, act, PriceMoved)]


@pytest.mark.rule("18GL 4.6.6")
def test_4_6_6_a_full_dividend_goes_to_all_who_are_paid_for_their_shares() -> None:
    """The treasury's shares pay the corporation, those of the open market nobody."""
    state = earned(200)
    assert on.happened(state, on.pay("MR"), DividendPaid) == [
        DividendPaid("MR", 200, {"Ann": 80, "Bob": 20, "MR": 60})
    ]
    now = on.after(state, on.pay("MR"))
    assert now.cash["MR"] == 60
    assert now.cash[BANK] == state.cash[BANK] - 160


@pytest.mark.rule("18GL 4.6.6")
@pytest.mark.parametrize(("revenue", "total"), [(210, 110), (200, 100), (10, 10), (30, 20)])
def test_4_6_6_half_is_rounded_up_to_the_next_ten(revenue: int, total: int) -> None:
    """The rest of the earnings is the corporation's."""
    (event,) = on.happened(earned(revenue), half("MR"), DividendPaid)
    assert (event.revenue, event.retained) == (revenue, revenue - total)
    assert event.paid == {"Ann": total * 4 // 10, "Bob": total // 10, "MR": total * 3 // 10}
    now = on.after(earned(revenue), half("MR"))
    assert now.cash["MR"] == revenue - total + total * 3 // 10


@pytest.mark.rule("18GL 4.6.6")
def test_4_6_6_withheld_earnings_are_all_the_corporations() -> None:
    """All of it, and the price goes left."""
    state = earned(210)
    assert on.happened(state, on.withhold("MR"), Withheld) == [Withheld("MR", 210)]
    now = on.after(state, on.withhold("MR"))
    assert (now.cash["MR"], on.price(now, "MR")) == (210, 90)


@pytest.mark.rule("18GL 4.6.6")
def test_4_6_6_the_president_must_say_which() -> None:
    """Nothing is paid or withheld by itself."""
    on.refused(earned(100), on.done(), "4.6.6", "$100", "`pay`", "`half`", "`withhold`")


def conrail(dollars: int) -> State:
    """The rulebook's CONRAIL of 20 shares: 5 of Ann, 2 of Bob, 1 of Cas, 3 in the treasury."""
    start = on.phase(on.stock_turn(), "10H")
    held = {"Ann": 25, "Bob": 10, "Cas": 5}
    state = on.company(start, "CR", held, at=(0, 4), share=5, treasury=15)
    return replace(on.operating(state, "CR", "dividend"), earned={"CR": dollars})


@pytest.mark.rule("18GL 4.6.6")
def test_4_6_6_the_example_of_shares_of_five_percent() -> None:
    """$210 earned, half of it paid: a player's sum is rounded up, CONRAIL's down."""
    state = conrail(210)
    (event,) = on.happened(state, half("CR"), DividendPaid)
    assert event == DividendPaid(
        "CR", 210, {"Ann": 28, "Bob": 11, "Cas": 6, "CR": 16}, retained=100, share=5
    )
    now = on.after(state, half("CR"))
    assert now.cash["CR"] == 116
    assert now.cash["Ann"] == state.cash["Ann"] + 28


@pytest.mark.rule("18GL 4.6.7", "18GL 3.5")
@pytest.mark.parametrize(
    ("phase", "revenue", "price"),
    [
        ("4H", 90, 100),
        ("4H", 100, 110),
        ("4H", 200, 110),
        ("6H", 400, 110),
        ("10H", 90, 100),
        ("10H", 190, 110),
        ("10H", 200, 120),
        ("10H", 900, 120),
        ("D", 200, 120),
    ],
)
def test_4_6_7_a_dividend_of_the_price_moves_it_right(phase: str, revenue: int, price: int) -> None:
    """One of less leaves it; one of twice the price moves it twice, but only from 10H on."""
    state = earned(revenue, phase=phase)
    assert on.price(on.after(state, on.pay("MR")), "MR") == price


@pytest.mark.rule("18GL 4.6.7", "18GL 3.5")
def test_4_6_7_it_is_what_is_paid_that_counts() -> None:
    """Of $200 half is the price, of $190 it is, rounded up, as well; of $180 it is not."""
    assert [prices(earned(dollars), half("MR")) for dollars in (200, 190, 180)] == [
        [110],
        [110],
        [],
    ]


@pytest.mark.rule("18GL 3.5", "18GL 4.6.7")
def test_3_5_a_double_step_is_two_steps_one_after_the_other() -> None:
    """From the last but one space of the second row: right, then up."""
    state = earned(600, phase="10H", at=(1, 13))
    now = on.after(state, on.pay("MR"))
    assert on.table(now).cell("MR") == (0, 14)


@pytest.mark.rule("18GL 3.5", "18GL R3")
def test_3_5_without_earnings_the_price_goes_left() -> None:
    """MR has no train; nobody is asked."""
    state = on.turn("run", "MR", at=AT_100)
    now = on.waiting(state)
    assert on.price(now, "MR") == 90
    on.refused(now, on.pay("MR"), "4.1, 4.6")

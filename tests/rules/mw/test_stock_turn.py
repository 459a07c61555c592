"""18MW Stock Round: the order of sales and purchase in a turn."""

import pytest
from msgspec.structs import replace

from engine.position.values import State
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Stock Round")

SALE, OTHER_SALE, PURCHASE = on.sell(1, "IC"), on.sell(2, "NP"), on.buy("MP")


@pytest.fixture(name="turn")
def _turn() -> State:
    """Ann holds shares of two companies of others, and can buy of a third."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 40, "Ann": 30}, at=(1, 6))
    state = on.company(state, "NP", {"Bob": 40, "Ann": 30}, at=(2, 6))
    return on.company(state, "MP", {"Cas": 60}, at=(3, 6))


@pytest.mark.parametrize(
    "acts",
    [
        (PURCHASE, SALE, OTHER_SALE),
        (SALE, OTHER_SALE, PURCHASE),
        (SALE, PURCHASE, OTHER_SALE),
    ],
)
def test_a_player_buys_and_sells_in_any_order(turn: State, acts: tuple[object, ...]) -> None:
    """Buy and sell, sell and buy, or sell, buy and sell."""
    ended = on.after(turn, *acts, on.done())
    assert on.percent(ended, "IC")["Ann"] == 20
    assert on.percent(ended, "NP")["Ann"] == 10
    assert on.percent(ended, "MP")["Ann"] == 10
    assert on.waits_for(ended) == ("Bob",)


@pytest.mark.parametrize("first", [(SALE,), (SALE, PURCHASE)])
def test_shares_of_a_company_are_sold_once_in_a_turn(
    turn: State, first: tuple[object, ...]
) -> None:
    """Not in several transactions, before the purchase or after it."""
    on.refused(on.after(turn, *first), SALE, "Stock Round", "one block")
    assert on.allowed(on.after(turn, *first), OTHER_SALE)


def test_there_is_one_purchase_in_a_turn(turn: State) -> None:
    """A sale after it allows no second one."""
    on.refused(on.after(turn, PURCHASE, SALE), on.buy("MP"), "Stock Round", "one purchase")


def test_what_was_sold_is_not_bought_again_in_the_round(turn: State) -> None:
    """Whatever was bought before the sale."""
    on.refused(on.after(turn, SALE), on.buy_used("IC"), "Stock Round", "sold IC")
    assert on.allowed(turn, on.buy("IC"))


def test_shares_of_a_company_that_has_not_operated_are_sold(turn: State) -> None:
    """It need not have had a turn."""
    state = on.company(turn, "CNW", {"Bob": 40, "Ann": 30}, at=(1, 7), turns=0)
    assert on.allowed(state, on.sell(3, "CNW"))


def test_half_of_a_company_at_most_lies_in_the_market(turn: State) -> None:
    """The refusal says how many can be sold."""
    state = on.company(turn, "CNW", {"Bob": 40, "Ann": 30}, at=(1, 7), market=30)
    on.refused(state, on.sell(3, "CNW"), "Shares and Limits", "50%", "sell 2 CNW")


@pytest.mark.rule("18MW Shares and Limits")
@pytest.mark.rule("18MW A4.0")
def test_a_block_brings_its_seller_within_the_certificate_limit() -> None:
    """Each company's shares are sold once in a turn, so that one sells enough of it then."""
    state = on.stock_turn()
    for name in ("NP", "MP", "CNW"):
        state = on.company(state, name, {"Ann": 50, "Bob": 10}, market=40)
    state = on.company(state, "IC", {"Ann": 60, "Bob": 10})
    state = on.privates(state, dict.fromkeys(("HSJ", "SLA", "RI", "CFH", "MO", "LCM"), "Ann"))
    assert on.table(state).certificates("Ann") == 4 + 4 + 4 + 5 + 6
    rule = "Shares and Limits"
    on.refused(state, on.done(), rule, "3 over the certificate limit")
    assert on.allowed(state, on.sell(1, "NP"))
    others = on.after(state, on.sell(1, "NP"))
    on.refused(others, on.done(), rule, "2 over")
    left = on.after(others, on.sell(1, "MP"))
    assert on.allowed(on.after(left, on.sell(1, "CNW")), on.done())
    full = {name: state.shares[name] | {"open market": (10,) * 5} for name in ("NP", "MP", "CNW")}
    stuck = replace(state, shares={**state.shares, **full})
    on.refused(stuck, on.sell(2, "IC"), rule, "1 over the certificate limit", "more of IC at once")
    assert on.allowed(on.after(stuck, on.sell(3, "IC")), on.done())

"""18MW Share Redemption and Share Reissue: companies that own shares of their own."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyBack, BuyShare, MergeInto
from engine.events import SharesBoughtBack
from engine.notation import parse, write
from engine.position.frames import StockTurn
from engine.position.values import MARKET, OFFERING, State
from tests.rules.mw.setting import on

PROCEDURE = "Share Redemption, Procedure"


def redeem(shares: int, name: str = "IC", seat: str = "Ann") -> BuyBack:
    """Redeem shares of IC."""
    return on.redeem(shares, name, seat)


def reissue(name: str = "IC", seat: str = "Ann") -> BuyShare:
    """Buy a share of a treasury."""
    return BuyShare(by=seat, company=name, source=name)


def turn(**more: object) -> State:
    """Ann's turn; the company that she presides over is at $85 and has 40% in the market."""
    about = {"market": 40, "cash": 500, "at": (2, 6), **more}
    state = on.company(on.stock_turn(), "IC", {"Ann": 30, "Bob": 10}, **about)
    return on.company(state, "NP", {"Bob": 60}, at=(0, 6))


@pytest.mark.rule("18MW Share Redemption, Procedure")
@pytest.mark.rule("18MW R8")
def test_a_redemption_is_the_presidents_whole_turn() -> None:
    """The turn ends with it, and the price does not move."""
    after = on.after(turn(), redeem(3))
    assert after.stack[-1] == StockTurn("Bob")
    assert after.stack[0].passes == 0
    assert after.stack[0].last == "Ann"
    assert on.percent(after, "IC") == {"Ann": 30, "Bob": 10, MARKET: 10, OFFERING: 20, "IC": 30}
    assert on.price(after, "IC") == 85


@pytest.mark.rule("18MW Share Redemption, Procedure")
def test_nothing_was_bought_or_sold_before_it() -> None:
    """A private company bought of another player is no stock action."""
    for act in (on.buy("NP"), on.sell(1, "IC")):
        on.refused(on.after(turn(), act), redeem(1), PROCEDURE, "whole turn")
    state = on.privates(turn(), {"RI": "Bob"})
    bought = on.after(state, on.trade("RI", "Bob", "Ann", 100), on.accept("Bob"))
    assert on.allowed(bought, redeem(1))


@pytest.mark.rule("18MW Share Redemption, Procedure")
def test_the_president_alone_redeems() -> None:
    """In a turn of that player."""
    on.refused(turn(), redeem(1, "NP"), PROCEDURE, "Bob")
    on.refused(turn(), redeem(1, "MP"), PROCEDURE, "nobody")
    on.refused(turn(), redeem(1, seat="Bob"), "Sequence of Play", "Ann's turn, not")


@pytest.mark.rule("18MW Share Redemption, Procedure")
def test_who_must_sell_does_not_redeem_instead() -> None:
    """The turn ends with a redemption, so what is over a limit goes first."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 80}, at=(2, 6), market=20, cash=500)
    on.refused(state, redeem(1), "Shares and Limits", "must sell")


@pytest.mark.rule("18MW Share Redemption, Eligibility 1")
def test_a_company_redeems_after_its_first_turn() -> None:
    """It must have operated."""
    state = turn(turns=0)
    on.refused(state, redeem(1), "Share Redemption, Eligibility 1", "not operated yet")
    assert on.offered(state, "Ann", BuyBack) == []


@pytest.mark.rule("18MW Share Redemption, Eligibility 2")
def test_the_treasury_pays_the_market_price_for_all() -> None:
    """To the bank; the president adds nothing."""
    state = turn(cash=255)
    assert on.happened(state, redeem(3), SharesBoughtBack) == [SharesBoughtBack("IC", 30, 255)]
    after = on.after(state, redeem(3))
    assert (after.cash["IC"], after.cash["Ann"]) == (0, state.cash["Ann"])
    assert after.cash["bank"] - state.cash["bank"] == 255
    rule = "Share Redemption, Eligibility 2"
    on.refused(turn(cash=254), redeem(3), rule, "$255", "$254")
    assert [a.shares for a in on.offered(turn(cash=254), "Ann", BuyBack)] == [1, 2]


@pytest.mark.rule("18MW Share Redemption, Eligibility 3")
def test_any_number_of_the_market() -> None:
    """All there are, and no more."""
    assert on.allowed(turn(), redeem(4))
    rule = "Share Redemption, Eligibility 3"
    on.refused(turn(), redeem(5), rule, "has 4 shares", "redeem 4 IC")
    on.refused(turn(), redeem(0), rule)


@pytest.mark.rule("18MW Share Redemption, Eligibility 4")
def test_neither_of_players_nor_of_the_offering() -> None:
    """Only the open market has shares that are redeemed."""
    rule = "Share Redemption, Eligibility 4"
    on.refused(turn(market=0), redeem(1), rule, "players", "IPO")


@pytest.mark.rule("18MW Share Reissue")
def test_players_buy_of_a_treasury_at_the_market_price() -> None:
    """It is paid to the treasury, by any player, and is the purchase of the turn."""
    state = turn(market=0, treasury=40, cash=100)
    after = on.after(state, reissue())
    assert state.cash["Ann"] - after.cash["Ann"] == 85
    assert after.cash["IC"] == 185
    assert on.percent(after, "IC") == {"Ann": 40, "Bob": 10, "IC": 30, OFFERING: 20}
    on.refused(after, on.buy("NP"), "Stock Round", "one purchase")
    other = on.after(state, on.done())
    assert on.allowed(other, reissue(seat="Bob"))


@pytest.mark.rule("18MW Share Reissue")
def test_who_may_not_buy_may_not_buy_of_a_treasury() -> None:
    """Money, what was sold in the round, and the limits hold as for other shares."""
    state = turn(market=0, treasury=40)
    on.refused(on.money(state, {"Ann": 84}), reissue(), "Stock Round", "$85")
    on.refused(replace(state, sold={"Ann": ("IC",)}), reissue(), "Stock Round", "sold IC")
    full = on.company(on.stock_turn(), "IC", {"Ann": 60}, treasury=40)
    on.refused(full, reissue(), "Shares and Limits", "60%")
    none = turn()
    on.refused(none, reissue(), "Share Reissue", "treasury of IC", "buy IC")


@pytest.mark.rule("18MW Share Reissue")
@pytest.mark.rule("18MW Change in Presidency")
def test_a_share_of_the_treasury_may_change_the_presidency() -> None:
    """As any purchase."""
    state = on.company(on.stock_turn(), "IC", {"Bob": 20, "Ann": 20}, treasury=40)
    assert on.after(state, reissue()).presidents["IC"] == "Ann"


@pytest.mark.rule("18MW Movement of Stock Prices")
@pytest.mark.rule("18MW R9")
def test_shares_of_the_treasury_are_held_when_prices_rise() -> None:
    """With none in the offering and in the market the price goes up at the end of the round."""
    state = on.company(on.stock_turn(), "IC", {"Ann": 60, "Bob": 10}, treasury=30, at=(3, 6))
    state = on.company(state, "NP", {"Bob": 60, "Ann": 20}, treasury=10, market=10, at=(3, 8))
    ended = on.after(on.end_of_round(state), on.done())
    assert (on.price(ended, "IC"), on.table(ended).cell("NP")) == (85, (3, 8))


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("redeem 2 IC", redeem(2)),
        ("redeem IC", redeem(1)),
        ("redeem all IC", redeem(4)),
        ("redeem 20% of IC from the market", redeem(2)),
        ("IC: redeem 2 shares", redeem(2)),
        ("buy back 2 IC", redeem(2)),
        ("buy IC treasury", reissue()),
    ],
)
def test_commands_of_redemption_and_reissue(line: str, meant: object) -> None:
    """Read in many ways, and written in one that reads back."""
    state = turn(market=40, treasury=10)
    found = parse(on.title, state, "Ann", line)
    assert found == meant
    assert parse(on.title, state, "Ann", write(on.title, state, found)) == meant


@pytest.mark.rule("18MW Share Redemption, Eligibility 1")
@pytest.mark.rule("18MW R52")
def test_a_new_system_redeems_nothing_before_it_has_operated() -> None:
    """However often the corporations have that it formed of."""
    state = on.phase(on.turn("trains", "IC", held={"Ann": 40}, market=20, cash=0), "10")
    state = on.company(
        state, "NP", {"Ann": 40}, market=20, at=(1, 6), cash=600, turns=9, stations=("I15",)
    )
    state = on.tiles(state, "I15 63 0")
    merged = on.after(state, MergeInto(by="Ann", company="IC", partner="NP", system="BN"))
    turn = on.end_of_round(merged)
    turn = replace(turn, stack=(turn.stack[0], StockTurn("Ann")))
    on.refused(turn, redeem(1, "BN"), "Share Redemption, Eligibility 1", "BN has not operated yet")
    assert on.offered(turn, "Ann", BuyBack) == []
    operated = replace(turn, turns={**turn.turns, "BN": 1})
    assert on.allowed(operated, redeem(1, "BN"))

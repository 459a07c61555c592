"""18AL 4.2.5.2: the purchase that is forced, the president's money, bankruptcy."""

import pytest
from msgspec.structs import replace

from engine.actions import GoBankrupt, SellShares
from engine.events import (
    PresidentChanged,
    PriceMoved,
    TrainBought,
    WentBankrupt,
)
from engine.position.values import MARKET, OFFERING, State
from engine.titles.registry import load_title
from tests.rules import setting as on
from tests.rules.al.turns import buying


def bankrupt(name: str, by: str = "Ann") -> GoBankrupt:
    """Declare bankruptcy."""
    return GoBankrupt(by=by, company=name)


def forced(
    cash: int = 0, own: int = 600, *, cheapest: str = "4", market: tuple[str, ...] = (), **held: int
) -> State:
    """L&N has a route and no train and must buy; ``own`` is what Ann has."""
    state = buying(cash=cash, phase="4", **held)
    offering = [t for t in state.trains[OFFERING] if int(t[0]) >= int(cheapest) or t == "4D"]
    state = on.own(on.own(state, OFFERING, *offering), MARKET, *market)
    return on.money(state, {"Ann": own})


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_a_company_with_a_route_needs_a_train() -> None:
    """It cannot end its turn; with a train it can."""
    on.refused(buying(cash=500), on.done(), "4.2.5.2", "L&N", "buy 2", "$100")
    assert on.allowed(on.after(buying(cash=500), on.buy_train("L&N", "2", 100)), on.done())
    assert on.allowed(buying("2", cash=500), on.done())


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_without_a_route_it_need_not_buy() -> None:
    """Nashville alone is no route."""
    assert on.allowed(buying(cash=500, route=False), on.done())


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_with_a_route_of_a_town_it_must_buy() -> None:
    """Nashville and Florence are a route."""
    state = on.tiles(buying(cash=500, route=False), "B3 9 1,C2 4 1")
    on.refused(state, on.done(), "4.2.5.2", "L&N")


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_where_the_bank_has_no_train_nothing_is_forced() -> None:
    """Offering and market are empty; a train in the market alone forces again."""
    empty = on.own(buying(cash=500), OFFERING)
    assert on.allowed(empty, on.done())
    on.refused(on.own(empty, MARKET, "3"), on.done(), "4.2.5.2", "buy 3 market")


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_a_train_of_another_company_will_do() -> None:
    """L&N buys M&O's for what it has."""
    state = on.company(forced(cash=7), "M&O", {"Ann": 60}, trains=("3",), par=60)
    state = on.after(on.operating(state, "L&N", "trains"), on.buy_train("L&N", "3", 7, "M&O"))
    assert on.allowed(state, on.done())


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_the_president_adds_what_is_missing() -> None:
    """$300 for a 4: L&N has $120, Ann pays $180."""
    state = forced(cash=120)
    act = on.buy_train("L&N", "4", 300)
    assert on.happened(state, act, TrainBought) == [TrainBought("L&N", "4", OFFERING, 300, 180)]
    now = on.after(state, act)
    assert (now.cash["L&N"], now.cash["Ann"]) == (0, 420)


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_he_adds_nothing_to_a_train_that_need_not_be_bought() -> None:
    """L&N has a train, or no route."""
    for state in (buying("3", cash=120, phase="4"), buying(cash=120, phase="4", route=False)):
        on.refused(state, on.buy_train("L&N", "4", 300), "4.2.5.2", "$300", "$120")


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_he_adds_nothing_if_the_company_can_pay() -> None:
    """It can pay for the 3 of the market; his money is not for the 4."""
    state = forced(cash=200, market=("3",))
    on.refused(state, on.buy_train("L&N", "4", 300), "4.2.5.2", "L&N", "buy 3 market")
    assert on.allowed(state, on.buy_train("L&N", "3", 180, MARKET))
    rich = forced(cash=300, market=("3",))
    assert on.allowed(rich, on.buy_train("L&N", "4", 300)), (
        "with its own money it buys what it likes"
    )


@pytest.mark.rule("18AL 4.2.5.2(a)")
def test_a_with_his_money_the_cheapest_is_bought() -> None:
    """The offering sells a 6, the market has a 3 and a 5: it is the 3."""
    state = forced(cash=0, own=2000, cheapest="6", market=("5", "3"))
    on.refused(state, on.buy_train("L&N", "6", 630), "4.2.5.2(a)", "3", "$180")
    on.refused(state, on.buy_train("L&N", "5", 450, MARKET), "4.2.5.2(a)", "3")
    assert on.allowed(state, on.buy_train("L&N", "3", 180, MARKET))


@pytest.mark.rule("18AL 4.2.5.2(a)")
def test_a_the_offerings_may_be_the_cheapest() -> None:
    """A 5 lies in the market, a 4 is new."""
    state = forced(cash=0, market=("5",))
    on.refused(state, on.buy_train("L&N", "5", 450, MARKET), "4.2.5.2(a)", "4")
    assert on.allowed(state, on.buy_train("L&N", "4", 300))


@pytest.mark.rule("18AL 4.2.5.2(a)")
def test_a_no_train_of_a_company_with_his_money() -> None:
    """$50 with the company's $7 is refused, and so is any price once he has sold shares."""
    state = on.company(forced(cash=7, own=0), "M&O", {"Ann": 60}, trains=("3",), at=(0, 7))
    state = on.operating(state, "L&N", "trains")
    on.refused(state, on.buy_train("L&N", "3", 50, "M&O"), "4.2.5(d)", "$7")
    sold = on.after(state, on.sell(3, "M&O"))
    on.refused(sold, on.buy_train("L&N", "3", 7, "M&O"), "4.2.5.2(a)", "bank")
    assert on.allowed(sold, on.buy_train("L&N", "4", 300))


@pytest.mark.rule("18AL 4.2.5.2(b)")
def test_b_one_train_only() -> None:
    """After the purchase he adds nothing to another."""
    state = on.after(forced(cash=120), on.buy_train("L&N", "4", 300))
    again = on.operating(state, "L&N", "trains")
    on.refused(again, on.buy_train("L&N", "4", 300), "4.2.5.2", "$300", "$0")


@pytest.mark.rule("18AL 4.2.5.2(c)")
def test_c_no_more_than_is_missing() -> None:
    """The company's own money goes first and it has none left."""
    state = on.after(forced(cash=299), on.buy_train("L&N", "4", 300))
    assert (state.cash["L&N"], state.cash["Ann"]) == (0, 599)


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_he_sells_shares_for_what_he_lacks() -> None:
    """$300 are to be raised and Ann has $200: one share of L&N at $90 is not enough, two are."""
    state = forced(own=150, Ann=60, Bob=20)
    on.refused(state, on.buy_train("L&N", "4", 300), "4.2.5.2(d)", "$150")
    now = on.after(state, on.sell(2, "L&N"))
    assert now.cash["Ann"] == 150 + 180
    bought = on.after(now, on.buy_train("L&N", "4", 300))
    assert bought.cash["Ann"] == 30


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_price_falls_as_with_any_sale() -> None:
    """Two shares of L&N: two spaces down."""
    state = forced(own=150, Ann=60, Bob=20)
    assert on.happened(state, on.sell(2, "L&N"), PriceMoved) == [PriceMoved("L&N", 90, 75)]


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_rules_of_sales_hold() -> None:
    """Half of a company at most in the market, no president's certificate without a successor."""
    state = on.company(forced(own=0), "M&O", {"Ann": 30}, par=60, market=40)
    state = on.operating(state, "L&N", "trains")
    on.refused(state, on.sell(2, "M&O"), "3.2(a)(2)", "M&O")
    other = on.company(forced(own=0), "M&O", {"Ann": 30}, par=60)
    other = on.operating(other, "L&N", "trains")
    on.refused(other, on.sell(2, "M&O"), "3.2(a)(3)", "M&O")
    on.refused(other, on.sell(1, "ATN"), "3.2(a)", "ATN")


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_only_just_enough() -> None:
    """With $150 missing at $90 a share, two shares leave $30; three would leave more than a share brings."""
    state = forced(own=150, Ann=60, Bob=20)
    on.refused(state, on.sell(3, "L&N"), "4.2.5.2(d)", "$150", "$120")
    assert on.allowed(state, on.sell(2, "L&N"))


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_no_sale_when_there_is_enough() -> None:
    """Ann has the $300, or will have after two shares."""
    on.refused(forced(own=300), on.sell(1, "L&N"), "4.2.5.2(d)", "L&N")
    state = on.after(forced(own=150, Ann=60, Bob=20), on.sell(2, "L&N"))
    on.refused(state, on.sell(1, "L&N"), "4.2.5.2(d)", "Ann")


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_the_rest_is_less_than_the_smallest_amount_of_any_certificate() -> None:
    """A share of $60 sold first: what is left at the end must be less than $60, so $120 is too much at once."""
    state = on.company(forced(own=190), "M&O", {"Bob": 40, "Ann": 20}, par=60, at=(0, 0))
    state = on.company(state, "WRA", {"Bob": 40, "Ann": 20}, at=(0, 7))
    state = on.operating(state, "L&N", "trains")
    assert on.allowed(state, on.sell(1, "WRA"))
    after_small = on.after(state, on.sell(1, "M&O"))
    on.refused(after_small, on.sell(1, "WRA"), "4.2.5.2(d)", "$50", "$70")


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_a_president_s_certificate_alone_is_one_certificate() -> None:
    """With $50 missing half of it is enough, and the whole of it leaves less than it brings."""
    state = on.company(forced(own=250), "M&O", {"Ann": 20, "Bob": 20}, par=90)
    state = on.operating(state, "L&N", "trains")
    assert on.allowed(state, on.sell(1, "M&O"))
    assert on.allowed(state, on.sell(2, "M&O"))
    more = on.company(forced(own=250), "M&O", {"Ann": 30, "Bob": 20}, par=90)
    more = on.operating(more, "L&N", "trains")
    on.refused(more, on.sell(2, "M&O"), "4.2.5.2(d)", "$50", "$130")


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_no_sale_that_would_lose_the_operating_company() -> None:
    """Ann's 40% may fall to Bob's 30% and no farther; another company she may lose."""
    state = forced(own=0, Ann=40, Bob=30)
    on.refused(state, on.sell(2, "L&N"), "4.2.5.2(d)", "Ann", "presidency of L&N")
    assert on.allowed(state, on.sell(1, "L&N"))
    state = on.company(state, "M&O", {"Ann": 30, "Bob": 20}, par=60)
    state = on.operating(state, "L&N", "trains")
    changed = on.happened(state, on.sell(3, "M&O"), PresidentChanged)
    assert changed == [PresidentChanged("M&O", "Ann", "Bob")]


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_private_companies_are_sold_to_players_as_in_a_stock_turn() -> None:
    """The rules of 3.2(b) hold too: Bob takes the TR; not so on 18xx.games."""
    state = on.privates(forced(own=150), {"TR": "Ann"})
    act = on.trade("TR", "Ann", "Bob", 200)
    now = on.after(state, act, on.accept("Bob"), on.buy_train("L&N", "4", 300))
    assert (now.privates["TR"], now.cash["Ann"]) == ("Bob", 50)
    theirs = load_title("18AL", frozenset({"18xx.games"}))
    on.refused(state, act, "4(b)", "Bob", title=theirs)


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_no_stock_turn() -> None:
    """The priority deal stays, nobody is brought to his limit, and next round Ann may buy what she sold."""
    state = replace(forced(own=150, Ann=60, Bob=20), priority="Cas")
    state = on.privates(state, dict.fromkeys(on.AL.privates, "Ann"))
    state = on.company(state, "M&O", {"Ann": 60}, par=60)
    state = on.company(state, "WRA", {"Ann": 60}, par=60)
    state = on.operating(state, "L&N", "trains")
    assert on.table(state).certificates("Ann") == 20
    state = on.after(state, on.sell(2, "L&N"), on.buy_train("L&N", "4", 300))
    assert (str(state.round), state.priority, state.sold) == ("SR 3", "Cas", {})


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_no_shares_are_sold_for_anything_else() -> None:
    """L&N has a train: Ann sells nothing in an operating round."""
    on.refused(buying("2"), on.sell(1, "L&N"), "4.2.5.2(d)", "L&N")


@pytest.mark.rule("18AL 4.2.5.2(d)")
def test_d_a_discount_that_comes_later_does_not_make_a_sale_excessive() -> None:
    """Ann sold for a 4 at $300; with a private bought since, too much would stay in her hand."""
    state = on.privates(forced(cash=60, own=150, Ann=60, Bob=20), {"NDY": "Ann"})
    now = on.after(state, on.sell(1, "L&N"), on.trade("NDY", "Ann", "L&N", 60))
    on.refused(now, on.buy_train("L&N", "4", 150, power="NDY"), "4.2.5.2(d)", "$150")
    assert on.allowed(now, on.buy_train("L&N", "4", 300))


@pytest.mark.rule("18AL 4.2.5.2", "18AL Table III NDY")
def test_4_2_5_2_who_can_pay_with_the_discount_has_no_emergency() -> None:
    """L&N has $160 and NDY: a 4 costs $150, so Ann adds nothing, sells nothing, is not bankrupt."""
    state = on.privates(forced(cash=160, own=0, Ann=60, Bob=20), {"NDY": "L&N"})
    how = "buy 4 with NDY"
    on.refused(state, bankrupt("L&N"), "4.2.5.2", "itself", how)
    on.refused(state, on.sell(1, "L&N"), "4.2.5.2(d)", "itself", how)
    on.refused(state, on.done(), "4.2.5.2", how, "$150")
    rich = on.money(state, {"Ann": 500})
    on.refused(rich, on.buy_train("L&N", "4", 300), "4.2.5.2", "itself", how)
    now = on.after(state, on.buy_train("L&N", "4", 150, power="NDY"))
    assert (now.cash["L&N"], now.trains["L&N"]) == (10, ("4",))


@pytest.mark.rule("18AL 4.2.5.2", "18AL 4.2.5.2(d)", "18AL Table III NDY")
def test_4_2_5_2_what_is_missing_is_missing_after_the_discount() -> None:
    """L&N has $30 and NDY, Ann $40: $80 of $150 are missing, a share at $90, not three."""
    state = on.privates(forced(cash=30, own=40, Ann=60, Bob=20), {"NDY": "L&N"})
    half = on.buy_train("L&N", "4", 150, power="NDY")
    on.refused(state, half, "4.2.5.2(d)", "$80 is missing", "sell")
    on.refused(state, on.sell(2, "L&N"), "4.2.5.2(d)", "$80")
    now = on.after(state, on.sell(1, "L&N"))
    on.refused(now, on.buy_train("L&N", "4", 300), "4.2.5.2(d)", "buy 4 with NDY")
    on.refused(now, bankrupt("L&N"), "4.2.5.2", "Ann")
    assert on.after(now, half).cash["Ann"] == 10
    plenty = on.money(state, {"Ann": 270})
    assert on.allowed(plenty, on.buy_train("L&N", "4", 300)), "the discount is not a duty"


@pytest.mark.rule("18AL 4.2.5.2(a)", "18AL Table III NDY")
def test_a_the_cheapest_is_counted_after_the_discount() -> None:
    """A 3 of the market costs $180, a new 4 with NDY $150: with Ann's money either will do."""
    state = on.privates(forced(cash=100, own=200, market=("5", "3")), {"NDY": "L&N"})
    assert on.allowed(state, on.buy_train("L&N", "4", 150, power="NDY"))
    assert on.allowed(state, on.buy_train("L&N", "3", 180, MARKET))
    on.refused(state, on.buy_train("L&N", "4", 300), "4.2.5.2(a)", "a 4 with NDY", "$150")
    lone = on.money(state, {"L&N": 150})
    on.refused(lone, on.buy_train("L&N", "3", 180, MARKET), "4.2.5.2", "buy 4 with NDY")


@pytest.mark.rule("18AL 4.2.5.2", "18AL 4.2.6")
def test_4_2_5_2_a_private_that_the_company_could_buy_helps_nobody() -> None:
    """NDY is Ann's: L&N may buy it, and need not; the discount is not there before."""
    state = on.privates(forced(cash=220, own=0, Ann=60, Bob=20), {"NDY": "Ann"})
    assert on.allowed(state, on.sell(1, "L&N"))
    now = on.after(state, on.trade("NDY", "Ann", "L&N", 60))
    on.refused(now, on.sell(1, "L&N"), "4.2.5.2(d)", "itself")


def test_4_2_5_2_the_neighbour_counts_the_face_value() -> None:
    """There the president adds to $300 whatever the company owns."""
    theirs = load_title("18AL", frozenset({"18xx.games"}))
    state = on.privates(forced(cash=160, own=200), {"NDY": "L&N"})
    assert on.why_not(state, on.buy_train("L&N", "4", 300), theirs) is None


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_bankrupt_when_no_sale_is_left() -> None:
    """Ann has L&N alone, which nobody else could preside: she sells what she may, and then is bankrupt."""
    state = forced(own=10, Ann=60)
    on.refused(state, bankrupt("L&N"), "4.2.5.2", "sell")
    state = on.own(state, OFFERING, "4D")
    poor = on.after(state, on.sell(4, "L&N"))
    assert on.percent(poor, "L&N")["Ann"] == 20
    on.refused(poor, on.done(), "4.2.5.2", "L&N")
    assert on.happened(poor, bankrupt("L&N"), WentBankrupt) == [WentBankrupt("Ann", "L&N")]
    over = on.after(poor, bankrupt("L&N"))
    assert (over.stack, on.waits_for(over)) == ((), ())


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_not_bankrupt_who_can_pay() -> None:
    """Ann has the money, or nothing is forced."""
    on.refused(forced(own=300), bankrupt("L&N"), "4.2.5.2", "Ann")
    on.refused(buying("2"), bankrupt("L&N"), "4.2.5.2", "Ann")


@pytest.mark.rule("18AL 4.2.5.2")
def test_4_2_5_2_sales_and_bankruptcy_are_offered() -> None:
    """The options of a president who lacks the money are sales; without any, bankruptcy."""
    state = forced(own=150, Ann=60, Bob=20)
    assert on.offered(state, "Ann", SellShares) == [on.sell(1, "L&N"), on.sell(2, "L&N")]
    assert on.offered(state, "Ann", GoBankrupt) == []
    none = on.own(forced(own=0, Ann=20, Bob=20, Cas=20), OFFERING, "4D")
    assert on.offered(none, "Ann", SellShares) == []
    assert on.offered(none, "Ann", GoBankrupt) == [bankrupt("L&N")]

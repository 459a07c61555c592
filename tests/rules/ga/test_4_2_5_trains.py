"""18GA 4.2.4 to 4.2.6: dividends, trains, the purchase that is forced, private companies."""

import pytest
from msgspec.structs import replace

from engine import flow
from engine.actions import Decline, DiscardTrain, GoBankrupt, TradePrivate
from engine.events import DividendPaid, PhaseBegan, TrainBought, TrainDiscarded, TrainsGone
from engine.options import Open
from engine.play.ending import worth
from engine.position.values import MARKET, OFFERING, State
from tests.rules.ga.setting import GA, LINE, on, turn


def earned(amount: int, at: tuple[int, int] = (1, 4), market: int = 0) -> State:
    """ACL decides on its dividend."""
    state = on.company(on.stock_turn(), "ACL", {"Ann": 50, "Bob": 10}, at=at, market=market)
    found: State = replace(on.operating(state, "ACL", "dividend"), earned={"ACL": amount})
    return found


@pytest.mark.rule("18GA 4.2.4")
def test_4_2_4_the_price_follows() -> None:
    """Right if paid, up at the end of a row; left if withheld, down in the first column."""
    for start, paid, kept in (
        ((1, 4), (1, 5), (1, 3)),
        ((1, 14), (0, 14), (1, 13)),
        ((2, 0), (2, 1), (3, 0)),
        ((6, 0), (6, 1), (6, 0)),
    ):
        state = earned(100, start)
        assert on.table(on.after(state, on.pay("ACL"))).cell("ACL") == paid
        assert on.table(on.after(state, on.withhold("ACL"))).cell("ACL") == kept


@pytest.mark.rule("18GA 4.2.4")
def test_4_2_4_without_a_run_the_price_falls() -> None:
    """A company without a train."""
    state = on.after(turn("ACL", laid=LINE), on.buy_train("ACL", "2", 100))
    assert on.price(state, "ACL") == 80


@pytest.mark.rule("18GA 4.2.4(a)")
def test_a_dividends_go_to_players_and_for_the_market_to_the_company() -> None:
    """The offering gets nothing."""
    paid = on.happened(earned(70, market=20), on.pay("ACL"), DividendPaid)
    assert paid == [DividendPaid("ACL", 70, {"Ann": 35, "Bob": 7, "ACL": 14})]


@pytest.mark.rule("18GA 4.2.4(b)")
def test_b_withheld_revenue_goes_to_the_company() -> None:
    """All of it."""
    assert on.after(earned(70), on.withhold("ACL")).cash["ACL"] == 70


def buying(*trains: str, phase: str = "1", cash: int = 2000, route: bool = True) -> State:
    """ACL at its train step."""
    return turn("ACL", "trains", *trains, laid=LINE if route else "", phase=phase, cash=cash)


@pytest.mark.rule("18GA 4.2.5")
@pytest.mark.rule("18GA 4.2.5(a)")
def test_4_2_5_trains_of_bank_and_companies() -> None:
    """New, used, and of others, in any order."""
    state = on.own(buying(phase="4"), MARKET, "3")
    state = on.own(on.company(state, "CoG", {"Ann": 60}, trains=("4",)), OFFERING, "4", "5")
    state = on.operating(state, "ACL", "trains")
    state = on.after(state, on.buy_train("ACL", "3", 180, MARKET))
    state = on.after(state, on.buy_train("ACL", "4", 7, "CoG"), on.buy_train("ACL", "4", 300))
    assert state.trains["ACL"] == ("3", "4", "4")


@pytest.mark.rule("18GA 4.2.5(b)")
def test_b_new_trains_in_their_order() -> None:
    """No 3 while there is a 2."""
    on.refused(buying(), on.buy_train("ACL", "3", 180), "4.2.5(b)", "2")


@pytest.mark.rule("18GA 4.2.5(c)")
def test_c_the_bank_sells_at_face_value() -> None:
    """$100 for a 2, neither more nor less."""
    on.refused(buying(), on.buy_train("ACL", "2", 99), "4.2.5(c)", "$100")
    on.refused(buying(), on.buy_train("ACL", "2", 101), "4.2.5(c)")


@pytest.mark.rule("18GA 4.2.5(d)")
def test_d_companies_sell_at_any_price_from_a_dollar_in_any_phase() -> None:
    """In phase 2."""
    state = on.company(buying(phase="2"), "CoG", {"Ann": 60}, trains=("2", "2F"))
    state = on.operating(state, "ACL", "trains")
    assert on.allowed(state, on.buy_train("ACL", "2", 1, "CoG"))
    on.refused(state, on.buy_train("ACL", "2", 0, "CoG"), "4.2.5(d)", "$1")


@pytest.mark.rule("18GA 4.2.5(e)")
def test_e_the_first_of_a_type_changes_the_phase() -> None:
    """The first 4 removes all 2 trains, the free one too."""
    state = on.own(buying("2", "2F", phase="3"), OFFERING, "4", "4")
    act = on.buy_train("ACL", "4", 300)
    assert on.happened(state, act, PhaseBegan) == [PhaseBegan("4")]
    state = on.own(state, "OSR")
    gone = [TrainsGone("2", {"ACL": 1}), TrainsGone("2F", {"ACL": 1})]
    assert on.happened(state, act, TrainsGone) == gone
    assert on.after(state, act).trains["ACL"] == ("4",)


@pytest.mark.rule("18GA 4.2.5(f)")
def test_f_one_train_of_the_bank_before_the_first_4() -> None:
    """The buyer of the first 4 may go on at once; trains of others do not count."""
    state = on.privates(on.own(buying(phase="2"), OFFERING, "2", "3", "3"), {"LT": "Ann"})
    state = on.company(state, "CoG", {"Ann": 60}, trains=("2",))
    state = on.operating(state, "ACL", "trains")
    state = on.after(state, on.buy_train("ACL", "2", 100))
    on.refused(state, on.buy_train("ACL", "3", 180), "4.2.5(f)")
    assert on.allowed(state, on.buy_train("ACL", "2", 50, "CoG"))
    state = on.own(buying(phase="3"), OFFERING, "4", "4")
    state = on.after(state, on.buy_train("ACL", "4", 300))
    assert on.allowed(state, on.buy_train("ACL", "4", 300))


@pytest.mark.rule("18GA 4.2.5(g)")
def test_g_the_train_limit() -> None:
    """Four, three from the first 4, two from the first 5; the excess goes to the market."""
    on.refused(buying("2", "2", "2", "2F"), on.buy_train("ACL", "2", 100), "4.2.5(g)", "4")
    state = on.own(buying("3", "3", "4", phase="4"), OFFERING, "5", "5")
    on.refused(state, on.buy_train("ACL", "5", 450), "4.2.5(g)", "3")
    state = on.own(buying("3", "4", phase="4"), OFFERING, "5", "5")
    state = on.after(state, on.buy_train("ACL", "5", 450))
    act = DiscardTrain(by="Ann", company="ACL", train="3")
    on.refused(state, DiscardTrain(by="Ann", company="ACL", train="6"), "4.2.5(g)")
    assert on.happened(state, act, TrainDiscarded) == [TrainDiscarded("ACL", "3")]
    assert on.after(state, act).trains[MARKET] == ("3",)


def forced(cash: int = 0, own: int = 600, **held: int) -> State:
    """ACL has a route, no train, and little money; the 4 costs $300."""
    state = turn("ACL", "trains", laid=LINE, phase="4", cash=cash, held=held or {"Ann": 60})
    found: State = on.money(state, {"Ann": own})
    return found


@pytest.mark.rule("18GA 4.2.5.1")
def test_4_2_5_1_a_company_with_a_route_needs_a_train() -> None:
    """And without a route, or with empty offering and market, none."""
    on.refused(buying(), on.done(), "4.2.5.1", "ACL", "buy 2")
    assert on.allowed(buying(route=False), on.done())
    assert on.allowed(on.own(buying(), OFFERING), on.done())
    assert on.allowed(buying("2F"), on.done()), "the free train is a train"


@pytest.mark.rule("18GA 4.2.5.1")
def test_4_2_5_1_the_president_adds_what_is_missing() -> None:
    """Only for a train that must be bought."""
    act = on.buy_train("ACL", "4", 300)
    assert on.happened(forced(120), act, TrainBought) == [
        TrainBought("ACL", "4", OFFERING, 300, 180)
    ]
    on.refused(buying("3", cash=120, phase="4"), act, "4.2.5.1", "$300")


@pytest.mark.rule("18GA 4.2.5.1(a)")
def test_a_the_cheapest_of_the_bank_with_his_money() -> None:
    """The 3 of the market; and no train of a company after he sold shares."""
    state = on.own(forced(), MARKET, "3")
    on.refused(state, on.buy_train("ACL", "4", 300), "4.2.5.1(a)", "3", "$180")
    assert on.allowed(state, on.buy_train("ACL", "3", 180, MARKET))


@pytest.mark.rule("18GA 4.2.5.1(b)")
@pytest.mark.rule("18GA 4.2.5.1(c)")
def test_b_and_c_one_train_and_no_money_left() -> None:
    """After it the company has nothing, and no train can be bought with his money."""
    state = on.after(forced(120, 2000), on.buy_train("ACL", "4", 300))
    assert (state.cash["ACL"], state.cash["Ann"]) == (0, 1820)
    on.refused(on.operating(state, "ACL", "trains"), on.buy_train("ACL", "4", 300), "4.2.5.1")


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_he_sells_just_enough_and_stays_president() -> None:
    """$10 are missing: one share of CoG at $90, not two; not ACL's presidency."""
    state = on.company(forced(0, 290, Ann=30, Bob=30), "CoG", {"Bob": 30, "Ann": 30})
    state = on.operating(state, "ACL", "trains")
    on.refused(state, on.buy_train("ACL", "4", 300), "4.2.5.1(d)", "$10")
    on.refused(state, on.sell(2, "CoG"), "4.2.5.1(d)", "$10")
    on.refused(state, on.sell(1, "ACL"), "4.2.5.1(d)", "presidency")
    now = on.after(state, on.sell(1, "CoG"))
    assert on.allowed(now, on.buy_train("ACL", "4", 300))


def poor(**shares: tuple[int, int]) -> State:
    """$100 are missing, no share of ACL may be sold; Ann has one share each at these spaces."""
    state = forced(0, 200, Ann=20, Bob=20, Cas=20)
    for name, at in shares.items():
        state = on.company(state, name, {"Bob": 30, "Ann": 10}, at=at)
    found: State = on.operating(state, "ACL", "trains")
    return found


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_a_cheap_share_sold_first_makes_nobody_bankrupt() -> None:
    """$55 are raised, and of the shares that are left each brings too much: the least of them goes."""
    state = on.after(poor(CoG=(2, 1), GA=(0, 8), SAL=(0, 6)), on.sell(1, "CoG"))
    on.refused(state, on.sell(1, "GA"), "4.2.5.1(d)", "$45", "$105", "Sell others")
    on.refused(state, GoBankrupt(by="Ann", company="ACL"), "4.2.5.1", "sell 1 SAL")
    now = on.after(state, on.sell(1, "SAL"), on.buy_train("ACL", "4", 300))
    assert (now.trains["ACL"], now.cash["Ann"]) == (("4",), 55 + 120 - 100)


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_a_dear_share_waits_while_a_cheap_one_will_do() -> None:
    """After $55, a share of $60 leaves $15: so $120 is too much."""
    state = on.after(poor(CoG=(2, 1), GA=(1, 1), SAL=(0, 6)), on.sell(1, "CoG"))
    on.refused(state, on.sell(1, "SAL"), "4.2.5.1(d)", "$75")
    assert on.after(state, on.sell(1, "GA")).cash["Ann"] == 200 + 55 + 60


def lacking(own: int = 200, **shares: tuple[int, int]) -> State:
    """As `poor`, with private companies of Ann's and of Bob's."""
    state = on.money(on.privates(poor(**shares), {"LT": "Ann", "MRC": "Bob"}), {"Ann": own})
    assert on.why_not(state, on.done()) is not None
    found: State = state
    return found


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_he_may_sell_his_private_companies_to_players() -> None:
    """As 3.2(b) has it: Bob agrees to $130 for the LT, and Ann keeps $30, as she had to get $100."""
    state = lacking()
    asked = on.after(state, on.trade("LT", "Ann", "Bob", 130))
    assert on.waits_for(asked) == ("Bob",)
    assert on.why_not(on.after(asked, Decline(by="Bob")), on.done()) is not None
    sold = on.after(asked, on.accept("Bob"))
    assert (sold.privates["LT"], sold.cash["Ann"]) == ("Bob", 330)
    now = on.after(sold, on.buy_train("ACL", "4", 300))
    assert (now.cash["ACL"], now.cash["Ann"]) == (0, 30)
    assert TradePrivate in [o.kind for o in flow.options(GA, state, "Ann") if isinstance(o, Open)]


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_a_private_is_sold_to_players_for_nothing_else() -> None:
    """Not before the train step, not with the money at hand, not another's, not beyond 3.2(b)."""
    act = on.trade("LT", "Ann", "Bob", 130)
    state = lacking()
    on.refused(on.operating(state, "ACL"), act, "4.2.5.1(d)", "train")
    on.refused(lacking(300), act, "4.2.5.1(d)", "train")
    on.refused(
        state, on.trade("MRC", "Bob", "Ann", 10), "4.2.5.1(d)", "only private companies of Ann"
    )
    on.refused(state, on.trade("MRC", "Ann", "Cas", 10), "3.2(b)", "Bob")
    on.refused(state, on.trade("LT", "Ann", "Bob", 0), "3.2(b)")
    on.refused(state, on.trade("LT", "Ann", "Bob", 601), "3.2(b)", "$600")
    full = replace(state, shares={**state.shares, "CoG": {"Bob": (10,) * 14}})
    on.refused(full, act, "3.3(b)", "Bob")


@pytest.mark.rule("18GA 4.2.5.1(d)")
def test_d_a_private_brings_no_more_than_a_share_may_leave() -> None:
    """After a share at $55 another $45 are missing: $99 for the LT at most, and no train of others."""
    state = on.after(lacking(CoG=(2, 1)), on.sell(1, "CoG"))
    on.refused(state, on.trade("LT", "Ann", "Bob", 100), "4.2.5.1(d)", "$45", "$99")
    sold = on.after(state, on.trade("LT", "Ann", "Bob", 99), on.accept("Bob"))
    assert on.after(sold, on.buy_train("ACL", "4", 300)).cash["Ann"] == 54
    first = on.after(lacking(), on.trade("LT", "Ann", "Bob", 40), on.accept("Bob"))
    owning = on.own(on.money(first, {"ACL": 5}), "GA", "4")
    on.refused(owning, on.buy_train("ACL", "4", 5, "GA"), "4.2.5.1(a)", "Ann")


@pytest.mark.rule("18GA 4.2.5.1(a)")
def test_a_the_free_train_is_no_way_out_of_the_purchase_after_a_sale() -> None:
    """Ann sold a share for a 3; the Ocilla Southern would bring ACL its 2F instead."""
    state = turn("ACL", "trains", laid=LINE, phase="3", cash=60, owns={"OSR": "Ann", "LT": "Ann"})
    state = on.company(on.money(state, {"Ann": 0}), "CoG", {"Bob": 30, "Ann": 20}, at=(0, 4))
    state = on.operating(state, "ACL", "trains")
    act = on.trade("OSR", "Ann", "ACL", 50)
    assert on.allowed(state, act)
    sold = on.after(state, on.sell(1, "CoG"))
    on.refused(sold, act, "4.2.5.1(a)", "Ann")
    assert on.allowed(sold, on.trade("LT", "Ann", "ACL", 20))


@pytest.mark.rule("18GA 5(c)")
@pytest.mark.rule("18GA 5.1")
def test_5_c_bankruptcy_ends_the_game_at_once() -> None:
    """Ann has nothing to sell: her cash is forfeited, her shares count."""
    state = forced(0, 100, Ann=20, Bob=20, Cas=20)
    ended = on.after(state, GoBankrupt(by="Ann", company="ACL"))
    assert ended.stack == ()
    assert worth(on.table(ended), "Ann") == 2 * on.price(ended, "ACL")
    rich = forced(0, 300, Ann=20, Bob=20, Cas=20)
    on.refused(rich, GoBankrupt(by="Ann", company="ACL"), "4.2.5.1", "Ann")


@pytest.mark.rule("18GA 4.2.6")
def test_4_2_6_companies_buy_privates_from_phase_3_for_half_to_one_and_a_half_par() -> None:
    """M&B for $75 to $225; a company never sells it."""
    state = turn("ACL", phase="2", owns={"M&B": "Ann"})
    on.refused(state, on.trade("M&B", "Ann", "ACL", 150), "4.2.6", "phase 2")
    state = turn("ACL", phase="3", owns={"M&B": "Ann"})
    on.refused(state, on.trade("M&B", "Ann", "ACL", 74), "4.2.6", "$75", "$225")
    on.refused(state, on.trade("M&B", "Ann", "ACL", 226), "4.2.6")
    sold = on.after(state, on.trade("M&B", "Ann", "ACL", 225))
    assert sold.cash["ACL"] == 275
    bob = on.company(sold, "CoG", {"Ann": 60}, cash=500)
    again = on.trade("M&B", "ACL", "CoG", 150)
    on.refused(on.operating(bob, "CoG"), again, "4.2.6", "ACL")

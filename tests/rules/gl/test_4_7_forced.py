"""18GL 4.7, 4.7.1, 4.7.2, 4.7.4, 4.8: the train that must be bought, and who pays for it."""

import pytest

from engine.actions import BuyTrain, GoBankrupt, SellShares
from engine.events import BondsIssued, LoanTaken, SharesSold, TrainBought
from engine.position.values import MARKET, OFFERING, State
from tests.rules.gl.setting import on

#: a space of the top row, two columns to the right of $100
AT_120 = (0, 5)


def buying(
    cash: int,
    *pool: str,
    phase: str = "6H",
    own: int = 400,
    loans: int = 0,
    held: dict[str, int] | None = None,
) -> State:
    """MR, at $120, has no train and no route but must buy one: a 6H costs $300, a 10H $600."""
    state = on.turn(
        "trains", "MR", at_phase=phase, cash=cash, loans=loans, at=AT_120, held=held or {"Ann": 60}
    )
    if phase == "D":
        state = on.own(state, OFFERING, "D")
    return on.money(on.own(state, MARKET, *pool), {"Ann": own})


def new(name: str = "MR", train: str = "6H", dollars: int = 300) -> BuyTrain:
    """Buy the train on sale at the bank."""
    return on.buy_train(name, train, dollars)


@pytest.mark.rule("18GL 4.7")
def test_4_7_a_corporation_must_own_a_train_route_or_no_route() -> None:
    """DT&I has no track; its turn ends only with a train."""
    state = on.turn("trains", "DT&I", cash=300)
    on.refused(state, on.done(), "4.7", "DT&I", "buy 2H", "$100")
    assert on.allowed(on.after(state, on.buy_train("DT&I", "2H", 100)), on.done())


@pytest.mark.rule("18GL 4.7", "18GL R33")
def test_4_7_while_its_money_pays_for_one_there_is_no_emergency() -> None:
    """$300 pay for the 6H: no loan, no share of Ann's."""
    state = buying(300)
    assert not on.happened(state, new(), LoanTaken)
    on.refused(state, on.sell(1, "MR"), "4.7.2")
    on.refused(state, GoBankrupt(by="Ann", company="MR"), "4.7.3")


@pytest.mark.rule("18GL 4.7", "18GL R33")
def test_4_7_it_must_take_the_cheaper_train_of_the_pool() -> None:
    """$299 do not pay for the 6H but for the 4H of the pool: nothing is borrowed."""
    state = buying(299, "4H")
    on.refused(state, new(), "4.7.2", "4H", "buy 4H market")
    on.refused(state, on.done(), "4.7", "buy 4H market")
    assert on.allowed(state, on.buy_train("MR", "4H", 200, MARKET))
    assert on.allowed(buying(300, "4H"), new()), "with the money for both it chooses"


@pytest.mark.rule("18GL 4.7", "18GL 4.7.2", "18GL 4.7.3", "18GL R33")
@pytest.mark.parametrize(
    ("phase", "kind", "cash", "pool", "price"),
    [("D", "D", 700, "10H", 600), ("E", "E", 700, "10H", 600), ("10H", "10H", 599, "6H", 300)],
)
def test_4_7_with_its_loans_out_it_buys_the_train_of_the_pool(
    phase: str, kind: str, cash: int, pool: str, price: int
) -> None:
    """Its treasury pays for that one: Ann adds nothing, sells nothing, and is not bankrupt."""
    state = buying(cash, pool, phase=phase, loans=2, own=0)
    how = f"buy {pool} market"
    on.refused(state, GoBankrupt(by="Ann", company="MR"), "4.7.3", "itself", how)
    on.refused(state, on.sell(1, "MR"), "4.7.2", "itself", how)
    on.refused(state, on.done(), "4.7", how, f"${price}")
    assert on.offered(state, "Ann", SellShares) == on.offered(state, "Ann", GoBankrupt) == []
    rich = on.money(state, {"Ann": 1000})
    dollars = on.title.trains[kind].price
    on.refused(rich, new("MR", kind, dollars), "4.7.2", "itself", how)
    assert on.allowed(state, on.buy_train("MR", pool, price, MARKET))


@pytest.mark.rule("18GL 4.7", "18GL R33")
def test_4_7_what_it_could_borrow_does_not_count_as_its_money() -> None:
    """$500 and two loans to be had do not oblige it to a 10H of the pool; they pay for the D."""
    state = buying(500, "10H", phase="D", own=0)
    assert on.after(state, new("MR", "D", 1000)).loans["MR"] == 1


@pytest.mark.rule("18GL 4.8", "18GL 4.7.2")
def test_4_8_else_it_takes_a_loan_with_the_purchase() -> None:
    """$0 and a 6H: $500 from the bank, $200 left, one column left, Ann pays nothing."""
    state = buying(0)
    assert on.happened(state, new(), LoanTaken) == [LoanTaken("MR", 1, 500, 1)]
    assert on.happened(state, new(), TrainBought) == [TrainBought("MR", "6H", OFFERING, 300)]
    now = on.after(state, new())
    assert (now.cash["MR"], now.loans["MR"], now.cash["Ann"]) == (200, 1, 400)
    assert on.price(now, "MR") == 110


@pytest.mark.rule("18GL 4.7.1", "18GL 4.8")
@pytest.mark.parametrize(("cash", "loans", "left"), [(600, 0, 0), (599, 1, 499), (99, 2, 499)])
def test_4_7_1_no_more_loans_than_necessary(cash: int, loans: int, left: int) -> None:
    """A 10H costs $600; each loan moves the price a column."""
    state = buying(cash, phase="10H")
    now = on.after(state, new("MR", "10H", 600))
    assert (now.loans.get("MR", 0), now.cash["MR"]) == (loans, left)
    assert on.price(now, "MR") == (120, 110, 100)[loans]


@pytest.mark.rule("18GL 4.7.2", "18GL R33")
def test_4_7_2_loans_never_pay_for_a_train_of_the_pool() -> None:
    """$100 pay for neither; the 4H at $200 is not what loans are for."""
    state = buying(100, "4H")
    on.refused(state, on.buy_train("MR", "4H", 200, MARKET), "4.7.2", "6H", "$300")
    now = on.after(state, new())
    assert now.cash["MR"] == 300
    assert on.allowed(now, on.buy_train("MR", "4H", 200, MARKET)), "with what is left it may"


@pytest.mark.rule("18GL 4.7.1", "18GL R34")
def test_4_7_1_neither_loans_nor_the_president_pay_other_corporations() -> None:
    """MR has $100: that is the most that it can pay IC, but that it can."""
    state = on.company(buying(100), "IC", {"Ann": 60}, trains=("4H", "4H"))
    state = on.operating(state, "MR", "trains")
    on.refused(state, on.buy_train("MR", "4H", 101, "IC"), "4.6.8", "$100")
    now = on.after(state, on.buy_train("MR", "4H", 100, "IC"))
    assert (now.trains["MR"], now.cash["Ann"]) == (("4H",), 400)


@pytest.mark.rule("18GL 4.8")
def test_4_8_no_loan_for_a_train_that_need_not_be_bought() -> None:
    """MR has a 4H and $100."""
    state = on.own(buying(100), "MR", "4H")
    on.refused(state, new(), "4.7.2", "$300", "$100")
    assert on.allowed(state, on.done())


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_after_two_loans_the_president_adds_what_is_missing() -> None:
    """A D costs $1000, MR owes one loan and has $300: $500 by a loan, $200 from Ann."""
    state, act = buying(300, phase="D", loans=1), new("MR", "D", 1000)
    assert on.happened(state, act, TrainBought) == [TrainBought("MR", "D", OFFERING, 1000, 200)]
    now = on.after(state, act)
    assert (now.loans["MR"], now.cash["MR"], now.cash["Ann"]) == (2, 0, 200)


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_he_sells_when_his_cash_does_not_do() -> None:
    """$700 of the D's $1000, Ann has $90: $210 are missing, two shares of MR at $120, not three."""
    state = buying(700, phase="D", loans=2, own=90)
    on.refused(state, new("MR", "D", 1000), "4.7.2", "$210")
    on.refused(state, on.sell(3, "MR"), "4.7.2", "$210", "$150")
    assert on.offered(state, "Ann", SellShares) == [on.sell(1, "MR"), on.sell(2, "MR")]
    now = on.after(state, on.sell(2, "MR"))
    on.refused(now, on.sell(1, "MR"), "4.7.2", "money")
    last = on.after(now, new("MR", "D", 1000))
    assert (last.cash["Ann"], last.cash["MR"]) == (30, 0)


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_he_may_sell_one_by_one() -> None:
    """A dear share after a cheap one: what counts is that the last one was needed."""
    state = on.company(buying(700, phase="D", loans=2, own=190), "IC", {"Ann": 60}, par=60)
    state = on.operating(state, "MR", "trains")
    now = on.after(state, on.sell(1, "IC"))
    now = on.after(now, on.sell(1, "MR"), new("MR", "D", 1000))
    assert now.cash["Ann"] == 190 + 60 + 120 - 300


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_he_keeps_the_presidency_of_the_corporation_that_buys() -> None:
    """Bob has 30% of MR: Ann may go down to 30%, not below; IC she may lose."""
    state = buying(0, phase="D", loans=2, own=0, held={"Ann": 60, "Bob": 30})
    on.refused(state, on.sell(4, "MR"), "4.7.2", "presidency of MR")
    assert on.allowed(state, on.sell(3, "MR"))
    state = on.company(state, "IC", {"Ann": 30, "Bob": 20}, par=100)
    state = on.operating(state, "MR", "trains")
    assert on.after(state, on.sell(3, "IC")).presidents["IC"] == "Bob"


@pytest.mark.rule("18GL 4.7.2", "18GL 3.4")
def test_4_7_2_the_open_market_takes_half_of_a_corporation() -> None:
    """It has 40% of IC: one share more."""
    state = buying(0, phase="D", loans=2, own=0)
    state = on.company(state, "IC", {"Bob": 40, "Ann": 20}, par=100, market=40)
    state = on.operating(state, "MR", "trains")
    on.refused(state, on.sell(2, "IC"), "3.4", "50%")
    assert on.allowed(state, on.sell(1, "IC"))


@pytest.mark.rule("18GL 4.7.2", "18GL 4.1.1")
def test_4_7_2_shares_of_a_corporation_that_has_not_operated_stay() -> None:
    """As in a stock round."""
    state = on.company(buying(0, phase="D", loans=2, own=0), "IC", {"Bob": 30, "Ann": 20}, turns=0)
    on.refused(on.operating(state, "MR", "trains"), on.sell(1, "IC"), "4.1.1", "operated")


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_the_treasury_sells_no_shares_meanwhile() -> None:
    """The train comes first."""
    on.refused(buying(0), on.issue("MR", 1), "4.7")


@pytest.mark.rule("18GL 4.7.2")
def test_4_7_2_once_he_has_sold_the_train_of_the_bank_is_bought() -> None:
    """Not one of IC, though MR could pay for it."""
    state = on.company(buying(700, phase="D", loans=2, own=90), "IC", {"Ann": 60}, trains=("E",))
    state = on.after(on.operating(state, "MR", "trains"), on.sell(2, "MR"))
    on.refused(state, on.buy_train("MR", "E", 800, "IC"), "4.7.2")


@pytest.mark.rule("18GL 4.7.2", "18GL 4.8")
def test_4_7_2_the_loans_are_taken_before_he_sells() -> None:
    """The second loan moves MR to $110: $115 are missing, which one share at $110 does not bring."""
    state = buying(385, phase="D", loans=1, own=0)
    act = on.sell(2, "MR")
    assert on.happened(state, act, LoanTaken) == [LoanTaken("MR", 1, 500, 2)]
    assert on.happened(state, act, SharesSold) == [SharesSold("Ann", "MR", 20, 220)]
    now = on.after(state, act)
    assert (now.cash["MR"], now.cash["Ann"], now.loans["MR"]) == (885, 220, 2)
    assert on.table(now).cell("MR") == (2, 4)
    last = on.after(now, new("MR", "D", 1000))
    assert (last.cash["MR"], last.cash["Ann"], last.loans["MR"]) == (0, 105, 2)


@pytest.mark.rule("18GL 4.7.2", "18GL R33")
def test_4_7_2_loans_taken_for_a_sale_pay_for_the_train_of_the_bank_alone() -> None:
    """MR has $800 then, and the pool a 10H for $600."""
    state = buying(300, "10H", phase="D", loans=1, own=0)
    now = on.after(state, on.sell(2, "MR"))
    assert now.cash["MR"] == 800
    on.refused(now, on.buy_train("MR", "10H", 600, MARKET), "4.7.2", "D")
    assert on.allowed(now, new("MR", "D", 1000))


@pytest.mark.rule("18GL 4.7.2", "18GL 4.7.4")
def test_4_7_2_so_are_conrails_bonds() -> None:
    """Three bonds and its second loan bring $800 of the $1000 for a D, and move CONRAIL to $100."""
    state = on.own(conrail(0, 3, loans=1, phase="D"), OFFERING, "D")
    state = on.money(state, {"Ann": 150})
    act = on.sell(1, "CR")
    assert on.happened(state, act, BondsIssued) == [BondsIssued("CR", 3, 300)]
    now = on.after(state, act)
    assert (now.cash["CR"], now.bonds[MARKET], now.loans["CR"]) == (800, 3, 2)
    assert now.cash["Ann"] == 150 + 100


def conrail(cash: int, bonds: int, *, loans: int = 0, phase: str = "10H") -> State:
    """CONRAIL, at $110, must buy a 10H for $600; it has some of its bonds, Bob the others."""
    start = on.phase(on.stock_turn(), phase)
    state = on.company(start, "CR", {"Ann": 60}, at=(0, 4), cash=cash, loans=loans)
    state = on.money(on.bonds(state, {"CR": bonds, "Bob": 10 - bonds}), {"Ann": 400})
    return on.operating(state, "CR", "trains")


@pytest.mark.rule("18GL 4.7.4", "18GL R39")
def test_4_7_4_conrail_issues_bonds_before_it_takes_a_loan() -> None:
    """$250 are missing: three bonds at $100 for the open market, $50 are left, no loan."""
    state, act = conrail(350, 10), new("CR", "10H", 600)
    assert on.happened(state, act, BondsIssued) == [BondsIssued("CR", 3, 300)]
    assert not on.happened(state, act, LoanTaken)
    now = on.after(state, act)
    assert (now.bonds["CR"], now.bonds[MARKET], now.cash["CR"]) == (7, 3, 50)
    assert on.price(now, "CR") == 110


@pytest.mark.rule("18GL 4.7.4", "18GL 4.8")
def test_4_7_4_all_its_bonds_then_a_loan() -> None:
    """$600 are missing: four bonds and one loan, $300 are left."""
    state, act = conrail(0, 4), new("CR", "10H", 600)
    assert on.happened(state, act, BondsIssued) == [BondsIssued("CR", 4, 400)]
    assert on.happened(state, act, LoanTaken) == [LoanTaken("CR", 1, 500, 1)]
    assert on.after(state, act).cash["CR"] == 300


@pytest.mark.rule("18GL 4.7.4")
def test_4_7_4_a_bond_that_was_issued_can_be_redeemed_at_once() -> None:
    """Four bonds and a loan brought $900: three of the four come back."""
    now = on.after(conrail(0, 4), new("CR", "10H", 600))
    state = on.operating(now, "CR", "redeem")
    on.refused(state, on.redeem("CR", 4, MARKET), "4.6.10", "$300")
    assert on.after(state, on.redeem("CR", 3, MARKET)).bonds["CR"] == 3


@pytest.mark.rule("18GL 4.7.4")
def test_4_7_4_bonds_are_not_issued_at_will() -> None:
    """With a train, and for a train of another corporation, there are none."""
    state = on.own(conrail(350, 10), "CR", "10H")
    on.refused(state, new("CR", "10H", 600), "4.7.2", "$350")


@pytest.mark.rule("18GL 4.7.2", "18GL 3.5")
def test_4_7_2_a_sale_lowers_the_price_a_row_a_share() -> None:
    """Two shares of MR, two rows."""
    state = buying(700, phase="D", loans=2, own=90)
    assert on.happened(state, on.sell(2, "MR"), SharesSold) == [SharesSold("Ann", "MR", 20, 240)]
    assert on.table(on.after(state, on.sell(2, "MR"))).cell("MR") == (2, 5)


@pytest.mark.rule("18GL 4.7.4", "18GL 4.7", "18GL R44")
def test_4_7_4_bonds_are_cash_for_a_train_of_the_pool_too() -> None:
    """$50 and seven bonds do not pay for a D at $1000 but for a 10H of the pool: six bonds, no loan."""
    state = on.own(on.own(conrail(50, 7, phase="D"), OFFERING, "D"), MARKET, "10H")
    on.refused(state, new("CR", "D", 1000), "4.7.2", "itself", "buy 10H market")
    on.refused(state, on.sell(1, "CR"), "4.7.2", "itself", "buy 10H market")
    on.refused(state, GoBankrupt(by="Ann", company="CR"), "4.7.3", "itself")
    on.refused(state, on.done(), "4.7", "buy 10H market", "$600")
    act = on.buy_train("CR", "10H", 600, MARKET)
    assert on.happened(state, act, BondsIssued) == [BondsIssued("CR", 6, 600)]
    now = on.after(state, act)
    assert (now.cash["CR"], now.bonds["CR"], now.loans.get("CR", 0)) == (50, 1, 0)


@pytest.mark.rule("18GL 4.7.4", "18GL 4.7", "18GL R44")
def test_4_7_4_with_bonds_for_both_it_chooses() -> None:
    """$600 and ten bonds pay for the D as well as for the 10H; another corporation takes cash only."""
    state = on.own(on.own(conrail(600, 10, phase="D"), OFFERING, "D"), MARKET, "10H")
    assert on.after(state, new("CR", "D", 1000)).bonds["CR"] == 6
    assert on.after(state, on.buy_train("CR", "10H", 600, MARKET)).bonds["CR"] == 10
    state = on.company(state, "IC", {"Ann": 60}, trains=("E", "E"))
    state = on.operating(state, "CR", "trains")
    on.refused(state, on.buy_train("CR", "E", 800, "IC"), "4.6.8", "$600")


@pytest.mark.rule("18GL 4.7.2", "18GL R46")
def test_4_7_2_which_shares_he_sells_is_his_choice_how_many_is_not() -> None:
    """$100 are missing: one of MR at $120 or of IC at $60, then another; no two of MR."""
    state = on.company(buying(900, phase="D", loans=2, own=0), "IC", {"Ann": 60}, par=60)
    state = on.operating(state, "MR", "trains")
    on.refused(state, on.sell(2, "MR"), "4.7.2", "$100", "$140")
    assert on.allowed(state, on.sell(1, "MR"))
    assert on.allowed(on.after(state, on.sell(1, "IC")), on.sell(1, "MR"))
    young = on.company(buying(900, phase="D", loans=2, own=0), "IC", {"Ann": 60}, turns=0)
    on.refused(on.operating(young, "MR", "trains"), on.sell(1, "IC"), "4.1.1", "operated")


@pytest.mark.rule("18GL 4.1.1", "18GL 4.7.2")
def test_4_7_2_one_block_of_each_company_is_a_rule_of_stock_rounds_only() -> None:
    """$200 are missing: Ann sells a share of IC and then another one, which costs a row more."""
    state = on.money(buying(0, phase="D", loans=2, own=800), {"Ann": 800})
    state = on.operating(on.company(state, "IC", {"Bob": 30, "Ann": 30}, at=AT_120), "MR", "trains")
    first = on.after(state, on.sell(1, "IC"))
    assert on.offered(first, "Ann", SellShares)
    again = on.after(first, on.sell(1, "IC"))
    assert on.percent(again, "IC")["Ann"] == 10
    assert again.cash["Ann"] - first.cash["Ann"] < first.cash["Ann"] - state.cash["Ann"]

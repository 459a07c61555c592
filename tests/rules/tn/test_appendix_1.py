"""18TN Appendix 1: its questions, answered by the engine; those not answered beside their rules."""

import pytest

from engine.actions import BuyTrain, Dividend
from engine.events import TrainBought
from engine.flow import options
from engine.options import Choice, Range
from engine.position.values import MARKET, OFFERING, State
from engine.telling.narration import narrate
from engine.telling.showing import view
from tests.rules.tn.setting import EAST, on


def of(name: str, held: dict[str, int], *, number: int = 2) -> State:
    """Ann's stock turn; players hold these shares of one company at $90."""
    return on.company(on.stock_turn(number=number), name, held)


@pytest.mark.rule("18TN A1 full capitalisation")
def test_floating_brings_ten_times_par() -> None:
    """L&N too, though only 20% of it were bought."""
    assert on.after(of("TC", {"Bob": 50}), on.buy("TC")).cash["TC"] == 900
    sold = {"TCC": "Bob", "ET&WNC": "Bob", "M&C": "Cas", "O&W": "Cas"}
    state = on.after(on.private_turn(sold=sold), on.buy_private("LNR"), on.par("L&N", 65))
    assert state.cash["L&N"] == 650


@pytest.mark.rule("18TN A1 selling before a company operates")
def test_shares_of_a_company_that_never_operated_may_be_sold() -> None:
    """Not in the first stock round."""
    assert on.allowed(of("TC", {"Ann": 40, "Bob": 20}), on.sell(1, "TC"))
    on.refused(of("TC", {"Ann": 40, "Bob": 20}, number=1), on.sell(1, "TC"), "3.2(a)(1)")


@pytest.mark.rule("18TN A1 half in the market")
def test_half_of_a_company_at_most_in_the_market() -> None:
    """Five shares, not six."""
    state = of("TC", {"Ann": 60, "Bob": 20})
    assert on.allowed(state, on.sell(5, "TC"))
    on.refused(state, on.sell(6, "TC"), "3.2(a)(2)")


@pytest.mark.rule("18TN A1 buying then selling")
@pytest.mark.rule("18TN A1 selling buying selling")
def test_what_is_bought_may_be_sold_in_the_same_turn_but_not_between_sales() -> None:
    """Buy and sell; not sell, buy and sell."""
    state = on.company(of("TC", {"Ann": 40, "Bob": 20}), "SOU", {"Ann": 30})
    assert on.allowed(on.after(state, on.buy("TC")), on.sell(1, "TC"))
    on.refused(on.after(state, on.sell(1, "TC"), on.buy("SOU")), on.sell(1, "TC"), "3.2")


@pytest.mark.rule("18TN A1 order of sales")
def test_the_order_of_sales_orders_the_stack() -> None:
    """What comes first to a space is on top."""
    state = on.company(on.stock_turn(), "TC", {"Ann": 60}, at=(2, 4))
    state = on.company(state, "SOU", {"Ann": 60}, at=(2, 4))
    one = on.after(state, on.sell(1, "TC"), on.sell(1, "SOU"))
    other = on.after(state, on.sell(1, "SOU"), on.sell(1, "TC"))
    assert on.table(one).priced() == ["TC", "SOU"]
    assert on.table(other).priced() == ["SOU", "TC"]


@pytest.mark.rule("18TN A1 selling one by one")
def test_shares_sold_one_by_one_bring_less() -> None:
    """Each at the value that the sale before it left."""
    state = of("TC", {"Ann": 60})
    block = on.after(state, on.sell(2, "TC"))
    single = on.after(state, on.sell(1, "TC"), on.sell(1, "TC"))
    assert (block.cash["Ann"], single.cash["Ann"]) == (780, 770)


@pytest.mark.rule("18TN A1 trading trains in")
@pytest.mark.rule("18TN A1 discarding for a better train")
@pytest.mark.rule("18TN A1 privates are not closed")
def test_nothing_trades_discards_or_closes_what_a_company_has() -> None:
    """Beside buying and ending the turn a company can do nothing in its train step."""
    state = on.privates(
        on.turn("SOU", "trains", laid=EAST, at_phase="4", trains=("3", "3"), cash=900),
        {"TCC": "SOU", "O&W": "Ann"},
    )
    kinds = {
        type(o.action).__name__
        for o in options(on.TN, state, "Ann")
        if isinstance(o, Choice | Range)
    }
    assert kinds == {"BuyTrain", "TradePrivate", "Pass"}
    full = on.turn("SOU", "trains", laid=EAST, at_phase="4", trains=("3", "3", "4"), cash=900)
    on.refused(full, on.buy_train("SOU", "4", 300), "4.2.5(g)", "limit is 3")


@pytest.mark.rule("18TN A1 number of 8 trains")
def test_there_are_seven_8_trains() -> None:
    """After them the bank has none, and no company must buy one."""
    assert on.opening().trains[OFFERING].count("8") == 7
    state = on.own(on.turn("SOU", "trains", laid=EAST, at_phase="8"), OFFERING)
    on.refused(state, on.buy_train("SOU", "8", 700), "4.2.5(b)", "sold")
    assert on.allowed(state, on.done())


@pytest.mark.rule("18TN A1 players' money")
@pytest.mark.rule("18TN A1 companies' money")
def test_all_money_is_seen_by_all() -> None:
    """The view has no secrets."""
    seen = view(on.TN, on.turn("SOU", cash=321))
    assert [p.cash for p in seen.players] == [600, 600, 600]
    assert next(c.cash for c in seen.companies if c.id == "SOU") == 321


@pytest.mark.rule("18TN A1 price of a train")
def test_the_price_of_a_train_is_told() -> None:
    """Between companies, too."""
    state = on.turn("SOU", "trains", laid=EAST)
    state = on.company(state, "TC", {"Ann": 60}, trains=("2", "2"))
    buy = BuyTrain(by="Ann", company="SOU", train="2", source="TC", price=77)
    [bought] = on.happened(state, buy, TrainBought)
    assert bought == TrainBought("SOU", "2", "TC", 77)
    assert on.TN.money(77) in narrate(on.TN, bought)


@pytest.mark.rule("18TN A1 cheapest train when forced")
def test_a_company_that_can_pay_may_buy_any_train_of_the_bank() -> None:
    """The cheapest is for presidents who help."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="4", cash=300)
    state = on.own(state, MARKET, "3")
    assert on.allowed(state, on.buy_train("SOU", "4", 300))


@pytest.mark.rule("18TN A1 market and dividends")
@pytest.mark.rule("18TN A1 offering and dividends")
def test_a_dividend_is_all_or_nothing() -> None:
    """Pay or withhold."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2",))
    state = on.after(state, on.run("SOU", ("2", "F17-F19-E20-E22")))
    assert [a.kind for a in on.offered(state, "Ann", Dividend)] == ["pay", "withhold"]  # type: ignore[attr-defined]

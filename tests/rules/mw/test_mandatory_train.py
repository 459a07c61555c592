"""18MW Mandatory Train Purchase: who pays for the train that a company must own."""

from typing import Any

import pytest

from engine.actions import GoBankrupt, LetFall, OfferShare, Protect
from engine.events import TrainBought
from engine.position.frames import Protection
from engine.position.values import MARKET, State
from tests.rules.mw.setting import on

pytestmark = pytest.mark.rule("18MW Mandatory Train Purchase")

RULE = "Mandatory Train Purchase"
#: what bankruptcy of Ann over IC would be
DOWN = GoBankrupt(by="Ann", company="IC")


def needing(cash: int, own: int = 0, **more: Any) -> State:
    """IC, at $100, needs a train of Ann's; a 6 costs $550."""
    state = on.turn("trains", "IC", at_phase="6", cash=cash, **more)
    return on.money(state, {"Ann": own, "Bob": 0, "Cas": 0})


def beside(state: State, name: str, held: dict[str, int], **more: Any) -> State:
    """Another company, at $100 like IC but below it; players' money stays as it is."""
    return on.company(state, name, held, **more)


def test_a_company_without_a_route_needs_a_train() -> None:
    """IC has no track: its turn ends only with a train."""
    state = needing(550)
    on.refused(state, on.done(), RULE, "IC has no train", "buy 6")
    assert on.allowed(on.after(state, on.buy_train("IC", "6", 550)), on.done())


def test_whatever_the_treasury_can_pay_for_is_bought_without_help() -> None:
    """With $550 there is nothing to sell, and Ann adds nothing."""
    state = needing(550, 900, treasury=20)
    offer = OfferShare(by="Ann", company="IC")
    on.refused(state, offer, "Mandatory Train Purchase 1", "a 6 itself", "buy 6")
    on.refused(state, on.sell(1, "IC"), RULE, "buy 6")
    on.refused(state, DOWN, "Bankruptcy", "buy 6")


def test_any_train_that_the_treasury_pays_for_may_be_bought() -> None:
    """Of a used 5 and a new 6 IC takes which it likes; with Ann's money the cheapest."""
    assert on.allowed(on.own(needing(550), MARKET, "5"), on.buy_train("IC", "6", 550))
    short = on.own(needing(300, 900), MARKET, "5")
    on.refused(short, on.buy_train("IC", "6", 550), RULE, "a 5")
    assert on.allowed(short, on.buy_train("IC", "5", 425, MARKET))


@pytest.mark.rule("18MW R27")
def test_the_president_adds_what_the_treasury_lacks() -> None:
    """$450 of $550; the treasury first."""
    state = needing(100, 500)
    bought = on.happened(state, on.buy_train("IC", "6", 550), TrainBought)
    assert [event.aid for event in bought] == [450]
    now = on.after(state, on.buy_train("IC", "6", 550))
    assert (now.cash["IC"], now.cash["Ann"]) == (0, 50)


def test_a_president_sells_stock_until_there_is_enough_and_no_more() -> None:
    """$150 are missing at $100 a share: two shares at once, not three, and no third after them."""
    state = beside(needing(100, 300), "NP", {"Bob": 40, "Ann": 30}, at=(1, 7))
    on.refused(state, on.buy_train("IC", "6", 550), RULE, "sell")
    on.refused(state, on.sell(3, "NP"), RULE, "Sell fewer")
    sold = on.after(state, on.sell(2, "NP"))
    assert sold.cash["Ann"] == 500
    on.refused(sold, on.sell(1, "NP"), RULE, "have the money")
    assert on.allowed(sold, on.buy_train("IC", "6", 550))


def test_each_sale_by_itself_is_for_no_more_than_is_missing() -> None:
    """A cheap share sold first does not bar a dear one."""
    state = beside(needing(100, 300), "NP", {"Bob": 40, "Ann": 10}, at=(9, 2))
    state = beside(state, "MP", {"Bob": 40, "Ann": 10}, at=(0, 15))
    cheap = on.after(state, on.sell(1, "NP"))
    assert cheap.cash["Ann"] == 330
    assert on.allowed(cheap, on.sell(1, "MP"))


def test_a_president_never_sells_the_company_away() -> None:
    """With Bob at 30% Ann keeps 30% of IC."""
    state = needing(100, 250, held={"Ann": 40, "Bob": 30})
    on.refused(state, on.sell(2, "IC"), RULE, "presidency of IC")
    assert on.allowed(state, on.sell(1, "IC"))


def test_half_of_a_company_at_most_goes_to_the_market() -> None:
    """As in a stock round."""
    state = beside(needing(100, 250), "NP", {"Bob": 30, "Ann": 20}, market=40)
    on.refused(state, on.sell(2, "NP"), "Shares and Limits", "50%")


@pytest.mark.rule("18MW Share Price Protection, Eligibility 4", "18MW R6")
class TestProtectionOfWhatIsSold:
    """After a sale for the train a president may keep the price of the company."""

    @staticmethod
    def sold(bob: int) -> State:
        """Ann has sold two shares of Bob's NP at $100."""
        state = beside(needing(100, 300), "NP", {"Bob": 40, "Ann": 30}, at=(1, 7))
        return on.after(on.money(state, {"Bob": bob}), on.sell(2, "NP"))

    def test_the_president_of_what_was_sold_is_asked(self) -> None:
        """Bob buys both shares at their price, or NP falls two rows; then Ann goes on."""
        asked = self.sold(200)
        assert isinstance(asked.stack[-1], Protection)
        assert on.waits_for(asked) == ("Bob",)
        kept = on.after(asked, Protect(by="Bob", which="NP"))
        assert on.table(kept).cell("NP") == (1, 7)
        assert on.percent(kept, "NP")["Bob"] == 60
        fell = on.after(asked, LetFall(by="Bob", which="NP"))
        assert on.table(fell).cell("NP") == (3, 7)
        for state in (kept, fell):
            assert on.waits_for(state) == ("Ann",)
            assert on.allowed(state, on.buy_train("IC", "6", 550))

    def test_who_cannot_pay_is_not_asked(self) -> None:
        """With $199 for two shares."""
        fell = self.sold(199)
        assert on.waits_for(fell) == ("Ann",)
        assert on.table(fell).cell("NP") == (3, 7)


class TestTrainsOfOwnCompanies:
    """The president may buy one of another company over which they preside."""

    @staticmethod
    def offered(cash: int = 0, own: int = 900, bob: int = 20) -> State:
        """IC has no train, Ann's NP a 6 and a 5; Bob has some of NP."""
        state = needing(cash, own)
        return beside(state, "NP", {"Ann": 30, "Bob": bob}, trains=("6", "5"), at=(1, 7))

    def test_it_costs_a_dollar_at_least_and_the_president_may_pay_it(self) -> None:
        """Even of an empty treasury, and in spite of shares that could be auctioned."""
        state = self.offered()
        now = on.after(state, on.buy_train("IC", "5", 1, "NP"))
        assert now.trains["IC"] == ("5",)
        assert (now.cash["NP"], now.cash["Ann"]) == (1, 899)
        on.refused(state, on.buy_train("IC", "5", 0, "NP"), "Train Purchase")

    def test_with_money_of_the_president_it_costs_face_value_at_most(self) -> None:
        """A 5 is $425; the treasury alone may pay more."""
        state = self.offered(cash=100)
        assert on.allowed(state, on.buy_train("IC", "5", 425, "NP"))
        price = on.buy_train("IC", "5", 426, "NP")
        on.refused(state, price, RULE, "face value, $425")
        assert on.allowed(self.offered(cash=500), price)

    def test_no_more_than_both_have(self) -> None:
        """$100 and $50."""
        state = self.offered(cash=100, own=50)
        assert on.allowed(state, on.buy_train("IC", "5", 150, "NP"))
        found = on.refused(state, on.buy_train("IC", "5", 151, "NP"), RULE)
        assert "$100" in found.text and "$50" in found.text

    def test_a_company_that_can_pay_for_one_gets_no_help(self) -> None:
        """With $550 IC pays for the bank's 6 itself."""
        state = self.offered(cash=550)
        on.refused(state, on.buy_train("IC", "6", 551, "NP"), "Train Purchase")
        assert on.allowed(state, on.buy_train("IC", "6", 550, "NP"))

    def test_a_sale_that_costs_the_other_presidency_cancels_the_purchase(self) -> None:
        """Ann sells NP away before she has bought its train."""
        state = self.offered(own=300)
        sold = on.after(state, on.sell(2, "NP"))
        assert sold.presidents["NP"] == "Bob"
        on.refused(sold, on.buy_train("IC", "5", 425, "NP"), RULE, "preside over NP")

    def test_after_a_sale_of_stock_such_a_train_may_be_bought_still(self) -> None:
        """What was raised is for either."""
        state = beside(self.offered(own=300), "MP", {"Bob": 40, "Ann": 30})
        assert on.allowed(on.after(state, on.sell(1, "MP")), on.buy_train("IC", "6", 350, "NP"))

    @pytest.mark.rule("18MW Bankruptcy")
    def test_who_can_buy_one_is_not_bankrupt(self) -> None:
        """Ann can sell nothing: IC would be Bob's, and the market is full of NP."""
        state = needing(0, 1, held={"Ann": 30, "Bob": 30})
        state = beside(state, "NP", {"Ann": 30, "Bob": 20}, market=50, at=(1, 7))
        assert on.allowed(state, DOWN)
        state = on.own(state, "NP", "5")
        on.refused(state, DOWN, "Bankruptcy", "5 of NP", "buy 5 from NP for 1")
        on.refused(on.money(state, {"Ann": 0}), on.buy_train("IC", "5", 1, "NP"), RULE)
        assert on.allowed(on.money(state, {"Ann": 0}), DOWN)

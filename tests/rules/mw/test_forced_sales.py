"""18MW Mandatory Train Purchase: a president sells stock as if it were a stock round."""

from typing import Any

import pytest

from engine.actions import GoBankrupt, MergeInto, SellShares
from engine.events import PriceProtected
from engine.position import codec
from engine.position.frames import OperatingRound, Protection, Trains
from engine.position.values import State
from tests.rules.mw.setting import on

pytestmark = [
    pytest.mark.rule("18MW Mandatory Train Purchase"),
    pytest.mark.rule("18MW R49"),
]

RULE = "Stock Round"
DOWN = GoBankrupt(by="Ann", company="IC")


def needing(own: int, phase: str = "6", **more: Any) -> State:
    """IC has no money and no train; a 6 costs $550, a 10 $900, and Ann has ``own``.

    Of IC she has the president's certificate alone, unless ``more`` says else.
    """
    held = more.pop("held", {"Ann": 20})
    state = on.turn("trains", "IC", at_phase=phase, cash=0, held=held, **more)
    return on.money(state, {"Ann": own, "Bob": 0, "Cas": 0})


def two(own: int = 250, bob: int = 0) -> State:
    """Ann has 30% of NP at $100 and 20% of MP at $120, over which Bob presides."""
    state = on.company(needing(own), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
    state = on.company(state, "MP", {"Bob": 40, "Ann": 20}, at=(0, 8))
    return on.money(state, {"Bob": bob})


@pytest.mark.rule("18MW Stock Round")
def test_the_shares_of_a_company_are_one_block() -> None:
    """After one of NP there is no second sale of NP in this turn; MP may follow."""
    sold = on.after(two(), on.sell(1, "NP"))
    on.refused(sold, on.sell(1, "NP"), RULE, "one block")
    assert {sale.company for sale in on.offered(sold, "Ann", SellShares)} == {"MP"}
    assert on.allowed(on.after(sold, on.sell(2, "MP")), on.buy_train("IC", "6", 550))


def test_a_block_is_so_large_that_the_rest_can_be_raised() -> None:
    """$300 are missing, and NP alone brings that: one share of it would be a trap."""
    state = on.company(needing(250), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
    for count in (1, 2):
        on.refused(state, on.sell(count, "NP"), RULE, "$300 is missing", "Sell more of NP")
    assert [sale.shares for sale in on.offered(state, "Ann", SellShares)] == [3]
    # with MP's $240 beside it one share of NP is enough
    assert on.allowed(two(), on.sell(1, "NP"))
    on.refused(two(own=150), on.sell(1, "NP"), RULE, "$400 is missing")


def test_a_president_who_cannot_raise_it_in_any_way_sells_as_they_like() -> None:
    """Bankrupt is who has nothing left that may be sold, the blocks sold before among it."""
    state = on.company(needing(0), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
    on.refused(state, DOWN, "Bankruptcy", "can still sell")
    assert on.allowed(on.after(state, on.sell(1, "NP")), DOWN)


def test_another_company_that_can_help_leaves_the_choice_free() -> None:
    """A train of CNW costs what Ann agrees with herself, so she may want a hundred dollars only."""
    state = on.company(needing(250), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
    state = on.company(state, "CNW", {"Ann": 20}, at=(3, 6), trains=("6",))
    sold = on.after(state, on.sell(1, "NP"))
    assert on.allowed(sold, on.buy_train("IC", "6", 350, "CNW"))


def test_the_next_president_may_sell_what_the_bankrupt_one_has_sold() -> None:
    """Bob takes IC over, and sells of NP although Ann did."""
    state = needing(0, held={"Ann": 30, "Bob": 30}, market=40)
    state = on.company(state, "NP", {"Cas": 40, "Ann": 10, "Bob": 20}, at=(0, 6))
    state = on.company(state, "MP", {"Bob": 60}, at=(0, 12))
    out = on.after(on.money(state, {"Bob": 400}), on.sell(1, "NP"), DOWN)
    assert (out.presidents["IC"], out.stack[-1].blocks) == ("Bob", ())
    assert on.allowed(out, on.sell(2, "NP", "Bob"))


@pytest.mark.rule("18MW Share Price Protection, Eligibility 4")
@pytest.mark.rule("18MW R6")
class TestPresidentsAreAskedWhenAllIsSold:
    """As after a whole stock turn: in order of price, not of sale."""

    def test_in_order_of_price(self) -> None:
        """NP was sold first, MP is dearer; with $200 Bob keeps one of them."""
        first = on.after(two(bob=200), on.sell(1, "NP"))
        assert on.waits_for(first) == ("Ann",)
        asked = on.after(first, on.sell(2, "MP"))
        assert on.waits_for(asked) == ("Bob",)
        # all of MP would be $240; NP is asked about when MP has fallen
        assert [on.price(asked, name) for name in ("MP", "NP")] == [100, 100]
        assert on.happened(asked, on.protect("NP"), PriceProtected) == [
            PriceProtected("Bob", "NP", 10, 100)
        ]
        rich = on.after(two(bob=240), on.sell(1, "NP"), on.sell(2, "MP"))
        on.refused(rich, on.protect("MP", "Cas"), "Sequence of Play")
        kept = on.after(rich, on.protect("MP"))
        assert [on.price(kept, name) for name in ("MP", "NP")] == [120, 90]

    def test_before_a_train_of_another_company_or_a_bankruptcy(self) -> None:
        """Whatever ends the sales, what is sold is settled; nothing of it is lost."""
        state = on.company(two(), "CNW", {"Ann": 20}, at=(3, 6), trains=("6",))
        bought = on.after(state, on.sell(1, "NP"), on.buy_train("IC", "6", 350, "CNW"))
        assert on.price(bought, "NP") == 90
        poor = on.company(needing(0), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
        assert on.price(on.after(poor, on.sell(2, "NP")), "NP") == 85

    def test_a_merger_settles_it_too(self) -> None:
        """Of others; of a company that merges the price falls first."""
        state = on.company(needing(0, phase="10"), "NP", {"Bob": 40, "Ann": 30}, at=(0, 6))
        state = on.company(state, "CNW", {"Ann": 40, "Bob": 10}, at=(3, 6), stations=("I15",))
        state = on.tiles(state, "I15 63 0")
        merge = MergeInto(by="Ann", company="IC", partner="CNW", system="BN")
        merged = on.after(state, on.sell(1, "NP"), merge)
        assert on.price(merged, "NP") == 90
        assert not any(isinstance(f, Trains | Protection) for f in merged.stack)
        own = on.after(state, on.sell(1, "CNW"))
        on.refused(own, merge, "Merger", "sold shares of CNW")


def test_a_new_turn_begins_anew_and_positions_are_kept() -> None:
    """The blocks are those of the turn; they are read back as written."""
    sold = on.after(two(), on.sell(1, "NP"))
    assert codec.decode_state(codec.encode(sold)) == sold
    done = on.after(sold, on.sell(2, "MP"), on.buy_train("IC", "6", 550))
    assert isinstance(done.stack[0], OperatingRound)
    top = done.stack[-1]
    assert not isinstance(top, Trains) or top.blocks == ()

"""18AL 4.2.5: buying trains."""

import pytest

from engine.actions import BuyTrain, Decline, DiscardTrain
from engine.events import (
    Asked,
    PhaseBegan,
    TrainBought,
    TrainDiscarded,
    TrainsGone,
)
from engine.position.frames import Discard
from engine.position.values import BANK, MARKET, OFFERING, State
from engine.proposals import TrainSale
from tests.rules import setting as on
from tests.rules.al.turns import buying


def with_seller(state: State) -> State:
    """M&O, also Ann's, has a train to sell, so that the step goes on after a purchase of the bank."""
    state = on.company(state, "M&O", {"Ann": 60}, trains=("2",), par=60)
    return on.operating(state, "L&N", "trains")


def discard(name: str, train: str, by: str = "Ann") -> DiscardTrain:
    """Give up a train."""
    return DiscardTrain(by=by, company=name, train=train)


@pytest.mark.rule("18AL 4.2.5")
def test_4_2_5_from_bank_and_companies_in_any_order() -> None:
    """One of M&O's, one new one, another of M&O's."""
    state = on.company(buying(), "M&O", {"Ann": 60}, trains=("2", "2"), par=60)
    state = on.after(
        on.operating(state, "L&N", "trains"),
        on.buy_train("L&N", "2", 10, "M&O"),
        on.buy_train("L&N", "2", 100),
        on.buy_train("L&N", "2", 20, "M&O"),
    )
    assert state.trains["L&N"] == ("2", "2", "2")
    assert (state.cash["L&N"], state.cash["M&O"]) == (2000 - 130, 30)


@pytest.mark.rule("18AL 4.2.5(a)")
def test_a_offering_and_market_are_two_places() -> None:
    """A used 2 train comes from the open market, a new one from the offering."""
    state = on.own(buying(phase="2"), MARKET, "2")
    used = on.after(state, on.buy_train("L&N", "2", 100, MARKET))
    assert (used.trains[MARKET], used.trains[OFFERING]) == ((), state.trains[OFFERING])
    new = on.after(state, on.buy_train("L&N", "2", 100, OFFERING))
    assert new.trains[OFFERING] == state.trains[OFFERING][1:]
    on.refused(buying(), on.buy_train("L&N", "2", 100, MARKET), "4.2.5(b)", "open market")


@pytest.mark.rule("18AL 4.2.5(a)")
def test_a_both_places_are_offered() -> None:
    """A president who may buy the same type new or used sees both."""
    state = on.own(buying(phase="2"), MARKET, "2")
    found = {
        (a.train, a.source) for a in on.offered(state, "Ann", BuyTrain) if isinstance(a, BuyTrain)
    }
    assert found == {("2", OFFERING), ("2", MARKET)}


@pytest.mark.rule("18AL 4.2.5(b)")
@pytest.mark.parametrize(
    ("phase", "next_"), [("1", "2"), ("2", "2"), ("4", "4"), ("6", "7"), ("7", "4D")]
)
def test_b_in_order_of_type(phase: str, next_: str) -> None:
    """Only the first of the offering is for sale; the 4D comes after the 7."""
    state = buying(phase=phase)
    kinds = on.AL.trains
    for train, kind in kinds.items():
        act = on.buy_train("L&N", train, kind.price)
        if train == next_:
            assert on.allowed(state, act)
        else:
            on.refused(state, act, "4.2.5(b)", next_)


@pytest.mark.rule("18AL 4.2.5(b)")
def test_b_nothing_is_left_to_sell() -> None:
    """With an empty offering no new train is bought, and there is no type X."""
    state = on.own(buying(), OFFERING)
    on.refused(state, on.buy_train("L&N", "4D", 800), "4.2.5(b)", "sold")
    on.refused(state, on.buy_train("L&N", "X", 800), "4.2.5(b)", "X")


@pytest.mark.rule("18AL 4.2.5(c)")
@pytest.mark.parametrize("source", [OFFERING, MARKET])
def test_c_face_value(source: str) -> None:
    """A 2 train of the bank costs $100, used or new."""
    state = on.own(buying(phase="2"), MARKET, "2")
    for dollars in (99, 101, 50):
        on.refused(state, on.buy_train("L&N", "2", dollars, source), "4.2.5(c)", "$100")
    now = on.after(state, on.buy_train("L&N", "2", 100, source))
    assert now.cash["L&N"] == 1900
    assert now.cash[BANK] - state.cash[BANK] == 100


@pytest.mark.rule("18AL 4.2.5(d)")
def test_d_any_agreed_price_of_a_dollar_or_more() -> None:
    """$1 will do, nothing will not, nor what the buyer has not."""
    state = on.company(buying(), "M&O", {"Ann": 60}, trains=("2",), par=60)
    state = on.operating(state, "L&N", "trains")
    for dollars in (1, 777, 2000):
        assert on.after(state, on.buy_train("L&N", "2", dollars, "M&O")).cash["M&O"] == dollars
    for dollars in (0, -1, 2001):
        on.refused(state, on.buy_train("L&N", "2", dollars, "M&O"), "4.2.5(d)", "$1")


@pytest.mark.rule("18AL 4.2.5(d)")
def test_d_the_other_president_must_agree() -> None:
    """Bob presides M&O: he is asked, and may decline."""
    state = on.company(buying(), "M&O", {"Bob": 60}, trains=("2",), par=60)
    state = on.operating(state, "L&N", "trains")
    act = on.buy_train("L&N", "2", 150, "M&O")
    assert on.happened(state, act, Asked) == [
        Asked("Bob", "Ann", TrainSale("2", "M&O", "L&N", 150))
    ]
    asked = on.after(state, act)
    assert (on.waits_for(asked), asked.trains.get("L&N", ())) == (("Bob",), ())
    bought = on.happened(asked, on.accept("Bob"), TrainBought)
    assert bought == [TrainBought("L&N", "2", "M&O", 150)], "the price is public"
    no = on.after(asked, Decline(by="Bob"))
    assert (no.trains.get("L&N", ()), no.cash["M&O"]) == ((), 0)


@pytest.mark.rule("18AL 4.2.5(d)")
@pytest.mark.parametrize("phase", ["1", "2", "3", "4", "7"])
def test_d_in_any_phase(phase: str) -> None:
    """From the first phase on companies trade trains."""
    state = on.company(buying(phase=phase), "M&O", {"Ann": 60}, trains=("5",), par=60)
    assert on.allowed(on.operating(state, "L&N", "trains"), on.buy_train("L&N", "5", 5, "M&O"))


@pytest.mark.rule("18AL 4.2.5(d)")
def test_d_only_from_one_who_has_it() -> None:
    """M&O has no 3 train; Bob is no company; nobody buys from himself."""
    state = on.company(buying("2"), "M&O", {"Ann": 60}, trains=("2",), par=60)
    state = on.operating(state, "L&N", "trains")
    on.refused(state, on.buy_train("L&N", "3", 5, "M&O"), "4.2.5(d)", "M&O", "3")
    on.refused(state, on.buy_train("L&N", "2", 5, "Bob"), "4.2.5(d)", "L&N")
    on.refused(state, on.buy_train("L&N", "2", 5, "L&N"), "4.2.5(d)", "L&N")


@pytest.mark.rule("18AL 4.2.5(e)")
def test_e_first_of_a_type_changes_the_phase_at_once() -> None:
    """The first 4 removes all 2 trains immediately, wherever they are."""
    state = on.company(buying("2", phase="3"), "M&O", {"Bob": 60}, trains=("2", "2", "3"), par=60)
    state = on.own(on.own(on.operating(state, "L&N", "trains"), OFFERING, "4", "4"), MARKET, "2")
    act = on.buy_train("L&N", "4", 300)
    assert on.happened(state, act, PhaseBegan) == [PhaseBegan("4")]
    assert on.happened(state, act, TrainsGone) == [TrainsGone("2", {"L&N": 1, "M&O": 2, MARKET: 1})]
    now = on.after(state, act)
    assert (now.trains["L&N"], now.trains["M&O"], now.trains[MARKET]) == (("4",), ("3",), ())


@pytest.mark.rule("18AL 4.2.5(e)")
def test_e_a_used_train_changes_nothing() -> None:
    """A 2 train of the open market begins no phase."""
    state = on.own(buying(phase="2"), MARKET, "2")
    assert on.happened(state, on.buy_train("L&N", "2", 100, MARKET), PhaseBegan) == []


@pytest.mark.rule("18AL 4.2.5(f)")
@pytest.mark.parametrize("phase", ["1", "2", "3"])
def test_f_one_train_of_the_bank_a_turn(phase: str) -> None:
    """Before the first 4: after one purchase no second, new or used."""
    state = with_seller(on.own(buying(phase=phase), MARKET, "2"))
    train = state.trains[OFFERING][0]
    now = on.after(state, on.buy_train("L&N", train, on.AL.trains[train].price))
    after = now.trains[OFFERING][0]
    for act in (
        on.buy_train("L&N", after, on.AL.trains[after].price),
        on.buy_train("L&N", "2", 100, MARKET),
    ):
        on.refused(now, act, "4.2.5(f)", "L&N")


@pytest.mark.rule("18AL 4.2.5(f)")
def test_f_used_trains_count_as_the_banks() -> None:
    """One of the open market is the one train of the turn."""
    state = with_seller(on.own(buying(phase="2"), MARKET, "2"))
    state = on.after(state, on.buy_train("L&N", "2", 100, MARKET))
    on.refused(state, on.buy_train("L&N", "2", 100), "4.2.5(f)", "L&N")


@pytest.mark.rule("18AL 4.2.5(f)")
def test_f_trains_of_companies_do_not_count() -> None:
    """Before and after the one of the bank."""
    state = on.company(buying(), "M&O", {"Ann": 60}, trains=("2", "2"), par=60)
    state = on.after(
        on.operating(state, "L&N", "trains"),
        on.buy_train("L&N", "2", 1, "M&O"),
        on.buy_train("L&N", "2", 100),
    )
    assert on.allowed(state, on.buy_train("L&N", "2", 1, "M&O"))


@pytest.mark.rule("18AL 4.2.5(f)")
def test_f_who_buys_the_first_4_buys_on_in_the_same_turn() -> None:
    """The limit is gone with that purchase."""
    state = on.own(buying(phase="3"), OFFERING, "4", "4", "5")
    state = on.after(state, on.buy_train("L&N", "4", 300), on.buy_train("L&N", "4", 300))
    assert on.allowed(state, on.buy_train("L&N", "5", 450))


@pytest.mark.rule("18AL 4.2.5(f)")
def test_f_the_next_turn_brings_a_new_purchase() -> None:
    """The limit is by turn."""
    state = on.after(buying(), on.buy_train("L&N", "2", 100))
    assert on.allowed(on.operating(state, "L&N", "trains"), on.buy_train("L&N", "2", 100))


@pytest.mark.rule("18AL 4.2.5(g)")
@pytest.mark.parametrize(
    ("phase", "limit"), [("1", 4), ("3", 4), ("4", 3), ("5", 2), ("7", 2), ("4D", 2)]
)
def test_g_train_limit(phase: str, limit: int) -> None:
    """One below the limit a company buys, at the limit from nobody."""
    below = buying(*["5"] * (limit - 1), phase=phase)
    train = below.trains[OFFERING][0]
    new = on.buy_train("L&N", train, on.AL.trains[train].price)
    assert on.allowed(below, new)
    full = on.company(
        buying(*["5"] * limit, phase=phase), "M&O", {"Ann": 60}, trains=("5",), par=60
    )
    full = on.own(on.operating(full, "L&N", "trains"), MARKET, "5")
    for act in (
        new,
        on.buy_train("L&N", "5", 450, MARKET),
        on.buy_train("L&N", "5", 1, "M&O"),
    ):
        on.refused(full, act, "4.2.5(g)", "L&N", f"{limit}")


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_not_even_if_the_purchase_would_remove_trains() -> None:
    """Four 2 trains: the first 4 would remove them, and cannot be bought."""
    state = on.own(buying("2", "2", "2", "2", phase="3"), OFFERING, "4")
    on.refused(state, on.buy_train("L&N", "4", 300), "4.2.5(g)", "4 trains")


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_excess_goes_to_the_market_as_the_president_chooses() -> None:
    """The first 5 lowers the limit to two: Bob chooses for M&O, and gets nothing for it."""
    state = on.company(
        buying(phase="4"), "M&O", {"Bob": 60}, trains=("3", "4", "3"), par=60, cash=5
    )
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "5")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    assert isinstance(now.stack[-1], Discard)
    assert on.waits_for(now) == ("Bob",)
    assert on.offered(now, "Bob", DiscardTrain) == [
        discard("M&O", "3", "Bob"),
        discard("M&O", "4", "Bob"),
    ]
    act = discard("M&O", "4", "Bob")
    assert on.happened(now, act, TrainDiscarded) == [TrainDiscarded("M&O", "4")]
    gone = on.after(now, act)
    assert (gone.trains["M&O"], gone.trains[MARKET], gone.cash["M&O"]) == (("3", "3"), ("4",), 5)
    assert on.waits_for(gone) == ("Ann",)


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_each_president_for_his_own_companies() -> None:
    """Two companies are over the limit: their presidents discard in any order, only for their own."""
    state = on.company(
        buying("4", "3", phase="4"), "M&O", {"Bob": 60}, trains=("3", "4", "3"), par=60
    )
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "5")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    assert on.waits_for(now) == ("Ann", "Bob")
    on.refused(now, discard("L&N", "4", "Bob"), "4.2.5(g)", "M&O")
    on.refused(now, discard("M&O", "4", "Ann"), "4.2.5(g)", "L&N")
    on.refused(now, discard("M&O", "5", "Bob"), "4.2.5(g)", "5")
    on.refused(now, on.done(), "3, 4", "discard")
    one = on.after(now, discard("M&O", "3", "Bob"))
    assert on.waits_for(one) == ("Ann",)
    both = on.after(one, discard("L&N", "3"))
    assert both.trains[MARKET] == ("3", "3")


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_nothing_to_choose_among_equals() -> None:
    """Three 3 trains: one of them goes without a question."""
    state = on.company(buying(phase="4"), "M&O", {"Bob": 60}, trains=("3", "3", "3"), par=60)
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "5", "6")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    assert (now.trains["M&O"], now.trains[MARKET]) == (("3", "3"), ("3",))


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_the_buyer_itself_may_exceed_the_new_limit_and_discards() -> None:
    """Two trains and the first 5 make three: one is given up."""
    state = on.own(buying("4", "4", phase="4"), OFFERING, "5", "6")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    assert on.waits_for(now) == ("Ann",)
    assert on.after(now, discard("L&N", "4")).trains["L&N"] == ("4", "5")


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_removal_comes_before_the_new_limit() -> None:
    """Three 3 trains and a 2: with the first 4 the 2 is gone before three is the limit."""
    state = on.company(buying(phase="3"), "M&O", {"Bob": 60}, trains=("2", "3", "3", "3"), par=60)
    state = on.own(on.operating(state, "L&N", "trains"), OFFERING, "4", "5")
    now = on.after(state, on.buy_train("L&N", "4", 300))
    assert (now.trains["M&O"], now.trains[MARKET]) == (("3", "3", "3"), ())


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_no_voluntary_discard_and_no_sale_to_the_bank() -> None:
    """A company within its limit cannot give up a train."""
    on.refused(buying("2", "2"), discard("L&N", "2"), "3, 4", "buys trains")


@pytest.mark.rule("18AL 4.2.5(g)")
def test_g_a_train_is_sold_on_the_buyers_turn_only() -> None:
    """M&O's president cannot buy L&N's train on L&N's turn."""
    state = on.company(buying("2"), "M&O", {"Ann": 60}, cash=500, par=60)
    state = on.operating(state, "L&N", "trains")
    on.refused(state, on.buy_train("M&O", "2", 50, "L&N"), "4(b)", "M&O", "L&N")

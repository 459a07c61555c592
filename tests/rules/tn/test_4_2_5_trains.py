"""18TN Table I, 1.2, 4.2.5: trains, the phases they begin, forced purchases."""

import pytest

from engine.actions import DiscardTrain
from engine.events import (
    PhaseBegan,
    PrivateClosed,
    TrainsGone,
    TrainsObsolete,
)
from engine.position.values import CLOSED, MARKET, OFFERING, REMOVED
from tests.rules.tn.setting import EAST, on

RED = ("F17-F19-E20-E22",)


@pytest.mark.rule("18TN Table I start")
@pytest.mark.parametrize(
    ("train", "count", "cost"),
    [("2", 5, 80), ("3", 5, 180), ("4", 3, 300), ("5", 2, 450), ("6", 2, 600), ("8", 7, 700)],
)
def test_table_1_how_many_and_how_dear(train: str, count: int, cost: int) -> None:
    """Seven 8 trains are the last."""
    assert on.opening().trains[OFFERING].count(train) == count
    assert on.TN.trains[train].price == cost


@pytest.mark.rule("18TN 1.2")
@pytest.mark.rule("18TN 4.2.5(e)")
@pytest.mark.rule("18TN Table I 2")
@pytest.mark.parametrize(
    ("left", "before", "then"),
    [
        (24, "1", "2"),
        (23, "2", ""),
        (19, "2", "3"),
        (18, "3", ""),
        (17, "3", ""),
        (16, "3", "3½"),
        (15, "3½", ""),
        (14, "3½", "4"),
        (13, "4", ""),
        (11, "4", "5"),
        (10, "5", ""),
        (9, "5", "6"),
        (8, "6", "6½"),
        (7, "6½", "8"),
        (6, "8", ""),
    ],
)
def test_first_trains_begin_phases_and_so_do_the_fourth_3_and_the_second_6(
    left: int, before: str, then: str
) -> None:
    """No other train does."""
    state = on.buying(left, before)
    began = [event.phase for event in on.happened(state, on.next_train(state), PhaseBegan)]
    assert began == ([then] if then else [])


@pytest.mark.rule("18TN Table I 3")
@pytest.mark.rule("18TN Table I 4")
@pytest.mark.rule("18TN Table I 5")
@pytest.mark.rule("18TN Table I 8")
@pytest.mark.parametrize(
    ("name", "colours", "limit", "rounds", "bank", "privates"),
    [
        ("1", 1, 4, 1, 1, False),
        ("2", 1, 4, 1, 1, False),
        ("3", 2, 4, 2, 1, True),
        ("3½", 2, 4, 2, 1, True),
        ("4", 2, 3, 2, 0, True),
        ("5", 3, 2, 3, 0, False),
        ("6", 3, 2, 3, 0, False),
        ("6½", 3, 2, 3, 0, False),
        ("8", 4, 2, 3, 0, False),
    ],
)
def test_table_1_what_phases_allow(
    name: str, colours: int, limit: int, rounds: int, bank: int, privates: bool
) -> None:
    """Colours of tiles, trains of a company, operating rounds, trains of the bank a turn."""
    facts = on.TN.phases[name]
    assert (len(facts.tiles), facts.train_limit, facts.rounds) == (colours, limit, rounds)
    assert (facts.bank_trains, facts.company_privates) == (bank, privates)


@pytest.mark.rule("18TN Table I 4")
@pytest.mark.rule("18TN 4.2.5(g)")
def test_the_first_4_removes_all_2_trains_and_companies_keep_three() -> None:
    """Who has more gives one up to the open market."""
    state = on.buying(14, "3½", "2", others=("2", "3", "3", "3"))
    state = on.own(state, "TC", "3", "3", "3", "3")
    state = on.company(state, "TC", {"Cas": 60}, trains=("3", "3", "3", "3"))
    (gone,) = on.happened(state, on.next_train(state), TrainsGone)
    assert (gone.train, gone.lost) == ("2", {"L&N": 1, "SOU": 1})
    then = on.after(state, on.next_train(state))
    assert then.trains["TC"] == ("3", "3", "3")
    assert then.trains[MARKET] == ("3",)


@pytest.mark.rule("18TN Table I 5")
@pytest.mark.rule("18TN A1 privates stay open")
def test_the_first_5_closes_the_private_companies() -> None:
    """All of them, those of companies too."""
    state = on.privates(on.buying(11, "4"), {"TCC": "SOU", "O&W": "Ann"})
    closed = [event.private for event in on.happened(state, on.next_train(state), PrivateClosed)]
    assert closed == ["TCC", "O&W"]
    assert set(on.after(state, on.next_train(state)).privates.values()) == {CLOSED}


@pytest.mark.rule("18TN Table I 6")
def test_the_first_6_removes_all_3_trains() -> None:
    """Those of the open market too."""
    state = on.own(on.buying(9, "5", others=("3", "4")), MARKET, "3")
    then = on.after(state, on.next_train(state))
    assert (then.trains["L&N"], then.trains[MARKET]) == (("4",), ())
    assert then.trains[REMOVED] == ("3", "3")


@pytest.mark.rule("18TN Table I 6½")
@pytest.mark.rule("18TN 4.2.5.1")
@pytest.mark.rule("18TN A1 removal of obsolete trains")
def test_the_second_6_makes_4_trains_obsolete() -> None:
    """Those of the open market go at once; the buyer's runs once more, too."""
    state = on.own(on.buying(8, "6", "4", others=("4",)), MARKET, "4")
    assert on.happened(state, on.next_train(state), TrainsObsolete) == [TrainsObsolete("4")]
    then = on.after(state, on.next_train(state))
    assert (then.trains["SOU"], then.trains["L&N"], then.trains[MARKET]) == (("4", "6"), ("4",), ())
    late = on.company(on.turn("SOU", "trains", at_phase="6½"), "L&N", {"Bob": 20}, trains=("4",))
    on.refused(late, on.buy_train("SOU", "4", 100, "L&N"), "4.2.5.1")


@pytest.mark.rule("18TN 4.2(f)")
@pytest.mark.rule("18TN 4.2.5.1")
def test_an_obsolete_train_leaves_after_its_company_s_dividend() -> None:
    """And the company buys another one in the same turn."""
    state = on.turn("SOU", "run", laid=EAST, at_phase="6½", trains=("4",), cash=1000)
    ran = on.after(state, on.run("SOU", ("4", *RED)))
    assert ran.trains["SOU"] == ("4",)
    paid = on.after(ran, on.pay("SOU"))
    assert paid.trains["SOU"] == ()
    on.refused(paid, on.done(), "4.2.5.2", "must buy")


@pytest.mark.rule("18TN 4.2.5(d)")
@pytest.mark.rule("18TN 4.2.5(f)")
@pytest.mark.rule("18TN A1 several trains a turn")
@pytest.mark.rule("18TN A1 trains of others before the 3")
def test_one_train_of_the_bank_a_turn_until_the_first_4_any_of_companies() -> None:
    """For a dollar at least."""
    state = on.after(on.buying(24, "1", others=("2",)), on.buy_train("SOU", "2", 80))
    on.refused(state, on.buy_train("SOU", "2", 80), "4.2.5(f)")
    assert on.allowed(state, on.buy_train("SOU", "2", 1, "L&N"))
    on.refused(state, on.buy_train("SOU", "2", 0, "L&N"), "4.2.5(d)")
    four = on.after(on.buying(14, "3½"), on.buy_train("SOU", "4", 300))
    assert on.allowed(four, on.buy_train("SOU", "4", 300))


@pytest.mark.rule("18TN 4.2.5.2")
@pytest.mark.rule("18TN 4.2.5.2(a)")
@pytest.mark.rule("18TN 4.2.5.2(c)")
@pytest.mark.rule("18TN A1 cheapest train when forced")
def test_a_president_helps_to_buy_the_cheapest_train_of_the_bank() -> None:
    """With just the money that is missing; not from a company."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="4", cash=100)
    state = on.own(on.phase(state, "4", left=13), MARKET, "3")
    on.refused(state, on.done(), "4.2.5.2", "buy 3 market")
    on.refused(state, on.buy_train("SOU", "4", 300), "4.2.5.2(a)", "3")
    then = on.after(state, on.buy_train("SOU", "3", 180, MARKET))
    assert (then.cash["SOU"], then.cash["Ann"]) == (0, 520)
    alone = on.money(state, {"SOU": 180})
    on.refused(alone, on.buy_train("SOU", "4", 300), "4.2.5.2", "itself")


@pytest.mark.rule("18TN 4.2.5.2(d)")
@pytest.mark.parametrize(("missing", "count"), [(50, 1), (90, 1), (91, 2), (180, 2), (181, 3)])
def test_he_sells_just_enough_shares(missing: int, count: int) -> None:
    """Of the 30% certificate alone, too: a part of it, where that will do."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="4")
    state = on.company(state, "IC", {"Ann": 30, "Bob": 30}, par=90)
    state = on.money(state, {"SOU": 20, "Ann": 280 - missing})
    for wrong in range(count + 1, 4):
        on.refused(state, on.sell(wrong, "IC"), "4.2.5.2(d)", f"${missing}")
    sold = on.after(state, on.sell(count, "IC"))
    assert (sold.presidents["IC"], sold.cash["Ann"]) == ("Bob", 280 - missing + 90 * count)
    assert on.allowed(sold, on.buy_train("SOU", "4", 300))


@pytest.mark.rule("18TN 4.2.5.2(d)")
def test_he_may_sell_less_at_a_time_and_does_not_lose_the_company_that_buys() -> None:
    """Share by share; of SOU only while nobody has more of it."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase="4", bob=40)
    state = on.company(state, "IC", {"Ann": 30, "Bob": 30}, par=90)
    state = on.money(state, {"SOU": 0, "Ann": 60})
    one = on.after(state, on.sell(1, "IC"))
    assert one.shares["IC"]["Ann"] == (10, 10)
    on.refused(one, on.sell(3, "SOU"), "4.2.5.2(d)", "presidency of SOU")
    assert on.allowed(one, on.sell(2, "SOU"))
    assert on.allowed(one, on.sell(2, "IC"))


def test_discards_are_the_president_s_choice() -> None:
    """Where its trains are not all alike."""
    state = on.buying(14, "3½", "3", "3", "3")
    state = on.company(state, "TC", {"Ann": 60}, trains=("3", "3", "3", "4"))
    then = on.after(state, on.next_train(state))
    assert on.allowed(then, DiscardTrain(by="Ann", company="TC", train="4"))

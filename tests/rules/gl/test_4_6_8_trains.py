"""18GL 4.6.8, 4.7.1: buying trains, and what becomes of them in a new phase."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, DiscardTrain
from engine.events import PhaseBegan, PrivateClosed, SalvagePaid, TrainBought, TrainDiscarded
from engine.flow import options
from engine.options import Range
from engine.position.values import MARKET, OFFERING, State
from tests.rules.gl.setting import on


def buying(*trains: str, phase: str = "2H", cash: int = 2000, loans: int = 0) -> State:
    """MR is at its purchase of trains, Ann presiding."""
    state = on.turn("trains", "MR", at_phase=phase, trains=trains, cash=cash, loans=loans)
    return on.own(state, OFFERING, "D") if phase == "D" else state


def beside(state: State, *trains: str, loans: int = 0, seat: str = "Ann") -> State:
    """IC owns trains as well; Ann presides there, too."""
    state = on.company(state, "IC", {seat: 60}, trains=trains, loans=loans)
    return on.operating(state, "MR", "trains")


def discard(name: str, train: str, seat: str = "Ann") -> DiscardTrain:
    """Give up a train."""
    return DiscardTrain(by=seat, company=name, train=train)


@pytest.mark.rule("18GL 4.6.8", "18GL Table 7")
def test_4_6_8_the_bank_sells_the_cheapest_new_train_at_its_price() -> None:
    """A 2H for $100; the 4H comes when those are sold."""
    state = buying()
    on.refused(state, on.buy_train("MR", "4H", 200), "4.6.8", "2H", "$100")
    on.refused(state, on.buy_train("MR", "2H", 90), "4.6.8", "$100")
    act = on.buy_train("MR", "2H", 100)
    assert on.happened(state, act, TrainBought) == [TrainBought("MR", "2H", OFFERING, 100)]
    now = on.after(state, act)
    assert (now.cash["MR"], now.trains["MR"]) == (1900, ("2H",))


@pytest.mark.rule("18GL 4.6.8")
def test_4_6_8_it_may_buy_several_up_to_the_limit() -> None:
    """Four in the first phases."""
    state = buying("2H", "2H", "2H")
    now = on.after(state, on.buy_train("MR", "2H", 100))
    assert now.trains["MR"] == ("2H",) * 4
    again = on.operating(now, "MR", "trains")
    on.refused(again, on.buy_train("MR", "2H", 100), "4.6.8", "limit is 4")


@pytest.mark.rule("18GL 4.6.8", "18GL Table 2")
@pytest.mark.parametrize(
    ("phase", "limit"), [("2H", 4), ("4H", 4), ("6H", 3), ("10H", 2), ("E", 2), ("D", 2)]
)
def test_4_6_8_the_limit_falls_with_the_phases(phase: str, limit: int) -> None:
    """What comes next is refused at the limit and allowed below it."""
    for owned in (limit, limit - 1):
        state = buying(*["10H"] * owned, phase=phase, cash=5000)
        first = on.table(state).next_train()
        assert on.allowed(state, on.buy_train("MR", first.type, first.price)) == (owned < limit)


@pytest.mark.rule("18GL 4.5.1.2", "18GL 4.6.8")
def test_4_6_8_conrail_may_own_one_more() -> None:
    """Three where others have two."""
    start = on.phase(on.stock_turn(), "10H")
    state = on.company(start, "CR", {"Ann": 60}, at=(0, 4), cash=5000, trains=("10H", "10H"))
    state = on.operating(state, "CR", "trains")
    now = on.after(state, on.buy_train("CR", "10H", 600))
    assert len(now.trains["CR"]) == 3
    again = on.operating(now, "CR", "trains")
    on.refused(again, on.buy_train("CR", "10H", 600), "4.6.8", "limit is 3")


@pytest.mark.rule("18GL 4.6.8", "18GL R41")
def test_4_6_8_trains_of_the_pool_cost_their_face_value() -> None:
    """Whatever train is on sale as new."""
    state = on.own(buying("4H", phase="4H"), MARKET, "2H")
    on.refused(state, on.buy_train("MR", "2H", 50, MARKET), "4.6.8", "$100")
    act = on.buy_train("MR", "2H", 100, MARKET)
    assert on.happened(state, act, TrainBought) == [TrainBought("MR", "2H", MARKET, 100)]


@pytest.mark.rule("18GL 4.6.8", "18GL Table 2")
def test_4_6_8_other_corporations_sell_trains_from_6h_on() -> None:
    """In 4H they do not, for any price."""
    early = beside(buying("4H", phase="4H"), "4H", "4H")
    on.refused(early, on.buy_train("MR", "4H", 200, "IC"), "4.6.8", "phase 4H")
    assert not [a for a in on.offered(early, "Ann", BuyTrain) if a.source == "IC"]
    late = beside(buying("4H", phase="6H"), "4H", "4H")
    assert on.allowed(late, on.buy_train("MR", "4H", 1, "IC"))


@pytest.mark.rule("18GL 4.7.1")
def test_4_7_1_for_a_dollar_or_more_from_another_corporation() -> None:
    """From $1 to all that MR has; Bob, who presides over IC, is asked."""
    state = beside(buying("4H", phase="6H", cash=700), "4H", seat="Bob")
    on.refused(state, on.buy_train("MR", "4H", 0, "IC"), "4.6.8", "$1")
    on.refused(state, on.buy_train("MR", "4H", 701, "IC"), "4.6.8", "$700")
    asked = on.after(state, on.buy_train("MR", "4H", 1, "IC"))
    assert on.waits_for(asked) == ("Bob",)
    now = on.after(asked, on.accept("Bob"))
    assert (now.trains["MR"], now.trains["IC"], now.cash["IC"]) == (("4H", "4H"), (), 1)


@pytest.mark.rule("18GL 4.7.1", "18GL 4.8")
def test_4_7_1_in_debt_it_pays_at_most_the_face_value() -> None:
    """$200 for a 4H, not $201; once the loan is repaid it is free again."""
    state = beside(buying("4H", phase="6H", loans=1), "4H")
    on.refused(state, on.buy_train("MR", "4H", 201, "IC"), "4.7.1", "MR", "$200")
    assert on.allowed(state, on.buy_train("MR", "4H", 200, "IC"))
    assert on.allowed(state, on.buy_train("MR", "4H", 1, "IC"))
    free = on.loans(state, {"MR": 0})
    assert on.allowed(free, on.buy_train("MR", "4H", 201, "IC"))


@pytest.mark.rule("18GL 4.7.1", "18GL 4.8")
def test_4_7_1_in_debt_it_sells_for_the_face_value_at_least() -> None:
    """IC owes a loan: $199 are too little for its 4H."""
    state = beside(buying("4H", phase="6H"), "4H", loans=1)
    on.refused(state, on.buy_train("MR", "4H", 199, "IC"), "4.7.1", "IC", "$200")
    assert on.allowed(state, on.buy_train("MR", "4H", 200, "IC"))
    assert on.allowed(state, on.buy_train("MR", "4H", 900, "IC"))


@pytest.mark.rule("18GL 4.7.1")
def test_4_7_1_the_options_name_the_prices_that_are_legal() -> None:
    """From the face value when the seller owes, up to it when the buyer does."""
    for mine, theirs, span in ((0, 0, (1, 2000)), (1, 0, (1, 200)), (0, 1, (200, 2000))):
        state = beside(buying("4H", phase="6H", loans=mine), "4H", loans=theirs)
        found = [
            (option.low, option.high)
            for option in options(on.GL, state, "Ann")
            if isinstance(option, Range) and isinstance(option.action, BuyTrain)
        ]
        assert found == [span]


@pytest.mark.rule("18GL 4.7.1", "18GL 4.5.1.2")
def test_4_7_1_conrail_trades_at_face_value_only() -> None:
    """Both when it buys and when it sells."""
    start = buying("10H", phase="D")
    start = on.company(start, "CR", {"Bob": 60}, at=(0, 4), cash=3000, trains=("10H", "E"))
    sells = on.operating(start, "MR", "trains")
    for price in (599, 601):
        on.refused(sells, on.buy_train("MR", "10H", price, "CR"), "4.7.1", "CR", "$600")
    assert on.allowed(sells, on.buy_train("MR", "10H", 600, "CR"))
    buys = on.operating(start, "CR", "trains")
    on.refused(buys, on.buy_train("CR", "10H", 599, "MR", by="Bob"), "4.7.1", "$600")
    assert on.allowed(buys, on.buy_train("CR", "10H", 600, "MR", by="Bob"))


@pytest.mark.rule("18GL 4.6.8")
def test_4_6_8_scrapped_trains_bring_a_quarter_of_their_price() -> None:
    """The first 6H takes all 2H, $25 each, the one of the pool for nothing (R41)."""
    state = beside(buying("2H", "4H", phase="4H"), "2H", "2H")
    state = on.own(on.own(state, MARKET, "2H"), OFFERING, "6H", "6H", "10H")
    act = on.buy_train("MR", "6H", 300)
    paid = {(event.company, event.amount) for event in on.happened(state, act, SalvagePaid)}
    assert paid == {("IC", 50), ("MR", 25)}
    now = on.after(state, act)
    assert (now.cash["IC"], now.cash["MR"]) == (50, 2000 - 300 + 25)
    assert (now.trains["IC"], now.trains[MARKET]) == ((), ())


@pytest.mark.rule("18GL Table 7", "18GL Table 2")
def test_table_7_trains_prices_and_salvage() -> None:
    """As printed; the phases that take them."""
    found = {
        kind.type: (kind.price, kind.count, kind.salvage, kind.removed_on)
        for kind in on.GL.trains.values()
        if not kind.gift
    }
    assert found == {
        "2H": (100, 8, 25, "6H"),
        "4H": (200, 7, 50, "10H"),
        "6H": (300, 6, 75, "E"),
        "10H": (600, 4, 0, ""),
        "E": (800, 4, 0, ""),
        "D": (1000, 0, 0, ""),
    }


@pytest.mark.rule("18GL R2")
def test_r2_d_trains_do_not_run_out() -> None:
    """After ten there is an eleventh."""
    state = on.own(buying(phase="D", cash=20000), "IC", *["D"] * 10)
    now = on.after(state, on.buy_train("MR", "D", 1000))
    assert on.table(now).next_train().type == "D"


@pytest.mark.rule("18GL 4.6.8")
def test_4_6_8_a_phase_that_lowers_the_limit_makes_all_discard() -> None:
    """The first 6H: MR and IC have four trains then, their presidents choose the fourth."""
    state = beside(buying("4H", "4H", "4H", phase="4H"), "4H", "4H", "4H", "2H+2", seat="Bob")
    state = on.own(state, OFFERING, "6H", "6H", "10H")
    now = on.after(state, on.buy_train("MR", "6H", 300))
    assert on.waits_for(now) == ("Ann",), "IC lost the 2H+2, MR is over"
    on.refused(now, on.buy_train("MR", "6H", 300), "4.1, 4.6", "discard")
    on.refused(now, discard("IC", "4H"), "4.6.8", "MR")
    after = on.after(now, discard("MR", "4H"))
    assert after.trains["MR"] == ("4H", "4H", "6H")
    assert after.trains[MARKET] == ("4H",)


@pytest.mark.rule("18GL 4.3(9)", "18GL 4.6.8")
def test_4_3_9_an_extended_train_is_never_sold() -> None:
    """IC's 4H+2 stays with IC."""
    state = beside(buying("4H", phase="6H"), "4H+2")
    on.refused(state, on.buy_train("MR", "4H+2", 200, "IC"), "4.3", "4H+2")
    assert not [a for a in on.offered(state, "Ann", BuyTrain) if a.source == "IC"]


@pytest.mark.rule("18GL 4.3(9)", "18GL 4.6.8")
def test_4_3_9_a_discarded_train_is_a_plain_one_again() -> None:
    """The pool has a 4H, the corporation no 4H+2 any more."""
    state = buying("4H", "4H+2", "4H", phase="4H")
    state = on.own(state, OFFERING, "6H", "6H", "10H")
    now = on.after(state, on.buy_train("MR", "6H", 300))
    act = discard("MR", "4H+2")
    assert on.happened(now, act, TrainDiscarded) == [TrainDiscarded("MR", "4H+2")]
    after = on.after(now, act)
    assert (after.trains["MR"], after.trains[MARKET]) == (("4H", "4H", "6H"), ("4H",))
    again = on.operating(on.own(after, "MR", "6H"), "MR", "trains")
    assert on.allowed(again, on.buy_train("MR", "4H", 200, MARKET))


@pytest.mark.rule("18GL 4.3(9)", "18GL R14")
def test_4_3_9_alco_closes_when_its_train_rusts() -> None:
    """The 2H+2 goes with the 2H, brings its salvage, and ALCO is over; before it was used it stays."""
    for train, closed in (("2H+2", True), ("2H", False)):
        state = on.privates(buying("4H", train, phase="4H"), {"ALCO": "Bob"})
        state = replace(state, spent=("ALCO",) if closed else ())
        state = on.own(state, OFFERING, "6H", "6H", "10H")
        act = on.buy_train("MR", "6H", 300)
        assert on.happened(state, act, PrivateClosed) == [PrivateClosed("ALCO")] * closed
        assert on.after(state, act).cash["MR"] == 2000 - 300 + 25


@pytest.mark.rule("18GL 4.3(9)", "18GL R14")
def test_4_3_9_alco_stays_while_its_train_runs() -> None:
    """A 4H+2 lives through 6H, and ALCO with it, to 10H."""
    state = on.privates(buying("4H+2", "2H", phase="4H"), {"ALCO": "Bob"})
    state = replace(state, spent=("ALCO",))
    state = on.own(state, OFFERING, "6H", "10H", "10H")
    now = on.after(state, on.buy_train("MR", "6H", 300))
    assert now.privates["ALCO"] == "Bob"
    last = on.after(now, on.buy_train("MR", "10H", 600))
    assert last.privates["ALCO"] == "closed"
    assert last.trains["MR"] == ("6H", "10H")


@pytest.mark.rule("18GL 4.3(12)")
@pytest.mark.parametrize("source", [OFFERING, MARKET, "IC"])
def test_4_3_12_c_and_a_closes_with_the_first_train_of_prr(source: str) -> None:
    """Wherever PRR has it from; another corporation's purchase closes nothing."""
    start = on.turn("trains", "PRR", at_phase="6H", cash=900, owns={"C&A": "Bob"})
    start = on.own(on.company(start, "IC", {"Ann": 60}, trains=("6H",), cash=900), MARKET, "6H")
    state = on.operating(start, "PRR", "trains")
    act = on.buy_train("PRR", "6H", 300, source)
    assert PrivateClosed("C&A") in on.happened(state, act, PrivateClosed)
    other = on.operating(start, "IC", "trains")
    assert not on.happened(other, on.buy_train("IC", "6H", 300), PrivateClosed)


@pytest.mark.rule("18GL 2", "18GL Table 2")
def test_2_the_first_train_of_a_type_begins_its_phase() -> None:
    """After the eighth 2H the first 4H begins 4H, the second nothing."""
    state = on.own(buying("2H", phase="2H"), OFFERING, "4H", "4H", "6H")
    state = on.own(state, OFFERING, *["4H"] * 7, "6H")
    act = on.buy_train("MR", "4H", 200)
    assert on.happened(state, act, PhaseBegan) == [PhaseBegan("4H")]
    assert not on.happened(on.after(state, act), act, PhaseBegan)

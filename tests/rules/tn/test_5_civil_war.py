"""18TN 5.1, the Civil War; Table I and 4.2.5: trains and the phases that they begin."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyTrain, DiscardTrain, IdleTrain
from engine.events import (
    IdleForeseen,
    PhaseBegan,
    PriceMoved,
    PrivateClosed,
    TrainIdled,
    TrainsGone,
    TrainsObsolete,
    TrainsRan,
)
from engine.frames import DividendStep, RunStep
from engine.titles.title import load_title
from engine.values import CLOSED, MARKET, OFFERING, REMOVED, State
from tests.rules.tn.setting import on

EAST = "F17 57 1,F19 8 1,E20 8 4"
BOTH = "F17 57 1,F19 8 1,E20 8 4,F15 9 1,F13 4 1,F11 TN2 0"
RED = ("F17-F19-E20-E22",)


def buying(left: int, at: str, *trains: str, others: tuple[str, ...] = ()) -> State:
    """SOU, rich and with a route, before it buys a train; ``left`` are in the offering."""
    state = on.turn("SOU", "trains", laid=EAST, at_phase=at, cash=3000, trains=trains)
    state = on.company(state, "L&N", {"Bob": 20}, cash=300, trains=others)
    return on.phase(state, at, left=left)


def next_train(state: State) -> BuyTrain:
    """The purchase of the next new train."""
    kind = on.table(state).next_train()
    assert kind is not None
    return on.buy_train("SOU", kind.type, kind.price)


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
    state = buying(left, before)
    began = [event.phase for event in on.happened(state, next_train(state), PhaseBegan)]
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
    state = buying(14, "3½", "2", others=("2", "3", "3", "3"))
    state = on.own(state, "TC", "3", "3", "3", "3")
    state = on.company(state, "TC", {"Cas": 60}, trains=("3", "3", "3", "3"))
    (gone,) = on.happened(state, next_train(state), TrainsGone)
    assert (gone.train, gone.lost) == ("2", {"L&N": 1, "SOU": 1})
    then = on.after(state, next_train(state))
    assert then.trains["TC"] == ("3", "3", "3")
    assert then.trains[MARKET] == ("3",)


@pytest.mark.rule("18TN Table I 5")
@pytest.mark.rule("18TN A1 privates stay open")
def test_the_first_5_closes_the_private_companies() -> None:
    """All of them, those of companies too."""
    state = on.privates(buying(11, "4"), {"TCC": "SOU", "O&W": "Ann"})
    closed = [event.private for event in on.happened(state, next_train(state), PrivateClosed)]
    assert closed == ["TCC", "O&W"]
    assert set(on.after(state, next_train(state)).privates.values()) == {CLOSED}


@pytest.mark.rule("18TN Table I 6")
def test_the_first_6_removes_all_3_trains() -> None:
    """Those of the open market too."""
    state = on.own(buying(9, "5", others=("3", "4")), MARKET, "3")
    then = on.after(state, next_train(state))
    assert (then.trains["L&N"], then.trains[MARKET]) == (("4",), ())
    assert then.trains[REMOVED] == ("3", "3")


@pytest.mark.rule("18TN Table I 6½")
@pytest.mark.rule("18TN 4.2.5.1")
@pytest.mark.rule("18TN A1 removal of obsolete trains")
def test_the_second_6_makes_4_trains_obsolete() -> None:
    """Those of the open market go at once; the buyer's runs once more, too."""
    state = on.own(buying(8, "6", "4", others=("4",)), MARKET, "4")
    assert on.happened(state, next_train(state), TrainsObsolete) == [TrainsObsolete("4")]
    then = on.after(state, next_train(state))
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
    state = on.after(buying(24, "1", others=("2",)), on.buy_train("SOU", "2", 80))
    on.refused(state, on.buy_train("SOU", "2", 80), "4.2.5(f)")
    assert on.allowed(state, on.buy_train("SOU", "2", 1, "L&N"))
    on.refused(state, on.buy_train("SOU", "2", 0, "L&N"), "4.2.5(d)")
    four = on.after(buying(14, "3½"), on.buy_train("SOU", "4", 300))
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


# the Civil War


def war(*trains: str, step: str = "run", laid: str = BOTH, **more: object) -> State:
    """SOU's turn after the war has begun."""
    state = on.turn("SOU", step, laid=laid, at_phase="3½", trains=trains, **more)  # type: ignore[arg-type]
    return replace(state, idle=("SOU",))


@pytest.mark.rule("18TN 5")
@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN Table I 3½")
def test_the_fourth_3_begins_the_war_for_companies_with_a_train_and_a_route() -> None:
    """The buyer among them; not for one without a train, nor for one without a route."""
    state = buying(16, "3", others=("2",))
    state = on.company(state, "TC", {"Cas": 60}, trains=("2",))  # no route
    state = on.company(state, "IC", {"Cas": 60}, stations=("F11",))  # no train
    (war,) = on.happened(state, next_train(state), IdleForeseen)
    assert (war.companies, war.cause) == (("SOU", "L&N"), "the Civil War")
    assert on.after(state, next_train(state)).idle == ("SOU", "L&N")
    third = buying(17, "3", others=("2",))
    assert on.after(third, next_train(third)).idle == ()


@pytest.mark.rule("18TN 5.1")
def test_the_war_is_felt_in_each_company_s_next_turn() -> None:
    """At once by who has yet to operate in this round, by all others in the next one."""
    state = on.company(buying(16, "3", "2"), "TC", {"Cas": 60}, trains=("2",), stations=("F17",))
    waiting = replace(state.stack[0], done=("SOU", "L&N"))  # type: ignore[type-var]
    state = on.after(replace(state, stack=(waiting, *state.stack[1:])), next_train(state))
    assert state.idle == ("SOU", "TC")
    state = on.after(state, on.done())
    assert (on.waits_for(state), str(state.round)) == (("Cas",), "OR 2.1")
    assert on.happened(state, on.done("Cas"), TrainIdled) == [TrainIdled("TC", "2")]
    state = on.after(state, on.done("Cas"))
    assert (state.idle, str(state.round)) == (("SOU",), "SR 3")


@pytest.mark.rule("18TN 5.1")
def test_the_president_chooses_the_train_that_earns_nothing() -> None:
    """Only the others run; then the war is over for the company."""
    state = war("2", "3")
    chosen = on.after(state, on.idle("SOU", "2"))
    assert chosen.stack[-1] == RunStep("SOU", "2")
    on.refused(chosen, on.idle("SOU", "2"), "5.1", "already")
    on.refused(chosen, on.run("SOU", ("2", *RED)), "5.1", "2 train")
    on.refused(state, on.idle("SOU", "4"), "5.1", "no 4 train")
    run = on.run("SOU", ("3", "F17-F15-F13-F11"))
    assert on.happened(chosen, run, TrainIdled) == [TrainIdled("SOU", "2")]
    assert on.happened(chosen, run, TrainsRan)[0].revenue == 70
    then = on.after(chosen, run)
    assert (then.earned["SOU"], then.idle) == (70, ("SOU",))
    paid = on.after(then, on.pay("SOU"))
    assert (paid.idle, on.price(paid, "SOU")) == ((), 100)


@pytest.mark.rule("18TN 5.1")
def test_a_train_left_at_home_is_the_one_that_earns_nothing() -> None:
    """All trains at once are refused; `run` alone chooses what earns most."""
    state = war("2", "3")
    both = on.run("SOU", ("2", *RED), ("3", "F17-F15-F13-F11"))
    on.refused(state, both, "5.1", "one of its trains", "idle")
    run = on.run("SOU", ("2", *RED))
    assert on.happened(state, run, TrainIdled) == [TrainIdled("SOU", "3")]
    best, _ = on.offered(state, "Ann", type(run))
    assert [r.train for r in best.runs] == ["3"]  # type: ignore[attr-defined]
    assert len(on.offered(state, "Ann", IdleTrain)) == 2


@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN 4.2(d)")
def test_shareholders_insist_on_the_best_run_of_the_trains_that_are_left() -> None:
    """Which train that is, is the president's choice alone."""
    state = replace(war("2", "3", bob=10), insist=("Bob",))
    assert on.allowed(state, on.run("SOU", ("2", *RED)))
    on.refused(state, on.run("SOU", ("2", "F17-F15-F13")), "4.2.3.1", "Bob")
    on.refused(on.after(state, on.idle("SOU", "2")), on.run("SOU"), "4.2.3.1")


@pytest.mark.rule("18TN 5.1")
def test_trains_that_are_alike_need_no_choice() -> None:
    """One of two 2 trains runs."""
    state = on.after(war("2", "2", step="token"), on.run("SOU", ("2", *RED)))
    assert isinstance(state.stack[-1], DividendStep)
    both = on.run("SOU", ("2", *RED), ("2", "F17-F15-F13"))
    on.refused(war("2", "2", step="token"), both, "5.1")


@pytest.mark.rule("18TN 5.1")
@pytest.mark.rule("18TN 4.2.4")
def test_the_price_stays_where_the_only_train_earned_nothing() -> None:
    """All else of the turn is as ever, and the marker goes."""
    state = war("3", step="track")
    events = on.happened(state, on.done(), PriceMoved)
    assert events == []
    then = on.after(state, on.done())
    assert (then.idle, on.price(then, "SOU"), then.earned["SOU"]) == ((), 90, 0)
    assert on.happened(state, on.done(), TrainIdled) == [TrainIdled("SOU", "3")]


@pytest.mark.rule("18TN 5.1")
def test_a_company_that_has_lost_its_trains_moves_left_as_ever() -> None:
    """Its marker goes with that turn."""
    then = on.after(war(step="token"), on.buy_train("SOU", "3", 180))
    assert (then.idle, on.price(then, "SOU")) == ((), 80)


@pytest.mark.rule("18TN 5.1")
def test_without_a_war_no_train_is_idle() -> None:
    """Also where the title knows none."""
    state = on.turn("SOU", "run", laid=EAST, trains=("2", "3"))
    on.refused(state, on.idle("SOU", "2"), "5.1", "all trains")
    assert not on.offered(state, "Ann", IdleTrain)


@pytest.mark.rule("18TN 8(c)")
@pytest.mark.rule("18TN 8(b)")
@pytest.mark.rule("18TN 8(a)")
def test_all_options_together() -> None:
    """The buyer of the first 6 pays its price, and is paid for its own 3 trains afterwards."""
    names = frozenset({"three-yellow", "early-privates", "salvage", "tie-break"})
    title = load_title("18TN", names)
    state = on.money(buying(9, "5", "3"), {"SOU": 600})
    then = on.after(state, next_train(state), title=title)
    assert (then.cash["SOU"], then.trains["SOU"]) == (50, ("6",))
    poor = on.money(state, {"SOU": 599})
    on.refused(poor, next_train(poor), "4.2.5.2", "$599", title=title)
    facts = title.facts
    assert facts.operating.first_lays is not None
    assert (facts.operating.first_lays.yellow, facts.extra_round_on_tie) == (3, True)
    assert title.phases["2"].company_privates


@pytest.mark.rule("18TN 8(c)")
def test_option_salvage() -> None:
    """$50 to a company for each 3 train that the first 6 removes, nothing for the market's."""
    title = load_title("18TN", frozenset({"salvage"}))
    state = on.own(buying(9, "5", others=("3", "3")), MARKET, "3")
    then = on.after(state, next_train(state), title=title)
    assert then.cash["L&N"] == 400
    assert on.after(state, next_train(state)).cash["L&N"] == 300


@pytest.mark.rule("18TN 8(a)")
def test_option_three_yellow_tiles() -> None:
    """On the first turn only, and upgrades as ever."""
    title = load_title("18TN", frozenset({"three-yellow"}))
    lays = (on.lay("SOU", "57", "F17", 1), on.lay("SOU", "9", "F15", 1))
    third = on.lay("SOU", "8", "F19", 1)
    first = on.station(on.turn("SOU", turns=0), "SOU", "F17")
    assert on.allowed(on.after(first, *lays, title=title), third, title=title)
    on.refused(on.after(first, *lays), third, "4.2(b)")
    later = on.after(on.turn("SOU"), *lays, title=title)
    on.refused(later, third, "4.2(b)", title=title)


@pytest.mark.rule("18TN 8(b)")
def test_option_privates_in_phase_2() -> None:
    """For $1 to par, any number; in phase 1 not, and from phase 3 on as ever."""
    title = load_title("18TN", frozenset({"early-privates"}))
    state = on.privates(on.turn("SOU", at_phase="2"), {"TCC": "Ann", "O&W": "Ann"})
    for cost, legal in ((0, False), (1, True), (20, True), (21, False)):
        sale = on.trade("TCC", "Ann", "SOU", cost)
        assert on.allowed(state, sale, title=title) is legal
    both = (on.trade("TCC", "Ann", "SOU", 1), on.trade("O&W", "Ann", "SOU", 100))
    assert on.after(state, *both, title=title).privates["O&W"] == "SOU"
    on.refused(replace(state, phase="1"), both[0], "4.2.6", title=title)
    on.refused(replace(state, phase="3"), both[0], "4.2.6", "$10 to $30", title=title)


def test_discards_are_the_president_s_choice() -> None:
    """Where its trains are not all alike."""
    state = buying(14, "3½", "3", "3", "3")
    state = on.company(state, "TC", {"Ann": 60}, trains=("3", "3", "3", "4"))
    then = on.after(state, next_train(state))
    assert on.allowed(then, DiscardTrain(by="Ann", company="TC", train="4"))

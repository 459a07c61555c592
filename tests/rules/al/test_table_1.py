"""18AL Table I: the phases, what each train brings."""

import pytest
from msgspec.structs import replace

from engine.events import MarksGone, PrivateClosed
from engine.position.values import CLOSED, MARKET, OFFERING, Mark, State
from tests.rules import setting as on


def bringing(train: str, *trains: str, **held: int) -> State:
    """L&N, rich, about to buy the first train of a type."""
    kinds = list(on.AL.trains)
    before = kinds[kinds.index(train) - 1] if train != "2" else "1"
    state = on.company(
        on.phase(on.stock_turn(), before), "L&N", held or {"Ann": 60}, cash=2000, trains=trains
    )
    every = tuple(t.type for t in on.AL.facts.train for _ in range(t.count))
    state = on.own(state, OFFERING, *every[every.index(train) :])
    return on.operating(state, "L&N", "trains")


def first(state: State, train: str) -> State:
    """The position after that purchase."""
    return on.after(state, on.buy_train("L&N", train, on.AL.trains[train].price))


@pytest.mark.rule("18AL Table I start")
def test_table_1_at_the_start() -> None:
    """Yellow tiles, four trains a company, one of the bank a turn, no private to companies, one round."""
    phase = on.table(on.opening()).phase
    assert (phase.tiles, phase.train_limit, phase.bank_trains) == (("yellow",), 4, 1)
    assert (phase.company_privates, phase.rounds) == (False, 1)


@pytest.mark.rule("18AL Table I start")
@pytest.mark.parametrize(
    ("train", "count", "dollars"),
    [
        ("2", 5, 100),
        ("3", 4, 180),
        ("4", 3, 300),
        ("5", 2, 450),
        ("6", 1, 630),
        ("7", 1, 700),
        ("4D", 5, 800),
    ],
)
def test_table_1_how_many_and_how_dear(train: str, count: int, dollars: int) -> None:
    """Number and price of each type."""
    assert on.opening().trains[OFFERING].count(train) == count
    state = on.operating(
        on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=2000), "L&N", "trains"
    )
    state = on.own(state, OFFERING, train)
    on.refused(state, on.buy_train("L&N", train, dollars - 1), "4.2.5(c)", f"${dollars}")
    assert on.after(state, on.buy_train("L&N", train, dollars)).cash["L&N"] == 2000 - dollars


@pytest.mark.rule("18AL Table I 2")
def test_table_1_the_2_changes_nothing() -> None:
    """Phase 2 allows what phase 1 did."""
    start, two = on.AL.phases["1"], on.AL.phases["2"]
    assert first(bringing("2"), "2").phase == "2"
    assert replace(two, id="1", on="") == start


@pytest.mark.rule("18AL Table I 3")
def test_table_1_the_3_brings_green_and_privates_for_companies() -> None:
    """At once green tiles and privates; the limits stay."""
    state = on.privates(first(bringing("3"), "3"), {"TR": "Ann"})
    phase = on.table(state).phase
    assert (phase.tiles, phase.train_limit, phase.bank_trains) == (("yellow", "green"), 4, 1)
    assert on.allowed(on.operating(state, "L&N"), on.trade("TR", "Ann", "L&N", 30))


@pytest.mark.rule("18AL Table I 3")
def test_table_1_two_rounds_from_the_next_stock_round_on() -> None:
    """The set that has begun ends as it began; after the next stock round there are two rounds."""
    now = first(bringing("3"), "3")
    assert str(now.round) == "SR 3"
    now = on.after(now, on.done(), on.done("Bob"), on.done("Cas"))
    assert (str(now.round), now.round.parts) == ("OR 3.1", 2)


@pytest.mark.rule("18AL Table I 4")
def test_table_1_the_4_removes_the_2() -> None:
    """All 2 trains go, three trains are the limit, the bank sells any number a turn."""
    state = on.own(bringing("4", "2", "3"), MARKET, "2")
    now = first(state, "4")
    assert (now.trains["L&N"], now.trains[MARKET]) == (("3", "4"), ())
    phase = on.table(now).phase
    assert (phase.train_limit, phase.bank_trains, phase.rounds) == (3, 0, 2)


@pytest.mark.rule("18AL Table I 5")
def test_table_1_the_5_closes_all_privates() -> None:
    """Whoever owns them, they are gone and pay no more."""
    state = on.privates(
        bringing("5"), {"TR": "Ann", "S&NA": "L&N", "B&SLC": "Bob", "M&C": "L&N", "NDY": "L&N"}
    )
    closed = on.happened(state, on.buy_train("L&N", "5", 450), PrivateClosed)
    assert {e.private for e in closed} == set(on.AL.privates)
    assert set(first(state, "5").privates.values()) == {CLOSED}


@pytest.mark.rule("18AL Table I 5")
def test_table_1_the_5_brings_brown_and_higher_values() -> None:
    """Brown tiles, two trains a company, the higher value of red areas and Meridian."""
    now = first(bringing("5"), "5")
    phase = on.table(now).phase
    assert (phase.tiles[-1], phase.train_limit) == ("brown", 2)
    worth = on.AL.rules.stop_value(on.table(now), "L&N", on.AL.trains["5"], "G8", 0)
    assert worth == 70


@pytest.mark.rule("18AL Table I 5")
def test_table_1_three_rounds_from_the_next_stock_round_on() -> None:
    """After the stock round that follows the first 5."""
    state = on.company(on.phase(on.stock_turn(), "5"), "L&N", {"Ann": 60}, trains=("5",))
    assert on.operating_round(state).round.parts == 3
    now = first(on.operating(bringing("5"), "L&N", "trains", part=2, parts=2), "5")
    assert str(now.round) == "OR 2.2"
    assert str(on.after(now, on.done()).round) == "SR 3", "the set ends as it began"


@pytest.mark.rule("18AL Table I 6")
def test_table_1_the_6_removes_the_3_and_the_coal_field() -> None:
    """All 3 trains and a placed marker go."""
    state = on.marks(bringing("6", "3"), Mark("coal field", "L&N", "S&NA", "G4"))
    state = on.own(state, MARKET, "3")
    gone = on.happened(state, on.buy_train("L&N", "6", 630), MarksGone)
    assert gone == [MarksGone("L&N", ("coal field",))]
    now = first(state, "6")
    assert (now.trains["L&N"], now.trains[MARKET], now.marks) == (("6",), (), ())


@pytest.mark.rule("18AL Table I 7")
def test_table_1_the_7_makes_the_4_obsolete() -> None:
    """M&O keeps its 4 for one more run, L&N loses its own."""
    state = on.company(bringing("7", "4"), "M&O", {"Bob": 60}, trains=("4",), par=60)
    now = first(on.operating(state, "L&N", "trains"), "7")
    assert (now.trains["L&N"], now.trains["M&O"]) == (("7",), ("4",))
    assert on.table(now).obsolete("4")


@pytest.mark.rule("18AL Table I 4D")
def test_table_1_the_4d_brings_gray() -> None:
    """Gray Birmingham, and nothing goes."""
    state = bringing("4D", "6")
    now = first(state, "4D")
    assert on.table(now).phase.tiles[-1] == "gray"
    assert now.trains["L&N"] == ("6", "4D")

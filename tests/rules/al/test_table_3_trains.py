"""18AL Table III: the powers of private companies that serve trains: names and a discount."""

import pytest

from engine.actions import NameTrain, Run
from engine.events import (
    MarksGiven,
    MarksGone,
    PrivateClosed,
    TrainBought,
    TrainNamed,
    TrainsRan,
)
from engine.flow import options
from engine.options import Choice
from engine.position.values import CLOSED, MARKET, OFFERING, Mark, State
from tests.rules import setting as on

LEE, PAN = Mark("Robert E. Lee", "L&N", "M&C"), Mark("Pan American", "L&N", "M&C")


def turn(
    name: str,
    private: str,
    *trains: str,
    step: str = "track",
    laid: str = "",
    phase: str = "3",
    cash: int = 900,
) -> State:
    """The turn of a company under Ann that owns a private company."""
    state = on.company(
        on.phase(on.stock_turn(), phase), name, {"Ann": 60}, cash=cash, trains=trains
    )
    state = on.privates(on.tiles(state, laid) if laid else state, {private: name})
    return on.operating(state, name, step)


def named(name: str, train: str = "") -> NameTrain:
    """Give a name of L&N to a train."""
    return NameTrain(by="Ann", company="L&N", name=name, train=train)


def earns(state: State, act: Run) -> int:
    """Revenue of a run."""
    (ran,) = on.happened(state, act, TrainsRan)
    return ran.revenue


@pytest.mark.rule("18AL Table III M&C")
def test_mc_brings_two_names() -> None:
    """With the purchase by a company, and the private stays open."""
    state = on.privates(turn("L&N", "M&C"), {"M&C": "Ann"})
    act = on.trade("M&C", "Ann", "L&N", 100)
    assert on.happened(state, act, MarksGiven) == [
        MarksGiven("L&N", ("Robert E. Lee", "Pan American"))
    ]
    assert on.after(state, act).privates["M&C"] == "L&N"


def atlanta(*trains: str, marks: tuple[Mark, ...] = (LEE, PAN)) -> State:
    """L&N about to run between Birmingham and Atlanta by Anniston, with a station in Birmingham."""
    laid = "C4 57 0,E4 9 0,G4 444b 5,G6 63 0,H7 8 2"
    state = turn("L&N", "M&C", *trains, step="run", laid=laid)
    return on.marks(on.station(state, "L&N", "G4"), *marks)


LEE_RUN = "G4-H5-G6-H7-G8"


@pytest.mark.rule("18AL Table III M&C")
def test_mc_bonus_for_a_run_to_both_places() -> None:
    """Birmingham to Atlanta earns $20 more; a run to Birmingham alone does not."""
    with_it, without = atlanta("4"), atlanta("4", marks=())
    far, near = on.run("L&N", ("4", LEE_RUN)), on.run("L&N", ("4", "A4-C4-E4-G4"))
    assert earns(with_it, far) == earns(without, far) + 20
    assert earns(with_it, near) == earns(without, near)


@pytest.mark.rule("18AL Table III M&C")
def test_mc_pan_american_between_nashville_and_mobile() -> None:
    """The other name: $40."""
    power = on.AL.privates["M&C"].power
    chits = {c.name: (c.places, c.bonus) for c in power.names}  # type: ignore[union-attr]
    assert chits == {"Robert E. Lee": (("G8", "G4"), 20), "Pan American": (("A4", "Q2"), 40)}
    laid = "C4 57 0,E4 9 0,G4 444b 0,I4 9 0,K4 63 0,M4 9 0,O4 8 1,P3 9 1"
    state = turn("L&N", "M&C", "5", step="run", laid=laid)
    path = "A4-C4-E4-G4-I4-K4-M4-O4-P3-Q2"
    run = on.run("L&N", ("5", path))
    assert earns(on.marks(state, LEE, PAN), run) == earns(state, run) + 40


@pytest.mark.rule("18AL Table III M&C")
def test_mc_each_name_on_one_train_only() -> None:
    """Two trains to Atlanta: one earns the $20."""
    state = atlanta("4", "4")
    twice = on.run("L&N", ("4", LEE_RUN), ("4", "A4-C4-E4-G4"))
    assert earns(state, twice) == earns(atlanta("4", "4", marks=()), twice) + 20


@pytest.mark.rule("18AL Table III M&C")
def test_mc_a_name_given_to_a_train_counts_there_alone() -> None:
    """Given to the 2 train, the name earns nothing on the 4 train's run; given to the 4 it does."""
    state, run = atlanta("2", "4"), on.run("L&N", ("4", LEE_RUN))
    bare = earns(atlanta("2", "4", marks=()), run)
    two = on.after(state, named("Robert E. Lee", "2"))
    assert earns(two, run) == bare
    four = on.after(two, named("Robert E. Lee", "4"))
    assert earns(four, run) == bare + 20
    free = on.after(two, named("Robert E. Lee"))
    assert earns(free, run) == bare + 20
    assert on.happened(state, named("Robert E. Lee", "4"), TrainNamed) == [
        TrainNamed("L&N", "Robert E. Lee", "4")
    ]


@pytest.mark.rule("18AL Table III M&C")
def test_mc_one_name_a_train() -> None:
    """The only 4 has a name; a second 4 takes the other."""
    state = on.after(atlanta("2", "4"), named("Robert E. Lee", "4"))
    on.refused(state, named("Pan American", "4"), "Table III", "4 train")
    assert on.allowed(state, named("Pan American", "2"))
    both = on.after(atlanta("4", "4"), named("Robert E. Lee", "4"))
    assert on.allowed(both, named("Pan American", "4"))


@pytest.mark.rule("18AL Table III M&C")
def test_mc_names_are_offered_until_the_trains_run() -> None:
    """Each name for each train, and back from the train that has it; none when trains are bought."""
    state = on.after(atlanta("2", "4"), named("Robert E. Lee", "4"))
    state = on.marks(on.company(state, "TAG", {"Ann": 60}, par=60), Mark("Other", "TAG", "M&C"))
    state = on.operating(state, "L&N", "run")
    assert set(on.offered(state, "Ann", NameTrain)) == {
        named("Robert E. Lee"),
        named("Robert E. Lee", "2"),
        named("Pan American", "2"),
    }
    assert on.offered(on.operating(state, "L&N", "trains"), "Ann", NameTrain) == []


@pytest.mark.rule("18AL Table III M&C")
def test_mc_own_names_own_trains_own_turn() -> None:
    """No name that L&N has not, no train that it has not, no other company's turn."""
    state = atlanta("4", marks=(LEE,))
    on.refused(state, named("Pan American", "4"), "Table III", "Pan American")
    on.refused(state, named("Robert E. Lee", "5"), "Table III", "5")
    other = on.operating(on.company(state, "TAG", {"Ann": 60}, trains=("2",), par=60), "TAG")
    on.refused(other, named("Robert E. Lee", "4"), "4(b)", "L&N")


@pytest.mark.rule("18AL Table III M&C")
def test_mc_name_of_a_lost_train_comes_back() -> None:
    """The named 2 is removed: the name serves the 4."""
    state = on.after(atlanta("2", "4"), named("Robert E. Lee", "2"))
    run = on.run("L&N", ("4", LEE_RUN))
    bare = earns(atlanta("4", marks=()), run)
    assert earns(on.own(state, "L&N", "4"), run) == bare + 20
    sold = on.company(state, "TAG", {"Ann": 60}, par=60, cash=90)
    sold = on.after(on.operating(sold, "TAG", "trains"), on.buy_train("TAG", "2", 50, "L&N"))
    assert earns(on.operating(sold, "L&N", "run"), run) == bare + 20
    assert all(m.company == "L&N" for m in sold.marks)


@pytest.mark.rule("18AL Table III M&C")
def test_mc_names_last_after_the_private_is_closed() -> None:
    """With the first 5 the M&C is gone, its names stay."""
    state = on.own(on.operating(atlanta("4"), "L&N", "trains"), OFFERING, "5", "6")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    assert (now.privates["M&C"], now.marks) == (CLOSED, (LEE, PAN))


@pytest.mark.rule("18AL Table III M&C")
def test_mc_names_go_with_the_president() -> None:
    """Bob takes L&N from Ann in a stock round: both names are gone at once."""
    state = on.company(on.stock_turn("Bob"), "L&N", {"Ann": 30, "Bob": 30})
    state = on.marks(on.privates(state, {"M&C": "L&N"}), LEE, PAN)
    act = on.buy("L&N", "Bob")
    assert on.happened(state, act, MarksGone) == [
        MarksGone("L&N", ("Robert E. Lee", "Pan American"))
    ]
    assert on.after(state, act).marks == ()
    other = on.company(state, "TAG", {"Ann": 20, "Bob": 20}, par=60)
    assert on.after(other, on.buy("TAG", "Bob")).marks == (LEE, PAN)


# New Decatur Yards


@pytest.mark.rule("18AL Table III NDY")
@pytest.mark.parametrize(
    ("phase", "train", "dollars"), [("3", "3", 90), ("4", "4", 150), ("4", "5", 225)]
)
def test_ndy_half_price_for_a_new_train(phase: str, train: str, dollars: int) -> None:
    """Any new train up to the first 5; the private closes."""
    state = on.own(turn("L&N", "NDY", step="trains", phase=phase), OFFERING, train, "6")
    act = on.buy_train("L&N", train, dollars, power="NDY")
    assert on.happened(state, act, TrainBought) == [
        TrainBought("L&N", train, OFFERING, dollars, 0, "NDY")
    ]
    assert on.happened(state, act, PrivateClosed)[0] == PrivateClosed("NDY")
    now = on.after(state, act)
    assert (now.cash["L&N"], now.privates["NDY"]) == (900 - dollars, CLOSED)


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_exactly_half() -> None:
    """Not the full price and not less than half."""
    state = turn("L&N", "NDY", step="trains")
    for dollars in (180, 89, 91):
        on.refused(state, on.buy_train("L&N", "3", dollars, power="NDY"), "4.2.5(c)", "$90")


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_is_a_choice() -> None:
    """At the full price the private stays open; both ways are offered."""
    state = turn("L&N", "NDY", step="trains")
    assert on.after(state, on.buy_train("L&N", "3", 180)).privates["NDY"] == "L&N"
    found = [o.action for o in options(on.AL, state, "Ann") if isinstance(o, Choice)]
    assert on.buy_train("L&N", "3", 180) in found
    assert on.buy_train("L&N", "3", 90, power="NDY") in found


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_not_for_used_trains() -> None:
    """Neither the open market's nor another company's."""
    state = on.company(turn("L&N", "NDY", step="trains"), "M&O", {"Ann": 60}, trains=("2",), par=60)
    state = on.operating(on.own(state, MARKET, "2"), "L&N", "trains")
    on.refused(state, on.buy_train("L&N", "2", 50, MARKET, power="NDY"), "Table III", "NDY", "new")
    on.refused(state, on.buy_train("L&N", "2", 50, "M&O", power="NDY"), "Table III", "NDY", "new")


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_other_rules_of_trains_hold() -> None:
    """The limit of trains, the order of types, one train of the bank a turn."""
    full = turn("L&N", "NDY", "2", "2", "2", "2", step="trains")
    on.refused(full, on.buy_train("L&N", "3", 90, power="NDY"), "4.2.5(g)", "4 trains")
    state = turn("L&N", "NDY", step="trains")
    on.refused(state, on.buy_train("L&N", "4", 150, power="NDY"), "4.2.5(b)", "3")
    state = on.privates(state, {"TR": "Ann"})
    once = on.after(state, on.buy_train("L&N", "3", 180))
    on.refused(once, on.buy_train("L&N", "3", 90, power="NDY"), "4.2.5(f)", "L&N")
    early = turn("L&N", "NDY", "2", step="track", laid="C4 57 0")
    on.refused(early, on.buy_train("L&N", "3", 90, power="NDY"), "4.2.4", "L&N")


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_by_its_owner_alone() -> None:
    """A private of its president's is of no use, nor one that makes nothing cheaper."""
    state = on.privates(turn("L&N", "TR", step="trains"), {"NDY": "Ann"})
    on.refused(state, on.buy_train("L&N", "3", 90, power="NDY"), "Table III", "L&N", "NDY")
    on.refused(state, on.buy_train("L&N", "3", 90, power="TR"), "Table III", "TR")


@pytest.mark.rule("18AL Table III NDY")
def test_ndy_lost_with_the_first_5_of_another() -> None:
    """After the first 5 it is closed."""
    state = on.own(turn("L&N", "NDY", step="trains", phase="4"), OFFERING, "5", "5")
    now = on.after(state, on.buy_train("L&N", "5", 450))
    act = on.buy_train("L&N", "5", 225, power="NDY")
    on.refused(on.operating(now, "L&N", "trains"), act, "Table III", "NDY")

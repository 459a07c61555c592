"""Rules that 18xx.games plays otherwise than the rulebook."""

import pytest
from msgspec.structs import replace

from engine.actions import BuyShare, DiscardTrain, NameTrain, PlaceMark, TradePrivate
from engine.flow import apply, new_game, options, why_not
from engine.options import Open
from engine.play.phases import begin_phases
from engine.position.draft import Draft
from engine.position.frames import (
    Discard,
    OperatingRound,
    OperatingTurn,
    StockRound,
    StockTurn,
    Trains,
)
from engine.position.table import Table
from engine.position.values import OFFERING, Mark, Round, Station
from engine.steps.operating.trains import TrainsStep
from engine.steps.questions.discard import DiscardStep, counted_trains
from engine.titles.registry import load_title
from tests.rules.titled import Titled

OURS = load_title("18AL")
THEIRS = load_title("18AL", frozenset({"18xx.games"}))


def position(title, **changes):
    """An operating round of a game that has gone on for a while, with TAG to act."""
    state = new_game(title, ["Ann", "Bob", "Cid"]).state
    held = {"Ann": (20, 10, 10), "initial offering": (10,) * 6}
    state = replace(
        state,
        insist=(),
        round=Round("OR", 3, 1, 2),
        phase="3",
        presidents={"TAG": "Ann"},
        pars={"TAG": 60},
        shares={**state.shares, "TAG": held},
        privates=dict.fromkeys(state.privates, "Ann"),
        floated=("TAG",),
        stations={"E6": (Station("TAG", 0),)},
        stack=(OperatingRound(True, ("TAG",)), OperatingTurn("TAG", 7), Trains("TAG")),
    )
    return replace(state, **changes)


@pytest.mark.parametrize(("title", "left"), [(OURS, ()), (THEIRS, ("4",))])
def test_trains_of_the_company_that_buys_the_7_have_a_last_run_there(title, left):
    trains = {**position(title).trains, "TAG": ("4",)}
    draft = Draft(title, position(title, phase="6", trains=trains))
    begin_phases(draft, "7", "TAG")
    assert draft.trains["TAG"] == left


@pytest.mark.parametrize(("title", "count"), [(OURS, 2), (THEIRS, 1)])
def test_obsolete_trains_are_outside_the_limit_there(title, count):
    trains = {**position(title).trains, "TAG": ("4", "6")}
    assert counted_trains(Table(title, position(title, phase="7", trains=trains)), "TAG") == count


@pytest.mark.parametrize(("title", "left"), [(OURS, 2), (THEIRS, 3)])
def test_trains_that_are_alike_are_not_discarded_by_themselves_there(title, left):
    base = position(title)
    stack = (*base.stack, Discard(("TAG",)))
    draft = Draft(
        title, position(title, phase="5", trains={**base.trains, "TAG": ("4",) * 3}, stack=stack)
    )
    DiscardStep().enter(draft, draft.stack[-1])
    assert len(draft.trains["TAG"]) == left


def test_a_discarded_train_lies_in_the_open_market_there():
    base = position(THEIRS)
    stack = (*base.stack, Discard(("TAG",)))
    trains = {**base.trains, "TAG": ("4",) * 3}
    state = position(THEIRS, phase="5", trains=trains, stack=stack)
    after = apply(THEIRS, state, DiscardTrain(by="Ann", company="TAG", train="4")).state
    assert after.trains["open market"] == ("4",)
    assert isinstance(after.stack[-1], Trains)


@pytest.mark.parametrize(("title", "waits"), [(OURS, False), (THEIRS, True)])
def test_a_turn_with_nothing_to_buy_is_waited_for_there(title, waits):
    trains = {**position(title).trains, "TAG": ("2",) * 4}
    state = position(title, trains=trains, privates=dict.fromkeys(OURS.privates, "closed"))
    draft = Draft(title, state)
    TrainsStep().enter(draft, draft.stack[-1])
    assert (draft.stack == state.stack) is waits


@pytest.mark.parametrize(("title", "allowed"), [(OURS, False), (THEIRS, True)])
def test_the_coal_field_marker_needs_no_train_that_runs_to_it_there(title, allowed):
    privates = {**position(title).privates, "S&NA": "TAG"}
    marks = (Mark("coal field", "TAG", "S&NA"),)
    state = position(title, privates=privates, marks=marks, tiles={"E6": ("57", 0)})
    bare = PlaceMark(by="Ann", company="TAG", private="S&NA", hex="E6")
    assert why_not(title, state, bare) is not None, "some train the company must own"
    state = replace(state, trains={**state.trains, "TAG": ("2",)})
    action = PlaceMark(by="Ann", company="TAG", private="S&NA", hex="E6")
    assert (why_not(title, state, action) is None) is allowed


@pytest.mark.parametrize(("title", "allowed"), [(OURS, False), (THEIRS, True)])
@pytest.mark.parametrize("president", ["Ann", "Bob"])
def test_the_coal_field_marker_is_placed_on_another_turn_of_its_president_there(
    title, allowed, president
):
    base = position(title)
    state = position(
        title,
        privates={**base.privates, "S&NA": "TAG"},
        marks=(Mark("coal field", "TAG", "S&NA"),),
        presidents={"TAG": "Ann", "L&N": president},
        trains={**base.trains, "TAG": ("2",)},
        stack=(OperatingRound(True, ("L&N",)), OperatingTurn("L&N", 7), Trains("L&N")),
    )
    action = PlaceMark(by="Ann", company="TAG", private="S&NA", hex="E6")
    assert (why_not(title, state, action) is None) is (allowed and president == "Ann")


def test_the_coal_field_marker_needs_a_connection_there_too():
    privates = {**position(THEIRS).privates, "S&NA": "TAG"}
    state = position(THEIRS, privates=privates, marks=(Mark("coal field", "TAG", "S&NA"),))
    action = PlaceMark(by="Ann", company="TAG", private="S&NA", hex="H3")
    assert why_not(THEIRS, state, action) is not None


@pytest.mark.parametrize(("title", "legal"), [(OURS, True), (THEIRS, False)])
def test_a_private_company_is_bought_on_its_buyer_s_turn_only_there(title, legal):
    sale = TradePrivate(by="Ann", private="TR", seller="Ann", buyer="Bob", price=5)
    state = position(title, stack=(StockRound("Ann"), StockTurn("Ann")))
    assert (why_not(title, state, sale) is None) == legal
    assert any(isinstance(o, Open) for o in options(title, state, "Ann")) == legal
    state = position(title, stack=(StockRound("Bob"), StockTurn("Bob")))
    purchase = TradePrivate(by="Bob", private="TR", seller="Ann", buyer="Bob", price=500)
    assert why_not(title, state, purchase) is None
    assert any(isinstance(o, Open) for o in options(title, state, "Bob"))


@pytest.mark.parametrize(("title", "legal"), [(OURS, True), (THEIRS, False)])
def test_names_are_not_given_to_trains_there(title, legal):
    state = position(title, marks=(Mark("Pan American", "TAG", "M&C"),))
    state = replace(state, trains={**state.trains, "TAG": ("2",)})
    name = NameTrain(by="Ann", company="TAG", name="Pan American", train="2")
    assert (why_not(title, state, name) is None) == legal


@pytest.mark.parametrize(("title", "stay"), [(OURS, False), (THEIRS, True)])
def test_names_stay_with_a_company_that_changes_its_president_there(title, stay):
    state = position(title, marks=(Mark("Pan American", "TAG", "M&C"),))
    shares = {"Ann": (20,), "Bob": (10, 10), "initial offering": (10,) * 6}
    state = replace(state, shares={**state.shares, "TAG": shares})
    state = replace(state, stack=(StockRound("Bob"), StockTurn("Bob")), round=Round("SR", 3))
    bought = apply(title, state, BuyShare(by="Bob", company="TAG", source=OFFERING)).state
    assert bought.presidents["TAG"] == "Bob"
    assert bool(bought.marks) is stay


@pytest.mark.parametrize(("title", "ends"), [(OURS, True), (THEIRS, False)])
def test_a_bank_without_a_dollar_has_broken_there_only_when_it_owes(title, ends):
    state = position(title)
    left = state.cash["bank"]
    for more, broken in ((0, ends), (1, True)):
        draft = Draft(title, state)
        draft.pay("bank", "Ann", left + more)
        assert (draft.commit().ending is not None) is broken


@pytest.mark.parametrize(("title", "allowed"), [(OURS, False), (THEIRS, True)])
def test_a_sale_for_a_train_is_judged_without_those_before_it_there(title, allowed):
    """$110 are missing; a share of $60 is sold first, and one of $120 makes that needless."""
    on = Titled(title)
    state = on.company(on.phase(on.stock_turn(), "4"), "L&N", {"Ann": 60}, cash=0)
    state = on.own(on.tiles(state, "C4 57 0"), "initial offering", "4")
    state = on.company(state, "M&O", {"Bob": 40, "Ann": 20}, par=60, at=(0, 0))
    state = on.company(state, "WRA", {"Bob": 40, "Ann": 20}, at=(0, 7))
    state = on.money(on.operating(state, "L&N", "trains"), {"Ann": 190})
    sold = on.after(state, on.sell(1, "M&O"))
    assert on.allowed(sold, on.sell(1, "WRA")) == allowed
    assert not on.allowed(sold, on.sell(2, "WRA"))
    if allowed:
        bought = on.after(sold, on.sell(1, "WRA"), on.buy_train("L&N", "4", 300))
        assert bought.trains["L&N"] == ("4",)
        assert bought.cash["Ann"] == 190 + 60 + 120 - 300

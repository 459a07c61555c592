"""What one player proposes to another: who may answer what, and what goes on afterwards."""

import dataclasses

import pytest
from msgspec.structs import replace

import engine
from engine import Title, load_title
from engine.actions import Accept, Counteroffer, Decline, Withdraw
from engine.position.frames import Question, StockTurn, Trains
from engine.position.rules import rules_of
from engine.position.values import OFFERING
from engine.proposals import BarredLay, PowerUse, PrivateSale, TrainSale
from engine.refusal import Refusal
from engine.steps.operating import trains as buying
from engine.steps.questions import answer as answering
from engine.steps.questions import private_trade, withdrawing
from tests.rules import setting as on
from tests.rules.gl.setting import on as lakes


def accepting(state, title=on.AL) -> Refusal | None:
    """Why the player who is asked cannot accept."""
    (seat,) = engine.to_act(title, state)
    assert engine.why_not(title, state, Decline(by=seat)) is None, "declining is always legal"
    refusal = engine.why_not(title, state, Accept(by=seat))
    listed = [option.action for option in engine.options(title, state, seat)]
    assert (Accept(by=seat) in listed) == (refusal is None)
    assert Decline(by=seat) in listed
    return refusal


def offered(price=33):
    """Ann offers Bob a private for so many dollars in her stock turn."""
    state = on.privates(on.stock_turn(), {"TR": "Ann"})
    return on.after(state, on.trade("TR", "Ann", "Bob", price))


def trains(price=150):
    """L&N of Ann would buy the 2 of Bob's M&O."""
    state = on.company(on.stock_turn(), "L&N", {"Ann": 60}, cash=2000)
    state = on.company(state, "M&O", {"Bob": 60}, trains=("2", "2"), par=60)
    state = on.operating(state, "L&N", "trains")
    return on.after(state, on.buy_train("L&N", "2", price, "M&O"))


def test_what_was_just_proposed_can_be_accepted():
    assert accepting(offered()) is None
    assert accepting(trains()) is None


def test_accepting_a_private_that_the_buyer_cannot_pay_any_more_is_refused():
    refusal = accepting(replace(offered(), cash={**offered().cash, "Bob": 32}))
    assert refusal.rule == "18AL 3.2(b)"
    assert refusal.text == private_trade.LESS_MONEY.format(buyer="Bob", money="$32", price="$33")
    assert "decline" in refusal.hint


def test_accepting_a_private_that_its_seller_has_not_any_more_is_refused():
    refusal = accepting(on.privates(offered(), {"TR": "Cas"}))
    text = private_trade.NOT_THE_OWNER.format(private="TR", owner="Cas", seller="Ann")
    assert (refusal.rule, refusal.text) == ("18AL 3.2(b)", text)


def test_accepting_a_private_over_the_certificate_limit_is_refused():
    """Bob has as many certificates as he may have once the question waits."""
    state, limit = offered(), on.table(offered()).certificate_limit()
    held = {name: {"Bob": 60} for name in ("L&N", "M&O", "TAG", "WRA")}
    for name, owners in held.items():
        state = on.company(state, name, owners)
    assert on.table(state).certificates("Bob") >= limit
    refusal = accepting(state)
    assert refusal.code == "limit"
    assert refusal.text == private_trade.AT_LIMIT.format(buyer="Bob")


def test_accepting_a_train_that_the_buyer_cannot_pay_any_more_is_refused():
    refusal = accepting(replace(trains(), cash={**trains().cash, "L&N": 149}))
    assert refusal.rule == "18AL 4.2.5(d)"
    assert "$149" in refusal.text


def test_accepting_a_train_beyond_the_train_limit_is_refused():
    assert accepting(on.own(trains(), "L&N", "2", "2", "3", "3")).code == "limit"


def test_accepting_a_train_that_is_gone_is_refused():
    text = buying.NO_SUCH_TRAIN.format(seller="M&O", train="2")
    assert accepting(on.own(trains(), "M&O")).text == text


def test_leave_for_what_cannot_be_done_any_more_is_refused():
    state = lakes.turn("track", "IC", owns={"RailWorks": "Bob"})
    waiting = lakes.after(state, lakes.lay("IC", "9", "D16", 0, power="RailWorks"))
    assert accepting(waiting, lakes.GL) is None
    poor = lakes.money(waiting, {"IC": 0})
    taken = lakes.tiles(waiting, "D16 8 0")
    spent = replace(waiting, spent=("RailWorks",))
    assert accepting(lakes.privates(poor, {"RailWorks": OFFERING}), lakes.GL)
    assert accepting(taken, lakes.GL)
    assert accepting(spent, lakes.GL).code == "place"


@pytest.mark.parametrize("answer", [Accept, Decline])
def test_a_refused_answer_changes_nothing_and_another_player_gives_none(answer):
    state = offered()
    refusal = engine.why_not(on.AL, state, answer(by="Cas"))
    assert refusal.code == "turn"


def test_each_question_is_a_decision_of_its_own():
    keys = {engine.decision(offered(price)) for price in (33, 34)} | {engine.decision(trains())}
    assert len(keys) == 3
    assert engine.decision(offered(33)) == engine.decision(offered(33))
    for other in (
        replace(offered().stack[-1], by="Cas"),
        replace(offered().stack[-1], asked="Cas"),
    ):
        asked = replace(offered(), stack=(*offered().stack[:-1], other))
        assert engine.decision(asked) != engine.decision(offered())


def test_the_engine_tells_who_asked_whom_and_what():
    assert engine.question(offered()) == Question("Bob", "Ann", PrivateSale("TR", "Ann", "Bob", 33))
    assert engine.question(trains()).proposal == TrainSale("2", "M&O", "L&N", 150)
    assert engine.question(on.stock_turn()) is None
    assert engine.question(replace(on.stock_turn(), stack=())) is None


@pytest.mark.parametrize("waiting", [offered(), trains()], ids=["private", "train"])
@pytest.mark.parametrize("answer", [Accept, Decline])
def test_after_the_answer_the_turn_of_the_proposer_goes_on(waiting, answer):
    then = on.after(waiting, answer(by="Bob"))
    assert on.waits_for(then) == ("Ann",)
    assert engine.question(then) is None
    assert engine.decision(then) == engine.interrupted(waiting) != engine.decision(waiting)


def test_a_second_question_belongs_to_the_same_interrupted_turn():
    state = lakes.turn("track", "IC", owns={"RailWorks": "Bob", "EJ&E": "Cas"})
    state = lakes.tiles(state, "C15 7 3")
    first = lakes.after(state, lakes.lay("IC", "9", "C13", 0, power="RailWorks"))
    assert isinstance(engine.question(first).proposal, PowerUse)
    second = lakes.after(first, lakes.accept("Bob"))
    assert isinstance(engine.question(second).proposal, BarredLay)
    assert engine.question(second).by == "Ann"
    assert engine.interrupted(first) == engine.interrupted(second) == engine.decision(state)
    assert engine.decision(first) != engine.decision(second)


def test_without_a_question_nothing_is_interrupted():
    assert engine.interrupted(on.stock_turn()) == engine.decision(on.stock_turn())


OVERLAY = """
title = "18AL"
name = "sales first"

[stock]
sales_first = true
"""
_FOUND = load_title("18AL", overlay=OVERLAY)
_RULES = rules_of(_FOUND)
SALES_FIRST = Title(
    _FOUND.facts,
    dataclasses.replace(_RULES, sections={**_RULES.sections, "one block": "3.2"}),
    frozenset(),
)


def test_a_sale_of_a_private_forgets_no_block_of_the_turn():
    """Where a company's shares go as one block, none of them follows after a private is sold."""
    state = on.company(on.stock_turn(title=SALES_FIRST), "L&N", {"Ann": 40, "Bob": 20})
    state = on.privates(state, {"TR": "Ann"})
    for act in (on.sell(1, "L&N"), on.trade("TR", "Ann", "Bob", 20), on.accept("Bob")):
        state = on.after(state, act, title=SALES_FIRST)
    assert state.stack[-1] == StockTurn("Ann", sold=True, blocks=("L&N",))
    on.refused(state, on.sell(1, "L&N"), "3.2", "one block", title=SALES_FIRST)


def test_a_private_that_is_bought_is_the_purchase_after_which_nothing_is_sold():
    """Sales come first in such a title, before the purchase of a private too."""
    state = on.company(on.stock_turn(title=SALES_FIRST), "L&N", {"Ann": 40, "Bob": 20})
    state = on.privates(state, {"TR": "Bob"})
    for act in (on.trade("TR", "Bob", "Ann", 20), on.accept("Bob")):
        state = on.after(state, act, title=SALES_FIRST)
    on.refused(state, on.sell(1, "L&N"), "3.2", "before its one purchase", title=SALES_FIRST)


def test_a_frame_keeps_what_a_sale_says_nothing_about():
    """The trains that were bought before are still counted."""
    frame = Trains("L&N", bought=1)
    state = replace(trains(), stack=(*trains().stack[:-2], frame, trains().stack[-1]))
    assert on.after(state, Accept(by="Bob")).stack[-1] == frame


# another price


def counter(state, price, by="Bob", title=on.AL):
    """The position after a counter-offer."""
    return on.after(state, Counteroffer(by=by, price=price), title=title)


@pytest.mark.parametrize("waiting", [offered(), trains()], ids=["private", "train"])
def test_a_counter_offer_asks_the_other_side_whose_turn_still_waits(waiting):
    then = counter(waiting, 40)
    asked = engine.question(then)
    assert (asked.asked, asked.by, asked.proposer) == ("Ann", "Bob", "Ann")
    assert asked.proposal.price == 40
    assert on.waits_for(then) == ("Ann",)
    assert engine.interrupted(then) == engine.interrupted(waiting)
    assert engine.decision(then) != engine.decision(waiting)


def test_the_price_that_was_countered_is_the_one_that_is_paid():
    then = on.after(counter(trains(), 200), Accept(by="Ann"))
    before = trains()
    assert before.cash["L&N"] - then.cash["L&N"] == 200
    assert then.cash["M&O"] - before.cash.get("M&O", 0) == 200
    assert on.waits_for(then) == ("Ann",)


def test_a_counter_offer_may_be_declined_or_countered_again():
    first = counter(offered(), 40)
    assert engine.decision(on.after(first, Decline(by="Ann"))) == engine.interrupted(offered())
    again = counter(first, 36, "Ann")
    assert engine.question(again) == engine.question(offered(36))


def test_a_price_that_could_not_be_proposed_cannot_be_named_either():
    state = offered()
    money = state.cash["Bob"]
    assert engine.why_not(on.AL, state, Counteroffer(by="Bob", price=money)) is None
    refusal = engine.why_not(on.AL, state, Counteroffer(by="Bob", price=money + 1))
    assert (refusal.rule, refusal.text) == (
        "18AL 3.2(b)",
        private_trade.LESS_MONEY.format(buyer="Bob", money=f"${money}", price=f"${money + 1}"),
    )
    refusal = engine.why_not(on.AL, state, Counteroffer(by="Bob", price=33))
    assert (refusal.code, refusal.text) == ("price", answering.SAME_PRICE.format(price="$33"))
    assert engine.why_not(on.AL, state, Counteroffer(by="Cas", price=40)).code == "turn"


def test_the_prices_that_may_be_named_are_listed_but_for_the_one_proposed():
    spans = [o for o in engine.options(on.AL, trains(), "Bob") if isinstance(o, engine.Range)]
    assert [(span.low, span.high) for span in spans] == [(1, 149), (151, 2000)]
    for span in spans:
        for price in (span.low, span.high):
            assert engine.why_not(on.AL, trains(), Counteroffer(by="Bob", price=price)) is None
        if span.high > 151:
            assert engine.why_not(on.AL, trains(), Counteroffer(by="Bob", price=span.high + 1))


def test_leave_for_a_power_has_no_price():
    state = lakes.turn("track", "IC", owns={"RailWorks": "Bob"})
    waiting = lakes.after(state, lakes.lay("IC", "9", "D16", 0, power="RailWorks"))
    refusal = engine.why_not(lakes.GL, waiting, Counteroffer(by="Bob", price=10))
    assert (refusal.code, refusal.text) == ("place", answering.HAS_NO_PRICE)


def test_who_has_proposed_takes_it_back_and_nobody_else_does():
    waiting = offered()
    then = on.after(waiting, Withdraw(by="Ann"))
    assert engine.decision(then) == engine.interrupted(waiting)
    assert then.cash == waiting.cash
    text = withdrawing.NOT_THEIRS.format(proposer="Ann", player="Bob")
    assert engine.why_not(on.AL, waiting, Withdraw(by="Bob")).text == text
    assert engine.why_not(on.AL, then, Withdraw(by="Ann")).text == withdrawing.NO_OFFER
    countered = counter(waiting, 40)
    assert engine.why_not(on.AL, countered, Withdraw(by="Ann")), "Bob's words are not hers"
    assert on.waits_for(on.after(countered, Withdraw(by="Bob"))) == ("Ann",)


def test_all_players_together_may_stop_a_game_at_any_time():
    end = engine.agreed_end(on.AL, offered())
    assert (end.state.stack, end.state.ending.cause) == ((), "agreement")
    [ended] = end.events
    assert ended.worth["Ann"] >= ended.worth["Bob"] > 0
    assert engine.to_act(on.AL, end.state) == ()

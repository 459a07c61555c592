"""`explain` for what is no turn of one's own: answers given ahead, votes, protection, fire sales."""

import pytest
from msgspec.structs import replace

from engine.flow import apply
from engine.notation import parse
from service.desk.questions import order_answer
from service.desk.questions.order_answer import explain
from service.games.orders import Book
from tests.engine.notation import positions
from tests.rules.mw.setting import on
from tests.service.orders.follow import given
from tests.service.players import says

AL, MW = positions.TITLE, on.title
STOCK = positions.stock()
IC = on.turn("track", "IC", trains=("2",))


def told(title, state, seat, *texts):
    orders = tuple(given(title, state, seat, text, n) for n, text in enumerate(texts, 1))
    return " ".join(explain(title, state, seat, Book(orders)).text.split())


@pytest.mark.parametrize("text, part", [
    ("always vote yes on undo by Ann", "says yes in votes on undo that Ann proposes"),
    ("always vote no", "says no in every vote, where you have not voted yourself"),
    ("always vote no on end if cash me > 900", "not now: `if cash me > 900` does not hold"),
    ("always consent: sell private M&C for >= 90", "accepts such an offer as soon as it is made"),
    ("always consent: sell private TR for >= 90", "nothing: TR is not yours"),
    ("always consent: sell 2 from M&O for >= 90 unless cash me > 100",
     "not now: `unless cash me > 100` holds"),
    ("always consent: sell 4 from M&O", "nothing: M&O has no 4"),
    ("always consent: sell 2 from L&N", "nothing: L&N is not yours"),
    ("always refuse offers from Ann", "declines such an offer as soon as it is made"),
])  # fmt: skip
def test_answers_given_ahead_say_what_they_would_answer(text, part):
    assert part in told(AL, STOCK, "Bob", text)


def test_what_is_asked_now_is_said_to_be_answered():
    ask = "buy private M&C from Bob for 100"
    state = apply(AL, STOCK, parse(AL, STOCK, "Ann", ask)).state
    fits, not_ = (
        "always consent: sell private M&C for >= 90",
        "always consent: sell private M&C for 120",
    )
    assert says(told(AL, state, "Bob", fits), order_answer.ANSWERS, command="accept")
    assert says(told(AL, state, "Bob", not_), order_answer.ACCEPTS)
    assert says(
        told(AL, state, "Bob", "always refuse offers"), order_answer.ANSWERS, command="decline"
    )
    poor = replace(state, cash={**state.cash, "Ann": 0})
    assert says(told(AL, poor, "Bob", fits), order_answer.NOT_LEGAL_NOW)


def test_of_two_orders_for_one_turn_the_later_says_which_goes_first():
    text = told(AL, STOCK, "Bob", "pass round", "buy L&N until 5 shares", "operate M&O: buy 3")
    assert "1 pass until alarm or round ends pass 2" in text
    assert "buy L&N ipo; pass; but your order 1 goes first 3" in text
    assert text.endswith("buy 3; done"), "it is for a turn of another kind"


@pytest.mark.parametrize("text, part", [
    ("always protect IC up to 400", "when others sell; of more you are asked"),
    ("always protect IC up to 20", "more than $20, so you are asked"),
    ("always protect NP up to 400", "nothing: NP is not yours"),
    ("bid shares of NP up to 60", "bids up to $60 once shares of NP are sold by fire"),
])  # fmt: skip
def test_what_is_for_a_moment_says_which(text, part):
    assert part in told(MW, IC, "Ann", text)

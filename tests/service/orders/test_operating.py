"""Orders for companies' turns: nothing to run, and what they would do if the turn came now."""

import pytest
from msgspec.structs import replace

from engine.steps.operating.trains import MUST_BUY
from service.desk.questions.order_answer import NOT_FLOATED, PRESIDES, explain
from service.games.orders import NOTHING, Book
from tests.engine.notation import positions
from tests.rules.mw.setting import on
from tests.service.orders.follow import given, plays, tried
from tests.service.players import says

AL, MW = positions.TITLE, on.title
TRACK = positions.operating("track")
#: L&N without a train, and without a route
NO_TRAIN = replace(TRACK, trains={**TRACK.trains, "L&N": ()})
NO_ROUTE = replace(TRACK, stations={}, tiles={})


@pytest.mark.parametrize("state", [NO_TRAIN, NO_ROUTE])
@pytest.mark.parametrize("share", ["pay", "withhold", "withhold if price L&N < 80 else pay"])
def test_where_nothing_can_be_earned_the_order_goes_on_with_the_rest(state, share):
    played, status = plays(AL, state, "Ann", f"operate L&N: run, {share}, buy 3")
    assert (played, status) == (["buy 3", "done"], "done")


def test_where_nothing_is_left_to_do_the_turn_ends():
    played, status = plays(AL, NO_ROUTE, "Ann", "operate L&N: run, pay")
    assert (set(played), status) == ({"done"}, "done")


def test_a_train_that_must_be_bought_is_not_passed_over():
    [order], played = tried(AL, NO_TRAIN, "Ann", "operate L&N: run, pay")
    assert (order.status, played) == ("suspended", [])
    assert says(order.reason, MUST_BUY + " (18AL 4.2.5.2)", company="L&N")


def test_a_run_that_names_routes_is_not_passed_over():
    [order], played = tried(AL, NO_ROUTE, "Ann", "operate L&N: run 2: A4-C4, pay")
    assert (order.status, played) == ("suspended", [])


def test_what_is_refused_though_money_was_earned_suspends():
    [order], played = tried(AL, TRACK, "Ann", "operate L&N: run, half")
    assert (order.status, played) == ("suspended", [])


class TestUpperMidwest:
    """18MW: IC of Ann has no train yet, then one and nowhere to run."""

    def test_without_a_train(self):
        state = on.turn("track", "IC")
        played, status = plays(MW, state, "Ann", "operate IC: run, pay, buy 2")
        assert (played[0], status) == ("buy 2", "done")

    def test_without_a_route(self):
        state = on.turn("track", "IC", trains=("2",))
        played, status = plays(MW, state, "Ann", "operate IC: run, pay")
        assert (set(played), status) == ({"done"}, "done")


# explain


def told(title, state, seat, *texts):
    orders = tuple(given(title, state, seat, text, n) for n, text in enumerate(texts, 1))
    return " ".join(explain(title, state, seat, Book(orders)).text.split())


def test_explain_supposes_the_turn_of_an_order_s_company():
    text = told(AL, positions.stock(), "Ann", "operate L&N: run, pay", "next: sell 1 L&N")
    assert "run 2: A4-C4; pay" in text
    assert "sell 1 L&N" in text
    assert "run 2: A4-C4; pay" in told(AL, positions.stock(), "Ann", "operate L&N: run, pay")


def test_explain_says_why_an_order_would_be_suspended_in_its_company_s_turn():
    text = told(AL, positions.stock(), "Ann", "operate L&N: run, pay, buy 7")
    assert says(text, NOTHING, why="buy 7:") and "(18AL" in text


def test_explain_of_another_s_company_or_one_that_has_not_floated_says_so():
    text = told(AL, positions.stock(), "Ann", "operate M&O: run, pay", "operate WRA: run, pay")
    assert says(text, PRESIDES, name="Bob", company="M&O")
    assert says(text, NOT_FLOATED, company="WRA")

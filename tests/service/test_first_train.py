"""A company without a train, in whose turn an email says nothing of one: the turn stays open."""

import pytest
from msgspec.structs import replace

import engine
from service.desk.ahead import orders_given
from service.desk.turns import verdicts
from service.reports import turn
from tests.service.players import one, says, to, unsaid
from tests.service.test_stale import operating


@pytest.fixture
def company(players):
    """L&N's turn, whose president is Ann; it has no train and no route."""
    state = operating("track")
    players.place(replace(state, trains={**state.trains, "L&N": ()}, tiles={}))
    return players


def acts(players):
    return engine.to_act(players.table().title, players.state)


def test_the_turn_stays_open_and_the_receipt_asks(company):
    letters = company.write("Ann", "lay 8 B3 NW-NE")
    assert acts(company) == ("Ann",) and company.texts()[-1] == "lay 8 B3 NW-NE"
    asked = {"company": "L&N", "command": "buy 2 market"}
    assert says(one(letters, "Ann"), verdicts.NO_TRAIN, **asked)
    assert to(letters, "Bob") == []
    company.write("Ann", "buy 2 market")
    assert company.texts()[-2:] == ["buy 2 market", "done"]
    assert acts(company) == ("Bob",)


def test_an_order_of_the_same_email_buys_the_train_and_nobody_is_asked(company):
    letters = company.write("Ann", "lay 8 B3 NW-NE", "next: buy 2 market")
    assert company.state.trains["L&N"] == ("2",)
    assert unsaid(one(letters, "Ann"), verdicts.NO_TRAIN)
    assert unsaid(one(letters, "Ann"), verdicts.MUST_HAVE_A_TRAIN)


@pytest.mark.parametrize("last", ["Then buy a 2 train from the market.", "then buy 2 market"])
def test_then_on_a_line_of_its_own_is_the_next_move_of_the_turn(company, last):
    letters = company.write("Ann", "lay 8 B3 NW-NE", last)
    assert company.texts()[-2:] == ["buy 2 market", "done"]
    assert unsaid(one(letters, "Ann"), orders_given.ORDER_TAKEN)


@pytest.mark.parametrize("last", ["pass", "buy 2 market", "done"])
def test_a_word_about_trains_or_the_end_of_the_turn_ends_it(company, last):
    letters = company.write("Ann", "lay 8 B3 NW-NE", last)
    assert acts(company) == ("Bob",)
    assert unsaid(one(letters, "Ann"), verdicts.NO_TRAIN)


def test_a_train_that_must_be_bought_is_asked_for(players):
    state = operating("track")
    players.place(replace(state, trains={**state.trains, "L&N": ()}))
    letters = players.write("Ann", "lay 8 E4 N-SE")
    assert acts(players) == ("Ann",)
    assert says(one(letters, "Ann"), verdicts.MUST_HAVE_A_TRAIN, company="L&N")


def test_a_company_that_has_a_train_or_can_pay_for_none_ends_its_turn_with_the_email(players):
    state = operating("track")
    players.place(state)
    players.write("Ann", "run", "pay")
    assert acts(players) == ("Bob",)
    poor = {**state.cash, "L&N": 0}
    players.place(replace(state, trains={**state.trains, "L&N": ()}, tiles={}, cash=poor))
    players.write("Ann", "lay 8 B3 NW-NE")
    assert acts(players) == ("Bob",)


def test_the_first_operating_turn_says_that_one_email_is_the_whole_turn(players):

    state = operating("track")
    first = replace(state, round=replace(state.round, number=1, part=1, parts=1), turns={})
    players.place(first)
    assert says(players.turn("Ann"), turn.WHOLE_TURN)

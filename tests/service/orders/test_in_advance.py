"""A command out of turn is refused with the order that gives it in advance."""

import re

import pytest

import engine
from service.desk.ahead import orders_given
from service.desk.ahead.orders_given import in_advance as hint
from service.desk.turns import verdicts
from service.reports import answers
from tests.engine.notation import positions
from tests.rules.mw import test_price_protection as protection
from tests.rules.mw.setting import on
from tests.service.players import one, says, unsaid
from tests.service.test_stale import operating


def receipt(letters, name):
    return one(letters, name, "receipt")


def order_of(text):
    """The order that a hint names."""
    return re.search("`([^`]*)`", text)[1]


def test_the_order_that_is_named_does_what_was_refused(players):
    refused = receipt(players.write("Bob", "bid NDY 125"), "Bob")
    assert says(refused, orders_given.IN_ADVANCE, order="next: bid NDY 125")
    taken = receipt(players.write("Bob", "next: bid NDY 125"), "Bob")
    assert says(taken, orders_given.ORDER_TAKEN, number=1)
    players.write("Ann", "pass")
    assert players.texts() == ["pass", "bid NDY 125"]


def test_commands_of_a_company_are_given_for_its_turn(players):
    players.place(operating("trains"))
    letters = players.write("Bob", "run", "pay")
    assert says(receipt(letters, "Bob"), orders_given.IN_ADVANCE, order="operate M&O: run, pay")


def test_a_second_move_after_the_end_of_the_turn_is_told_what_ended_it(players):
    refused = receipt(players.write("Ann", "bid NDY 125", "bid NDY 130"), "Ann")
    assert says(refused, verdicts.TURN_ENDS, command="bid NDY 125")
    assert says(refused, orders_given.IN_ADVANCE, order="next: bid NDY 130")


def test_a_price_is_answered_in_advance():
    state = protection.turn()
    told = hint(on.title, state, "Bob", ["protect NP"])
    assert order_of(told) == f"always protect NP up to {2 * on.price(state, 'NP')}"
    assert order_of(hint(on.title, state, "Bob", ["let NP fall"])) == "always let NP fall"


@pytest.mark.parametrize("written", ["protect NP", "protect"])
def test_a_president_who_protects_out_of_turn_reads_the_order_and_may_give_it(newcomers, written):
    newcomers.begin(("Ann", "Bob", "Cas"), title="18MW")
    newcomers.place(protection.turn())
    told = receipt(newcomers.write("Bob", written), "Bob")
    company = "NP" if written.endswith("NP") else "IC"
    order = f"always protect {company} up to {2 * on.price(protection.turn(), company)}"
    assert says(told, orders_given.PROTECT_IN_ADVANCE, order=order)
    taken = receipt(newcomers.write("Bob", order), "Bob")
    assert says(taken, orders_given.ORDER_TAKEN, number=1)


def test_nothing_is_named_that_would_be_vain():
    state = operating("trains")
    title = positions.TITLE
    assert hint(title, state, "Bob", ["accept"]) == "", "nobody has asked"
    assert hint(title, state, "Cat", ["buy L&N"]) == "", "the next turn is perhaps WRA's"
    opening = engine.new_game(title, ("Ann", "Bob", "Cat")).state
    assert hint(title, opening, "Bob", ["bid TR 25"]) == "", "the cheapest is not bid on"


def test_a_command_in_turn_that_is_refused_has_no_such_hint(players):
    assert unsaid(receipt(players.write("Ann", "bid TR 25"), "Ann"), orders_given.IN_ADVANCE)


def test_options_out_of_turn_say_once_whose_turn_it_is(players):
    said = receipt(players.write("Bob", "options"), "Bob").text
    assert said.count(answers.NOT_YOUR_TURN) == 1

"""Several companies in one mail: the present one acts, the later ones wait; alternatives."""

import pytest
from msgspec.structs import replace

from engine.position.frames import OperatingRound
from engine.position.values import Station
from service.desk.ahead import orders_given
from service.reports.receipt import MARKS
from tests.service.players import flat, one, says
from tests.service.test_stale import operating


@pytest.fixture
def both(players):
    """L&N's turn; Ann presides over it and over M&O, which operates next."""
    state = operating("track")
    stack = (OperatingRound(paid=True, done=("L&N",)), *state.stack[1:])
    presidents = {"L&N": "Ann", "M&O": "Ann", "WRA": "Cat"}
    stations = {"A4": state.stations["A4"], "C4": (Station("M&O", 0),)}
    players.place(replace(state, stack=stack, presidents=presidents, stations=stations))
    return players


def done(players):
    return players.texts()[players.texts().index("placed") + 1 :]


def orders(players):
    return [(row.text, row.status) for row in players.table().orders]


def test_a_section_of_a_later_company_is_kept_and_done_in_its_turn(both):
    letters = both.write("Ann", "L&N: run; pay", "M&O: run, pay")
    assert says(one(letters, "Ann"), orders_given.ORDER_DONE, number=1)
    assert done(both)[:3] == ["run 2: A4-C4", "pay", "done"]
    assert [row.seat for row in both.table().orders] == ["Ann"]
    assert orders(both) == [("operate M&O: run, pay", "done")]
    assert "run" in done(both)[3]
    assert done(both)[-1] in ("pay", "done")


def test_the_commands_of_a_section_may_stand_in_several_parts_and_lines(both):
    both.write("Ann", "L&N: run; pay", "M&O: run; pay; buy 3")
    assert orders(both)[0][0] == "operate M&O: run, pay, buy 3"
    assert "buy 3" in done(both)


def test_a_section_alone_waits_for_its_turn(both):
    both.write("Ann", "M&O:", "run", "withhold")
    assert done(both) == []
    assert orders(both) == [("operate M&O: run, withhold", "open")]


def test_the_present_company_s_section_may_stand_below_its_name(both):
    both.write("Ann", "L&N:", "run", "pay", "M&O:", "run", "withhold")
    assert done(both)[:2] == ["run 2: A4-C4", "pay"]
    assert "withhold" in done(both)


def test_a_later_section_is_not_taken_if_the_present_one_is_refused(both):
    letters = both.write("Ann", "L&N: run; buy 7", "M&O: run, pay")
    assert "NOT DONE" in one(letters, "Ann").subject
    assert (done(both), orders(both)) == ([], [])


def test_a_second_section_for_the_same_turn_is_asked_back(both):
    both.write("Ann", "M&O: run, pay")
    letters = both.write("Ann", "M&O: run, withhold")
    assert says(one(letters, "Ann"), orders_given.DECIDED_ALREADY)


def test_alternatives_in_a_turn_are_tried_in_their_order(both):
    both.write("Ann", "run", "pay", "buy 7 else buy 6 else buy 3 else done")
    assert done(both)[:3] == ["run 2: A4-C4", "pay", "buy 3"]


def test_of_alternatives_none_of_which_is_legal_the_last_one_says_why(both):
    letters = both.write("Ann", "run", "pay", "buy 7 else buy 6")
    text = flat(one(letters, "Ann"))
    assert f"{MARKS['no']} buy 7 else buy 6" in text
    assert done(both) == []

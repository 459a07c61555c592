"""Orders after changes that no mail asks for, orders that go on and on, undo and replays."""

import pytest

from service.desk.ahead import order_words, runaway
from service.games import changes
from service.games.changes import Request, make, nothing, settle
from service.games.commit import commit
from service.games.standing import Book, book_of
from service.store import Conflict, Occasion
from tests.engine.notation import positions
from tests.service.house import GAME, flat, one, says, to
from tests.service.orders.follow import given
from tests.service.test_occasions import by, commands


def test_orders_follow_a_change_that_no_mail_asked_for(players):
    players.write("Bob", "pass until round ends")
    players.write("Cat", "next: buy NDY")
    change = by(players, "director", "director-1", Request("Ann", commands("pass")))
    letters = players.collect()
    assert players.texts() == ["pass", "pass"]
    assert [p.seat for p in change.played] == ["Ann", "Bob"]
    assert to(letters, "Cat") == ["turn"]
    turn = one(letters, "Cat", "turn")
    assert says(turn, order_words.ORDER_SUSPENDED, number=1, order="next: buy NDY")
    assert [row.status for row in players.table().orders] == ["open", "suspended"]
    assert by(players, "director", "director-1", Request("Cat", commands("pass"))) is None
    assert players.texts() == ["pass", "pass"], "no order acts twice for one occasion"


@pytest.mark.long
def test_what_only_fails_sets_no_order_going(players):
    players.write("Bob", "pass until round ends")
    change = by(players, "director", "director-1", Request("Ann", commands("buy NDY")))
    assert not change.moves and players.texts() == []


@pytest.fixture
def looping(players):
    """Ann's stock turn; her order asks Bob again and again for the M&C, and his refuses."""
    players.place(positions.stock())
    players.write("Bob", "always decline")
    return players


@pytest.mark.long
def test_orders_that_answer_each_other_for_ever_are_stopped_and_a_person_is_told(looping):
    letters = looping.write("Ann", "always buy private M&C from Bob for 100")
    table = looping.table()
    assert looping.state.number <= 1 + 2 * changes.MOST_AHEAD
    assert [row.status for row in table.orders] == ["suspended", "suspended"]
    told = one(letters, "Ann", "runaway")
    assert table.row.organiser == told.to
    assert says(told, runaway.WENT_ON_AND_ON, most=changes.MOST_AHEAD)
    assert "Bob" not in flat(told) and "M&C" not in flat(told)
    reasons = {row.seat: row.reason for row in table.orders}
    mine = {"number": 1, "order": "always buy private M&C from Bob for 100"}
    assert says(one(letters, "Ann"), order_words.ORDER_SUSPENDED, why=reasons["Ann"], **mine)
    news = one(letters, "Bob", "news")
    assert says(news, order_words.ORDER_SUSPENDED, number=1, why=reasons["Bob"])
    number = looping.state.number
    letters = looping.write("Cat", "say: what now?")
    assert (looping.state.number, to(letters, "Ann").count("runaway")) == (number, 0), "once"


def test_orders_that_go_on_and_on_are_stopped_and_suspended(players):
    """The same in short, with fewer decisions than are allowed."""
    players.place(positions.stock())
    table = players.table()
    ask = given(table.title, table.state, "Ann", "always buy private M&C from Bob for 100", 1)
    refuse = given(table.title, table.state, "Bob", "always decline", 2)
    change = settle(nothing(table), Book((ask, refuse)), most=6)
    assert change.runaway
    assert [p.text for p in change.played] == ["buy private M&C from Bob for 100", "decline"] * 3
    last = {order.seat: order for _, order in change.orders}
    assert {order.status for order in last.values()} == {"suspended"}
    assert last["Ann"].reason


def test_an_order_of_one_s_own_turn_that_cannot_be_done_is_told_in_the_receipt(players):
    letters = players.write("Ann", "next: buy NDY")
    [row] = players.table().orders
    given = {"number": 1, "order": "next: buy NDY", "why": row.reason}
    assert row.status == "suspended" and "18AL 3.1(a)" in row.reason
    assert says(one(letters, "Ann"), order_words.ORDER_SUSPENDED, **given)


# taken back, begun again


def orders(players):
    return [(row.seat, row.number, row.step, row.status) for row in players.table().orders]


@pytest.mark.long
def test_a_change_that_is_begun_again_is_the_same_and_stored_once(players):
    """Whoever was slower reads the game anew, with the orders as they stand then."""
    players.write("Bob", "standing bid M&C up to 120 then pass round")
    table = players.table()
    with players.store.transaction() as tx:
        book = book_of(tx, table)
    request = Request("Ann", commands("bid M&C 105"))
    first, second = (settle(make(table, request), book) for _ in range(2))
    assert [p.text for p in first.played] == [p.text for p in second.played]
    with players.store.transaction() as tx:
        commit(tx, Occasion("test", "test-1", GAME), first, players.now)
    with pytest.raises(Conflict), players.store.transaction() as tx:
        commit(tx, Occasion("test", "test-2", GAME), second, players.now)
    assert players.texts() == ["bid M&C 105", "bid M&C 110"]
    assert orders(players) == [("Bob", 1, 0, "open")]


@pytest.mark.long
def test_a_change_made_while_an_order_was_given_is_begun_again(players):
    table = players.table()
    change = make(table, Request("Ann", commands("pass")))
    players.write("Bob", "pass until round ends")
    with pytest.raises(Conflict), players.store.transaction() as tx:
        commit(tx, Occasion("test", "test-1", GAME), change, players.now)
    assert players.texts() == []
    players.write("Ann", "pass")
    assert players.texts() == ["pass", "pass"], "the order was not lost"


def test_undo_lets_orders_stand_as_before_and_act_again(players):
    players.place(positions.stock())
    players.write("Cat", "next: pass")
    players.write("Ann", "next: sell 1 L&N")
    assert players.texts()[-2:] == ["sell 1 L&N", "pass"]
    assert orders(players) == [("Cat", 1, 0, "open"), ("Ann", 1, 1, "done")]
    players.write("Ann", "undo")
    assert players.texts()[-1] == "placed"
    assert orders(players) == [("Cat", 1, 0, "open"), ("Ann", 1, 0, "open")]
    players.write("Ann", "clear 1", "pass")
    players.write("Bob", "pass")
    assert players.texts()[-3:] == ["pass", "pass", "pass"]
    assert orders(players) == [("Cat", 1, 1, "done"), ("Ann", 1, 0, "cleared")]

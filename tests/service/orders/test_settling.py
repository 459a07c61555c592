"""Orders after changes that no mail asks for, orders that go on and on, undo and replays."""

import pytest

import engine
from service.desk.ahead import orders_given
from service.desk.informing import follow_up, own_pages
from service.games import changes
from service.games.changes import Request, make, nothing, settle
from service.games.commit import commit
from service.games.orders import Book, book_of
from service.orders import sight
from service.reports.receipt import MARKS
from service.store import Conflict, Occasion
from tests.engine.notation import positions
from tests.service.orders.follow import given
from tests.service.players import GAME, NAMES, TITLE, address, flat, one, says, to, unsaid
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
    assert says(turn, orders_given.ORDER_SUSPENDED, number=1, order="next: buy NDY")
    assert [row.status for row in players.table().orders] == ["open", "suspended"]
    assert by(players, "director", "director-1", Request("Cat", commands("pass"))) is None
    assert players.texts() == ["pass", "pass"], "no order acts twice for one occasion"


@pytest.mark.long
def test_what_only_fails_sets_no_order_going(players):
    players.write("Bob", "pass until round ends")
    change = by(players, "director", "director-1", Request("Ann", commands("buy NDY")))
    assert not change.moves and players.texts() == []


PASSES = "always pass"


@pytest.mark.long
def test_orders_that_go_on_for_ever_are_stopped_and_a_person_is_told(players):
    players.write("Bob", PASSES)
    players.write("Cat", PASSES)
    letters = players.write("Ann", PASSES)
    table = players.table()
    assert players.state.number <= 1 + 2 * changes.MOST_AHEAD
    assert [row.status for row in table.orders] == ["suspended"] * 3
    told = one(letters, "Ann", "runaway")
    assert table.row.organiser == told.to
    assert says(told, follow_up.WENT_ON_AND_ON, most=changes.MOST_AHEAD)
    assert "Bob" not in flat(told) and "pass" not in flat(told)
    reasons = {row.seat: row.reason for row in table.orders}
    mine = {"number": 1, "order": PASSES}
    said = " ".join(flat(letter) for letter in letters if letter.to == address("Ann"))
    assert says(said, orders_given.ORDER_SUSPENDED, why=reasons["Ann"], **mine)
    number = players.state.number
    letters = players.write("Cat", "say: what now?")
    assert (players.state.number, to(letters, "Ann").count("runaway")) == (number, 0), "once"


def test_orders_that_go_on_and_on_are_stopped_and_suspended(players):
    """The same in short, with fewer decisions than are allowed."""
    table = players.table()
    every = [given(table.title, table.state, name, PASSES, n) for n, name in enumerate(NAMES, 1)]
    change = settle(nothing(table), Book(tuple(every)), most=6)
    assert change.runaway
    assert [p.text for p in change.played] == ["pass"] * 6
    last = {order.seat: order for _, order in change.orders}
    assert {order.status for order in last.values()} == {"suspended"}
    assert last["Ann"].reason


# offers


OFFERS = "always buy private M&C from Bob for 100"


@pytest.fixture
def refusing(players):
    """Ann's stock turn; she wants the M&C, and an order of Bob's declines."""
    players.place(positions.stock())
    players.write("Bob", "always decline")
    return players


def test_an_order_makes_an_offer_that_is_declined_once_in_a_turn(refusing):
    before = len(refusing.texts())
    letters = refusing.write("Ann", OFFERS)
    assert refusing.texts()[before:] == ["buy private M&C from Bob for 100", "decline"]
    assert [row.status for row in refusing.table().orders] == ["open", "open"]
    assert to(letters, "Ann") == ["receipt"] and engine.to_act(TITLE, refusing.state) == ("Ann",)
    assert not [letter for letter in letters if letter.kind == "runaway"]
    # in her next turn it makes the offer again
    for name in NAMES:
        refusing.write(name, "pass")
    assert refusing.texts()[before + 2 :] == [
        "pass", "pass", "pass", "buy private M&C from Bob for 100", "decline"
    ]  # fmt: skip


def test_an_offer_that_is_declined_leaves_the_alternative(refusing):
    before = len(refusing.texts())
    refusing.write("Ann", f"{OFFERS} else buy private M&C from Bob for 110 else pass")
    assert refusing.texts()[before:] == [
        "buy private M&C from Bob for 100", "decline",
        "buy private M&C from Bob for 110", "decline", "pass",
    ]  # fmt: skip


def test_an_order_of_one_s_own_turn_that_cannot_be_done_is_told_in_the_receipt(players):
    letters = players.write("Ann", "next: buy NDY")
    [row] = players.table().orders
    given = {"number": 1, "order": "next: buy NDY", "why": row.reason}
    assert row.status == "suspended" and "18AL 3.1(a)" in row.reason
    assert says(one(letters, "Ann"), orders_given.ORDER_SUSPENDED, **given)


def test_an_alarm_ends_an_order_to_pass_and_the_email_names_both(players):
    players.place(positions.stock())
    letters = players.write("Bob", "pass round")
    receipt = one(letters, "Bob")
    assert says(receipt, orders_given.PASSES_FOR_YOU) and f"{MARKS['ok']} pass round" in flat(
        receipt
    )
    assert "until alarm" not in receipt.text
    letters = players.write("Ann", "sell 1 L&N")
    [row] = players.table().orders
    assert (row.status, row.reason) == ("done", sight.SOLD.format(seat="Ann", company="L&N"))
    ended = {"number": 1, "order": "pass until alarm or round ends", "why": row.reason}
    assert says(one(letters, "Bob", "turn"), orders_given.ORDER_WOKEN, **ended)


def test_the_end_of_a_round_ends_an_order_to_pass_without_a_word(players):
    players.place(positions.stock())
    players.write("Ann", "alarm all off")
    players.write("Ann", "pass round")
    for name in ("Bob", "Cat"):
        letters = players.write(name, "pass")
    assert players.state.round.kind == "OR"
    assert all(unsaid(letter, orders_given.ORDER_WOKEN) for letter in letters)
    assert all(unsaid(letter, own_pages.STANDS_NO_MORE) for letter in letters)


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

"""Orders given ahead by mail: kept, carried out in their turn, suspended and told, secret."""

import pytest

import engine
from engine.events import Passed
from engine.telling.narration import narrate
from service.desk.ahead import orders_given
from service.desk.questions import order_answer
from service.games import orders, seals
from service.reports.receipt import MARKS
from service.reports.tables import WIDTH, blocks_text
from tests.service.players import GAME, TITLE, address, flat, one, says, to


def acts(players):
    return engine.to_act(players.table().title, players.state)


def rows(players, seat):
    return [row for row in players.table().orders if row.seat == seat]


def told(letter):
    return " ".join(letter.text.split())


def test_an_order_plays_when_its_turn_comes_and_nobody_is_asked(players):
    letters = players.write("Bob", "pass until round ends")
    assert says(one(letters, "Bob", "receipt"), orders_given.ORDER_TAKEN, number=1)
    assert to(letters, "Ann") == []
    letters = players.write("Ann", "bid M&C 105")
    assert acts(players) == ("Cat",)
    assert to(letters, "Cat") == ["turn"]
    assert "turn" not in to(letters, "Bob")
    assert narrate(TITLE, Passed("Bob")) in told(one(letters, "Cat", "turn"))


@pytest.mark.long
def test_an_order_is_done_at_once_where_it_is_the_players_turn(players):
    letters = players.write("Ann", "bid M&C 105; then pass round")
    assert acts(players) == ("Bob",)
    receipt = told(one(letters, "Ann", "receipt"))
    assert f"{MARKS['ok']} pass round" in receipt
    players.write("Bob", "pass")
    players.write("Cat", "pass")
    assert acts(players) == ("Bob",)
    assert rows(players, "Ann")[0].status == "open"


@pytest.mark.long
def test_an_order_that_cannot_be_carried_out_is_suspended_and_its_player_is_asked(players):
    players.write("Bob", "next: buy NDY")
    letters = players.write("Ann", "bid M&C 105")
    assert acts(players) == ("Bob",)
    [row] = rows(players, "Bob")
    assert row.status == "suspended"
    turn = one(letters, "Bob", "turn")
    assert says(turn, orders_given.ORDER_SUSPENDED, number=1, order="next: buy NDY", why=row.reason)
    assert "18AL 3.1(a)" in row.reason
    listed = one(players.write("Bob", "orders"), "Bob", "receipt")
    assert says(listed, orders_given.SUSPENDED, why=row.reason, number=1)


def test_a_suspended_order_is_resumed_or_cleared(players):
    players.write("Bob", "next: buy NDY; pass until round ends")
    players.write("Ann", "bid M&C 105")
    refused = one(players.write("Bob", "resume 9"), "Bob", "receipt")
    assert says(refused, orders_given.NO_SUCH_ORDER, text="9", word="resume", numbers="1, 2")
    players.write("Bob", "clear 1")
    assert [row.status for row in rows(players, "Bob")] == ["cleared", "open"]
    assert acts(players) == ("Cat",)


@pytest.mark.long
def test_alternatives_and_guards_are_tried_in_their_order(players):
    players.write("Bob", "next: buy NDY else bid NDY 125 if cash me >= 100 else pass")
    players.write("Ann", "bid M&C 105")
    assert [bid.seat for bid in players.state.bids["NDY"]] == ["Bob"]


@pytest.mark.long
def test_a_proxy_raises_as_often_as_it_must(players):
    players.write("Bob", "standing bid M&C up to 120")
    players.write("Cat", "pass until round ends")
    players.write("Ann", "bid M&C 105")
    assert acts(players) == ("Ann",)
    assert max(bid.amount for bid in players.state.bids["M&C"]) == 110
    players.write("Ann", "bid M&C 120")
    assert max(bid.amount for bid in players.state.bids["M&C"]) == 120
    assert acts(players) == ("Bob",) or acts(players) == ("Ann",)


def test_orders_of_a_mail_whose_acts_are_refused_are_not_taken(players):
    letters = players.write("Ann", "buy NDY; then pass round")
    assert f"{MARKS['unsent']} then pass round" in told(one(letters, "Ann", "receipt"))
    assert rows(players, "Ann") == []
    assert acts(players) == ("Ann",)


@pytest.mark.long
def test_an_order_that_is_not_understood_says_where_and_what_may_stand_there(players):
    letters = players.write("Ann", "next: frobnicate TR")
    receipt = one(letters, "Ann", "receipt").text
    assert "^" in receipt
    assert rows(players, "Ann") == []


@pytest.mark.long
def test_nobody_else_is_told_of_an_order(players):
    players.write("Bob", "pass until round ends")
    letters = players.write("Ann", "bid M&C 105", "orders", "history")
    for letter in letters:
        assert "until round ends" not in letter.text or letter.to.startswith("bob")
    explained = one(players.write("Cat", "explain"), "Cat", "receipt")
    assert says(explained, order_answer.NONE_STANDS)


def test_no_letter_tells_whether_a_move_was_by_order(begun_game, tmp_path):
    told = []
    for folder, given in (("by-order", True), ("by-hand", False)):
        (tmp_path / folder).mkdir()
        with begun_game.copy(tmp_path / folder) as players:
            letters = players.write("Bob", "pass until round ends") if given else []
            letters += players.write("Ann", "bid M&C 105")
            letters += [] if given else players.write("Bob", "pass")
            mine = [one for one in letters if one.to == address("Cat")]
            told.append(told_of(mine[-1]))
    assert told[0] == told[1]


def told_of(letter):
    """Kind, subject and text of a letter."""
    return letter.kind, letter.subject, letter.text


def test_explain_says_what_each_would_do_now(players):
    players.write("Cat", "pass until round ends; next: buy NDY")
    text = told(one(players.write("Cat", "explain"), "Cat", "receipt"))
    assert says(text, order_answer.IF_YOUR_TURN)
    assert "pass" in text and "18AL 3.1(a)" in text


@pytest.mark.long
def test_undo_leaves_orders_as_they_were(players):
    players.write("Ann", "bid M&C 105", "next: bid M&C up to 200")
    before = [(row.step, row.status) for row in rows(players, "Ann")]
    players.write("Ann", "undo")
    assert acts(players) == ("Ann",)
    assert [(row.step, row.status) for row in rows(players, "Ann")] == before


@pytest.mark.long
def test_what_an_order_did_is_struck_out_with_it(players):
    """Its own player takes back a turn that an order of the same player followed."""
    players.write("Cat", "pass until round ends")
    players.write("Bob", "pass until round ends")
    players.write("Ann", "bid M&C 105; next: bid NDY 125")
    assert acts(players) == ("Ann",)
    assert rows(players, "Ann")[0].status == "done"
    letters = players.write("Ann", "undo")
    assert "not" in told(one(letters, "Ann", "receipt")).lower()


def test_a_seal_and_its_salt_are_in_one_line_each(players):
    players.write("Bob", "pass until round ends")
    [row] = rows(players, "Bob")
    known = [seals.Kept(((1, row.seal),)), seals.Kept(((1, row.seal),), (row,))]
    for text in map(blocks_text, map(seals.orders_block, known)):
        assert row.seal in text and max(map(len, text.splitlines())) <= WIDTH
    assert f"seal {row.seal}" in text and f"salt {row.salt}" in text


def test_a_seal_can_be_made_again_from_text_and_salt(players):
    players.write("Bob", "pass until round ends")
    [row] = rows(players, "Bob")
    assert row.seal == orders.seal(GAME, "Bob", 1, row.text, row.salt)
    assert row.seal != orders.seal(GAME, "Bob", 1, "pass until anyone sells", row.salt)


@pytest.mark.long
def test_a_seat_has_only_so_many_orders(players):
    for _ in range(4):
        players.write("Bob", *["next: pass"] * 10)
    letters = players.write("Bob", "next: pass")
    assert says(one(letters, "Bob", "receipt"), orders_given.TOO_MANY, most=40, name="Bob")


@pytest.mark.long
def test_an_order_may_be_cleared_in_the_mail_that_gives_it(players):
    order = "pass until round ends"
    text = flat(one(players.write("Bob", order, "clear 1"), "Bob"))
    assert says(text, orders_given.ORDER_CLEARED, number=1, order=order)
    assert [(row.number, row.status) for row in players.table().orders] == [(1, "cleared")]
    players.write("Ann", "pass")
    assert players.texts() == ["pass"], "it does nothing"


def test_of_several_orders_that_are_named_all_are_one_s_own_or_none_is_cleared(players):
    players.write("Bob", "pass until round ends", "next: buy S&NA")
    text = flat(one(players.write("Bob", "clear 1 99"), "Bob"))
    assert says(text, orders_given.NO_SUCH_ORDER, text="1 99", word="clear", numbers="1, 2")
    assert [row.status for row in players.table().orders] == ["open", "open"]
    players.write("Bob", "clear 1, 2")
    assert [row.status for row in players.table().orders] == ["cleared", "cleared"]
    text = flat(one(players.write("Bob", "clear 1"), "Bob"))
    assert says(text, orders_given.NO_ORDER)


def test_a_suspended_order_for_one_turn_is_over_when_its_player_plays_that_turn(players):
    """Undone, the turn is asked again and the order is suspended as before; others stay."""
    players.write("Bob", "next: buy B&SLC", "always pass if cash me < 10")
    given = {"number": 1, "order": "next: buy B&SLC"}
    turn = one(players.write("Ann", "bid M&C 105"), "Bob", "turn")
    assert says(turn, orders_given.ORDER_SUSPENDED, **given)
    receipt = one(players.write("Bob", "buy TR"), "Bob")
    assert says(receipt, orders_given.ORDER_OVER, why=orders.PLAYED, **given)
    assert [row.status for row in players.table().orders] == ["over", "open"]
    players.write("Bob", "undo")
    assert [row.status for row in players.table().orders] == ["suspended", "open"]

"""Orders and the position together: taken back, brought back, put right, or another game's."""

import pytest

from service.desk.ahead import orders_given
from service.desk.informing import own_pages
from service.exchange.record import read, record, verify
from tests.engine.notation import positions
from tests.service.players import GAME, Kept, flat, one, says, to
from tests.service.test_director import ORGANISER, direct, directed, directed_game

__all__ = ["directed", "directed_game"]

MIDST = "the game went back into the midst of the turn that it had played"


def orders(players):
    return [(row.seat, row.number, row.step, row.status) for row in players.table().orders]


def corrected(players, text):
    """The director puts something right, having seen what it comes to."""
    [shown] = direct(players, f"correct {text} because of a slip")
    return players.reply(shown, "go")


@pytest.fixture(scope="session")
def stocked_game(tmp_path_factory):
    """A game whose organiser does not play, after all private companies are sold."""

    def play(made):
        made.reply(made.gather(organiser=ORGANISER), "start")
        for name, what in zip(
            ["Ann", "Bob", "Cat", "Ann", "Bob"], ["TR", "S&NA", "B&SLC", "M&C", "NDY"], strict=True
        ):
            made.write(name, f"buy {what}")

    return Kept.after(tmp_path_factory.mktemp("stocked") / "begun.sqlite", play)


@pytest.fixture
def stocked(stocked_game, tmp_path):
    """Cat, who has the B&SLC, is to act in the stock round; Olga directs."""
    with stocked_game.copy(tmp_path) as found:
        yield found


# what its player has made of it stays


def test_a_cleared_order_stays_cleared_when_another_s_mail_is_taken_back(players):
    players.write("Cat", "next: buy B&SLC")
    players.write("Ann", "buy TR")
    players.write("Cat", "clear 1")
    players.write("Ann", "undo")
    assert orders(players) == [("Cat", 1, 0, "cleared")]
    players.write("Ann", "buy TR")
    players.write("Bob", "buy S&NA")
    assert players.texts() == ["buy TR", "buy S&NA"], "nothing is done for Cat"


def test_a_resumed_order_stays_resumed_and_one_that_was_not_suspended_yet_is_open(players):
    players.write("Bob", "standing buy NDY")
    players.write("Ann", "bid M&C 105")
    assert orders(players) == [("Bob", 1, 0, "suspended")]
    players.write("Bob", "pass")
    players.write("Bob", "resume 1")
    players.write("Bob", "undo")
    assert orders(players) == [("Bob", 1, 0, "open")]
    players.write("Bob", "pass")
    players.write("Cat", "propose undo to 0")
    players.write("Ann", "vote yes")
    players.write("Bob", "vote yes")
    assert (players.state.number, orders(players)) == (0, [("Bob", 1, 0, "open")])


def test_where_a_turn_was_taken_back_its_player_is_asked_and_may_let_the_order_act(directed):
    directed.write("Cat", "next: buy B&SLC")
    assert (directed.texts()[-1], orders(directed)) == ("buy B&SLC", [("Cat", 1, 1, "done")])
    letters = direct(directed, "rollback 2 because the tile was misread")
    assert orders(directed) == [("Cat", 1, 0, "open")]
    turn = flat(one(letters, "Cat", "turn"))
    assert f"next: buy B&SLC {own_pages.WAITS.format(number=1)}" in turn
    directed.write("Cat", "resume 1")
    assert directed.texts() == ["buy TR", "buy S&NA", "buy B&SLC"]
    assert orders(directed) == [("Cat", 1, 1, "done")]


# a director's way back, and forth


def test_what_is_brought_back_was_done_and_is_not_done_again(directed):
    directed.write("Cat", "next: buy B&SLC")
    direct(directed, "rollback 2 because x")
    direct(directed, "redo because y")
    assert directed.texts() == ["buy TR", "buy S&NA", "buy B&SLC"]
    assert orders(directed) == [("Cat", 1, 1, "done")]
    directed.write("Ann", "pass")
    directed.write("Bob", "pass")
    assert directed.texts()[-2:] == ["pass", "pass"], "Cat is asked"


def test_what_was_noted_between_a_rollback_and_its_redo_does_not_outlive_the_redo(directed):
    """In the position that stands for a while the order is not legal, and suspended."""
    directed.write("Cat", "next: bid M&C 105")
    direct(directed, "rollback 1 because x")
    directed.write("Bob", "next: buy NDY")
    assert directed.state.number == 1
    assert ("Bob", 1, 0, "suspended") in orders(directed)
    direct(directed, "redo because y")
    assert directed.texts() == ["buy TR", "buy S&NA", "bid M&C 105"]
    assert ("Cat", 1, 1, "done") in orders(directed)


def test_in_the_midst_of_a_turn_that_an_order_played_it_is_suspended_and_told(directed):
    directed.place(positions.stock(), "Bob")
    directed.write("Ann", "next: sell 1 L&N, buy M&O market")
    assert directed.texts()[-3:] == ["sell 1 L&N", "buy M&O market", "pass"]
    number, shares = directed.state.number, directed.state.shares["L&N"]
    letters = direct(directed, f"rollback {number - 2} because x")
    assert directed.texts()[-1] == "sell 1 L&N"
    assert orders(directed) == [("Ann", 1, 0, "suspended")]
    turn = flat(one(letters, "Ann", "turn"))
    suspended = orders_given.SUSPENDED.format(why=MIDST, number=1)
    assert f"next: sell 1 L&N, buy M&O market {suspended}" in turn
    directed.write("Ann", "clear 1", "buy M&O market", "pass")
    assert directed.state.shares["L&N"] == shares, "sold once"
    assert orders(directed) == [("Ann", 1, 0, "cleared")]
    direct(directed, f"rollback {number - 3} because x")
    assert orders(directed) == [("Ann", 1, 0, "cleared")]


@pytest.mark.long
def test_a_turn_of_two_acts_that_is_brought_back_is_done(directed):
    directed.place(positions.stock(), "Bob")
    directed.write("Ann", "next: sell 1 L&N, buy M&O market")
    number = directed.state.number
    direct(directed, f"rollback {number - 1} because x")
    direct(directed, "redo because y")
    assert (directed.state.number, orders(directed)) == (number, [("Ann", 1, 1, "done")])


# what a director puts right


def test_a_correction_sets_going_once_what_it_makes_legal(directed):
    directed.write("Cat", "next: pass if cash Ann >= 600")
    assert directed.texts() == ["buy TR", "buy S&NA"]
    letters = corrected(directed, "cash Ann +20")
    assert directed.texts()[2:] == ["correct cash Ann +20", "pass"]
    assert orders(directed) == [("Cat", 1, 1, "done")]
    assert to(letters, "Ann") == ["turn"]
    directed.write("Ann", "pass")
    directed.write("Bob", "pass")
    assert directed.texts()[-2:] == ["pass", "pass"], "Cat is asked, the order is done"
    assert orders(directed) == [("Cat", 1, 1, "done")]


def test_an_order_that_a_correction_makes_illegal_is_suspended_in_its_turn_and_told(directed):
    directed.write("Ann", "next: buy B&SLC")
    corrected(directed, "cash Ann -560")
    assert orders(directed) == [("Ann", 1, 0, "open")]
    letters = directed.write("Cat", "pass")
    assert orders(directed) == [("Ann", 1, 0, "suspended")]
    assert says(
        one(letters, "Ann", "turn"),
        orders_given.ORDER_SUSPENDED,
        number="1",
        order="next: buy B&SLC",
        why="buy B&SLC:",
    )
    assert directed.texts()[-1] == "pass"


@pytest.mark.long
def test_a_correction_that_is_taken_back_takes_back_what_orders_did_after_it(directed):
    directed.write("Cat", "next: pass if cash Ann >= 600")
    corrected(directed, "cash Ann +20")
    direct(directed, "rollback 2 because it was right before")
    assert (directed.texts(), orders(directed)) == (["buy TR", "buy S&NA"], [("Cat", 1, 0, "open")])
    direct(directed, "redo because y")
    assert directed.state.cash["Ann"] == 600
    assert orders(directed) == [("Cat", 1, 1, "done")]


def test_what_waits_behind_an_order_s_offer_goes_on_after_a_correction(stocked):
    stocked.write("Cat", "next: sell private B&SLC to Ann for 60, par WRA 60")
    corrected(stocked, "cash Bob +20")
    assert [o.part != "" for o in stocked.table().orders] == [True]
    stocked.write("Ann", "accept")
    assert stocked.texts()[-4:] == ["correct cash Bob +20", "accept", "par WRA 60", "pass"]
    assert orders(stocked) == [("Cat", 1, 1, "done")]


# a position that came from elsewhere


def test_under_another_position_what_is_done_stays_done_and_the_rest_acts_once(players):
    """As when a game goes on from a position that was played somewhere else."""
    players.write("Cat", "next: buy B&SLC", "next: sell 1 WRA for game")
    players.write("Ann", "buy TR")
    players.write("Bob", "buy S&NA")
    assert orders(players) == [("Cat", 1, 1, "done"), ("Cat", 2, 0, "open")]
    players.place(positions.stock())
    players.write("Ann", "pass")
    players.write("Bob", "pass")
    assert players.texts()[-4:] == ["pass", "pass", "sell 1 WRA", "pass"]
    assert orders(players) == [("Cat", 1, 1, "done"), ("Cat", 2, 1, "done")]


@pytest.mark.long
def test_an_order_for_what_another_position_has_not_is_suspended_and_told(players):
    players.write("Cat", "next: buy B&SLC for game")
    players.place(positions.stock())
    players.write("Ann", "pass")
    letters = players.write("Bob", "pass")
    assert orders(players) == [("Cat", 1, 0, "suspended")]
    assert says(
        one(letters, "Cat", "turn"),
        orders_given.ORDER_SUSPENDED,
        number="1",
        order="next: buy B&SLC for game",
    )


def test_a_game_s_file_has_what_orders_did_once_and_is_played_again_to_the_same(directed):
    directed.write("Cat", "next: buy B&SLC")
    direct(directed, "rollback 2 because x")
    directed.write("Cat", "resume 1")
    table = directed.table()
    with directed.store.transaction() as tx:
        rows, line = tx.log.every(table.row.id), tx.log.actions(table.row.id)
    kept = read(record(GAME, (table.row.title_data, table.row.format), rows, line))
    assert [(step.text, step.struck) for step in kept.steps][2:] == [
        ("buy B&SLC", True),
        ("buy B&SLC", False),
    ]
    assert verify(kept).agrees

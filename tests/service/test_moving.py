"""The operator's command for seats, against a database with a game."""

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from service.desk.ahead import orders_given
from service.games.seals import kept
from service.reports import briefing
from service.said import YOU_PLAY
from tests.service.players import ADDRESS, GAME, SECRET, address, one, says, to


@pytest.fixture
def table(begun_game, tmp_path, monkeypatch):
    """Players whose service an operator looks after at the same time."""
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    monkeypatch.setenv("WAYBILL_MAIL__SECRET", SECRET.decode())
    with begun_game.copy(tmp_path) as found:
        yield found
    structlog.reset_defaults()


def waybill(*words):
    return CliRunner().invoke(program(), ["seat", *words])


def test_a_seat_is_given_to_another_address_and_all_are_told(table):
    turn = one(table.letters, "Ann", "turn")
    found = waybill(GAME, "bob", "--address", "Zoe@new.test")
    assert found.exit_code == 0, found.output
    table.now += 10**9  # the command's clock is the real one
    letters = table.work()
    everybody = {"zoe@new.test", *map(address, ("Ann", "Bob", "Cat"))}
    assert {letter.to for letter in letters} == everybody
    [welcome] = [letter for letter in letters if letter.to == "zoe@new.test"]
    assert says(welcome, YOU_PLAY, name="Bob", game=GAME)
    assert all("play+" not in x.mail.as_string() for x in letters if x.to == address("Bob"))
    [asked] = [x for x in table.reply(turn, "buy TR") if x.to == "zoe@new.test"]
    table.reply(asked, "buy S&NA")
    assert table.texts() == ["buy TR", "buy S&NA"]
    assert table.write("Bob", "undo")[0].kind == "answer", "the former holder has no power left"
    assert table.texts() == ["buy TR", "buy S&NA"]


@pytest.mark.long
def test_orders_of_the_former_holder_are_done_no_more_and_opened_at_the_end(table):
    table.write("Bob", "pass until round ends; next: pass if cash me >= 90")
    table.write("Bob", "clear 2")
    seals = [row.seal for row in table.table().orders]
    assert waybill(GAME, "bob", "--address", "zoe@new.test").exit_code == 0
    table.now += 10**9
    letters = table.work()
    [welcome] = [letter for letter in letters if letter.to == "zoe@new.test"]
    assert says(welcome, briefing.CANCELED, dropped="pass until round ends")
    assert not any("until" in letter.text for letter in letters if letter is not welcome)
    table.write("Ann", "buy TR")
    assert table.texts() == ["buy TR"], "the new holder is asked"
    table.write("Ann", "undo")
    assert [row.status for row in table.table().orders] == ["cleared", "cleared"]
    assert [row.seal for row in table.table().orders] == seals
    opened_ = kept(table.table(), "", over=True).opened
    assert opened_[0].text == "pass until round ends"
    [answer] = table.reply(welcome, "next: buy S&NA")
    assert says(answer, orders_given.ORDER_TAKEN, number=3)
    table.write("Ann", "buy TR")
    assert table.texts() == ["buy TR", "buy S&NA"]


def test_a_former_holder_s_order_that_was_done_comes_not_back_with_undo(table):
    table.write("Ann", "next: buy TR")
    assert waybill(GAME, "Ann", "--address", "zoe@new.test").exit_code == 0
    table.now += 10**9
    [welcome] = [letter for letter in table.work() if letter.to == "zoe@new.test"]
    table.reply(welcome, "undo")
    assert table.texts() == []
    assert [row.status for row in table.table().orders] == ["done"]


def test_a_new_token_by_the_operator_makes_the_old_one_void(table):
    turn = one(table.letters, "Ann", "turn")
    assert waybill(GAME, "Ann", "--new-token").exit_code == 0
    assert waybill(GAME, "Ann", "--new-token").exit_code == 0
    table.now += 10**9
    first, second = table.work()
    table.reply(turn, "buy TR")
    table.reply(first, "buy TR")
    assert table.texts() == []
    letters = table.reply(second, "buy TR")
    assert to(letters, "Ann") == ["receipt"]
    assert table.texts() == ["buy TR"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nowhere",), "no game called nowhere"),
        ((GAME, "Dan", "--new-token"), "There are Ann, Bob and Cat"),
        ((GAME, "Ann", "--address", "bob@players.test"), "Bob plays in"),
        ((GAME, "Ann", "--address", "nonsense"), "not an email address"),
        ((GAME, "--address", "zoe@new.test"), "name the seat too"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(table, words, told):
    before = table.table().seats
    found = waybill(*words)
    assert found.exit_code != 0
    assert told in " ".join(found.stderr.split())
    assert table.table().seats == before


def test_the_seats_of_a_game_are_listed(table):
    found = waybill(GAME)
    assert found.exit_code == 0
    assert "bob@players.test" in found.stdout

"""The operator's command for seats, against a database with a game."""

import shutil

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from tests.service.house import ADDRESS, GAME, SECRET, address, one, opened, to


@pytest.fixture
def table(begun_game, tmp_path, monkeypatch):
    """Players whose service an operator looks after at the same time."""
    file, letters = begun_game
    shutil.copy(file, tmp_path / "waybill.sqlite")
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    monkeypatch.setenv("WAYBILL_MAIL__SECRET", SECRET.decode())
    found = opened(f"sqlite:///{tmp_path}/waybill.sqlite", first=1000)
    found.letters = list(letters)
    yield found
    found.store.close()
    structlog.reset_defaults()


def waybill(*words):
    return CliRunner().invoke(program(), ["seat", *words])


def flat(letter):
    return " ".join(letter.text.split())


def test_a_seat_is_given_to_another_address_and_all_are_told(table):
    turn = one(table.letters, "Ann", "turn")
    found = waybill(GAME, "bob", "--address", "Zoe@new.test")
    assert found.exit_code == 0, found.output
    table.now += 10**9  # the command's clock is the real one
    letters = table.work()
    assert {letter.to for letter in letters} == {"zoe@new.test", address("Bob"), address("Ann")}
    [welcome] = [letter for letter in letters if letter.to == "zoe@new.test"]
    assert "You play as Bob" in flat(welcome)
    assert all("play+" not in x.mail.as_string() for x in letters if x.to == address("Bob"))
    [asked] = [x for x in table.reply(turn, "buy TR") if x.to == "zoe@new.test"]
    table.reply(asked, "buy S&NA")
    assert table.texts() == ["buy TR", "buy S&NA"]
    assert table.write("Bob", "undo")[0].kind == "answer", "the former holder has no power left"
    assert table.texts() == ["buy TR", "buy S&NA"]


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
        ((GAME, "Dan", "--new-token"), "its seats: Ann, Bob, Cat"),
        ((GAME, "Ann", "--address", "bob@players.test"), "has the seat Bob"),
        ((GAME, "Ann", "--address", "nonsense"), "not a mail address"),
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

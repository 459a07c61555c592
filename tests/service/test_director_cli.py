"""What an operator does in a game without a mail, and games with corrections that are verified."""

import json

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from tests.service.house import ADDRESS, GAME, SECRET, flat, one


@pytest.fixture
def table(begun_game, tmp_path, monkeypatch):
    """Players whose service an operator looks after at the same time."""
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    monkeypatch.setenv("WAYBILL_MAIL__SECRET", SECRET.decode())
    with begun_game.copy(tmp_path) as found:
        found.write("Ann", "buy TR")
        yield found
    structlog.reset_defaults()


def waybill(*words):
    return CliRunner().invoke(program(), list(words))


def done(*words):
    found = waybill("game", GAME, *words)
    assert found.exit_code == 0, found.output
    return " ".join(found.output.split())


def letters_of(table):
    table.now += 10**9  # the command's clock is the real one
    return table.work()


def test_an_operator_holds_a_game_and_all_are_told(table):
    assert "letters are on their way" in done("hold", "--because", "the disk is full")
    told = flat(one(letters_of(table), "Bob", "ruling"))
    assert "The director (the operator) holds the game, because the disk is full." in told
    assert table.table().held
    assert "is held by its director" in done("show")
    refused = waybill("game", GAME, "resume")
    assert refused.exit_code != 0 and "Say why" in refused.output and table.table().held
    done("resume", "--because", "the disk is empty")
    assert not table.table().held


@pytest.mark.long
def test_an_operator_sets_a_clock_and_what_follows_when_a_time_is_over(table):
    done("clock", "each", "36h", "--because", "nobody can reach the organiser")
    assert table.table().settings.clock == "each 36h"
    told = flat(one(letters_of(table), "Bob", "ruling"))
    assert "The director (the operator) sets clock each 36h, because nobody can reach" in told
    done("caretaker", "on", "--because", "nobody is to wait")
    assert table.table().settings.caretaker
    assert "clock: each 36h" in done("settings")
    done("grade", "tournament", "--because", "somebody writes in the name of others")
    done("pages", "private", "--because", "a player wants it")
    done("batch", "06:00 18:00", "--because", "all are to have the same news")
    settings = table.table().settings
    assert (settings.grade, settings.shown) == ("tournament", "private")
    assert settings.batch == ("06:00", "18:00")
    assert any("sets grade tournament, because" in flat(one) for one in letters_of(table))
    assert waybill("game", GAME, "clock", "sundial", "--because", "x").exit_code != 0
    assert table.table().settings.clock == "each 36h"


@pytest.mark.long
def test_an_operator_corrects_with_go_only_and_rolls_back(table):
    assert "add --go" in done("correct", "cash Ann +20", "--because", "x")
    assert table.state.cash["Ann"] == 580
    done("correct", "cash Ann +20", "--because", "x", "--go")
    assert table.state.cash["Ann"] == 600
    done("rollback", "0", "--because", "all of it was wrong")
    assert table.state.number == 0
    shown = done("show")
    assert "[struck out] the director (the operator): correct cash Ann +20, because x" in shown
    assert "rollback 0, because all of it was wrong" in shown


def test_what_an_operator_cannot_do_says_why_and_changes_nothing(table):
    found = waybill("game", GAME, "rollback", "9", "--because", "x")
    assert found.exit_code == 1
    assert "goes back to an earlier position" in " ".join(found.output.split())
    found = waybill("game", GAME, "rollback", "0")
    assert "Say why" in found.output
    found = waybill("game", "nowhere", "show")
    assert "there is no game called nowhere" in found.output
    assert table.state.number == 1


@pytest.mark.long
def test_an_operator_ends_and_gives_up_games(table):
    assert "dispute_holds: False" in done("settings")
    done("end game", "--because", "the convention is over")
    assert table.table().row.status == "ended"
    letters = letters_of(table)
    assert one(letters, "Ann", "ended")


@pytest.mark.long
def test_an_operator_gives_a_seat_to_another_address(table):
    assert "letters are on their way" in done(
        "replace", "Cat", "by", "eve@players.test", "--because", "nobody can reach Cat"
    )
    assert table.table().seat("Cat").address == "eve@players.test"
    found = waybill("game", GAME, "replace Cat by bob@players.test", "--because", "x")
    assert found.exit_code == 1
    assert "has the seat Bob" in " ".join(found.output.split())


def test_a_game_with_corrections_is_verified_and_exported(table, tmp_path):
    done("correct", "cash Ann +20", "--because", "x", "--go")
    table.write("Bob", "buy S&NA", to=table.seat_address(GAME, "Bob"))
    done("rollback", "1", "--because", "y")
    done("redo", "--because", "z")
    found = waybill("verify", GAME)
    assert found.exit_code == 0, found.output
    assert "1 put right by the director" in found.output
    assert "agrees" in found.output
    file = tmp_path / "out.json"
    assert waybill("export", GAME, "--format", "waybill", "-o", str(file)).exit_code == 0
    found = waybill("verify", str(file), "--json")
    assert json.loads(found.output)["agrees"] is True
    kept = json.loads(file.read_text(encoding="utf-8"))
    [fixed] = [step for step in kept["steps"] if step["action"]["do"] == "correct"]
    fixed["action"]["parts"][0]["dollars"] = 25
    file.write_text(json.dumps(kept), encoding="utf-8")
    found = waybill("verify", str(file))
    assert found.exit_code == 1
    assert "leads to another position" in found.output
    fixed["action"]["parts"][0] |= {"giver": "Bob", "dollars": 9000}
    file.write_text(json.dumps(kept), encoding="utf-8")
    assert "is refused: Bob has $600, not" in waybill("verify", str(file)).output


@pytest.mark.long
def test_what_is_no_game_of_ours_is_not_verified(tmp_path):
    file = tmp_path / "odd.json"
    file.write_text('{"waybill": 7}', encoding="utf-8")
    assert "this is no game of Waybill" in waybill("verify", str(file)).output


@pytest.mark.long
def test_a_corrected_game_is_not_given_to_18xx_games(table):
    done("correct", "cash Ann +20", "--because", "x", "--go")
    found = waybill("export", GAME)
    assert found.exit_code != 0

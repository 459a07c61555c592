"""What an operator does in a game without a mail, and games with corrections that are verified."""

import json

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from service.desk.director import planning
from service.desk.rationing import named_addresses
from service.exchange.dialect import NeighbourError
from service.exchange.record import corrections, read, verify
from service.games import directing
from service.said import THE_DIRECTOR
from tests.service.players import ADDRESS, GAME, SECRET, address, one, says
from tests.service.test_director import how

#: as the others know an operator, and as the log does
DIRECTOR = THE_DIRECTOR.format(office="operator")
LOGGED = directing.LOGGED_OFFICE.format(office="operator")


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
    why = "the disk is full"
    done("hold", "--because", why)
    told = one(letters_of(table), "Bob", "ruling")
    assert says(told, planning.HOLDS, director=DIRECTOR, because=why)
    assert table.table().on_hold
    assert says(done("show"), table.table().on_hold)
    refused = waybill("game", GAME, "resume")
    assert refused.exit_code != 0 and table.table().on_hold
    assert says(refused.output, planning.FOR_EXAMPLE_HOW, how=how("resume"))
    done("resume", "--because", "the disk is empty")
    assert not table.table().on_hold


@pytest.mark.long
def test_an_operator_sets_a_clock_and_what_follows_when_a_time_is_over(table):
    why = "nobody can reach the organizer"
    done("clock", "each", "36h", "--because", why)
    assert table.table().settings.clock == "each 36h"
    told = one(letters_of(table), "Bob", "ruling")
    assert says(told, planning.SETS, director=DIRECTOR, setting="clock each 36h", because=why)
    done("caretaker", "on", "--because", "nobody is to wait")
    assert table.table().settings.caretaker
    assert f"clock: {table.table().settings.clock}" in done("settings")
    why = "somebody writes in the name of others"
    done("grade", "tournament", "--because", why)
    done("pages", "private", "--because", "a player wants it")
    done("batch", "06:00 18:00", "--because", "all are to have the same news")
    settings = table.table().settings
    assert (settings.grade, settings.shown) == ("tournament", "private")
    assert settings.batch == ("06:00", "18:00")
    sets = planning.SETS.format(director=DIRECTOR, setting="grade tournament", because=why)
    told = [one.text for one in letters_of(table) if one.to == address("Bob")]
    assert says("\n".join(told), sets)
    assert waybill("game", GAME, "clock", "sundial", "--because", "x").exit_code != 0
    assert table.table().settings.clock == "each 36h"


@pytest.mark.long
def test_an_operator_corrects_with_go_only_and_rolls_back(table):
    assert "--go" in done("correct", "cash Ann +20", "--because", "x")
    assert table.state.cash["Ann"] == 580
    done("correct", "cash Ann +20", "--because", "x", "--go")
    assert table.state.cash["Ann"] == 600
    why = "all of it was wrong"
    done("rollback", "0", "--because", why)
    assert table.state.number == 0
    shown, logged = done("show"), directing.LOGGED_BECAUSE
    struck = logged.format(by=LOGGED, ruling="correct cash Ann +20", because="x")
    assert says(shown, directing.LOGGED_STRUCK, logged=struck)
    assert says(shown, logged, by=LOGGED, ruling="rollback 0", because=why)


def test_what_an_operator_cannot_do_says_why_and_changes_nothing(table):
    found = waybill("game", GAME, "rollback", "9", "--because", "x")
    assert found.exit_code == 1
    assert says(found.output, directing.GOES_BACK, stands=1)
    found = waybill("game", GAME, "rollback", "0")
    assert says(found.output, planning.FOR_EXAMPLE_HOW, how=how("rollback"))
    found = waybill("game", "nowhere", "show")
    assert found.exit_code == 1 and "nowhere" in found.output
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
    done("replace", "Cat", "by", "eve@players.test", "--because", "nobody can reach Cat")
    assert table.table().seat("Cat").address == "eve@players.test"
    found = waybill("game", GAME, "replace Cat by bob@players.test", "--because", "x")
    assert found.exit_code == 1
    assert says(found.output, named_addresses.HAS_A_SEAT, name="Bob", game=GAME)


def test_a_game_with_corrections_is_verified_and_exported(table, tmp_path):
    done("correct", "cash Ann +20", "--because", "x", "--go")
    table.write("Bob", "buy S&NA", to=table.seat_address(GAME, "Bob"))
    done("rollback", "1", "--because", "y")
    done("redo", "--because", "z")
    found = waybill("verify", GAME)
    assert found.exit_code == 0, found.output
    file = tmp_path / "out.json"
    assert waybill("export", GAME, "--format", "waybill", "-o", str(file)).exit_code == 0
    assert corrections(read(file.read_bytes())) == 1
    found = waybill("verify", str(file), "--json")
    assert json.loads(found.output)["agrees"] is True
    kept = json.loads(file.read_text(encoding="utf-8"))
    [fixed] = [step for step in kept["steps"] if step["action"]["do"] == "correct"]
    fixed["action"]["parts"][0]["dollars"] = 25
    file.write_text(json.dumps(kept), encoding="utf-8")
    found = waybill("verify", str(file))
    assert found.exit_code == 1
    assert verify(read(file.read_bytes())).first_difference.action == fixed["number"]
    fixed["action"]["parts"][0] |= {"giver": "Bob", "dollars": 9000}
    file.write_text(json.dumps(kept), encoding="utf-8")
    found = waybill("verify", str(file))
    assert found.exit_code == 1
    assert "$600" in found.output and "$9000" in found.output


@pytest.mark.long
def test_what_is_no_game_of_ours_is_not_verified(tmp_path):
    file = tmp_path / "odd.json"
    file.write_text('{"waybill": 7}', encoding="utf-8")
    found = waybill("verify", str(file))
    assert found.exit_code == 1
    with pytest.raises(NeighbourError) as wrong:
        read(file.read_bytes())
    assert says(found.output, "{why}", why=wrong.value)


@pytest.mark.long
def test_a_corrected_game_is_not_given_to_18xx_games(table):
    done("correct", "cash Ann +20", "--because", "x", "--go")
    found = waybill("export", GAME)
    assert found.exit_code != 0

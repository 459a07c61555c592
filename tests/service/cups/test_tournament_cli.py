"""What an operator does of a tournament without a mail: the same functions, the same log."""

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from tests.service.cups.conftest import FIVE
from tests.service.house import ADDRESS, SECRET, address, flat, one

DAY = 86_400


@pytest.fixture
def run(tmp_path, monkeypatch):
    """The command, on the database of the test."""
    monkeypatch.delenv("WAYBILL_CONFIG", raising=False)
    monkeypatch.setenv("WAYBILL_DATA__DIR", str(tmp_path))
    monkeypatch.setenv("WAYBILL_MAIL__ADDRESS", ADDRESS)
    monkeypatch.setenv("WAYBILL_MAIL__SECRET", SECRET.decode())

    def waybill(*words, code=0):
        found = CliRunner().invoke(program(), ["tournament", *words])
        assert found.exit_code == code, found.output
        return " ".join(found.output.split())

    yield waybill
    structlog.reset_defaults()


def letters_of(cup):
    cup.people.now += 10**9  # the command's clock is the real one
    return cup.took(cup.people.work())


def test_an_operator_seats_and_starts_a_tournament(cup, run):
    cup.enter(*FIVE)
    assert "spring: Entries for spring are open: 5 players." in run()
    run("spring", "close")
    assert "THE PROPOSAL" in run("spring", "seat")
    run("spring", "yes")
    assert "letters are on their way" in run("spring", "start")
    letters = letters_of(cup)
    assert one(letters, "Ann", "seated") and one(letters, "Ann", "welcome")
    assert [x.by for x in cup.cup.log[-3:]] == ["operator"] * 3


@pytest.mark.long
def test_what_cannot_be_is_told_and_nothing_is_done(begun, run):
    before = begun.cup.last
    assert "Say why" in run("spring", "hold", code=1)
    assert "Round 1 still plays on board 1" in run("spring", "seat", code=1)
    assert "no tournament called autumn" in run("autumn", "seat", code=1)
    assert begun.cup.last == before
    run("spring", "hold", "--because", "the disk is full")
    assert "hold" in [x.kind for x in letters_of(begun) if x.to == address("Ann")]


@pytest.mark.long
def test_files_are_written_where_they_are_wanted(begun, run, tmp_path):
    told = run("spring", "export", "json", "--to", str(tmp_path / "out"))
    assert "spring.json" in told
    data = (tmp_path / "out" / "spring.json").read_bytes()
    assert b"Ann" in data and address("Ann").encode() not in data
    assert "Ann" in run("spring", "entries")


def test_an_operator_announces_by_a_form_in_a_file(newcomers, run, tmp_path):
    shown = run("new", "autumn")
    assert "# who directs it" in shown
    file = tmp_path / "autumn.txt"
    file.write_text("round 1 titles: 18AL\n", encoding="utf-8")
    assert "Nobody directs it" in run("new", "autumn", "--form", str(file), code=1)
    file.write_text("director: dora@clubs.test\nround 1 titles: 18AL\n", encoding="utf-8")
    assert "autumn is announced" in run("new", "autumn", "--form", str(file))
    assert "There is a tournament called autumn already" in run("new", "autumn", code=1)
    newcomers.now += 10**9
    [told] = newcomers.work()
    assert told.to == "dora@clubs.test" and "autumn is announced" in flat(told)

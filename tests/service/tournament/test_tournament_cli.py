"""What an operator does of a tournament without a mail: the same functions, the same log."""

import pytest
import structlog
from typer.testing import CliRunner

from service.cli import program
from service.desk.tournament.directing import tournament_directing
from service.desk.tournament.rounds import seating_rounds
from service.tournaments import telling
from tests.service.players import ADDRESS, SECRET, address, one, says
from tests.service.tournament.conftest import FIVE

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


def letters_of(spring):
    spring.people.now += 10**9  # the command's clock is the real one
    return spring.took(spring.people.work())


def test_an_operator_seats_and_starts_a_tournament(spring, run):
    spring.enter(*FIVE)
    assert says(run(), telling.ENTRIES_OPEN, tournament="spring", players="5 players")
    run("spring", "close")
    assert says(run("spring", "seat"), seating_rounds.PUBLISHED)
    run("spring", "start")
    letters = letters_of(spring)
    assert one(letters, "Ann", "seated") and one(letters, "Ann", "welcome")
    assert [x.by for x in spring.tournament.log[-3:]] == ["operator"] * 3


@pytest.mark.long
def test_what_cannot_be_is_told_and_nothing_is_done(begun, run):
    before = begun.tournament.last
    assert says(
        run("spring", "hold", code=1), tournament_directing.EXAMPLE_WITH_REASON, word="hold"
    )
    told = run("spring", "seat", code=1)
    assert says(told, seating_rounds.STILL_PLAYS, round=1, tables="table 1")
    assert "autumn" in run("autumn", "seat", code=1)
    assert begun.tournament.last == before
    run("spring", "hold", "--because", "the disk is full")
    assert "ruling" in [x.kind for x in letters_of(begun) if x.to == address("Ann")]


@pytest.mark.long
def test_files_are_written_where_they_are_wanted(begun, run, tmp_path):
    told = run("spring", "standings", "json", "--to", str(tmp_path / "out"))
    assert "spring-standings.json" in told
    data = (tmp_path / "out" / "spring-standings.json").read_bytes()
    assert b"Ann" in data and address("Ann").encode() not in data
    assert "Ann" in run("spring", "entries")

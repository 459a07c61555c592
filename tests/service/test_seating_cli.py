"""`waybill seating`: whoever has the published file checks its seatings."""

import json

import pytest
from typer.testing import CliRunner

from service.cli import program
from tests.service.tournaments.test_checking import played, said


@pytest.fixture
def run(tmp_path):
    def ran(text):
        path = tmp_path / "standings.json"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return CliRunner().invoke(program(), ["seating", str(path)])

    return ran


def test_a_seating_is_checked_from_its_file(run):
    text = said(played())
    found = run(text)
    assert found.exit_code == 0
    assert found.output.splitlines() == [
        f"Round {number}: all 2 tables are as the seed has them." for number in (1, 2)
    ]
    other = json.loads(text)
    other["seatings"][1]["tables"][0]["seats"].reverse()
    found = run(json.dumps(other))
    assert found.exit_code == 1 and "Round 2: it is NOT as the seed has it." in found.output


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff\xfe", b"[1]"])
def test_another_file_is_refused_in_a_sentence(run, text):
    found = run(text)
    assert found.exit_code == 1 and "is not the file of a tournament" in found.output
    assert "Traceback" not in found.output


def test_a_tournament_that_is_not_seated_has_nothing_to_check(run):
    other = json.loads(said(played()))
    other["seatings"] = []
    assert "No round of it is seated yet" in run(json.dumps(other)).output


def test_a_missing_file_is_told():
    found = CliRunner().invoke(program(), ["seating", "nowhere.json"])
    assert found.exit_code == 1 and "No such file" in found.output

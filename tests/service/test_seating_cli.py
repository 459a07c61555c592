"""`waybill seating`: whoever has the published file checks its seatings."""

import errno
import json
import os

import pytest
from typer.testing import CliRunner

from service.cli import program
from service.cli import seating as seating_command
from service.tournaments import checking
from tests.service.players import says
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
        checking.AS_SEEDED.format(round=number, tables=2) for number in (1, 2)
    ]
    other = json.loads(text)
    other["seatings"][1]["tables"][0]["seats"].reverse()
    found = run(json.dumps(other))
    assert found.exit_code == 1
    assert says(found.output, checking.NOT_AS_SEEDED, round=2)


@pytest.mark.parametrize("text", [b"", b"{}", b"\xff\xfe", b"[1]"])
def test_another_file_is_refused_in_a_sentence(run, text):
    found = run(text)
    assert found.exit_code == 1
    assert says(found.output, seating_command.NOT_ITS_FILE)
    assert "Traceback" not in found.output


def test_a_tournament_that_is_not_seated_has_nothing_to_check(run):
    other = json.loads(said(played()))
    other["seatings"] = []
    assert says(run(json.dumps(other)).output, seating_command.NONE_SEATED)


def test_a_missing_file_is_told():
    found = CliRunner().invoke(program(), ["seating", "nowhere.json"])
    assert found.exit_code == 1
    assert f"nowhere.json: {os.strerror(errno.ENOENT)}" in found.output

"""The scenarios of `tests/rehearsals/`: everything that they expect comes about."""

from pathlib import Path

import pytest

from service.logs import configure
from service.rehearsal import read_file, rehearse

FOLDER = Path(__file__).resolve().parents[2] / "rehearsals"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.rehearsal")), ids=lambda file: file.stem)
def test_a_rehearsal_goes_as_it_is_written(file):
    configure("error")
    report = rehearse(read_file(file))
    assert not report.failed, "\n".join(report.lines())
    assert report.verdicts

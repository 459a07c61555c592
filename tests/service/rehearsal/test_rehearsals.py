"""The scenarios of `tests/rehearsals/`: everything that they expect comes about."""

from pathlib import Path

import pytest

from service.logs import configure
from service.workshop.rehearsal import read_file, rehearse

FOLDER = Path(__file__).resolve().parents[2] / "rehearsals"


#: scenarios that take long: a crash at every line, days without a server, whole games
LONG = {"clocks-whole", "crash", "crash-clock", "smtp-down", "opening"}
FILES = [
    pytest.param(file, id=file.stem, marks=[pytest.mark.long] * (file.stem in LONG))
    for file in sorted(FOLDER.glob("*.rehearsal"))
    # played, and compared with each other, in test_months.py
    if not file.stem.startswith("months")
]


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_a_rehearsal_goes_as_it_is_written(file):
    configure("error")
    report = rehearse(read_file(file))
    assert not report.failed, "\n".join(report.lines())
    assert report.verdicts

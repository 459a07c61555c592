"""Months of one game: away, silent, unreached, moved, put right, undone; and so when we crash."""

import re
from collections import Counter
from functools import cache

import pytest

from service.logs import configure
from service.workshop.rehearsal import Options, read_file, rehearse
from service.workshop.rehearsal.people import parsed
from tests.service.rehearsal.test_rehearsals import FOLDER

#: what a letter says of time, which passes while a crashed worker's claims run out
_TIME = re.compile(
    r"\d+ d \d\d h|\d+ h( \d+ min)?|\d+ min|\d{1,2}:\d\d(:\d\d)?( your time)?"
    r"|(Mon|Tue|Wed|Thu|Fri|Sat|Sun),? \d{1,2} \w{3}( \d{4})?|\d{1,2} \w+ \d{4}"
)


@cache
def played(name):
    """The report of a scenario, its letters without times, and how often the service ended."""
    letters, ends = Counter(), []

    def told(kind, at, who, raw):
        if kind == "note":
            ends.append(who)
        if kind == "out":
            mail = parsed(raw)
            said = f"{mail['Subject']}\n{mail.get_body(('plain',)).get_content()}"
            letters[who, " ".join(_TIME.sub("TIME", said).split())] += 1

    configure("critical")
    report = rehearse(read_file(FOLDER / f"{name}.rehearsal"), Options(told=told))
    configure("error")
    return report, letters, ends


@pytest.mark.long
def test_a_whole_game_goes_through_all_that_months_bring():
    report, _, ends = played("months")
    assert not report.failed, "\n".join(report.lines())
    assert report.games == {"dixie7": "ended"}
    assert report.passed > 90 * 86_400
    assert not ends


@pytest.mark.long
def test_the_same_months_bring_the_same_letters_and_position_where_the_service_ends_twenty_times():
    fair, expected, _ = played("months")
    report, letters, ends = played("months-storm")
    assert len(ends) == 20
    assert not report.failed, "\n".join(report.lines())
    assert report.positions == fair.positions
    assert report.queues == fair.queues
    assert letters - expected == Counter() == expected - letters

"""The benchmark of tournaments plays what it measures."""

import re

import pytest

from service.workshop.benches.bench_tournament import Size, bench_tournament, told

pytest_plugins = ["tests.service.postgres"]


@pytest.mark.long
def test_a_small_one_is_played_to_its_end_on_either_database(database):
    seen = []
    figures = bench_tournament(database, Size(entrants=9, mails=2), lambda *said: seen.append(said))
    assert (figures["entrants"], figures["boards"], figures["turns"]) == (9, 2, 4)
    assert figures["over"] == 2 and ("mails", 4, 4) in seen
    assert figures["seconds"]["seating"] > 0 and figures["turns_per_second"] > 0
    assert all(aim["found"] >= aim["least"] for aim in figures["seating"])
    assert re.findall(r"\d+", told(figures)[0])[:2] == ["9", "2"]


@pytest.mark.long
def test_one_of_two_dozen_is_played_with_a_bound_for_its_seating(database):
    figures = bench_tournament(database, Size(entrants=24, mails=1), lambda *said: None)
    assert (figures["entrants"], figures["boards"], figures["over"]) == (24, 6, 6)
    assert [aim["aim"] for aim in figures["seating"]] == ["meetings", "pots"]
    assert all(aim["proved"] for aim in figures["seating"]), "so small a field is proved"
    with pytest.raises(ValueError, match="empty"):
        bench_tournament(database, Size(entrants=24), lambda *said: None)

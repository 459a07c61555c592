"""The benchmark of tournaments plays what it measures."""

import pytest

from service.demo.bench_tournament import Size, bench_tournament, told

pytest_plugins = ["tests.service.postgres"]


@pytest.mark.long
def test_a_small_one_is_played_to_its_end_on_either_database(database):
    seen = []
    figures = bench_tournament(database, Size(entrants=9, mails=2), lambda n, of: seen.append(n))
    assert (figures["entrants"], figures["boards"], figures["turns"]) == (9, 2, 4)
    assert figures["over"] == 2 and seen[-1] == 4
    assert figures["seconds"]["seating"] > 0 and figures["turns_per_second"] > 0
    assert all(aim["found"] >= aim["least"] for aim in figures["seating"])
    assert "9 entrants, 2 boards at once" in told(figures)[0]

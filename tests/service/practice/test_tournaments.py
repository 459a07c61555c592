"""What is measured of tournaments is a whole tournament."""

import pytest

from service.tournaments.standings import standings
from service.workshop.practice.tournaments import entrants, measure


@pytest.mark.long
def test_rounds_are_seated_and_played_to_their_end():
    found, cup = measure(entrants(13, ("18AL", "18GA"), 2))
    assert [(one.round, one.tables) for one in found] == [(1, 3), (2, 3)]
    assert all(one.seating > 0 and one.standings > 0 and len(one.aims) == 2 for one in found)
    rows = standings(cup).rows
    assert len(rows) == 13 and all(len(row.cells) == 2 for row in rows)

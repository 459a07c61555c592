"""In the early and middle turns of whole games the best run is what trying everything finds."""

from math import prod

import pytest

from engine import title_names
from engine.actions import Run
from engine.position.table import Table
from engine.runs.best.search import best_run
from service.workshop.practice.bench import Recording, peer_recordings
from service.workshop.practice.positions import all_games, positions
from tests.engine import brute
from tests.need import peer_games

#: on more tiles than these, or with more choices of routes, trying everything takes too long
TILES, CHOICES = 30, 20_000


def compared(game: Recording) -> int:
    """In how many turns of a game the search was compared."""
    count = 0
    for _, title, state, action in positions(game, lambda state, action: isinstance(action, Run)):
        table, company = Table(title, state), action.company
        trains = state.trains.get(company, ())
        if not trains or len(state.tiles) > TILES:
            continue
        if prod(1 + len(brute.routes(table, company, train)) for train in trains) > CHOICES:
            continue
        found = best_run(table, company)
        expected = brute.best(table, company, trains)
        assert (found.total, found.proved) == (expected, True), (game.name, state.number)
        count += 1
    return count


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name != "18AL")) for name in title_names()],
)
def test_in_recorded_games(name):
    assert sum(compared(game) for game in all_games(0, titles=(name,))) > 20


@pytest.mark.long
@pytest.mark.peer
def test_in_games_of_people():
    assert sum(map(compared, peer_recordings(peer_games()))) > 100

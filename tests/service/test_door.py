"""How tasks end: what they did is stored whole, once, and only of the game that they have read."""

from dataclasses import replace

import pytest

from service.audience import OPERATOR
from service.desk.door import Cause, Done, finish
from service.desk.letters.post import Desk
from service.reports import note_page
from service.store import AlreadySettled, Conflict, Occasion, Task
from tests.service.house import GAME


def test_a_task_whose_game_has_gone_on_is_begun_again_and_tells_nothing(players):
    """Its letters would tell of a game as it is no more."""
    store, now = players.store, players.now
    with store.transaction() as tx:
        tx.tasks.add(Task("tells", "tells-1", now, GAME, "Ann"), now)
    row = store.tasks.claim("w", now, 60, ("tells",))
    desk = Desk(players.house, now, Occasion("clock", row.key, GAME))
    page = note_page(OPERATOR, "It is over", "It is over.", (), about=players.house.about())
    stored, letters = [], [desk.to_operator("fault", page)]
    done = Done("told", letters, read=players.table(), also=stored.append)
    players.place(players.state)
    with pytest.raises(Conflict):
        finish(store, now, Cause(task=row.id), done)
    assert (players.collect(), stored) == ([], [])
    again = replace(done, read=players.table())
    finish(store, now, Cause(task=row.id), again)
    assert [letter.kind for letter in players.collect()] == ["fault"]
    assert len(stored) == 1
    with pytest.raises(AlreadySettled):
        finish(store, now, Cause(task=row.id), again)
    assert players.collect() == [], "it was told once"

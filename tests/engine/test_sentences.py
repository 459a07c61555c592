"""Who did what, in the sentences of whole games."""

import pytest

from engine.telling.narration import narrate_all, sentences
from tests.games import game

GAMES = ("18al", "18gl", "18mw", "18tn")


@pytest.mark.parametrize("name", GAMES)
def test_a_sentence_with_who_did_it_reads_as_it_is_narrated(name):
    played, doers = game(name), set()
    for outcome in played.outcomes:
        found = sentences(played.title, outcome.events)
        assert [str(one) for one in found] == narrate_all(played.title, outcome.events)
        assert all(one.text and not one.text.startswith(f"{one.doer} ") for one in found)
        doers |= {one.doer for one in found}
    assert doers == {"", *played.states[0].seats}

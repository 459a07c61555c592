"""What makes a command in one position makes one in all: else an order would be refused too soon."""

from random import Random

import pytest

import engine
from engine.notation import Garbled, Missing, NotationError, parse, write
from tests.games import game

#: commands of a game, and positions in which each is read
SOME, POSITIONS = 40, 12


@pytest.mark.long
@pytest.mark.parametrize("name", engine.title_names())
def test_what_was_played_is_garbled_nowhere(name):
    played, random = game(name.lower()), Random(name)
    pairs = list(zip(played.states, played.actions, strict=False))
    for before, action in random.sample(pairs, SOME):
        company = getattr(action, "company", "") if before.round.kind == "OR" else ""
        text = write(played.title, before, action)
        for state in random.sample(played.states, POSITIONS):
            for line in {text, f"{company}: {text}" if company else text}:
                try:
                    parse(played.title, state, action.by, line)
                except (Garbled, Missing) as error:
                    pytest.fail(str(error))
                except NotationError:
                    pass

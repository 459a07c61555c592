"""A game that was exported before its end: who plays it is kept, and it goes on from there."""

import json

import pytest

from engine import apply, to_act
from engine.actions import Pass
from engine.position import codec
from engine.position.frames import OperatingTurn
from service.exchange.export import export
from service.exchange.verify import ExportedGame, replay
from tests import games
from tests.service.exchange.test_export import same_end

#: whole games
pytestmark = pytest.mark.long

#: game of bots → where it is cut: in a stock round or a company's turn, and where one has ended
CUTS = {
    "18al-sensible-options": (236, 360),
    "18ga-sensible": (186, 250),
    "18tn-sensible": (229, 529),
}
#: what people call themselves
NAMES = {"Ann": "Änn-Sofie Öst", "Bob": "Bob Lee", "Cat": "O'Cat", "Dan": "dan_27", "Eve": "李 Eve"}


def renamed(value):
    """A value as JSON text, of other players."""
    text = codec.encode(value).decode()
    for plain, name in NAMES.items():
        text = text.replace(json.dumps(plain), json.dumps(name, ensure_ascii=False))
    return text.encode()


def file(game, count):
    """A game as it stands after so many actions, from the text of the file."""
    seats = [NAMES[seat] for seat in game.states[0].seats]
    actions = [codec.decode_action(renamed(action)) for action in game.actions[:count]]
    return json.loads(json.dumps(export(game.title, seats, enumerate(actions, 1), "x")))


def gone_on(title, state, actions):
    """The position after further actions; a turn that is over there already is not ended again."""
    for action in actions:
        if not isinstance(action, Pass) or action.by in to_act(title, state):
            state = apply(title, state, action).state
    return state


@pytest.mark.parametrize(
    ("name", "count"), [(name, count) for name, cuts in CUTS.items() for count in cuts]
)
def test_a_game_goes_on_from_where_its_export_stands(name, count):
    game = games.game(f"exchange/{name}")
    there = file(game, count)
    assert there["status"] == "active"
    assert [player["name"] for player in there["players"]] == list(
        map(NAMES.get, game.states[0].seats)
    )
    state, _ = replay(ExportedGame(there))
    assert state.seats == tuple(player["name"] for player in there["players"])
    if not isinstance(game.actions[count], Pass):
        awaited = to_act(game.title, game.states[count])
        assert to_act(game.title, state) == tuple(NAMES[seat] for seat in awaited)
    rest = [codec.decode_action(renamed(action)) for action in game.actions[count:]]
    final = codec.decode_state(renamed(game.final))
    same_end(gone_on(game.title, state, rest), final)


@pytest.mark.parametrize("name", CUTS)
def test_a_finished_export_keeps_the_names_and_what_each_player_has(name):
    game = games.game(f"exchange/{name}")
    there = file(game, len(game.actions))
    ids = {player["id"]: player["name"] for player in there["players"]}
    assert sorted(ids.values()) == sorted(NAMES[seat] for seat in game.final.seats)
    assert {ids[int(who)] for who in there["result"]} == set(ids.values())
    assert ExportedGame(there).seats == tuple(NAMES[seat] for seat in game.states[0].seats)


@pytest.mark.parametrize(
    ("name", "count", "over", "then"),
    [
        ("18al-sensible-options", 53, "ATN", "L&N"),
        ("18ga-sensible", 275, "W&A", "G&F"),
        ("18tn-sensible", 128, "L&N", "GMO"),
    ],
)
def test_who_agrees_to_the_end_is_the_company_whose_turn_it_is_there(name, count, over, then):
    game = games.game(f"exchange/{name}")
    assert operates(game.states[count]) == over
    actions = enumerate(game.actions[:count], 1)
    *_, last = export(game.title, game.states[0].seats, actions, "x", stopped=True)["actions"]
    assert (last["type"], last["entity"]) == ("end_game", then)


def operates(state):
    return next(f.company for f in reversed(state.stack) if isinstance(f, OperatingTurn))

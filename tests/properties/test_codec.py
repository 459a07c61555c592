"""Whatever a position, an action or an event holds comes back from its JSON as it was."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import decode_action, decode_events, decode_state, digest, encode
from engine.actions import Action
from engine.events import Event
from engine.position.frames import Frame
from engine.position.values import State
from tests import games
from tests.properties.anything import of
from tests.properties.test_random_games import RECORDED


@pytest.mark.parametrize("kind", get_args(Action), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_any_action_comes_back_as_it_was(kind, data):
    action = data.draw(of(kind))
    assert decode_action(encode(action)) == action


@given(st.lists(of(Event), max_size=4).map(tuple))
def test_any_events_come_back_as_they_were(events):
    assert decode_events(encode(events)) == events


@pytest.mark.parametrize("kind", get_args(Event), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_any_event_keeps_its_kind(kind, data):
    event = data.draw(of(kind))
    assert decode_events(encode((event,))) == (event,)


@given(of(State))
def test_any_position_comes_back_as_it_was(state):
    again = decode_state(encode(state))
    assert again == state
    assert encode(again) == encode(state)


@pytest.mark.parametrize("kind", get_args(Frame), ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_any_frame_comes_back_as_it_was(kind, data):
    frame = data.draw(of(kind))
    state = games.game("18al").states[0]
    state = msgspec.structs.replace(state, stack=(*state.stack, frame))
    assert decode_state(encode(state)) == state


def shuffled(value, draw):
    """The same value with its dictionaries in another order."""
    if isinstance(value, dict):
        return {k: shuffled(value[k], draw) for k in draw(st.permutations(list(value)))}
    if isinstance(value, State):
        changed = {name: getattr(value, name) for name in value.__struct_fields__}
        changed = {name: shuffled(v, draw) for name, v in changed.items() if isinstance(v, dict)}
        return msgspec.structs.replace(value, **changed)
    return value


@pytest.mark.long
@given(data=st.data())
def test_positions_of_games_have_one_digest_whatever_order_they_grew_in(data):
    played = games.game(data.draw(st.sampled_from(RECORDED)))
    state = data.draw(st.sampled_from(played.states))
    other = shuffled(state, data.draw)
    assert encode(other) == encode(state)
    assert digest(decode_state(encode(other))) == digest(state)


@pytest.mark.parametrize("name", RECORDED)
def test_whole_games_come_back_as_they_were(name):
    played = games.game(name)
    for at in range(0, len(played.actions), 7):
        state, action, events = played.states[at], played.actions[at], played.outcomes[at].events
        assert decode_state(encode(state)) == state
        assert decode_action(encode(action)) == action
        assert decode_events(encode(events)) == events

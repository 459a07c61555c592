"""States, actions and events as canonical JSON and back, and a digest of a state."""

from hashlib import sha256

import msgspec

from engine.actions import Action
from engine.events import Event
from engine.position.values import State

#: grows when an older state can no longer be read as it stands
FORMAT = 1

_encoder = msgspec.json.Encoder(order="deterministic")
_states = msgspec.json.Decoder(State)
_actions: msgspec.json.Decoder[Action] = msgspec.json.Decoder(Action)
_events: msgspec.json.Decoder[tuple[Event, ...]] = msgspec.json.Decoder(tuple[Event, ...])


def encode(value: object) -> bytes:
    """Canonical JSON of a state, an action, or a tuple of events: equal values give equal bytes."""
    return _encoder.encode(value)


def decode_state(data: bytes) -> State:
    """A state from its JSON; msgspec.ValidationError names the path of what is wrong."""
    return _states.decode(data)


def decode_action(data: bytes) -> Action:
    """An action from its JSON."""
    return _actions.decode(data)


def decode_events(data: bytes) -> tuple[Event, ...]:
    """Events from their JSON."""
    return _events.decode(data)


def digest(state: State) -> str:
    """SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
    return sha256(encode(state)).hexdigest()

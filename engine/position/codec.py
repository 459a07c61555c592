"""States, actions and events as canonical JSON and back, and a digest of a state.

It also reads what older releases stored. Code that stores the bytes stores `FORMAT` with them.
"""

from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from engine.actions import Action
from engine.corrections import Correction
from engine.events import Event
from engine.position.upgrades import upgraded
from engine.position.values import State

#: grows when older data can no longer be read as it is; `upgrades` converts each format
FORMAT = 2

T = TypeVar("T")

_encoder = msgspec.json.Encoder(order="deterministic")
_states = msgspec.json.Decoder(State)
_actions: msgspec.json.Decoder[Action | Correction] = msgspec.json.Decoder(Action | Correction)
_events: msgspec.json.Decoder[tuple[Event, ...]] = msgspec.json.Decoder(tuple[Event, ...])


def encode(value: object) -> bytes:
    """Canonical JSON of a state, an action, or a tuple of events: equal values give equal bytes."""
    return _encoder.encode(value)


def decode_state(data: bytes, format: int = FORMAT) -> State:
    """Read a state from its JSON of a format; msgspec.ValidationError names the path of a fault.

    Raises `upgrades.UnknownFormat` for the format of a newer release.
    """
    return read("state", data, format, _states)


def decode_action(data: bytes, format: int = FORMAT) -> Action | Correction:
    """Read an action or a correction from its JSON of a format; raises as `decode_state` does."""
    return read("action", data, format, _actions)


def decode_events(data: bytes, format: int = FORMAT) -> tuple[Event, ...]:
    """Read the events of a step from their JSON of a format; raises as `decode_state` does."""
    return read("events", data, format, _events)


def read(kind: str, data: bytes, format: int, decoder: msgspec.json.Decoder[T]) -> T:
    """Read a value of a kind, a field of `upgrades.Upgrade`, from its JSON of a format.

    Raises as `decode_state` does, also for older formats.
    """
    if format == FORMAT:
        return decoder.decode(data)
    try:
        value: Any = upgraded(kind, msgspec.json.decode(data), format, FORMAT)
    except (KeyError, TypeError, AttributeError) as error:
        text = f"no {kind} of format {format}: {error!r}"
        raise msgspec.ValidationError(text) from error
    return decoder.decode(msgspec.json.encode(value))


def digest(state: State) -> str:
    """SHA-256 of the canonical JSON, as 64 hexadecimal digits."""
    return sha256(encode(state)).hexdigest()

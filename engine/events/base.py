"""The base of all events."""

from msgspec import Struct


class Happening(Struct, frozen=True, gc=False, tag_field="event"):
    """Something that happened, as a value."""

"""Commands as players write them, read into actions and written from them; knows no mail."""

from engine.notation.commands import alternatives, heading, parse, split
from engine.notation.errors import (
    Ambiguous,
    Garbled,
    Incomplete,
    Malformed,
    Missing,
    NotationError,
    UnknownName,
)
from engine.notation.help import Help, verbs
from engine.notation.orientation import orientation
from engine.notation.writing import write

__all__ = [
    "Ambiguous",
    "Garbled",
    "Help",
    "Incomplete",
    "Malformed",
    "Missing",
    "NotationError",
    "UnknownName",
    "alternatives",
    "heading",
    "orientation",
    "parse",
    "split",
    "verbs",
    "write",
]

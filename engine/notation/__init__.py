"""Commands as players write them: reading them into actions, and writing actions as commands."""

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
from engine.notation.help import Help, uses, verbs
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
    "uses",
    "verbs",
    "write",
]

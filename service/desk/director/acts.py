"""An act: a command to a game's director, or a player's message to one; knows no game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.wording import cut, whole
from service.commands.command import Command

#: most characters of a reason, of a ruling, and of a message to all
LONGEST = 1_000
#: acts about the position: a director who plays leaves them to the assistant
RULES = ("as", "correct", "clock", "set", "rollback", "redo", "rule", "end", "abandon")
#: acts that lead to another position, or to none; one per email
MOVES = ("as", "correct", "rollback", "redo", "end", "abandon")
#: kinds whose text is their reason
_SAY = ("rule", "announce", "dispute", "dispute holds", "assistant")
_BECAUSE = re.compile(r"(?:^|(?<=\s)|(?<=[;,.]))because\b\s*:?\s*(.*)", re.IGNORECASE | re.DOTALL)

KINDS: Mapping[str, str] = {
    "hold": "hold",
    "resume": "resume",
    "hold on dispute": "dispute holds",
    "as": "as",
    "correct": "correct",
    "clock": "clock",
    "replace": "replace",
    "rollback": "rollback",
    "redo": "redo",
    "rule": "rule",
    "announce": "announce",
    "dispute": "dispute",
    "ask undo": "ask",
    "assistant": "assistant",
    "end game": "end",
    "abandon": "abandon",
}
"""Name of an entry → kind of the act, as rulings store it; options of a game are "set"."""


@dataclass(frozen=True)
class DirectorAct:
    """One requested act; ``kind`` is a value of `KINDS`, or "set"."""

    number: int
    kind: str
    #: the text after the command word, without name, number and reason
    rest: str
    #: the command as it was written, and as an answer repeats it
    text: str
    shown: str
    #: an example of how to write it
    how: str = ""
    because: str = ""
    #: the player or address that it names
    name: str = ""
    #: what it gives: an address, or time
    given: str = ""
    #: the position that it names, None for none, -1 if the text there is no number
    about: int | None = None
    #: why it is invalid in every game, "" if it is not
    barred: str = ""
    #: whether its writer has seen its effect
    sure: bool = False


NOT_UNDERSTOOD = "This is not understood: `help director` lists what a director may write."


def act_of(command: Command, *, sure: bool = False) -> DirectorAct:
    """The act of a command, from the parts of its form; ``sure``: its writer has seen the effect.

    The parts are ``what``, with the reason; ``name``; ``given``; ``about``, a number; and
    ``option``, the word of a setting.
    """
    parts = command.parts
    option = parts.get("option", "")
    kind = "set" if option else KINDS.get(command.word, command.word)
    rest, because = _with_reason(kind, f"{option} {parts.get('what', '')}")
    about = parts.get("about", "")
    number = whole(about)
    return DirectorAct(
        command.number,
        kind,
        rest,
        command.text,
        command.shown,
        f"`{command.entry.example}`" if command.entry else "",
        because,
        parts.get("name", "").strip(),
        parts.get("given", "").strip(),
        number if number is not None or not about else -1,
        command.barred or ("" if command.entry else NOT_UNDERSTOOD),
        sure,
    )


def _with_reason(kind: str, text: str) -> tuple[str, str]:
    """The request, and its reason."""
    text = text.strip()
    return (text, said(text)) if kind in _SAY else reason_of(text)


def reason_of(text: str) -> tuple[str, str]:
    """A text without the reason at its end, and that reason, "" for none."""
    found = _BECAUSE.search(text)
    if found is None:
        return text, ""
    return text[: found.start()].strip(" ;:,\n"), said(found[1]).rstrip(" .")


def said(text: str) -> str:
    """A reason or ruling as it is shown, "" if it has no letter, like the dots of an example."""
    return cut(" ".join(text.split()), LONGEST) if re.search(r"\w", text) else ""

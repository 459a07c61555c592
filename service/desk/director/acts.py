"""What a command asks of a game's director, or says to one: an act; knows no game."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from engine.wording import cut, whole
from service.commands.command import Command

#: characters of a reason, of a ruling and of what is told to all
LONGEST = 1_000
#: what concerns the position: a director who plays leaves it to the assistant
RULES = ("as", "correct", "clock", "set", "rollback", "redo", "rule", "end", "abandon")
#: what leads to another position, once in an email
MOVES = ("as", "correct", "rollback", "redo", "end")
#: kinds whose words are their reason
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
"""Name of an entry → kind of the act, as rulings are kept by it; options of a game are "set"."""


@dataclass(frozen=True)
class DirectorAct:
    """One thing that is asked for; ``kind`` is a value of `KINDS`, or "set"."""

    number: int
    kind: str
    #: what stands behind the word, without name, number and reason
    rest: str
    #: the command as it was written, and as an answer repeats it
    text: str
    shown: str
    #: how it is written, by an example
    how: str = ""
    because: str = ""
    #: the player or address that it names
    name: str = ""
    #: what is given: an address, or time
    given: str = ""
    #: the position that it names, None for none, -1 where what stands there is no number
    about: int | None = None
    #: why it cannot be done whatever the game is, "" for none
    barred: str = ""
    #: whether its writer has seen what it brings about
    sure: bool = False


NOT_UNDERSTOOD = "This is not understood: `help director` lists what a director may write."


def act_of(command: Command, *, sure: bool = False) -> DirectorAct:
    """The act that a command asks for, by the parts of its form; ``sure``: it was shown.

    They are: ``what``, with the reason; ``name``; ``given``; ``about``, a number; ``option``, the
    word of a setting.
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
    """What is asked for, and why."""
    text = text.strip()
    if kind in _SAY:
        return text, _said(text)
    found = _BECAUSE.search(text)
    if found is None:
        return text, ""
    return text[: found.start()].strip(" ;:,\n"), _said(found[1]).rstrip(" .")


def _said(text: str) -> str:
    """A reason or ruling as it is told, "" for one of no letter, as the dots of an example."""
    return cut(" ".join(text.split()), LONGEST) if re.search(r"\w", text) else ""

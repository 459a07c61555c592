"""What a player's lines ask for: commands of the game, and words for the moderator himself.

It tells them apart and knows no position: whether a game's command makes sense is the engine's to
say.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.notation import split
from engine.notation.words import normalise, without_comment
from service.mail.replies import Line

#: words that change nothing and are answered in the receipt
QUERIES = frozenset(
    ("status", "map", "market", "options", "tiles", "routes", "trains", "history", "games", "help")
)
#: words that change something beside the game's position, or how a mail is read
DEEDS = frozenset(("say", "undo", "images", "news", "try", "more", "resend"))
_ALSO = {
    "chart": "market",
    "what": "options",
    "moves": "options",
    "tile": "tiles",
    "route": "routes",
    "log": "history",
    "commands": "help",
    "?": "help",
    "pictures": "images",
}
#: characters of a command that its answer repeats
SHOWN = 60
_TALK = re.compile(r"\s*(say|note|tell)\b\s*:?\s*(.*)", re.IGNORECASE)
_TRY = re.compile(r"\s*try\b\s*:?\s*(.*)", re.IGNORECASE)
#: a question whose commas belong to it, though verbs follow them
_PLAN = re.compile(r"\s*routes?\b.*?\swith\b", re.IGNORECASE)
_WORD = re.compile(r"\s*([a-z?]+)\b:?\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Command:
    """One thing a line asks for; ``word`` is "play" for a command of the game."""

    number: int
    word: str
    #: what stands behind the word; for "play" the whole command
    rest: str
    text: str

    @property
    def shown(self) -> str:
        """It as an answer repeats it: a long message is not sent back whole."""
        return cut(self.text, SHOWN)


def cut(text: str, most: int) -> str:
    """The text in at most ``most`` characters and a sign where it was cut."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def read_commands(lines: Sequence[Line]) -> tuple[Command, ...]:
    """The commands of a mail in its order.

    A line `try` on its own makes dry runs of all the game's commands after it.
    """
    found: list[Command] = []
    trying = False
    for line in lines:
        dry = _TRY.fullmatch(line.text)
        if dry and not dry[1].strip():
            trying = True
        elif dry or trying:
            found.extend(_dry_run(line, dry[1] if dry else line.text))
        else:
            found.extend(_commands(line))
    return _one_plan(found)


def _commands(line: Line) -> list[Command]:
    talk = _TALK.fullmatch(line.text)
    if talk and talk[1].lower() == "say":
        return [Command(line.number, "say", talk[2].strip(), line.text.strip())]
    return [_command(line.number, text) for text in _split(line.text)]


def _split(line: str) -> list[str]:
    """The commands of a line; what `routes` supposes stays together."""
    if not _PLAN.search(line):
        return split(line)
    found: list[str] = []
    for part in without_comment(normalise(line)).split(";"):
        found += [part.strip()] if _PLAN.match(part) else split(part)
    return found


def _command(number: int, text: str) -> Command:
    found = _WORD.fullmatch(text)
    if found or text.strip() == "?":
        word, rest = (found[1].lower(), found[2].strip()) if found else ("?", "")
        word = _ALSO.get(word, word)
        if word in QUERIES or word in DEEDS:
            return Command(number, word, rest, text.strip())
    return Command(number, "play", text.strip(), text.strip())


def _dry_run(line: Line, plan: str) -> list[Command]:
    parts = (_command(line.number, text) for text in _split(plan))
    return [Command(c.number, "try", c.rest, c.text) if c.word == "play" else c for c in parts]


def _one_plan(commands: Sequence[Command]) -> tuple[Command, ...]:
    """Dry runs in a row are one plan, tried step after step."""
    found: list[Command] = []
    for command in commands:
        if command.word == "try" and found and found[-1].word == "try":
            last = found.pop()
            rest = f"{last.rest}\n{command.rest}"
            command = Command(last.number, "try", rest, f"{last.text}; {command.text}")
        found.append(command)
    return tuple(found)

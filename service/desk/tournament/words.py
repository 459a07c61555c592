"""What a command of who directs a tournament says: the words behind it, the reason, the board."""

import re
from dataclasses import dataclass

from engine.wording import cut
from service.commands.command import Command

#: characters of a reason, and of words to all
LONGEST = 2_000
#: commands that all are told as they were written
_TOLD = ("announce", "rule")
_BECAUSE = re.compile(r"(?:^|(?<=\s)|(?<=[;,.]))because\b\s*:?\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True)
class Word:
    """One command, taken apart.

    ``rest`` is what stands behind its name without the reason ``because``; ``board`` is "2.1" where
    it names one, ``below`` the lines that belong to it.
    """

    command: Command
    rest: str
    because: str = ""
    board: str = ""
    below: str = ""

    @property
    def kind(self) -> str:
        """Which command it is."""
        return self.command.word


def word_of(command: Command) -> Word:
    """A command as what it says."""
    lines = command.rest.split("\n")
    own = len(lines) - command.text.count("\n")
    rest, below = "\n".join(lines[:own]).strip(), "\n".join(lines[own:])
    board = command.parts.get("board", "")
    if command.word in _TOLD:
        said = f"{rest}\n{below}".strip()
        said = " ".join(said.split()) if command.word == "rule" else said
        return Word(command, cut(said, LONGEST), board=board)
    found = _BECAUSE.search(rest)
    if found is None:
        return Word(command, rest, "", board, below)
    because = cut(" ".join(found[1].split()).rstrip(" ."), LONGEST)
    return Word(command, rest[: found.start()].strip(" ;,\n"), because, board, below)

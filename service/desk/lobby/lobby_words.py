"""What a line of a mail asks for in the lobby, and what would do where it asks for nothing."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.wording import cut
from service.commands.answers import YES as YES
from service.commands.command import SHOWN
from service.games.commands import CHOICES, OWN, QUERIES
from service.mail.replies import Line

#: what ends with the mail if anything in it is wrong
ACTS = (
    *("start", "leave", "kick", "cancel"),
    *("batch", "clock", "holidays", "late", "allowance", "caretaker", "excused", "grade"),
    *("pages", "undo"),
)
_WORDS = (*ACTS, "say", *CHOICES, "yes", *sorted(QUERIES))
_LINE = re.compile(r"\s*([^\W\d_]+(?:-leave)?|\?)\s*(?::\s*)?(.*)", re.DOTALL)
_ALSO = {"?": "help", "commands": "help", "chart": "market", "pictures": "images"}


def words() -> frozenset[str]:
    """All words of the lobby, in all their spellings."""
    return frozenset((*_WORDS, *_ALSO))


@dataclass(frozen=True)
class Word:
    """A line as it was read; ``word`` is "" where it is none of the lobby's."""

    number: int
    word: str
    rest: str
    text: str

    @property
    def shown(self) -> str:
        """It as the answer repeats it."""
        return cut(self.text, SHOWN)


def read_word(line: Line) -> Word:
    """What a line asks for."""
    text = line.text.strip()
    found = _LINE.fullmatch(text)
    word = found[1].lower() if found else ""
    word = _ALSO.get(word, word)
    rest = found[2].strip() if found else ""
    if YES.fullmatch(text):
        word, rest = "yes", ""
    known = word in _WORDS and _fits(word, rest)
    return Word(line.number, word if known else "", rest, text)


def _fits(word: str, rest: str) -> bool:
    """Whether what stands behind a word can belong to it: "start when you like" starts nothing."""
    if word in ("start", "leave", "cancel", "kick"):
        return len(rest.split()) <= 1
    return word not in ("yes", "help", "games") or len(rest.split()) <= 1


def is_act(word: Word) -> bool:
    """Whether it is to be done; `clock` alone is a question."""
    return word.word in ACTS and (bool(word.rest) or word.word not in QUERIES)


def acts(lines: Sequence[Line]) -> bool:
    """Whether a mail wants something done that is the lobby's."""
    return any(is_act(read_word(line)) for line in lines)


def near(word: Word) -> str:
    """What would do instead of a line that is none of the lobby's."""
    if first_of(word) in ("create", "join"):
        return f"`{first_of(word)}` goes to the moderator's own address, not to one of a game."
    if first_of(word) in OWN:
        return f"`{first_of(word)}` stands alone: send it in a mail of its own."
    first = re.match(r"\W*(\w+)", word.text)
    close = difflib.get_close_matches(first[1].lower(), _WORDS, 1) if first else []
    meant = f" Did you mean `{close[0]}`?" if close and close[0] != first_of(word) else ""
    return f"This is not understood, and was sent to nobody.{meant}"


def first_of(word: Word) -> str:
    """The first word of a line."""
    return (word.text.split() or [""])[0].lower().rstrip(":")

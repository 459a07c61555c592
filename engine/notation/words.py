"""Splits typed lines into plain words with columns; knows no verb and no name."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from engine.wording import whole

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "→": ">",
        "×": "x",
    }
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
#: "#5" is a number, such as that of a tile
_COMMENT = re.compile(r"(?:#(?!\d)|//).*")
#: an amount of money with a comma for thousands is one word; any other comma is its own word
_WORD = re.compile(r"\$?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])|[:;,()]|[^\s:;,()\"]+")
_MONEY = re.compile(r"@?\$?(\d+)(?:\.(\d{1,2}))?\$?")


class CommandWord(NamedTuple):
    """A word of a line and the column where it begins."""

    text: str
    column: int

    @property
    def end(self) -> int:
        """The column after its last character."""
        return self.column + len(self.text)

    @property
    def low(self) -> str:
        """The word in lower case."""
        return self.text.casefold()


def wordings(*rows: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of what people write, in any case, each with what it stands for."""
    return tuple((re.compile(written, re.IGNORECASE), meant) for written, meant in rows)


def normalise(line: str) -> str:
    """The line in plain characters: straight quotes, short dashes, single spaces, no full stop."""
    # quotes first, because NFKC would split some of the accents
    line = unicodedata.normalize("NFKC", line.translate(_PLAIN)).translate(_PLAIN)
    return " ".join(_INVISIBLE.sub("", line).split()).rstrip(" .!,;")


def without_comment(line: str) -> str:
    """The line up to ``//``, or up to ``#`` unless a digit follows it."""
    return _COMMENT.sub("", line)


def words_of(line: str) -> tuple[CommandWord, ...]:
    """The words of a normalized line; each of ``: ; , ( )`` is a word."""
    return tuple(CommandWord(found[0], found.start()) for found in _WORD.finditer(line))


@lru_cache(maxsize=4096)
def key(text: str) -> str:
    """The part of a name that counts: letters and digits, without case, accents, "and" and "&"."""
    plain = "".join(
        sign
        for sign in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(sign)
    )
    spaced = re.sub(r"\band\b", " ", plain)
    return "".join(sign for sign in spaced if sign.isalnum())


def dollars(text: str) -> int | None:
    """Whole dollars from "120", "$120", "1,200" or "120.00"; None for other text."""
    found = _MONEY.fullmatch(text.replace(",", ""))
    return whole(found[1]) if found and not whole(found[2] or "0") else None

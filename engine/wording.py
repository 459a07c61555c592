"""Small pieces of sentences: lists and numbers; knows no event."""

import re
from collections.abc import Iterable

#: digits of the largest number that anybody needs to write
_DIGITS = 9
#: characters of somebody's word that an answer quotes
_QUOTED = 40


def whole(text: str) -> int | None:
    """The number that up to nine decimal digits write; None for any other text.

    All numbers that people write are read by it: Python reads no number of more than 4,300 digits,
    and none that a game has any use for is nearly so long.
    """
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def excerpt(text: str) -> str:
    """A word as it is quoted in an answer: its beginning if it is very long."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def cut(text: str, most: int) -> str:
    """The text in at most ``most`` characters and a sign where it was cut.

    It is cut behind a word, and inside of one only if that would leave less than half of the room.
    A figure that would be cut is left out: the rest of it would be another figure.
    """
    if len(text) <= most:
        return text
    behind = text.rfind(" ", 0, most + 1)
    if behind >= max(most // 2, 1):
        return f"{text[:behind].rstrip()} …"
    broken = (one for one in _FIGURE.finditer(text) if one.start() < most < one.end())
    end = next((one.start() for one in broken), most)
    return f"{text[:end].rstrip()} …"


#: a figure as people write it; more digits than money has are none
_FIGURE = re.compile(r"(?<!\d)[$#]?\d{1,7}(?:[.,]\d{1,3}){0,2}%?(?!\d)")


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    every = list(words)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)


def halves(number: float) -> str:
    """A number of halves as it is written: "12", "12½", "½"."""
    whole_ones, half = divmod(number, 1)
    return f"{int(whole_ones) or '' if half else int(whole_ones)}{'½' * bool(half)}"


def counted(number: int, noun: str, many: str = "") -> str:
    """ "1 loan", "2 loans", "3 addresses"; ``many`` is the plural of what is more than one word."""
    return f"{number} {noun if number == 1 else many or _plural(noun)}"


def _plural(noun: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", noun) + "s"

"""Small pieces of sentences, such as lists and numbers; knows no event."""

import re
from collections.abc import Iterable

#: digits of the largest number that anybody needs to write
_DIGITS = 9
#: the number of characters that an answer quotes from somebody's word
_QUOTED = 40


def whole(text: str) -> int | None:
    """The number that up to nine decimal digits write; None for any other text.

    Waybill reads every number that people write with this function. Python itself refuses numbers
    of more than 4,300 digits, and no game needs a number that long.
    """
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def excerpt(text: str) -> str:
    """A word as answers quote it; a very long word is cut after its beginning."""
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def cut(text: str, most: int) -> str:
    """The text in at most ``most`` characters, with a sign where it was cut.

    The cut is after a word, or inside a word if more than half of the room would be lost otherwise.
    A figure that would be cut is left out, because the rest of it would be another figure.
    """
    if len(text) <= most:
        return text
    behind = text.rfind(" ", 0, most + 1)
    if behind >= max(most // 2, 1):
        return f"{text[:behind].rstrip()} …"
    broken = (one for one in _FIGURE.finditer(text) if one.start() < most < one.end())
    end = next((one.start() for one in broken), most)
    return f"{text[:end].rstrip()} …"


#: a figure as people write it; a number with more digits than money has is not one
_FIGURE = re.compile(r"(?<!\d)[$#]?\d{1,7}(?:[.,]\d{1,3}){0,2}%?(?!\d)")


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    every = list(words)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)


def halves(number: float) -> str:
    """A number of halves in writing: "12", "12½", "½"."""
    whole_ones, half = divmod(number, 1)
    return f"{int(whole_ones) or '' if half else int(whole_ones)}{'½' * bool(half)}"


def one(noun: str) -> str:
    """A noun with its article: "a company", "an owner", "an 8 train"."""
    return f"{'an' if noun[:1].lower() in 'aeio8' else 'a'} {noun}"


def counted(number: int, noun: str, many: str = "") -> str:
    """ "1 loan", "2 loans", "3 addresses"; ``many`` is the plural of a phrase of several words."""
    return f"{number} {noun if number == 1 else many or _plural(noun)}"


def _plural(noun: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh)$", noun):
        return f"{noun}es"
    return re.sub(r"(?<=[^aeiou])y$", "ie", noun) + "s"

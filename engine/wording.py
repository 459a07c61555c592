"""Small pieces of sentences: lists and numbers; knows no event."""

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
    """The text in at most ``most`` characters and a sign where it was cut."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


def listed(words: Iterable[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    every = list(words)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)


def halves(number: float) -> str:
    """A number of halves as it is written: "12", "12½", "½"."""
    whole_ones, half = divmod(number, 1)
    return f"{int(whole_ones) or '' if half else int(whole_ones)}{'½' * bool(half)}"


def counted(number: int, noun: str) -> str:
    """ "1 loan", "2 loans"."""
    return f"{number} {noun}{'s' * (number != 1)}"

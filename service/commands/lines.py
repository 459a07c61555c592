"""placeholder"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto


class Sort(Enum):
    COMMAND = auto()
    CLOSE = auto()
    QUESTION = auto()
    WORDS = auto()


@dataclass(frozen=True)
class Known:
    words: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def bare(text: str) -> tuple[str, str]:
    from service.games.commands import _bare

    return "", _bare(text)


def sort_of(text: str, known: Known, fits: Callable[[str], bool]) -> Sort:
    return Sort.COMMAND if fits(text) else Sort.CLOSE


def meant(text: str, known: Known) -> tuple[str, ...]:
    return ()

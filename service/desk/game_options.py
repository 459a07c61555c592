"""What an organiser chooses about a game beside its rules: a word and a parser each.

At `create` they stand behind the title's own options, parted by commas: `create 18AL dixie7 with
two-yellow, grade tournament`. Those that may change later are words of the organiser's own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from service.games.games import GameSettings
from service.mail.proving import ASKS, GRADES


class Wrong(Exception):
    """An option that is not understood; says what would be."""


@dataclass(frozen=True)
class Option:
    """One option: ``choose`` gives the settings with what its text says, and what that means.

    It raises Wrong.
    """

    usage: str
    choose: Callable[[GameSettings, str], tuple[GameSettings, str]]


def graded(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another grade of proof."""
    grade = next((one for one in GRADES if one == text.strip().lower()), None)
    if grade is None:
        raise Wrong(f"Write `grade` and one of: {', '.join(GRADES)}.")
    return replace(settings, grade=grade), f"From now on {ASKS[grade]}."


OPTIONS: Mapping[str, Option] = {
    "grade": Option("grade friendly|standard|tournament", graded),
}


def taken(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The options in the text behind `create TITLE NAME`, and what else it has.

    They are pairs of a word and what stands behind it.
    """
    rest: list[str] = []
    found: list[tuple[str, str]] = []
    for part in text.split(","):
        word, _, value = part.strip().partition(" ")
        if word.lower() in OPTIONS:
            found.append((word.lower(), value))
        else:
            rest.append(part)
    return ",".join(rest), tuple(found)


def chosen(settings: GameSettings, options: tuple[tuple[str, str], ...]) -> GameSettings:
    """The settings with these options. Raises Wrong."""
    for word, value in options:
        settings, _ = OPTIONS[word].choose(settings, value)
    return settings

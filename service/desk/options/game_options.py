"""What an organiser chooses about a game beside its rules: a word and a parser each.

At `create` they stand behind the title's own options, parted by commas: `create 18AL dixie7 with
two-yellow, grade tournament`, or as `clock=each 48h`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from service.clocks import rules
from service.commands.refusal import Refused
from service.games.games import GameSettings
from service.mail.grades import ASKS, GRADES


@dataclass(frozen=True)
class Option:
    """One option: ``choose`` gives the settings with what its text says, and what that means.

    It raises Refused.
    """

    usage: str
    choose: Callable[[GameSettings, str], tuple[GameSettings, str]]


HOW_TO_GRADE = "Write `grade` and one of: {grades}."
GRADED = "From now on {asks}."


def graded(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another grade of proof."""
    grade = next((one for one in GRADES if one == text.strip().lower()), None)
    if grade is None:
        raise Refused(HOW_TO_GRADE.format(grades=", ".join(GRADES)))
    return replace(settings, grade=grade), GRADED.format(asks=ASKS[grade])


NO_CLOCK = "There is no clock: nobody must answer by a time."


def clocked(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another clock."""
    try:
        rule = rules.read(text.strip())
    except rules.WrongClock as wrong:
        raise Refused(str(wrong)) from wrong
    told = rule.told() if rule else NO_CLOCK
    return replace(settings, clock=str(rule) if rule else ""), told


BY_VOTE = (
    "What others have acted on is taken back where all agree who have acted since (`propose undo`)."
)
BY_LEAVE = (
    "What others have acted on is taken back by the director's leave alone "
    "(`ask undo to 212 because …`)."
)
HOW_TO_UNDO = "Write `undo vote` or `undo leave`."


def taken_back(settings: GameSettings, text: str) -> tuple[GameSettings, str]:
    """The settings with another way to take back what others have acted on."""
    how = text.strip().lower()
    if how == "vote":
        return replace(settings, undo="vote"), BY_VOTE
    if how == "leave":
        return replace(settings, undo="leave"), BY_LEAVE
    raise Refused(HOW_TO_UNDO)


#: what may stand in the line that creates a game
CREATING: Mapping[str, Option] = {
    "grade": Option("grade friendly|standard|tournament", graded),
    "clock": Option("clock fischer 20d + 12h cap 20d", clocked),
    "undo": Option("undo vote|leave", taken_back),
}
_PARTS = re.compile(r",|\s(?=(?:clock|undo)\s?=)", re.IGNORECASE)


def taken(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The options in the text behind `create TITLE NAME`, and what else it has.

    They are pairs of a word and what stands behind it.
    """
    rest: list[str] = []
    found: list[tuple[str, str]] = []
    for part in _PARTS.split(text):
        word, _, value = part.replace("=", " ", 1).strip().partition(" ")
        if word.lower() in CREATING:
            found.append((word.lower(), value))
        else:
            rest.append(part)
    return ",".join(rest), tuple(found)


def chosen(settings: GameSettings, options: tuple[tuple[str, str], ...]) -> GameSettings:
    """The settings with these options. Raises Refused."""
    for word, value in options:
        settings, _ = CREATING[word].choose(settings, value)
    return settings

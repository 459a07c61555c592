"""The rules of a tournament, as its announcement states them; they do not change with play.

They are stored as canonical JSON. People write and read them as a form (`form.py`). `why_not` says
whether they can be played.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct

import engine
from service.mail.grades import Grade

StandingsKind = Literal["open", "final"]
"""A ``final`` places its players before all others."""
By = Literal["standings", "tables"]
"""The players who go on: the first of the standings, or of each table, then the seconds …"""
ScoreName = Literal["places", "wins", "share"]
"""The scoring systems; docs/tournaments-scores.md explains each and the events that use it."""
TieBreak = Literal["wins", "best", "meetings", "share", "lot"]
Aim = Literal["meetings", "pots"]

FEWEST_SEATS, MOST_SEATS = 2, 6
MOST_ROUNDS = 20
AIMS: tuple[Aim, ...] = ("meetings", "pots")


class TitleChoice(Struct, frozen=True, order=True):
    """A title with its optional rules, in the order of their names."""

    name: str
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name + (f" with {' and '.join(self.variants)}" if self.variants else "")


class RoundRules(Struct, frozen=True):
    """The rules of a round.

    ``titles`` are dealt to the tables in equal numbers. ``sizes`` are the numbers of players that a
    table may have, the preferred one first. ``go_on`` is how many play the next round, 0 for all;
    ``by`` says how they are chosen. At the end of the day ``until``, unfinished games are
    adjudicated; "" for never.
    """

    titles: tuple[TitleChoice, ...] = ()
    sizes: tuple[int, ...] = (4, 3, 5)
    kind: StandingsKind = "open"
    go_on: int = 0
    by: By = "tables"
    until: str = ""


class Scoring(Struct, frozen=True):
    """How a game is scored, and what counts in the standings.

    ``points`` are those of the places, the first place's first. Without them the first place has
    100 and the last 0, with even steps between. ``best`` is how many of an entrant's rounds count,
    the best ones, 0 for all. ``breaks`` are the tie-breaks of the standings.
    """

    score: ScoreName = "places"
    points: tuple[int, ...] = ()
    best: int = 0
    breaks: tuple[TieBreak, ...] = ("wins", "best", "meetings", "lot")


class TournamentRules(Struct, frozen=True):
    """All rules of a tournament; `form.FIELDS` explains each, with its default.

    ``director`` and ``assistant`` are addresses, which the form does not have.
    ``close`` and ``start`` are days, "" if the director decides. ``grade``, ``clock``,
    ``holidays``, ``leave`` (days a year), ``caretaker`` and ``excused`` are those of every game.
    ``aims`` are the aims of the seating, the most important first. ``places`` entrants play, 0 for
    any number; others wait.
    """

    name: str
    director: str = ""
    assistant: str = ""
    announcement: str = ""
    prizes: str = ""
    close: str = ""
    start: str = ""
    places: int = 0
    rounds: tuple[RoundRules, ...] = (RoundRules(),)
    aims: tuple[Aim, ...] = AIMS
    clock: str = "fischer 20d + 12h cap 20d"
    holidays: str = ""
    leave: int = 30
    grade: Grade = "tournament"
    caretaker: bool = True
    excused: int = 3
    scoring: Scoring = Scoring()

    def round(self, number: int) -> RoundRules:
        """The rules of a round, 1 for the first."""
        return self.rounds[number - 1]


STARTS_BEFORE_CLOSE = "It starts on {start}, before entries close on {close}."
NO_TITLES = "Round {round} has no title: write `round {round} titles: ` and its titles."
TOO_FEW_ROUNDS = "The best {best} cannot count of {rounds} rounds."
LAST_ROUND = "Nobody can go on from round {round}: it is the last one."
FINAL_BEFORE_END = "Round {round} is a final, but round {next} follows it."
ENDS_TOO_EARLY = "Round {round} would end on {until}, no later than {before} before it."


def why_not(rules: TournamentRules) -> list[str]:
    """Contradictions in the rules, in sentences that say what would work; [] if none."""
    return [*_faults(rules)]


def _faults(rules: TournamentRules) -> Iterator[str]:
    if rules.close and rules.start and rules.start < rules.close:
        yield STARTS_BEFORE_CLOSE.format(start=rules.start, close=rules.close)
    if rules.scoring.best > len(rules.rounds):
        yield TOO_FEW_ROUNDS.format(best=rules.scoring.best, rounds=len(rules.rounds))
    day = rules.start or rules.close
    for number, one in enumerate(rules.rounds, 1):
        if not one.titles:
            yield NO_TITLES.format(round=number)
        yield from _size_faults(number, one)
        last = number == len(rules.rounds)
        if one.kind == "final" and not last:
            yield FINAL_BEFORE_END.format(round=number, next=number + 1)
        if last and one.go_on:
            yield LAST_ROUND.format(round=number)
        if one.until and day and one.until <= day:
            yield ENDS_TOO_EARLY.format(round=number, until=one.until, before=day)
        day = one.until or day


NOT_FOR = (
    "{title} is not for {wrong} players: it is for {sizes}. Change `round {round} tables` or "
    "`round {round} titles`."
)


def _size_faults(number: int, one: RoundRules) -> Iterator[str]:
    for choice in one.titles:
        can = engine.load_title(choice.name, frozenset(choice.variants)).facts.players
        if wrong := [str(size) for size in one.sizes if str(size) not in can]:
            some, sizes = " or ".join(wrong), " or ".join(sorted(can))
            yield NOT_FOR.format(title=choice, wrong=some, sizes=sizes, round=number)


def due_days(rules: TournamentRules) -> tuple[tuple[str, int], ...]:
    """What the rules do on a day by themselves, and when: at the end of the day in UTC.

    Games start at its beginning.
    """
    days = [("close", rules.close, 1), ("start", rules.start, 0)]
    days += [(f"until {number}", one.until, 1) for number, one in enumerate(rules.rounds, 1)]
    return tuple((what, _at(day, later)) for what, day, later in days if day)


def _at(day: str, later: int) -> int:
    at = datetime.fromisoformat(f"{day}T00:00").replace(tzinfo=UTC) + timedelta(days=later)
    return int(at.timestamp())

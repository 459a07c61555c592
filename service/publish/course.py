"""The course of a game by rounds: the moves, and each player's worth at the end of a round.

It is computed from stored rows, and continues from the last result: a finished round stays as it
is, unless it is taken back. It knows no page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import msgspec
from msgspec.structs import replace

import engine
from engine import State, Title
from engine.events import RoundBegan, TrainsRan
from engine.telling.narration import narrate_all
from engine.telling.showing import view
from engine.telling.view import MapView, View
from service.games import games
from service.games.linking import looks_of
from service.store import ActionRow


class PublicAction(msgspec.Struct, frozen=True):
    """A public action: its number, its player, its text, and its events."""

    number: int
    seat: str
    text: str
    told: tuple[str, ...]


class CourseRound(msgspec.Struct, frozen=True):
    """A round: its actions, and the figures after the last of them, at position ``number``.

    The figures are dollars: players' net worth, companies' share prices, and the earnings of
    companies' trains in the round. ``over`` says whether another round has begun by its last
    action. ``looks`` is a digest of the map, equal for maps that look the same.
    """

    round: str
    number: int
    digest: str
    phase: str
    at: int
    worth: dict[str, int]
    prices: dict[str, int]
    income: dict[str, int]
    deeds: tuple[PublicAction, ...]
    looks: str
    over: bool


@dataclass(frozen=True)
class Course:
    """The finished rounds, then the present one, or the last one of a finished game."""

    stages: tuple[CourseRound, ...]
    #: the maps of the rounds computed in this run, by `Stage.looks`
    maps: dict[str, MapView]


class StoredPositions:
    """A game's rows with their positions; positions no longer stored are replayed."""

    def __init__(self, title: Title, rows: Sequence[ActionRow]) -> None:
        self._title = title
        self._rows = rows

    def state(self, place: int) -> State:
        """The position after the row at a place. Raises LookupError if it cannot be computed."""
        start = place
        while start >= 0 and self._rows[start].snapshot is None:
            start -= 1
        if start < 0:
            raise LookupError(f"position #{self._rows[place].number} is no longer kept")
        state = games.state(self._rows[start])
        for row in self._rows[start + 1 : place + 1]:
            after = engine.apply(self._title, state, games.action(row)).state
            state = replace(after, number=row.number)
        return state


def course(title: Title, rows: Sequence[ActionRow], before: Sequence[CourseRound] = ()) -> Course:
    """The course of a game with these rows, from its opening to the present position.

    ``before`` are the rounds of the last result. Finished ones that were not taken back stay as
    they are.
    """
    kept = _standing(rows, [stage for stage in before if stage.over])
    numbers = [row.number for row in rows]
    first = numbers.index(kept[-1].number) + 1 if kept else 0
    line, stages = StoredPositions(title, rows), list(kept)
    maps: dict[str, MapView] = {}
    for start, end in pairwise([first, *_ends(rows, first)]):
        state = line.state(end - 1)
        seen = view(title, state)
        stage = _stage(title, rows[start:end], state, seen, _round(line, stages, start))
        maps[stage.looks] = seen.map
        stages.append(stage)
    return Course(tuple(stages), maps)


def _standing(rows: Sequence[ActionRow], before: Sequence[CourseRound]) -> tuple[CourseRound, ...]:
    """The rounds of the last result that are still over; an undo may have reopened one."""
    digests = {row.number: row.digest for row in rows}
    kept = list(before)
    while kept and digests.get(kept[-1].number) != kept[-1].digest:
        kept.pop()
    return tuple(kept)


def _ends(rows: Sequence[ActionRow], first: int) -> Iterator[int]:
    """The places of the rows that end rounds, always with the last row."""
    for place in range(max(first, 1), len(rows)):
        if place + 1 == len(rows) or _begins(rows[place]):
            yield place + 1
    if first < len(rows) == 1:
        yield 1


def _begins(row: ActionRow) -> bool:
    return any(isinstance(event, RoundBegan) for event in games.events(row))


def _round(line: StoredPositions, stages: Sequence[CourseRound], start: int) -> str:
    """The round in which a part of the rows was played: that of the position before it."""
    return str(line.state(max(start - 1, 0)).round)


def _stage(
    title: Title, rows: Sequence[ActionRow], state: State, seen: View, name: str
) -> CourseRound:
    happened = [(row, games.events(row)) for row in rows]
    income: dict[str, int] = {}
    for _, events in happened:
        for event in events:
            if isinstance(event, TrainsRan):
                income[event.company] = income.get(event.company, 0) + event.revenue
    return CourseRound(
        round=name,
        number=rows[-1].number,
        digest=rows[-1].digest,
        phase=seen.phase,
        at=rows[-1].at,
        worth={player.seat: player.worth for player in seen.players},
        prices={company.id: company.price for company in seen.companies if company.price},
        income=income,
        deeds=tuple(
            PublicAction(row.number, row.seat, row.text, tuple(narrate_all(title, events)))
            for row, events in happened
        ),
        looks=looks_of(seen.map),
        over=len(rows) > 1 and _begins(rows[-1]),
    )

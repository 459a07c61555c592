"""A game as its public pages show it: its position, its course, and the players it awaits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engine import Seat
from service.audience import EVERYBODY, Audience
from service.games.games import GameTable
from service.games.shown import GamePlace
from service.publish.course import Course, CourseRound
from service.publish.figures import PlottedFigure, curves
from service.reports import Scene
from service.reports.decisions import BYSTANDER, task
from service.reports.news import cause, outcome
from service.reports.words import moment
from service.store import WaitingRow


@dataclass(frozen=True)
class AwaitedSeat:
    """A seat that a game waits for: its decision, since when and until when, in UTC seconds."""

    seat: Seat
    what: str
    since: int
    due: int | None

    @property
    def in_words(self) -> str:
        """The seat, its decision and its times in one line."""
        until = f", until {moment(self.due)}" if self.due is not None else ""
        return f"{self.seat}: {self.what}, since {moment(self.since)}{until}"


@dataclass(frozen=True)
class GameSheet:
    """All that pages show about one game."""

    place: GamePlace
    table: GameTable
    scene: Scene
    stages: tuple[CourseRound, ...]
    awaited: tuple[AwaitedSeat, ...]
    audience: Audience = EVERYBODY

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.table.row.name

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return self.table.row.status == "ended"

    @property
    def number(self) -> int:
        """The number of the position."""
        return self.stages[-1].number

    @property
    def at(self) -> int:
        """The time of the last action, in UTC seconds."""
        return self.stages[-1].at

    @cached_property
    def curves(self) -> tuple[PlottedFigure, ...]:
        """The plots."""
        return curves(self.scene, self.stages)

    @property
    def stands(self) -> str:
        """A line about the status of the game."""
        view = self.scene.view
        return "The game is over" if self.ended else f"{view.round}, phase {view.phase}"

    @property
    def won(self) -> str:
        """The winner and the margin; "" during the game."""
        wins, worth = outcome(self.scene) if self.ended else ("", 0)
        return f"{wins} with ${worth}" if wins else ""

    @property
    def ending(self) -> str:
        """Sentences that name the winner and the reason for the end."""
        return f"{self.won}. {cause(self.scene)}".rstrip() if self.ended else ""


def sheet(
    place: GamePlace, table: GameTable, told: Course, waiting: Sequence[WaitingRow]
) -> GameSheet:
    """A game as everybody may see it."""
    scene = Scene(table.row.name, table.title, table.state)
    awaited = tuple(
        AwaitedSeat(row.seat, task(scene, row.seat, BYSTANDER).subject, row.since, row.due)
        for row in waiting
        if table.row.status == "running" and row.seat in scene.view.to_act
    )
    return GameSheet(place, table, scene, told.stages, awaited)


def anchor(name: str) -> str:
    """The name of a round in a page's links: "OR 4.1" → "or-4-1"."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def picture(stage: CourseRound) -> str:
    """The file name of the map after a round."""
    return f"map-{stage.looks}.svg"

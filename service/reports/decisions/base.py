"""What an email says of every kind of decision; knows no kind in particular."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from engine import Action, Open, Option, Seat, State
from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.facts.title import Title
from engine.inquiry import best_of_turn
from service.reports.figures import map_figure, market_figure
from service.reports.lays import sites
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row

A = TypeVar("A", bound=Action)
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class DecisionTask:
    """A decision: for the subject, and as a sentence to the player."""

    subject: str
    sentence: str
    #: how the subject begins
    lead: str = "YOUR TURN"
    #: whether the subject tells the round
    dated: bool = True


@dataclass(frozen=True)
class Chances:
    """What a player may do in a position, for an example of what could be written next."""

    title: Title
    state: State
    every: tuple[Option, ...]
    #: whether the example lays a tile already
    laid: bool = False

    @property
    def actions(self) -> list[Action]:
        """The actions of all options that are listed."""
        return [option.action for option in self.every if not isinstance(option, Open)]

    def of(self, *kinds: type[A]) -> list[A]:
        """The actions of some kinds, in the order of the options."""
        return [action for action in self.actions if isinstance(action, kinds)]

    def first(self, *kinds: type[A]) -> A | None:
        """The first action of the first of the kinds that there is."""
        return next((found[0] for kind in kinds if (found := self.of(kind))), None)

    def earliest(self, *kinds: type[A]) -> A | None:
        """The first action of any of the kinds."""
        return next(iter(self.of(*kinds)), None)


class Words(ABC, Generic[F]):
    """The words of one kind of decision, a class a frame. What is abstract cannot be forgotten."""

    #: the frame that the words are for
    frame: ClassVar[type]
    #: actions that `rows` lists; all others are listed by their verb for every decision
    lists: ClassVar[tuple[type, ...]] = ()
    #: what a bankrupt president cannot pay for
    owed: ClassVar[str] = "train"
    #: whether the stations or shares that are listed cost nothing
    free: ClassVar[bool] = False

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """What the player must decide, who is one of those who must; told to a reader.

        The reader is that player, another, or "" for whoever it may be.
        """

    @abstractmethod
    def example(self, chances: Chances) -> Action | None:
        """The next command of a plain answer; None where it is complete."""

    def why(self, chances: Chances, action: Action) -> str:
        """Why the example has a command, in a sentence; "" if that needs none."""
        return ""

    @abstractmethod
    def own_words(self) -> tuple[str, ...]:
        """Words that may be written here beside those that always may."""

    @abstractmethod
    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The pictures of the mail; tiles on ``new`` hexes are marked."""

    def rows(self, scene: Scene, frame: F, found: Sorted) -> list[Row]:
        """What is legal in this kind of decision alone; the actions that it `lists`."""
        return []

    def warnings(self, scene: Scene, frame: F, seat: Seat) -> Iterator[str]:
        """What the player should not overlook just here."""
        yield from ()


def only_at_first(scene: Scene) -> Iterator[Figure]:
    """The map in the first turns of a game, before anything is on it."""
    if scene.view.number < len(scene.state.seats):
        yield map_figure(scene)


def trading(scene: Scene, new: frozenset[Hex]) -> Iterator[Figure]:
    """The chart where shares are traded, and the map."""
    yield market_figure(scene)
    yield map_figure(scene, new)


def building(scene: Scene, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
    """The map with hexes where the player may lay."""
    yield _map(scene, seat, new)


def running(scene: Scene, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
    """The map with hexes where the player may lay, and the company's best runs."""
    yield _map(scene, seat, new, best_of_turn(scene.table, scene.view.company)[1].runs)


def _map(scene: Scene, seat: Seat, new: frozenset[Hex], runs: tuple[TrainRun, ...] = ()) -> Figure:
    buildable = frozenset(site.hex for site in sites(scene, seat))
    return map_figure(scene, new, buildable, runs)

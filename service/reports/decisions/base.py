"""The base class for what an email says about a decision, whatever its kind."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from engine import Action, Open, Option, Seat, State
from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.facts.title import Title
from engine.inquiry import best_of_turn
from service.reports.figures import legal_tiles_figure, map_figure, market_figure
from service.reports.lays import sites
from service.reports.scene import Figure, Scene, Sorted
from service.reports.tables import Row

A = TypeVar("A", bound=Action)
F = TypeVar("F")


YOUR_TURN = "YOUR TURN"


@dataclass(frozen=True, slots=True)
class DecisionTask:
    """A decision as a part of the subject and as a sentence to the player."""

    subject: str
    sentence: str
    #: the beginning of the subject
    lead: str = YOUR_TURN
    #: whether the subject names the round
    dated: bool = True
    #: what the subject says if it would be too long; "" for a part of `subject`
    short: str = ""


@dataclass(frozen=True)
class Chances:
    """A player's legal moves, from which an example reply takes its next command."""

    title: Title
    state: State
    every: tuple[Option, ...]
    #: whether the example already lays a tile
    laid: bool = False

    @property
    def actions(self) -> list[Action]:
        """The actions of all listed options."""
        return [option.action for option in self.every if not isinstance(option, Open)]

    @property
    def ending(self) -> Action | None:
        """A pass, which also ends a company's turn; None if it is not legal."""
        return next((action for action in self.actions if action.passes), None)

    def of(self, *kinds: type[A]) -> list[A]:
        """The actions of these kinds, in the order of the options."""
        return [action for action in self.actions if isinstance(action, kinds)]

    def first(self, *kinds: type[A]) -> A | None:
        """The first action of the first kind that has one."""
        return next((found[0] for kind in kinds if (found := self.of(kind))), None)

    @property
    def owed(self) -> Action | None:
        """The first way out of a debt; None if none is legal."""
        ways = (action for action in self.actions if action.owed)
        return min(ways, key=lambda way: way.owed, default=None)

    def earliest(self, *kinds: type[A]) -> A | None:
        """The first action of any of the kinds."""
        return next(iter(self.of(*kinds)), None)


class Words(ABC, Generic[F]):
    """The words for one kind of decision; every frame that asks needs one such class."""

    #: the frame of the decision
    frame: ClassVar[type]
    #: actions that `rows` lists; each other one is in a `Listed` of these modules
    lists: ClassVar[tuple[type, ...]] = ()

    @abstractmethod
    def task(self, scene: Scene, frame: F, seat: Seat, reader: Seat) -> DecisionTask:
        """The decision of ``seat``, one of those that act, in a sentence to ``reader``.

        The reader is that player, another one, or "" for anybody.
        """

    @abstractmethod
    def example(self, chances: Chances) -> Action | None:
        """The next command of a simple reply; None if the reply is complete."""

    def likely(self, scene: Scene, frame: F, seat: Seat, chances: Chances) -> Action | None:
        """The player's most likely action in a stock turn; None if none is."""
        return None

    def bid(self, chances: Chances) -> Action | None:
        """The least bid that the player may make instead of passing; None for none."""
        return None

    def why(self, chances: Chances, action: Action) -> str:
        """A sentence that says why the example has a command; "" if it needs none."""
        return ""

    @abstractmethod
    def own_words(self) -> tuple[str, ...]:
        """Commands that are possible here besides those that always are."""

    @abstractmethod
    def figures(self, scene: Scene, frame: F, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
        """The pictures of the email; tiles on ``new`` hexes are marked."""

    def rows(self, scene: Scene, frame: F, found: Sorted) -> list[Row]:
        """The legal moves of this kind of decision only; the actions in ``lists``."""
        return []

    def warnings(self, scene: Scene, frame: F, seat: Seat) -> Iterator[str]:
        """Warnings that belong to this kind of decision."""
        yield from ()


def only_at_first(scene: Scene) -> Iterator[Figure]:
    """The map, in the first turns of a game while it is still empty."""
    if scene.view.number < len(scene.state.seats):
        yield map_figure(scene)


def trading(scene: Scene, new: frozenset[Hex]) -> Iterator[Figure]:
    """The stock chart in rounds with share trading, and the map."""
    yield market_figure(scene)
    yield map_figure(scene, new)


def building(
    scene: Scene, seat: Seat, new: frozenset[Hex], runs: tuple[TrainRun, ...] = ()
) -> Iterator[Figure]:
    """The map with the runs and marks where the player may lay; a picture of those tiles."""
    every = sites(scene, seat)
    yield map_figure(scene, new, frozenset(site.hex for site in every), runs)
    if tiles := {tile for site in every for tile in site.tiles}:
        yield legal_tiles_figure(scene, tiles)


def running(scene: Scene, seat: Seat, new: frozenset[Hex]) -> Iterator[Figure]:
    """The same with the company's best runs on the map."""
    return building(scene, seat, new, best_of_turn(scene.table, scene.view.company)[1].runs)

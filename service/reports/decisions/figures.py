"""Pictures that several kinds of decisions show."""

from collections.abc import Iterator

from engine import Seat
from engine.actions import TrainRun
from engine.board.hexes import Hex
from engine.inquiry import best_of_turn
from service.reports.figures import map_figure, market_figure
from service.reports.lays import sites
from service.reports.scene import Figure, Scene


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

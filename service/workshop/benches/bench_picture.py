"""How fast maps of late games are drawn after each move, and how large they are."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import median
from time import process_time

from service.drawing import png
from service.reports import Scene
from service.reports.figures import map_figure
from service.workshop.practice.bench import Progress
from service.workshop.practice.script import recorded_game

#: a player sees the new tiles of this many moves
_TURN = 12


def bench_picture(
    titles: Sequence[str], moves: int = 60, progress: Progress | None = None
) -> dict[str, object]:
    """Draw the map after each of the last moves of each title's recorded game.

    By title: ``pictures``, how many differ from all before; milliseconds of the processor from
    the position to the PNG, ``first_ms`` where nothing was drawn before, ``median_ms`` and
    ``p90_ms`` of all; ``bytes`` of the largest. Each title has a process of its own, whose modules
    are loaded before.
    """
    found: dict[str, object] = {}
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        each = processes.map(partial(_drawn, moves), titles)
        for title, figures in zip(titles, each, strict=True):
            found[title] = figures
            if progress:
                progress(len(found), len(titles))
    return found


def _drawn(moves: int, title: str) -> dict[str, object]:
    """Figures of one title."""
    game = recorded_game(title)
    times: list[float] = []
    sizes: list[int] = []
    drawn: set[bytes] = set()
    for at in range(max(1, len(game.states) - moves), len(game.states)):
        scene = Scene("bench", game.title, game.states[at])
        _ = scene.view  # the text of an email needs these, too
        earlier = game.states[max(0, at - _TURN)].tiles
        new = frozenset(h for h, lay in scene.state.tiles.items() if earlier.get(h) != lay)
        action = game.actions[at - 1]
        began = process_time()
        figure = map_figure(scene, new, runs=action.runs)
        data = png(figure.svg, figure.pixels)
        took = process_time() - began
        if data not in drawn:
            times.append(1000 * took)
            sizes.append(len(data))
            drawn.add(data)
    return {
        "pictures": len(times),
        "first_ms": round(times[0], 1),
        "median_ms": round(median(times), 1),
        "p90_ms": round(sorted(times)[len(times) * 9 // 10], 1),
        "bytes": max(sizes),
    }

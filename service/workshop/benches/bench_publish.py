"""How long the pages of many games take, from nothing and after one move each, and how large."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from service.publish.publishing import Publishing, Site
from service.store import Store
from service.workshop.demo.shelf import shelve
from service.workshop.practice.script import recorded_game, recorded_names

_SECRET = b"a secret for benchmarks only"
_BEGAN = 1_790_000_000
#: pictures that a page loads at once
_FIRST = ("index.html", "chart-*.svg")


def bench_publish(games: int, acts: int, progress: Callable[[int], None]) -> dict[str, object]:
    """Publish so many games, of each the first ``acts`` of a recorded one, in turn of each title.

    The result has ``nothing``, ``move`` and ``idle``, each with seconds, those of them that the
    processor worked (cpu), files and bytes: from an empty folder, after one move in every game, and
    when nothing has changed; ``heaviest`` is the
    most bytes of a page with the pictures that it loads at once.
    """
    recordings = [recorded_game(name) for name in recorded_names()]
    with tempfile.TemporaryDirectory() as home:
        store = Store(f"sqlite:///{Path(home) / 'bench.sqlite'}")
        store.upgrade()
        shelved = []
        for number in range(games):
            played = recordings[number % len(recordings)]
            shelved.append(shelve(store, f"game{number}", played, acts, ("public", _BEGAN)))
            progress(number + 1)
        site = Site(Path(home) / "site", "https://games.example.org/", "Waybill", _SECRET)
        publishing = Publishing(store, site)
        figures: dict[str, object] = {"games": games, "acts": acts, "nothing": _timed(publishing)}
        for one in shelved:
            one.go(1)
        figures |= {"move": _timed(publishing), "idle": _timed(publishing)}
        figures["heaviest"] = max(map(_weight, (site.folder / "games").glob("game*")), default=0)
        figures["failed"] = len(publishing.failed)
        store.close()
    return figures


def _timed(publishing: Publishing) -> dict[str, float | int]:
    began, worked = time.perf_counter(), time.process_time()
    written = publishing.run()
    took, worked = time.perf_counter() - began, time.process_time() - worked
    times = {"seconds": round(took, 2), "cpu": round(worked, 2)}
    return {**times, "files": written.files, "bytes": written.bytes}


def _weight(folder: Path) -> int:
    """Bytes of a game's page, of its chart and of its largest map, style and script included."""
    shown = [*(f for name in _FIRST for f in folder.glob(name))]
    shown += [folder.parents[1] / "style.css", folder.parents[1] / "slider.js"]
    largest = max((f.stat().st_size for f in folder.glob("map-*.svg")), default=0)
    return sum(f.stat().st_size for f in shown) + largest

"""Games that are written down, for tests that need one: each is played once in a process.

Those of `exchange` are played by the rules of 18xx.games, so that they can be exported.
"""

import gc
from functools import cache
from pathlib import Path

from service.workshop.practice.script import PlayedScript, read, recorded, run

FOLDER = Path(__file__).parent


def names(pattern: str = "**/*") -> list[str]:
    """Names of the games here, as "18al/forced", by a pattern like one of `Path.glob`."""
    found = FOLDER.glob(f"{pattern}.game")
    return sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in found)


@cache
def game(name: str) -> PlayedScript:
    """A game of this folder, or one that comes with the program, as "18al"; change none of it."""
    path = FOLDER / f"{name}.game"
    played = run(read(path.read_text(encoding="utf-8") if path.is_file() else recorded(name)))
    # Thousands of positions stay till the end: the collector would look at all of them each time.
    gc.freeze()
    return played

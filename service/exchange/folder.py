"""Compares many games of 18xx.games with our rules: which agree, and where others differ."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from service.exchange.dialect import NeighbourError
from service.exchange.verify import verify


class FileOutcome(Struct, frozen=True):
    """What became of one file; ``difference`` is "" where all agrees."""

    file: str
    agrees: bool
    difference: str = ""


def games_of(folder: Path) -> list[Path]:
    """The games of a folder by their names."""
    return sorted(path for path in folder.glob("*.json") if path.is_file())


def verify_all(
    files: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> Iterator[FileOutcome]:
    """Replay each game, with the trace beside it where there is one.

    What cannot be read is told as the difference of its file; ``progress`` hears of each game.
    """
    for number, file in enumerate(files, 1):
        yield _verify(file)
        if progress:
            progress(number, len(files))


def _verify(file: Path) -> FileOutcome:
    traces = (file.with_suffix(f".trace.{kind}") for kind in ("jsonl", "jsonl.gz"))
    try:
        verdict = verify(file, next(filter(Path.is_file, traces), None))
    except NeighbourError as error:
        return FileOutcome(file.name, False, str(error))
    difference = verdict.first_difference
    return FileOutcome(file.name, verdict.agrees, str(difference) if difference else "")

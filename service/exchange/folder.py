"""Replays many 18xx.games files by our rules: reports which agree, and how others differ."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from service.exchange.dialect import NeighbourError
from service.exchange.verify import verify


class FileOutcome(Struct, frozen=True):
    """The outcome for one file; ``difference`` is "" if everything agrees."""

    file: str
    agrees: bool
    difference: str = ""


def games_of(folder: Path) -> list[Path]:
    """The game files of a folder, sorted by name."""
    return sorted(path for path in folder.glob("*.json") if path.is_file())


def verify_all(
    files: Sequence[Path], progress: Callable[[int, int], None] | None = None
) -> Iterator[FileOutcome]:
    """Replay each game, and compare it with the trace beside it, if there is one.

    For an unreadable file, ``difference`` says why. ``progress`` is called after each game with the
    number done and the number of all.
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

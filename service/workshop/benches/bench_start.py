"""What starts of the program cost: short commands in fresh processes, time of the processor."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from service.settings import PREFIX
from service.store import Store

COMMANDS = ("--version", "--help", "check")


def bench_start(starts: int, progress: Callable[[int], None]) -> dict[str, dict[str, float | int]]:
    """Each command's starts, and median, fewest and most milliseconds of the processor of them.

    One start of each comes first and is not counted, because it writes files that later ones read,
    such as compiled modules. `check` examines an empty database and no mail servers. Raises
    RuntimeError if a command writes an error.
    """
    figures: dict[str, dict[str, float | int]] = {}
    with _environment() as environment:
        for number, command in enumerate(COMMANDS):
            _spent(command, environment)
            spent = []
            for done in range(starts):
                spent.append(1000 * _spent(command, environment))
                progress(number * starts + done + 1)
            figures[command] = {
                "starts": starts,
                "median_ms": round(statistics.median(spent)),
                "least_ms": round(min(spent)),
                "most_ms": round(max(spent)),
            }
    return figures


@contextmanager
def _environment() -> Iterator[dict[str, str]]:
    """The variables of a user who has a database and no other setting."""
    ours = (PREFIX, "PYTHONDONTWRITEBYTECODE", "PYTHONPROFILEIMPORTTIME")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{Path(folder) / 'waybill.sqlite'}")
        store.upgrade()
        store.close()
        yield {**kept, f"{PREFIX}DATA__DIR": folder}


def _spent(command: str, environment: dict[str, str]) -> float:
    """Seconds of the processor that a fresh process takes, those of the system included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        [sys.executable, "-m", "service", command], env=environment, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ended.stderr or not ended.stdout:
        raise RuntimeError(f"waybill {command}: {ended.stderr.decode(errors='replace')}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

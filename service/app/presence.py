"""Which workers of a data folder are alive: each holds a lock on a file while it lives.

The system releases the lock when the process ends, for whatever reason. So nothing depends on a
clock, or on a process id that another process may have by now. On PostgreSQL the server has such
locks (`service.store.postgres`), because workers can be on several machines.
"""

import fcntl
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from service.app.private import data_folder
from service.settings import Settings

_SUFFIX, _LOCK = ".worker", ".lock"
#: the lock of a process that upgrades the tables
_UPGRADE = f"upgrade{_LOCK}"


def folder_of(settings: Settings) -> Path:
    """The folder of the workers' files."""
    return data_folder(settings) / "workers"


def living(folder: Path) -> tuple[str, ...]:
    """Names of the living workers of a folder."""
    found = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(FileNotFoundError), path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(path.name.removesuffix(_SUFFIX))
    return tuple(found)


@contextmanager
def replacing(folder: Path) -> Iterator[Callable[[], Sequence[str]]]:
    """Ask the workers of a folder to end, one process at a time; the function names the living.

    A worker that begins later sees that, and does not begin.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = os.open(folder / _UPGRADE, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield lambda: living(folder)
    finally:
        os.close(file)


class Presence:
    """The name of a worker, and the lock that shows that it is alive."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is made if missing. Raises OSError if no file can be made in it."""
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._held: dict[str, int] = {}
        while True:
            self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"
            # Open while the process lives: a plain descriptor, which no garbage collector closes.
            self._file = os.open(self._path(self.name), os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            # Another worker may have taken it for a dead worker's before it was locked.
            if self._path(self.name).exists():
                return
            os.close(self._file)

    def holds(self, what: str) -> bool:
        """Take the lock of that name unless another worker has it; whether this worker has it now.

        It keeps the lock until it ends.
        """
        if what not in self._held:
            place = self._folder / f"{what.replace('/', '_')}{_LOCK}"
            file = os.open(place, os.O_CREAT | os.O_RDWR, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return False
            self._held[what] = file
        return True

    def must_end(self) -> bool:
        """Whether somebody upgrades the tables, or wants to."""
        file = os.open(self._folder / _UPGRADE, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(file)
        return False

    def wait(self, seconds: float) -> Sequence[str]:
        """Wait so many seconds. Nobody tells of new rows here; workers look for them."""
        time.sleep(seconds)
        return ()

    def _path(self, name: str) -> Path:
        return self._folder / f"{name.replace('/', '_')}{_SUFFIX}"

    def dead(self) -> Iterator[str]:
        """Names of dead workers of this folder; each name is deleted after its turn.

        The caller must free their claims before it asks for the next name.
        """
        for path in sorted(self._folder.glob(f"*{_SUFFIX}")):
            name = path.name.removesuffix(_SUFFIX)
            if name == self.name:
                continue
            with suppress(OSError), path.open("r+") as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield name
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """End of the worker. It claims nothing from now on."""
        if self._file >= 0:
            self._path(self.name).unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1
        for held in self._held.values():
            os.close(held)
        self._held = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

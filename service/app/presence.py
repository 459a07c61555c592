"""Which workers of one data folder are alive: each holds a lock on a file until it is no more.

The system lets go of a lock when its process ends, however it ends: no number of a process that
might be another's by now has to be trusted, and no clock.
"""

import fcntl
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

_SUFFIX = ".worker"


def living(folder: Path) -> tuple[str, ...]:
    """Names of the workers of a folder that are alive."""
    found = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(FileNotFoundError), path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(path.name.removesuffix(_SUFFIX))
    return tuple(found)


class Presence:
    """A worker's own name, and the lock that shows that it lives."""

    def __init__(self, folder: Path) -> None:
        """``folder`` is made if missing; raises OSError where no file can be made in it."""
        self._folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"
            # Open for as long as the process lives: a bare number, which nothing tidies away.
            self._file = os.open(self._path(self.name), os.O_CREAT | os.O_RDWR, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            # Another may have held it for a dead one's before it was locked.
            if self._path(self.name).exists():
                return
            os.close(self._file)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name.replace('/', '_')}{_SUFFIX}"

    def dead(self) -> Iterator[str]:
        """Names of workers of this folder that are no more; each is forgotten after its turn.

        Their claims are the caller's to give back, before the next name is asked for.
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
        """End of the worker: nothing is claimed by it any more."""
        if self._file >= 0:
            self._path(self.name).unlink(missing_ok=True)
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

"""A child process that can be stopped, whatever it does. It knows no questions."""

import os
import subprocess
import sys
import threading
from multiprocessing.connection import Connection, Pipe


class Process:
    """Runs a module in a process that starts when it is first needed.

    The module gets the number of a file descriptor as its argument. It ends when the other side,
    `_talk`, is closed, so it never outlives its owner.
    """

    def __init__(self, patience: float, module: str) -> None:
        """``patience`` is in seconds; ``module`` is the module that the process runs."""
        self._patience = patience
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._talk: Connection | None = None
        self._turn = threading.Lock()

    def _start(self) -> Connection:
        ours, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self._module, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(p or os.curdir for p in sys.path)},
            )
        self._talk = ours
        return ours

    def _ended(self, patience: float = 1.0) -> int | None:
        """How a process that closed its side ended: its exit code, or minus the number of a signal.

        None if it is still running.
        """
        if self._process is None:
            return None
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return None

    def _stop(self) -> None:
        if self._talk is not None:
            self._talk.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._talk = self._process = None

    def close(self) -> None:
        """End the process; it starts again if it is needed again."""
        with self._turn:
            self._stop()

"""A process of its own that finds best runs, and is stopped when it takes too long; knows no mail.

The library that solves the hard questions is not ours: it may hang or die. Here only its process
does, the question stays open, and the next one is asked of a new process.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection, Pipe
from time import monotonic

import structlog

from engine.runs.best.dispatch import answers, use
from engine.runs.best.question import Answer, Question

log = structlog.get_logger()

#: seconds for a question; the branches that it may take are used up long before
PATIENCE = 30.0
#: seconds more after which the process ends itself, where nobody is left to stop it
_GRACE = 5


class Solver:
    """Answers questions in a process that is started with the first of them."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds; ``module`` is what the process runs."""
        self._patience = patience
        self._module = module
        self._process: subprocess.Popen[bytes] | None = None
        self._talk: Connection | None = None
        self._turn = threading.Lock()

    def __call__(self, question: Question) -> Answer | None:
        """The answer, as far as it came in time; None if there was none."""
        found: Answer | None = None
        with self._turn:
            until = monotonic() + self._patience
            try:
                talk = self._talk or self._start()
                talk.send((question, self._patience))
                while talk.poll(max(0.0, until - monotonic())):
                    answer: Answer | None = talk.recv()
                    if answer is None:
                        return found
                    found = answer
                why = f"no end after {self._patience} s"
            except (EOFError, OSError) as error:
                why = f"its process ended ({error or type(error).__name__})"
            self._stop()
        log.warning("best run not proved", reason=why)
        return found._replace(proved=False) if found else None

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

    def _stop(self) -> None:
        if self._talk is not None:
            self._talk.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._talk = self._process = None

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._stop()


def apart() -> Solver:
    """Have the engine ask a process of its own from now on; it ends with this one."""
    solver = Solver()
    use(solver)
    return solver


def serve(talk: Connection, solve: Callable[[Question], Iterable[Answer]] = answers) -> None:
    """Answer questions until nobody asks any more; better and better answers, then None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            question, patience = talk.recv()
            # the default of this signal ends the process, whatever it is doing
            signal.alarm(int(patience) + _GRACE)
            for answer in solve(question):
                talk.send(answer)
            talk.send(None)
            signal.alarm(0)
        except (EOFError, OSError):
            return


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))

"""A process that finds best runs, and is stopped if it takes too long. It knows no email.

The library that solves the hard questions is external: it may hang or crash. Then only its process
ends and the question stays open. The next question goes to a new process.
"""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from multiprocessing.connection import Connection
from time import monotonic

import structlog

from engine.runs.best.dispatch import answers, use
from engine.runs.best.problem import Problem, Solution
from service.apart.process import Process

log = structlog.get_logger()

#: seconds for a question; its limit of branches is reached long before
PATIENCE = 30.0
#: more seconds after which the process ends itself, if nobody is left to stop it
_GRACE = 5


class Hurry:
    """The seconds that a person would wait for answers; each answer uses a part of them."""

    def __init__(self, left: float) -> None:
        self.left = left


_HURRY: ContextVar[Hurry | None] = ContextVar("hurry", default=None)


@contextmanager
def hurried(hurry: Hurry) -> Iterator[None]:
    """Within this context, answer questions in the seconds left, or leave them open."""
    token = _HURRY.set(hurry)
    try:
        yield
    finally:
        _HURRY.reset(token)


class Solver(Process):
    """Answers questions in a process that starts with the first of them."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds; ``module`` is the module that the process runs."""
        super().__init__(patience, module)

    def __call__(self, question: Problem) -> Solution | None:
        """The answer, as far as it came in time; None if there was none."""
        hurry = _HURRY.get() or Hurry(inf)
        if hurry.left <= 0:
            return None
        began = monotonic()
        try:
            return self._answer(question, min(self._patience, hurry.left))
        finally:
            hurry.left -= monotonic() - began

    def _answer(self, question: Problem, patience: float) -> Solution | None:
        found: Solution | None = None
        with self._turn:
            until = monotonic() + patience
            try:
                talk = self._talk or self._start()
                talk.send((question, self._patience))
                while talk.poll(max(0.0, until - monotonic())):
                    answer: Solution | None = talk.recv()
                    if answer is None:
                        return found
                    found = answer
                why = f"no end after {patience:.1f} s"
            except (EOFError, OSError) as error:
                why = f"its process ended ({error or type(error).__name__})"
            self._stop()
        log.warning("best run not proved", reason=why)
        return found._replace(proved=False) if found else None


def apart() -> Solver:
    """Let the engine use a separate process from now on; it ends with this one."""
    solver = Solver()
    use(solver)
    return solver


def serve(talk: Connection, solve: Callable[[Problem], Iterable[Solution]] = answers) -> None:
    """Answer questions until nobody asks; for each, better and better answers, then None."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            question, patience = talk.recv()
            # the default action of this signal ends the process, whatever it is doing
            signal.alarm(int(patience) + _GRACE)
            for answer in solve(question):
                talk.send(answer)
            talk.send(None)
            signal.alarm(0)
        except (EOFError, OSError):
            return


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))

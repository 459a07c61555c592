"""A process of its own that proves seatings, and is stopped when it takes too long.

The library that solves them may hang or die: then the seating is one that is not proved, and the
mail that asked for it is answered all the same. It runs for one question and ends with it.
"""

import signal
import sys
from multiprocessing.connection import Connection

import structlog

from service.apart.process import Process
from service.tournaments.grouping import Answer, Candidates, solve, use

log = structlog.get_logger()

#: seconds for a seating; its branches are used up before, on any machine that is not too slow
PATIENCE = 120.0
#: seconds more after which the process ends itself, where nobody is left to stop it
_GRACE = 5


class Seater(Process):
    """Proves seatings in a process that is started for each."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds; ``module`` is what the process runs."""
        super().__init__(patience, module)

    def __call__(self, question: Candidates) -> Answer | None:
        """The answer; None if it did not come in time, or proves nothing."""
        why = f"no end after {self._patience:.0f} s"
        with self._turn:
            try:
                talk = self._start()
                talk.send((question, self._patience))
                if talk.poll(self._patience):
                    answer: Answer | None = talk.recv()
                    return answer
            except (EOFError, OSError) as error:
                why = f"its process ended ({error or type(error).__name__})"
            finally:
                self._stop()
        log.warning("seating not proved", reason=why)
        return None


def apart() -> Seater:
    """Have seatings proved by a process of its own from now on; it ends with this one."""
    seater = Seater()
    use(seater)
    return seater


def serve(talk: Connection) -> None:
    """Answer one question."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        question, patience = talk.recv()
        # the default of this signal ends the process, whatever it is doing
        signal.alarm(int(patience) + _GRACE)
        talk.send(solve(question))
    except (EOFError, OSError):
        return


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))

"""A process that proves seatings, and is stopped if it takes too long.

The solver library may hang or crash. Then the seating counts as unproved, and the email that asked
for it still gets an answer. The process runs for one question and ends with it.
"""

import signal
import sys
from multiprocessing.connection import Connection

import structlog

from service.apart.process import Process
from service.tournaments.grouping import Candidates, Grouping, solve, use

log = structlog.get_logger()

#: seconds for a seating; its limit of branches is reached earlier on any ordinary machine
PATIENCE = 120.0
#: more seconds after which the process ends itself, if nobody is left to stop it
_GRACE = 5


class Seater(Process):
    """Proves seatings, in a new process for each."""

    def __init__(self, patience: float = PATIENCE, module: str = __name__) -> None:
        """``patience`` is in seconds; ``module`` is the module that the process runs."""
        super().__init__(patience, module)

    def __call__(self, question: Candidates) -> Grouping | None:
        """The answer; None if it did not come in time, or proves nothing."""
        why = f"no end after {self._patience:.0f} s"
        with self._turn:
            try:
                talk = self._start()
                talk.send((question, self._patience))
                if talk.poll(self._patience):
                    answer: Grouping | None = talk.recv()
                    return answer
            except (EOFError, OSError) as error:
                why = f"its process ended ({error or type(error).__name__})"
            finally:
                self._stop()
        log.warning("seating not proved", reason=why)
        return None


def apart() -> Seater:
    """Use a separate process to prove seatings from now on; it ends with this one."""
    seater = Seater()
    use(seater)
    return seater


def serve(talk: Connection) -> None:
    """Answer one question."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        question, patience = talk.recv()
        # the default action of this signal ends the process, whatever it is doing
        signal.alarm(int(patience) + _GRACE)
        talk.send(solve(question))
    except (EOFError, OSError):
        return


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))

"""Limits the work that questions and orders of an email may cause, so that nobody else must wait.

Commands of the game have no such limit: a position needs them once a turn, whatever they cost.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time

from engine.runs.best.allowance import Purse, allowing
from service.apart.solver import Hurry, hurried
from service.refusal import Refused

#: seconds that the advance orders and the questions of one email may take; the first one beyond it
#: is still read and answered
A_MAIL = 0.7
#: seconds that those of one sender may take within `HOUR`
AN_HOUR = 60.0
HOUR = 3600
#: steps of search for the first question; with dense track they take most of a second. A later
#: question has fewer, by the work of those above it, and at least so many
STEPS = 120_000
LEAST_STEPS = 24_000
#: seconds that one email waits for the process that solves the hard ones
SOLVER = 0.5
#: seconds counted for a picture, which is drawn after all answers: a map, or a small one
PICTURE = 0.35
SMALL = 0.1
#: characters of SVG from which a picture is a large one; charts have half as many, maps more
LARGE = 30_000


class OutOfWork(Refused):
    """Why something is not worked out or read now, and what would work.

    ``later`` says that only this email has asked for too much, so another email may ask for it.
    """

    def __init__(self, text: str, *, later: bool = False) -> None:
        super().__init__(text)
        self.later = later


#: how a refusal begins, and how it goes on
NOT_WORKED_OUT, ASK = "NOT WORKED OUT", "Ask"
NOT_READ, GIVE = "NOT READ", "Give"
HOUR_IS_USED = (
    "{refused}: your questions and advance orders of the last hour took {seconds} seconds of work, "
    "and no player may ask for more. {again} it again in {minutes} minutes. Commands of the game "
    "are carried out at any time."
)
EMAIL_IS_USED = (
    "{refused}: the advance orders and questions above it took the {seconds} seconds of work that "
    "an email may ask for. {again} it again in an email of its own."
)


@dataclass
class WorkAllowance:
    """The work of one email's orders and questions so far.

    ``left`` are the seconds that its sender has left this hour, and ``again`` the minutes until
    there are more.
    """

    left: float = AN_HOUR
    again: int = 0
    #: seconds of this thread's own work, because the load of others is not the sender's
    clock: Callable[[], float] = thread_time
    spent: float = 0.0
    _hurry: Hurry = field(default_factory=lambda: Hurry(SOLVER))
    _drawn: set[int] = field(default_factory=set)

    @contextmanager
    def question(self) -> Iterator[Purse]:
        """Work a question out within limits; raises OutOfWork if no more may be asked now.

        The result tells afterwards whether the limits were too narrow for it.
        """
        with self._counted(NOT_WORKED_OUT, ASK):
            steps = max(LEAST_STEPS, int(STEPS * (1 - self.spent / A_MAIL)))
            with allowing(steps) as purse, hurried(self._hurry):
                yield purse

    @contextmanager
    def order(self) -> Iterator[None]:
        """Read an advance order; raises OutOfWork if no more may be read now."""
        with self._counted(NOT_READ, GIVE):
            yield

    @contextmanager
    def _counted(self, refused: str, again: str) -> Iterator[None]:
        if self.left <= 0 or self.spent > self.left:
            raise OutOfWork(
                HOUR_IS_USED.format(
                    refused=refused,
                    seconds=f"{AN_HOUR:g}",
                    again=again,
                    minutes=max(self.again, 1),
                )
            )
        if self.spent >= A_MAIL:
            raise OutOfWork(
                EMAIL_IS_USED.format(refused=refused, seconds=f"{A_MAIL:g}", again=again),
                later=True,
            )
        began = self.clock()
        try:
            yield
        finally:
            self.spent += self.clock() - began

    def drew(self, svg: str) -> None:
        """Count a picture, the same one once."""
        key = hash(svg)
        if key not in self._drawn:
            self._drawn.add(key)
            self.spent += PICTURE if len(svg) >= LARGE else SMALL


STOPPED = (
    "NOT SEARCHED TO THE END: questions by email are searched for a moment only, and more may be "
    "found. Ask for fewer trains, or name the exits of tiles."
)
ALONE = f"{STOPPED} A question that is the only one of its mail is searched longest."


def remaining(spent: float, first: int, now: int) -> WorkAllowance:
    """What is left for a sender who used so many seconds within `HOUR`, since ``first``."""
    return WorkAllowance(AN_HOUR - spent, -(-(first + HOUR - now) // 60) if spent else 0)


#: for an email that causes no work
NO_WORK = WorkAllowance()

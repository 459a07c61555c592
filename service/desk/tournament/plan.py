"""What an occasion comes to in a tournament: acts, letters, work at its boards; stored whole."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from service.desk.effects import Write
from service.desk.letters.post import Desk
from service.desk.tournament.acts import Cup, Logged
from service.desk.tournament.folding import after
from service.desk.tournament.known import Board, Doing, Known, keep, still
from service.games.commit import DIRECT, ENDED
from service.store import Letter, Task, Tx

#: kinds of tasks beside those of `games.boards`: the letters by which a board begins, a seat
#: that is left, and a day of the rules
OPENING, LEAVE, DAY = "tournament-opening", "tournament-leave", "tournament-day"
#: the time of a vote is over
VOTE = "tournament-vote"


__all__ = ["DAY", "DIRECT", "ENDED", "LEAVE", "NOTHING", "OPENING", "VOTE", "Plan", "store"]


@dataclass(frozen=True)
class Plan:
    """What is to be stored in one transaction."""

    acts: Sequence[Doing] = ()
    letters: Sequence[Letter] = ()
    tasks: Sequence[Task] = ()
    #: what else is stored, as the boards of a round
    also: Sequence[Write] = field(default=())

    @property
    def does(self) -> bool:
        """Whether anything is to be stored but letters."""
        return bool(self.acts or self.tasks or self.also)

    def and_(self, other: "Plan") -> "Plan":
        """This and another behind it."""
        return Plan(
            (*self.acts, *other.acts),
            (*self.letters, *other.letters),
            (*self.tasks, *other.tasks),
            (*self.also, *other.also),
        )


NOTHING = Plan()


def store(tx: Tx, desk: Desk, known: Known, plan: Plan) -> list[Letter]:
    """Store a plan; its letters. Raises Conflict if the tournament has gone on since then."""
    still(tx, known)
    if plan.acts:
        keep(tx, desk, known, plan.acts)
    later = [letter for one in plan.also for letter in one(tx) or ()]
    for task in plan.tasks:
        tx.tasks.add(task, desk.now)
    return [*plan.letters, *later]


def after_acts(known: Known, desk: Desk, acts: Sequence[Doing]) -> Cup:
    """The tournament as it will be after acts that are planned."""
    first = known.cup.last + 1
    logged = (Logged(n, a.act, a.by, a.because, desk.now) for n, a in enumerate(acts, first))
    return after(known.cup, logged)


def leave_task(desk: Desk, known: Known, board: Board, seat: str) -> Task:
    """Have the seat of somebody who withdrew be offered to others."""
    key = f"{LEAVE}-{board.game}-{seat}-{desk.occasion.key}"
    return Task(LEAVE, key, desk.now, board.game, seat)


def direct_task(desk: Desk, board: Board, words: str, office: str) -> Task:
    """Have words of the director's desk be carried out at a board; ``office`` of the game."""
    key = f"{DIRECT}-{board.game}-{desk.occasion.key}"
    return Task(DIRECT, key, desk.now, board.game, office, words.encode())

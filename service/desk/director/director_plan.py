"""The plan of a director's acts at a game: what follows from them, before anything is stored."""

from dataclasses import dataclass

from engine import Seat
from service.desk.director.director_known import DirectingPerson
from service.desk.seats.handover import Handover
from service.games.changes import Change
from service.games.games import GameSettings, GameTable
from service.reports import Result
from service.store import RulingRow


@dataclass(frozen=True)
class DirectorPlan:
    """The results of acts; if ``good`` is false, none of them is done."""

    who: DirectingPerson
    table: GameTable
    #: None in a game that has not begun
    change: Change | None
    settings: GameSettings
    results: tuple[Result, ...] = ()
    rulings: tuple[RulingRow, ...] = ()
    #: sentences for everybody
    told: tuple[str, ...] = ()
    #: a question to the director alone, with the commands that they may write
    asked: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    #: the email to somebody who is asked to be the assistant
    invites: bool = False
    #: a seat that gets another player, and seats that get more time, in seconds
    handover: Handover | None = None
    granted: tuple[tuple[Seat, int], ...] = ()
    #: whether a correction was only shown, and waits for `go`
    shown: bool = False
    good: bool = True
    abandoned: bool = False

    @property
    def does(self) -> bool:
        """Whether anything but an answer is to be stored."""
        return self.good and not self.shown and bool(self.rulings or self.invites)

"""What becomes of a game by requests of its seats: a position in, a position and its events out.

Nothing here knows a mail, a database or a clock: whoever brings the requests, a mail, an order that
comes due or a director, the change is the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import engine
from engine import Seat, State, Title
from engine.events import GameEnded
from service.games.commands import Command
from service.games.games import GameTable, Past
from service.games.playing import Play, Played, PlayOutcome


@dataclass(frozen=True)
class Request:
    """Commands of the game that one seat wants carried out: all of them, or none.

    With ``keep_open`` the seat's turn does not end with them.
    """

    seat: Seat
    commands: Sequence[Command]
    keep_open: bool = False


@dataclass(frozen=True)
class TakenBack:
    """What is taken back: the action to go back to, its position, and how the others read."""

    parent: int
    parent_number: int
    state: State
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """A game as it was read, and what becomes of it; nothing is stored yet."""

    table: GameTable
    #: the position after it
    state: State
    #: all actions in their order
    played: tuple[Played, ...] = ()
    #: what became of each request; one that could not be carried out has changed nothing
    outcomes: tuple[PlayOutcome, ...] = ()
    back: TakenBack | None = None

    @property
    def moves(self) -> bool:
        """Whether another position stands after it."""
        return bool(self.played) or self.back is not None

    @property
    def ends(self) -> bool:
        """Whether the game is over by it."""
        return any(isinstance(e, GameEnded) for p in self.played for e in p.events)

    @property
    def past(self) -> list[Past]:
        """Its actions as later mails tell of them."""
        return [Past(p.number, p.seat, p.events) for p in self.played]

    def asks_anew(self, title: Title) -> bool:
        """Whether something else was to be decided before the same is again, if it is the same."""
        asked = engine.decision(self.state)
        return self.back is not None or any(engine.decision(p.state) != asked for p in self.played)


def nothing(table: GameTable) -> Change:
    """A change that changes nothing."""
    return Change(table, table.state)


def make(table: GameTable, *requests: Request) -> Change:
    """The requests carried out one after the other, each from the position the last one left."""
    change = nothing(table)
    for request in requests:
        change = further(change, request)
    return change


def further(change: Change, request: Request) -> Change:
    """A change and one request more, such as what waited for the answer that it has brought."""
    number = change.table.next_number + len(change.played)
    play = Play(change.table.title, change.state, request.seat, number)
    outcome = play.commands(request.commands, keep_open=request.keep_open)
    return replace(
        change,
        state=outcome.state,
        played=(*change.played, *outcome.played),
        outcomes=(*change.outcomes, outcome),
    )


def take_back(table: GameTable, taken: TakenBack) -> Change:
    """The game as it was before what is taken back."""
    return Change(table, taken.state, back=taken)

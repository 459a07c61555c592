"""Commands that a seat has given ahead of their time: what they wait for, and until when.

They are not judged here: when their time has come they are carried out as any others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import engine
from engine import Seat, State
from engine.wording import cut
from service.commands.command import Command
from service.store import AheadRow, Given

#: characters of all of them that an answer repeats
_SHOWN = 400
#: whether the time has not come, has come, or will come no more
Standing = Literal["waits", "due", "gone"]


IF_NO = "{command} (if the answer is no)"


@dataclass(frozen=True)
class Ahead:
    """The rest of what a seat wants, which waits until its question is answered.

    ``keep_open`` is whether its turn stays open after them.
    """

    seat: Seat
    commands: tuple[Command, ...]
    keep_open: bool
    #: the name of the decision that they wait for: the question that must be answered
    question: str
    #: the name of the decision that the question interrupted, their own
    turn: str
    #: the position that they followed
    number: int
    #: what goes before them where the answer is no
    instead: tuple[Command, ...] = ()

    @property
    def shown(self) -> str:
        """They as an answer repeats them."""
        after = [IF_NO.format(command=command.shown) for command in self.instead]
        return cut("; ".join([*after, *(command.shown for command in self.commands)]), _SHOWN)

    @property
    def ends(self) -> bool:
        """Whether only the end of the turn waits."""
        return not self.instead and [command.rest for command in self.commands] == ["done"]

    def then(self, *, agreed: bool) -> tuple[Command, ...]:
        """What is to be done after an answer."""
        return self.commands if agreed else _numbered((*self.instead, *self.commands))

    def standing(self, state: State) -> Standing:
        """Whether they can be carried out in a position; another question may follow the first."""
        if waits_for(self.seat, state):
            return "waits" if engine.interrupted(state) == self.turn else "gone"
        return "due" if engine.decision(state) == self.turn else "gone"

    def at(self, state: State) -> "Ahead":
        """They as they wait in a position."""
        return replace(self, question=engine.decision(state))


def given(
    seat: Seat, state: State, commands: Sequence[Command], keep_open: bool, instead: str = ""
) -> Ahead:
    """Commands that wait from now on for the answer to the open question of their seat."""
    asked, turn = engine.decision(state), engine.interrupted(state)
    no = _commands(instead)
    return Ahead(seat, _numbered(commands), keep_open, asked, turn, state.number, no)


def _commands(text: str) -> tuple[Command, ...]:
    """The commands of a text that has one a line."""
    return _numbered([Command(0, "play", line, line) for line in text.split("\n") if line])


def _numbered(commands: Sequence[Command]) -> tuple[Command, ...]:
    return tuple(replace(command, number=line) for line, command in enumerate(commands, 1))


def waits_for(seat: Seat, state: State) -> Seat:
    """Who must answer what the seat's turn waits for, perhaps itself; "" where it waits not."""
    question = engine.question(state)
    return question.asked if question is not None and question.proposer == seat else ""


def of(aheads: Sequence[Ahead], seat: Seat) -> Ahead | None:
    """What a seat has given ahead; None if nothing."""
    return next((ahead for ahead in aheads if ahead.seat == seat), None)


def read(row: AheadRow) -> Ahead:
    """Commands as they were stored, one a line."""
    known = (row.keep_open, row.question, row.turn, row.number)
    return Ahead(row.seat, _commands(row.commands), *known, _commands(row.instead))


def written(ahead: Ahead) -> Given:
    """Commands as they are stored; no command has a line break in it."""
    return Given(
        seat=ahead.seat,
        commands="\n".join(command.rest for command in ahead.commands),
        keep_open=ahead.keep_open,
        question=ahead.question,
        turn=ahead.turn,
        number=ahead.number,
        instead="\n".join(command.rest for command in ahead.instead),
    )

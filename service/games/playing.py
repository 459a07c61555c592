"""Applies one mail's commands of the game to a position: all of them, or none.

What follows a question to another player may wait for the answer: it is neither done nor at fault.
It knows positions and commands, but no mail, no database and no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from msgspec.structs import replace as with_number

import engine
from engine import Action, Correction, Event, Illegal, Open, Refusal, Seat, State, Title
from engine.actions import AsideAction, BuyTrain, CompanyAction, Pass
from engine.notation import NotationError, alternatives, parse, write
from engine.notation.position import turn_company
from engine.telling.narration import narrate_all
from engine.wording import cut
from service.commands.command import SHOWN, Command

#: characters of a line that says why a command was not understood
_TOLD = 300


@dataclass(frozen=True)
class Played:
    """An action that was applied, and what it led to."""

    number: int
    line: int
    seat: Seat
    text: str
    #: None for what no rule knows: the end that all have agreed on
    action: Action | Correction | None
    state: State
    events: tuple[Event, ...]

    def told(self, title: Title) -> tuple[str, ...]:
        """What happened, in sentences."""
        return tuple(narrate_all(title, self.events))


@dataclass(frozen=True)
class CommandFault:
    """Why a command was not carried out."""

    text: str
    #: what would do, perhaps in several lines
    hint: str = ""
    #: where the command was not understood: the part of it around that place, a caret below
    caret: str = ""
    #: the kind of rule, as `Refusal.code`; "" for a command that was not understood
    code: str = ""


@dataclass(frozen=True)
class Attempt:
    """A command and what became of it: played, at fault, waiting, or not tried after a fault."""

    command: Command
    played: Played | None = None
    fault: CommandFault | None = None
    #: actions that the moderator added after this one
    added: tuple[Played, ...] = field(default=())
    #: what is to be said of a command that was right and had nothing left to do
    settled: str = ""
    #: whether that was to run or to pay in a turn in which nothing could be earned
    unearned: bool = False
    #: the player without whose answer it cannot be carried out yet
    waits: Seat = ""
    #: the alternatives that are left if what it proposes is turned down
    otherwise: str = ""


@dataclass(frozen=True)
class PlayOutcome:
    """What became of a mail's commands; ``state`` is the old one unless all were carried out.

    ``done`` is true, too, where some are done and the others wait.
    """

    steps: tuple[Attempt, ...]
    state: State
    played: tuple[Played, ...]
    done: bool
    #: with which answers what waits would not be legal as things stand, in sentences
    unless: tuple[str, ...] = ()
    #: the purchase of a first train that a company's turn stays open for, "" for none; it is owed
    #: where the turn cannot end without it
    train: str = ""

    @property
    def rest(self) -> tuple[Command, ...]:
        """The commands that wait for an answer."""
        return tuple(step.command for step in self.steps if step.waits)

    @property
    def instead(self) -> str:
        """What is to be done before those where the answer is no, "" for nothing."""
        done = [step for step in self.steps if step.played is not None]
        return done[-1].otherwise if self.done and done else ""


class Play:
    """A position that one seat's commands are applied to."""

    def __init__(self, title: Title, state: State, seat: Seat, next_number: int) -> None:
        """``next_number`` is the number of the next state; numbers are never used twice."""
        self.title = title
        self.state = state
        self.seat = seat
        self._next = next_number
        self._began = engine.decision(state)
        # The position before the latest action, if that ended its turn without being told to.
        self._left: State | None = None
        # The own turn that goes on, where its own question was answered.
        self._resumed = ""

    def commands(
        self, commands: Sequence[Command], keep_open: bool, ahead: bool = False
    ) -> PlayOutcome:
        """Apply the commands in order; at the end of the mail the turn ends too, if it can.

        With ``ahead``, what cannot be done because the seat's own question is open waits.
        """
        before, steps = self.state, []
        faulty, waits = False, ""
        for command in commands:
            step = Attempt(command, waits=waits) if faulty or waits else self.one(command)
            if step.fault is not None and ahead and self._asked():
                step = Attempt(command, waits=self._asked())
            faulty, waits = faulty or step.fault is not None, step.waits
            steps.append(step)
        if faulty:
            self.state = before
            return PlayOutcome(tuple(steps), before, (), False)
        train = "" if keep_open else self._first_train(steps)
        return replace(self.finish(steps, keep_open=keep_open or bool(train)), train=train)

    def finish(self, steps: list[Attempt], *, keep_open: bool) -> PlayOutcome:
        """What the steps have come to, all of them carried out; the turn ends too, if it can."""
        played = [p for step in steps for p in (*step.added, step.played) if p is not None]
        moved = any(not isinstance(p.action, AsideAction) for p in played)
        if not keep_open and (moved or any(step.unearned for step in steps)):
            ended = self._end_turn(steps[-1].command.number)
            if ended is not None:
                played.append(ended)
                steps[-1] = replace(steps[-1], added=(*steps[-1].added, ended))
        return PlayOutcome(tuple(steps), self.state, tuple(played), True)

    def one(self, command: Command) -> Attempt:
        """Carry out one command, or the first of its alternatives that is legal."""
        if command.barred:
            return Attempt(command, fault=CommandFault(command.barred))
        self._began = self._resumed or self._began
        *others, last = alternatives(command.rest) or [command.rest]
        for place, text in enumerate(others, 1):
            step = self._try(command, text)
            if step.fault is None:
                left = (*others[place:], last) if self._asked() else ()
                return replace(step, otherwise=" else ".join(left))
        return self._try(command, last)

    def _try(self, command: Command, text: str) -> Attempt:
        try:
            if late := self._too_late(command, text):
                return late
            action = parse(self.title, self.state, self.seat, text)
            if isinstance(action, Pass) and self._left is not None:
                self._left = None
                return Attempt(command, settled="the turn was over already")
            return self._play(command, action)
        except NotationError as error:
            return Attempt(command, fault=_misread(error))

    def _play(self, command: Command, action: Action) -> Attempt:
        try:
            return Attempt(command, self._apply(action, command.number))
        except Illegal as error:
            why = engine.unearned(self.title, self.state, self.state, action)
            return (
                _unearned(command, why) if why else Attempt(command, fault=_refused(error.refusal))
            )

    def _too_late(self, command: Command, text: str) -> Attempt | None:
        """What becomes of what was meant for a company whose turn has ended by itself.

        The next company may be the player's too, and shall not do what was meant for the last one.
        """
        if self._left is None:
            return None
        company, turn = turn_company(self._left), turn_company(self.state)
        try:
            action = parse(self.title, self._left, self.seat, text)
        except NotationError:
            return None
        if not isinstance(action, CompanyAction) or action.company != company:
            return None
        refusal = engine.too_late(self.title, self._left, self.state, action)
        if refusal is None:
            return None
        if why := engine.unearned(self.title, self._left, self.state, action):
            return _unearned(command, why)
        fault = _refused(refusal)
        over = f"With that nothing was left to do for {company}, and its turn is over."
        if turn != company and self.seat in engine.to_act(self.title, self.state):
            over += f" `{turn}: {text}` would be for {turn}." if turn else ""
        return Attempt(command, fault=replace(fault, hint=f"{fault.hint}\n{over}".strip()))

    def _apply(self, action: Action, line: int) -> Played:
        text, before = write(self.title, self.state, action), engine.decision(self.state)
        turn = engine.interrupted(self.state) if self._answers_own() else ""
        numbered = with_number(self.state, number=self._next - 1)
        outcome, left = engine.apply(self.title, numbered, action), self.state
        self.state = outcome.state
        ended = engine.decision(outcome.state) != before and not self._asked()
        by_itself = ended and not turn and not isinstance(action, Pass)
        self._left = left if by_itself else None
        self._resumed = turn if turn == engine.decision(outcome.state) else ""
        played = Played(self._next, line, self.seat, text, action, outcome.state, outcome.events)
        self._next += 1
        return played

    def _asked(self) -> Seat:
        """Who must answer a question of this seat now; "" if there is none."""
        question = engine.question(self.state)
        if question is None or question.proposer != self.seat or question.asked == self.seat:
            return ""
        return question.asked

    def _answers_own(self) -> bool:
        """Whether this seat itself must say what its turn waits for: to a counter-offer."""
        question = engine.question(self.state)
        return question is not None and question.asked == question.proposer == self.seat

    def _first_train(self, steps: Sequence[Attempt]) -> str:
        """What buys a company its first train, of which no command has said anything.

        "" where it has one, where it can buy none, and where the turn goes on or is over anyway.
        """
        company = turn_company(self.state)
        bought = any(s.played and isinstance(s.played.action, BuyTrain) for s in steps)
        if not company or self.state.trains.get(company) or bought:
            return ""
        if engine.decision(self.state) != self._began or self._asked():
            return ""
        options = engine.options(self.title, self.state, self.seat)
        actions = (option.action for option in options if not isinstance(option, Open))
        buys = (write(self.title, self.state, a) for a in actions if isinstance(a, BuyTrain))
        return next(buys, "")

    def _end_turn(self, line: int) -> Played | None:
        """End the turn with the mail, where it is still the same one and nothing is owed."""
        if engine.decision(self.state) != self._began:
            return None
        action = Pass(by=self.seat)
        if engine.why_not(self.title, self.state, action) is not None:
            return None
        return self._apply(action, line)


NOTHING_EARNED = "{why}: nothing to run or pay"


def _unearned(command: Command, why: str) -> Attempt:
    return Attempt(command, settled=NOTHING_EARNED.format(why=why), unearned=True)


def _refused(refusal: Refusal) -> CommandFault:
    return CommandFault(refusal.reason, refusal.hint, code=refusal.code)


def _misread(error: NotationError) -> CommandFault:
    _, _, text, *hints = (cut(line, _TOLD) for line in str(error).split("\n"))
    line, column = error.line, error.column
    if len(line) > SHOWN:
        start = max(0, min(column - SHOWN // 2, len(line) - SHOWN))
        line, column = line[start : start + SHOWN], column - start
    return CommandFault(text, "\n".join(hints), f"{line}\n{' ' * column}^")

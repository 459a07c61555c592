"""Applies the commands of one email to a position: all of them, or none.

Commands after a question to another player may wait for the answer. The module knows positions and
commands, but no email, no database and no clock.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from msgspec.structs import replace as with_number

import engine
from engine import Action, Correction, Event, Illegal, Open, Refusal, Seat, State, Title
from engine.actions import BuyTrain, CompanyAction, Pass
from engine.notation import NotationError, alternatives, parse, write
from engine.notation.position import turn_company
from engine.telling.narration import Sentence, narrate_all, sentences
from engine.wording import cut
from service.commands.command import SHOWN, Command

#: the most characters of a line that says why a command was not understood
_TOLD = 300


@dataclass(frozen=True)
class Played:
    """An action that was applied, and its events."""

    number: int
    line: int
    seat: Seat
    text: str
    #: None for an end that all players agreed on, which no rule knows
    action: Action | Correction | None
    state: State
    events: tuple[Event, ...]

    def narrated(self, title: Title) -> tuple[str, ...]:
        """Sentences that say what happened."""
        return tuple(narrate_all(title, self.events))

    def parted(self, title: Title) -> tuple[tuple[str, ...], tuple[Sentence, ...]]:
        """What the player did, and what the game then did by itself."""
        told = sentences(title, self.events)
        own = next((n for n, one in enumerate(told) if one.of_game), len(told))
        return tuple(map(str, told[:own])), tuple(told[own:])


@dataclass(frozen=True)
class CommandFault:
    """The reason why a command was not carried out."""

    text: str
    #: commands that would work, perhaps several lines
    hint: str = ""
    #: for a command that was not understood: the part around the error, with a caret below
    caret: str = ""
    #: the kind of rule, as `Refusal.code`; "" if the command was not understood
    code: str = ""


@dataclass(frozen=True)
class Attempt:
    """A command and its outcome: played, at fault, waiting, or not tried after a fault."""

    command: Command
    played: Played | None = None
    fault: CommandFault | None = None
    #: actions that Waybill added after this one
    added: tuple[Played, ...] = field(default=())
    #: the answer to a correct command that had nothing left to do
    settled: str = ""
    #: whether it was to run or to pay in a turn that could earn nothing
    unearned: bool = False
    #: the player whose answer it waits for
    waits: Seat = ""
    #: the alternatives that are left if its offer is declined
    otherwise: str = ""


TURN_IS_OVER = "With that nothing was left to do for {company}, and its turn is over."
WOULD_BE_FOR = "`{company}: {command}` would be for {company}."


@dataclass(frozen=True)
class PlayOutcome:
    """The outcome of an email's commands; ``state`` is the old one unless all succeeded.

    ``done`` is also true if some are done and the others wait.
    """

    steps: tuple[Attempt, ...]
    state: State
    played: tuple[Played, ...]
    done: bool
    #: sentences that name the answers after which the waiting commands would be illegal
    unless: tuple[str, ...] = ()
    #: the purchase of a first train that keeps a company's turn open, "" for none; required if the
    #: turn cannot end without it
    train: str = ""

    @property
    def rest(self) -> tuple[Command, ...]:
        """The commands that wait for an answer."""
        return tuple(step.command for step in self.steps if step.waits)

    @property
    def instead(self) -> str:
        """The commands that come before those if the answer is no; "" for none."""
        done = [step for step in self.steps if step.played is not None]
        return done[-1].otherwise if self.done and done else ""


class Play:
    """A position to which one seat's commands are applied."""

    def __init__(self, title: Title, state: State, seat: Seat, next_number: int) -> None:
        """``next_number`` is the number of the next state; numbers are never reused."""
        self.title = title
        self.state = state
        self.seat = seat
        self._next = next_number
        self._began = engine.decision(state)
        # The position before the latest action, if that action ended its turn by itself.
        self._left: State | None = None
        # The name of the own turn that continues, if its own question was answered.
        self._resumed = ""

    def commands(
        self, commands: Sequence[Command], keep_open: bool, ahead: bool = False
    ) -> PlayOutcome:
        """Apply the commands in order; the end of the email ends the turn if possible.

        With ``ahead``, commands wait that cannot be done while the seat's own question is open.
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
        """The outcome of steps that all succeeded; the turn ends too, if possible."""
        played = [p for step in steps for p in (*step.added, step.played) if p is not None]
        acts = (p.action for p in played if not isinstance(p.action, Correction))
        moved = any(action is None or not action.beside for action in acts)
        if not keep_open and (moved or any(step.unearned for step in steps)):
            ended = self._end_turn(steps[-1].command.number)
            if ended is not None:
                played.append(ended)
                steps[-1] = replace(steps[-1], added=(*steps[-1].added, ended))
        return PlayOutcome(tuple(steps), self.state, tuple(played), True)

    def one(self, command: Command) -> Attempt:
        """Carry out one command, or the first legal one of its alternatives."""
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
            if action.passes and self._left is not None:
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
        """The outcome of a command for a company whose turn has ended by itself.

        The next company may have the same president, and must not do what was meant for the last
        one.
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
        over = TURN_IS_OVER.format(company=company)
        if turn != company and self.seat in engine.to_act(self.title, self.state):
            over += " " + WOULD_BE_FOR.format(company=turn, command=text) if turn else ""
        return Attempt(command, fault=replace(fault, hint=f"{fault.hint}\n{over}".strip()))

    def _apply(self, action: Action, line: int) -> Played:
        text, before = write(self.title, self.state, action), engine.decision(self.state)
        turn = engine.interrupted(self.state) if self._answers_own() else ""
        numbered = with_number(self.state, number=self._next - 1)
        outcome, left = engine.apply(self.title, numbered, action), self.state
        self.state = outcome.state
        ended = engine.decision(outcome.state) != before and not self._asked()
        by_itself = ended and not turn and not action.passes
        self._left = left if by_itself else None
        self._resumed = turn if turn == engine.decision(outcome.state) else ""
        played = Played(self._next, line, self.seat, text, action, outcome.state, outcome.events)
        self._next += 1
        return played

    def _asked(self) -> Seat:
        """The seat that must answer a question of this seat now; "" if there is none."""
        question = engine.question(self.state)
        if question is None or question.proposer != self.seat or question.asked == self.seat:
            return ""
        return question.asked

    def _answers_own(self) -> bool:
        """Whether this seat must answer a counteroffer before its turn continues."""
        question = engine.question(self.state)
        return question is not None and question.asked == question.proposer == self.seat

    def _first_train(self, steps: Sequence[Attempt]) -> str:
        """The command that buys a company its first train, if no command mentioned one.

        "" if the company has a train, if it can buy none, or if the turn continues or is over
        anyway.
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
        """End the turn with the email, if it is still the same turn and nothing is required."""
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

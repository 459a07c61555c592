"""Whether what is to wait for an answer can be legal then: with one of the answers it must be.

Who writes is told at once what could never be done, not when the other player has answered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import engine
from engine import Choice, Question, Seat, State
from engine.actions import AnswerAction
from engine.events import Asked
from engine.notation import write
from engine.notation.position import turn_company
from engine.position.frames import PrivateTurn, StockTurn
from service.commands.command import Command
from service.games.ahead import Ahead, given
from service.games.playing import Attempt, Fault, Play, PlayOutcome

#: questions after one another whose answers are supposed; what follows may be possible
_DEEPEST = 3


@dataclass(frozen=True)
class Supposed:
    """What would become of the commands that wait, if the player asked gave this answer."""

    #: "Bob answers `accept`"
    answer: str
    outcome: PlayOutcome


ANSWERS = "{name} answers `{command}`"
TURN_IS_OVER = "the turn is over then"


def carry_out(
    play: Play, commands: Sequence[Command], keep_open: bool, deepest: int = _DEEPEST
) -> PlayOutcome:
    """Apply commands, or let those behind a question wait if any answer can make them legal.

    Else nothing is done, and what would be at fault says so. Where an offer comes last, the end of
    the turn waits for the answer.
    """
    before = play.state
    outcome = play.commands(commands, keep_open, ahead=True)
    if not keep_open and deepest and _offers_last(play.seat, outcome):
        return _with_end(play, outcome, deepest)
    if not (outcome.rest or outcome.instead) or not deepest:
        return outcome
    waits = given(play.seat, outcome.state, outcome.rest, keep_open, outcome.instead)
    every = tuple(_supposed(play, outcome.state, waits, deepest))
    if any(one.outcome.done for one in every):
        return replace(outcome, unless=tuple(_doubt(one) for one in every if not one.outcome.done))
    return _refused(outcome, before, every)


def _offers_last(seat: Seat, outcome: PlayOutcome) -> bool:
    """Whether the last command is an offer, in a turn that the end of an email ends.

    A stock turn in which nothing was bought or sold stays open: its end would be a pass. So does
    that of a company without a train.
    """
    if not outcome.played or outcome.rest or outcome.instead:
        return False
    if all(not isinstance(e, Asked) or e.by != seat for e in outcome.played[-1].events):
        return False
    company = turn_company(outcome.state)
    if company and not outcome.state.trains.get(company):
        return False
    top = [frame for frame in outcome.state.stack if not isinstance(frame, Question)][-1]
    traded = isinstance(top, StockTurn) and (top.bought or top.sold)
    return traded or not isinstance(top, StockTurn | PrivateTurn)


def _with_end(play: Play, outcome: PlayOutcome, deepest: int) -> PlayOutcome:
    """An outcome behind which the end of the turn waits, if an answer can make it legal."""
    line = outcome.steps[-1].command.number
    question = engine.question(outcome.state)
    assert question is not None
    done = Attempt(Command(line, "play", "done", "done"), waits=question.asked)
    waits = given(play.seat, outcome.state, (done.command,), keep_open=False)
    every = tuple(_supposed(play, outcome.state, waits, deepest))
    if not any(one.outcome.done for one in every):
        return outcome
    unless = tuple(_doubt(one) for one in every if not one.outcome.done)
    return replace(outcome, steps=(*outcome.steps, done), unless=unless)


def _supposed(play: Play, state: State, waits: Ahead, deepest: int) -> Iterator[Supposed]:
    """Each answer that may be given to the open question, and what would become of the rest."""
    question = engine.question(state)
    assert question is not None
    for option in engine.options(play.title, state, question.asked):
        if isinstance(option, Choice):
            action = option.action
            answer = ANSWERS.format(name=question.asked, command=write(play.title, state, action))
            then = engine.apply(play.title, state, action).state
            yes = isinstance(action, AnswerAction) and action.fate == "accepted"
            yield Supposed(answer, _then(play, then, waits, (waits.then(agreed=yes), deepest)))


def _then(
    play: Play, state: State, waits: Ahead, left: tuple[tuple[Command, ...], int]
) -> PlayOutcome:
    """What would become of commands that wait, in the position after an answer.

    ``left`` are those that are to be done after it, and how many questions more are supposed.
    """
    commands, deepest = left
    if not commands:
        return PlayOutcome((), state, (), True)
    standing = waits.standing(state)
    if standing == "gone":
        fault = Fault(TURN_IS_OVER)
        steps = (Attempt(commands[0], fault=fault), *map(Attempt, commands[1:]))
        return PlayOutcome(steps, state, (), False)
    # another question may follow the first: the commands are tried, and wait again
    later = Play(play.title, state, waits.seat, state.number + 1)
    return carry_out(later, commands, waits.keep_open, deepest - 1)


def _fault(outcome: PlayOutcome) -> Attempt:
    return next(step for step in outcome.steps if step.fault is not None)


NOT_LEGAL_IF = "If {answer}, `{command}` is not legal, and none of them is done: {why}."


def _doubt(one: Supposed) -> str:
    step = _fault(one.outcome)
    assert step.fault is not None
    why = step.fault.text
    return NOT_LEGAL_IF.format(answer=one.answer, command=step.command.shown, why=why)


def _refused(outcome: PlayOutcome, before: State, every: Sequence[Supposed]) -> PlayOutcome:
    """The outcome of commands that no answer makes legal: the fault is told of each answer."""
    done = [step for step in outcome.steps if not step.waits]
    first, *others = every
    then = list(first.outcome.steps)
    place = then.index(_fault(first.outcome))
    fault = then[place].fault
    assert fault is not None
    at = (then[place].command, fault)
    if any((step.command, step.fault) != at for one in others for step in [_fault(one.outcome)]):
        told = [_told(one) for one in others]
        fault = replace(fault, text=_told(first), hint="\n".join([*told, fault.hint]).strip())
    then[place] = replace(then[place], fault=fault)
    # what is done after a no alone stands in the mail with the question
    if len(then) > len(outcome.rest):
        extra, *then = then
        if extra.fault is not None:
            done[-1] = replace(done[-1], fault=fault)
    # the commands as they stand in this mail
    rest = [replace(s, command=command) for s, command in zip(then, outcome.rest, strict=True)]
    return PlayOutcome((*done, *rest), before, (), False)


FAULT_IF = "if {answer}, `{command}`: {why}"


def _told(one: Supposed) -> str:
    step = _fault(one.outcome)
    assert step.fault is not None
    return FAULT_IF.format(answer=one.answer, command=step.command.shown, why=step.fault.text)

"""The course of a game: who must decide, which actions are legal, what each brings about.

No other module judges whether an action is legal in a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final, Literal

from msgspec import Struct

from engine.actions import Accept, Action, CompanyAction, Pass, Run
from engine.correcting import correct
from engine.corrections import Correction
from engine.events import Event
from engine.facts.title import Title
from engine.options import Choice, Open, Option, Range
from engine.play.ending import end_game
from engine.play.opening import opening
from engine.play.rounds import TURN, first_frame
from engine.position.draft import Draft
from engine.position.frames import Frame, OperatingTurn, Question, Trains
from engine.position.table import Table
from engine.position.values import CompanyId, Ending, Seat, State
from engine.refusal import Illegal, Refusal
from engine.steps import ALWAYS, STEPS
from engine.steps.base import Acts, Step
from engine.steps.known import why_not_known
from engine.steps.operating.turn_wide import beside, turn_wide
from engine.track.network import has_route

#: more automatic steps than this in a row mean a bug in Waybill
_PATIENCE = 10_000


class Outcome(Struct, frozen=True, gc=False):
    """The result of an action."""

    state: State
    events: tuple[Event, ...]


def new_game(title: Title, players: Sequence[Seat], seed: int | None = None) -> Outcome:
    """Set up a game, before its first decision (2).

    ``players`` are in seating order, and the first has the priority deal. A ``seed`` draws both by
    lot, and everything else that the title leaves to chance. Without a seed, the first choice is
    taken. Raises ValueError for a number of players, or for names, that the title does not allow.
    """
    draft = opening(title, players, seed)
    settle(draft)
    return Outcome(draft.commit(), tuple(draft.events))


def to_act(title: Title, state: State) -> tuple[Seat, ...]:
    """The seats that must decide; none when the game is over."""
    if not state.stack:
        return ()
    frame = state.stack[-1]
    return STEPS[type(frame)].actors(Table(title, state), frame)


def decision(state: State) -> str:
    """The name of the decision to be made; it lasts as long as one player's turn.

    An answer to an older position also answers this one if both decisions have the same name.
    """
    return _named(state, state.stack)


def question(state: State) -> Question | None:
    """The offer that another player must answer next; None if there is none.

    After the answer, the turn of the proposer, ``by``, goes on if `decision` of the new position
    equals what `interrupted` says now. The same player may also make another offer after the
    answer.
    """
    top = state.stack[-1] if state.stack else None
    return top if isinstance(top, Question) else None


def interrupted(state: State) -> str:
    """The name of the decision that offers have interrupted; `decision` if there are no offers."""
    return _named(state, tuple(f for f in state.stack if not isinstance(f, Question)))


def _named(state: State, stack: tuple[Frame, ...]) -> str:
    keys = (STEPS[type(frame)].key(frame, state.round) for frame in stack)
    return ", ".join((str(state.round), *(key for key in keys if key)))


def why_not(title: Title, state: State, action: Action | Correction) -> Refusal | None:
    """The reason why the action is illegal in this position, or None: the one judge of legality.

    `engine.correcting` judges the corrections of a director.
    """
    draft = Draft(title, state)
    if isinstance(action, Correction):
        return correct(draft, action)
    found = _judge(draft, action)
    return found if isinstance(found, Refusal) else None


def why_not_pass(title: Title, state: State, seat: Seat) -> Refusal | None:
    """The reason why a player may not pass, or end the turn, in this position, or None."""
    return why_not(title, state, Pass(by=seat))


def why_not_accepted(title: Title, state: State) -> Refusal | None:
    """The reason why the player who is asked may not accept the offer, or None."""
    asked = question(state)
    if asked is None:
        raise ValueError("nobody is asked anything")
    return why_not(title, state, Accept(by=asked.asked))


def too_late(title: Title, before: State, after: State, action: Action) -> Refusal | None:
    """The reason why an action comes too late, because the company's turn has ended by itself.

    The turn that was on in ``before`` has ended in ``after``, because nothing was left to do in it.
    Returns None if no company's turn has ended.
    """
    draft, turn = Draft(title, after), _operating_turn(Draft(title, before))
    ended = turn is not None and _turn_of(draft) != _turn_of(Draft(title, before))
    return _why_not_in(draft, turn, action) if turn is not None and ended else None


NO_ROUTE: Final = "no route"
NO_REVENUE: Final = "no revenue"


def unearned(
    title: Title, before: State, state: State, action: Action
) -> Literal["", "no route", "no revenue"]:
    """The reason why a company's run or dividend has nothing to do in its turn, "" if it has.

    "no route" is also the answer for a company without a train. "no revenue" means that the trains
    have earned nothing. For a run with routes the answer is always "". ``before`` is a position in
    the turn that the action is meant for. ``state`` is the position it has led to, perhaps after
    that turn.
    """
    if not action.needs or not isinstance(action, CompanyAction):
        return ""
    draft, turn = Draft(title, state), _operating_turn(Draft(title, before))
    if turn is None or turn.company != action.company:
        return ""
    over = _turn_of(draft) != _turn_of(Draft(title, before))
    if not over:
        refused = _why_not_by(draft, action) or _judge(draft, action)
        if not isinstance(refused, Refusal) or not _has_run(draft, turn.company):
            return ""
    if turn.company in draft.gone or draft.earned.get(turn.company):
        return ""
    if not draft.trains.get(turn.company) or not has_route(draft.table, turn.company):
        return NO_ROUTE
    # a train bought before the turn was over may have been meant to run
    return "" if over and action.needs == "route" else NO_REVENUE


def apply(title: Title, state: State, action: Action | Correction) -> Outcome:
    """The position after the action and everything that follows by itself; raises Illegal."""
    draft = Draft(title, state)
    if isinstance(action, Correction):
        if refusal := correct(draft, action):
            raise Illegal(refusal)
    else:
        _play(draft, action)
    settle(draft)
    return Outcome(draft.commit(), tuple(draft.events))


def _play(draft: Draft, action: Action) -> None:
    """Judge an action and carry it out; raises Illegal."""
    found = _judge(draft, action)
    if found is None:
        return
    if isinstance(found, Refusal):
        raise Illegal(found)
    frame = draft.stack[-1]
    if action.passes and isinstance(found, Step):
        found.leave(draft, frame)
    else:
        found.play(draft, frame, action)


def accepted(title: Title, state: State) -> State:
    """The position after the player who is asked accepts the offer; raises Illegal."""
    asked = question(state)
    if asked is None:
        raise ValueError("nobody is asked anything")
    return apply(title, state, Accept(by=asked.asked)).state


def agreed_end(title: Title, state: State, cause: str = "agreement") -> Outcome:
    """End the game because its players, or with "director" its director, agree; no rule asks for
    it."""
    draft = Draft(title, state)
    draft.foresee(Ending(cause))
    end_game(draft)
    return Outcome(draft.commit(), tuple(draft.events))


def replay(title: Title, state: State, actions: Iterable[Action | Correction]) -> Iterator[Outcome]:
    """The outcome of each action in turn; raises Illegal at the first action that is not legal."""
    for action in actions:
        outcome = apply(title, state, action)
        state = outcome.state
        yield outcome


def settle(draft: Draft) -> None:
    """Do everything that needs no decision, until somebody must decide."""
    for _ in range(_PATIENCE):
        if not draft.stack:
            return
        before, frame = draft.stack, draft.stack[-1]
        STEPS[type(frame)].enter(draft, frame)
        if draft.stack is before:
            return
    raise RuntimeError(f"the game does not settle: {draft.stack}")


def _judge(draft: Draft, action: Action) -> Acts | Refusal | None:
    """The rules that play the action, or the reason why it is refused.

    An action for a later step of a company's turn passes over the steps before it, if it may. The
    draft is then at the step where the action is played. None means that there is nothing to play:
    passing over the steps has ended the turn already.
    """
    refusal = _why_not_by(draft, action) or why_not_known(draft.table, action)
    if refusal:
        return refusal
    if always := ALWAYS_VERBS.get(type(action)):
        return always.why_not(draft.table, draft.stack[-1], action) or always
    if action.passes:
        return _judge_done(draft)
    turn = _operating_turn(draft)
    while True:
        frame = draft.stack[-1]
        step = STEPS[type(frame)]
        taker = _taker(draft, turn, action)
        if taker is not None:
            return taker.why_not(draft.table, frame, action) or taker
        if turn is None or not _comes_later(draft, action):
            return _not_now(draft, turn, action)
        refusal = step.must(draft.table, frame)
        if refusal:
            return refusal
        before = _turn_of(draft)
        step.leave(draft, frame)
        settle(draft)
        if _turn_of(draft) != before or not _takes(draft, turn, action):
            return _why_not_in(draft, turn, action)


NOTHING_LEFT = "Not now: nothing of the kind is left to decide in the turn of {company}"


def _why_not_in(draft: Draft, turn: OperatingTurn, action: Action) -> Refusal:
    """Refuse an action whose step has passed by itself, because it was not possible there."""
    if turn.company in draft.gone:
        text = f"Not now: {turn.company} has closed before its turn comes to that"
        return draft.table.refuse("company gone", "order", text)
    for name in draft.title.facts.turn[turn.at :]:
        frame = first_frame(name, turn.company)
        for acts in (STEPS[type(frame)], *beside(draft.title, type(frame))):
            if acts.takes(draft.title, action):
                if isinstance(action, Run) and draft.trains.get(turn.company):
                    # whatever is wrong with the run, these trains came after the step
                    return _runs_first(draft, turn.company)
                if refusal := acts.why_not(draft.table, frame, action):
                    return refusal
    return draft.table.refuse("turn order", "order", NOTHING_LEFT.format(company=turn.company))


NOT_THEIR_TURN = "It is {others}'s turn, not {player}'s"


def _why_not_by(draft: Draft, action: Action) -> Refusal | None:
    """Refuse a player who may not act at all now."""
    if not draft.stack:
        return Refusal("", "over", "The game is over")
    if action.by not in draft.seats:
        return Refusal("", "name", f"Nobody called {action.by} plays here")
    if type(action) in ALWAYS_VERBS:
        return None
    frame = draft.stack[-1]
    actors = STEPS[type(frame)].actors(draft.table, frame)
    if action.by in actors:
        return None
    text = NOT_THEIR_TURN.format(player=action.by, others=" and ".join(actors))
    return Refusal(draft.table.rule("turn order"), "turn", text)


#: verb that is for any step → its rules
ALWAYS_VERBS: dict[type[Any], Acts] = {verb: acts for acts in ALWAYS for verb in acts.verbs}


def _taker(draft: Draft, turn: OperatingTurn | None, action: Action) -> Acts | None:
    """The rules that judge the action in the current step: of the whole turn, or of the step.

    Rules of the whole turn take only some actions of a verb. The step takes all others.
    """
    frame = type(draft.stack[-1])
    step = STEPS[frame]
    if turn is not None and step.in_turn:
        for acts in _beside_step(draft.title, frame, type(action)):
            if acts.takes(draft.title, action):
                return acts
    return step if type(action) in step.verbs else None


@cache
def _beside_step(title: Title, step: type[Any], verb: type[Any]) -> tuple[Acts, ...]:
    """The rules of a verb that apply beside a step and are not the step's own."""
    every = (*beside(title, step), *turn_wide(title))
    return tuple(acts for acts in every if issubclass(verb, acts.verbs))


def _takes(draft: Draft, turn: OperatingTurn, action: Action) -> bool:
    """Whether the current step, or a later one of the turn, takes the action."""
    return _taker(draft, turn, action) is not None or _comes_later(draft, action)


def _comes_later(draft: Draft, action: Action) -> bool:
    """Whether a later step of the operating turn takes the action."""
    later = _later(draft.title, _rest_of_turn(draft), type(action))
    return any(acts.takes(draft.title, action) for acts in later)


@cache
def _later(title: Title, names: tuple[str, ...], verb: type[Any]) -> tuple[Acts, ...]:
    """The rules of a verb in these steps of a turn."""
    every = (acts for name in names for acts in (STEPS[TURN[name]], *beside(title, TURN[name])))
    return tuple(acts for acts in every if issubclass(verb, acts.verbs))


def _rest_of_turn(draft: Draft) -> tuple[str, ...]:
    """Steps of the operating turn that have not begun."""
    below = draft.stack[-2] if len(draft.stack) > 1 else None
    if not isinstance(below, OperatingTurn) or not STEPS[type(draft.stack[-1])].in_turn:
        return ()
    return draft.title.facts.turn[below.at :]


def _has_run(draft: Draft, company: CompanyId) -> bool:
    """Whether the company has run its trains in its turn, had none to run, or its turn is over.

    The steps that have begun show this: the last of them is still on.
    """
    turn = _operating_turn(draft)
    if turn is None or turn.company != company:
        return True
    return "run" in draft.title.facts.turn[: turn.at - 1]


def _judge_done(draft: Draft) -> Acts | Refusal | None:
    """Pass, or end the turn. Every step that is left must allow it."""
    turn = _turn_of(draft)
    while True:
        frame = draft.stack[-1]
        step = STEPS[type(frame)]
        if not step.in_turn and not step.passes:
            return _not_now(draft)
        refusal = step.must(draft.table, frame)
        if refusal:
            return refusal
        if step.passes or not _rest_of_turn(draft):
            return step
        step.leave(draft, frame)
        settle(draft)
        if _turn_of(draft) != turn or _is_interrupted(draft):
            return None


def _is_interrupted(draft: Draft) -> bool:
    """Whether another decision, perhaps by others, comes before a company's turn goes on."""
    kind = type(draft.stack[-1])
    return not STEPS[kind].in_turn or kind not in TURN.values()


def _operating_turn(draft: Draft) -> OperatingTurn | None:
    """The current turn of a company, if there is one."""
    for frame in reversed(draft.stack):
        if type(frame) is OperatingTurn:
            return frame
    return None


def _turn_of(draft: Draft) -> tuple[str, int] | None:
    """The company whose turn it is, and the number of turns it has had."""
    frame = _operating_turn(draft)
    return (frame.company, draft.turns.get(frame.company, 0)) if frame else None


RUNS_FIRST = (
    "Not now: the run comes before the purchase of trains, so a train that {company} buys now runs "
    "in its next turn"
)


def _runs_first(draft: Draft, company: CompanyId) -> Refusal:
    """Refuse a run after the step in which trains run."""
    text = RUNS_FIRST.format(company=company)
    return draft.table.refuse("order of an operating turn", "order", text)


def _not_now(
    draft: Draft, turn: OperatingTurn | None = None, action: Action | None = None
) -> Refusal:
    """Refuse an action that no rule allows at this point of the sequence of play."""
    if isinstance(action, Run) and turn is not None and isinstance(draft.stack[-1], Trains):
        return _runs_first(draft, turn.company)
    step = STEPS[type(draft.stack[-1])]
    return draft.table.refuse("turn order", "order", f"Not now: {step.deciding}")


def options(title: Title, state: State, seat: Seat) -> tuple[Option, ...]:
    """The player's legal actions now: the candidates that `why_not` allows.

    In a company's turn they include the options of later steps, if the steps before may be passed
    over.
    """
    if seat not in to_act(title, state):
        return ()
    draft = Draft(title, state)
    turn = _turn_of(draft)
    found: list[Option] = []
    if STEPS[type(draft.stack[-1])].in_turn and _operating_turn(draft):
        for acts in turn_wide(title):
            found += _legal(draft, acts, seat)
    while True:
        frame = draft.stack[-1]
        step = STEPS[type(frame)]
        for acts in (step, *beside(title, step.frame)):
            found += _legal(draft, acts, seat)
        if not step.in_turn and not step.passes:
            break
        if step.must(draft.table, frame):
            break
        if step.passes or not _rest_of_turn(draft):
            found.append(Choice(Pass(by=seat)))
            break
        step.leave(draft, frame)
        settle(draft)
        if _turn_of(draft) != turn or _is_interrupted(draft):
            found.append(Choice(Pass(by=seat)))
            break
    return tuple(found)


def _legal(draft: Draft, acts: Acts, seat: Seat) -> list[Option]:
    """The candidates of some rules that are legal in this draft."""
    frame = draft.stack[-1]
    found: list[Option] = []
    for option in acts.candidates(draft.table, frame):
        if isinstance(option, Open) or (
            option.action.by == seat
            and (not isinstance(option, Range) or option.low <= option.high)
            and acts.why_not(draft.table, frame, option.action) is None
        ):
            found.append(option)
    return found

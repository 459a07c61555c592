"""Example replies that can be sent as they are: each command was tried after the one before."""

from collections.abc import Sequence

from engine import Action, Open, Option, Seat, State, apply, options, to_act
from engine.facts.title import Title
from engine.notation import write
from engine.position.frames import OperatingTurn, StockTurn
from service.reports.decisions import words_of
from service.reports.decisions.base import Chances
from service.reports.scene import ExampleReply, Scene

#: the most commands of an example
_MOST = 8


def likely(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """The player's most likely reply, as one line that can be sent as it is.

    A pass after others passed, a purchase, or the best run paid out; otherwise the `example`.
    """
    top = scene.state.stack[-1] if scene.state.stack else None
    if isinstance(top, StockTurn) and (found := _stock(scene, seat, top)):
        return found[:1]
    if commands := button(scene, seat, "run", "pay"):
        return (", ".join(commands),)
    return example(scene, seat)


def fuller(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """An example with more than the likely line; () if there is none.

    In a stock turn it also passes the rest of the round. Beside a pass in an auction it is a bid.
    """
    top = scene.state.stack[-1] if scene.state.stack else None
    if isinstance(top, StockTurn) and (rest := _stock(scene, seat, top)[1:]):
        return rest
    first, whole = likely(scene, seat), example(scene, seat)
    if first == whole and button(scene, seat, "pass") == first:
        bid = words_of(scene.state).bid(_now(scene, seat))
        return (write(scene.title, scene.state, bid),) if bid else ()
    return whole if _lines(first) != _lines(whole) else ()


def _now(scene: Scene, seat: Seat) -> Chances:
    return Chances(scene.title, scene.state, scene.options(seat))


def _lines(commands: tuple[str, ...]) -> list[str]:
    """Commands one by one, however they are divided into lines."""
    return "\n".join(commands).replace(", ", "\n").split("\n")


def _stock(scene: Scene, seat: Seat, turn: StockTurn) -> tuple[str, ...]:
    """The most likely action of a stock turn, then the same with `pass round`.

    () if none is likely.
    """
    action = words_of(scene.state).likely(scene, turn, seat, _now(scene, seat))
    if action is None:
        return ()
    text = write(scene.title, scene.state, action)
    passes = action.passes and not turn.bought and not turn.sold
    return (text, _PASSES if passes else f"{text}; {_THEN}")


#: the order that ends a player's part of a stock round, unless an alarm stops it
_PASSES = "pass round"
_THEN = f"then {_PASSES}"


def example(scene: Scene, seat: Seat) -> tuple[str, ...]:
    """Commands that are legal now, in this order; () if the player need not decide."""
    return plain(scene, seat).commands


def plain(scene: Scene, seat: Seat) -> ExampleReply:
    """The `example` with its reasons."""
    return scene.reply(seat, (), lambda: _plain(scene, seat))


def _plain(scene: Scene, seat: Seat) -> ExampleReply:
    title, state = scene.title, scene.state
    found: list[str] = []
    reasons: list[str] = []
    laid = False
    while len(found) < _MOST and seat in to_act(title, state):
        every = scene.options(seat) if state is scene.state else options(title, state, seat)
        chances = Chances(title, state, every, laid)
        action = words_of(state).example(chances)
        if action is None and not found:
            action = chances.ending
        if action is None:
            break
        found.append(_shortest(title, state, action))
        reasons.append(words_of(state).why(chances, action))
        laid = laid or bool(action.lays)
        before, state = state, apply(title, state, action).state
        if not _same_turn(before, state):
            break
    return ExampleReply(tuple(found), tuple(filter(None, reasons)))


def button(scene: Scene, seat: Seat, *wanted: str) -> tuple[str, ...]:
    """The commands of a short reply if they are legal in this order, otherwise ()."""
    return scene.reply(seat, wanted, lambda: ExampleReply(_tried(scene, seat, wanted))).commands


def _tried(scene: Scene, seat: Seat, wanted: Sequence[str]) -> tuple[str, ...]:
    """The same, by trying each command after the one before."""
    title, state = scene.title, scene.state
    found = []
    for word in wanted:
        if seat not in to_act(title, state):
            return ()
        every = scene.options(seat) if state is scene.state else options(title, state, seat)
        action = next((a for a in _actions(every) if _word(title, state, a) == word), None)
        if action is None:
            return ()
        found.append(_shortest(title, state, action))
        state = apply(title, state, action).state
    return tuple(found)


def _word(title: Title, state: State, action: Action) -> str:
    if action.runs:
        return "run"
    if action.passes:
        return "pass"
    if action.needs:
        return write(title, state, action)
    return type(action).__name__.lower()


def _shortest(title: Title, state: State, action: Action) -> str:
    """The command for an action; the best run needs no stops."""
    if action.runs:
        return "run"
    return write(title, state, action)


def _same_turn(before: State, after: State) -> bool:
    """Whether the same company still operates; a player's turn ends with one action."""
    return turn_on(before) is not None and turn_on(before) == turn_on(after)


def turn_on(state: State) -> tuple[str, int] | None:
    """The company that operates, and the number of its turn; None if none does."""
    for frame in state.stack:
        if isinstance(frame, OperatingTurn):
            return frame.company, state.turns.get(frame.company, 0)
    return None


def _actions(every: tuple[Option, ...]) -> list[Action]:
    return [option.action for option in every if not isinstance(option, Open)]

"""Replays a game by emails of one line each; knows no bots."""

from engine import Action, Illegal, State, Title
from engine.flow import apply
from engine.notation import NotationError, write
from engine.position import codec
from service.commands.command import Command
from service.games.playing import Play


def differs(title: Title, start: State, actions: list[Action], final: State) -> str:
    """The first difference between emails and actions; "" if both lead to the same position.

    Each action is written as its player would write it, and read as an email with `more`.
    """
    state = start
    for action in actions:
        try:
            text = write(title, state, action)
        except (NotationError, Illegal) as error:
            return f"#{state.number} {action} cannot be written: {error}"
        play = Play(title, state, action.by, state.number + 1)
        outcome = play.commands((Command(0, "play", text, text),), keep_open=True)
        if not outcome.done:
            fault = next(step.fault for step in outcome.steps if step.fault is not None)
            return f"#{state.number} the mail `{text}` is refused: {fault.text}"
        state = outcome.state
    if codec.digest(state) == codec.digest(final):
        return ""
    return _parting(title, start, actions)


def _parting(title: Title, start: State, actions: list[Action]) -> str:
    """The first action whose email leads to another position than the action."""
    state = start
    for action in actions:
        text = write(title, state, action)
        play = Play(title, state, action.by, state.number + 1)
        mailed = play.commands((Command(0, "play", text, text),), keep_open=True).state
        state = apply(title, state, action).state
        if codec.digest(mailed) != codec.digest(state):
            return f"#{state.number} the mail `{text}` leads to another position"
    return "the emails lead to another position"

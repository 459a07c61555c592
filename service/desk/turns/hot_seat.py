"""The commands that only a game at one terminal has: nothing of it is stored."""

from collections.abc import Sequence
from typing import Protocol

from service.commands.command import Command
from service.commands.results import done
from service.desk.answering.effects import Effect

NOTHING_TO_TAKE_BACK = "There is nothing to take back."
TAKEN_BACK = "Taken back: {action}"
ENDED = "The program ends. Nothing is stored."


class TerminalGame(Protocol):
    """A game at one terminal. No door stores it, so its commands change it at once."""

    def take_back(self) -> str:
        """Take the last action back; gives it as it was written, "" if there is none."""
        ...

    def script(self) -> str:
        """The game so far as a script."""
        ...

    def leave(self) -> None:
        """End the game."""
        ...


def undo(here: TerminalGame, commands: Sequence[Command]) -> Effect:
    """`undo`: the last action."""
    results = []
    for command in commands:
        action = here.take_back()
        text = TAKEN_BACK.format(action=action) if action else NOTHING_TO_TAKE_BACK
        results.append(done(command, text))
    return Effect(results)


def write(here: TerminalGame, commands: Sequence[Command]) -> Effect:
    """`write`: the game so far."""
    return Effect([done(command, here.script()) for command in commands])


def quit_(here: TerminalGame, commands: Sequence[Command]) -> Effect:
    """`quit`: the program ends."""
    here.leave()
    return Effect([done(command, ENDED) for command in commands])

"""The commands that only a game at one terminal has: nothing of it is stored."""

from typing import Protocol

from service.commands.command import Command
from service.commands.results import done
from service.reports import Result

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


def undo(here: TerminalGame, command: Command) -> Result:
    """`undo`: the last action."""
    action = here.take_back()
    return done(command, TAKEN_BACK.format(action=action) if action else NOTHING_TO_TAKE_BACK)


def write(here: TerminalGame, command: Command) -> Result:
    """`write`: the game so far."""
    return done(command, here.script())


def quit_(here: TerminalGame, command: Command) -> Result:
    """`quit`: the program ends."""
    here.leave()
    return done(command, ENDED)

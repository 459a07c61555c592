"""Commands of a game between people who share a terminal, which no email can give.

Nothing of such a game is stored, so they change it at once.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from service.commands.command import Command
from service.commands.entry import BEGUN, Entry, Where, Who
from service.commands.results import done
from service.desk.answering.effects import Effect
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


_command = partial(Entry, who=Who.PLAYER, where=Where.TERMINAL, when=BEGUN)


def _effect(
    of: Callable[[TerminalGame, Command], Result],
) -> Callable[[TerminalGame, Sequence[Command]], Effect]:
    """The effect of commands that change the game at once, one after the other."""
    return lambda here, commands: Effect([of(here, command) for command in commands])


ENTRIES = (
    _command("undo", "undo", "take the last action back, whoever it was", "undo",
             _effect(undo), moves=True),
    _command("write", "write", "print the game as a script, the form in which games are recorded",
             "write", _effect(write), form=re.compile(r"write", re.IGNORECASE), asks=True),
    _command("quit", "quit", "end the program; nothing is stored", "quit", _effect(quit_),
             form=re.compile(r"quit|exit", re.IGNORECASE), also=("exit",)),
)  # fmt: skip

"""Commands of a game between people who share a terminal, which no email can give."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from service.commands.command import Command
from service.commands.entry import BEGUN, Entry, Where, Who
from service.desk.answering.effects import Effect
from service.desk.channels import terminal
from service.desk.channels.terminal import TerminalGame
from service.reports import Result

_command = partial(Entry, who=Who.PLAYER, where=Where.TERMINAL, when=BEGUN)


def _effect(
    of: Callable[[TerminalGame, Command], Result],
) -> Callable[[TerminalGame, Sequence[Command]], Effect]:
    """The effect of commands that change the game at once, one after the other."""
    return lambda here, commands: Effect([of(here, command) for command in commands])


ENTRIES = (
    _command("undo", "undo", "take the last action back, whoever it was", "undo",
             _effect(terminal.undo), moves=True),
    _command("write", "write", "print the game as a script, the form in which games are recorded",
             "write", _effect(terminal.write), form=re.compile(r"write", re.IGNORECASE), asks=True),
    _command("quit", "quit", "end the program; nothing is stored", "quit", _effect(terminal.quit_),
             form=re.compile(r"quit|exit", re.IGNORECASE), also=("exit",)),
)  # fmt: skip

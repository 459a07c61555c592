"""Commands of a game between people who share a terminal, which no email can give."""

import re
from functools import partial

from service.commands.entry import BEGUN, Entry, Where, Who
from service.desk.turns import hot_seat

_command = partial(Entry, who=Who.PLAYER, where=Where.TERMINAL, when=BEGUN)

ENTRIES = (
    _command("undo", "undo", "take the last action back, whoever it was", "undo", hot_seat.undo,
             moves=True),
    _command("write", "write", "print the game as a script, the form in which games are recorded",
             "write", hot_seat.write, form=re.compile(r"write", re.IGNORECASE), asks=True),
    _command("quit", "quit", "end the program; nothing is stored", "quit", hot_seat.quit_,
             form=re.compile(r"quit|exit", re.IGNORECASE), also=("exit",)),
)  # fmt: skip

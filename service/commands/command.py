"""A command: one thing that a line of an email asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.wording import cut

if TYPE_CHECKING:
    from service.commands.entry import Entry

#: characters of a command that its answer repeats
SHOWN = 60
#: characters of a line of commands, and commands of an email; nobody's turn has a tenth of them
LONGEST = 2_000
MOST = 400


@dataclass(frozen=True)
class Command:
    """One thing a line asks for; ``word`` is the name of its entry, "" for words without one."""

    number: int
    word: str
    #: what follows the word; for "play" the whole command
    rest: str
    text: str
    #: for "try", which of the email's plans it belongs to
    plan: int = 0
    #: why it is not done, "" for one that may be
    barred: str = ""
    #: None for words that are no command
    entry: "Entry | None" = field(default=None, compare=False)
    #: the named parts of the entry's form
    parts: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def shown(self) -> str:
        """It as an answer repeats it: a long message is not sent back whole."""
        return cut(" ".join(self.text.split()), SHOWN)


@dataclass(frozen=True)
class Ahead:
    """How what is meant for later is told from commands of the present turn.

    ``order`` knows an order by its text. ``section`` gives the company that a text is headed by,
    "" for none, what follows it, and whether that is meant for a later turn.
    """

    order: Callable[[str], bool] = lambda _: False
    section: Callable[[str], tuple[str, str, bool]] = lambda text: ("", text, False)


NOTHING_AHEAD = Ahead()

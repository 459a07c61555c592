"""A command: one thing that a line of an email asks for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.wording import cut

if TYPE_CHECKING:
    from service.commands.entry import Entry

#: The most characters of a command that its answer repeats.
SHOWN = 60
#: The most characters of a line of commands, and the most commands of an email. No real turn has a
#: tenth of them.
LONGEST = 2_000
MOST = 400


@dataclass(frozen=True)
class Command:
    """One thing that a line asks for. ``word`` is the name of its entry, "" for plain words."""

    number: int
    word: str
    #: the text after the word; for "play" the whole command
    rest: str
    text: str
    #: for "try": the number of the plan that it belongs to
    plan: int = 0
    #: the reason why it may not be done; "" if it may
    barred: str = ""
    #: None for words that are not a command
    entry: "Entry | None" = field(default=None, compare=False)
    #: the named parts of the entry's form
    parts: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def shown(self) -> str:
        """The command as an answer repeats it; a long message is cut."""
        return cut(" ".join(self.text.split()), SHOWN)

    def done_by(self, do: Callable[..., object]) -> bool:
        """Whether a function of the table of commands is the one that does it."""
        return self.entry is not None and self.entry.do is do


@dataclass(frozen=True)
class AheadReader:
    """Recognizes what is meant for a later turn, not for the present one.

    ``order`` says whether a text begins like an advance order. ``guarded`` says whether it has a
    word such as "if": then a move with that word is an order. ``section`` returns three things:
    the company that the text begins with ("" for none), the text after it, and whether that text
    is meant for a later turn.
    """

    order: Callable[[str], bool] = lambda _: False
    guarded: Callable[[str], bool] = lambda _: False
    section: Callable[[str], tuple[str, str, bool]] = lambda text: ("", text, False)


NOTHING_AHEAD = AheadReader()

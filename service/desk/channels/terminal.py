"""A terminal: its people type commands, and read the answers on its screen.

Nothing is proved: whoever sits there may write what ``who`` may. It begins and ends with the
program.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from engine import Title
from service.commands.command import Command
from service.commands.entry import Vocabulary, When, Where, Who, first_words
from service.commands.helping import help_, sorry
from service.commands.lines import known_of
from service.commands.reading import Scope, read
from service.commands.results import done
from service.mail.replies import numbered
from service.refusal import Refused
from service.reports import Answer, Result


@dataclass(frozen=True)
class TerminalChannel:
    """The terminal at which people play a game, or at which the operator directs one."""

    vocabulary: Vocabulary
    who: Who
    when: When
    title: Title

    where: ClassVar[Where] = Where.TERMINAL

    @property
    def scope(self) -> Scope:
        """What its lines may be."""
        table = self.vocabulary.entries
        words = first_words([entry for entry in table if entry.who & self.who], self.where)
        return Scope(table, self.who, self.where, self.when, known_of(self.title, words))

    def commands(self, text: str) -> Sequence[Command]:
        """The commands in what somebody types."""
        return read(numbered(text), self.scope)

    def help(self, word: str = "") -> Answer:
        """The commands that may be typed, or one of them. Raises Refused."""
        here = (self.who, self.where, self.when)
        found = help_(self.vocabulary, *here, self.title, word)
        if found is None:
            raise Refused(sorry(self.vocabulary, word))
        return found

    def printed(self, results: Sequence[Result]) -> Iterator[str]:
        """The lines to print: the answer to a question, or the notes on a command."""
        for result in results:
            if result.answer is not None:
                yield result.answer.text
            else:
                yield from result.notes


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

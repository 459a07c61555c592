"""Defines a channel: commands come in by it, and the answer goes out.

| channel | who writes | where the answer goes | how it begins and ends |
| --- | --- | --- | --- |
| `PrivateEmail` | the owner of the address and token (`proving`) | to the writer | with the seat |
| `ListChannel` | the sender, if the game is friendly | to the list | see `PublicChannel` |
| `ForumChannel` | the owner of a name there | into the thread | see `PublicChannel` |
| `TerminalChannel` | whoever sits there | onto the screen | with the program |

The table of commands says by `where` which commands each accepts.
"""

from typing import Protocol

from service.commands.entry import Where
from service.mail.message import Mail
from service.reports import Page, Scene
from service.store import Letter


class Channel(Protocol):
    """The way of commands and of their answer."""

    @property
    def where(self) -> Where:
        """Its name in the table of commands."""
        ...


class EmailChannel(Channel, Protocol):
    """The way of an email with commands about a game, and of its answer."""

    @property
    def public(self) -> bool:
        """Whether everybody can read the answer, so that it says nothing for one reader alone."""
        ...

    @property
    def delivers(self) -> bool:
        """Whether the players read there what others write, so that no letter repeats it."""
        ...

    def counted(self, name: str) -> str:
        """The name under which answers to a writer are counted; ``name`` is the writer's own."""
        ...

    def answer(
        self, page: Page, mail: Mail, scene: Scene | None = None, *, done: bool = False
    ) -> Letter:
        """The answer to an email, with the position after it; ``done`` if it has made a move."""
        ...

"""An email that a list or forum brought, and what its lines are: commands, talk, private words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from service.commands.entry import When, Who
from service.commands.lines import known_of
from service.commands.order_lines import recognising
from service.commands.reading import Scope, read
from service.desk.channels.private_email import PrivateEmail
from service.desk.channels.public_channel import PublicChannel
from service.desk.proving.arrived import ArrivedEmail
from service.mail.message import Line, Mail
from service.store import SeatRow

_PHRASE = re.compile(r"!?\s*(?:new\s+|set\s+)?pass-?\s?phrase\b.*", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class PostedEmail(ArrivedEmail):
    """An email that a list or forum brought."""

    channel: PublicChannel

    @cached_property
    def seat(self) -> SeatRow | None:
        """The seat of the player who wrote it, None for anybody else."""
        return self.channel.writer(self.reads, self.mail)

    @property
    def player(self) -> SeatRow:
        """The same, in the steps that only players' posts reach."""
        assert self.seat is not None
        return self.seat

    @cached_property
    def said(self) -> "Post":
        """The lines of a player's post."""
        return read_post(self.channel, self.mail, self.player)

    def about_player(self) -> PublicChannel:
        """The channel, for what follows from a player's post."""
        desk = self.channel.desk.about(self.channel.game, self.player.name)
        return replace(self.channel, desk=desk)


# reading a post


@dataclass(frozen=True)
class Post:
    """The lines of a post: commands without their mark, and talk.

    ``secret`` are commands that nobody else should have read.
    """

    commands: Sequence[Line] = ()
    talk: str = ""
    secret: Sequence[Line] = ()


def read_post(channel: PublicChannel, mail: Mail, seat: SeatRow) -> Post:
    """The lines of a player's post; its subject does not count."""
    commands: list[Line] = []
    talk: list[str] = []
    secret: list[Line] = []
    scope = _scope(channel, seat)
    if mail.phrase or mail.new_phrase:
        # The pass phrase was removed from the lines when the email was read.
        secret.append(Line(0, "pass-phrase"))
    for line in channel.lines(mail):
        text = line.text.strip()
        if _PHRASE.fullmatch(text):
            secret.append(line)
        elif not line.number:
            continue
        elif not text.startswith("!"):
            talk.append(text)
        elif bare := text.lstrip("! "):
            own = Line(line.number, bare)
            entries = (command.entry for command in read((own,), scope))
            (secret if any(one and one.secret for one in entries) else commands).append(own)
    return Post(commands, "\n".join(talk).strip(), secret)


def _scope(channel: PublicChannel, seat: SeatRow) -> Scope:
    """The kinds of lines in a post, wherever the secret ones should have gone.

    Whose post it is is weighed later, and only if it has commands: here it is read as the widest
    that a post may be, that of a player.
    """
    table = channel.table
    vocabulary = channel.desk.service.commands
    known = known_of(table.title, vocabulary.first_words)
    scope = Scope(vocabulary.entries, Who.PLAYER, PrivateEmail.where, When.RUNNING, known)
    if table.head is None:
        return scope
    return replace(scope, ahead=recognising(table.title, table.state, seat.name))

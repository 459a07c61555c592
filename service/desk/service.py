"""One Waybill service: what all its emails and pages have in common."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from engine import Seat, Title
from service.audience import (
    Audience,
    OnlyFor,
)
from service.commands.entry import Vocabulary
from service.drawing import png
from service.games.games import GameTable
from service.games.shown import GamePlace, place
from service.mail import identity
from service.mail.grades import GRADES, Grade
from service.reports import About


class KeyRing(Protocol):
    """The keys with which signatures are checked; see `service.mail.signing_keys.Keys`."""

    def known(self, names: Iterable[str], now: int) -> dict[str, str] | None:
        """The TXT records of these names; None while Waybill looks up one of them."""


@dataclass(frozen=True)
class Service:
    """One Waybill service: its name, its address, the secret that signs addresses, its settings."""

    address: str
    name: str
    # it is never in a log, not even in that of a crash
    secret: bytes = field(repr=False)
    operator: str = ""
    #: security level of games that set no other
    grade: Grade = "standard"
    #: characters that one email may say to the other players
    talk: int = 2000
    #: days after which an unconfirmed seat is free, and a game that has not begun is canceled
    offer_days: int = 7
    open_days: int = 60
    #: times of news for players who have chosen none
    digest: str = "daily 07:00"
    #: the operator's folder of templates
    templates: Path | None = None
    #: the operator's folder of overlays
    overlays: Path | None = None
    #: the authserv-id of Waybill's own mail server; "" if it notes no results
    server: str = ""
    #: the keys of signatures; None if this service checks none
    keys: KeyRing | None = None
    #: addresses that it had before; emails to them count as to the present one
    former: tuple[str, ...] = ()
    #: whether each email has its own envelope sender
    verp: bool = True
    #: the address of the public pages, with a slash at its end; "" if there are none
    pages: str = ""
    #: SVG and width in pixels → PNG
    render: Callable[[str, int], bytes] = png
    #: all command words: no player may have one of them as a name
    commands: Vocabulary = field(kw_only=True, repr=False)

    def about(
        self, game: str = "", title: Title | None = None, *, named: bool = False, seat: Seat = ""
    ) -> About:
        """What an email is about, for the operator's templates."""
        return About(game, title, named, seat, templates=self.templates)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Its address, and those that it had before."""
        return (self.address, *self.former)

    @property
    def host(self) -> str:
        """The host of all Message-IDs of this service."""
        return self.address.rpartition("@")[2]

    def grade_of(self, table: GameTable) -> Grade:
        """How strictly senders of emails of a game are checked."""
        chosen = table.settings.grade
        return chosen if chosen in GRADES else self.grade

    def place_of(self, table: GameTable) -> GamePlace | None:
        """The place of a game's pages; None if it is private or has not begun."""
        return place(table.row, table.settings, self.secret, self.pages)

    def seat_address(
        self, owner: Audience, epoch: int = 0, number: int | None = None
    ) -> OnlyFor[str]:
        """The address that speaks for a seat or organizer, in an email showing that position."""
        mailbox, secret = self.address, self.secret
        made = identity.seat_address(mailbox, secret, owner.game, owner.name, epoch, number)
        return OnlyFor(owner, made)

    def envelope(self, letter: int) -> str:
        """The envelope sender of an email: its bounces go there."""
        return identity.bounce_address(self.address, self.secret, letter)

    def button_address(self, owner: Audience, epoch: int, number: int) -> OnlyFor[str]:
        """The address that buttons write to: valid only for the decision at that position."""
        mailbox, secret = self.address, self.secret
        made = identity.button_address(mailbox, secret, owner.game, owner.name, epoch, number)
        return OnlyFor(owner, made)

    def message_id(
        self, owner: Audience, epoch: int, key: str, number: int | None = None
    ) -> OnlyFor[str]:
        """A Message-ID that comes back in the owner's reply, and proves who wrote that."""
        mailbox, secret = self.address, self.secret
        made = identity.message_id(mailbox, secret, owner.game, owner.name, epoch, key, number)
        return OnlyFor(owner, made)

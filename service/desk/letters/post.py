"""Turns pages into emails for the outbox: addresses, threads, pictures; knows no rules.

A page goes to those alone for whom it is written, and of the mail that it answers a letter repeats
no Message-ID but to who sent them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from engine import Event, Seat, Title
from engine.events import (
    FerryActivated,
    MarkPlaced,
    ParSet,
    PriceMoved,
    StationMoved,
    StationPlaced,
    StationsReplaced,
    TileLaid,
)
from service import rations
from service.audience import (
    ASSISTANT,
    EVERYBODY,
    OPERATOR,
    ORGANISER,
    Audience,
    OnlyFor,
    WrongReader,
    of_assistant,
    of_list,
    of_organiser,
    of_seat,
    without_tokens,
)
from service.commands.entry import Vocabulary
from service.desk.letters.tickets import Ticket
from service.drawing import png
from service.games.choices import Images
from service.games.games import GameSettings, GameTable, Past
from service.mail import identity
from service.mail.compose import Attachment, Body, MailHead, Picture, compose, named
from service.mail.grades import GRADES, Grade
from service.mail.message import Mail
from service.reports import About, Page, PageLook
from service.reports.rendering import MAIL_LIMIT, plain, without
from service.store import GameRow, Letter, Occasion, SeatRow, Tx

#: octets kept for a note on pictures left out, and for the headers of a part
_NOTE = 600
_PART = 400


class KeyRing(Protocol):
    """The keys by which signatures are checked; see `service.mail.signing_keys.Keys`."""

    def known(self, names: Iterable[str], now: int) -> dict[str, str] | None:
        """The TXT records of these names; None while one of them is being looked up."""


@dataclass(frozen=True)
class House:
    """Who the moderator is in the mail, and what signs the addresses."""

    address: str
    name: str
    # never in a log, not even in that of a fault
    secret: bytes = field(repr=False)
    operator: str = ""
    #: how well mails must prove their sender in games that say nothing else
    grade: Grade = "standard"
    #: characters that one mail may say to the others
    talk: int = 2000
    #: days after which a seat that nobody confirmed is free, and a game that did not begin lapses
    offer_days: int = 7
    open_days: int = 60
    #: when news come to who has chosen nothing
    digest: str = "daily 07:00"
    #: the operator's folder of own templates
    templates: Path | None = None
    #: the operator's folder of overlays
    overlays: Path | None = None
    #: the authserv-id of our own mail server; "" where it notes no results
    server: str = ""
    #: the keys of signatures; None where no signature is checked here
    keys: KeyRing | None = None
    #: whether each letter has an envelope sender of its own
    verp: bool = True
    #: the address of the pages for everybody, with a slash at its end; "" where there are none
    pages: str = ""
    #: SVG and width in pixels → PNG
    render: Callable[[str, int], bytes] = png
    #: all that anybody may write: nobody is called by a word of it
    commands: Vocabulary = field(kw_only=True, repr=False)

    def about(
        self, game: str = "", title: Title | None = None, *, named: bool = False, seat: Seat = ""
    ) -> About:
        """What a letter is about, for templates of the house."""
        return About(game, title, named, seat, templates=self.templates)

    @property
    def host(self) -> str:
        """The host of all our Message-IDs."""
        return self.address.rpartition("@")[2]

    def grade_of(self, table: GameTable) -> Grade:
        """How well emails of a game must prove their sender."""
        chosen = table.settings.grade
        return chosen if chosen in GRADES else self.grade

    def seat_address(
        self, owner: Audience, epoch: int = 0, number: int | None = None
    ) -> OnlyFor[str]:
        """The address that speaks for a seat or organiser, in a letter showing that position."""
        mailbox, secret = self.address, self.secret
        made = identity.seat_address(mailbox, secret, owner.game, owner.name, epoch, number)
        return OnlyFor(owner, made)

    def envelope(self, letter: int) -> str:
        """The envelope sender of a letter: what comes back comes there."""
        return identity.bounce_address(self.address, self.secret, letter)

    def button_address(self, owner: Audience, epoch: int, number: int) -> OnlyFor[str]:
        """The address that buttons write to: good for what is to be decided at that position."""
        mailbox, secret = self.address, self.secret
        made = identity.button_address(mailbox, secret, owner.game, owner.name, epoch, number)
        return OnlyFor(owner, made)

    def message_id(self, owner: Audience, epoch: int, key: str) -> OnlyFor[str]:
        """A Message-ID that the owner's answer brings back, as proof of whose it is."""
        mailbox, secret = self.address, self.secret
        made = identity.message_id(mailbox, secret, owner.game, owner.name, epoch, key)
        return OnlyFor(owner, made)


@dataclass(frozen=True, slots=True)
class AtPosition:
    """The position of a game that a letter tells of; 0 before its first one."""

    game: str
    number: int = 0


def at_head(table: GameTable) -> AtPosition:
    """A game as it stands."""
    return AtPosition(table.row.name, table.state.number if table.head else 0)


@dataclass(frozen=True, slots=True)
class _Cover:
    """To whom a letter goes and what it is answered by; ``called`` is its reader in letter keys."""

    reader: Audience
    called: str
    recipient: str
    message_id: str
    reply_to: str
    #: how often the reader's own address was replaced
    epoch: int = 0
    #: what it continues if it answers no mail
    thread: tuple[str, ...] = ()
    #: octets that it may have
    limit: int = MAIL_LIMIT
    #: the address that ends such letters
    leave: str = ""
    #: whether it says that nobody should answer it by a machine
    quiet: bool = True


@dataclass(frozen=True)
class Desk:
    """Writes the letters that one occasion asks for, each named by it, its kind and its reader."""

    house: House
    #: UTC seconds
    now: int
    occasion: Occasion
    #: where the mail's writer is, who proved themselves by a pass phrase; "" at their own address
    elsewhere: str = ""
    #: how many kinds of commands of an email have written letters before: each names its own
    part: int = 0

    @property
    def _mark(self) -> str:
        """What tells letters of one kind to one reader apart."""
        return f"{self.occasion.key}-{self.part + 1}" if self.part else self.occasion.key

    @property
    def mail(self) -> int:
        """The id of the incoming mail; only where one is the occasion."""
        assert self.occasion.mail is not None
        return self.occasion.mail

    def about(self, game: str, seat: str = "") -> "Desk":
        """The same with what the mail has proved: whose it is."""
        return replace(self, occasion=replace(self.occasion, game=game, seat=seat))

    def to_seat(
        self,
        kind: str,
        at: AtPosition,
        seat: SeatRow,
        page: Page,
        *,
        answers: Mail | None = None,
        thread: str = "",
    ) -> Letter:
        """A letter to a player, whose answer speaks for the seat.

        ``thread`` names a thread, else it stands alone or answers their mail. Raises WrongReader
        where the page is for others.
        """
        reader, house, epoch = of_seat(at.game, seat.name), self.house, seat.epoch
        key = f"s{at.number}-{kind}-{self._mark}"
        threads = (house.message_id(reader, epoch, thread).open(reader),) if thread else ()
        cover = _Cover(
            reader,
            f"{at.game}/{seat.name}",
            seat.address,
            house.message_id(reader, epoch, key).open(reader),
            house.seat_address(reader, epoch, at.number).open(reader),
            epoch,
            threads,
        )
        letter = self._letter(kind, cover, page, answers)
        if kind != "receipt" or not self.elsewhere or seat.name != self.occasion.seat:
            return letter
        mark = house.message_id(reader, epoch, f"{key}-copy").open(reader)
        away = replace(cover, recipient=self.elsewhere, message_id=mark)
        copy = self._letter(kind, away, page, answers)
        return replace(letter, copy=replace(copy, key=f"{letter.key}:copy"))

    def to_organiser(
        self, kind: str, game: GameRow, page: Page, answers: Mail | None = None
    ) -> Letter:
        """A letter to a game's organiser, whose answer speaks for them as such."""
        reader, house = of_organiser(game.name), self.house
        key = f"{kind}-{self._mark}"
        cover = _Cover(
            reader,
            f"{game.name}/{ORGANISER}",
            game.organiser,
            house.message_id(reader, game.epoch, key).open(reader),
            house.seat_address(reader, game.epoch).open(reader),
            game.epoch,
        )
        return self._letter(kind, cover, page, answers)

    def to_assistant(
        self,
        kind: str,
        game: GameRow,
        settings: GameSettings,
        page: Page,
        answers: Mail | None = None,
    ) -> Letter:
        """A letter to who rules where the organiser plays, or is asked to."""
        reader, house, epoch = of_assistant(game.name), self.house, settings.assistant_epoch
        cover = _Cover(
            reader,
            f"{game.name}/{ASSISTANT}",
            settings.assistant or settings.invited,
            house.message_id(reader, epoch, f"{kind}-{self._mark}").open(reader),
            house.seat_address(reader, epoch).open(reader),
            epoch,
        )
        return self._letter(kind, cover, page, answers)

    def to_stranger(
        self,
        kind: str,
        address: str,
        page: Page,
        answers: Mail | None = None,
        reader: str = "sender",
    ) -> Letter:
        """A letter that gives nobody any power; its page is for everybody.

        ``reader`` says as whom somebody gets it, in letters of ASCII: an address says nothing.
        """
        return self._letter(kind, self._open(EVERYBODY, kind, address, reader), page, answers)

    def to_channel(
        self,
        kind: str,
        at: AtPosition,
        word: str,
        address: str,
        page: Page,
        message_id: str,
        *,
        reply_to: str,
        thread: tuple[str, ...] = (),
        limit: int = MAIL_LIMIT,
        quiet: bool = True,
        answers: Mail | None = None,
    ) -> Letter:
        """An email to a list or forum of a game, the ``word``: by the one sender, without a token.

        ``thread`` is the Message-ID of the email that begins its thread, ``limit`` is in octets;
        without ``quiet`` it is not marked as automatic.
        """
        cover = _Cover(
            of_list(at.game),
            f"{at.game}/{word}",
            address,
            message_id,
            reply_to,
            thread=thread,
            limit=limit,
            quiet=quiet,
        )
        return self._letter(kind, cover, replace(page, text=without_tokens(page.text)), answers)

    def to_claimant(self, kind: str, address: str, page: Page, reply_to: str) -> Letter:
        """A letter to an address that is asked something; its answer goes to ``reply_to``."""
        cover = replace(self._open(EVERYBODY, kind, address, "claimant"), reply_to=reply_to)
        return self._letter(kind, cover, page)

    def to_ticket(
        self,
        kind: str,
        ticket: Ticket,
        page: Page,
        answers: Mail | None = None,
        thread: str = "",
    ) -> Letter:
        """A letter to somebody without a seat, whose answer brings back what they are asked.

        The page is for everybody: what speaks for them stands in the headers alone. ``thread``
        names a thread.
        """
        mailbox, secret = self.house.address, self.house.secret
        cover = _Cover(
            ticket.reader,
            ticket.called,
            ticket.address,
            ticket.message_id(mailbox, secret, f"{kind}-{self._mark}"),
            ticket.reply_to(mailbox, secret),
            thread=(ticket.message_id(mailbox, secret, thread),) if thread else (),
            leave=ticket.leave_to(mailbox, secret),
        )
        return self._letter(kind, cover, page, answers)

    def to_operator(self, kind: str, page: Page) -> Letter:
        """A letter to the operator; only where the house has one."""
        return self._letter(kind, self._open(OPERATOR, kind, self.house.operator, "operator"), page)

    def _open(self, audience: Audience, kind: str, address: str, called: str) -> _Cover:
        host, secret = self.house.host, self.house.secret
        key = f"{kind}-{self._mark}-{called}"
        identifier = identity.letter_id(host, secret, address, key)
        return _Cover(audience, called, address, identifier, self.house.address)

    def _letter(self, kind: str, cover: _Cover, page: Page, answers: Mail | None = None) -> Letter:
        if not page.audience.covers(cover.reader):
            raise WrongReader(f"a page for {page.audience} would go to {cover.reader}")
        game = cover.reader.game
        ours = game and cover.reader.kind != "list"
        replied, references = self._thread(cover, answers)
        head = MailHead(
            from_=named(f"{self.house.name} {game}".strip(), self.house.address),
            to=cover.recipient,
            subject=page.subject,
            date=datetime.fromtimestamp(self.now, UTC),
            message_id=cover.message_id,
            in_reply_to=replied,
            references=references,
            reply_to=cover.reply_to,
            # A list writes its own.
            list_id=f"{game} <{identity.slug(game)}.{self.house.host}>" if ours else "",
            auto_submitted=("auto-replied" if answers else "auto-generated") * cover.quiet,
            leave=cover.leave,
        )
        files = tuple(Attachment(file.filename, file.kind, file.data) for file in page.files)
        raw = compose(head, Body(page.text, page.html or None, (), files))
        bare, size = page, len(raw)
        if size > cover.limit:
            page, size = plain(page), 0
        page, pictures = self._pictures(page, cover.limit - size)
        if pictures or page is not bare:
            raw = compose(head, Body(page.text, page.html or None, pictures, files))
        return Letter(
            key=f"{self._mark}:{kind}:{cover.called}",
            game=game,
            kind=kind,
            recipient=cover.recipient,
            mail_from=self.house.address,
            raw=raw,
            message_id=cover.message_id,
            pictures=(*(picture.png for picture in pictures), *(file.data for file in files)),
            occasion=self.occasion,
        )

    def _thread(self, cover: _Cover, answers: Mail | None) -> tuple[str, tuple[str, ...]]:
        """What a letter answers and continues: others' Message-IDs only if its reader sent them."""
        if answers is None:
            return "", cover.thread
        to_list = cover.reader.kind == "list" and answers.listing.of(cover.recipient)
        if answers.sender.lower() != cover.recipient.lower() and not to_list:
            return "", cover.thread
        known = [i for i in (*answers.references, answers.message_id) if self._may_bear(cover, i)]
        return (answers.message_id if answers.message_id in known else ""), tuple(known)

    def _may_bear(self, cover: _Cover, identifier: str) -> bool:
        """Whether an id gives no power at all, or to nobody but the reader, now or formerly."""
        claim = identity.read_message_id(identifier, self.house.address)
        if claim is None:
            return True
        reader, secret = cover.reader, self.house.secret
        return claim.game == identity.slug(reader.game) and any(
            identity.match(secret, claim, {reader.name: epoch})
            for epoch in range(cover.epoch, -1, -1)
        )

    def _pictures(self, page: Page, room: int) -> tuple[Page, list[Picture]]:
        """The pictures that go into so many octets, and the page without the others."""
        drawn: list[Picture] = []
        room -= _NOTE
        for figure in page.figures if page.html else ():
            png = self.house.render(figure.svg, figure.pixels)
            # RFC 2045 6.8: base64 in lines of 76 characters, with the headers of a part
            room -= len(png) * 78 // 57 + _PART
            if room < 0:
                break
            drawn.append(Picture(figure.cid, figure.filename, png))
        dropped = [figure.cid for figure in page.figures[len(drawn) :]] if page.html else []
        return without(page, dropped), drawn


#: what changes each picture, by the beginning of its name
_CHANGES: dict[str, tuple[type[Event], ...]] = {
    "map": (
        TileLaid,
        StationPlaced,
        StationMoved,
        StationsReplaced,
        MarkPlaced,
        FerryActivated,
    ),
    "market": (ParSet, PriceMoved),
}


def look(images: Images, since: Sequence[Past], untold: Sequence[Past], first: bool) -> PageLook:
    """The pictures that a player wants, with the tiles that were laid in ``since`` marked as new.

    Who wants those that changed gets the others not again; ``untold`` is what happened after the
    last letter, and the ``first`` letter has them all.
    """
    new = frozenset(e.hex for p in since for e in p.events if isinstance(e, TileLaid))
    if images != "changed" or first:
        return PageLook(images != "off", new)
    events = [e for p in untold for e in p.events]
    changed = (n for n, kinds in _CHANGES.items() if any(isinstance(e, kinds) for e in events))
    return PageLook(True, new, frozenset(changed))


TOO_MANY = (
    "Too many emails went to {address} lately, because players named it. One limit holds for all "
    "that is asked of an address. Write this again tomorrow."
)


def refusal(tx: Tx, address: str, now: int) -> str:
    """Why nothing may be asked of an address now, as a sentence; "" where it may."""
    left = tx.answers.ration(rations.named(address), now).left
    return "" if left else TOO_MANY.format(address=address)


def counts(tx: Tx, address: str, now: int) -> None:
    """Count an email to an address that somebody has named."""
    tx.answers.count(rations.named(address), now)

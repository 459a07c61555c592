"""Turns pages into emails for the outbox: addresses, threads, pictures; knows no rules.

A page goes only to the readers for whom it is written. An email repeats Message-IDs of the email
that it answers only to the sender of that email.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from service.audience import (
    EVERYBODY,
    OPERATOR,
    Audience,
    WrongReader,
    of_assistant,
    of_list,
    of_organiser,
    of_seat,
    without_tokens,
)
from service.desk.letters.ticket import Ticket
from service.desk.service import Service
from service.games.games import GameSettings, GameTable
from service.mail import identity
from service.mail.compose import Attachment, Body, MailHead, Picture, compose, named
from service.mail.message import Mail
from service.reports import Page
from service.reports.rendering import MAIL_LIMIT, plain, without
from service.store import GameRow, Letter, Occasion, SeatRow

#: octets reserved for a note about omitted pictures, and for the headers of a part
_NOTE = 600
_PART = 400
#: octets for the headers of an email and of its two texts, at most
_HEAD = 4_000


@dataclass(frozen=True, slots=True)
class AtPosition:
    """The position of a game that an email describes; 0 before the first one."""

    game: str
    number: int = 0


def at_head(table: GameTable) -> AtPosition:
    """A game at its latest position."""
    return AtPosition(table.row.name, table.state.number if table.head else 0)


@dataclass(frozen=True, slots=True)
class _Cover:
    """Recipient and reply data of an email; ``called`` is the reader's name in keys of emails."""

    reader: Audience
    called: str
    recipient: str
    message_id: str
    reply_to: str
    #: how often the reader's own address was replaced
    epoch: int = 0
    #: the thread that it continues if it answers no email
    thread: tuple[str, ...] = ()
    #: most octets of the email
    limit: int = MAIL_LIMIT
    #: the address that unsubscribes from such emails
    leave: str = ""
    #: whether it asks machines not to answer it
    quiet: bool = True


@dataclass(frozen=True)
class Desk:
    """Writes the emails that one occasion causes; occasion, kind and reader name each of them."""

    service: Service
    #: UTC seconds
    now: int
    occasion: Occasion
    #: the address that gets a copy of the receipt, because a pass phrase proved its owner; "" if
    #: there is none
    copy_to: str = ""
    #: number of emails that other commands of the same email wrote before; keeps names different
    part: int = 0

    @property
    def _mark(self) -> str:
        """The part of the name that separates emails of one kind to one reader."""
        return f"{self.occasion.key}-{self.part + 1}" if self.part else self.occasion.key

    @property
    def mail_id(self) -> int:
        """The id of the incoming email; only if one is the occasion."""
        assert self.occasion.mail is not None
        return self.occasion.mail

    def about(self, game: str, seat: str = "") -> "Desk":
        """The same desk for an email about a game.

        ``seat`` is the seat for which the email acts, "" if it acts for none.
        """
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
        """An email to a player; the reply to it speaks for the seat.

        ``thread`` names a thread. Without it the email begins one or answers the player's
        email. Raises WrongReader if the page is for others.
        """
        reader, epoch, key = of_seat(at.game, seat.name), seat.epoch, f"{kind}-{self._mark}"
        cover = self._owned(reader, seat.address, epoch, key, at.number)
        if thread:
            root = self.service.message_id(reader, epoch, thread).open(reader)
            cover = replace(cover, thread=(root,))
        letter = self._letter(kind, cover, page, answers)
        if kind != "receipt" or not self.copy_to or seat.name != self.occasion.seat:
            return letter
        away = self._owned(reader, self.copy_to, epoch, f"{key}-copy", at.number)
        copy = self._letter(kind, replace(away, thread=cover.thread), page, answers)
        return replace(letter, copy=replace(copy, key=f"{letter.key}:copy"))

    def to_organiser(
        self, kind: str, game: GameRow, page: Page, answers: Mail | None = None
    ) -> Letter:
        """An email to a game's organizer; the reply to it speaks for them as organizer."""
        reader, key = of_organiser(game.name), f"{kind}-{self._mark}"
        cover = self._owned(reader, game.organiser, game.epoch, key)
        return self._letter(kind, cover, page, answers)

    def to_assistant(
        self,
        kind: str,
        game: GameRow,
        settings: GameSettings,
        page: Page,
        answers: Mail | None = None,
    ) -> Letter:
        """An email to the assistant, or to the person asked to be it."""
        reader, key = of_assistant(game.name), f"{kind}-{self._mark}"
        recipient = settings.assistant or settings.invited
        cover = self._owned(reader, recipient, settings.assistant_epoch, key)
        return self._letter(kind, cover, page, answers)

    def to_stranger(
        self,
        kind: str,
        address: str,
        page: Page,
        answers: Mail | None = None,
        reader: str = "sender",
    ) -> Letter:
        """An email that gives its reader no power; its page is for everybody.

        ``reader`` is the role in which somebody gets it, in ASCII letters, because the
        address does not tell it.
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
        """An email to a game's list or forum, the ``word``: from the plain address, without token.

        ``thread`` is the Message-ID of the email that begins its thread; ``limit`` is in
        octets. Without ``quiet`` it is not marked as automatic.
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
        """An email with a question to an address; the answer goes to ``reply_to``."""
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
        """An email to somebody without a seat; its reply brings back what they are asked.

        The page is for everybody: only the headers have what speaks for the reader.
        ``thread`` names a thread.
        """
        mailbox, secret = self.service.address, self.service.secret
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
        """An email to the operator; only if the service has one."""
        return self._letter(
            kind, self._open(OPERATOR, kind, self.service.operator, "operator"), page
        )

    def _owned(
        self, reader: Audience, recipient: str, epoch: int, key: str, number: int | None = None
    ) -> _Cover:
        """An email whose reply speaks for its reader: a seat, the organizer or the assistant."""
        return _Cover(
            reader,
            f"{reader.game}/{reader.name}",
            recipient,
            self.service.message_id(reader, epoch, key, number).open(reader),
            self.service.seat_address(reader, epoch, number).open(reader),
            epoch,
        )

    def _open(self, audience: Audience, kind: str, address: str, called: str) -> _Cover:
        host, secret = self.service.host, self.service.secret
        key = f"{kind}-{self._mark}-{called}"
        identifier = identity.letter_id(host, secret, address, key)
        return _Cover(audience, called, address, identifier, self.service.address)

    def _letter(self, kind: str, cover: _Cover, page: Page, answers: Mail | None = None) -> Letter:
        if not page.audience.covers(cover.reader):
            raise WrongReader(f"a page for {page.audience} would go to {cover.reader}")
        game = cover.reader.game
        ours = game and cover.reader.kind != "list"
        replied, references = self._thread(cover, answers)
        head = MailHead(
            from_=named(f"{self.service.name} {game}".strip(), self.service.address),
            to=cover.recipient,
            subject=page.subject,
            date=datetime.fromtimestamp(self.now, UTC),
            message_id=cover.message_id,
            in_reply_to=replied,
            references=references,
            reply_to=cover.reply_to,
            # A list writes its own.
            list_id=f"{game} <{identity.slug(game)}.{self.service.host}>" if ours else "",
            auto_submitted=("auto-replied" if answers else "auto-generated") * cover.quiet,
            leave=cover.leave,
        )
        files = tuple(Attachment(file.filename, file.kind, file.data) for file in page.files)
        page, pictures = self._fitting(head, page, files, cover.limit)
        raw = compose(head, Body(page.text, page.html or None, pictures, files))
        return Letter(
            key=f"{self._mark}:{kind}:{cover.called}",
            game=game,
            kind=kind,
            recipient=cover.recipient,
            mail_from=self.service.address,
            raw=raw,
            message_id=cover.message_id,
            pictures=(*(picture.png for picture in pictures), *(file.data for file in files)),
            occasion=self.occasion,
        )

    def _fitting(
        self, head: MailHead, page: Page, files: Sequence[Attachment], limit: int
    ) -> tuple[Page, list[Picture]]:
        """The page with as many of its pictures as fit into an email of so many octets.

        Most emails fit by far, and are composed only once: quoted-printable takes at most three
        octets for one, and a line break after 73 of them.
        """
        longest = 3 * (len(page.text.encode()) + len(page.html.encode())) * 76 // 73
        longest += sum(len(file.data) * 78 // 57 + _PART for file in files)
        longest += _HEAD + sum(len(one) + 4 for one in head.references)
        fits, pictures = self._pictures(page, limit - longest)
        if fits is page:
            return page, pictures
        size = len(compose(head, Body(page.text, page.html or None, (), files)))
        if size > limit:
            page, size = plain(page), 0
        return self._pictures(page, limit - size)

    def _thread(self, cover: _Cover, answers: Mail | None) -> tuple[str, tuple[str, ...]]:
        """The email that it answers, and its thread; Message-IDs of an email only to its sender."""
        if answers is None:
            return "", cover.thread
        to_list = cover.reader.kind == "list" and answers.listing.of(cover.recipient)
        if answers.sender.lower() != cover.recipient.lower() and not to_list:
            return "", cover.thread
        known = [i for i in (*answers.references, answers.message_id) if self._may_bear(cover, i)]
        return (answers.message_id if answers.message_id in known else ""), tuple(known)

    def _may_bear(self, cover: _Cover, identifier: str) -> bool:
        """Whether a Message-ID gives power to nobody, or only to the reader, now or formerly."""
        claim = identity.read_message_id(identifier, *self.service.addresses)
        if claim is None:
            return True
        reader, secret = cover.reader, self.service.secret
        return claim.game == identity.slug(reader.game) and any(
            identity.match(secret, claim, {reader.name: epoch})
            for epoch in range(cover.epoch, -1, -1)
        )

    def _pictures(self, page: Page, room: int) -> tuple[Page, list[Picture]]:
        """The pictures that fit into that many octets, and the page without the others."""
        drawn: list[Picture] = []
        room -= _NOTE
        for figure in page.figures if page.html else ():
            png = self.service.render(figure.svg, figure.pixels)
            # RFC 2045 6.8: base64 in lines of 76 characters, with the headers of a part
            room -= len(png) * 78 // 57 + _PART
            if room < 0:
                break
            drawn.append(Picture(figure.cid, figure.filename, png))
        dropped = [figure.cid for figure in page.figures[len(drawn) :]] if page.html else []
        return without(page, dropped), drawn

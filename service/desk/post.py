"""Turns pages into letters for the outbox: addresses, threads, pictures; knows no rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from service.drawing import png
from service.mail import identity
from service.mail.compose import Picture, compose, named
from service.mail.message import Mail
from service.reports import Page
from service.reports.fitting import MAIL_LIMIT, without
from service.store import GameRow, Letter, Occasion, SeatRow

#: name under which an organiser's address is made; no player can be called so
ORGANISER = "organiser"
#: octets kept for a note on pictures left out, and for the headers of a part
_NOTE = 600
_PART = 400


@dataclass(frozen=True)
class House:
    """Who the moderator is in the mail, and what signs his addresses."""

    address: str
    name: str
    # never in a log, not even in that of a fault
    secret: bytes = field(repr=False)
    operator: str = ""
    #: "standard": token and registered address; "friendly": either will do
    strict: bool = True
    #: characters that one mail may say to the others
    talk: int = 2000
    #: days after which a seat that nobody confirmed is free, and a game that did not begin lapses
    offer_days: int = 7
    open_days: int = 60
    #: the operator's folder of own templates
    templates: Path | None = None
    #: the operator's folder of overlays
    overlays: Path | None = None
    #: SVG and width in pixels → PNG
    render: Callable[[str, int], bytes] = png

    @property
    def host(self) -> str:
        """The host of all our Message-IDs."""
        return self.address.rpartition("@")[2]

    def seat_address(self, game: str, seat: str, epoch: int = 0, number: int | None = None) -> str:
        """The address that speaks for a seat, in a letter that shows position ``number``."""
        return identity.seat_address(self.address, self.secret, game, seat, epoch, number)

    def message_id(self, game: str, seat: str, epoch: int, key: str) -> str:
        """A Message-ID that a seat's answer brings back."""
        return identity.message_id(self.address, self.secret, game, seat, epoch, key)


@dataclass(frozen=True)
class Desk:
    """Writes the letters that one occasion asks for, each named by it, its kind and its reader."""

    house: House
    #: UTC seconds
    now: int
    occasion: Occasion

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
        game: str,
        seat: SeatRow,
        number: int,
        page: Page,
        *,
        answers: Mail | None = None,
        thread: str = "",
    ) -> Letter:
        """A letter to a player, whose answer speaks for his seat.

        ``number`` is the position it tells of; ``thread`` names a thread, else it stands alone or
        answers his mail.
        """
        key = f"s{number}-{kind}-{self.occasion.key}"
        own = self.house.message_id(game, seat.name, seat.epoch, key)
        references: list[str] = []
        if thread:
            references.append(self.house.message_id(game, seat.name, seat.epoch, thread))
        return self._letter(
            kind=kind,
            reader=f"{game}/{seat.name}",
            game=game,
            recipient=seat.address,
            page=page,
            message_id=own,
            reply_to=self.house.seat_address(game, seat.name, seat.epoch, number),
            answers=answers,
            references=references,
        )

    def to_organiser(
        self, kind: str, game: GameRow, page: Page, answers: Mail | None = None
    ) -> Letter:
        """A letter to a game's organiser, whose answer speaks for them as such."""
        key = f"{kind}-{self.occasion.key}"
        own = self.house.message_id(game.name, ORGANISER, game.epoch, key)
        return self._letter(
            kind=kind,
            reader=f"{game.name}/{ORGANISER}",
            game=game.name,
            recipient=game.organiser,
            page=page,
            message_id=own,
            reply_to=self.house.seat_address(game.name, ORGANISER, game.epoch),
            answers=answers,
        )

    def to_stranger(
        self,
        kind: str,
        address: str,
        page: Page,
        answers: Mail | None = None,
        reader: str = "sender",
    ) -> Letter:
        """A letter that gives nobody any power.

        ``reader`` says as whom somebody gets it, in letters of ASCII: an address says nothing.
        """
        return self._letter(
            kind=kind,
            reader=reader,
            game="",
            recipient=address,
            page=page,
            message_id=f"<{kind}-{self.occasion.key}-{reader}@{self.house.host}>",
            reply_to=self.house.address,
            answers=answers,
        )

    def to_operator(self, kind: str, page: Page) -> Letter:
        """A letter to the operator; only where the house has one."""
        return self.to_stranger(kind, self.house.operator, page, reader="operator")

    def _letter(
        self,
        *,
        kind: str,
        reader: str,
        game: str,
        recipient: str,
        page: Page,
        message_id: str,
        reply_to: str,
        answers: Mail | None = None,
        references: Sequence[str] = (),
    ) -> Letter:
        replied = answers.message_id if answers else ""
        sheet = partial(
            compose,
            from_=named(f"{self.house.name} {game}".strip(), self.house.address),
            to=recipient,
            subject=page.subject,
            date=datetime.fromtimestamp(self.now, UTC),
            message_id=message_id,
            in_reply_to=replied,
            references=(*answers.references, replied) if answers else references,
            reply_to=reply_to,
            list_id=f"{game} <{identity.slug(game)}.{self.house.host}>" if game else "",
            auto_submitted="auto-replied" if answers else "auto-generated",
        )
        page, pictures = self._pictures(page, len(sheet(text=page.text, html=page.html or None)))
        raw = sheet(text=page.text, html=page.html or None, pictures=pictures)
        return Letter(
            key=f"{self.occasion.key}:{kind}:{reader}",
            game=game,
            kind=kind,
            recipient=recipient,
            mail_from=self.house.address,
            raw=raw,
            message_id=message_id,
            pictures=tuple(picture.png for picture in pictures),
            occasion=self.occasion,
        )

    def _pictures(self, page: Page, size: int) -> tuple[Page, list[Picture]]:
        """The pictures that go with a letter of so many octets, and the page without the others."""
        drawn: list[Picture] = []
        room = MAIL_LIMIT - size - _NOTE
        for figure in page.figures if page.html else ():
            png = self.house.render(figure.svg, figure.width)
            # RFC 2045 6.8: base64 in lines of 76 characters, with the headers of a part
            room -= len(png) * 78 // 57 + _PART
            if room < 0:
                break
            drawn.append(Picture(figure.cid, figure.filename, png))
        dropped = [figure.cid for figure in page.figures[len(drawn) :]] if page.html else []
        return without(page, dropped), drawn

"""Turns pages into letters for the outbox: addresses, threads, pictures; knows no rules."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from service.drawing import png
from service.mail import identity
from service.mail.compose import Picture, compose, named
from service.mail.message import Mail
from service.reports import Figure, Page
from service.store import Letter, SeatRow

#: name under which an organiser's address is made; no player can be called so
ORGANISER = "organiser"
_NUMBER = re.compile(r"\.s(\d{1,9})-")


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

    def seat_address(self, game: str, seat: str, epoch: int = 0) -> str:
        """The address that speaks for a seat."""
        return identity.seat_address(self.address, self.secret, game, seat, epoch)

    def message_id(self, game: str, seat: str, epoch: int, key: str) -> str:
        """A Message-ID that a seat's answer brings back."""
        return identity.message_id(self.address, self.secret, game, seat, epoch, key)


def answered_number(mail: Mail, mailbox: str, game: str) -> int | None:
    """The number of the game's position that a mail answers, from the thread it stands in."""
    for identifier in (mail.in_reply_to, *reversed(mail.references)):
        claim = identity.read_message_id(identifier, mailbox)
        found = _NUMBER.search(identifier)
        if found and claim is not None and claim.game == identity.slug(game):
            return int(found[1])
    return None


@dataclass(frozen=True)
class Desk:
    """Writes the letters that follow from one incoming mail."""

    house: House
    #: UTC seconds
    now: int
    #: id of the incoming mail, which makes the letters' keys unique
    inbox_id: int

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
        key = f"s{number}-{kind}-{self.inbox_id}"
        own = self.house.message_id(game, seat.name, seat.epoch, key)
        references: list[str] = []
        if thread:
            references.append(self.house.message_id(game, seat.name, seat.epoch, thread))
        return self._letter(
            kind=kind,
            game=game,
            recipient=seat.address,
            page=page,
            message_id=own,
            reply_to=self.house.seat_address(game, seat.name, seat.epoch),
            answers=answers,
            references=references,
        )

    def to_organiser(
        self, kind: str, game: str, address: str, page: Page, answers: Mail | None = None
    ) -> Letter:
        """A letter to a game's organiser, whose answer speaks for him as such."""
        own = self.house.message_id(game, ORGANISER, 0, f"{kind}-{self.inbox_id}")
        return self._letter(
            kind=kind,
            game=game,
            recipient=address,
            page=page,
            message_id=own,
            reply_to=self.house.seat_address(game, ORGANISER),
            answers=answers,
        )

    def to_stranger(self, kind: str, address: str, page: Page, answers: Mail) -> Letter:
        """A letter that gives nobody any power."""
        return self._letter(
            kind=kind,
            game="",
            recipient=address,
            page=page,
            message_id=f"<{kind}-{self.inbox_id}@{self.house.host}>",
            reply_to=self.house.address,
            answers=answers,
        )

    def _letter(
        self,
        *,
        kind: str,
        game: str,
        recipient: str,
        page: Page,
        message_id: str,
        reply_to: str,
        answers: Mail | None = None,
        references: Sequence[str] = (),
    ) -> Letter:
        replied = answers.message_id if answers else ""
        raw = compose(
            from_=named(f"{self.house.name} {game}".strip(), self.house.address),
            to=recipient,
            subject=page.subject,
            text=page.text,
            html=page.html or None,
            pictures=[self._picture(f) for f in page.figures] if page.html else [],
            date=datetime.fromtimestamp(self.now, UTC),
            message_id=message_id,
            in_reply_to=replied,
            references=(*answers.references, replied) if answers else references,
            reply_to=reply_to,
            list_id=f"{game} <{identity.slug(game)}.{self.house.host}>" if game else "",
            auto_submitted="auto-replied" if answers else "auto-generated",
        )
        return Letter(
            key=f"{self.inbox_id}:{kind}:{game}:{recipient}",
            game=game,
            kind=kind,
            recipient=recipient,
            mail_from=self.house.address,
            raw=raw,
            message_id=message_id,
        )

    def _picture(self, figure: Figure) -> Picture:
        return Picture(figure.cid, figure.filename, self.house.render(figure.svg, figure.width))

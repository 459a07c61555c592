"""The parts that only a mailing list has: its addresses, its greeting, its threads, its pictures.

A list belongs to somebody else. Waybill sends nothing to it before a member has written the line of
the game there. Then it sends one email, which must come back by the list, or be answered there.

A list may rewrite From and break signatures, and it accepts emails of anybody who knows an address
that may post. So a post proves its writer only as well as From does. That is enough in games of
friends.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from engine.telling.narration import Sentence
from service import rations
from service.commands.entry import Where
from service.desk.channels.public_channel import HAS_CHANGED, Happened, PublicChannel, tables_of
from service.desk.door import Done
from service.desk.letters.desk import AtPosition, Desk
from service.desk.rationing.answer_rations import Answering, within_ration
from service.desk.service import Service
from service.games.choices import READS_THE_LIST, turn_news, with_news
from service.games.games import GameTable, new_tiles
from service.mail import identity
from service.mail.automatic import OUR_OWN
from service.mail.message import Line, Mail
from service.mail.proving import Proof
from service.reports import Narrated, Page, PageLook, Scene, Since, news_page, round_page
from service.reports.channels import greeting_page, opening_page
from service.reports.rendering import MAIL_LIMIT, linked, plain
from service.store import Conflict, Letter, ListRow, ListTelling, SeatRow, Tx
from service.store.channels import ListStatus

#: octets of a small email to a list: Mailman accepts 40 kB unless its owner changes that
SMALL_LIMIT = 40_000

#: how list managers say that they return an email, in the subject (texts of mlmmj) or at the
#: beginning of the text (Mailman 3, which keeps the subject)
_DENIED = re.compile(r"\b(?:denied|rejected|refused|not (?:allowed|accepted|authorized))\b", re.I)

UNCLEAR = "it is not clear which game of the list is meant"
AGAIN = "To use the list again, write `list {address}`, and send the line that you get to the list."
HINT = (
    "A list may refuse emails from people who are not members, or large emails: `list pictures "
    "small` keeps them small."
)
IS_THERE = "The game is on its list."
GOES_THERE = (
    "The list {address} gets Waybill's emails, and Waybill gets those of the list. News and round "
    "summaries go there from now on."
)
NO_NEWS = (
    "Players now get only their turn emails and receipts, and read the news on the list. To get "
    "news by email too, a player sends `digest daily`, `digest round` or `digest each` to their "
    "seat address."
)


@dataclass(frozen=True)
class ListChannel(PublicChannel):
    """The mailing list of a game."""

    word = "list"
    where = Where.LIST
    proof = Proof(sender=True, token=False)
    signs = False
    delivers = True
    hints = (HINT,)

    # finding the list

    @classmethod
    def stored(cls, tx: Tx, game: int) -> ListRow | None:
        return tx.channels.list_of(game)

    @classmethod
    def of(cls, desk: Desk, table: GameTable) -> Self | None:
        return cls(desk, table) if table.mailing is not None else None

    @classmethod
    def find(cls, reads: Tx, desk: Desk, mail: Mail) -> Self | str | None:
        if mail.aside or (mail.automatic and not mail.automatic.startswith(OUR_OWN)):
            return None
        here = cls._of_names(reads, desk, mail)
        if here and (mail.automatic or _is_ours(reads, desk, mail)):
            back = (one for one in here if one.greeting_id == mail.message_id)
            return next(back, "our own email, back from a list")
        return _no_post(mail) or cls._meant(reads, mail, here) or UNCLEAR if here else None

    @classmethod
    def _of_names(cls, reads: Tx, desk: Desk, mail: Mail) -> list[Self]:
        """The games whose lists brought the email, or to whose lists it went."""
        shared = _shared(desk.service, mail)
        names = {*mail.listing.addresses, *mail.listing.ids, *shared} - {*desk.service.addresses}
        if not names:
            return []
        rows = [r for r in reads.channels.lists_named(names) if mail.listing.of(r.address, shared)]
        return [cls(desk.about(one.row.name), one) for one in tables_of(reads, rows)]

    @classmethod
    def _meant(cls, reads: Tx, mail: Mail, here: Sequence[Self]) -> Self | None:
        """The game that a post is about: by its thread, its subject, or its writer's seat."""
        for earlier in (mail.in_reply_to, *reversed(mail.references)):
            for one in here:
                if one._position(earlier) is not None:
                    return one
        on = [one for one in here if one.table.row.status in ("open", "running")]
        plays = [one for one in on if one.writer(reads, mail)]
        asked = [one for one in here if one.has_line(mail)]
        named = [one for one in here if f"[{one.game}]" in mail.subject.lower()]
        alone = (found[0] for found in (asked, named, here, on, plays) if len(found) == 1)
        return next(alone, None)

    @classmethod
    def brought(cls, desk: Desk, mail: Mail, table: GameTable) -> bool:
        if table.mailing is None:
            return bool(mail.listing.addresses or mail.listing.ids)
        return mail.listing.of(table.mailing.address, _shared(desk.service, mail))

    @classmethod
    def refusing(cls, reads: Tx, desk: Desk, mail: Mail, raw: bytes) -> tuple[Self, str] | None:
        """The list returns the email. Anybody can fake that, with an email from its archive."""
        if not (mail.aside or (mail.automatic and not mail.automatic.startswith(OUR_OWN))):
            return None
        local, _, host = mail.sender.partition("@")
        names = [f"{local[:at]}@{host}" for at, sign in enumerate(local) if sign in "+-"]
        why = _denial(mail)
        if not names or not why:
            return None
        tables = tables_of(reads, reads.channels.lists_named(names))
        every = (cls(desk.about(table.row.name), table) for table in tables)
        found = (one for one in every if identity.channel_ids(one.game, cls.word).encode() in raw)
        return next(((one, why) for one in found), None)

    @property
    def row(self) -> ListRow:
        assert self.table.mailing is not None
        return self.table.mailing

    @property
    def address(self) -> str:
        return self.row.address

    @property
    def place(self) -> str:
        return f"the list {self.address}"

    # its beginning and end

    @property
    def again(self) -> str:
        return AGAIN.format(address=self.address)

    @property
    def subject(self) -> str:
        return self.address

    def begin(self, reads: Tx, mail: Mail) -> Done:
        """Send one email to the list, which must come back."""
        if self.row.status != "named":
            return Done("greeted already")
        ration = Answering(reads, self.desk, rations.address(self.address, "list"))

        def greet(tx: Tx) -> None:
            self._now(tx, "greeted")

        title = self.table.title
        page = greeting_page(self.readers, title, self.desk.service.about(self.game, title))
        greeting = self._send("greeting", page, 0, self.greeting_id)
        note = "greeted" if ration.possible else "too many emails to that list"
        return within_ration(ration, [greeting], note, then=greet)

    def _now(self, tx: Tx, status: ListStatus, told: int | None = None) -> None:
        """Store a new status. Raises Conflict if the list has changed since it was read."""
        if not tx.channels.change_list(self.row, status=status, told=told):
            raise Conflict(HAS_CHANGED.format(word=self.word, game=self.game))

    @property
    def greeting_id(self) -> str:
        """The Message-ID of the greeting: somebody who names it has read the list."""
        secret, number = self.desk.service.secret, self.row.number
        token = identity.one_time(secret, "list-greeting", self.address, self.game, number)
        return identity.channel_id(
            self.desk.service.host, self.game, self.word, f"greeting-{token}"
        )

    def greeting_answered(self, mail: Mail) -> Done | None:
        """The greeting came back, or was answered on the list: the game is played there."""
        known = (mail.message_id, mail.in_reply_to, *mail.references)
        if self.row.status != "greeted" or self.greeting_id not in known:
            return None
        told = self.table.state.number if self.table.head else 0
        lines = (GOES_THERE.format(address=self.address), NO_NEWS)
        letter = self.to_organiser("on", IS_THERE, lines)

        def begins(tx: Tx) -> None:
            self._now(tx, "on", told)
            turn_news(tx, self.table.row, self.desk.service.digest, READS_THE_LIST)

        return Done(f"{self.address} is the list of {self.game}", [letter], also=begins)

    def drop(self, tx: Tx) -> None:
        """Remove the list; players who got no news because of it get news again."""
        row = tx.channels.list_of(self.table.row.id)
        if row is None:
            raise Conflict(HAS_CHANGED.format(word=self.word, game=self.game))
        tx.channels.drop_list(self.table.row.id)
        if row.status == "on":
            turn_news(tx, self.table.row, READS_THE_LIST, self.desk.service.digest)

    @property
    def without(self) -> GameTable:
        if not self.on:
            return replace(self.table, mailing=None)
        seats = with_news(self.table.seats, READS_THE_LIST, self.desk.service.digest)
        return replace(self.table, mailing=None, seats=seats)

    # the writer of a post

    @classmethod
    def lines(cls, mail: Mail) -> Sequence[Line]:
        return mail.lines

    @classmethod
    def named(cls, mail: Mail) -> str:
        return mail.listing.writer

    def writer(self, tx: Tx, mail: Mail) -> SeatRow | None:
        """The player with that address, first or second; None for no seat, or for several."""
        address = mail.listing.writer
        also = {seat.id for seat in tx.seats.also_at(address)} if address else set()
        players = self.table.players
        found = [one for one in players if one.address.lower() == address or one.id in also]
        return found[0] if len(found) == 1 else None

    def position_answered(self, mail: Mail) -> int | None:
        for one in (mail.in_reply_to, *reversed(mail.references)):
            if number := self._position(one):
                return int(number)
        return None

    # emails to the list

    def letter(self, kind: str, page: Page, scene: Scene) -> Letter:
        """An email that reports everything that happened."""
        return self._in_thread(kind, page, scene, tells=True)

    def answer(
        self, page: Page, mail: Mail, scene: Scene | None = None, *, done: bool = False
    ) -> Letter:
        """The answer; it notes how far the list knows the game, if it knew all before."""
        before = self.table.state.number if self.table.head else 0
        number = scene.state.number if scene is not None else before
        own = self._id("receipt", "receipt", number)
        made = self._send("receipt", self._linked(page, scene), number, own, answers=mail)
        if not done or (self.row.told != before and number > before):
            return made
        return replace(made, tells=ListTelling(self.row.id, number))

    def since(self, scene: Scene, happened: Happened) -> Since:
        if happened.undone:
            undone = Narrated(scene.state.number, "", (Sentence(happened.undone),))
            return Since((undone,), happened.spoken)
        untold = (one for one in happened.every if one.number > self.row.told)
        return Since(tuple(one.narrated(self.table.title) for one in untold), happened.spoken)

    def round(self, scene: Scene, happened: Happened) -> Letter:
        untold = [one for one in happened.every if one.number > self.row.told]
        shown = PageLook(self.pictures, new_tiles(untold))
        since = self.since(scene, happened)
        page = round_page(self.readers, scene, happened.rounds[-1], since, shown)
        return self.letter("round", page, scene)

    def news(self, scene: Scene, happened: Happened) -> list[Letter]:
        news = (happened.news or bool(happened.undone)) and not happened.by_list
        since = self.since(scene, happened) if news else Since((), happened.spoken)
        if not (since.narrated or happened.spoken):
            return []
        page = news_page(self.readers, scene, since)
        return [self._in_thread("news", page, scene, tells=news)]

    def opening(self, scene: Scene) -> list[Letter]:
        """The seats, and how the game is played by the list."""
        about = self.desk.service.about(self.game, self.table.title)
        return [self.letter("opening", opening_page(self.readers, scene, about), scene)]

    @property
    def pictures(self) -> bool:
        return self.row.pictures != "off"

    def _id(self, topic: str, kind: str, number: int) -> str:
        """The Message-ID of an email to the list."""
        key, host = f"list-{kind}-{self.desk.occasion.key}", self.desk.service.host
        return identity.channel_id(host, self.game, self.word, topic, key, number)

    def _position(self, identifier: str) -> str | None:
        """The position in the Message-ID of an email to the list; None for any other email."""
        return identity.read_channel_id(identifier, self.desk.service.host, self.game, self.word)

    def _in_thread(self, kind: str, page: Page, scene: Scene, *, tells: bool) -> Letter:
        """An email in the thread of its round; the first one begins the thread."""
        state, row = scene.state, self.row
        topic = re.sub(r"[^a-z0-9]+", "-", str(state.round).lower()).strip("-")
        own = self._id(topic, kind, state.number)
        root = row.root if row.topic == topic else ""
        made = self._send(kind, self._linked(page, scene), state.number, own, thread=root)
        number = state.number if tells else None
        return replace(made, tells=ListTelling(row.id, number, topic=topic, root=root or own))

    def _linked(self, page: Page, scene: Scene | None) -> Page:
        """The page with links instead of pictures, if the list is to have links."""
        found = self.links(scene) if scene and self.row.links and page.figures else None
        return linked(page, found.labeled) if found else page

    def _send(
        self,
        kind: str,
        page: Page,
        number: int,
        own: str,
        thread: str = "",
        answers: Mail | None = None,
    ) -> Letter:
        """Send from the plain address, without a token; replies go to the list."""
        return self.desk.to_channel(
            f"list-{kind}",
            AtPosition(self.game, number),
            "list",
            self.address,
            page if self.pictures else plain(page),
            own,
            reply_to=self.address,
            thread=(thread,) if thread else (),
            limit=MAIL_LIMIT if self.row.pictures == "attached" else SMALL_LIMIT,
            answers=answers,
        )


# recognizing a list's emails


def _shared(service: Service, mail: Mail) -> tuple[str, ...]:
    """The lists that To and Cc name; none if the email also went to a seat's own address.

    Waybill handles that copy as an email to the seat.
    """
    private = any(identity.read_address(a, *service.addresses) for a in mail.recipients)
    return () if private else mail.shared_with


def _is_ours(reads: Tx, desk: Desk, mail: Mail) -> bool:
    """Whether an email is Waybill's own, back from a list that has removed its mark."""
    ours = {address.lower() for address in desk.service.addresses}
    if ours & {mail.sender, mail.listing.writer}:
        return True
    # A player may have an address at Waybill's host, whose server makes their Message-IDs.
    at_home = mail.message_id.endswith(f"@{desk.service.host}>")
    return at_home and bool(reads.letters.named((mail.message_id,)))


def _no_post(mail: Mail) -> str:
    """Why an email that came by a list is no post of a member, "" if it is one."""
    if mail.listing.office:
        return mail.listing.office
    if mail.trouble and not mail.lines:
        return f"a post that says nothing: {mail.trouble}"
    return mail.spam or ("" if mail.listing.writer else "a list has hidden its writer")


def _denial(mail: Mail) -> str:
    """The words in which a list returns an email; "" for any other email."""
    if _DENIED.search(mail.subject):
        return mail.subject
    first = [line.text.strip() for line in mail.lines if line.text.strip()][:3]
    return " ".join(first)[:300] if _DENIED.search(" ".join(first[:2])) else ""

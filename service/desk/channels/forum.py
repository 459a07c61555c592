"""The parts that only a forum has: its signature, the names of players there, posts in Markdown.

An email of a forum counts only if the forum has signed it, to Waybill (DKIM). Then its body
reliably names the thread and the writer (`service/mail/forums.py`). Waybill sends nothing to a
forum before somebody has written the line of the game in a thread there. A name there is a player's
only after the player has written their own line under it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from service import rations
from service.commands.entry import Where
from service.desk.channels.public_channel import HAS_CHANGED, Happened, PublicChannel, tables_of
from service.desk.door import Done, Write, store_nothing
from service.desk.letters.desk import AtPosition, Desk
from service.desk.rationing.answer_rations import Answering, within_ration
from service.games.games import GameTable
from service.games.round_report import report
from service.mail import identity
from service.mail.message import Line, Mail
from service.mail.proving import Proof, aligned
from service.reports import Page, Scene, Since
from service.reports.channels import forum_opening_lines
from service.reports.paste import fenced, pasted
from service.store import Conflict, ForumNameRow, ForumRow, Letter, SeatRow, Tx

_FOOT = re.compile(r"\n-- ?\n.*\Z", re.DOTALL)
#: how Discourse begins a refusal of an email: its texts `system_messages.email_reject_…`
REJECTED = re.compile(r"\bemail issue\b", re.IGNORECASE)

NO_GAME = "a forum's email about no game"
AGAIN = "To use the thread again, write `forum thread`, and post the line that you get there."
NO_EMAILS = "The forum takes no emails."
NO_ADDRESS = (
    "The line for {game} is in a thread on {host}, but emails of that forum have no address for "
    "replies. Ask its admin to turn on “reply by email”. Then post the line again."
)
IS_THERE = "The game has its thread."
GO_THERE = "Round summaries of {game} go to its thread on {host} from now on."
WRITE_NAME = "To write commands there, a player first sends `forum name` to their seat address."
OPENING_SUBJECT = "[{game}] {title} in this thread"
ROUND_SUBJECT = "[{game}] {round} complete"
NAME_IS_KNOWN = "Your name on the forum is known."
YOU_ARE = (
    "On {host} your name is {writer}. From now on, your lines in the thread that begin with `!` "
    "are commands. If you get another name there, send `forum name` again."
)


@dataclass(frozen=True)
class ForumChannel(PublicChannel):
    """The thread of a game on a forum."""

    word = "forum"
    where = Where.FORUM
    #: the same proof as an email from a player's address that the player's server signed
    proof = Proof(sender=True, token=False, signed=True)
    signs = True
    delivers = False

    # finding the thread

    @classmethod
    def stored(cls, tx: Tx, game: int) -> ForumRow | None:
        return tx.channels.forum_of(game)

    @classmethod
    def of(cls, desk: Desk, table: GameTable) -> Self | None:
        return cls(desk, table) if table.forum is not None else None

    @classmethod
    def find(cls, reads: Tx, desk: Desk, mail: Mail) -> Self | str | None:
        """The only game of a thread, the one of its writer, or the one whose line a post has."""
        told = mail.forum
        if not told.describes_post:
            return None
        waiting = reads.channels.forums_named() if cls.tokens(mail) else ()
        tables = tables_of(reads, (*waiting, *reads.channels.forums_at(told.host, told.topic)))
        every = [cls(desk.about(table.row.name), table) for table in tables]
        wanted = [one for one in every if one.row.status == "named" and one.has_line(mail)]
        here = [one for one in every if one.on and one.row.sender == mail.sender]
        if len(here) > 1:
            here = [one for one in here if one.writer(reads, mail)]
        found = wanted[:1] or here
        return found[0] if len(found) == 1 else NO_GAME

    @classmethod
    def brought(cls, desk: Desk, mail: Mail, table: GameTable) -> bool:
        return mail.forum.describes_post

    @classmethod
    def refusing(cls, reads: Tx, desk: Desk, mail: Mail, raw: bytes) -> tuple[Self, str] | None:
        """Discourse refuses by email; if it has several games, the quoted subject names one."""
        if mail.forum.describes_post or not mail.sender or not REJECTED.search(mail.subject):
            return None
        tables = tables_of(reads, reads.channels.forums_from(mail.sender))
        named = [one for one in tables if f"[{one.row.name}]" in mail.subject.lower()]
        found = named or tables
        if len(found) != 1:
            return None
        return cls(desk.about(found[0].row.name), found[0]), f"“{mail.subject}”"

    @property
    def row(self) -> ForumRow:
        assert self.table.forum is not None
        return self.table.forum

    @property
    def address(self) -> str:
        return self.row.reply_to

    @property
    def place(self) -> str:
        return f"its thread on {self.row.host}"

    # its beginning and end

    @property
    def again(self) -> str:
        return AGAIN

    @property
    def subject(self) -> str:
        return ""

    def begin(self, reads: Tx, mail: Mail) -> Done:
        """Send the game's news there from now on, if the forum takes emails."""
        found, host = mail.forum, mail.forum.host
        if not _its_own(mail):
            lines = [NO_ADDRESS.format(game=self.game, host=host)]
            letter = self.to_organiser("no-reply", NO_EMAILS, lines)
            ration = Answering(reads, self.desk, rations.address(self.table.row.organiser, "error"))
            return within_ration(ration, [letter], "a forum that takes no answers")
        at = replace(self.row, sender=mail.sender, host=host, topic=found.topic, status="on")
        at = replace(at, reply_to=found.reply_to)
        begun = replace(self, table=replace(self.table, forum=at))
        lines = [GO_THERE.format(game=self.game, host=host), WRITE_NAME]
        letters = [self.to_organiser("on", IS_THERE, lines), begun._first()]

        def open_(tx: Tx) -> None:
            if not tx.channels.open_forum(self.row, at):
                raise Conflict(HAS_CHANGED.format(word=self.word, game=self.game))

        return Done(f"the thread of {self.game}", letters, also=open_)

    def drop(self, tx: Tx) -> None:
        if not tx.channels.drop_forum(self.table.row.id):
            raise Conflict(HAS_CHANGED.format(word=self.word, game=self.game))

    @property
    def without(self) -> GameTable:
        return replace(self.table, forum=None)

    # the writer of a post

    @classmethod
    def lines(cls, mail: Mail) -> Sequence[Line]:
        return mail.forum.lines

    @classmethod
    def named(cls, mail: Mail) -> str:
        return mail.forum.writer

    def writer(self, tx: Tx, mail: Mail) -> SeatRow | None:
        """The player with that name there; None if the seat has another player since."""
        names = tx.channels.names(self.table.row.id)
        known = {one.seat: one.address for one in names if one.name == mail.forum.writer}
        found = [seat for seat in self.table.players if known.get(seat.name) == seat.address]
        return found[0] if len(found) == 1 else None

    def line_of(self, asked: ForumNameRow) -> str:
        """The line that a player writes in the thread so that Waybill knows their name there."""
        parts = (asked.address, self.game, asked.seat, asked.at)
        return f"!forum {identity.one_time(self.desk.service.secret, 'forum-name', *parts)}"

    def introduces(self, reads: Tx, mail: Mail) -> Done | None:
        """A post with the line of a player is by that player."""
        tokens, writer = self.tokens(mail), mail.forum.writer
        names = reads.channels.names(self.table.row.id) if tokens else ()
        lines = {self.line_of(one).split()[1]: one for one in names if not one.name}
        mine = next((lines[token] for token in tokens if token in lines), None)
        seat = next((s for s in self.table.players if mine and s.name == mine.seat), None)
        if mine is None or seat is None or seat.address != mine.address:
            return None
        told = [YOU_ARE.format(host=self.row.host, writer=writer)]
        letter = self.to_player(seat, NAME_IS_KNOWN, told)
        note = f"{seat.name} is {writer} on the forum"

        def know(tx: Tx) -> None:
            if not tx.channels.know_name(mine, writer):
                raise Conflict(HAS_CHANGED.format(word=self.word, game=self.game))

        return Done(note, [letter], also=know)

    def seen(self, mail: Mail) -> tuple[Self, Write]:
        """The thread with the address to which Waybill now posts."""
        address = mail.forum.reply_to
        if not self.on or address == self.address or not _its_own(mail):
            return self, store_nothing
        here = replace(self.table, forum=replace(self.row, reply_to=address))
        return replace(self, table=here), lambda tx: tx.channels.post_to(self.row, address)

    # emails to the forum

    def letter(self, kind: str, page: Page, scene: Scene) -> Letter:
        """A page as a post: its text as it is, and links to its pictures."""
        return self._post(kind, self._shown(page, scene))

    def answer(
        self, page: Page, mail: Mail, scene: Scene | None = None, *, done: bool = False
    ) -> Letter:
        return self._post("receipt", self._shown(page, scene))

    def since(self, scene: Scene, happened: Happened) -> Since:
        return Since(tuple(one.narrated(self.table.title) for one in happened.new))

    def round(self, scene: Scene, happened: Happened) -> Letter:
        """The report that players can paste into other forums."""
        where = self.desk.service.place_of(self.table)
        told = report(self.table, scene, happened.every, where, happened.rounds[0])
        subject = ROUND_SUBJECT.format(game=self.game, round=happened.rounds[-1])
        return self._post("round", Page(self.readers, subject, pasted(told, "markdown"), ""))

    def _first(self) -> Letter:
        """The first post: it presents Waybill and explains how to play there."""
        text = "\n\n".join(forum_opening_lines(self.game, self.table.title)) + "\n"
        subject = OPENING_SUBJECT.format(game=self.game, title=self.table.title.name)
        return self._post("opening", Page(self.readers, subject, text, ""))

    def _shown(self, page: Page, scene: Scene | None) -> Page:
        found = self.links(scene) if scene and page.figures else None
        text = fenced(_FOOT.sub("", page.text), found.labeled if found else ())
        return Page(page.audience, page.subject, text, "")

    def _post(self, kind: str, page: Page) -> Letter:
        """A post to the address that Discourse gave for the thread, not marked as automatic."""
        number = self.table.state.number if self.table.head else 0
        at, ours = AtPosition(self.game, number), self.desk.service.address
        kind, host = f"forum-{kind}", self.desk.service.host
        key = f"{kind}-{self.desk.occasion.key}"
        own = identity.channel_id(host, self.game, self.word, "post", key, number)
        return self.desk.to_channel(
            kind, at, "forum", self.address, page, own, reply_to=ours, quiet=False
        )


def _its_own(mail: Mail) -> bool:
    """Whether the reply address belongs to the forum that sends; Waybill writes to no other.

    If a forum takes no replies, Reply-To is its From.
    """
    address = mail.forum.reply_to
    ours, theirs = address.rpartition("@")[2], mail.sender.rpartition("@")[2]
    return address not in ("", mail.sender) and (
        aligned(mail.sender, ours) or aligned(address, theirs) or ours == mail.forum.host
    )

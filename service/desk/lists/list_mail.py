"""A player's commands that came by the game's mailing list: handled as others, told to the list.

There is one answer, on the list. What only the player may see is neither asked for nor told there.
"""

import re
from dataclasses import dataclass, replace

from service.desk.ahead.order_words import recognising
from service.desk.letters.follow_up import FollowUp
from service.desk.letters.post import Desk
from service.desk.lists import list_letters
from service.desk.lists.open_mail import OpenMail
from service.desk.proving.held import Written
from service.desk.timing.answering import Answering
from service.desk.timing.clock_words import Absences
from service.desk.turns.known import Known
from service.games.changes import Change
from service.games.commands import OPEN, read_commands
from service.games.commit import Besides
from service.games.games import GameTable
from service.games.standing import Book
from service.mail.message import Line, Mail
from service.reports import Page, Said, Scene
from service.store import Letter, ListTelling, SeatRow, Store, rations
from service.store.rations import Who

#: those whose mere text is for the player alone
_SECRET = frozenset(("order", "orders", "explain", "note", "diary", "tell", "new"))
_PHRASE = re.compile(r"!?\s*(?:new\s+|set\s+)?pass-?\s?phrase\b.*", re.IGNORECASE)
_ORDERS = re.compile(r"!\s*history\s+(?:orders|diary)\b.*", re.IGNORECASE)


@dataclass(frozen=True)
class Post:
    """The lines of a mail to a list: commands without their mark, and talk.

    ``secret`` are lines that nobody else should have read, ``private`` those that have no place
    on a list; both are commands. It came at ``received`` (UTC seconds), 0 for now.
    """

    commands: tuple[Line, ...] = ()
    talk: tuple[str, ...] = ()
    secret: tuple[Line, ...] = ()
    private: tuple[Line, ...] = ()
    received: int = 0

    @property
    def commanded(self) -> bool:
        """Whether the mail wants anything."""
        return bool(self.commands or self.secret or self.private)


def read_post(mail: Mail, table: GameTable, seat: SeatRow) -> Post:
    """What a player's mail to the list says; its subject counts for nothing there."""
    state = table.state if table.head else None
    ahead = (recognising(table.title, state, seat.name),) if state is not None else ()
    commands: list[Line] = []
    talk: list[str] = []
    secret: list[Line] = []
    private: list[Line] = []
    if mail.phrase or mail.new_phrase:
        # It was cut from the lines when the mail was read.
        secret.append(Line(0, "pass-phrase"))
    for line in mail.lines:
        text = line.text.strip()
        if _PHRASE.fullmatch(text) or _ORDERS.fullmatch(text):
            secret.append(line)
        elif not line.number:
            continue
        elif not text.startswith("!"):
            talk.append(text)
        elif bare := text.lstrip("! "):
            own = Line(line.number, bare)
            words = {command.word for command in read_commands((own,), *ahead)}
            kept = secret if words & _SECRET else commands if words <= OPEN else private
            kept.append(own)
    return Post(tuple(commands), tuple(talk), tuple(secret), tuple(private))


class ListMail(OpenMail):
    """Handles the commands of one mail that came by the list of a game that has begun."""

    def __init__(
        self,
        store: Store,
        desk: Desk,
        mail: Mail,
        table: GameTable,
        seat: SeatRow,
        post: Post,
    ) -> None:
        """Of the ``mail`` only the commands and talk of ``post`` count; the table has a list."""
        number = list_letters.shown_number(desk.house, mail, table)
        own = replace(mail, sender=seat.address, lines=post.commands)
        super().__init__(store, desk, own, table, seat, Written(number, post.received or desk.now))
        assert table.mailing is not None
        self._post, self._list, self._answered = post, table.mailing, mail
        self._subject = mail.subject

    def _who(self, kind: str) -> Who:
        if kind == "talk":
            return super()._who(kind)
        # Answers that change nothing are counted for the list: that is who reads them.
        return rations.player(self._table.row.name, f"list {self._list.address}", kind)

    def _know(self) -> Known:
        known = super()._know()
        most = self._desk.house.talk if known.talk.left else 0
        self._talk = kept_talk(self._post, most)
        return known

    @property
    def _talks(self) -> bool:
        return bool(self._talk) or super()._talks

    def _talked(self, change: Change) -> tuple[Said, ...]:
        """The talk of the mail, which the list has told already and no letter to a player."""
        number = change.state.number
        return tuple(Said(self._seat.name, text, number) for text in self._talk)

    def _follow(self, known: Known, change: Change, scene: Scene, book: Book) -> FollowUp:
        follow = super()._follow(known, change, scene, book)
        return replace(follow, said=(*follow.said, *self._talked(change)), by_list=True)

    def _post_receipt(self, scene: Scene, page: Page) -> Letter:
        page = list_letters.as_wanted(self._desk.house, self._table, self._list, scene, page)
        return list_letters.receipt(self._desk, self._table, self._list, page, self._answered)

    def _commit(
        self,
        change: Change,
        seat: SeatRow,
        besides: Besides,
        answer: Answering,
        work: float,
        away: Absences,
    ) -> None:
        letters = [self._telling(one, change) for one in besides.letters]
        said = (*besides.said, *self._talked(change))
        besides = replace(besides, letters=letters, said=said)
        super()._commit(change, seat, besides, answer, work, away)

    def _telling(self, letter: Letter, change: Change) -> Letter:
        """How far the receipt tells the list, if all before it was told."""
        if letter.kind != "list-receipt":
            return letter
        row, state = self._list, self._read.state
        whole = change.moves and (row.told == state.number or change.back is not None)
        return replace(letter, tells=ListTelling(row.id, change.state.number) if whole else None)


def kept_talk(post: Post, most: int) -> tuple[str, ...]:
    """The talk of a post as the game keeps it, one text; no more than a mail may say."""
    text = "\n".join(post.talk).strip()
    return (text,) if 0 < len(text) <= most else ()

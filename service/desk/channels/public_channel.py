"""The public channels of a game, its list and its forum: what both have in common.

Everybody can read them. An email from one is handled by the steps of `posts/post_steps.py`, in
their order. They ask the channel:

- `refusing`: whether it has refused an email of Waybill. That is no post.
- `find`: which channel of which game brought the email, or why it is no post.
- `seen`: what a post shows about the channel, whoever wrote it.
- `is_off`, `has_line`, `begin`, `greeting_answered`: whether somebody there ends or begins it.
- `introduces`: whether a player says which account there is theirs.
- `writer`, `proof`: who wrote it, and how well that is proved.
- `position_answered`: which position it answers. Then its commands are judged like those of an
  email.
- `answer`: the results go there. `tell`: later actions of others go there, too.
- `drop`, `left`: `!list off` there, `list off` in private, or a bounce ends it.

The lines `!list …` and `!forum …` are no commands of the table. They speak for the channel, not for
a player: any reader may write them, and the token in them proves that somebody read it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from service import rations
from service.audience import Audience, of_list, of_organiser, of_seat
from service.commands.entry import Where
from service.desk.door import Done, Fate, Write, store_nothing
from service.desk.letters.desk import Desk, at_head
from service.desk.rationing.answer_rations import Answering, within_ration
from service.games import seals
from service.games.games import GameTable, Past, load
from service.games.linking import Links, links
from service.mail import identity
from service.mail.message import Line, Mail
from service.mail.proving import Proof
from service.reports import Page, Said, Scene, Since, ended_page, note_page
from service.store import Conflict, ForumRow, Letter, ListRow, SeatRow, Tx


@dataclass(frozen=True)
class Happened:
    """The consequences of a change."""

    #: everything that happened, as far as emails may report it, and the new part of it
    every: Sequence[Past]
    new: Sequence[Past]
    #: the rounds that ended
    rounds: Sequence[str]
    #: messages to all that came by another way than the channel
    spoken: Sequence[Said]
    #: text about what was taken back, "" for nothing
    undone: str
    #: whether another decision is open now, or somebody acted out of turn
    news: bool
    over: bool
    #: whether a receipt reports the actions to the readers of the list
    by_list: bool


HAS_LEFT = "The game has left its {word}."
NOTHING_GOES = "Waybill no longer posts to {place}: {why}"
FAILS = "Do Waybill's emails reach the {word}?"
EMAIL_FAILED = "An email to {address} did not arrive: {why}"
MAY_PASS = (
    "This may pass, so Waybill sends the next email there as before. It does not send this one "
    "again. You get this notice once a day at most."
)
EMAIL_SAYS = "Somebody wrote to Waybill that {address} refused an email of this game: {why}"
ANYBODY_COULD = (
    "Anybody could have written that, so nothing has changed. If the emails of this game arrive "
    "there, ignore this notice. If not, ask the owner of the {word}, or write `{word} off`."
)
HAS_CHANGED = "the {word} of {game} has changed"


@dataclass(frozen=True)
class PublicChannel(ABC):
    """The list or the forum of a game, which everybody reads; it may not have begun yet."""

    desk: Desk
    table: GameTable

    #: its name for players, with which its lines and the kinds of its emails begin
    word: ClassVar[str]
    where: ClassVar[Where]
    public: ClassVar[bool] = True
    #: what a post by a known writer proves
    proof: ClassVar[Proof]
    #: whether only emails with its signature come from it
    signs: ClassVar[bool]
    #: whether it brings posts to the players by email. Then news of each move goes there, and
    #: messages of players there are kept with the game.
    delivers: ClassVar[bool]
    #: what an organizer can do about emails that fail
    hints: ClassVar[tuple[str, ...]] = ()

    # finding the channel

    @classmethod
    @abstractmethod
    def stored(cls, tx: Tx, game: int) -> ListRow | ForumRow | None:
        """The row of a game, None if it has no such channel."""

    @classmethod
    @abstractmethod
    def of(cls, desk: Desk, table: GameTable) -> Self | None:
        """The channel of a game as it was read, None if it has none."""

    @classmethod
    @abstractmethod
    def find(cls, reads: Tx, desk: Desk, mail: Mail) -> Self | str | None:
        """The channel that brought an email, or why it is no post; None for other emails."""

    @classmethod
    @abstractmethod
    def brought(cls, desk: Desk, mail: Mail, table: GameTable) -> bool:
        """Whether an email came by such a channel, even if the game has left it since."""

    @classmethod
    @abstractmethod
    def refusing(cls, reads: Tx, desk: Desk, mail: Mail, raw: bytes) -> tuple[Self, str] | None:
        """The channel that refuses an email of Waybill, with its words; None for other emails."""

    @property
    @abstractmethod
    def row(self) -> ListRow | ForumRow:
        """The stored row of the channel."""

    @property
    @abstractmethod
    def address(self) -> str:
        """The address for emails to it, "" if that is not known yet."""

    @property
    @abstractmethod
    def place(self) -> str:
        """Its name in a sentence."""

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.table.row.name

    @property
    def on(self) -> bool:
        """Whether the game is played there."""
        return self.row.status == "on"

    # its beginning and end

    @property
    @abstractmethod
    def again(self) -> str:
        """How to begin again."""

    @property
    @abstractmethod
    def subject(self) -> str:
        """What its line proves beside the game and the number of its row, "" for nothing."""

    @property
    def line(self) -> str:
        """The line that somebody writes there so that the game begins there."""
        secret, number = self.desk.service.secret, self.row.number
        token = identity.one_time(secret, self.word, self.subject, self.game, number)
        return f"!{self.word} {token}"

    def has_line(self, mail: Mail) -> bool:
        """Whether a post has that line."""
        secret, number = self.desk.service.secret, self.row.number
        return any(
            identity.proves(secret, token, self.word, self.subject, self.game, number)
            for token in self.tokens(mail)
        )

    @classmethod
    def tokens(cls, mail: Mail) -> list[str]:
        """The tokens after the channel's word in the lines of a post."""
        line = re.compile(rf"!\s*{cls.word}\s+([a-z2-7]{{16}})\W*", re.IGNORECASE)
        found = (line.fullmatch(one.text.strip()) for one in cls.lines(mail))
        return [one[1].lower() for one in found if one]

    @classmethod
    def is_off(cls, mail: Mail) -> bool:
        """Whether a post says that its readers no longer want the game."""
        line = re.compile(rf"!\s*{cls.word}\s+off\W*", re.IGNORECASE)
        return any(line.fullmatch(one.text.strip()) for one in cls.lines(mail))

    @abstractmethod
    def begin(self, reads: Tx, mail: Mail) -> Done:
        """Begin there, after a post with its line."""

    def greeting_answered(self, mail: Mail) -> Done | None:
        """Handle an email that proves that the channel wants the game; None for other emails."""
        return None

    @abstractmethod
    def drop(self, tx: Tx) -> None:
        """Remove it. Raises Conflict if the game no longer has it."""

    @property
    @abstractmethod
    def without(self) -> GameTable:
        """The game without it."""

    @classmethod
    def same(cls, tx: Tx, desk: Desk, table: GameTable) -> Self | None:
        """The channel as it was read. Raises Conflict if another is stored by now."""
        known, row = cls.of(desk, table), cls.stored(tx, table.row.id)
        read = known and (known.row.number, known.row.status)
        if read != (row and (row.number, row.status)):
            raise Conflict(HAS_CHANGED.format(word=cls.word, game=table.row.name))
        return known

    @classmethod
    def forget(cls, tx: Tx, desk: Desk, table: GameTable) -> None:
        """Remove the channel that was read, if there was one. Raises Conflict as `same` does."""
        known = cls.same(tx, desk, table)
        if known is not None:
            known.drop(tx)

    def leave(self, why: str) -> Done:
        """Leave the channel, and email the organizer why; no email before it had begun."""
        letters = [self.left(why)] if self.row.status != "named" else []
        return Done(f"{self.place} no longer has {self.game}", letters, also=self.drop)

    # the writer of a post

    @classmethod
    @abstractmethod
    def lines(cls, mail: Mail) -> Sequence[Line]:
        """The lines of a post that its writer wrote."""

    @classmethod
    @abstractmethod
    def named(cls, mail: Mail) -> str:
        """The name under which readers there see a post, "" if it has none."""

    @abstractmethod
    def writer(self, tx: Tx, mail: Mail) -> SeatRow | None:
        """The seat of the player who wrote a post, None for anybody else."""

    def introduces(self, reads: Tx, mail: Mail) -> Done | None:
        """Handle a post by which a player introduces themselves there; None for others."""
        return None

    def seen(self, mail: Mail) -> tuple[Self, Write]:
        """The channel with what a post shows about it, and what stores that."""
        return self, store_nothing

    def position_answered(self, mail: Mail) -> int | None:
        """The number of the position that a post answers, None if it names none."""
        return None

    # emails to the channel

    @abstractmethod
    def letter(self, kind: str, page: Page, scene: Scene) -> Letter:
        """An email to the channel, about a position."""

    @abstractmethod
    def answer(
        self, page: Page, mail: Mail, scene: Scene | None = None, *, done: bool = False
    ) -> Letter:
        """The answer to a post, with the position after it; ``done`` if it has made a move."""

    def tell(self, scene: Scene, happened: Happened) -> list[Letter]:
        """The emails to its readers about a change that leads to a position."""
        if happened.over:
            opened = seals.at_the_end(seals.kept(self.table, "", over=True))
            since = self.since(scene, happened)
            page = ended_page(self.readers, scene, since, self.pictures, opened)
            return [self.letter("ended", page, scene)]
        return [self.round(scene, happened)] if happened.rounds else self.news(scene, happened)

    @abstractmethod
    def since(self, scene: Scene, happened: Happened) -> Since:
        """The events that its readers do not know yet."""

    @abstractmethod
    def round(self, scene: Scene, happened: Happened) -> Letter:
        """The email to its readers at the end of a round."""

    def news(self, scene: Scene, happened: Happened) -> list[Letter]:
        """The emails to its readers about a change within a round."""
        return []

    def opening(self, scene: Scene) -> list[Letter]:
        """The emails to its readers at the start of the game."""
        return []

    def counted(self, name: str) -> str:
        """All answers there count together, whoever has written."""
        return f"{self.word} {self.address}"

    @property
    def readers(self) -> Audience:
        """The readers of all its pages."""
        return of_list(self.game)

    @property
    def pictures(self) -> bool:
        """Whether emails there have pictures."""
        return False

    def links(self, scene: Scene) -> Links | None:
        """The addresses of the game's page and map, None if they are not published."""
        return links(self.desk.service.place_of(self.table), scene)

    # emails to single people about it

    def to_player(
        self, seat: SeatRow, headline: str, lines: Sequence[str], commands: Sequence[str] = ()
    ) -> Letter:
        """To a player, in private."""
        about = self.desk.service.about(self.game, self.table.title)
        to, subject = of_seat(self.game, seat.name), f"[{self.game}] {headline.rstrip('.')}"
        page = note_page(to, subject, headline, lines, commands, about=about)
        return self.desk.to_seat(f"{self.word}-private", at_head(self.table), seat, page)

    def to_organiser(self, kind: str, headline: str, lines: Sequence[str]) -> Letter:
        """To the organizer."""
        about = self.desk.service.about(self.game, self.table.title)
        to, subject = of_organiser(self.game), f"[{self.game}] {headline.rstrip('.')}"
        page = note_page(to, subject, headline, lines, about=about)
        return self.desk.to_organiser(f"{self.word}-{kind}", self.table.row, page)

    def left(self, why: str) -> Letter:
        """To the organizer: Waybill no longer sends emails there, and the reason."""
        lines = (NOTHING_GOES.format(place=self.place, why=why), *self.hints, self.again)
        return self.to_organiser("off", HAS_LEFT.format(word=self.word), lines)

    def failed(self, why: str) -> Letter:
        """To the organizer: an email there failed in a way that may pass."""
        lines = (EMAIL_FAILED.format(address=self.address, why=why), MAY_PASS, *self.hints)
        return self.to_organiser("failed", FAILS.format(word=self.word), lines)

    def hearsay(self, reads: Tx, why: str, note: str, fate: Fate = "done") -> Done:
        """Inform the organizer, once a day, of a report about a channel: anybody could write it."""
        counters = rations.address(f"{self.game} {self.address}", "told")
        says = EMAIL_SAYS.format(address=self.address, why=why or "no reason")
        lines = (says, ANYBODY_COULD.format(word=self.word))
        letters = [self.to_organiser("failed", FAILS.format(word=self.word), lines)]
        return within_ration(Answering(reads, self.desk, counters), letters, note, fate=fate)


def tables_of(tx: Tx, rows: Sequence[ListRow | ForumRow]) -> list[GameTable]:
    """The games of these rows."""
    called = tx.games.names_of({row.game_id for row in rows})
    found = (load(tx, called[row.game_id]) for row in rows)
    return [table for table in found if table is not None]

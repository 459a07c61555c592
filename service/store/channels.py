"""The mailing lists and forum threads of games, and the names of the players on a forum.

It reads no email and has no clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, delete, update

from service.clocks.zones import Seconds
from service.store.columns import GameId, col, one_of, read, table, value
from service.store.database import Repository, Session
from service.store.tables import Telling

#: somebody named the list; somebody on it agreed and Waybill sent a greeting; the greeting came
#: back through the list
ListStatus = Literal["named", "greeted", "on"]
#: whole pictures, as many as fit into an email of 40 kB, or none
ListPictures = Literal["attached", "small", "off"]
#: somebody named a thread; somebody has written the line for it there
ForumStatus = Literal["named", "on"]


@value
class ListRow:
    """The list of a game.

    ``number`` is part of its proof, and differs for each list that a game gets. ``told`` is the
    last position that a letter informed it of. ``root`` is the Message-ID of the letter that began
    the latest thread, that of ``topic``. With ``links``, letters have the addresses of pictures
    instead, while the game has a page.
    """

    id: int
    game_id: GameId
    address: str
    status: ListStatus = "named"
    pictures: ListPictures = "small"
    number: int = 0
    told: int = 0
    topic: str = ""
    root: str = ""
    at: Seconds = 0
    links: bool = False


@table(
    "game_list",
    UniqueConstraint("game_id"),
    Index("game_list_name", "name"),
    one_of("status", "named", "greeted", "on"),
    one_of("pictures", "attached", "small", "off"),
)
class ListRecord(ListRow):
    """The table of lists. ``name`` is the address with a dot for the @, as in List-Id."""

    name: str


@table(
    "forum",
    UniqueConstraint("game_id"),
    Index("forum_topic", "host", "topic"),
    CheckConstraint("status IN ('named', 'on')", name="forum_status_known"),
)
class ForumRow:
    """The thread of a game on a forum.

    ``number`` is part of its proof, and differs for each thread that a game gets. ``sender`` is the
    From address of the forum's emails, ``host`` that of its pages. ``topic`` is the number of the
    thread, ``reply_to`` the address that posts into it. All are "" before the thread is on.
    """

    id: int
    game_id: GameId
    number: int
    status: ForumStatus = "named"
    sender: str = ""
    host: str = ""
    topic: str = ""
    reply_to: str = ""
    at: Seconds = 0


@table("forum_name", UniqueConstraint("game_id", "seat", name="forum_name_seat"))
class ForumNameRow:
    """A player's name on a forum; ``name`` is "" until its owner has written there.

    ``address`` is the player's address when they asked; another player of the seat must ask again.
    ``at`` (UTC seconds) is part of the proof.
    """

    id: int
    game_id: GameId
    seat: str
    address: str
    name: str
    at: Seconds


@dataclass(frozen=True, slots=True)
class ListTelling(Telling):
    """How far a letter informs a list. It has the id of the list's row in place of a seat's id.

    ``topic`` and ``root`` are those of the thread that it begins or continues, "" for neither.
    """

    topic: str = ""
    root: str = ""


class Channels(Repository):
    """The mailing lists and forum threads of games."""

    # lists

    def list_of(self, game: int) -> ListRow | None:
        """The list of a game, None if it has none."""
        return self._session.row(read(ListRow).where(col(ListRecord.game_id) == game))

    def lists_named(self, names: Iterable[str]) -> tuple[ListRow, ...]:
        """The lists of games by address or by List-Id, the oldest game first."""
        wanted = {name.lower().replace("@", ".") for name in names}
        if not wanted:
            return ()
        found = read(ListRow).where(col(ListRecord.name).in_(wanted))
        return self._session.rows(found.order_by(col(ListRecord.id)))

    def name_list(self, game: int, address: str, number: int, now: int) -> ListRow:
        """Give a game a list in place of the former one; nothing is sent to it before it agrees."""
        self.drop_list(game)
        address = address.lower()
        name = address.replace("@", ".")
        return self._session.make(
            ListRow, game_id=game, address=address, name=name, number=number, at=now
        )

    def change_list(
        self,
        row: ListRow,
        *,
        status: ListStatus | None = None,
        pictures: ListPictures | None = None,
        links: bool | None = None,
        told: int | None = None,
    ) -> bool:
        """Store the given values of a list; False if the game has another by now.

        The status is stored only if it is still the one that was read.
        """
        given = {"status": status, "pictures": pictures, "links": links, "told": told}
        values = {column: value for column, value in given.items() if value is not None}
        which = [col(ListRecord.id) == row.id, col(ListRecord.number) == row.number]
        if status is not None:
            which.append(col(ListRecord.status) == row.status)
        changed = update(ListRecord).where(*which).values(**values)
        return self._session.execute(changed).rowcount == 1

    def drop_list(self, game: int) -> bool:
        """Delete the list of a game; False if it had none."""
        which = col(ListRecord.game_id) == game
        return self._session.execute(delete(ListRecord).where(which)).rowcount == 1

    # threads of forums

    def forum_of(self, game: int) -> ForumRow | None:
        """The thread of a game, None if it has none."""
        return self._session.row(read(ForumRow).where(col(ForumRow.game_id) == game))

    def forums_named(self) -> tuple[ForumRow, ...]:
        """The threads in which nobody has written the line yet."""
        return self._session.rows(read(ForumRow).where(col(ForumRow.status) == "named"))

    def forums_at(self, host: str, topic: str) -> tuple[ForumRow, ...]:
        """The threads with that host and topic, the oldest game first."""
        there = (col(ForumRow.host) == host, col(ForumRow.topic) == topic)
        wanted = read(ForumRow).where(*there, col(ForumRow.status) == "on")
        return self._session.rows(wanted.order_by(col(ForumRow.id)))

    def forums_from(self, sender: str) -> tuple[ForumRow, ...]:
        """The threads of the forum whose emails come from an address."""
        wanted = read(ForumRow).where(col(ForumRow.sender) == sender)
        return self._session.rows(wanted.order_by(col(ForumRow.id)))

    def name_forum(self, game: int, number: int, now: int) -> ForumRow:
        """Give a game a thread in place of the former one; nothing is posted before it is on."""
        self.drop_forum(game)
        return self._session.make(ForumRow, game_id=game, number=number, at=now)

    def open_forum(self, row: ForumRow, at: ForumRow) -> bool:
        """Turn the thread on with the data of ``at``; False if the game has another by now."""
        which = (col(ForumRow.id) == row.id, col(ForumRow.number) == row.number)
        place = {
            "status": "on",
            "sender": at.sender,
            "host": at.host,
            "topic": at.topic,
            "reply_to": at.reply_to,
        }
        opened = update(ForumRow).where(*which).values(**place)
        return self._session.execute(opened).rowcount == 1

    def post_to(self, row: ForumRow, reply_to: str) -> None:
        """Set another address that posts into the thread."""
        which = (col(ForumRow.id) == row.id, col(ForumRow.number) == row.number)
        self._session.execute(update(ForumRow).where(*which).values(reply_to=reply_to))

    def drop_forum(self, game: int) -> bool:
        """Delete the thread of a game and its names; False if it had none."""
        self._session.execute(delete(ForumNameRow).where(col(ForumNameRow.game_id) == game))
        which = col(ForumRow.game_id) == game
        return self._session.execute(delete(ForumRow).where(which)).rowcount == 1

    # names on forums

    def names(self, game: int) -> tuple[ForumNameRow, ...]:
        """The forum names of a game's players, including those who have only asked."""
        own = col(ForumNameRow.game_id) == game
        return self._session.rows(read(ForumNameRow).where(own).order_by(col(ForumNameRow.id)))

    def ask_name(self, game: int, seat: str, address: str, now: int) -> ForumNameRow:
        """Record that a player wants to be known there; a former name is no longer valid."""
        which = (col(ForumNameRow.game_id) == game, col(ForumNameRow.seat) == seat)
        self._session.execute(delete(ForumNameRow).where(*which))
        asked = {"address": address, "name": "", "at": now}
        return self._session.make(ForumNameRow, game_id=game, seat=seat, **asked)

    def know_name(self, row: ForumNameRow, name: str) -> bool:
        """Give the name to this player and nobody else; False if they have asked again."""
        others = (
            col(ForumNameRow.game_id) == row.game_id,
            col(ForumNameRow.name) == name,
            col(ForumNameRow.id) != row.id,
        )
        self._session.execute(delete(ForumNameRow).where(*others))
        which = (col(ForumNameRow.id) == row.id, col(ForumNameRow.at) == row.at)
        named = update(ForumNameRow).where(*which).values(name=name)
        return self._session.execute(named).rowcount == 1


def note_list_told(session: Session, tells: ListTelling) -> None:
    """Record how far a letter informs a list."""
    values: dict[str, int | str] = {} if tells.number is None else {"told": tells.number}
    if tells.topic:
        values |= {"topic": tells.topic, "root": tells.root}
    if values:
        session.execute(update(ListRecord).where(col(ListRecord.id) == tells.seat).values(**values))

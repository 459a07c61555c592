"""The threads of games on forums, and the names of the players there.

It reads no email and has no clock.
"""

from dataclasses import dataclass, fields
from typing import Literal

from sqlalchemy import BigInteger, CheckConstraint, Index, UniqueConstraint, delete, update
from sqlmodel import Field, SQLModel, col, select

from service.store.database import Repository

#: somebody named a thread; somebody has written the line for it there
ForumStatus = Literal["named", "on"]


class ForumRecord(SQLModel, table=True):
    """The thread of a game; see `ForumRow`."""

    __tablename__ = "forum"
    __table_args__ = (
        Index("forum_topic", "host", "topic"),
        CheckConstraint("status IN ('named', 'on')", name="forum_status_known"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", unique=True)
    number: int = 0
    status: str = "named"
    sender: str = ""
    host: str = ""
    topic: str = ""
    reply_to: str = ""
    at: int = Field(sa_type=BigInteger)


class ForumNameRecord(SQLModel, table=True):
    """The name with which a player writes on a game's forum; see `ForumNameRow`."""

    __tablename__ = "forum_name"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="forum_name_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    address: str
    name: str = ""
    at: int = Field(sa_type=BigInteger)


@dataclass(frozen=True, slots=True)
class ForumRow:
    """The thread of a game on a forum.

    ``number`` is part of its proof, and differs for each thread that a game gets. ``sender`` is the
    From address of the forum's emails, ``host`` that of its pages. ``topic`` is the number of the
    thread, ``reply_to`` the address that posts into it. All are "" before the thread is on.
    """

    id: int
    game_id: int
    number: int
    status: ForumStatus
    sender: str
    host: str
    topic: str
    reply_to: str
    at: int


@dataclass(frozen=True, slots=True)
class ForumNameRow:
    """A player's name on a forum; ``name`` is "" until its owner has written there.

    ``address`` is the player's address when they asked; another player of the seat must ask again.
    ``at`` (UTC seconds) is part of the proof.
    """

    id: int
    game_id: int
    seat: str
    address: str
    name: str
    at: int


class Forums(Repository):
    """The threads of games on forums, and the names of players there."""

    def of(self, game: int) -> ForumRow | None:
        """The thread of a game, None if it has none."""
        wanted = select(ForumRecord).where(ForumRecord.game_id == game)
        found = self._session.exec(wanted.execution_options(populate_existing=True)).first()
        return None if found is None else _forum(found)

    def waiting(self) -> tuple[ForumRow, ...]:
        """The threads in which nobody has written the line yet."""
        found = self._session.exec(select(ForumRecord).where(ForumRecord.status == "named"))
        return tuple(map(_forum, found))

    def at(self, host: str, topic: str) -> tuple[ForumRow, ...]:
        """The threads with that host and topic, the oldest game first."""
        wanted = select(ForumRecord).where(
            ForumRecord.host == host, ForumRecord.topic == topic, ForumRecord.status == "on"
        )
        return tuple(map(_forum, self._session.exec(wanted.order_by(col(ForumRecord.id)))))

    def by_sender(self, sender: str) -> tuple[ForumRow, ...]:
        """The threads of the forum whose emails come from an address."""
        wanted = select(ForumRecord).where(ForumRecord.sender == sender)
        return tuple(map(_forum, self._session.exec(wanted.order_by(col(ForumRecord.id)))))

    def name(self, game: int, number: int, now: int) -> ForumRow:
        """Give a game a thread in place of the former one; nothing is posted before it is on."""
        self.drop(game)
        made = ForumRecord(game_id=game, number=number, at=now)
        self._session.add(made)
        self._session.flush()
        return _forum(made)

    def open(self, row: ForumRow, at: ForumRow) -> bool:
        """Turn the thread on with the data of ``at``; False if the game has another by now."""
        which = (col(ForumRecord.id) == row.id, col(ForumRecord.number) == row.number)
        values = {
            "status": "on",
            "sender": at.sender,
            "host": at.host,
            "topic": at.topic,
            "reply_to": at.reply_to,
        }
        return self._session.exec(update(ForumRecord).where(*which).values(**values)).rowcount == 1

    def post_to(self, row: ForumRow, reply_to: str) -> None:
        """Set another address that posts into the thread."""
        which = (col(ForumRecord.id) == row.id, col(ForumRecord.number) == row.number)
        self._session.exec(update(ForumRecord).where(*which).values(reply_to=reply_to))

    def drop(self, game: int) -> bool:
        """Delete the thread of a game and its names; False if it had none."""
        self._session.exec(delete(ForumNameRecord).where(col(ForumNameRecord.game_id) == game))
        which = col(ForumRecord.game_id) == game
        return self._session.exec(delete(ForumRecord).where(which)).rowcount == 1

    # names

    def names(self, game: int) -> tuple[ForumNameRow, ...]:
        """The forum names of a game's players, including those who have only asked."""
        wanted = select(ForumNameRecord).where(ForumNameRecord.game_id == game)
        wanted = wanted.order_by(col(ForumNameRecord.id)).execution_options(populate_existing=True)
        return tuple(map(_name, self._session.exec(wanted)))

    def ask_name(self, game: int, seat: str, address: str, now: int) -> ForumNameRow:
        """Record that a player wants to be known there; a former name is no longer valid."""
        which = (col(ForumNameRecord.game_id) == game, col(ForumNameRecord.seat) == seat)
        self._session.exec(delete(ForumNameRecord).where(*which))
        made = ForumNameRecord(game_id=game, seat=seat, address=address, at=now)
        self._session.add(made)
        self._session.flush()
        return _name(made)

    def know_name(self, row: ForumNameRow, name: str) -> bool:
        """Give the name to this player and nobody else; False if they have asked again."""
        others = (
            col(ForumNameRecord.game_id) == row.game_id,
            col(ForumNameRecord.name) == name,
            col(ForumNameRecord.id) != row.id,
        )
        self._session.exec(delete(ForumNameRecord).where(*others))
        which = (col(ForumNameRecord.id) == row.id, col(ForumNameRecord.at) == row.at)
        return (
            self._session.exec(update(ForumNameRecord).where(*which).values(name=name)).rowcount
            == 1
        )


def _forum(record: ForumRecord) -> ForumRow:
    return ForumRow(**{field.name: getattr(record, field.name) for field in fields(ForumRow)})


def _name(record: ForumNameRecord) -> ForumNameRow:
    names = (field.name for field in fields(ForumNameRow))
    return ForumNameRow(**{name: getattr(record, name) for name in names})

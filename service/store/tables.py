"""The tables Waybill keeps and the frozen rows handed out of them; no queries, no clock.

Times are UTC seconds as integers, because SQLite forgets time zones. What the engine makes (states,
actions, events, title data) is stored as bytes and never looked into.
"""

import zlib
from dataclasses import dataclass, fields
from typing import Literal, TypeVar

from sqlalchemy import BigInteger, CheckConstraint, Index, LargeBinary, UniqueConstraint
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

InboxStatus = Literal["new", "working", "done", "ignored", "duplicate", "shunted"]
OutboxStatus = Literal["new", "working", "sent", "failed"]
GameStatus = Literal["open", "running", "ended", "abandoned"]
SeatStatus = Literal["invited", "joined"]


class Packed(TypeDecorator[bytes]):
    """Bytes stored compressed (zlib): a snapshot shrinks to a seventh, a mail by a quarter."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """What is written."""
        return None if value is None else zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """What is read back."""
        return None if value is None else zlib.decompress(value)


def _one_of(column: str, *allowed: str) -> CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in allowed)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


class Inbox(SQLModel, table=True):
    """A mail as it came; UIDs are unsigned 32-bit numbers (RFC 9051 2.3.1.1), hence BigInteger."""

    __table_args__ = (
        UniqueConstraint("account", "uidvalidity", "uid", name="inbox_uid"),
        UniqueConstraint("sha256", name="inbox_sha256"),
        Index("inbox_message_id", "message_id"),
        Index("inbox_lane", "status", "game", "id"),
        _one_of("status", "new", "working", "done", "ignored", "duplicate", "shunted"),
    )

    id: int | None = Field(default=None, primary_key=True)
    account: str
    uidvalidity: int = Field(sa_type=BigInteger)
    uid: int = Field(sa_type=BigInteger)
    message_id: str
    sha256: str
    raw: bytes = Field(sa_type=Packed)
    received: int = Field(sa_type=BigInteger)
    sender: str
    game: str
    status: str
    worker: str = ""
    lease: int = Field(default=0, sa_type=BigInteger)
    tries: int = 0
    note: str = ""
    kept: int = Field(sa_type=BigInteger)


class Outbox(SQLModel, table=True):
    """A mail to be sent, ready as bytes; ``key`` names its occasion, and no occasion has two."""

    __table_args__ = (
        UniqueConstraint("key", name="outbox_key"),
        Index("outbox_due", "status", "next_try"),
        Index("outbox_recipient", "recipient", "game"),
        _one_of("status", "new", "working", "sent", "failed"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: bytes = Field(sa_type=Packed)
    message_id: str
    status: str = "new"
    worker: str = ""
    lease: int = Field(default=0, sa_type=BigInteger)
    tries: int = 0
    next_try: int = Field(default=0, sa_type=BigInteger)
    note: str = ""
    created: int = Field(sa_type=BigInteger)
    sent: int | None = Field(default=None, sa_type=BigInteger)


class Game(SQLModel, table=True):
    """A game with the title data it began with.

    ``head`` names the action that stands. It has no foreign key: actions name their game, and two
    tables that name each other can be neither filled nor dropped in any order.
    """

    __table_args__ = (
        UniqueConstraint("name", name="game_name"),
        CheckConstraint("name = lower(name) AND name <> ''", name="name_is_slug"),
        _one_of("status", "open", "running", "ended", "abandoned"),
    )

    id: int | None = Field(default=None, primary_key=True)
    name: str
    title: str
    title_data: bytes = Field(sa_type=Packed)
    settings: bytes
    status: str = "open"
    head: int | None = None
    organiser: str
    created: int = Field(sa_type=BigInteger)
    ended: int | None = Field(default=None, sa_type=BigInteger)


class Seat(SQLModel, table=True):
    """A player's place in a game; raising ``epoch`` makes the old reply address void."""

    __table_args__ = (
        UniqueConstraint("game_id", "name", name="seat_name"),
        Index("seat_address_key", "address_key"),
        _one_of("status", "invited", "joined"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    name: str
    address: str
    address_key: str
    epoch: int = 0
    position: int
    status: str
    settings: bytes


class Action(SQLModel, table=True):
    """One step of a game with the snapshot after it; taken-back steps stay as a branch.

    ``number`` is never given twice in a game, not even after an undo: a reply to a position that
    was taken back must not look like one to the position that took its place.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "number", name="action_number"),
        # NULLs are distinct: steps that no mail made (orders, time) are not held to this.
        UniqueConstraint("inbox_id", "line", "game_id", name="action_of_mail"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    parent: int | None = Field(default=None, foreign_key="action.id")
    number: int
    seat: str
    text: str
    action: bytes
    events: bytes
    rules: int
    digest: str
    snapshot: bytes | None = Field(default=None, sa_type=Packed)
    inbox_id: int | None = Field(default=None, foreign_key="inbox.id")
    line: int
    at: int = Field(sa_type=BigInteger)


class Talk(SQLModel, table=True):
    """Something a player said to the table while position ``number`` stood."""

    __table_args__ = (Index("talk_game", "game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    text: str
    number: int
    at: int = Field(sa_type=BigInteger)


class ReplyGuard(SQLModel, table=True):
    """When an address was last sent an answer of a kind that is rationed."""

    __tablename__ = "reply_guard"
    __table_args__ = (Index("reply_guard_address", "address", "kind", "at"),)

    id: int | None = Field(default=None, primary_key=True)
    address: str
    kind: str
    at: int = Field(sa_type=BigInteger)


class Meta(SQLModel, table=True):
    """Single values that belong to the whole house, such as how far a mailbox has been read."""

    key: str = Field(primary_key=True)
    value: str


@dataclass(frozen=True, slots=True)
class InboxRow:
    """A mail as it came. ``game`` orders the work and proves nothing about the sender."""

    id: int
    account: str
    uidvalidity: int
    uid: int
    message_id: str
    raw: bytes
    received: int
    sender: str
    game: str
    status: InboxStatus
    worker: str
    lease: int
    tries: int
    note: str


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to be queued; ``key`` names its occasion, such as ``"turn:18al7:212:ann"``."""

    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: bytes
    message_id: str


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A queued mail and how its sending went."""

    id: int
    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: bytes
    message_id: str
    status: OutboxStatus
    tries: int
    next_try: int
    note: str
    created: int
    sent: int | None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; ``settings`` is JSON of the service's own, ``head`` an action's id."""

    id: int
    name: str
    title: str
    title_data: bytes
    settings: bytes
    status: GameStatus
    head: int | None
    organiser: str
    created: int
    ended: int | None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's place in a game, in the order of ``position``."""

    id: int
    game_id: int
    name: str
    address: str
    epoch: int
    position: int
    status: SeatStatus
    settings: bytes


@dataclass(frozen=True, slots=True)
class Step:
    """An action to be stored; the opening position is a step without action, numbered 0."""

    parent: int | None
    number: int
    seat: str
    text: str
    action: bytes
    events: bytes
    rules: int
    digest: str
    snapshot: bytes
    inbox_id: int | None
    line: int


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A stored action; ``snapshot`` is None where an ended game was thinned."""

    id: int
    game_id: int
    parent: int | None
    number: int
    seat: str
    text: str
    action: bytes
    events: bytes
    rules: int
    digest: str
    snapshot: bytes | None
    inbox_id: int | None
    line: int
    at: int


@dataclass(frozen=True, slots=True)
class TalkRow:
    """Something said at the table."""

    id: int
    game_id: int
    seat: str
    text: str
    number: int
    at: int


Row = TypeVar("Row", InboxRow, OutboxRow, GameRow, SeatRow, ActionRow, TalkRow)


def frozen(kind: type[Row], record: SQLModel) -> Row:
    """``record`` as a value that outlives its transaction and cannot write to the database."""
    return kind(**{field.name: getattr(record, field.name) for field in fields(kind)})

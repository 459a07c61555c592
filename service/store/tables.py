"""The tables of Waybill. This module has no queries and no clock.

Times are UTC seconds as integers, because SQLite forgets time zones. Values of the engine
(positions, actions, events, title data) are stored as bytes that the store never looks into.
"""

import zlib
from typing import Literal

from sqlalchemy import BigInteger, CheckConstraint, Index, LargeBinary, UniqueConstraint, text
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

InboxStatus = Literal["new", "working", "done", "ignored", "duplicate", "shunted"]
OutboxStatus = Literal["new", "working", "sent", "failed"]
GameStatus = Literal["open", "running", "ended", "abandoned"]
SeatStatus = Literal["invited", "joined"]
TaskStatus = Literal["new", "working", "done", "shunted"]


class Packed(TypeDecorator[bytes]):
    """Bytes stored compressed (zlib). A snapshot shrinks to a seventh, an email by a quarter."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The value to write."""
        return None if value is None else zlib.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The value that was read."""
        return None if value is None else zlib.decompress(value)


def _one_of(column: str, *allowed: str) -> CheckConstraint:
    listed = ", ".join(f"'{word}'" for word in allowed)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def _partial(name: str, *columns: str, where: str) -> Index:
    """An index of only those rows for which the condition ``where`` is true."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


class Inbox(SQLModel, table=True):
    """An email as it came. UIDs are unsigned 32-bit numbers (RFC 9051 2.3.1.1), hence BigInteger.

    All copies of one email share ``identity``. ``acted`` is the same value after Waybill acted on
    one copy, so that it cannot act on a second one. Copies with another Message-ID share ``words``.
    ``faults`` counts how often our environment, not the email, stopped the work on it.
    """

    __table_args__ = (
        UniqueConstraint("account", "uidvalidity", "uid", name="inbox_uid"),
        UniqueConstraint("sha256", name="inbox_sha256"),
        Index("inbox_message_id", "message_id"),
        Index("inbox_lane", "status", "game", "id"),
        Index("inbox_acted", "acted", unique=True),
        Index("inbox_words", "words"),
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
    identity: str = ""
    acted: str | None = None
    next_try: int = Field(default=0, sa_type=BigInteger)
    faults: int = 0
    words: str = ""


class OccasionRecord(SQLModel, table=True):
    """The cause of a change or a letter. Its unique ``key`` makes sure that it happens once.

    ``mail`` is the incoming email if the cause is one. ``seat`` is the seat that caused it, "" for
    none.
    """

    __tablename__ = "occasion"
    __table_args__ = (
        UniqueConstraint("key", name="occasion_key"),
        UniqueConstraint("mail", name="occasion_mail"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    game: str
    seat: str
    mail: int | None = Field(default=None, foreign_key="inbox.id")
    key: str
    at: int = Field(sa_type=BigInteger)


class TaskRecord(SQLModel, table=True):
    """Work for a certain time; its kind names the function. ``key`` lets it be done once.

    The kind decides what ``payload`` contains.
    """

    __tablename__ = "task"
    __table_args__ = (
        UniqueConstraint("key", name="task_key"),
        Index("task_due", "status", "due"),
        Index("task_lane", "game", "status"),
        _one_of("status", "new", "working", "done", "shunted"),
    )

    id: int | None = Field(default=None, primary_key=True)
    kind: str
    game: str
    seat: str
    key: str
    due: int = Field(sa_type=BigInteger)
    payload: bytes
    status: str = "new"
    worker: str = ""
    lease: int = Field(default=0, sa_type=BigInteger)
    tries: int = 0
    faults: int = 0
    next_try: int = Field(default=0, sa_type=BigInteger)
    note: str = ""
    created: int = Field(sa_type=BigInteger)


class Outbox(SQLModel, table=True):
    """An email to send; ``key`` names its occasion, kind and reader, and is unique.

    ``raw`` has marks in place of its pictures. ``pictures`` lists their digests with blanks
    between. ``raw`` is empty after the text was deleted. ``told`` is when its failure was reported.
    """

    __table_args__ = (
        UniqueConstraint("key", name="outbox_key"),
        Index("outbox_due", "status", "next_try"),
        Index("outbox_sent", "sent"),
        Index("outbox_game", "game", "kind", "created"),
        _partial("outbox_untold", "id", where="status = 'failed' AND told IS NULL"),
        _partial("outbox_whole", "created", where="length(raw) > 8"),
        Index("outbox_recipient", "recipient", "game"),
        Index("outbox_message_id", "message_id"),
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
    pictures: str = ""
    told: int | None = Field(default=None, sa_type=BigInteger)


class Picture(SQLModel, table=True):
    """A PNG that letters show, kept once; ``used`` is when a letter with it was last queued."""

    __table_args__ = (Index("picture_used", "used"),)

    sha256: str = Field(primary_key=True)
    png: bytes
    used: int = Field(sa_type=BigInteger)


class Game(SQLModel, table=True):
    """A game with the title data with which it began.

    ``head`` names the action of the present position. It has no foreign key: actions name their
    game, and two tables that name each other can be neither filled nor dropped in any order. A
    higher ``epoch`` makes the organizer's old reply address void. ``renewed_by`` is the email that
    raised it last.
    """

    __table_args__ = (
        UniqueConstraint("name", name="game_name"),
        CheckConstraint("name = lower(name) AND name <> ''", name="name_is_slug"),
        Index("game_status", "status"),
        Index("game_ended", "ended"),
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
    epoch: int = 0
    renewed_by: int | None = None
    format: int = Field(default=1, sa_column_kwargs={"server_default": "1"})


class Seat(SQLModel, table=True):
    """A player's place in a game. A higher ``epoch`` makes the old reply address void.

    ``renewed_by`` is the email that raised it last. If work on that email begins again, its old
    token still counts. ``told`` is the last position that a letter showed to its player, ``heard``
    the last message.
    """

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
    offered: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    renewed_by: int | None = None
    told: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    heard: int = Field(default=0, sa_column_kwargs={"server_default": "0"})


class Action(SQLModel, table=True):
    """One action of a game with the snapshot after it. Actions that were undone stay as a branch.

    A game never uses a ``number`` twice, not even after an undo. A reply to a position that was
    taken back must not look like a reply to the position that replaced it.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "number", name="action_number"),
        UniqueConstraint("occasion_id", "line", "game_id", name="action_of_occasion"),
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
    occasion_id: int = Field(foreign_key="occasion.id")
    line: int
    at: int = Field(sa_type=BigInteger)
    format: int = Field(default=1, sa_column_kwargs={"server_default": "1"})


class Waiting(SQLModel, table=True):
    """A seat that a game waits for, and since when; the rows move with the head.

    ``decision`` is the engine's name of the decision. ``due`` is its deadline, if there is one.
    """

    __table_args__ = (
        UniqueConstraint("game_id", "seat", name="waiting_seat"),
        Index("waiting_due", "due"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    decision: str
    since: int = Field(sa_type=BigInteger)
    due: int | None = Field(default=None, sa_type=BigInteger)


class AheadRecord(SQLModel, table=True):
    """Commands of a seat that wait for the answer to its question, one per line.

    ``question`` and ``turn`` are the engine's names of decisions: the one that must be answered,
    and the turn that goes on after it. ``number`` is the position that they followed. After a no,
    ``instead`` comes before them.
    """

    __tablename__ = "ahead"
    __table_args__ = (UniqueConstraint("game_id", "seat", name="ahead_seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    commands: str
    keep_open: bool
    question: str
    turn: str
    number: int
    instead: str = Field(default="", sa_column_kwargs={"server_default": ""})
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class OrderRecord(SQLModel, table=True):
    """An advance order of a seat, in its canonical form; it never changes.

    ``number`` is its number for the player. ``given`` and the round say when it was given. Waybill
    shows ``seal`` when it is given, and ``salt`` when the game is over. With both, anybody can
    check it.
    """

    __tablename__ = "standing_order"
    __table_args__ = (UniqueConstraint("game_id", "seat", "number", name="order_number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    number: int
    text: str
    given: int
    round_kind: str
    round_number: int
    round_part: int
    salt: str
    seal: str
    occasion_id: int = Field(foreign_key="occasion.id")
    at: int = Field(sa_type=BigInteger)


class OrderState(SQLModel, table=True):
    """The progress of an order at position ``number``; struck out if that was taken back."""

    __tablename__ = "order_state"
    __table_args__ = (Index("order_state_order", "order_id"),)

    id: int | None = Field(default=None, primary_key=True)
    order_id: int = Field(foreign_key="standing_order.id")
    number: int
    step: int = 0
    status: str = "open"
    reason: str = ""
    part: str = ""
    struck: bool = False
    occasion_id: int = Field(foreign_key="occasion.id")


class Talk(SQLModel, table=True):
    """A message of a player to all players, written at position ``number``."""

    __table_args__ = (Index("talk_game", "game_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id")
    seat: str
    text: str
    number: int
    at: int = Field(sa_type=BigInteger)


class ReplyGuard(SQLModel, table=True):
    """The time of an answer to an address, of a kind with a limit."""

    __tablename__ = "reply_guard"
    __table_args__ = (
        Index("reply_guard_address", "address", "kind", "at"),
        Index("reply_guard_at", "at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    address: str
    kind: str
    at: int = Field(sa_type=BigInteger)


class Work(SQLModel, table=True):
    """Milliseconds of work that the questions of one email caused, by its sender's address."""

    __table_args__ = (Index("work_address", "address", "at"), Index("work_at", "at"))

    id: int | None = Field(default=None, primary_key=True)
    address: str
    spent: int
    at: int = Field(sa_type=BigInteger)


class Held(SQLModel, table=True):
    """A player's email that changed nothing, whose answer is delayed and joined with others.

    ``seat`` is "" for a game's organizer.
    """

    __table_args__ = (
        UniqueConstraint("inbox_id", name="held_inbox_id"),
        Index("held_due", "due"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game: str
    seat: str
    inbox_id: int = Field(foreign_key="inbox.id")
    about: str
    at: int = Field(sa_type=BigInteger)
    due: int = Field(sa_type=BigInteger)


class Meta(SQLModel, table=True):
    """Single values without a table of their own, such as how the emails of a player end."""

    key: str = Field(primary_key=True)
    value: str

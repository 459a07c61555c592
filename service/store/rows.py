"""The frozen rows that the store takes and returns. They stay valid after a transaction."""

from dataclasses import dataclass, fields
from typing import Any, TypeVar

from sqlalchemy import Column
from sqlmodel import SQLModel

from service.store.database import table_of
from service.store.tables import GameStatus, InboxStatus, OutboxStatus, SeatStatus, TaskStatus


@dataclass(frozen=True, slots=True)
class InboxRow:
    """An email as it came. ``game`` orders the work and proves nothing about the sender."""

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
    faults: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Occasion:
    """The cause of a change or a letter: an email, a time that comes, or the operator.

    ``key`` is the same for each try of one occasion, and different for every other occasion. With
    it, each letter and action is made only once. ``mail`` is the incoming email's id. Game and seat
    are names, "" if there is none.
    """

    kind: str
    key: str
    game: str = ""
    seat: str = ""
    mail: int | None = None


@dataclass(frozen=True, slots=True)
class OccasionRow:
    """An occasion that happened."""

    id: int
    kind: str
    key: str
    game: str
    seat: str
    mail: int | None
    at: int


@dataclass(frozen=True, slots=True)
class Task:
    """Work for the time ``due`` (UTC seconds). The kind decides what ``payload`` contains.

    No two tasks have the same ``key``. Tasks of one game are done one after the other.
    """

    kind: str
    key: str
    due: int
    game: str = ""
    seat: str = ""
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task and its result so far."""

    id: int
    kind: str
    key: str
    game: str
    seat: str
    due: int
    payload: bytes
    status: TaskStatus
    worker: str
    tries: int
    faults: int
    note: str


@dataclass(frozen=True, slots=True)
class Arrived:
    """A fetched email; ``game`` is the game that its headers claim, "" for none."""

    account: str
    uidvalidity: int
    uid: int
    raw: bytes
    received: int  # UTC seconds, by the server
    message_id: str
    sender: str
    game: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """A new game. ``format`` is the engine's version of the form of ``title_data``."""

    name: str
    title: str
    title_data: bytes
    settings: bytes
    organiser: str
    format: int = 1


@dataclass(frozen=True, slots=True)
class NewSeat:
    """An offered seat.

    ``epoch`` must be one that no earlier seat of that name had. Otherwise the address of that seat
    would be valid again.
    """

    name: str
    address: str
    position: int
    status: SeatStatus = "invited"
    settings: bytes = b"{}"
    epoch: int = 0
    #: UTC seconds
    offered: int = 0


@dataclass(frozen=True, slots=True)
class Telling:
    """How far a letter informs a player: up to a position, and with ``talk`` all messages.

    ``talk`` is true if the letter has all messages so far.
    """

    seat: int
    number: int | None
    talk: bool = True


@dataclass(frozen=True, slots=True)
class Letter:
    """An email to queue. ``key`` names its occasion, kind and reader, and is unique.

    ``pictures`` are the files that ``raw`` has in base64, so that the store keeps each once. The
    ``occasion`` is recorded with it, and ``copy`` is queued with it.
    """

    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: bytes
    message_id: str
    pictures: tuple[bytes, ...] = ()
    occasion: Occasion | None = None
    tells: Telling | None = None
    copy: "Letter | None" = None


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """A queued email and the state of its sending; ``raw`` is whole only if a method says so."""

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
    pictures: str
    told: int | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game as lists show it, without its facts.

    ``settings`` is the service's own JSON, ``head`` an action's id.
    """

    id: int
    name: str
    title: str
    settings: bytes
    status: GameStatus
    head: int | None
    organiser: str
    created: int
    ended: int | None


@dataclass(frozen=True, slots=True)
class GameRow(GameLine):
    """A game with its facts, in the engine's form."""

    title_data: bytes
    #: counts the organizer's tokens; ``renewed_by`` is the email that raised it last
    epoch: int
    renewed_by: int | None
    #: the engine's version of the form of ``title_data``
    format: int = 1


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's place in a game, in the order of ``position``.

    ``offered`` is when an invited player was asked, 0 if unknown.
    """

    id: int
    game_id: int
    name: str
    address: str
    epoch: int
    position: int
    status: SeatStatus
    settings: bytes
    offered: int = 0
    renewed_by: int | None = None
    #: the last position, and the id of the last message, that a letter showed to its player
    told: int = 0
    heard: int = 0


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action to store. The opening position is a row without an action, numbered 0.

    ``format`` is the engine's version of the form of action, events and snapshot.
    """

    parent: int | None
    number: int
    seat: str
    text: str
    action: bytes
    events: bytes
    rules: int
    digest: str
    snapshot: bytes
    occasion_id: int
    line: int
    format: int = 1


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A stored action; ``snapshot`` is None if the game has ended and was thinned."""

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
    occasion_id: int
    line: int
    at: int
    format: int = 1


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A seat that a game waits for, since when, and its deadline ``due`` if any, in UTC seconds."""

    game_id: int
    seat: str
    decision: str
    since: int
    due: int | None


@dataclass(frozen=True, slots=True)
class Given:
    """New waiting commands of a seat, one per line; see `AheadRecord`."""

    seat: str
    commands: str
    keep_open: bool
    question: str
    turn: str
    number: int
    instead: str = ""


@dataclass(frozen=True, slots=True)
class AheadRow:
    """Waiting commands of a seat, with their occasion and time."""

    id: int
    game_id: int
    seat: str
    commands: str
    keep_open: bool
    question: str
    turn: str
    number: int
    instead: str
    occasion_id: int
    at: int


@dataclass(frozen=True, slots=True)
class TalkRow:
    """A message to all players."""

    id: int
    game_id: int
    seat: str
    text: str
    number: int
    at: int


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A player's email whose answer is delayed."""

    id: int
    game: str
    seat: str
    inbox_id: int
    about: str
    at: int
    due: int


Row = TypeVar(
    "Row",
    InboxRow,
    OutboxRow,
    OccasionRow,
    TaskRow,
    GameRow,
    SeatRow,
    ActionRow,
    TalkRow,
    HeldRow,
    WaitingRow,
    AheadRow,
)


def frozen(kind: type[Row], record: SQLModel) -> Row:
    """``record`` as a value that outlives its transaction and cannot write to the database."""
    return kind(**{field.name: getattr(record, field.name) for field in fields(kind)})


def columns(kind: type, record: type[SQLModel]) -> tuple[Column[Any], ...]:
    """The columns of a table that a frozen row of this kind has, in the order of its fields.

    A query for them makes no record first.
    """
    table = table_of(record)
    return tuple(table.c[field.name] for field in fields(kind))

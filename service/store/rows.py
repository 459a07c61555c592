"""The frozen rows that the store hands out and takes in: values that outlive a transaction."""

from dataclasses import dataclass, fields
from typing import TypeVar

from sqlmodel import SQLModel

from service.store.tables import GameStatus, InboxStatus, OutboxStatus, SeatStatus, TaskStatus


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
    faults: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Occasion:
    """Whatever changes a game or asks for a letter: a mail, a time that comes, the operator.

    ``key`` is the same however often one occasion is begun, and another for every other: letters
    and actions are held to be made once by it. ``mail`` is the incoming mail's id; game and seat
    are names, "" where there is none.
    """

    kind: str
    key: str
    game: str = ""
    seat: str = ""
    mail: int | None = None


@dataclass(frozen=True, slots=True)
class OccasionRow:
    """An occasion that came."""

    id: int
    kind: str
    key: str
    game: str
    seat: str
    mail: int | None
    at: int


@dataclass(frozen=True, slots=True)
class Task:
    """Work to be done when ``due`` comes (UTC seconds); ``payload`` is its kind's own.

    No two tasks have one ``key``; work of one game is done one after the other.
    """

    kind: str
    key: str
    due: int
    game: str = ""
    seat: str = ""
    payload: bytes = b""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task and how it went."""

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
    """A mail as it was fetched; ``game`` is the one that its headers claim, "" for none."""

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
    """A game as it is opened; ``format``, the engine's, is how ``title_data`` is written."""

    name: str
    title: str
    title_data: bytes
    settings: bytes
    organiser: str
    format: int = 1


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat as it is offered.

    ``epoch`` must be one that no former seat of that name had, or its address holds again.
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
    """How far a letter tells a player: up to a position, if any, and with ``talk`` all talk."""

    seat: int
    number: int | None
    talk: bool = True


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to be queued; ``key`` names its occasion, kind and reader: there are no two of it.

    ``pictures`` are the files that ``raw`` has in base64, for the store to keep each once. The
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
    """A queued mail and how its sending went; ``raw`` is whole only where a method says so."""

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
    """A game as lists tell of it, without its facts.

    ``settings`` is JSON of the service's own, ``head`` an action's id.
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
    """A game with its facts, as the engine wrote them."""

    title_data: bytes
    #: of the organiser's token, and the mail that raised it last
    epoch: int
    renewed_by: int | None
    #: how ``title_data`` is written, by the engine's count
    format: int = 1


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A player's place in a game, in the order of ``position``.

    ``offered`` is when an invited player was asked, 0 where nobody knows.
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
    #: the last position, and the id of the last talk, that a letter told its player of
    told: int = 0
    heard: int = 0


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action to be stored; the opening position is a step without action, numbered 0.

    ``format`` is how the engine wrote action, events and snapshot, by its own count.
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
    occasion_id: int
    line: int
    at: int
    format: int = 1


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """Whom a game waits for since when, in UTC seconds; ``due`` is until when, if that is set."""

    game_id: int
    seat: str
    decision: str
    since: int
    due: int | None


@dataclass(frozen=True, slots=True)
class Given:
    """Commands that a seat has given ahead, one a line, to be stored; see `AheadRecord`."""

    seat: str
    commands: str
    keep_open: bool
    question: str
    turn: str
    number: int
    instead: str = ""


@dataclass(frozen=True, slots=True)
class AheadRow:
    """Commands that a seat has given ahead, and by which occasion when."""

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
    """Something said at the table."""

    id: int
    game_id: int
    seat: str
    text: str
    number: int
    at: int


@dataclass(frozen=True, slots=True)
class HeldRow:
    """A player's mail whose answer waits."""

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

"""The frozen rows that the store hands out and takes in: values that outlive a transaction."""

from dataclasses import dataclass, fields
from typing import TypeVar

from sqlmodel import SQLModel

from service.store.tables import GameStatus, InboxStatus, OutboxStatus, SeatStatus


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


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to be queued; ``key`` names its occasion, such as ``"turn:18al7:212:ann"``.

    ``pictures`` are the PNGs that ``raw`` has in base64, for the store to keep each once.
    """

    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: bytes
    message_id: str
    pictures: tuple[bytes, ...] = ()


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
    #: of the organiser's token, and the mail that raised it last
    epoch: int
    renewed_by: int | None


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


Row = TypeVar("Row", InboxRow, OutboxRow, GameRow, SeatRow, ActionRow, TalkRow, HeldRow)


def frozen(kind: type[Row], record: SQLModel) -> Row:
    """``record`` as a value that outlives its transaction and cannot write to the database."""
    return kind(**{field.name: getattr(record, field.name) for field in fields(kind)})

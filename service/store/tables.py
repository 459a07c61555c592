"""The tables that several repositories share, with the values that are read and written.

This module has no queries and no clock. Times are UTC seconds as integers, because SQLite forgets
time zones. Values of the engine (positions, actions, events, title data) are stored as bytes that
the store never looks into. All values are frozen and stay valid after their transaction.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from sqlalchemy import CheckConstraint, Index, UniqueConstraint

from service.clocks.zones import Seconds
from service.store.columns import (
    GameId,
    Long,
    MailId,
    OccasionId,
    Packed,
    References,
    one_of,
    partial,
    table,
    value,
)

InboxStatus = Literal["new", "working", "done", "ignored", "duplicate", "shunted"]
OutboxStatus = Literal["new", "working", "sent", "failed"]
GameStatus = Literal["open", "running", "ended", "abandoned"]
SeatStatus = Literal["invited", "joined"]
TaskStatus = Literal["new", "working", "done", "shunted"]

UNSETTLED = "status NOT IN ('done', 'ignored', 'duplicate', 'shunted', 'sent', 'failed')"
"""Whether an email, a letter or a task is not settled. It must not say which statuses are left:

SQLite would look for them in another index, one after the other.
"""

LIVE = "status IN ('open', 'running')"
"""Whether a game is not over."""

SOON, LATER = 0, 1
"""The ranks of tasks and letters. Emails are handled after tasks of the first rank."""


@value
class Arrived:
    """A fetched email. UIDs are unsigned 32-bit numbers (RFC 9051 2.3.1.1).

    ``game`` is the game that its headers claim, "" for none. It orders the work and proves nothing
    about the sender. ``received`` is by the server's clock.
    """

    account: str
    uidvalidity: Long
    uid: Long
    raw: Packed
    received: Seconds
    message_id: str
    sender: str
    game: str


@table(
    "inbox",
    UniqueConstraint("account", "uidvalidity", "uid", name="inbox_uid"),
    UniqueConstraint("sha256", name="inbox_sha256"),
    Index("inbox_message_id", "message_id"),
    Index("inbox_lane", "status", "game", "id"),
    Index("inbox_acted", "acted", unique=True),
    Index("inbox_words", "words"),
    partial("inbox_whole", "kept", where="length(raw) > 8"),
    partial("inbox_unsettled", "id", where=UNSETTLED),
    one_of("status", "new", "working", "done", "ignored", "duplicate", "shunted"),
)
class InboxRow(Arrived):
    """An email as it came.

    All copies of one email share ``identity``. ``acted`` is the same value after Waybill acted on
    one copy, so that it cannot act on a second one. Copies with another Message-ID share ``words``.
    ``faults`` counts how often our environment, not the email, stopped the work on it.
    """

    id: int
    sha256: str
    status: InboxStatus
    worker: str = ""
    lease: Seconds = 0
    tries: int = 0
    note: str = ""
    kept: Seconds
    identity: str = ""
    acted: str | None = None
    next_try: Seconds = 0
    faults: int = 0
    words: str = ""


@value
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
    mail: MailId | None = None


@table(
    "occasion",
    UniqueConstraint("key", name="occasion_key"),
    UniqueConstraint("mail", name="occasion_mail"),
    Index("occasion_at", "at"),
)
class OccasionRow(Occasion):
    """An occasion that happened."""

    id: int
    at: Seconds


@value
class Task:
    """Work for the time ``due`` (UTC seconds). The kind decides what ``payload`` contains.

    No two tasks have the same ``key``. Tasks of one game are done one after the other. ``game`` may
    be a tournament, too. ``seat`` says more about the subject, as the kind needs it: the holder of
    a seat or an office, the number of a vote, or the day of a tournament, such as "until 2". Tasks
    of `LATER` are done when no other task and no email waits.
    """

    kind: str
    key: str
    due: Seconds
    game: str = ""
    seat: str = ""
    payload: bytes = b""
    rank: int = SOON


@table(
    "task",
    UniqueConstraint("key", name="task_key"),
    Index("task_due", "status", "due"),
    Index("task_lane", "game", "status"),
    partial("task_unsettled", "rank", "due", "id", where=UNSETTLED),
    one_of("status", "new", "working", "done", "shunted"),
)
class TaskRow(Task):
    """A task and its result so far."""

    id: int
    status: TaskStatus = "new"
    worker: str = ""
    lease: Seconds = 0
    tries: int = 0
    faults: int = 0
    next_try: Seconds = 0
    note: str = ""
    created: Seconds


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


@table(
    "outbox",
    UniqueConstraint("key", name="outbox_key"),
    Index("outbox_due", "status", "next_try"),
    Index("outbox_sent", "sent"),
    Index("outbox_game", "game", "kind", "created"),
    partial("outbox_untold", "id", where="status = 'failed' AND told IS NULL"),
    partial("outbox_unsettled", "rank", "next_try", "id", where=UNSETTLED),
    Index("outbox_created", "created"),
    Index("outbox_recipient", "recipient", "game"),
    Index("outbox_message_id", "message_id"),
    one_of("status", "new", "working", "sent", "failed"),
)
class OutboxRow:
    """A queued `Letter` and the state of its sending; ``raw`` is whole only if a method says so.

    Otherwise it has marks in place of its pictures, and is empty after the text was deleted.
    ``pictures`` lists their digests with blanks between. ``told`` is when its failure was reported.
    Letters of a lower ``rank`` are sent first.
    """

    id: int
    key: str
    game: str
    kind: str
    recipient: str
    mail_from: str
    raw: Packed
    message_id: str
    status: OutboxStatus = "new"
    worker: str = ""
    lease: Seconds = 0
    tries: int = 0
    next_try: Seconds = 0
    note: str = ""
    created: Seconds
    sent: Seconds | None = None
    pictures: str = ""
    told: Seconds | None = None
    rank: int = LATER


@table("picture", Index("picture_used", "used"))
class PictureRow:
    """A PNG that letters show, kept once; ``used`` is when a letter with it was last queued."""

    sha256: str
    png: bytes
    used: Seconds


@dataclass(frozen=True)
class NewGame:
    """A new game. ``format`` is the engine's version of the form of ``title_data``.

    ``settings`` is the service's own JSON. Games whose names look alike have the same ``look``.
    """

    name: str
    title: str
    title_data: bytes
    settings: bytes
    organiser: str
    format: int = 1
    look: str = ""


@value
class GameLine:
    """A game as lists show it, without its facts.

    ``settings`` is the service's own JSON. ``head`` is the action of the present position. It has
    no foreign key: actions name their game, and two tables that name each other can be neither
    filled nor dropped in any order.
    """

    id: int
    name: str
    title: str
    settings: bytes
    status: GameStatus
    head: int | None
    organiser: str
    created: Seconds
    ended: Seconds | None


@table(
    "game",
    UniqueConstraint("name", name="game_name"),
    CheckConstraint("name = lower(name) AND name <> ''", name="name_is_slug"),
    Index("game_status", "status"),
    Index("game_ended", "ended"),
    Index("game_changed", "changed"),
    Index("game_organiser_key", "organiser_key"),
    partial("game_assistants", "assistants", where="assistants <> ''"),
    partial("game_look", "look", where=LIVE),
    one_of("status", "open", "running", "ended", "abandoned"),
)
class GameRow(GameLine):
    """A game with the title data with which it began, in the engine's form.

    A higher ``epoch`` makes the organizer's old reply address void. ``renewed_by`` is the email
    that raised it last. ``format`` is the engine's version of the form of ``title_data``. A game
    that changed later than another, or whose deadlines did, has the higher ``changed``; rows that
    differ only in it are equal. ``organiser_key`` is the organizer's address in lower case.
    ``assistants`` are so those of the director's assistant, and of somebody who was asked to be
    it; they are in the settings, too. ``look`` is that of its name.
    """

    title_data: Packed
    epoch: int = 0
    renewed_by: int | None = None
    format: int = 1
    changed: int = field(default=0, compare=False)
    organiser_key: str = ""
    assistants: str = ""
    look: str = ""


@value
class NewSeat:
    """An offered seat. ``offered`` is when an invited player was asked, 0 if unknown.

    ``epoch`` must be one that no earlier seat of that name had. Otherwise the address of that seat
    would be valid again.
    """

    name: str
    address: str
    position: int
    status: SeatStatus = "invited"
    settings: bytes = b"{}"
    epoch: int = 0
    offered: Seconds = 0


@table(
    "seat",
    UniqueConstraint("game_id", "name", name="seat_name"),
    Index("seat_address_key", "address_key"),
    one_of("status", "invited", "joined"),
)
class SeatRow(NewSeat):
    """A player's place in a game, in the order of ``position``.

    A higher ``epoch`` makes the old reply address void. ``renewed_by`` is the email that raised it
    last. If work on that email begins again, its old token still counts. ``told`` is the last
    position that a letter showed to its player, ``heard`` the id of the last message.
    """

    id: int
    game_id: GameId
    address_key: str
    renewed_by: int | None = None
    told: int = 0
    heard: int = 0


@value
class NewAction:
    """An action to store. The opening position is a row without an action, numbered 0.

    ``format`` is the engine's version of the form of action, events and snapshot.
    """

    parent: Annotated[int | None, References("action.id")]
    number: int
    seat: str
    text: str
    action: bytes
    events: bytes
    rules: int
    digest: str
    snapshot: Packed | None
    occasion_id: OccasionId
    line: int
    format: int = 1


@table(
    "action",
    UniqueConstraint("game_id", "number", name="action_number"),
    UniqueConstraint("occasion_id", "line", "game_id", name="action_of_occasion"),
)
class ActionRow(NewAction):
    """One action of a game with the snapshot after it. Actions that were undone stay as a branch.

    A game never uses a ``number`` twice, not even after an undo. A reply to a position that was
    taken back must not look like a reply to the position that replaced it. ``snapshot`` is None if
    the game has ended and was thinned.
    """

    id: int
    game_id: GameId
    at: Seconds


@value
class WaitingRow:
    """A seat that a game waits for, and since when; the rows move with the head.

    ``decision`` is the engine's name of the decision. ``due`` is its deadline, if there is one.
    """

    game_id: GameId
    seat: str
    decision: str
    since: Seconds
    due: Seconds | None


@table(
    "waiting",
    UniqueConstraint("game_id", "seat", name="waiting_seat"),
    Index("waiting_due", "due"),
)
class WaitingRecord(WaitingRow):
    """The table of seats that games wait for."""

    id: int


@table("talk", Index("talk_game", "game_id", "number"))
class TalkRow:
    """A message of a player to all players, written at position ``number``."""

    id: int
    game_id: GameId
    seat: str
    text: str
    number: int
    at: Seconds


@table("meta")
class MetaRow:
    """A value without a table of its own, such as how the emails of a player end."""

    key: str
    value: str

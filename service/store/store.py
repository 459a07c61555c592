"""The store: opens the database, brings its tables up to date, and runs one mail's transaction.

It looks into nothing the engine made, has no clock (``now`` is an argument, UTC seconds), and hands
out frozen rows only. The same queries run on SQLite and on PostgreSQL.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Literal, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, delete, event, func, make_url, update
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.orm import aliased
from sqlmodel import Session, SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from service.store.queues import (
    Queues,
    Taken,
    Unavailable,
    insert_new,
    session_of,
)
from service.store.tables import (
    Action,
    ActionRow,
    Game,
    GameRow,
    GameStatus,
    Inbox,
    Letter,
    Meta,
    Outbox,
    ReplyGuard,
    Seat,
    SeatRow,
    SeatStatus,
    Step,
    Talk,
    TalkRow,
    frozen,
)

Rations = Mapping[str, Sequence[tuple[int, int]]]

ANSWERS: Rations = {
    "error": ((1, 600), (20, 86_400)),
    "stranger": ((1, 604_800),),
    # What asks for a game or a seat; a person mistypes, a robot goes on.
    "lobby": ((12, 3600), (40, 86_400)),
    # A player's mail of which nothing was understood.
    "puzzled": ((6, 3600), (30, 86_400)),
    # A player's mail that was understood and changed nothing.
    "idle": ((60, 3600), (300, 86_400)),
}
"""Rationed answers: for each kind, at most so many within so many seconds to one address."""

THINNED = 25
"""An ended game keeps the snapshot of one state in so many."""

Record = TypeVar("Record", bound=SQLModel)

UPGRADE_LOCK = 0x57415942
"""The PostgreSQL advisory lock under which tables are brought up to date."""


class Store(Queues):
    """One database, by SQLAlchemy URL (``sqlite:///PATH`` or ``postgresql+psycopg://…``)."""

    def __init__(self, url: str, answers: Rations = ANSWERS) -> None:
        """``answers`` replaces rations of `ANSWERS`; raises Unavailable for a URL of no use."""
        super().__init__(_engine(url))
        self._answers = {**ANSWERS, **answers}

    def upgrade(self) -> None:
        """Create the tables or bring them up to date; several processes may do so at once.

        Raises Unavailable when the tables were made by a newer Waybill than this one.
        """
        config = Config()
        config.set_main_option("script_location", "service.store:migrations")
        try:
            with self._engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    # SQLite's BEGIN IMMEDIATE already lets one process at a time through.
                    connection.execute(func.pg_advisory_xact_lock(UPGRADE_LOCK).select())
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except OperationalError as error:
            raise Unavailable(str(error.orig)) from error
        except CommandError as error:
            raise Unavailable(f"the database belongs to another version: {error}") from error

    def close(self) -> None:
        """Give the connections back; the store opens new ones if it is used again."""
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator["Tx"]:
        """All of one mail or nothing of it: commits at the end, rolls back on any exception.

        Keep it short and draw nothing inside: on SQLite nobody else can write meanwhile.
        """
        with session_of(self._engine) as session:
            yield Tx(session, self._answers)

    def thin(self, game: int) -> int:
        """Forget most snapshots of an ended game; how many were forgotten.

        Every 25th stays, and the last position, so any other can be had by a short replay.
        """
        over = select(Game.head).where(
            Game.id == game, col(Game.status).in_(("ended", "abandoned"))
        )
        thinned = (
            update(Action)
            .where(
                col(Action.game_id) == game,
                col(Action.snapshot).is_not(None),
                col(Action.number) % THINNED != 0,
                over.where(Game.head != Action.id).correlate(Action).exists(),
            )
            .values(snapshot=None)
            .execution_options(synchronize_session=False)
        )
        with session_of(self._engine) as session:
            return session.exec(thinned).rowcount


class Tx:
    """What can be read and written inside one transaction; games are named by their row's id."""

    def __init__(self, session: Session, answers: Rations) -> None:
        self._session = session
        self._answers = answers

    # Games and seats

    def games(self) -> tuple[GameRow, ...]:
        """All games, oldest first."""
        found = self._session.exec(select(Game).order_by(col(Game.id)))
        return tuple(frozen(GameRow, game) for game in found)

    def game(self, name: str) -> GameRow | None:
        """The game called ``name`` in any case; nobody else can change it until we are through."""
        wanted = select(Game).where(Game.name == name.lower()).with_for_update()
        found = self._session.exec(wanted.execution_options(populate_existing=True)).first()
        return None if found is None else frozen(GameRow, found)

    def add_game(
        self,
        name: str,
        title: str,
        title_data: bytes,
        settings: bytes,
        organiser: str,
        now: int,
    ) -> GameRow:
        """A new game, open for players. Raises Conflict when the name is taken."""
        game = Game(
            name=name.lower(),
            title=title,
            title_data=title_data,
            settings=settings,
            organiser=organiser,
            created=now,
        )
        return frozen(GameRow, self._made(game))

    def set_status(self, game: int, status: GameStatus, now: int) -> None:
        """Open, begin, end or give up a game; ``ended`` follows the status."""
        ended = now if status in ("ended", "abandoned") else None
        self._session.exec(
            update(Game).where(col(Game.id) == game).values(status=status, ended=ended)
        )

    def set_settings(self, game: int, settings: bytes) -> None:
        """Replace the service's own settings of a game."""
        self._session.exec(update(Game).where(col(Game.id) == game).values(settings=settings))

    def seats(self, game: int) -> tuple[SeatRow, ...]:
        """The seats of a game in order of position."""
        return self._seats(Seat.game_id == game)

    def seats_of(self, address: str) -> tuple[SeatRow, ...]:
        """The seats an address holds in all games, whatever the case of its letters."""
        return self._seats(Seat.address_key == address.lower())

    def _seats(self, which: bool) -> tuple[SeatRow, ...]:
        wanted = (
            select(Seat).where(which).order_by(*map(col, (Seat.game_id, Seat.position, Seat.id)))
        )
        return tuple(frozen(SeatRow, seat) for seat in self._session.exec(wanted))

    def add_seat(
        self,
        game: int,
        name: str,
        address: str,
        position: int,
        status: SeatStatus = "invited",
        settings: bytes = b"{}",
    ) -> SeatRow:
        """A new seat. Raises Conflict when the game has a seat of that name."""
        seat = Seat(
            game_id=game,
            name=name,
            address=address,
            address_key=address.lower(),
            position=position,
            status=status,
            settings=settings,
        )
        return frozen(SeatRow, self._made(seat))

    def set_seat(self, seat: SeatRow) -> None:
        """Store a seat as given, found by its id; its game stays."""
        self._session.exec(
            update(Seat)
            .where(col(Seat.id) == seat.id)
            .values(
                name=seat.name,
                address=seat.address,
                address_key=seat.address.lower(),
                epoch=seat.epoch,
                position=seat.position,
                status=seat.status,
                settings=seat.settings,
            )
        )

    # The log of a game

    def head(self, game: int) -> ActionRow | None:
        """The action whose snapshot stands; None before the game began."""
        found = self._session.exec(
            select(Action).join(Game, col(Game.head) == Action.id).where(Game.id == game)
        ).first()
        return None if found is None else frozen(ActionRow, found)

    def actions(self, game: int, since: int = -1) -> tuple[ActionRow, ...]:
        """The steps that led to the head, oldest first, numbered above ``since``.

        Steps that were taken back are not among them.
        """
        wanted = self._line(game, since).order_by(col(Action.number))
        return tuple(frozen(ActionRow, step) for step in self._session.exec(wanted))

    def action_by_number(self, game: int, number: int) -> ActionRow | None:
        """The step of that number; None when there is none or it was taken back."""
        wanted = self._line(game, number - 1).where(Action.number == number)
        found = self._session.exec(wanted).first()
        return None if found is None else frozen(ActionRow, found)

    def _line(self, game: int, since: int) -> SelectOfScalar[Action]:
        line = (
            select(Action.id, Action.parent)
            .join(Game, col(Game.head) == Action.id)
            .where(Game.id == game, Action.number > since)
            .cte("line", recursive=True)
        )
        before = aliased(Action)
        line = line.union_all(
            select(before.id, before.parent)
            .join(line, col(before.id) == line.c.parent)
            .where(before.number > since)
        )
        return select(Action).join(line, col(Action.id) == line.c.id)

    def next_number(self, game: int) -> int:
        """A number no step of the game has had, taken-back ones included; the first is 0."""
        last = self._session.exec(
            select(func.max(Action.number)).where(Action.game_id == game)
        ).one()
        return 0 if last is None else last + 1

    def add_action(self, game: int, step: Step, now: int) -> int:
        """Store a step without moving the head; its id.

        Raises Conflict when the number was given already, or the line of that mail was applied.
        """
        values = {name: getattr(step, name) for name in Step.__dataclass_fields__}
        return frozen(ActionRow, self._made(Action(game_id=game, at=now, **values))).id

    def move_head(self, game: int, old: int | None, new: int) -> bool:
        """Let action ``new`` stand instead of ``old``, forward or back (undo).

        False when ``old`` no longer stands: somebody was faster, so roll back.
        """
        statement = (
            update(Game)
            .where(col(Game.id) == game, col(Game.head).is_not_distinct_from(old))
            .values(head=new)
        )
        return self._session.exec(statement).rowcount == 1

    def add_talk(self, game: int, seat: str, said: str, number: int, now: int) -> None:
        """Keep what a player said while position ``number`` stood."""
        self._made(Talk(game_id=game, seat=seat, text=said, number=number, at=now))

    def talks(self, game: int, since_number: int = 0) -> tuple[TalkRow, ...]:
        """What was said at position ``since_number`` and later, in the order it was said."""
        wanted = select(Talk).where(Talk.game_id == game, Talk.number >= since_number)
        return tuple(
            frozen(TalkRow, talk) for talk in self._session.exec(wanted.order_by(col(Talk.id)))
        )

    # Mails

    def queue(self, letter: Letter, now: int) -> int | None:
        """Queue a mail; its id, or None when one of the same key was queued before."""
        values = {name: getattr(letter, name) for name in Letter.__dataclass_fields__}
        return insert_new(self._session, Outbox, created=now, **values)

    def finish(
        self,
        mail: int,
        status: Literal["done", "ignored", "duplicate", "shunted"],
        note: str = "",
    ) -> None:
        """Settle a claimed mail. Raises Taken when it is not claimed any more: it was settled."""
        statement = (
            update(Inbox)
            .where(col(Inbox.id) == mail, col(Inbox.status) == "working")
            .values(status=status, note=note, worker="", lease=0)
        )
        if self._session.exec(statement).rowcount != 1:
            raise Taken(f"mail {mail} is not being worked on")

    def may_answer(self, address: str, kind: str, now: int) -> bool:
        """Whether a rationed answer may go to ``address``; if so it is counted as given.

        This is what ends a duel of two robots. Raises KeyError for a kind that is not rationed.
        """
        key = address.lower()
        given = (col(ReplyGuard.address) == key, col(ReplyGuard.kind) == kind)
        rations = self._answers[kind]
        longest = max(seconds for _, seconds in rations)
        self._session.exec(delete(ReplyGuard).where(*given, col(ReplyGuard.at) <= now - longest))
        for number, seconds in rations:
            lately = select(func.count()).where(*given, ReplyGuard.at > now - seconds)
            if self._session.exec(lately).one() >= number:
                return False
        self._made(ReplyGuard(address=key, kind=kind, at=now))
        return True

    # Single values

    def meta(self, key: str) -> str | None:
        """A value kept under ``key``."""
        return self._session.exec(select(Meta.value).where(Meta.key == key)).first()

    def set_meta(self, key: str, value: str) -> None:
        """Keep a value under ``key`` instead of the former one."""
        self._session.merge(Meta(key=key, value=value))

    def _made(self, record: Record) -> Record:
        self._session.add(record)
        self._session.flush()
        return record


def _engine(url: str) -> Engine:
    try:
        if make_url(url).get_backend_name() != "sqlite":
            return create_engine(url, pool_pre_ping=True)
    except (ArgumentError, ImportError) as error:
        raise Unavailable(f"the URL of the database is of no use: {error}") from error
    engine = create_engine(url, connect_args={"timeout": 30})
    event.listen(engine, "connect", _open_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _open_sqlite(connection: sqlite3.Connection, record: object) -> None:
    # The driver would begin transactions only at the first write: too late to keep readers' order.
    connection.isolation_level = None
    # The server's copy of a mail is moved away once ours is committed, so a commit must be on disk.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # Two transactions that both read and then write would deadlock; here one of them waits.
    connection.exec_driver_sql("BEGIN IMMEDIATE")

"""The store: opens the database, brings its tables up to date, and runs one mail's transaction.

It looks into nothing the engine made, has no clock (``now`` is an argument, UTC seconds), and hands
out frozen rows only. The same queries run on SQLite and on PostgreSQL.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Literal

from sqlalchemy import ColumnElement, func, or_, update
from sqlalchemy.orm import aliased
from sqlmodel import SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from service.rations import ANSWERS, Rations
from service.store.access import open_engine
from service.store.agreements import AgreementVerbs
from service.store.ahead import AheadVerbs
from service.store.backlog import Backlog, backlog
from service.store.clocks import ClockVerbs
from service.store.contents import ContentVerbs
from service.store.database import AlreadySettled, insert_or_change, session_of
from service.store.forums import ForumVerbs
from service.store.guard import Guard
from service.store.jottings import JottingVerbs
from service.store.ledger import Ledger
from service.store.lists import ListVerbs
from service.store.observers import ObserverVerbs
from service.store.occasions import Occasions
from service.store.orders import OrderVerbs
from service.store.outbox import put, put_elsewhere, send_again
from service.store.partial import PartialVerbs
from service.store.people import PeopleVerbs
from service.store.proofs import FurtherRecord, ProofVerbs
from service.store.queues import Queues, admit, finish
from service.store.rows import (
    ActionRow,
    GameRow,
    InboxRow,
    Letter,
    NewAction,
    NewGame,
    NewSeat,
    SeatRow,
    TalkRow,
    frozen,
)
from service.store.rulings import RulingVerbs
from service.store.seat_rows import SeatVerbs
from service.store.spans import SpanVerbs
from service.store.tables import Action, Game, GameStatus, Inbox, Meta, Seat, Talk
from service.store.tasks import TaskVerbs
from service.store.tournaments import TournamentVerbs
from service.store.upgrade import upgrade
from service.store.waits import Waits

THINNED = 25
"""An ended game keeps the snapshot of one state in so many."""


class Store(Queues):
    """One database, by SQLAlchemy URL (``sqlite:///PATH`` or ``postgresql+psycopg://…``)."""

    def __init__(self, url: str, answers: Rations = ANSWERS) -> None:
        """``answers`` replaces rations of `ANSWERS`; raises Unavailable for a URL of no use."""
        super().__init__(open_engine(url))
        self._answers = {**ANSWERS, **answers}

    def upgrade(self) -> None:
        """Create the tables or bring them up to date; several processes may do so at once.

        Raises Unavailable when the tables were made by a newer Waybill than this one, or are
        damaged: nothing was changed then.
        """
        upgrade(self._engine)

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

    def everything(self, without: Collection[str] = ()) -> dict[str, list[dict[str, object]]]:
        """All rows of all tables but some, to compare what is stored before and after something."""
        tables = [table for table in SQLModel.metadata.sorted_tables if table.name not in without]
        with session_of(self._engine) as session:
            return {
                table.name: [
                    dict(row._mapping) for row in session.connection().execute(table.select())
                ]
                for table in tables
            }

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


class Tx(
    AgreementVerbs,
    AheadVerbs,
    ClockVerbs,
    ContentVerbs,
    ForumVerbs,
    Guard,
    JottingVerbs,
    Ledger,
    ListVerbs,
    ObserverVerbs,
    Occasions,
    OrderVerbs,
    PartialVerbs,
    PeopleVerbs,
    ProofVerbs,
    RulingVerbs,
    SeatVerbs,
    SpanVerbs,
    TaskVerbs,
    TournamentVerbs,
    Waits,
):
    """What can be read and written inside one transaction; games are named by their row's id."""

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

    def add_game(self, new: NewGame, now: int) -> GameRow:
        """A new game, open for players. Raises Conflict when the name is taken."""
        game = Game(**asdict(replace(new, name=new.name.lower())), created=now)
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

    def seats_also_of(self, address: str) -> tuple[SeatRow, ...]:
        """The seats whose players have it as their second address."""
        second = (FurtherRecord.address == address.lower(), col(FurtherRecord.stands).is_(True))
        return self._seats(col(Seat.id).in_(select(FurtherRecord.seat_id).where(*second)))

    def _seats(self, which: bool | ColumnElement[bool]) -> tuple[SeatRow, ...]:
        wanted = (
            select(Seat).where(which).order_by(*map(col, (Seat.game_id, Seat.position, Seat.id)))
        )
        return tuple(frozen(SeatRow, seat) for seat in self._session.exec(wanted))

    def add_seat(self, game: int, new: NewSeat) -> SeatRow:
        """A new seat. Raises Conflict when the game has a seat of that name."""
        seat = Seat(game_id=game, address_key=new.address.lower(), **asdict(new))
        return frozen(SeatRow, self._made(seat))

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

    def action_at(self, game: int, time: int) -> ActionRow | None:
        """The latest step of the line that was taken at ``time`` or before; None before all."""
        wanted = self._line(game, -1).where(Action.at <= time)
        found = self._session.exec(wanted.order_by(col(Action.number).desc()).limit(1)).first()
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

    def add_action(self, game: int, step: NewAction, now: int) -> int:
        """Store a step without moving the head; its id.

        Raises Conflict when the number was given already, or the line of that occasion was carried
        out.
        """
        values = {name: getattr(step, name) for name in NewAction.__dataclass_fields__}
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

    def talks(
        self, game: int, since_number: int = 0, heard: int | None = None
    ) -> tuple[TalkRow, ...]:
        """What was said at position ``since_number`` and later, in the order it was said.

        With ``heard``, the id of a talk, what was said after that as well.
        """
        since = col(Talk.number) >= since_number
        since = since if heard is None else or_(since, col(Talk.id) > heard)
        wanted = select(Talk).where(Talk.game_id == game, since)
        return tuple(
            frozen(TalkRow, talk) for talk in self._session.exec(wanted.order_by(col(Talk.id)))
        )

    # Mails

    def queue(self, letter: Letter, now: int) -> int | None:
        """Queue a mail; its id, or None when one of the same key was queued before.

        Who acts for the seat that it is to gets it as well.
        """
        for copy in self.copies(letter, now):
            put(self._session, copy, now)
        return put(self._session, letter, now)

    def send_elsewhere(self, letter: int, recipient: str, now: int) -> int | None:
        """Queue a letter once more, to another address of its reader's; its id, None if gone."""
        return put_elsewhere(self._session, letter, recipient, now)

    def send_again(self, letter: int, heard: int, note: str, now: int) -> bool:
        """Let a letter go out again that came back by no fault of its reader's.

        ``heard`` is when the report of it came. False where that was about an earlier sending, and
        where the letter can wait no longer.
        """
        return send_again(self._session, letter, heard, note, now)

    def admit(self, mail: int, identity: str, words: str, signed: bool, proved: bool) -> bool:
        """Whether a mail that is being worked on may be acted on: no copy of it was before.

        ``identity`` is the same for all copies, ``words`` for those under another Message-ID, too;
        they are looked for if it is ``signed``. One that proves its seat goes before one that does
        not: the copy of a list may have lost what proves it. Of two copies in work at once, the one
        that is finished second meets Conflict.
        """
        return admit(self._session, mail, identity, words, signed, proved)

    def finish(
        self,
        mail: int,
        status: Literal["done", "ignored", "duplicate", "shunted"],
        note: str = "",
    ) -> None:
        """Settle a claimed mail. Raises AlreadySettled when it is claimed no more."""
        if not finish(self._session, mail, status, note):
            raise AlreadySettled(f"mail {mail} is not being worked on")

    def mail(self, mail: int) -> InboxRow | None:
        """A mail that was kept, in whatever status."""
        found = self._session.get(Inbox, mail)
        return None if found is None else frozen(InboxRow, found)

    def backlog(self, backup: str) -> Backlog:
        """What waits in the queues; ``backup`` is the key under which the last one is noted."""
        return backlog(self._session, backup)

    # Single values

    def meta(self, key: str) -> str | None:
        """A value kept under ``key``."""
        return self._session.exec(select(Meta.value).where(Meta.key == key)).first()

    def set_meta(self, key: str, value: str) -> None:
        """Keep a value under ``key`` instead of the former one."""
        insert_or_change(self._session, Meta, ["value"], key=key, value=value)

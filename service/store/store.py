"""The store: opens the database, upgrades its tables, and runs transactions.

It never looks into values of the engine. It has no clock (``now`` is an argument, UTC seconds), and
returns only frozen rows. The same queries run on SQLite and on PostgreSQL.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import get_type_hints

from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from service.rations import ANSWERS, Rations
from service.store.access import CONNECTIONS, open_engine, reading
from service.store.agreements import Offers, Votes
from service.store.ahead import Ahead
from service.store.answers import Answers
from service.store.backlog import Backlog, backlog
from service.store.channels import Channels
from service.store.claims import Queue
from service.store.clocks import Clocks
from service.store.columns import METADATA, col
from service.store.database import Repository, Session, session_of, unavailable
from service.store.games import Games
from service.store.jottings import Jottings
from service.store.letters import LetterQueue, Letters
from service.store.log import Log
from service.store.mails import MailQueue, Mails
from service.store.meta import Values
from service.store.observers import Observers
from service.store.occasions import Occasions
from service.store.orders import Orders
from service.store.people import People
from service.store.persons import Persons
from service.store.proofs import Proofs
from service.store.rulings import Rulings
from service.store.seats import Seats
from service.store.tables import ActionRow, GameRow
from service.store.tasks import TaskQueue, Tasks
from service.store.tournaments import Tournaments
from service.store.upgrade import outdated, upgrade
from service.store.work import WorkQueue

THINNED = 25
"""An ended game keeps one snapshot out of this number."""


_WORTH_IT = 1000
"""If fewer pages than this (of 4 KiB each) are free, the file is left as it is."""


class Store:
    """One database, by SQLAlchemy URL (``sqlite:///PATH`` or ``postgresql+psycopg://…``)."""

    letters: LetterQueue
    mails: MailQueue
    tasks: TaskQueue
    work: WorkQueue

    def __init__(
        self, url: str, answers: Rations = ANSWERS, connections: int = CONNECTIONS
    ) -> None:
        """``answers`` replaces the limits `ANSWERS`. Raises Unavailable if the URL is unusable.

        ``connections`` is how many a server of databases gets at most.
        """
        self._engine = open_engine(url, connections)
        self._reading = reading(self._engine)
        self._rations = {**ANSWERS, **answers}
        for name, kind in QUEUES.items():
            setattr(self, name, kind(self._engine))

    def outdated(self) -> bool:
        """Whether the tables are there and of a former version. Raises Unavailable as `upgrade`."""
        return outdated(self._engine)

    def upgrade(self) -> None:
        """Create or upgrade the tables. Several processes may do so at once.

        Raises Unavailable if a newer Waybill made the tables, or if they are damaged. Then nothing
        was changed.
        """
        upgrade(self._engine)

    def close(self) -> None:
        """Close the connections. The store opens new ones if it is used again."""
        self._reading.dispose()
        self._engine.dispose()

    @contextmanager
    def transaction(self) -> Iterator["Tx"]:
        """One transaction: it commits at the end and rolls back on any exception.

        Keep it short and draw nothing inside, because on SQLite nobody else can write meanwhile.
        """
        with session_of(self._engine, self._rations) as session:
            yield Tx(session)

    @contextmanager
    def reading(self) -> Iterator["Tx"]:
        """One transaction that only reads: all its reads see the database at one moment.

        It waits for no writer, and no writer waits for it. A write in it raises the database's
        own error, because it is a bug. Keep it no longer open than needed: meanwhile SQLite's
        journal grows, and PostgreSQL keeps old rows.
        """
        with session_of(self._reading, self._rations) as session:
            yield Tx(session)

    def everything(self, without: Collection[str] = ()) -> dict[str, list[dict[str, object]]]:
        """All rows of all tables except some, to compare the data before and after a change."""
        tables = [table for table in METADATA.sorted_tables if table.name not in without]
        with session_of(self._engine) as session:
            return {
                table.name: [dict(row._mapping) for row in session.execute(table.select())]
                for table in tables
            }

    def thin(self, game: int) -> int:
        """Delete most snapshots of an ended game; returns how many.

        Every 25th snapshot stays, and the last one. A short replay restores any other.
        """
        over = select(col(GameRow.head)).where(
            col(GameRow.id) == game, col(GameRow.status).in_(("ended", "abandoned"))
        )
        thinned = (
            update(ActionRow)
            .where(
                col(ActionRow.game_id) == game,
                col(ActionRow.snapshot).is_not(None),
                col(ActionRow.number) % THINNED != 0,
                over.where(col(GameRow.head) != col(ActionRow.id)).correlate(ActionRow).exists(),
            )
            .values(snapshot=None)
        )
        with session_of(self._engine) as session:
            return session.execute(thinned).rowcount

    def shrink(self) -> bool:
        """Return free space to the disk if it is worth it; whether that was done.

        PostgreSQL does so by itself. SQLite needs space for a second copy meanwhile.
        """
        if self._engine.dialect.name != "sqlite":
            return False
        try:
            with self._engine.connect() as connection:
                connection.exec_driver_sql("ROLLBACK")
                free = connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()
                pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
                if free * 4 < pages or free < _WORTH_IT:
                    return False
                connection.exec_driver_sql("VACUUM")
        except OperationalError as error:
            raise unavailable(error) from error
        return True


class Tx:
    """The reads and writes inside one transaction. Games are named by their row's id."""

    ahead: Ahead
    answers: Answers
    channels: Channels
    clocks: Clocks
    games: Games
    jottings: Jottings
    letters: Letters
    log: Log
    mails: Mails
    meta: Values
    observers: Observers
    occasions: Occasions
    offers: Offers
    orders: Orders
    people: People
    persons: Persons
    proofs: Proofs
    rulings: Rulings
    seats: Seats
    tasks: Tasks
    tournaments: Tournaments
    votes: Votes

    def __init__(self, session: Session) -> None:
        self._session = session
        for name, kind in REPOSITORIES.items():
            setattr(self, name, kind(session))

    def backlog(self, backup: str) -> Backlog:
        """The backlog of the queues. ``backup`` is the key of the time of the last backup."""
        return backlog(self._session, backup)


QUEUES: dict[str, type[Queue]] = get_type_hints(Store)
"""The queues of a store, by attribute name."""
REPOSITORIES: dict[str, type[Repository]] = get_type_hints(Tx)
"""The repositories of a transaction, by attribute name."""

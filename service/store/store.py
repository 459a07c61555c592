"""The store: opens the database, brings its tables up to date, and runs one mail's transaction.

It looks into nothing the engine made, has no clock (``now`` is an argument, UTC seconds), and hands
out frozen rows only. The same queries run on SQLite and on PostgreSQL.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import get_type_hints

from sqlalchemy import update
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, SQLModel, col, select

from service.rations import ANSWERS, Rations
from service.store.access import open_engine
from service.store.agreements import Offers, Votes
from service.store.ahead import Ahead
from service.store.answers import Answers
from service.store.backlog import Backlog, backlog
from service.store.claims import Queue
from service.store.clocks import Clocks
from service.store.database import Repository, Unavailable, session_of
from service.store.forums import Forums
from service.store.games import Games
from service.store.jottings import Jottings
from service.store.letters import LetterQueue, Letters
from service.store.lists import Lists
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
from service.store.tables import Action, Game
from service.store.tasks import TaskQueue, Tasks
from service.store.tournaments import Tournaments
from service.store.upgrade import upgrade
from service.store.work import WorkQueue

THINNED = 25
"""An ended game keeps the snapshot of one state in so many."""


_WORTH_IT = 1000
"""Free pages, of 4 KiB, below which a file is left as it is."""


class Store:
    """One database, by SQLAlchemy URL (``sqlite:///PATH`` or ``postgresql+psycopg://…``)."""

    letters: LetterQueue
    mails: MailQueue
    tasks: TaskQueue
    work: WorkQueue

    def __init__(self, url: str, answers: Rations = ANSWERS) -> None:
        """``answers`` replaces rations of `ANSWERS`; raises Unavailable for a URL of no use."""
        self._engine = open_engine(url)
        self._rations = {**ANSWERS, **answers}
        for name, kind in QUEUES.items():
            setattr(self, name, kind(self._engine))

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
            session.info["rations"] = self._rations
            yield Tx(session)

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

    def shrink(self) -> bool:
        """Give back to the disk what was forgotten, where it is worth it; whether that was done.

        PostgreSQL does so by itself. SQLite needs room for a second copy meanwhile.
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
            raise Unavailable(str(error.orig)) from error
        return True


class Tx:
    """What can be read and written inside one transaction; games are named by their row's id."""

    ahead: Ahead
    answers: Answers
    clocks: Clocks
    forums: Forums
    games: Games
    jottings: Jottings
    letters: Letters
    lists: Lists
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
        """What waits in the queues; ``backup`` is the key under which the last one is noted."""
        return backlog(self._session, backup)


QUEUES: dict[str, type[Queue]] = get_type_hints(Store)
"""The queues of a store, by the name of its attribute."""
REPOSITORIES: dict[str, type[Repository]] = get_type_hints(Tx)
"""The repositories of a transaction, by the name of its attribute."""

"""The connection by which workers on PostgreSQL notice each other, on any number of machines.

While a worker lives, its connection holds a lock on the worker's name. If the worker dies, or its
machine does, the server drops the connection with all its locks, and a neighbor finds out. Other
locks make sure that only one worker does what two must not do at once. A trigger of the tables
tells all workers of new rows. Nothing here depends on a clock.
"""

import hashlib
import os
import secrets
import select
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

import psycopg
from sqlalchemy import make_url

from service.store.database import Unavailable

CHANNEL = "waybill"
"""The channel of PostgreSQL on which tables tell their names when they get rows."""
#: Names of workers on PostgreSQL begin so. A claim of any other name may belong to a living worker
#: that holds no lock; it ends with its lease.
_MARK = "pg:"
#: The server gives a silent connection up after 5 + 3 × 2 seconds. Closed ones it notices at once.
_KEEPALIVES = ("idle = 5", "interval = 2", "count = 3")
_TABLES = "SELECT version_num FROM alembic_version"
_LIVING = (
    "SELECT application_name FROM pg_stat_activity WHERE datname = current_database()"
    f" AND starts_with(application_name, '{_MARK}') ORDER BY 1"
)
_CLAIMED = " UNION ".join(
    f"SELECT worker FROM {table} WHERE status = 'working'" for table in ("inbox", "outbox", "task")
)
#: the lock of a process that upgrades the tables; a shared one is held for this statement alone
_UPGRADE = "upgrade"
_MAY_WORK = f"SELECT pg_try_advisory_xact_lock_shared(%s), ({_TABLES})"
_LOCKED = (
    "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory'"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


@contextmanager
def replacing(url: str) -> Iterator[Callable[[], Sequence[str]]]:
    """Ask all workers of a database to end, one process at a time; the function names the living.

    A worker that begins later sees that, and does not begin. Raises Unavailable.
    """
    try:
        with closing(_connected(url, "waybill upgrade")) as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (_key(_UPGRADE),))
            yield lambda: [name for (name,) in connection.execute(_LIVING)]
    except psycopg.Error as error:
        raise Unavailable(str(error).strip()) from error


class WorkerLink:
    """The name of a worker on PostgreSQL, its locks, and what it hears of the others' work.

    It connects again by itself; until then, others have its locks and its claims. Any thread may
    use it.
    """

    def __init__(self, url: str) -> None:
        """Raises Unavailable if the server cannot be reached."""
        self._url = url
        self.name = f"{_MARK}{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"
        self._one_at_a_time = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        self._held: set[str] = set()
        self._news: set[str] = set()
        #: Whoever uses the connection reads the news from it, so `wait` cannot see them there.
        self._near, self._bell = os.pipe()
        os.set_blocking(self._near, False)
        os.set_blocking(self._bell, False)
        self._closed = False
        with self._used() as connection:
            #: the version of the tables with which this worker began
            [(self._tables,)] = connection.execute(_TABLES).fetchall()

    def holds(self, what: str) -> bool:
        """Take the lock of that name unless another worker has it; whether this worker has it now.

        It keeps the lock until it closes or loses its connection. Raises Unavailable.
        """
        with self._used() as connection:
            if what not in self._held and _locked(connection, what):
                self._held.add(what)
            return what in self._held

    def dead(self) -> Iterator[str]:
        """Names of dead workers that have claims. Raises Unavailable."""
        with self._used() as connection:
            claimed = {name for (name,) in connection.execute(_CLAIMED)}
            living = {key for (key,) in connection.execute(_LOCKED)} if claimed else set()
        names = (name for name in claimed if name.startswith(_MARK) and name != self.name)
        yield from sorted(name for name in names if _key(name) not in living)

    def must_end(self) -> bool:
        """Whether somebody upgrades the tables, wants to, or has done so. Raises Unavailable."""
        with self._used() as connection:
            [(free, version)] = connection.execute(_MAY_WORK, (_key(_UPGRADE),)).fetchall()
        return not free or version != self._tables

    def wait(self, seconds: float) -> Sequence[str]:
        """Wait for new rows, for so many seconds at most; the names of their tables.

        Raises Unavailable.
        """
        with self._used() as connection:
            place = connection.fileno()
        # Others may use the connection meanwhile. The answers that they get end the wait, too.
        with suppress(OSError, ValueError):
            select.select([place, self._near], [], [], seconds)
        with self._used() as connection:
            connection.execute("SELECT 1")
            with suppress(BlockingIOError):
                os.read(self._near, 4096)
            news, self._news = sorted(self._news), set()
        return news

    def close(self) -> None:
        """End of the worker. It claims nothing from now on."""
        with self._one_at_a_time:
            if not self._closed:
                self._closed = True
                # The server takes a moment to notice a connection that is closed.
                with suppress(psycopg.Error):
                    if self._connection is not None:
                        self._connection.execute("SELECT pg_advisory_unlock_all()")
                self._drop()
                os.close(self._near)
                os.close(self._bell)

    @contextmanager
    def _used(self) -> Iterator[psycopg.Connection[Any]]:
        """The connection, for this thread alone."""
        with self._one_at_a_time:
            try:
                if self._closed:
                    raise Unavailable("this worker has ended")
                if self._connection is None:
                    self._connection = self._connected()
                # The server may still hold our former connection open, with the lock on our name.
                if self.name not in self._held and _locked(self._connection, self.name):
                    self._held.add(self.name)
                yield self._connection
            except psycopg.Error as error:
                self._drop()
                raise Unavailable(str(error).strip()) from error

    def _hear(self, notice: psycopg.Notify) -> None:
        self._news.add(notice.payload)
        with suppress(BlockingIOError):
            os.write(self._bell, b"!")

    def _drop(self) -> None:
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> psycopg.Connection[Any]:
        made = _connected(self._url, self.name)
        try:
            for setting in _KEEPALIVES:
                made.execute(f"SET tcp_keepalives_{setting}".encode())
            made.add_notify_handler(self._hear)
            made.execute(f"LISTEN {CHANNEL}".encode())
        except psycopg.Error:
            made.close()
            raise
        return made


def _connected(url: str, name: str) -> psycopg.Connection[Any]:
    dialect = make_url(url).get_dialect()()
    _, where = dialect.create_connect_args(make_url(url))
    return psycopg.connect(**where, autocommit=True, application_name=name[:63], connect_timeout=10)


def _locked(connection: psycopg.Connection[Any], what: str) -> bool:
    found = connection.execute("SELECT pg_try_advisory_lock(%s)", (_key(what),)).fetchone()
    return bool(found and found[0])


def _key(what: str) -> int:
    """The number by which PostgreSQL knows a lock: 64 bits with a sign."""
    digest = hashlib.sha256(f"waybill {what}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)

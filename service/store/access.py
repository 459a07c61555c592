"""Opens the database: how each kind is spoken to, and who may read its file."""

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import ArgumentError

from service import extras
from service.store.database import Unavailable

#: the server's copy of a mail is moved away once ours is committed, so a commit must be on disk
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
#: how often a statement is tried again that finds the file locked, and seconds between
_PATIENCE, _PAUSE = 60, 0.05


def database_files(url: str) -> tuple[Path, ...]:
    """The files that an SQLite URL stands for, whether they are there or not; else none."""
    try:
        parts = make_url(url)
    except ArgumentError:
        return ()
    if parts.get_backend_name() != "sqlite" or (place := _file(parts.database or "")) is None:
        return ()
    return tuple(place.with_name(place.name + end) for end in ("", "-wal", "-shm"))


def _file(database: str) -> Path | None:
    """The file of an SQLite database; None in memory, and for what SQLite calls a URI."""
    plain = database and not database.startswith((":memory:", "file:"))
    return Path(database) if plain else None


def open_engine(url: str) -> Engine:
    """The database behind a URL; a new SQLite file can be read by nobody else.

    Raises Unavailable for a URL of no use.
    """
    try:
        if make_url(url).get_backend_name() != "sqlite":
            return create_engine(url, pool_pre_ping=True, hide_parameters=True)
    except ModuleNotFoundError as error:
        raise Unavailable(extras.missing(error) or str(error)) from error
    except (ArgumentError, ImportError) as error:
        raise Unavailable(f"the URL of the database is of no use: {error}") from error
    engine = create_engine(url, connect_args={"timeout": 30}, hide_parameters=True)
    event.listen(engine, "do_connect", _closed_to_others)
    event.listen(engine, "connect", _open_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _closed_to_others(
    dialect: Dialect, record: object, arguments: Sequence[Any], options: dict[str, Any]
) -> None:
    # SQLite would make the file as the umask says; -wal and -shm are made like the file itself.
    # O_CREAT gives the mode in one step, so there is no moment at which the file is open.
    if (place := _file(arguments[0] if arguments else "")) is not None:
        with suppress(FileExistsError, FileNotFoundError):
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _open_sqlite(connection: sqlite3.Connection, record: object) -> None:
    # The driver would begin transactions only at the first write: too late to keep readers' order.
    connection.isolation_level = None
    for pragma in PRAGMAS:
        _insist(connection, f"PRAGMA {pragma}")


def _insist(connection: sqlite3.Connection, statement: str) -> None:
    """Execute what several processes may do to a new file at once.

    A file that changes its kind of journal is locked, and SQLite does not wait for that by itself.
    """
    for left in range(_PATIENCE, -1, -1):
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or not left:
                raise
            time.sleep(_PAUSE)


def _begin_sqlite(connection: Connection) -> None:
    # Two transactions that both read and then write would deadlock; here one of them waits.
    connection.exec_driver_sql("BEGIN IMMEDIATE")

"""Opens the database, with the settings of its kind, and protects its file from other users."""

import os
import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import ArgumentError

from service import extras
from service.store.database import READS, Unavailable

#: the server's copy of an email moves away after our copy is committed, so a commit must be on disk
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
#: how often a statement is tried again if the file is locked, and the seconds between tries
_PATIENCE, _PAUSE = 60, 0.05
CONNECTIONS = 8
"""The connections to a server of databases that a process keeps at most."""


def database_files(url: str) -> tuple[Path, ...]:
    """The files of an SQLite URL, whether they exist or not; empty for any other URL."""
    try:
        parts = make_url(url)
    except ArgumentError:
        return ()
    if parts.get_backend_name() != "sqlite" or (place := _file(parts.database or "")) is None:
        return ()
    return tuple(place.with_name(place.name + end) for end in ("", "-wal", "-shm"))


NETWORK_DISKS = frozenset(
    ("9p", "afs", "ceph", "cifs", "fuse.glusterfs", "fuse.sshfs", "nfs", "nfs4", "smb3", "smbfs")
)
"""Kinds of disks of other machines, on which SQLite cannot lock a file or share its memory."""
ON_NETWORK_DISK = (
    "{file} is on a disk of another machine ({kind}), where SQLite cannot keep two workers apart: "
    "emails could be lost. Set data.dir to a folder of this machine, or use PostgreSQL"
)


def refuse_network_disk(url: str, mounts: Path = Path("/proc/self/mounts")) -> None:
    """Raises Unavailable if an SQLite file is on a disk of another machine.

    ``mounts`` lists the disks (proc(5)); without it, as on macOS, nothing is known.
    """
    files = database_files(url)
    if not files or not mounts.is_file():
        return
    place, kinds = files[0].resolve(), {}
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        _, folder, kind, *_ = line.split(" ")
        # blanks in a path are written in octal
        kinds[Path(folder.replace("\\040", " "))] = kind
    kind = next((kinds[one] for one in place.parents if one in kinds), "")
    if kind in NETWORK_DISKS:
        raise Unavailable(ON_NETWORK_DISK.format(file=files[0], kind=kind))


def _file(database: str) -> Path | None:
    """The file of an SQLite database; None in memory, and for an SQLite URI."""
    plain = database and not database.startswith((":memory:", "file:"))
    return Path(database) if plain else None


def open_engine(url: str, connections: int = CONNECTIONS) -> Engine:
    """Open the database behind a URL. Only this user can read a new SQLite file.

    PostgreSQL gets so many connections at most. Raises Unavailable if the URL is unusable.
    """
    try:
        if make_url(url).get_backend_name() != "sqlite":
            pool = {"pool_size": connections, "max_overflow": 0, "pool_pre_ping": True}
            return create_engine(url, hide_parameters=True, **pool)
    except ModuleNotFoundError as error:
        raise Unavailable(extras.missing(error) or str(error)) from error
    except (ArgumentError, ImportError) as error:
        raise Unavailable(f"the URL of the database is of no use: {error}") from error
    return _sqlite(url, PRAGMAS)


def reading(engine: Engine) -> Engine:
    """The same database, for transactions that can only read."""
    if engine.dialect.name == "sqlite":
        # With connections of its own: SQLite compiles all statements of a connection again after
        # this setting was made.
        return _sqlite(engine.url, (*PRAGMAS, "query_only=ON")).execution_options(**{READS: True})
    return engine.execution_options(
        **{READS: True}, isolation_level="REPEATABLE READ", postgresql_readonly=True
    )


def _sqlite(url: str | URL, pragmas: Sequence[str]) -> Engine:
    """An SQLite file by connections with these settings."""
    engine = create_engine(url, connect_args={"timeout": 30}, hide_parameters=True)
    event.listen(engine, "do_connect", _closed_to_others)
    event.listen(engine, "connect", partial(_open_sqlite, pragmas))
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _closed_to_others(
    dialect: Dialect, record: object, arguments: Sequence[Any], options: dict[str, Any]
) -> None:
    # SQLite would create the file with the umask's mode; -wal and -shm get the mode of the file.
    # O_CREAT sets the mode in one step, so the file is never readable for others.
    if (place := _file(arguments[0] if arguments else "")) is not None:
        with suppress(FileExistsError, FileNotFoundError):
            os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _open_sqlite(pragmas: Sequence[str], connection: sqlite3.Connection, record: object) -> None:
    # The driver would begin a transaction only at the first write, too late for consistent reads.
    connection.isolation_level = None
    for pragma in pragmas:
        _insist(connection, f"PRAGMA {pragma}")


def _insist(connection: sqlite3.Connection, statement: str) -> None:
    """Execute a statement that several processes may run on a new file at the same time.

    A file is locked while its journal mode changes, and SQLite does not wait for that by itself.
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
    reads = connection.get_execution_options().get(READS, False)
    # Two transactions that both read and then write would deadlock. With IMMEDIATE, one of them
    # waits. A transaction that only reads waits for nobody, and nobody waits for it.
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")

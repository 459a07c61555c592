"""Copies a database in use, replaces a database with a copy, and opens one for reading only."""

import os
import secrets
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import create_engine, make_url
from sqlalchemy.exc import DBAPIError

from service.store.access import database_files
from service.store.database import Unavailable, session_of
from service.store.store import Store, Tx
from service.store.survey import reading_engine

#: PostgreSQL's error for "must be able to create databases"
_NOT_ALLOWED = "42501"


@contextmanager
def read_only(url: str) -> Iterator[Tx]:
    """A transaction that can only read. Raises Unavailable."""
    engine = reading_engine(url)
    try:
        with session_of(engine) as session:
            if engine.dialect.name == "postgresql":
                session.connection.execution_options(postgresql_readonly=True)
            yield Tx(session)
    finally:
        engine.dispose()


def kind(url: str) -> str:
    """The kind of the database, such as "sqlite"."""
    return make_url(url).get_backend_name()


def shown(url: str) -> str:
    """A URL without its password."""
    return make_url(url).render_as_string(hide_password=True)


# ---------------------------------------------------------------------------- SQLite

DAMAGED = "the copy is damaged: {found}"


def copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite database, even while it is in use, to a new file that only this user can read.

    The copy has the state of one moment. Raises Unavailable, FileExistsError.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        place = f"{source.absolute().as_uri()}?mode=ro"
        with (
            closing(sqlite3.connect(place, uri=True, timeout=30)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            # in one step, because a write by another process would make the copy start again
            old.backup(new)
            # In this mode the file is complete, and a reader needs no other file beside it.
            new.execute("PRAGMA journal_mode=DELETE")
            found = new.execute("PRAGMA integrity_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise Unavailable(str(error)) from error
    if found != "ok":
        raise Unavailable(DAMAGED.format(found=found))


def put_file(copy: Path, url: str, aside: str) -> tuple[Path, ...]:
    """Make a file the SQLite database; the former files get ``aside`` in their names.

    Returns the files that were set aside.
    """
    base, *beside = database_files(url)
    moved = []
    for file in (*beside, base):
        if file.exists():
            end = file.name.removeprefix(base.name)
            moved.append(file.rename(base.with_name(f"{base.name}.{aside}{end}")))
    copy.rename(base)
    return tuple(moved)


# ---------------------------------------------------------------------------- PostgreSQL


def dump(url: str, target: Path) -> None:
    """Write a PostgreSQL database to a new file that only this user can read.

    Raises Unavailable.
    """
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    _run("pg_dump", url, "--format=custom", f"--file={target}")


def load(file: Path, url: str) -> None:
    """Load such a file into an empty PostgreSQL database, all or nothing. Raises Unavailable."""
    _run("pg_restore", url, "--exit-on-error", "--single-transaction", str(file))


@contextmanager
def scratch(url: str) -> Iterator[str]:
    """The URL of a new empty PostgreSQL database beside another; it is deleted afterwards.

    Raises PermissionError if the user may not create one, otherwise Unavailable.
    """
    name = f"waybill_proof_{secrets.token_hex(6)}"
    engine = create_engine(url, isolation_level="AUTOCOMMIT", hide_parameters=True)
    try:
        try:
            with engine.connect() as connection:
                connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE template0")
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", "") == _NOT_ALLOWED:
                raise PermissionError from None
            raise Unavailable(str(error.orig).strip()) from error
        try:
            yield make_url(url).set(database=name).render_as_string(hide_password=False)
        finally:
            with engine.connect() as connection:
                connection.exec_driver_sql(f"DROP DATABASE {name}")
    finally:
        engine.dispose()


MISSING = "{program} is not installed: it is in the package postgresql-client"
FAILED = "{program}: {said}"


def _run(program: str, url: str, *arguments: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise Unavailable(MISSING.format(program=program))
    parts = make_url(url)
    # Every user of the machine can see a program's arguments, so the password is not among them.
    where = parts.set(drivername="postgresql", password=None).render_as_string()
    password = {"PGPASSWORD": str(parts.password)} if parts.password else {}
    done = subprocess.run(
        [found, "--no-owner", "--no-privileges", "--no-password", f"--dbname={where}", *arguments],
        env={**os.environ, **password},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = " ".join(done.stderr.split())[-500:] or f"code {done.returncode}"
        raise Unavailable(FAILED.format(program=program, said=said))


def bring_up_to_date(url: str) -> None:
    """Upgrade the tables of a copy to this Waybill. Raises Unavailable."""
    store = Store(url)
    try:
        store.upgrade()
    finally:
        store.close()

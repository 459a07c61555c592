"""Upgrades the tables in one transaction, or refuses before anything changes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, func, inspect
from sqlalchemy.exc import DBAPIError, OperationalError

from service.store.database import Unavailable, unavailable

UPGRADE_LOCK = 0x57415942
"""The PostgreSQL advisory lock for an upgrade of the tables."""


def upgrade(engine: Engine) -> None:
    """Create or upgrade the tables. Several processes may do so at once.

    Raises Unavailable if the tables are damaged or belong to a newer Waybill or another program,
    and if an upgrade fails. Then everything is as before, and the upgrade can be tried again.
    """
    with in_words(), _alone(engine) as connection:
        needs = needed(connection)
        if needs == "upgrade":
            check_whole(connection)
        if needs:
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _check_references(connection, "after the upgrade, which was undone")


def outdated(engine: Engine) -> bool:
    """Whether the tables are of a former version. Raises Unavailable if they are no version's."""
    with in_words(), engine.connect() as connection, connection.begin():
        return needed(connection) == "upgrade"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "service.store:migrations")
    return config


@contextmanager
def in_words() -> Iterator[None]:
    """Turn errors from opening a database into Unavailable."""
    try:
        yield
    except OperationalError as error:
        raise unavailable(error) from error
    except DBAPIError as error:
        raise Unavailable(DAMAGED.format(what=error.orig)) from error
    except sqlite3.Error as error:
        # An error while a file is opened comes as the driver's own error.
        raise Unavailable(DAMAGED.format(what=error)) from error


DAMAGED = (
    "the database cannot be brought up to date: {what}. Nothing was changed; if it is damaged, "
    "restore it from a backup"
)


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """A transaction beside which no other upgrade runs."""
    with engine.connect() as connection:
        if engine.dialect.name != "sqlite":
            with connection.begin():
                connection.execute(func.pg_advisory_xact_lock(UPGRADE_LOCK).select())
                yield connection
            return
        # SQLite changes a table by copying it and dropping the old one. Foreign keys of other rows
        # would forbid that. They can only be turned off before the transaction begins.
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA foreign_keys=OFF")
        try:
            # BEGIN IMMEDIATE already lets only one process at a time through.
            with connection.begin():
                yield connection
        finally:
            driver.execute("PRAGMA foreign_keys=ON")


ANOTHER_PROGRAM = (
    "the database has tables of another program, such as {table}; nothing was changed. Give "
    "Waybill a database of its own"
)
ANOTHER_VERSION = (
    "the database belongs to another version, probably a newer one: its tables are version "
    "{version}, and this Waybill knows them up to {newest}. Nothing was changed; use the newer "
    "Waybill, or a backup made before its first start"
)


def needed(connection: Connection) -> Literal["", "make", "upgrade"]:
    """What must be done with the tables. Raises Unavailable if it must not be done."""
    scripts = ScriptDirectory.from_config(_config())
    version = MigrationContext.configure(connection).get_current_revision()
    newest = scripts.get_current_head() or ""
    if version == newest:
        return ""
    if version is None:
        names = set(inspect(connection).get_table_names()) - {"alembic_version"}
        if names:
            raise Unavailable(ANOTHER_PROGRAM.format(table=min(names)))
        return "make"
    if version not in {script.revision for script in scripts.walk_revisions()}:
        raise Unavailable(ANOTHER_VERSION.format(version=version, newest=newest))
    return "upgrade"


def check_whole(connection: Connection) -> None:
    """Raise Unavailable if a database is damaged. It reads all of it, which takes a while."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if found != "ok":
            raise Unavailable(DAMAGED.format(what=found))
    _check_references(connection, "before the upgrade")


HOLE = "row {row} of {table} names a row of {other} that is not there, {when}"


def _check_references(connection: Connection, when: str) -> None:
    """Raises Unavailable if a row refers to a missing one. PostgreSQL has no such rows."""
    if connection.dialect.name != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        table, row, other, _ = broken
        what = HOLE.format(row=row, table=table, other=other, when=when)
        raise Unavailable(DAMAGED.format(what=what))

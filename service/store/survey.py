"""Looks at a database without changing it: it creates no table and writes no file."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, func, select, text
from sqlalchemy.pool import NullPool

from service.store.access import database_files, open_engine
from service.store.columns import table_of
from service.store.database import Unavailable
from service.store.tables import GameRow
from service.store.upgrade import check_whole, in_words, needed


@dataclass(frozen=True)
class Survey:
    """The state of a database: the number of games (None without tables), and whether it is old."""

    games: int | None = None
    outdated: bool = False


def survey(url: str) -> Survey:
    """The state of the database behind a URL. Raises Unavailable if `Store.upgrade` would."""
    files = database_files(url)
    if files and not files[0].is_file():
        open_engine(url).dispose()  # the URL itself may be unusable
        return Survey()
    engine = reading_engine(url)
    try:
        with in_words(), engine.connect() as connection:
            if not files and engine.dialect.name == "postgresql":
                connection = connection.execution_options(postgresql_readonly=True)
            with connection.begin():
                needs = needed(connection)
                if needs == "upgrade":
                    check_whole(connection)
                if needs and engine.dialect.name == "postgresql":
                    _may_make_tables(connection.execute(text(_MAY_CREATE)).scalar_one())
                there = engine.dialect.has_table(connection, table_of(GameRow).name)
                count = select(func.count()).select_from(GameRow)
                games = connection.execute(count).scalar_one() if there else None
                return Survey(games, needs == "upgrade")
    finally:
        engine.dispose()


def reading_engine(url: str) -> Engine:
    """A database for reading only. The caller makes PostgreSQL's transactions read-only."""
    files = database_files(url)
    return _only_read(files) if files else open_engine(url)


_MAY_CREATE = "SELECT has_schema_privilege(current_schema(), 'CREATE')"


def _may_make_tables(may: bool) -> None:
    if not may:
        raise Unavailable(
            "its user may not make tables there: make the user the owner of the database, or "
            "write GRANT CREATE ON SCHEMA public TO that user"
        )


def _only_read(files: tuple[Path, ...]) -> Engine:
    # A file in WAL mode is read through -wal and -shm. Even a reader creates them if they are
    # missing. If both exist, nobody needs to write them. Otherwise the file alone has all data.
    base, wal, shared = files
    how = "readonly_shm=1" if wal.is_file() and shared.is_file() else "immutable=1"
    place = f"file:{quote(str(base.absolute()))}?mode=ro&{how}"
    return create_engine(
        "sqlite://", creator=lambda: sqlite3.connect(place, uri=True), poolclass=NullPool
    )

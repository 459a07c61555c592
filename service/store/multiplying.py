"""Copies the rows of one game many times, under other names, to measure a large database."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from service.store.access import open_engine
from service.store.columns import METADATA, batches
from service.store.moving import bare, renumber

#: columns that must differ in every copy, or are looked for, and do not contain the game's name
_OWN = ("key", "sha256", "identity", "acted", "words", "message_id")
#: columns that name a row without being a foreign key
_NAMES = {
    ("game", "head"): "action",
    ("game", "renewed_by"): "inbox",
    ("seat", "renewed_by"): "inbox",
}
#: tables without rows of a game
_COMMON = ("heartbeat", "meta", "picture", "work")
Rows = dict[str, list[dict[str, Any]]]
"""Rows by table, as the database has them."""
Copied = tuple[Rows, Mapping[str, str], int]
"""Rows to copy, the texts to replace in them, and the seconds to add to their times."""


def rows_of(file: Path) -> Rows:
    """All rows of the games of an SQLite file."""
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        found = {
            table.name: [dict(row._mapping) for row in connection.execute(sa.select(bare(table)))]
            for table in METADATA.sorted_tables
            if table.name not in _COMMON
        }
    engine.dispose()
    return found


def size_of(file: Path) -> int:
    """The bytes of an SQLite file that nobody uses, without free pages."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    return int(pages * size)


@contextmanager
def filling(
    url: str, models: list[Rows]
) -> Iterator[Callable[[range, Callable[[int], Copied], Callable[[int], None]], None]]:
    """A function that copies rows of one of ``models`` under each of some numbers.

    It gets the numbers, what to copy under a number, and whom to tell how many are done.
    """
    engine = open_engine(url)
    strides = {
        table.name: 1 + max((row["id"] for rows in models for row in rows[table.name]), default=0)
        for table in METADATA.sorted_tables
        if table.name not in _COMMON
    }

    def fill(
        numbers: range, copied: Callable[[int], Copied], progress: Callable[[int], None]
    ) -> None:
        for some in batches(numbers):
            with engine.begin() as connection:
                for number in some:
                    _copy(connection, number, copied(number), strides)
                    progress(number - numbers.start + 1)
                for table in METADATA.sorted_tables:
                    renumber(connection, table)
        if engine.dialect.name == "postgresql" and numbers:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("ANALYZE")

    yield fill
    engine.dispose()


def _copy(
    connection: sa.Connection, number: int, copied: Copied, strides: Mapping[str, int]
) -> None:
    found, texts, shift = copied

    def replaced(text: str) -> str:
        for old, new in texts.items():
            text = text.replace(old, new)
        return text

    def value(table: sa.Table, column: sa.Column[Any], old: Any) -> Any:  # noqa: ANN401
        if old is None:
            return None
        target = _NAMES.get((table.name, column.name))
        for key in column.foreign_keys:
            target = key.column.table.name
        if column.name == "id":
            target = table.name
        if target is not None:
            return old + (number + 1) * strides[target]
        if isinstance(old, str):
            new = replaced(old)
            return f"{number}~{old}" if new == old != "" and column.name in _OWN else new
        if isinstance(old, bytes) and column.name in ("settings", "payload"):
            return replaced(old.decode("latin-1")).encode("latin-1")
        if column.name == "uid":
            return old + (number + 1) * strides["inbox"]
        if isinstance(column.type, sa.BigInteger) and column.name != "uidvalidity" and old:
            return max(old + shift, 1)
        return old

    for table in METADATA.sorted_tables:
        rows = found.get(table.name)
        if rows:
            new = [{n: value(table, table.c[n], old) for n, old in row.items()} for row in rows]
            connection.execute(bare(table).insert(), new)

"""Copies the rows of one game many times, under other names, to measure a large database."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from service.store.access import PRAGMAS, open_engine
from service.store.columns import METADATA
from service.store.moving import bare, renumber

#: columns that must differ in every copy, or are looked for, and do not contain the game's name
_OWN = ("key", "sha256", "identity", "acted", "words", "message_id")
#: columns that name a row without being a foreign key
_NAMES = {
    ("game", "head"): "action",
    ("game", "renewed_by"): "inbox",
    ("seat", "renewed_by"): "inbox",
}
#: columns with bytes in which the game is named
_NAMING = ("settings", "payload")
#: tables without rows of a game
_COMMON = ("heartbeat", "meta", "picture", "work")
_TABLES = [table for table in METADATA.sorted_tables if table.name not in _COMMON]
#: copies in one transaction
_AT_ONCE = 100
#: SQLite writes without a journal; a file that breaks meanwhile is thrown away
_HASTE = ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-200000")
#: parameters of a copy's statements
_NUMBER, _MARK = sa.bindparam("number", type_=sa.BigInteger), sa.bindparam("mark", type_=sa.Text)
_SHIFT = sa.bindparam("shift", type_=sa.BigInteger)
Rows = Mapping[str, Sequence[Mapping[str, Any]]]
"""Rows by table, as the database has them."""


@dataclass(frozen=True)
class Copy:
    """A copy of a game.

    ``texts`` stand in place of those of the model, and ``shift`` seconds are added to its times.
    """

    number: int
    texts: tuple[str, ...]
    shift: int


def rows_of(file: Path) -> dict[str, list[dict[str, Any]]]:
    """All rows of the games of an SQLite file."""
    engine = open_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        found = {
            table.name: [dict(row._mapping) for row in connection.execute(sa.select(bare(table)))]
            for table in _TABLES
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


@dataclass(frozen=True)
class Models:
    """Games whose rows can be copied: their rows by a name, and the texts that copies replace."""

    rows: Mapping[str, Rows]
    texts: tuple[str, ...]

    def fill(
        self, url: str, name: str, copies: Sequence[Copy], told: Callable[[int], object]
    ) -> None:
        """Copy the rows of a model within a database that nobody uses.

        ``told`` hears how many copies are done.
        """
        rows = {table: self.rows[name][table.name] for table in _TABLES}
        with _hasty(url) as connection:
            copying = [
                self._statement(connection, table, rows[table]) for table in _TABLES if rows[table]
            ]
            for first in range(0, len(copies), _AT_ONCE):
                for copy in copies[first : first + _AT_ONCE]:
                    new: dict[str, object] = {f"text{i}": t for i, t in enumerate(copy.texts)}
                    new |= {"number": copy.number + 1, "mark": f"{copy.number}~"}
                    for statement in copying:
                        connection.execute(statement, {**new, "shift": copy.shift})
                connection.commit()
                told(min(first + _AT_ONCE, len(copies)))
            for table in _TABLES:
                renumber(connection, table)
            connection.commit()

    def _statement(
        self, connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
    ) -> sa.Insert:
        """The statement that inserts a copy of a table's rows, which a temporary table has."""
        plain = bare(table)
        columns = [sa.Column(one.name, one.type) for one in plain.columns]
        kept = sa.Table(f"copied_{table.name}", sa.MetaData(), *columns, prefixes=["TEMPORARY"])
        kept.create(connection)
        connection.execute(kept.insert(), [dict(row) for row in rows])
        new = [
            self._value(connection, table, one, kept.c[one.name], [row[one.name] for row in rows])
            for one in table.c
        ]
        return plain.insert().from_select([one.name for one in table.c], sa.select(*new))

    def _value(
        self,
        connection: sa.Connection,
        table: sa.Table,
        column: sa.Column[Any],
        old: Any,  # noqa: ANN401 - an expression of any type
        values: Sequence[object],
    ) -> Any:  # noqa: ANN401 - an expression of any type
        """What a column of a copy has; ``values`` are those of the model."""
        target = _NAMES.get((table.name, column.name))
        for key in column.foreign_keys:
            target = key.column.table.name
        if column.name == "id":
            target = table.name
        if column.name == "uid":
            target = "inbox"
        if target is not None:
            return old + _NUMBER * self._stride(target)
        if isinstance(old.type, sa.LargeBinary):
            if column.name not in _NAMING or not self._named(values):
                return old
            if connection.dialect.name == "postgresql":
                text = sa.func.convert_from(old, "UTF8", type_=sa.Text)
                return sa.func.convert_to(self._replaced(text), "UTF8")
            return sa.cast(self._replaced(sa.cast(old, sa.Text)), sa.LargeBinary)
        if isinstance(old.type, sa.String):
            new = self._replaced(old) if self._named(values) else old
            if column.name not in _OWN:
                return new
            return sa.case((sa.and_(new == old, old != ""), _MARK + old), else_=new)
        if isinstance(old.type, sa.BigInteger) and column.name != "uidvalidity":
            return sa.case((old == 0, 0), (old + _SHIFT < 1, 1), else_=old + _SHIFT)
        return old

    def _named(self, values: Sequence[object]) -> bool:
        """Whether a copy replaces something in these values."""
        texts = (str(value) for value in values)
        return any(text in one for one in texts for text in self.texts)

    def _replaced(self, old: Any) -> Any:  # noqa: ANN401 - an expression
        for number, text in enumerate(self.texts):
            new = sa.bindparam(f"text{number}", type_=sa.Text)
            old = sa.func.replace(old, text, new, type_=sa.Text)
        return old

    def _stride(self, table: str) -> int:
        """How much higher the numbers of a copy's rows are than those of the copy before."""
        return 1 + max((row["id"] for rows in self.rows.values() for row in rows[table]), default=0)


@contextmanager
def _hasty(url: str) -> Iterator[sa.Connection]:
    """A connection that writes fast. Afterwards the database is as others expect it."""
    engine = open_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            _set(connection, *_HASTE)
        yield connection
        if engine.dialect.name == "sqlite":
            _set(connection, *PRAGMAS)
    engine.dispose()
    vacuum(url)


def vacuum(url: str) -> None:
    """Let PostgreSQL do at once what it does by itself, some time after many changes."""
    engine = open_engine(url)
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")
    engine.dispose()


def _set(connection: sa.Connection, *pragmas: str) -> None:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    for pragma in pragmas:
        driver.execute(f"PRAGMA {pragma}")

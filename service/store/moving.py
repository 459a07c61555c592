"""Copies all rows of one database into another of any kind, and compares the two."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import Connection, FromClause
from sqlalchemy.exc import DataError

from service.operator_errors import OperatorError
from service.store.access import open_engine
from service.store.columns import METADATA
from service.store.database import session_of

#: rows in one statement; an email can have a megabyte
_AT_ONCE = 200

TableCopied = Callable[[str, int, int], None]
"""Gets the name of a table, and how many rows of how many are done."""


class NotMoved(OperatorError):
    """Nothing was moved, and nothing was changed. The text says why and what to do."""


@dataclass(frozen=True)
class Moved:
    """The number of rows of each table that has any."""

    rows: dict[str, int]


IN_USE = "somebody uses the database {name} ({who}): stop every `waybill` that uses it first"
NOT_EMPTY = (
    "the database at the target has rows already, in the table {table}: name an empty database"
)
CANNOT_KEEP = "the target cannot keep a row of the table {table}: {why}"
DIFFERS = "the rows of the table {table} differ after the copy ({ours} here, {theirs} there)"


def move(source: str, target: str, told: TableCopied) -> Moved:
    """Copy every row from one database to another, all or nothing.

    Both must have the tables of this Waybill, and those of the target must be empty. Nobody may
    use either meanwhile. Raises NotMoved or Unavailable.
    """
    with _opened(source) as old, _opened(target) as new:
        _unused(old)
        _unused(new)
        for table in METADATA.sorted_tables:
            if new.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first():
                raise NotMoved(NOT_EMPTY.format(table=table.name))
        counts = {table.name: _count(old, table) for table in METADATA.sorted_tables}
        total, done = sum(counts.values()), 0
        for table in METADATA.sorted_tables:
            plain = bare(table)
            ours, theirs = Contents(), Contents()
            for rows in _read(old, plain):
                try:
                    new.execute(plain.insert(), rows)
                except DataError as error:
                    why = str(error.orig).partition("\n")[0]
                    raise NotMoved(CANNOT_KEEP.format(table=table.name, why=why)) from error
                ours.add(rows)
                told(table.name, done := done + len(rows), total)
            # What the target returns is compared, not what was sent.
            for rows in _read(new, plain):
                theirs.add(rows)
            if ours != theirs or ours.rows != counts[table.name]:
                text = DIFFERS.format(table=table.name, ours=ours.rows, theirs=theirs.rows)
                raise NotMoved(text)
            renumber(new, table)
        _unused(old)
        _unused(new)
    return Moved({name: count for name, count in counts.items() if count})


@dataclass
class Contents:
    """The number of rows, and a sum of their digests. It is the same for every order of rows."""

    rows: int = 0
    digest: int = 0

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Count more rows."""
        for row in rows:
            text = repr(list(row.values())).encode("utf-8", "surrogatepass")
            self.rows += 1
            self.digest ^= int.from_bytes(hashlib.sha256(text).digest(), "big")


@contextmanager
def _opened(url: str) -> Iterator[Connection]:
    """One transaction that sees one moment. On SQLite nobody else can write meanwhile."""
    engine = open_engine(url)
    if engine.dialect.name != "sqlite":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    try:
        with session_of(engine) as session:
            yield session.connection
    finally:
        engine.dispose()


def _unused(connection: Connection) -> None:
    """Raises NotMoved if other sessions of PostgreSQL use the database.

    The folder of workers says who uses a file of SQLite.
    """
    if connection.dialect.name != "postgresql":
        return
    # One look at the sessions would count for the whole transaction.
    connection.exec_driver_sql("SELECT pg_stat_clear_snapshot()")
    others = connection.exec_driver_sql(
        "SELECT application_name || ' process ' || pid FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        " AND backend_type = 'client backend'"
    ).scalars()
    if found := [who.strip() for who in others]:
        name = connection.engine.url.database
        raise NotMoved(IN_USE.format(name=name, who=", ".join(found)))


def bare(table: sa.Table) -> sa.TableClause:
    """The table with values as the database has them, so that nothing is unpacked."""
    columns = (
        sa.column(
            one.name,
            one.type.impl_instance if isinstance(one.type, sa.TypeDecorator) else one.type,
        )
        for one in table.c
    )
    return sa.table(table.name, *columns)


def _count(connection: Connection, table: FromClause) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def _read(connection: Connection, table: sa.TableClause) -> Iterator[list[dict[str, object]]]:
    """All rows, in parts. A row comes after those of its table that it names."""
    wanted = sa.select(table).order_by(table.c["id" if "id" in table.c else 0])
    stream = {"stream_results": True, "max_row_buffer": _AT_ONCE}
    found = connection.execute(wanted, execution_options=stream).mappings()
    while rows := found.fetchmany(_AT_ONCE):
        yield [dict(row) for row in rows]


def renumber(connection: Connection, table: sa.Table) -> None:
    """Let PostgreSQL give the next row a number that no row has."""
    if connection.dialect.name != "postgresql" or "id" not in table.c:
        return
    highest = connection.execute(sa.select(sa.func.max(table.c.id))).scalar_one()
    sequence = sa.func.pg_get_serial_sequence(table.name, "id")
    connection.execute(sa.select(sa.func.setval(sequence, highest or 1, highest is not None)))

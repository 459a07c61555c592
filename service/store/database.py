"""Transactions of a database, and its errors as exceptions of the service. It has no queries."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Engine,
    Select,
    bindparam,
    event,
    insert,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.dml import Insert, ReturningInsert, ReturningUpdate

from service.operator_errors import OperatorError
from service.rations import ANSWERS, Rations
from service.store.columns import read, table_of, values

T = TypeVar("T")

READS = "reads"
"""The option of an engine whose transactions can only read."""


class Conflict(Exception):
    """Another worker was faster, or the row is invalid. Nothing was stored; begin again."""


class AlreadySettled(Conflict):
    """This worker no longer has the email: its lease expired, and another worker got it."""


class Unavailable(OperatorError):
    """The database is unreachable, full or stayed locked. Nothing was stored."""

    said = "the database cannot be used: {error}"


NO_ROOM = "{what}; the disk may be full or broken (see `df`)"


def unavailable(error: DBAPIError) -> Unavailable:
    """A driver's error in words. On a full disk SQLite may not even open a file of its own."""
    what = str(error.orig)
    return Unavailable(NO_ROOM.format(what=what) if what == "disk I/O error" else what)


class Session:
    """One transaction of a database: it executes statements, and reads rows as values."""

    def __init__(self, connection: Connection, rations: Rations = ANSWERS) -> None:
        """``rations`` are the limits of answers."""
        self.rations = rations
        #: whether this transaction locks the rows that it is to change; one that reads must not
        self.locks = not connection.get_execution_options().get(READS, False)
        #: the ids of occasions that this transaction has recorded, by key, game and seat
        self.occasions: dict[tuple[str, str, str], int] = {}
        #: the games that this transaction has marked as changed
        self.changed: set[int] = set()
        self.connection = connection
        self.execute = connection.execute
        self.scalar = connection.scalar
        self.scalars = connection.scalars

    def rows(self, wanted: Select[T] | ReturningUpdate[T], **given: object) -> tuple[T, ...]:
        """The values that a statement of `service.store.columns.read` finds.

        ``given`` are the values of its parameters.
        """
        return values(wanted, self.execute(wanted, given).all())

    def row(self, wanted: Select[T], **given: object) -> T | None:
        """The first of these values, None if there is none."""
        found = self.execute(wanted, given).first()
        return None if found is None else values(wanted, [found])[0]

    def make(self, kind: type[T], **new: object) -> T:
        """Insert a row into the table of ``kind``, and return it."""
        made = insert(table_of(kind)).returning(*read(kind).selected_columns)
        return values(read(kind), self.execute(made, new))[0]

    def insert(self, table: type, **new: object) -> int:
        """Insert a row. Returns its id. Raises IntegrityError, which becomes Conflict."""
        made: int = self.execute(_inserting(table), new).scalar_one()
        return made

    def insert_new(self, table: type, **new: object) -> int | None:
        """Insert a row unless its unique key exists; returns the new id, or None."""
        made: int | None = self.scalar(_new(table, self._dialect, "id"), new)
        return made

    def insert_unless(self, kind: type, unless: ColumnElement[bool], **new: object) -> int | None:
        """The same, and only if the condition ``unless`` is false; it names new values by `given`.

        The statement is kept for each condition, so ``unless`` is always the same object.
        """
        values = {f"new_{name}": value for name, value in new.items()}
        made = _inserting_unless(kind, self._dialect, unless, tuple(new))
        number: int | None = self.scalar(made, values)
        return number

    def insert_all_new(self, table: type, rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
        """Insert the rows whose unique ``key`` does not exist, in one statement.

        Returns their keys.
        """
        if not rows:
            return frozenset()
        return frozenset(self.execute(_new(table, self._dialect, "key"), rows).scalars())

    def insert_or_change(
        self,
        table: type,
        key: Collection[str],
        rows: Sequence[Mapping[str, Any]],
        change: Collection[str] = (),
    ) -> None:
        """Insert rows, or update those that have the same unique ``key``, in one statement.

        ``change`` names the values to update; () means all but the key.
        """
        if rows:
            changed = tuple(change) or tuple(name for name in rows[0] if name not in key)
            self.execute(_changing(table, self._dialect, tuple(key), changed), rows)

    @property
    def _dialect(self) -> str:
        return self.connection.dialect.name


@cache
def _inserting(kind: type) -> ReturningInsert[Any]:
    return insert(table_of(kind)).returning(table_of(kind).c.id)


@cache
def _new(kind: type, dialect: str, returns: str) -> ReturningInsert[Any]:
    return _insert(kind, dialect).on_conflict_do_nothing().returning(table_of(kind).c[returns])


@cache
def _inserting_unless(
    kind: type, dialect: str, unless: ColumnElement[bool], names: tuple[str, ...]
) -> ReturningInsert[Any]:
    table = table_of(kind)
    row = select(*(given(table.c[name]) for name in names)).where(~unless)
    made = _insert(kind, dialect).from_select(list(names), row)
    return made.on_conflict_do_nothing().returning(table.c.id)


def given(column: ColumnElement[T]) -> BindParameter[T]:
    """The new value of a column in the condition of `Session.insert_unless`."""
    return bindparam(f"new_{column.key}", type_=column.type)


@cache
def _changing(kind: type, dialect: str, key: tuple[str, ...], change: tuple[str, ...]) -> Insert:
    made = _insert(kind, dialect)
    new = {name: made.excluded[name] for name in change}
    return made.on_conflict_do_update(index_elements=key, set_=new)


def _insert(kind: type, dialect: str) -> sqlite.Insert | postgresql.Insert:
    # both databases have the same clauses, but SQLAlchemy has a different construct for each
    make = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return make(table_of(kind))


class Repository:
    """The reads and writes of one subject inside one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session


@contextmanager
def session_of(engine: Engine, rations: Rations = ANSWERS) -> Iterator[Session]:
    """One transaction. It commits at the end and rolls back on any exception.

    Raises Conflict or Unavailable, so that callers need not know the database's own errors. Only
    a write in a transaction that reads raises the database's own error, because it is a bug.
    """
    try:
        # The database begins at the first statement, so nobody waits for a transaction without one.
        with engine.connect() as connection:
            yield Session(connection, rations)
            connection.commit()
    except IntegrityError as error:
        # PostgreSQL's message goes on with the values of the row: messages, tokens, whole emails.
        raise Conflict(str(error.orig).partition("\n")[0]) from None
    except (OperationalError, InterfaceError) as error:
        if _writes(engine, error):
            raise
        raise unavailable(error) from error
    except PoolTimeout as error:
        raise Unavailable(str(error)) from error
    except DBAPIError as error:
        # A server that stops or becomes read-only meanwhile raises errors of several classes.
        if error.connection_invalidated or (_read_only(error) and not _writes(engine, error)):
            raise unavailable(error) from error
        raise


def _read_only(error: DBAPIError) -> bool:
    # PostgreSQL's read_only_sql_transaction; SQLite's name for the same
    code = getattr(error.orig, "sqlstate", "") or getattr(error.orig, "sqlite_errorname", "")
    return code in ("25006", "SQLITE_READONLY")


def _writes(engine: Engine, error: DBAPIError) -> bool:
    """Whether the error is that a transaction was to write that can only read."""
    return _read_only(error) and bool(engine.get_execution_options().get(READS))


@contextmanager
def overheard(told: Callable[[Literal["statement", "transaction"], str], None]) -> Iterator[None]:
    """Report each transaction that begins in this context, and each statement with its text.

    It hears all databases of the process. One statement for many rows is reported once.
    """

    def statement(connection: object, cursor: object, text: str, *rest: Any) -> None:  # noqa: ANN401
        told("statement", text)

    def begun(connection: object) -> None:
        told("transaction", "")

    heard: dict[str, Callable[..., None]]
    heard = {"before_cursor_execute": statement, "begin": begun}
    for name, hear in heard.items():
        event.listen(Engine, name, hear)
    try:
        yield
    finally:
        for name, hear in heard.items():
            event.remove(Engine, name, hear)

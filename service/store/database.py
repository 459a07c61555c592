"""Transactions of a database, and its errors as exceptions of the service. It has no queries."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Literal, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Delete,
    Engine,
    Table,
    Update,
    event,
    literal,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.sql.dml import ReturningInsert
from sqlmodel import Session, SQLModel

from service.operator_errors import OperatorError

Insert = sqlite.Insert | postgresql.Insert


class Conflict(Exception):
    """Another worker was faster, or the row is invalid. Nothing was stored; begin again."""


class AlreadySettled(Conflict):
    """This worker no longer has the email: its lease expired, and another worker got it."""


class Unavailable(OperatorError):
    """The database is unreachable, full or stayed locked. Nothing was stored."""

    said = "the database cannot be used: {error}"


def table_of(record: type[SQLModel]) -> Table:
    """The table of a record, for statements that need no records: they take half the time."""
    table: Table = record.__table__  # type: ignore[attr-defined]
    return table


def insert_new(session: Session, record: type[SQLModel], **values: object) -> int | None:
    """Insert a row unless its unique key exists; returns the new id, or None."""
    made: int | None = session.execute(_new(record, _dialect(session), "id"), values).scalar()
    return made


def insert_unless(
    session: Session, record: type[SQLModel], unless: ColumnElement[bool], **values: object
) -> int | None:
    """The same, and only if the condition ``unless`` is false."""
    table, insert = table_of(record), _insert(record, _dialect(session))
    row = select(*(literal(value, table.c[name].type) for name, value in values.items()))
    made = insert.from_select(list(values), row.where(~unless)).on_conflict_do_nothing()
    number: int | None = session.execute(made.returning(table.c.id)).scalar()
    return number


def insert_all_new(
    session: Session, record: type[SQLModel], rows: Sequence[Mapping[str, object]]
) -> frozenset[str]:
    """Insert the rows whose unique ``key`` does not exist, in one statement; returns their keys."""
    if not rows:
        return frozenset()
    made = session.execute(_new(record, _dialect(session), "key"), rows)
    return frozenset(made.scalars())


def insert_or_change(
    session: Session,
    record: type[SQLModel],
    key: Collection[str],
    rows: Sequence[Mapping[str, object]],
    change: Collection[str] = (),
) -> None:
    """Insert rows, or update those that have the same unique ``key``, in one statement.

    ``change`` names the values to update; () means all but the key.
    """
    if rows:
        changed = tuple(change) or tuple(name for name in rows[0] if name not in key)
        session.execute(_changing(record, _dialect(session), tuple(key), changed), rows)


def changed(session: Session, statement: Update | Delete) -> int:
    """Change or delete rows of a table; returns how many."""
    done = cast("CursorResult[Any]", session.execute(statement))
    return done.rowcount


def _dialect(session: Session) -> str:
    return session.get_bind().dialect.name


@cache
def _new(record: type[SQLModel], dialect: str, returns: str) -> ReturningInsert[Any]:
    return _insert(record, dialect).on_conflict_do_nothing().returning(table_of(record).c[returns])


@cache
def _changing(
    record: type[SQLModel], dialect: str, key: tuple[str, ...], change: tuple[str, ...]
) -> Insert:
    made = _insert(record, dialect)
    new = {name: made.excluded[name] for name in change}
    return made.on_conflict_do_update(index_elements=key, set_=new)


def _insert(record: type[SQLModel], dialect: str) -> Insert:
    # both databases have the same clauses, but SQLAlchemy has a different construct for each
    make = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return make(table_of(record))


Record = TypeVar("Record", bound=SQLModel)


class Repository:
    """The reads and writes of one subject inside one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _made(self, record: Record) -> Record:
        self._session.add(record)
        self._session.flush()
        return record


@contextmanager
def session_of(engine: Engine) -> Iterator[Session]:
    """One transaction. It commits at the end and rolls back on any exception.

    Raises Conflict or Unavailable, so that callers need not know the database's own errors.
    """
    try:
        with Session(engine) as session, session.begin():
            yield session
    except IntegrityError as error:
        # PostgreSQL's message goes on with the values of the row: messages, tokens, whole emails.
        raise Conflict(str(error.orig).partition("\n")[0]) from None
    except (OperationalError, InterfaceError) as error:
        raise Unavailable(str(error.orig)) from error
    except PoolTimeout as error:
        raise Unavailable(str(error)) from error
    except DBAPIError as error:
        # A server that stops or becomes read-only meanwhile raises errors of several classes.
        if error.connection_invalidated or _read_only(error):
            raise Unavailable(str(error.orig)) from error
        raise


def _read_only(error: DBAPIError) -> bool:
    return getattr(error.orig, "sqlstate", "") == "25006"  # PostgreSQL, read_only_sql_transaction


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

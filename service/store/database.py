"""Transactions of a database, and its errors as exceptions of the service. It has no queries."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeVar

from sqlalchemy import Engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session, SQLModel

from service.operator_errors import OperatorError


class Conflict(Exception):
    """Another worker was faster, or the row is invalid. Nothing was stored; begin again."""


class AlreadySettled(Conflict):
    """This worker no longer has the email: its lease expired, and another worker got it."""


class Unavailable(OperatorError):
    """The database is unreachable, full or stayed locked. Nothing was stored."""

    said = "the database cannot be used: {error}"


def insert_new(session: Session, table: type[SQLModel], **values: object) -> int | None:
    """Insert a row unless its unique key exists; returns the new id, or None.

    Both databases have the same clause, but SQLAlchemy has a different construct for each.
    """
    make = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = make(table).values(**values).on_conflict_do_nothing()
    made: int | None = session.execute(statement.returning(table.__table__.c.id)).scalar()  # type: ignore[attr-defined]
    return made


def insert_or_change(
    session: Session, table: type[SQLModel], change: Collection[str], **values: object
) -> None:
    """Insert a row, or update the values named in ``change`` in the row with its primary key."""
    make = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    key = list(table.__table__.primary_key)  # type: ignore[attr-defined]
    new = {name: values[name] for name in change}
    statement = make(table).values(**values)
    session.execute(statement.on_conflict_do_update(index_elements=key, set_=new))


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

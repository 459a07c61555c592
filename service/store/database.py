"""Transactions of a database and its own errors in the words of the service; no queries."""

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
    """Somebody else was faster, or the row cannot be: nothing was stored; begin again."""


class AlreadySettled(Conflict):
    """The mail is no longer ours to finish: its lease ran out and another worker had it."""


class Unavailable(OperatorError):
    """The database cannot be reached, is full or stayed locked; nothing was stored."""

    said = "the database cannot be used: {error}"


def insert_new(session: Session, table: type[SQLModel], **values: object) -> int | None:
    """Insert unless a unique key is there already; the new id, or None.

    Both databases write this clause alike, but SQLAlchemy has a construct for each.
    """
    make = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    statement = make(table).values(**values).on_conflict_do_nothing()
    made: int | None = session.execute(statement.returning(table.__table__.c.id)).scalar()  # type: ignore[attr-defined]
    return made


def insert_or_change(
    session: Session, table: type[SQLModel], change: Collection[str], **values: object
) -> None:
    """Insert a row, or let the one of its primary key ``change`` these of its values."""
    make = sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert
    key = list(table.__table__.primary_key)  # type: ignore[attr-defined]
    new = {name: values[name] for name in change}
    statement = make(table).values(**values)
    session.execute(statement.on_conflict_do_update(index_elements=key, set_=new))


Record = TypeVar("Record", bound=SQLModel)


class Repository:
    """What can be read and written of one subject inside one transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _made(self, record: Record) -> Record:
        self._session.add(record)
        self._session.flush()
        return record


@contextmanager
def session_of(engine: Engine) -> Iterator[Session]:
    """One transaction; commits at the end, rolls back on any exception.

    Raises Conflict or Unavailable, so that no caller needs to know the database's own errors.
    """
    try:
        with Session(engine) as session, session.begin():
            yield session
    except IntegrityError as error:
        # PostgreSQL's own words go on with the values of the row: talk, tokens, whole mails.
        raise Conflict(str(error.orig).partition("\n")[0]) from None
    except (OperationalError, InterfaceError) as error:
        raise Unavailable(str(error.orig)) from error
    except PoolTimeout as error:
        raise Unavailable(str(error)) from error
    except DBAPIError as error:
        # A server that goes down or turns read-only in between has errors of several classes.
        if error.connection_invalidated or _read_only(error):
            raise Unavailable(str(error.orig)) from error
        raise


def _read_only(error: DBAPIError) -> bool:
    return getattr(error.orig, "sqlstate", "") == "25006"  # PostgreSQL, read_only_sql_transaction


@contextmanager
def overheard(told: Callable[[Literal["statement", "transaction"], str], None]) -> Iterator[None]:
    """Tell of each transaction that begins meanwhile, and of each statement with its text.

    It hears all databases of the process. One statement for many rows is told of once.
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

"""Declares tables: a class is both a table and the frozen value that its rows are read as.

Each field is a column of the same name. Its type says the type of the column and whether it may be
NULL, and its default is what a new row gets. A base class, a `value`, may declare some of the
columns; then `read` reads only those. A column that needs more than its type has it in its
annotation: `Seconds`, `Long`, `Packed`, or what it `References`. SQLModel makes the tables.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    FromClause,
    Index,
    LargeBinary,
    Row,
    Select,
    String,
    Table,
    select,
    text,
)
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import SchemaItem
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Field, SQLModel
from sqlmodel.main import SQLModelMetaclass
from zlib_ng import zlib_ng

T = TypeVar("T")
Declared = TypeVar("Declared", bound=type)

METADATA = SQLModel.metadata
"""All tables."""


class _Packed(TypeDecorator[bytes]):
    """Bytes stored compressed (zlib). A snapshot shrinks to a seventh, an email by a quarter."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The value to write."""
        return None if value is None else zlib_ng.compress(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """The value that was read."""
        return None if value is None else zlib_ng.decompress(value)


class _LineList(TypeDecorator[tuple[str, ...]]):
    """Texts without line breaks, stored as one text with a line for each."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str:
        """The value to write."""
        return "\n".join(value or ())

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...]:
        """The value that was read."""
        return tuple(value.split("\n")) if value else ()


@dataclass(frozen=True)
class References:
    """A column that names a row of another table, by its primary key."""

    target: str


#: whole numbers that need 64 bits
Long = Annotated[int, BigInteger()]
#: bytes that are stored compressed
Packed = Annotated[bytes, _Packed()]
#: texts without line breaks
LinesColumn = Annotated[tuple[str, ...], _LineList()]
#: the id of a row
GameId = Annotated[int, References("game.id")]
TournamentId = Annotated[int, References("tournament.id")]
OccasionId = Annotated[int, References("occasion.id")]
MailId = Annotated[int, References("inbox.id")]
#: a field of a value that is not a column of its table
NOT_STORED = "not stored"

#: rows that one statement names
_AT_ONCE = 1_000
#: what reads the rows of a table as values of a class, and that table
_READS: dict[type, Select[Any]] = {}
_TABLES: dict[type, Table] = {}


@dataclass_transform(frozen_default=True)
def value(kind: Declared) -> Declared:
    """Make a class a frozen dataclass, whose fields may be columns of a table that extends it."""
    return cast(Declared, dataclass(frozen=True)(kind))


@dataclass_transform(frozen_default=True, kw_only_default=True)
def table(name: str, *items: SchemaItem) -> Callable[[Declared], Declared]:
    """Make a class a frozen dataclass and a table, with these constraints and indexes.

    The primary key is ``id``, or otherwise the first field. Afterwards the class stands for the
    table in statements, and its attributes for the columns (see `col`).
    """

    def declare(kind: Declared) -> Declared:
        dataclass(frozen=True, kw_only=True)(kind)
        hints = get_type_hints(kind, include_extras=True)
        stored = [one for one in fields(kind) if NOT_STORED not in get_args(hints[one.name])]
        key = "id" if "id" in hints else stored[0].name
        made = _model(
            kind, name, items, [(one, hints[one.name], one.name == key) for one in stored]
        )
        for base in kind.__mro__:
            if is_dataclass(base):
                own = (made.c[one.name] for one in fields(base) if one.name in made.c)
                _READS.setdefault(base, select(*own).execution_options(kind=base))
                _TABLES.setdefault(base, made)
        for column in made.c:
            setattr(kind, column.name, column)
        # how SQLAlchemy finds out what an object stands for in a statement
        setattr(kind, "__clause_element__", staticmethod(lambda: made))  # noqa: B010
        return kind

    return declare


def _model(
    kind: type, name: str, items: Sequence[SchemaItem], columns: Sequence[tuple[Any, object, bool]]
) -> Table:
    """The table that SQLModel makes of the fields of a class.

    Each field comes with its annotation and whether it is the primary key. Rows are read as values
    of the class, not as objects of the model: those can be changed, and read missing columns from
    the database by themselves.
    """
    space: dict[str, object] = {"__module__": kind.__module__, "__tablename__": name}
    types: dict[str, object] = {}
    for one, hint, key in columns:
        types[one.name], space[one.name] = _field(hint, one.default, key)
    space |= {"__table_args__": tuple(items), "__annotations__": types}
    made: Any = SQLModelMetaclass(kind.__name__, (SQLModel,), space, table=True)
    return cast(Table, made.__table__)


def _field(hint: object, default: object, key: bool) -> tuple[object, object]:
    """The type and the field of SQLModel for a column."""
    more: list[object] = []
    given: dict[str, Any] = {"primary_key": key, "nullable": False}
    while (origin := get_origin(hint)) is not None:
        if origin is Annotated:
            hint, *extras = get_args(hint)
            more += extras
        elif origin is Literal:
            hint = type(get_args(hint)[0])
        elif origin in (Union, UnionType) and NoneType in get_args(hint):
            given["nullable"] = True
            [hint] = [one for one in get_args(hint) if one is not NoneType]
        else:
            break
    for one in more:
        if isinstance(one, References):
            given["foreign_key"] = one.target
        elif isinstance(one, TypeEngine):
            given["sa_type"] = one
        elif one == "seconds":
            given["sa_type"] = BigInteger
    if default is not MISSING and not key:
        given["sa_column_kwargs"] = {"default": default}
    return hint, Field(**given)


def one_of(column: str, *allowed: str) -> CheckConstraint:
    """Let a column have no other values than these."""
    listed = ", ".join(f"'{word}'" for word in allowed)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def partial(name: str, *columns: str, where: str) -> Index:
    """An index of only those rows for which the condition ``where`` is true."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


def col(field: T) -> Column[T]:
    """The column behind an attribute of a class that is a table, as in ``col(SeatRow.name)``."""
    return cast(Column[T], field)


def batches(ids: Iterable[int]) -> Iterator[list[int]]:
    """Ids in parts that one statement can name; SQLite takes 32,766 of them at most."""
    left = list(ids)
    while left:
        yield left[:_AT_ONCE]
        del left[:_AT_ONCE]


def table_of(kind: type) -> Table:
    """The table of a class, or of the class that extends it."""
    return _TABLES[kind]


@cache
def other_rows(kind: type) -> FromClause:
    """The table once more, in a statement that compares its rows; naming it again takes long."""
    return table_of(kind).alias()


def read(kind: type[T]) -> Select[T]:
    """A statement that reads rows as values of ``kind``; only the columns of its fields are read.

    ``where`` and ``order_by`` go on with it, and `service.store.database.Session.rows` executes it.
    """
    return _READS[kind]


def values(wanted: Select[T] | ReturningUpdate[T], found: Iterable[Row[Any]]) -> tuple[T, ...]:
    """The rows that a statement of `read`, or one with its ``kind``, has found, as values.

    Each is filled directly, because thousands of rows are read for a log. Columns that were added
    to the statement come last and are left out.
    """
    kind: type[T] = wanted.get_execution_options()["kind"]
    names = _READS[kind].selected_columns.keys()
    made = []
    for row in found:
        made.append(one := object.__new__(kind))
        one.__dict__.update(zip(names, row, strict=False))
    return tuple(made)

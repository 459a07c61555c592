"""Parts of a page without an outward form: lists, tables and lines; knows no game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Row:
    """A label with what belongs to it; ``stacked`` items begin a line each."""

    label: str
    items: tuple[str, ...]
    stacked: bool = False


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels at the left, items at the right; ``joint`` stands between items in plain text."""

    kind: ClassVar[str] = "pairs"
    heading: str
    rows: tuple[Row, ...]
    joint: str = "   "


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; ``right`` for numbers, ``name`` where words may be cut short."""

    head: str
    right: bool = False
    name: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. ``chips`` are cells of the first column that are shown in colours (ground, text)."""

    kind: ClassVar[str] = "grid"
    heading: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    chips: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lines:
    """Paragraphs; ``loud`` for what must not be overlooked."""

    kind: ClassVar[str] = "lines"
    heading: str
    lines: tuple[str, ...]
    loud: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines to be copied, or whose columns matter: nothing is wrapped."""

    kind: ClassVar[str] = "verbatim"
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """The same in two forms: wide for plain text, narrow for the HTML of a phone."""

    kind: ClassVar[str] = "either"
    text: "Block"
    html: tuple["Block", ...]


Block = Pairs | Grid | Lines | Verbatim | Either

"""Blocks, the parts of a page, and their form in plain text of at most 78 columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Row:
    """A label with its items; ``stacked`` items begin a line each."""

    label: str
    items: tuple[str, ...]
    stacked: bool = False

    @property
    def apart(self) -> bool:
        """True if the label is so long that it needs a line of its own, above the items."""
        return len(self.label) > _LABEL


@dataclass(frozen=True, slots=True)
class Pairs:
    """Labels at the left, items at the right; ``joint`` separates items in plain text."""

    kind: ClassVar[str] = "pairs"
    heading: str
    rows: tuple[Row, ...]
    joint: str = "   "


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table; ``right`` for numbers, ``name`` if words may be shortened."""

    head: str
    right: bool = False
    name: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. ``chips`` are the colors of cells in the first column (background, text)."""

    kind: ClassVar[str] = "grid"
    heading: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    chips: Mapping[str, tuple[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lines:
    """Paragraphs; ``loud`` for those that a reader must not miss."""

    kind: ClassVar[str] = "lines"
    heading: str
    lines: tuple[str, ...]
    loud: bool = False


@dataclass(frozen=True, slots=True)
class Verbatim:
    """Lines to copy, or with fixed columns: no line is wrapped."""

    kind: ClassVar[str] = "verbatim"
    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """The same content in two forms: wide for plain text, narrow for HTML on a phone."""

    kind: ClassVar[str] = "either"
    text: "Block"
    html: tuple["Block", ...]


Block = Pairs | Grid | Lines | Verbatim | Either


WIDTH = 78
"""The columns of a text part; a reply that quotes it with "> " stays within 80."""
_LABEL = 18
FIRM = "\u00a0"
"""A space that never breaks a line; in plain text it becomes a normal one."""


def blocks_text(blocks: Iterable[Block]) -> str:
    """Several blocks with an empty line between them."""
    return "\n\n".join(text for block in blocks if (text := block_text(block)))


def block_text(block: Block) -> str:
    """A block with its heading, or "" if it is empty."""
    if isinstance(block, Either):
        return block_text(block.text)
    if isinstance(block, Pairs):
        lines = _pairs(block)
    elif isinstance(block, Grid):
        lines = _grid(block)
    elif isinstance(block, Verbatim):
        lines = [f"  {line}".rstrip() for line in block.lines]
    else:
        lines = _lines(block)
    if not lines:
        return ""
    return "\n".join([block.heading, *lines] if block.heading else lines).replace(FIRM, " ")


def folded(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """A paragraph in lines of at most ``width``; they begin with ``first``, then ``rest``.

    A word that is too long for its line gets a smaller margin, because readers copy a seal or an
    address whole.
    """
    if _fits(text, width - len(first)):
        return [first + text]
    rest = " " * len(first) if rest is None else rest
    found = wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_on_hyphens=False,
        break_long_words=False,
    )
    lines: list[str] = []
    for line in found:
        lines += _within(line, rest if lines else first, width)
    return lines or [first.rstrip()]


def _fits(text: str, width: int) -> bool:
    """Whether a text is a line as it is; `wrap` would take twenty times as long to find out."""
    return len(text) <= width and text.isprintable() and text != "" and text == text.strip()


def _within(line: str, lead: str, width: int) -> list[str]:
    """A line that begins with ``lead``; a single word that is too long has less margin."""
    word = line.removeprefix(lead)
    if len(line) <= width:
        return [line]
    if len(word) > width:
        rest = " " * len(lead)
        return wrap(word, width, initial_indent=lead, subsequent_indent=rest)
    return [*([lead.rstrip()] if lead.strip() else []), f"{'':{width - len(word)}}{word}"]


def _lines(block: Lines) -> list[str]:
    """Without a heading, the paragraphs have no margin and an empty line between them."""
    indent = "  - " if block.loud else "  " if block.heading else ""
    lines: list[str] = []
    for text in block.lines:
        lines += [""] * (bool(lines) and not block.heading)
        lines += folded(text, indent)
    return lines


def _pairs(block: Pairs) -> list[str]:
    room = min(max((len(row.label) for row in block.rows), default=0), _LABEL)
    lines: list[str] = []
    for row in block.rows:
        lines += _row(row, room, block.joint)
    return lines


def _row(row: Row, room: int, joint: str) -> list[str]:
    indent = " " * (room + 4)
    label = f"  {row.label:<{room}}  "
    lines: list[str] = folded(row.label, "  ", indent) if row.apart else []
    first = indent if lines else label
    if joint.strip():
        text = joint.join(row.items)
        return lines + folded(text, first, indent)
    line = first
    for index, item in enumerate(row.items):
        plain = line.strip() in ("", row.label)
        fits = len(line) + (0 if plain else len(joint)) + len(item) <= WIDTH
        if index and (row.stacked or not fits):
            lines.append(line.rstrip())
            line, plain, fits = indent, True, len(indent) + len(item) <= WIDTH
        if fits:
            line += item if plain else joint + item
        else:
            *whole, line = folded(item, line, indent + "  ")
            lines += whole
    return [*lines, line.rstrip()]


def _grid(block: Grid) -> list[str]:
    if not block.rows:
        return []
    columns = [
        [column.head, *(row[at] for row in block.rows)] for at, column in enumerate(block.columns)
    ]
    widths = _widths(block.columns, columns)
    lines = []
    for cells in zip(*columns, strict=True):
        broken = [
            [cell] if _fits(cell, width) else wrap(cell, width)
            for cell, width in zip(cells, widths, strict=True)
        ]
        for parts in zip_longest(*broken, fillvalue="") if any(broken) else ((),):
            pieces = [
                f"{part:>{width}}" if column.right else f"{part:<{width}}"
                for part, width, column in zip(parts, widths, block.columns, strict=False)
            ]
            lines.append(" ".join(pieces).rstrip())
    if block.note:
        lines += folded(block.note)
    return lines


def _widths(columns: Sequence[Column], cells: Sequence[Sequence[str]]) -> list[int]:
    """Column widths that fit a line; the longest names are broken into several lines first.

    A word with a digit is never broken, because a part of it would be another number.
    """
    widths = [max(map(len, column)) for column in cells]
    if sum(widths) + len(widths) - 1 <= WIDTH:
        return widths
    least = [max(3, *map(_figure, column)) for column in cells]
    names = [at for at, column in enumerate(columns) if column.name]
    while sum(widths) + len(widths) - 1 > WIDTH:
        may = [at for at in names if widths[at] > least[at]]
        widest = max(may, key=lambda at: widths[at], default=None)
        if widest is None:
            break
        widths[widest] -= 1
    return widths


def _figure(cell: str) -> int:
    """The length of the longest word with a digit in a cell, 0 if there is none."""
    words = (word for word in cell.split() if any(sign.isdigit() for sign in word))
    return max(map(len, words), default=0)

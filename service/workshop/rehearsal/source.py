"""The lines of a scenario: the place of each, and the lines below it; it knows no command."""

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_COMMENT = re.compile(r"(?:^|\s+)#(?:\s.*)?$")


@dataclass(frozen=True)
class SourcePlace:
    """A line of a file; lines count from 1."""

    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class ScenarioError(ValueError):
    """A line that cannot be read or asks for something impossible; it says what would work."""

    def __init__(self, place: SourcePlace, text: str) -> None:
        super().__init__(f"{place}: {text}")
        self.place = place
        self.text = text


@dataclass(frozen=True)
class SourceLine:
    """One line as written, without its indentation."""

    place: SourcePlace
    indent: int
    raw: str

    @property
    def text(self) -> str:
        """The line without its comment, which begins with a "#" between blanks."""
        return _COMMENT.sub("", self.raw).strip()


@dataclass(frozen=True)
class Block:
    """A line, and the indented lines below it."""

    head: SourceLine
    body: tuple[SourceLine, ...] = ()

    @property
    def place(self) -> SourcePlace:
        """The place of its first line."""
        return self.head.place

    @property
    def text(self) -> str:
        """The text of its first line."""
        return self.head.text

    def mail(self) -> tuple[str, ...]:
        """The lines below as the text of an email, indented relative to the first."""
        margin = self.body[0].indent if self.body else 0
        return tuple(" " * (line.indent - margin) + line.raw for line in self.body)

    def words(self) -> tuple[str, ...]:
        """The lines below, without comments and empty lines."""
        return tuple(line.text for line in self.body if line.text)


def lines_of(text: str, file: Path) -> list[SourceLine]:
    """All lines of a file."""
    found = []
    for number, whole in enumerate(text.splitlines(), start=1):
        line = whole.expandtabs()
        bare = line.strip()
        found.append(SourceLine(SourcePlace(file, number), len(line) - len(line.lstrip()), bare))
    return found


def blocks_of(lines: Iterable[SourceLine]) -> list[Block]:
    """The unindented lines, each with the lines below it. Raises ScenarioError."""
    found: list[tuple[SourceLine, list[SourceLine]]] = []
    margin: int | None = None
    for line in lines:
        margin = line.indent if margin is None and line.text else margin
        if line.raw and margin is not None and line.indent < margin:
            raise ScenarioError(line.place, "it stands further out than the lines before it")
        if margin is None or (line.indent <= margin and line.raw and not line.text):
            continue  # nothing yet, or a comment between blocks
        if line.raw and line.indent <= margin:
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    return [Block(head, _trimmed(body)) for head, body in found]


def _trimmed(body: Sequence[SourceLine]) -> tuple[SourceLine, ...]:
    """The lines without empty ones at the end."""
    last = max((n for n, line in enumerate(body) if line.raw), default=-1)
    return tuple(body[: last + 1])


def nearest(word: str, known: Iterable[str]) -> str:
    """The word that was probably meant, as the end of a sentence, or ""."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""

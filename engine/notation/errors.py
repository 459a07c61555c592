"""Errors in written commands; knows no grammar."""

from typing import ClassVar, Self


class NotationError(ValueError):
    """Waybill could not understand a command; nothing has been done."""

    #: the words that introduce the suggestions
    lead: ClassVar[str] = "Did you mean"

    def __init__(
        self, line: str, column: int, text: str, suggestions: tuple[str, ...] = ()
    ) -> None:
        """``column`` counts characters of ``line`` from 0; ``suggestions`` may be meant."""
        super().__init__(line, column, text, suggestions)
        self.line = line
        self.column = column
        self.text = text
        self.suggestions = suggestions

    def __str__(self) -> str:
        """The line, a caret under the place, the fault, and what would work."""
        stop = "" if self.text.endswith(("?", ".")) else "."
        lines = [self.line, " " * self.column + "^", f"{self.text}{stop}"]
        if self.suggestions:
            lines.append(self._offer())
        return "\n".join(lines)

    def within(self, line: str, at: int) -> Self:
        """The same error for a longer line in which this line begins at ``at``."""
        return type(self)(line, self.column + at, self.text, self.suggestions)

    def _offer(self) -> str:
        return f"{self.lead}: {', '.join(self.suggestions)}?"


class Malformed(NotationError):
    """The words do not make a command."""


class Garbled(Malformed):
    """The words are no command in any position: there are too many, or an amount is no number."""


class Incomplete(Malformed):
    """Something is missing; the suggestions are whole commands."""

    lead = "As in"

    def _offer(self) -> str:
        return "\n".join([f"{self.lead}:", *(f"  {one}" for one in self.suggestions)])


class Missing(Incomplete):
    """The command lacks something that it needs in any position."""


class UnknownName(NotationError):
    """No company, hex, tile, train or player has that name."""


class Ambiguous(Incomplete):
    """The command has several meanings; the suggestions write each as a whole command."""

    lead = "Write one of"

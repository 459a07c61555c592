"""A stretch of a game as its players email it: the lines of one decision in one email.

`service.workshop.practice.script` reads scripts of games; this module divides them into emails.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import engine
from engine import Illegal, State, Title
from engine.notation import NotationError, parse, split
from service.workshop.practice import script as scripts
from service.workshop.practice.script import (
    MustRefuse,
    Script,
    ScriptClaim,
    ScriptError,
    ScriptTurn,
)
from service.workshop.rehearsal.source import Block, ScenarioError, SourcePlace

#: begins the name of a game that comes with the program
RECORDED = "recorded:"
#: keeps a turn open at the end of an email
_MORE = "more"


@dataclass(frozen=True)
class Sheet:
    """The text of one player's email, and the line of the script where it begins."""

    place: SourcePlace
    seat: str
    text: tuple[str, ...]
    refused: MustRefuse | None = None


@dataclass(frozen=True)
class StretchClaim:
    """A claim of the script."""

    place: SourcePlace
    text: str


def read_stretch(block: Block, source: SourcePlace, name: str, people: tuple[str, ...]) -> Script:
    """The script of a file, or of the lines below. Raises ScenarioError."""
    try:
        if name.startswith(RECORDED):
            return scripts.read(scripts.recorded(name.removeprefix(RECORDED).lower()))
        if name:
            return scripts.read(source.file.read_text(encoding="utf-8"))
        # The header of a script, which a stretch lacks, in as many lines as needed.
        lines = [line.raw for line in block.body]
        return scripts.read("\n".join(["title -", f"players {' '.join(people)}", *lines]))
    except ScriptError as wrong:
        line = wrong.number if name else source.line + wrong.number - 3
        raise ScenarioError(SourcePlace(source.file, line), wrong.text) from wrong
    except (OSError, UnicodeDecodeError, LookupError) as wrong:
        text = f"{name} cannot be read ({wrong.args[0] if wrong.args else wrong})"
        raise ScenarioError(block.place, text) from wrong


def sheets(
    script: Script, title: Title, state: State, until: str, source: SourcePlace, whole: bool
) -> Iterator[Sheet | StretchClaim]:
    """Emails and claims in order, from a position on, until a round begins.

    Raises ScenarioError for an illegal line.
    """
    first = source.line if whole else source.line - 2
    pages = _Pages(title, state, SourcePlace(source.file, first))
    for line in script.lines:
        if until and str(pages.state.round) == until:
            break
        if isinstance(line, ScriptClaim):
            yield from pages.flush()
            yield StretchClaim(pages.place(line.number), line.text)
        else:
            yield from pages.write(line)
    yield from pages.flush()


class _Pages:
    """Collects the lines of a decision."""

    def __init__(self, title: Title, state: State, first: SourcePlace) -> None:
        self._title = title
        self.state = state
        self._first = first
        self._open: Sheet | None = None
        self._asked = ""

    def place(self, number: int) -> SourcePlace:
        """The place of a line of the script."""
        return SourcePlace(self._first.file, self._first.line + number - 1)

    def _asks(self, seat: str) -> str:
        return f"{seat} {engine.decision(self.state)}"

    def flush(self) -> Iterator[Sheet]:
        """Finish the email; it keeps the turn open if the same decision goes on."""
        sheet, self._open = self._open, None
        if sheet is None:
            return
        stays = sheet.seat in engine.to_act(self._title, self.state)
        stays = stays and self._asks(sheet.seat) == self._asked
        # the script says itself whether the turn ends after the answer to an offer
        question = engine.question(self.state)
        offers = question is not None and question.proposer == sheet.seat
        more = (_MORE,) if stays or offers else ()
        yield Sheet(sheet.place, sheet.seat, (*sheet.text, *more))

    def write(self, turn: ScriptTurn) -> Iterator[Sheet]:
        """Add a player's line; return the email before it if this line begins another."""
        place = self.place(turn.number)
        if turn.refused:
            yield from self.flush()
            yield Sheet(place, turn.seat, (turn.text,), turn.refused)
            return
        asked = self._asks(turn.seat)
        if self._open is not None and asked == self._asked:
            self._open = Sheet(self._open.place, turn.seat, (*self._open.text, turn.text))
        else:
            yield from self.flush()
            self._open, self._asked = Sheet(place, turn.seat, (turn.text,)), asked
        try:
            for command in split(turn.text):
                action = parse(self._title, self.state, turn.seat, command)
                self.state = engine.apply(self._title, self.state, action).state
        except (NotationError, Illegal) as wrong:
            legal = "; ".join(scripts.legal(self._title, self.state))
            text = f"{turn.seat}: {turn.text}: {wrong}\nlegal: {legal}"
            raise ScenarioError(place, text) from wrong

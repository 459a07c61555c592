"""What reports are made of and what they make: positions, past acts, pages; sends nothing."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from msgspec import structs

from engine import Choice, Open, Option, Range, Seat, State, Title, options
from engine.board.hexes import Hex
from engine.position.table import Table
from engine.telling.narration import Sentence
from engine.telling.showing import view
from engine.telling.view import CompanyView, PlayerView, View
from service.audience import Audience, OnlyFor
from service.clocks.deadlines import Deadline
from service.reports.tables import Block, Row, blocks_text

DENSITY = 1.65
"""Pixels of a PNG for each of the page: many screens have two, but maps would grow too large."""

Status = Literal["ok", "no", "would", "asks", "answer", "unsent", "ignored", "waits"]


@dataclass(frozen=True, slots=True)
class Told:
    """A past act as it is told: the number of the position it led to, who acted, what happened.

    ``caretaker`` is whether it moved for the player, whose time was over.
    """

    number: int
    seat: Seat
    sentences: tuple[Sentence, ...]
    caretaker: bool = False

    def rows(self) -> Iterator[tuple[str, Sentence]]:
        """Each sentence with the label of the row that it belongs to: who did it.

        Where nobody did, it follows from the act; what the end of a round brings is nobody's.
        """
        label = CARETAKER.format(name=self.seat) if self.caretaker and self.seat else self.seat
        act = label
        for sentence in self.sentences:
            if sentence.round:
                act = ""
            doer = label if sentence.doer == self.seat else sentence.doer
            yield doer or act, sentence


CARETAKER = "{name} (caretaker)"


def in_rows(told: Iterable[tuple[str, Sentence]]) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences in rows by their labels, those of one label that follow each other together.

    Who did something is named where the row does not say it: not at its beginning, and not again
    right after another act of the same player.
    """
    rows: list[tuple[str, tuple[str, ...]]] = []
    last = ""
    for label, one in told:
        joins = bool(rows) and rows[-1][0] == label
        bare = one.doer and (not joins or last == one.doer)
        item = one.text if bare else str(one)
        rows[len(rows) - joins :] = [(label, (*(rows[-1][1] if joins else ()), item))]
        last = one.doer
    return rows


@dataclass(frozen=True, slots=True)
class Said:
    """Words of a player to all, at the position of that number.

    ``kept`` is the place that they have among all that was said, 0 of what is being said.
    """

    seat: Seat
    text: str
    number: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Since:
    """What was done and what was said since a reader was told the last time.

    ``note`` is what is to be told to one reader alone, ``blocks`` are parts of a page that only
    this reader sees. ``clock`` is until when the reader must answer, if there is such a time.
    """

    told: Sequence[Told] = ()
    said: Sequence[Said] = ()
    note: OnlyFor[str] | None = None
    blocks: OnlyFor[tuple[Block, ...]] | None = None
    clock: Deadline | None = None

    def parts(self, reader: Audience) -> tuple[Block, ...]:
        """The parts of a page that are for this reader alone."""
        return self.blocks.open(reader) if self.blocks else ()

    def own(self, reader: Audience) -> str:
        """What is told to this reader alone, "" if nothing."""
        return self.note.open(reader) if self.note else ""


@dataclass(frozen=True, slots=True)
class PageLook:
    """Whether a page has pictures, and on which hexes of its map tiles are new.

    ``only`` are the kinds of pictures that it has, "map" and "market"; None for all.
    """

    pictures: bool = True
    new_tiles: frozenset[Hex] = frozenset()
    only: frozenset[str] | None = None

    def of(self, figures: "Iterable[Figure]") -> "tuple[Figure, ...]":
        """Those of the figures that the page has."""
        if not self.pictures:
            return ()
        kinds = self.only
        return tuple(f for f in figures if kinds is None or f.cid.partition("-")[0] in kinds)


@dataclass(frozen=True, slots=True)
class About:
    """The game that a letter is about, as its head and foot show it.

    ``title`` gives the sources at the foot, ``named`` shows its name in the head, ``seat`` stands
    beside the game's name; ``templates`` is the operator's folder of own templates. ``mark`` says
    at which position: round, phase and number.
    """

    game: str = ""
    title: Title | None = None
    named: bool = False
    seat: Seat = ""
    mark: str = ""
    templates: Path | None = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page; the caller makes a PNG of ``pixels`` of it.

    The HTML shows it as ``cid:CID``, ``width`` of the page's pixels wide. ``alt`` says in words
    what is to be seen.
    """

    cid: str
    filename: str
    svg: str
    width: int
    alt: str

    @property
    def pixels(self) -> int:
        """The width of the PNG."""
        return round(self.width * DENSITY)


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file that goes with a page; ``kind`` is its MIME type."""

    filename: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """A mail before it is put together: both bodies say the same, the text without pictures.

    ``audience`` are those for whom it is written; nobody else may get it. ``files`` go along.
    """

    audience: Audience
    subject: str
    text: str
    html: str
    figures: tuple[Figure, ...] = ()
    files: tuple[Enclosed, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query."""

    blocks: tuple[Block, ...]
    figures: tuple[Figure, ...] = ()
    files: tuple[Enclosed, ...] = ()

    @property
    def text(self) -> str:
        """The answer as plain text of at most 78 columns."""
        return blocks_text(self.blocks)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one command of a mail.

    ``number`` is its line in the mail, ``text`` what was written there, ``canonical`` how it was
    understood, "" if it was not; ``would`` was legal, and was not done because another command of
    the mail was not; ``waits`` is to be tried when a question is answered; ``asks`` is done once
    its writer has said that they are sure. ``notes`` are lines of reasons or consequences; the
    first may be two lines, the command and a caret under what was not understood.
    """

    number: int
    text: str
    status: Status
    canonical: str = ""
    notes: tuple[str, ...] = ()
    answer: Answer | None = None

    @property
    def pointed(self) -> str:
        """The command with the caret below it, or ""."""
        return self.notes[0] if self.notes and self.notes[0].endswith("^") else ""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The notes without the caret."""
        return self.notes[1:] if self.pointed else self.notes


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of a mail: of each of its commands, and whether all went well.

    ``hint`` is a line on how to go on, ``then`` what was given ahead and followed. ``go`` does what
    can be done of a mail that was not, ``held`` is whether it was not because its writer said so,
    ``later`` whether it waits for the time when the game's mails are handled.
    """

    results: Sequence[Result]
    done: bool
    hint: str = ""
    then: Sequence[Told] = ()
    go: str = ""
    held: bool = False
    later: bool = False


@dataclass(frozen=True, slots=True)
class ExampleReply:
    """Commands that can be sent as they stand, and sentences that say why some are proposed."""

    commands: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scene:
    """A position of a game with the game's name.

    ``began`` says when the game was begun and ``link`` where more of it can be read, both as they
    are to be printed; ``templates`` is the operator's folder of own templates, ``offer`` the number
    of the proposal that waits for an answer, 0 where it has none. In a game that was ``given_up``
    nobody decides anything.
    """

    game: str
    title: Title
    state: State
    began: str = ""
    link: str = ""
    templates: Path | None = None
    offer: int = 0
    given_up: bool = False

    @cached_property
    def view(self) -> View:
        """The position as plain data."""
        shown = view(self.title, self.state)
        return structs.replace(shown, to_act=()) if self.given_up else shown

    @cached_property
    def table(self) -> Table:
        """The position for questions."""
        return Table(self.title, self.state)

    def money(self, amount: int) -> str:
        """An amount of money as players read it."""
        return self.title.money(amount)

    @cached_property
    def companies(self) -> Mapping[str, CompanyView]:
        """The companies by id."""
        return {company.id: company for company in self.view.companies}

    @cached_property
    def players(self) -> Mapping[Seat, PlayerView]:
        """The players by seat."""
        return {player.seat: player for player in self.view.players}

    @cached_property
    def _options(self) -> dict[Seat, tuple[Option, ...]]:
        return {}

    def options(self, seat: Seat) -> tuple[Option, ...]:
        """What the player may do now, found once."""
        if seat not in self._options:
            self._options[seat] = options(self.title, self.state, seat)
        return self._options[seat]

    @cached_property
    def _replies(self) -> dict[Seat, ExampleReply]:
        return {}

    def reply(self, seat: Seat, find: Callable[[], ExampleReply]) -> ExampleReply:
        """The reply that is proposed to a player, found once."""
        if seat not in self._replies:
            self._replies[seat] = find()
        return self._replies[seat]

    @cached_property
    def _drawn(self) -> dict[frozenset[Hex], tuple[Figure, ...]]:
        return {}

    def figures(
        self, new: frozenset[Hex], draw: Callable[[], tuple[Figure, ...]]
    ) -> tuple[Figure, ...]:
        """Its pictures with these hexes marked as new: drawn once, however many are to see them."""
        if new not in self._drawn:
            self._drawn[new] = draw()
        return self._drawn[new]

    def later(self, state: State) -> "Scene":
        """The same game in another position."""
        return Scene(
            self.game, self.title, state, self.began, self.link, self.templates,
            given_up=self.given_up,
        )  # fmt: skip


class Sorted:
    """Options by the kind of their action."""

    def __init__(self, options: Sequence[Option]) -> None:
        self.open = [option for option in options if isinstance(option, Open)]
        self._listed = [option for option in options if isinstance(option, Choice | Range)]

    def of(self, *kinds: type) -> list[Choice | Range]:
        """Options whose action is of one of the kinds."""
        return [option for option in self._listed if isinstance(option.action, kinds)]


@dataclass(frozen=True)
class Listed:
    """Rows of what is legal, and the kinds of actions that they list."""

    kinds: tuple[type[Any], ...]
    #: (scene, player, their options) → rows
    rows: Callable[[Scene, Seat, Sorted], list[Row]]

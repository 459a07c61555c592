"""The inputs and results of reports: positions, past actions, pages. Sends nothing."""

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
"""Pixels of a PNG per pixel of the page. Many screens have two; maps would grow too large."""

ResultStatus = Literal["ok", "no", "would", "asks", "answer", "unsent", "ignored", "waits"]


@dataclass(frozen=True, slots=True)
class Narrated:
    """A past action in words: the number of its position, the player, and what happened.

    ``caretaker`` says whether the caretaker moved, because the player's time was over.
    """

    number: int
    seat: Seat
    sentences: tuple[Sentence, ...]
    caretaker: bool = False

    def rows(self) -> Iterator[tuple[str, Sentence]]:
        """Each sentence with the label of its row: the player who acted.

        A consequence of their action has the same label. No label has what the game does by itself,
        with all that follows, and what follows from the action of another player.
        """
        own = CARETAKER.format(name=self.seat) if self.caretaker and self.seat else self.seat
        act, goes_on = own, False
        for sentence in self.sentences:
            doer = own if sentence.doer == self.seat else sentence.doer
            goes_on = goes_on or sentence.of_game
            if goes_on or doer:
                act = own if doer == own and not goes_on else ""
            yield doer or act, sentence


CARETAKER = "{name} (caretaker)"


def in_rows(told: Iterable[tuple[str, Sentence]]) -> list[tuple[str, tuple[str, ...]]]:
    """Sentences in rows by their labels; neighbors with the same label share a row.

    A sentence names its player only if the row does not: not at the row's beginning, and not right
    after another action of the same player.
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
    """A player's message to all, at the position with that number.

    ``kept`` is its place among all messages, 0 for a message that is not stored yet.
    """

    seat: Seat
    text: str
    number: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Since:
    """The actions and messages since a reader's last email.

    ``note`` and ``blocks`` are a text and parts of a page for this reader only. ``clock`` says by
    when the reader must answer, if there is a deadline.
    """

    narrated: Sequence[Narrated] = ()
    said: Sequence[Said] = ()
    note: OnlyFor[str] | None = None
    blocks: OnlyFor[tuple[Block, ...]] | None = None
    clock: Deadline | None = None

    def parts(self, reader: Audience) -> tuple[Block, ...]:
        """The parts of a page for this reader only."""
        return self.blocks.open(reader) if self.blocks else ()

    def own(self, reader: Audience) -> str:
        """The note for this reader only, "" if there is none."""
        return self.note.open(reader) if self.note else ""


@dataclass(frozen=True, slots=True)
class PageLook:
    """Whether a page has pictures, and the hexes with new tiles on its map.

    ``only`` are the kinds of pictures that it has, "map", "market" and "tiles"; None for all.
    """

    pictures: bool = True
    new_tiles: frozenset[Hex] = frozenset()
    only: frozenset[str] | None = None

    def of(self, figures: "Iterable[Figure]") -> "tuple[Figure, ...]":
        """The figures that the page has."""
        if not self.pictures:
            return ()
        kinds = self.only
        return tuple(f for f in figures if kinds is None or f.cid.partition("-")[0] in kinds)


@dataclass(frozen=True, slots=True)
class About:
    """The game of a letter, for its head and foot.

    ``title`` gives the sources at the foot; ``named`` shows its name in the head. ``seat`` is shown
    beside the game's name. ``templates`` is the operator's own template folder. ``mark`` gives the
    position: round, phase and number.
    """

    game: str = ""
    title: Title | None = None
    named: bool = False
    seat: Seat = ""
    mark: str = ""
    templates: Path | None = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a page; the caller makes a PNG of ``pixels`` from it.

    The HTML shows it as ``cid:CID``, ``width`` of the page's pixels wide. ``alt`` describes it in
    words.
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
    """A file attached to a page; ``kind`` is its MIME type."""

    filename: str
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Page:
    """An email before its parts are joined; text and HTML have the same content.

    Only the text lacks pictures. ``audience`` are its readers; nobody else may get it. ``files``
    are attachments.
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
    """The result of one command of an email.

    ``number`` is its line in the email, ``text`` the written text. ``canonical`` is how Waybill
    understood it, "" if it did not. ``would`` was legal, but another command of the email was not,
    so nothing was done. ``waits`` is tried when a question is answered. ``asks`` is done after its
    writer confirms it. ``notes`` are lines of reasons or consequences. The first note may be two
    lines: the command, and a caret below the part that was not understood. ``private`` are notes
    that a list or forum does not show.
    """

    number: int
    text: str
    status: ResultStatus
    canonical: str = ""
    notes: tuple[str, ...] = ()
    answer: Answer | None = None
    private: tuple[str, ...] = ()

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
    """The results of an email: of each command, and whether all succeeded.

    ``hint`` is a line on how to continue, ``then`` are waiting commands that followed. ``go`` does
    the possible part of an email that was not done. ``saved`` says that its writer put it on hold,
    ``later`` that it waits until the game's emails are handled. ``goes_on`` says that its moves
    left the writer's turn open, so that no turn email follows.
    """

    results: Sequence[Result]
    done: bool
    hint: str = ""
    then: Sequence[Narrated] = ()
    go: str = ""
    saved: bool = False
    later: bool = False
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class ExampleReply:
    """Commands that can be sent as they are, and sentences that give reasons for some."""

    commands: tuple[str, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Scene:
    """A position of a game with the game's name.

    ``began`` is when the game began and ``link`` is where to read more, both ready to print.
    ``templates`` is the operator's own template folder. ``offer`` is the number of the open offer,
    0 if there is none. In a game that was ``given_up`` nobody decides anything.
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
        """The position for queries of the engine."""
        return Table(self.title, self.state)

    def money(self, amount: int) -> str:
        """An amount of money in the form for players."""
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
        """The player's legal moves, computed once."""
        if seat not in self._options:
            self._options[seat] = options(self.title, self.state, seat)
        return self._options[seat]

    @cached_property
    def _replies(self) -> dict[tuple[Seat, tuple[str, ...]], ExampleReply]:
        return {}

    def reply(
        self, seat: Seat, wanted: tuple[str, ...], find: Callable[[], ExampleReply]
    ) -> ExampleReply:
        """A reply proposed to a player, of the ``wanted`` commands if there are any.

        It is computed once: an email has it as an example and as a button.
        """
        if (seat, wanted) not in self._replies:
            self._replies[seat, wanted] = find()
        return self._replies[seat, wanted]

    @cached_property
    def _drawn(self) -> dict[frozenset[Hex], tuple[Figure, ...]]:
        return {}

    def figures(
        self, new: frozenset[Hex], draw: Callable[[], tuple[Figure, ...]]
    ) -> tuple[Figure, ...]:
        """The pictures with these hexes marked as new, drawn once for all readers."""
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
    """Rows of legal moves, and the kinds of actions in them."""

    kinds: tuple[type[Any], ...]
    #: (scene, player, their options) → rows
    rows: Callable[[Scene, Seat, Sorted], list[Row]]
    #: whether a company's whole turn shows them, because they follow later in it
    ahead: bool = False

"""A game at one terminal: everybody types commands in turn, nothing is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import engine
from engine import Action, Illegal, State, Title
from engine.notation import NotationError, alternatives, parse, write
from engine.telling.narration import narrate_all
from service.desk.queries import Queries, Sources
from service.games.commands import Command, read_commands
from service.games.games import Log, Past
from service.mail.replies import Line as Typed
from service.practice.script import header
from service.reports import Scene

HELP = """Type commands as in a mail: `buy TR`, `bid NDY 125`, `par L&N 90`, `lay 57 C4`, `pay`.
`options` shows what is legal now; `status`, `history`, `tiles C4`, `routes L&N`, `help lay`
tell more.
`undo` takes the last action back, `write` prints the game as a script, `quit` ends."""


@dataclass
class Line:
    """The actions so far, and the position after each."""

    states: list[State]
    actions: list[Action] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]


@dataclass
class HotSeat:
    """One game between people who share a terminal."""

    title: Title
    seats: Sequence[str]
    seed: int | None = None
    line: Line = field(init=False)

    def __post_init__(self) -> None:
        opening = engine.new_game(self.title, self.seats, self.seed)
        self.line = Line([opening.state], past=[Past(0, "", opening.events)])

    @property
    def actor(self) -> str:
        """The first who must decide, "" when the game is over."""
        return next(iter(engine.to_act(self.title, self.line.state)), "")

    @property
    def scene(self) -> Scene:
        """The present position for reports."""
        return Scene("hot seat", self.title, self.line.state)

    def enter(self, text: str) -> Iterator[str]:
        """Lines that answer what was typed; a name and a colon before it say who speaks."""
        who, colon, rest = text.partition(":")
        named = [s for s in self.line.state.seats if s.casefold() == who.strip().casefold()]
        seat = named[0] if colon and named else ""
        for command in read_commands([Typed(1, rest if seat else text)]):
            yield from self._one(seat or self.actor, command)

    def _one(self, seat: str, command: Command) -> Iterator[str]:
        if command.word == "undo":
            yield self._undo()
        elif command.text == "write":
            yield self.script()
        elif command.text == "help":
            yield HELP
        elif command.word in ("say", "images", "news", "more", "resend", "games"):
            yield f"`{command.word}` is for games by mail."
        elif command.word != "play":
            found = Queries(self.scene, seat, Sources(Log(self.line.past))).answer(command)
            yield found.answer.text if found.answer else "\n".join(found.notes)
        else:
            yield from self._play(seat, command.rest)

    def _play(self, seat: str, command: str) -> Iterator[str]:
        answer = ""
        for text in alternatives(command):
            try:
                yield from self._act(seat, text)
                return
            except (NotationError, Illegal) as error:
                answer = str(error)
        yield answer

    def _act(self, seat: str, text: str) -> Iterator[str]:
        action = parse(self.title, self.line.state, seat, text)
        canonical = write(self.title, self.line.state, action)
        outcome = engine.apply(self.title, self.line.state, action)
        self.line.states.append(outcome.state)
        self.line.actions.append(action)
        self.line.texts.append(f"{seat}: {canonical}")
        self.line.past.append(Past(outcome.state.number, seat, outcome.events))
        for sentence in narrate_all(self.title, outcome.events):
            yield f"  {sentence}"

    def _undo(self) -> str:
        if not self.line.actions:
            return "There is nothing to take back."
        self.line.states.pop()
        self.line.actions.pop()
        self.line.past.pop()
        return f"Taken back: {self.line.texts.pop()}"

    def script(self) -> str:
        """The game so far as a script, the form in which games are recorded."""
        return "\n".join([*header(self.title, self.seats, self.seed), "", *self.line.texts])

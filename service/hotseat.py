"""A game at one terminal: everybody types commands in turn, nothing is stored."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import engine
from engine import Action, Illegal, State, Title
from engine.narrate import narrate_all
from engine.notation import NotationError, alternatives, parse, split, write
from service.reports import Scene, answers

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
        self.line = Line([opening.state])

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
        seat = who.strip() if colon and who.strip() in self.line.state.seats else ""
        for command in split(rest if seat else text):
            yield from self._one(seat or self.actor, command)

    def _one(self, seat: str, command: str) -> Iterator[str]:
        word, _, rest = command.partition(" ")
        known = self._words().get(word.lower())
        if known is not None:
            try:
                yield known(rest.strip())
            except LookupError as error:
                yield str(error.args[0])
            return
        for text in alternatives(command):
            try:
                yield from self._act(seat, text)
                return
            except (NotationError, Illegal) as error:
                answer = str(error)
        yield answer

    def _words(self) -> dict[str, Callable[[str], str]]:
        scene = self.scene
        return {
            "help": lambda rest: answers.help_(scene.title, rest).text if rest else HELP,
            "options": lambda rest: answers.options(scene, self.actor).text,
            "status": lambda rest: answers.status(scene, rest).text,
            "tiles": lambda rest: answers.tiles(scene, rest).text,
            "routes": lambda rest: answers.routes(scene, rest).text,
            "trains": lambda rest: answers.trains(scene).text,
            "history": lambda rest: "\n".join(self.line.texts[-30:]),
            "undo": lambda rest: self._undo(),
            "write": lambda rest: self.script(),
        }

    def _act(self, seat: str, text: str) -> Iterator[str]:
        action = parse(self.title, self.line.state, seat, text)
        canonical = write(self.title, self.line.state, action)
        outcome = engine.apply(self.title, self.line.state, action)
        self.line.states.append(outcome.state)
        self.line.actions.append(action)
        self.line.texts.append(f"{seat}: {canonical}")
        for sentence in narrate_all(self.title, outcome.events):
            yield f"  {sentence}"

    def _undo(self) -> str:
        if not self.line.actions:
            return "There is nothing to take back."
        self.line.states.pop()
        self.line.actions.pop()
        return f"Taken back: {self.line.texts.pop()}"

    def script(self) -> str:
        """The game so far as a script that `waybill play` reads again."""
        head = [f"title {self.title.name}"]
        if self.title.variants:
            head.append(f"variants {' '.join(sorted(self.title.variants))}")
        head.append(f"players {' '.join(self.line.states[0].seats)}")
        return "\n".join([*head, "", *self.line.texts])

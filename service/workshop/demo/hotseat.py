"""A game at one terminal: the players type commands in turn; nothing is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import engine
from engine import Action, Correction, Illegal, State, Title
from engine.notation import NotationError, alternatives, parse, write
from engine.telling.narration import narrate_all
from service.commands.command import Command
from service.commands.entry import Vocabulary, When, Who
from service.commands.lines import fits
from service.commands.order_lines import recognising
from service.commands.reading import PLAY, Scope, read
from service.desk.answering.effects import Effect, effect_of, singly
from service.desk.channels.terminal import TerminalChannel
from service.desk.questions.queries import Queries
from service.desk.questions.sources import Sources
from service.desk.turns.turn import at_the_table
from service.desk.vocabulary.table import VOCABULARY
from service.games.changes import MOST_AHEAD
from service.games.games import GameLog, Past
from service.games.orders import Book, GivenOrder, OrderStatus
from service.games.playing import Played
from service.mail.replies import Line as Typed
from service.refusal import Refused
from service.reports import Result, Scene
from service.workshop.demo import hotorders
from service.workshop.practice.script import header


@dataclass
class TypedGame:
    """The actions so far, and the position after each."""

    states: list[State]
    actions: list[Action] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    past: list[Past] = field(default_factory=list)
    #: the advance orders at each position
    orders: list[tuple[GivenOrder, ...]] = field(default_factory=lambda: [()])

    def add(self, act: Played, text: str) -> None:
        """Add an action; the orders stay the same."""
        # nobody votes or directs at a terminal
        assert act.action is not None
        assert not isinstance(act.action, Correction)
        self.states.append(act.state)
        self.actions.append(act.action)
        self.texts.append(f"{act.seat}: {text}")
        self.past.append(Past(act.state.number, act.seat, act.events, text))
        self.orders.append(self.orders[-1])

    @property
    def state(self) -> State:
        """The present position."""
        return self.states[-1]


@dataclass
class HotSeat:
    """A game of people who share a terminal."""

    title: Title
    seats: Sequence[str]
    seed: int | None = None
    line: TypedGame = field(init=False)
    #: who speaks, and whether the same line has acted before
    speaker: str = ""
    acted: bool = False
    #: whether a player has ended the program
    left: bool = False

    def __post_init__(self) -> None:
        opening = engine.new_game(self.title, self.seats, self.seed)
        self.line = TypedGame([opening.state], past=[Past(0, "", opening.events)])

    @property
    def actor(self) -> str:
        """The first player who must decide; "" after the end of the game."""
        return next(iter(engine.to_act(self.title, self.line.state)), "")

    @property
    def scene(self) -> Scene:
        """The present position, for reports."""
        return Scene("hot seat", self.title, self.line.state)

    def enter(self, text: str) -> Iterator[str]:
        """The answer to a typed line; a name and a colon before it say who speaks."""
        who, colon, rest = text.partition(":")
        named = [s for s in self.line.state.seats if s.casefold() == who.strip().casefold()]
        seat = named[0] if colon and named else ""
        self.speaker, line = seat or self.actor, rest if seat else text
        self.acted = False
        for command in read([Typed(1, line)], self._scope(self.speaker)):
            if self.left:
                return
            count = len(self.line.actions)
            # people do not greet a terminal, so words are a mistyped move
            move = replace(command, word=PLAY, rest=command.text, entry=_MOVE)
            effect = effect_of(self, [command if command.word else move])
            yield from self.terminal.printed(effect.results)
            self.acted = self.acted or len(self.line.actions) > count

    @property
    def terminal(self) -> TerminalChannel:
        """The terminal of its players."""
        when = When.RUNNING if self.line.state.stack else When.OVER
        return TerminalChannel(_TYPED, Who.PLAYER, when, self.title)

    def _scope(self, seat: str) -> Scope:
        """What a line may be when a seat speaks."""
        title, state = self.title, self.line.state
        return replace(
            self.terminal.scope,
            ahead=recognising(title, state, seat),
            fits=lambda text: fits(text, title, state, seat),
        )

    def after(self, effect: Effect) -> "HotSeat":
        """The same game: commands change it at once."""
        return self

    def typed(self, command: Command) -> Effect:
        """Carry out a move or a command about orders, or answer a question. Raises Refused."""
        if command.barred:
            raise Refused(command.barred)
        seat = self.speaker
        if command.word == PLAY:
            told = self._play(seat, command.rest)
        elif command.word == "order":
            told = self._give(seat, command)
        elif command.word in ("clear", "resume"):
            told = self._turn(seat, command)
        else:
            book = Book(self.line.orders[-1], tuple(self.line.past))
            sources = Sources(log=GameLog(self.line.past), book=book, help=self.terminal.help)
            return Effect((Queries(self.scene, seat, sources).answer(command),))
        return Effect((Result(command.number, command.shown, "ok", notes=tuple(told)),))

    def _play(self, seat: str, command: str) -> Iterator[str]:
        answer, before = "", engine.decision(self.line.state)
        for text in alternatives(command):
            try:
                yield from self._act(seat, text)
                if engine.decision(self.line.state) != before:
                    yield from self._settle()
                return
            except (NotationError, Illegal) as error:
                answer = str(error)
        yield answer

    def _act(self, seat: str, text: str) -> Iterator[str]:
        state = self.line.state
        action = parse(self.title, state, seat, text)
        canonical = write(self.title, state, action)
        outcome = engine.apply(self.title, state, action)
        number = outcome.state.number
        act = Played(number, 1, seat, canonical, action, outcome.state, outcome.events)
        yield from self._add(act)
        self.line.orders[-1] = hotorders.by_hand(self.title, state, seat, self.line.orders[-1])

    def _add(self, act: Played) -> Iterator[str]:
        self.line.add(act, act.text)
        for sentence in narrate_all(self.title, act.events):
            yield f"  {sentence}"

    # advance orders

    def _give(self, seat: str, command: Command) -> Iterator[str]:
        """Take an order; in its player's own turn it is tried at once, as by email.

        The commands before it in the same line were the whole turn.
        """
        may_pass = not engine.why_not_pass(self.title, self.line.state, seat)
        if self.acted and self._in_turn(seat) and may_pass:
            yield from self._act(seat, "done")
        state, known = self.line.state, self.line.orders[-1]
        taken, answer = hotorders.give(self.title, state, seat, command.rest, known)
        yield answer
        if taken is not None:
            self.line.orders = [(*orders, taken) for orders in self.line.orders]
            if not self._in_turn(seat):
                yield from self._settle()

    def _in_turn(self, seat: str) -> bool:
        """Whether a seat has acted in a turn that is still open."""
        *_, before, now = (None, *self.line.states)
        same = before is not None and engine.decision(before) == engine.decision(now)
        return same and self.line.past[-1].seat == seat

    def _turn(self, seat: str, command: Command) -> Iterator[str]:
        """``clear 3``, ``resume all``."""
        ids, answer = hotorders.turned(seat, command, self.line.orders[-1])
        status: OrderStatus = "cleared" if command.word == "clear" else "open"
        every = self.line.orders
        self.line.orders = [hotorders.standing_so(orders, ids, status) for orders in every]
        yield answer
        if ids and status == "open":
            yield from self._settle()

    def _settle(self) -> Iterator[str]:
        """Carry out all that orders decide now, in order."""
        for _ in range(MOST_AHEAD):
            line = self.line
            found = hotorders.decided(self.title, line.state, line.orders[-1], line.past)
            if found is None:
                return
            for act in found.played:
                yield from self._add(act)
                self.line.orders[-1] = found.midst
            self.line.orders[-1] = found.orders
            yield from found.told

    # commands that only a terminal has

    def take_back(self) -> str:
        """Take back the last action and return it as written; "" if there is none."""
        if not self.line.actions:
            return ""
        self.line.states.pop()
        self.line.actions.pop()
        self.line.past.pop()
        self.line.orders.pop()
        return self.line.texts.pop()

    def leave(self) -> None:
        """End the game."""
        self.left = True

    def script(self) -> str:
        """The game so far as a script."""
        return "\n".join([*header(self.title, self.seats, self.seed), "", *self.line.texts])


_TYPED = Vocabulary(
    [
        replace(
            topic,
            entries=[
                replace(entry, do=singly(HotSeat.typed)) if entry.do is at_the_table else entry
                for entry in topic.entries
            ],
        )
        for topic in VOCABULARY.topics
    ]
)
"""The table of commands; what emails do at the table of a stored game is done here at once."""
_MOVE = next(entry for entry in _TYPED.entries if entry.name == PLAY)

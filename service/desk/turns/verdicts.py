"""What became of each command of a player's mail, as its receipt will say."""

from collections.abc import Sequence
from dataclasses import replace

import engine
from engine import Seat, State, Title
from engine.actions import Par
from engine.position.table import Table
from service.commands.command import Command
from service.desk.ahead import ahead_words
from service.desk.ahead.in_advance import in_advance
from service.desk.turns import costs, seat_words
from service.games import ahead
from service.games.changes import Change
from service.games.commit import Jot
from service.games.playing import Attempt, PlayOutcome
from service.rations import Ration
from service.reports import Result, Status
from service.store import SeatRow

#: what is said to single players, by their names
Whispers = dict[Seat, str]


UNDO_ALONE = "`undo` stands alone: send what you want to do instead in your next email."
TAKEN_BACK = "taken back: {command}"
WAITS_NO_MORE = "no longer waits: {commands}"
SENT_TO_NOBODY = "It was not sent to anybody. Put `say:` before it to speak to all."


FOUNDED = "You own {percent}% of {company}."
FOUNDED_FOR = "You own {percent}% of {company}. This {cost}."


class Verdicts:
    """The results of a mail's commands, gathered one kind after the other."""

    def __init__(self, title: Title, commands: Sequence[Command]) -> None:
        self.commands = commands
        self.plan = [command for command in commands if command.word == "play"]
        self._title = title
        self._results: dict[int, Result] = {}

    def has(self, word: str) -> bool:
        """Whether the mail has such a command."""
        return any(command.word == word for command in self.commands)

    @property
    def results(self) -> list[Result]:
        """The results so far, in the order of the mail."""
        return [self._results[i] for i in sorted(self._results)]

    @property
    def open(self) -> list[tuple[int, Command]]:
        """Commands without a result: the questions."""
        return [(i, c) for i, c in enumerate(self.commands) if i not in self._results]

    def answer(self, place: int, result: Result) -> None:
        """The result of one command by its place in the mail."""
        self._results[place] = result

    def did(self, *words: str) -> bool:
        """Whether one of these words was carried out."""
        return any(
            command.word in words and self._results[i].status == "ok"
            for i, command in enumerate(self.commands)
        )

    def waiting(self, word: str) -> None:
        """The commands of that word wait for their time."""
        for index, command in enumerate(self.commands):
            if command.word == word:
                self._results[index] = Result(command.number, command.shown, "waits")

    # commands of the game

    def undo(self, change: Change, why: tuple[str, ...]) -> None:
        """What became of `undo`; with commands beside it neither is done."""
        taken = change.back
        if self.plan:
            why = (UNDO_ALONE,)
        for index, command in enumerate(self.commands):
            if command.word == "play":
                self._results[index] = Result(command.number, command.shown, "unsent")
            elif command.word == "undo" and why:
                self._results[index] = Result(command.number, command.shown, "no", notes=why)
            elif command.word == "undo" and taken:
                texts = tuple(TAKEN_BACK.format(command=text) for text in taken.texts)
                waited = (went.ahead.shown for went in change.went)
                texts += tuple(WAITS_NO_MORE.format(commands=shown) for shown in waited)
                self._results[index] = Result(command.number, "undo", "ok", "undo", texts)

    def none_for(self, word: str, why: tuple[str, ...]) -> None:
        """Nothing of the turn is done, because of a word; it says why."""
        for index, command in enumerate(self.commands):
            if command.word == word:
                self._results[index] = Result(command.number, command.shown, "no", notes=why)
            elif command.word in ("play", "go", "hold"):
                self._results[index] = Result(command.number, command.shown, "unsent")

    def refuse(self, *why: str) -> None:
        """The first command of the game says why none was done."""
        for index, command in enumerate(self.commands):
            if command.word == "play":
                first = command is self.plan[0]
                self._results[index] = Result(
                    command.number,
                    command.shown,
                    "no" if first else "unsent",
                    notes=why if first else (),
                )

    def stopped(self, why: str) -> None:
        """Nothing of the turn is done, nor is anything taken back: the first of it says why."""
        for index, command in enumerate(self.commands):
            if command.word in ("play", "undo", "go", "hold"):
                notes, why = (why,) if why else (), ""
                status: Status = "no" if notes else "unsent"
                self._results[index] = Result(command.number, command.shown, status, notes=notes)

    def played(self, outcome: PlayOutcome, before: State, seat: Seat, *, own: bool = True) -> None:
        """What became of the commands of the game; ``before`` is the position they began in.

        ``own`` tells that the seat's player wrote them, who may give them in advance.
        """
        rest = zip(outcome.steps, costs.told(before, outcome.steps, seat), strict=True)
        early = own and any(step.fault and step.fault.code == "turn" for step in outcome.steps)
        texts = [step.command.rest for step in outcome.steps] if early else []
        hint = in_advance(self._title, before, seat, texts)
        for index, command in enumerate(self.commands):
            if command.word == "play":
                found = self._played(*next(rest), outcome.done)
                if hint and found.status == "no":
                    found = replace(found, notes=(*found.notes, hint))
                self._results[index] = found

    def _played(self, step: Attempt, cost: str, done: bool) -> Result:
        """What became of a command; one that would have been legal is not told as if it were done.

        That is so where another command of the mail is at fault.
        """
        command, fault = step.command, step.fault
        if fault is not None:
            notes = [n for n in (fault.caret, fault.text, *fault.hint.split("\n")) if n]
            if fault.caret and len(command.text.split()) > 3:
                notes.append(SENT_TO_NOBODY)
            return Result(command.number, command.shown, "no", notes=tuple(notes))
        if step.waits and done:
            return Result(command.number, command.shown, "waits")
        if step.played is None and not step.settled:
            return Result(command.number, command.shown, "unsent")
        if not done:
            text = step.played.text if step.played else ""
            return Result(command.number, command.shown, "would", text, (cost,) if cost else ())
        acts = (step.played, *step.added) if step.played else step.added
        told = [*filter(None, [step.settled]), *(s for p in acts for s in p.told(self._title))]
        if step.played and isinstance(step.played.action, Par):
            told.append(self._founded(step.played.action, step.played.state, cost))
        text = step.played.text if step.played else ""
        return Result(command.number, command.shown, "ok", text, tuple(told))

    def _founded(self, par: Par, state: State, cost: str) -> str:
        """What the start of a company brought its founder, and what it cost."""
        percent = Table(self._title, state).percent(par.company, par.by)
        told = FOUNDED_FOR if cost else FOUNDED
        return told.format(percent=percent, company=par.company, cost=cost)

    # words

    def said(self, most: int, ration: Ration) -> list[str]:
        """What goes to all: the whole of it, or nothing where it is too much."""
        words = [c.rest for c in self.commands if c.word == "say" and c.rest]
        return [] if seat_words.too_much(self._talk, most, ration) else words

    @property
    def _talk(self) -> list[str]:
        """All that the mail says to others."""
        return [c.rest for c in self.commands if c.word in ("say", "tell")]

    def told(self, players: Sequence[Seat], seat: Seat, most: int, ration: Ration) -> Whispers:
        """What goes to single players, by their names."""
        limit = seat_words.too_much(self._talk, most, ration)
        found: dict[Seat, str] = {}
        for index, command in enumerate(self.commands):
            if command.word == "tell":
                to, self._results[index] = seat_words.tell(command, players, seat, limit)
                for name, text in to.items():
                    found[name] = " ".join(filter(None, (found.get(name), text)))
        return found

    def jots(self, seat: Seat) -> tuple[Jot, ...]:
        """What the player wants kept."""
        found: list[Jot] = []
        for index, command in enumerate(self.commands):
            if command.word in ("note", "diary"):
                jot, self._results[index] = seat_words.jot(command, seat)
                found += [jot] if jot else []
        return tuple(found)

    def words(self, seat: SeatRow, change: Change, most: int, ration: Ration) -> None:
        """Talk to all, what is dropped, and what else changes no position."""
        to_act = () if change.over else engine.to_act(self._title, change.state)
        limit = seat_words.too_much(self._talk, most, ration)
        for index, command in enumerate(self.commands):
            if command.word == "say":
                self._results[index] = seat_words.say(command, limit)
            elif command.word == "batch":
                times, over = change.table.settings.batch, change.table.row.status != "running"
                self._results[index] = seat_words.batch(command, times, over)
            elif command.word == "resend":
                self._results[index] = seat_words.resend(command, to_act, seat.name)
            elif command.word == "clear" and not command.rest:
                before = ahead.of(change.table.ahead, seat.name)
                self._results[index] = ahead_words.clear(command, before)
            elif command.word == "hold":
                refused = any(r.status == "no" for r in self._results.values())
                said = seat_words.hold(command, bool(self.plan), refused)
                self._results.setdefault(index, said)
            elif command.word == "more":
                acts = seat.name in to_act or bool(ahead.waits_for(seat.name, change.state))
                self._results[index] = seat_words.more(command, bool(self.plan), acts)

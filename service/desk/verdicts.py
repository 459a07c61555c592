"""What became of each command of a player's mail, as its receipt will say."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

import engine
from engine import Title
from service.desk import ahead_words, seat_words
from service.games import ahead
from service.games.changes import Change
from service.games.commands import Command
from service.games.games import seat_settings
from service.games.playing import Attempt, PlayOutcome
from service.reports import Result
from service.store import SeatRow
from service.store.rations import Ration


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

    # commands of the game

    def undo(self, change: Change, why: tuple[str, ...]) -> None:
        """What became of `undo`; with commands beside it neither is done."""
        taken = change.back
        if self.plan:
            why = ("`undo` stands alone: send what you want to do instead in your next mail.",)
        for index, command in enumerate(self.commands):
            if command.word == "play":
                self._results[index] = Result(command.number, command.shown, "unsent")
            elif command.word == "undo" and why:
                self._results[index] = Result(command.number, command.shown, "no", notes=why)
            elif command.word == "undo" and taken:
                texts = tuple(f"taken back: {text}" for text in taken.texts)
                texts += tuple(f"waits no more: {went.ahead.shown}" for went in change.went)
                self._results[index] = Result(command.number, "undo", "ok", "undo", texts)

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

    def played(self, outcome: PlayOutcome) -> None:
        """What became of the commands of the game."""
        rest = iter(outcome.steps)
        for index, command in enumerate(self.commands):
            if command.word == "play":
                self._results[index] = self._played(next(rest), outcome.done)

    def _played(self, step: Attempt, done: bool) -> Result:
        """What became of a command; one that would have been legal is not told as if it were done.

        That is so where another command of the mail is at fault.
        """
        command, fault = step.command, step.fault
        if fault is not None:
            notes = [n for n in (fault.caret, fault.text, *fault.hint.split("\n")) if n]
            if fault.caret and len(command.text.split()) > 3:
                notes.append("It was not sent to anybody. Put `say:` before it to speak to all.")
            return Result(command.number, command.shown, "no", notes=tuple(notes))
        if step.waits and done:
            return Result(command.number, command.shown, "waits")
        if step.played is None and not step.settled:
            return Result(command.number, command.shown, "unsent")
        if not done:
            text = step.played.text if step.played else ""
            return Result(command.number, command.shown, "would", text)
        if step.played is None:
            return Result(command.number, command.shown, "ok", notes=(step.settled,))
        told = [s for p in (step.played, *step.added) for s in p.told(self._title)]
        return Result(command.number, command.shown, "ok", step.played.text, tuple(told))

    # words

    def said(self, most: int, ration: Ration) -> list[str]:
        """What goes to all: the whole of it, or nothing where it is too much."""
        words = [c.rest for c in self.commands if c.word == "say" and c.rest]
        return [] if seat_words.too_much(words, most, ration) else words

    def words(self, seat: SeatRow, change: Change, most: int, ration: Ration) -> SeatRow:
        """Settings, talk, and what is dropped; the seat as it is from now on."""
        to_act = engine.to_act(self._title, change.state)
        chosen = seat_settings(seat)
        words = [c.rest for c in self.commands if c.word == "say"]
        limit = seat_words.too_much(words, most, ration)
        for index, command in enumerate(self.commands):
            if command.word in ("images", "news"):
                chosen, self._results[index] = seat_words.choose(command, chosen)
            elif command.word == "say":
                self._results[index] = seat_words.say(command, limit)
            elif command.word == "new":
                self._results[index] = seat_words.new(command)
            elif command.word == "resend":
                self._results[index] = seat_words.resend(command, to_act, seat.name)
            elif command.word == "clear" and not command.rest:
                before = ahead.of(change.table.ahead, seat.name)
                self._results[index] = ahead_words.clear(command, before)
            elif command.word == "more":
                acts = seat.name in to_act or bool(ahead.waits_for(seat.name, change.state))
                self._results[index] = seat_words.more(command, bool(self.plan), acts)
        return replace(seat, settings=msgspec.json.encode(chosen))

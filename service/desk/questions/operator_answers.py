"""What the operator sees of a game at the command line, without an email."""

from dataclasses import dataclass
from typing import Self

import msgspec

from service.commands.command import Command
from service.commands.entry import Vocabulary, Who, when_of
from service.commands.results import answered
from service.desk.answering.effects import Effect
from service.desk.channels.terminal import TerminalChannel
from service.games.directing import logged
from service.games.game_status import status_for_director
from service.games.games import GameTable
from service.reports import Answer
from service.reports.tables import Lines

GAME = "{game} ({title}), {status}. Players: {players}"
OFFICES = "organizer {organizer}, assistant {assistant}"
REASONS = (
    "`--because` gives the reason, which all players read. `--go` does at once what would only be "
    "shown."
)


@dataclass(frozen=True)
class OperatedGame:
    """A game at the operator's terminal."""

    table: GameTable
    terminal: TerminalChannel

    @classmethod
    def of(cls, table: GameTable, vocabulary: Vocabulary) -> Self:
        """The game as it was read, and the commands of its operator."""
        when = when_of(table.row.status)
        return cls(table, TerminalChannel(vocabulary, Who.GAME_OPERATOR, when, table.title))

    def after(self, effect: Effect) -> Self:
        """The same game: questions change nothing."""
        return self


def show(game: OperatedGame, command: Command) -> Effect:
    """`show`: the state of the game, its director and the rulings."""
    table = game.table
    settings, row = table.settings, table.row
    players = ", ".join(seat.name for seat in table.players)
    state = table.state if table.head else None
    lines = (
        GAME.format(game=row.name, title=table.title.name, status=row.status, players=players),
        status_for_director(table, settings, state)[0],
        *([table.on_hold] if table.on_hold else []),
        OFFICES.format(organizer=row.organiser, assistant=settings.assistant or "nobody"),
        *(f"#{ruling.position} {logged(ruling)}" for ruling in table.rulings),
    )
    return _answer(command, Answer((Lines("", lines),)))


def settings(game: OperatedGame, command: Command) -> Effect:
    """`settings`: what the organizer has chosen, but for the seed, which is secret."""
    chosen = msgspec.to_builtins(game.table.settings)
    lines = tuple(f"{key}: {value}" for key, value in chosen.items() if key != "seed")
    return _answer(command, Answer((Lines("", lines),)))


def help_with(game: OperatedGame, command: Command) -> Effect:
    """`help`, `help WORD`: the commands of the operator. Raises Refused."""
    word = command.rest.strip()
    found = game.terminal.help(word)
    return _answer(command, found if word else Answer((*found.blocks, Lines("", (REASONS,)))))


def _answer(command: Command, answer: Answer) -> Effect:
    return Effect((answered(command, answer),))

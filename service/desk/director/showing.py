"""What the operator sees of a game at the command line, without an email."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from service.commands.command import Command
from service.commands.entry import Vocabulary, When, Where, Who, first_words, when_of
from service.commands.helping import help_, sorry
from service.commands.lines import known_of
from service.commands.reading import Scope, read
from service.commands.results import answered
from service.desk.answering.effects import Effect
from service.desk.answering.game_status import directing
from service.games.directing import logged
from service.games.games import GameTable
from service.mail.replies import numbered
from service.refusal import Refused
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
    """A game at the operator's command line, and the table of commands."""

    table: GameTable
    vocabulary: Vocabulary

    @property
    def when(self) -> When:
        """The state of the game."""
        return when_of(self.table.row.status)

    def commands(self, text: str) -> Sequence[Command]:
        """The commands in what the operator writes."""
        table, who, where = self.vocabulary.entries, Who.GAME_OPERATOR, Where.TERMINAL
        words = first_words([entry for entry in table if entry.who & who], where)
        known = known_of(self.table.title, words)
        return read(numbered(text), Scope(table, who, where, self.when, known))

    def after(self, effect: Effect) -> "OperatedGame":
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
        directing(table, settings, state)[0],
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
    here = (Who.GAME_OPERATOR, Where.TERMINAL, game.when)
    found = help_(game.vocabulary, *here, game.table.title, word)
    if found is None:
        raise Refused(sorry(game.vocabulary, word))
    return _answer(command, found if word else Answer((*found.blocks, Lines("", (REASONS,)))))


def _answer(command: Command, answer: Answer) -> Effect:
    return Effect((answered(command, answer),))

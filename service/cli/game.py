"""The command `waybill game`: an operator's actions in a game, without an email."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import ConfigOption, fail, lines, load_settings, out, plain_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.commands.command import Command
    from service.desk.answering.effects import Effect
    from service.desk.channels.terminal import TerminalChannel
    from service.desk.director.director_plan import DirectorPlan
    from service.desk.questions.operator_answers import OperatedGame
    from service.desk.service import Service
    from service.games.games import GameTable
    from service.store import Store


def game(
    name: Annotated[str, typer.Argument(help="The name of the game; see `waybill games`.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(help="A command, as the director would write it in an email."),
    ] = None,
    because: Annotated[str, typer.Option("--because", help="The reason. All players see it.")] = "",
    go: Annotated[
        bool, typer.Option("--go", help="Carry out a correction that would only be shown.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Show a game as its director sees it, or act as its director. All players get an email.

    `waybill game dixie7 help` lists what you may write. Examples:

    waybill game dixie7 show

    waybill game dixie7 rollback 212 --because "the tile was misread"
    """
    from service.app.wiring import open_store, service_of
    from service.desk.questions.operator_answers import OperatedGame
    from service.desk.seats.handover import NO_SUCH_GAME
    from service.desk.vocabulary.table import VOCABULARY
    from service.games.games import load, with_rulings

    chosen = load_settings(config)
    text = " ".join(words or ["show"])
    said = f"{text} because {because}" if because else text
    with plain_errors():
        store = open_store(chosen)
        try:
            with store.reading() as reads:
                found = load(reads, name.lower())
                table = with_rulings(reads, found) if found is not None else None
            if table is None:
                fail(NO_SUCH_GAME.format(game=name))
            _carry_out(store, service_of(chosen), OperatedGame.of(table, VOCABULARY), said, go)
        finally:
            store.close()


def _carry_out(
    store: "Store", service: "Service", game: "OperatedGame", text: str, go: bool
) -> None:
    """Answer the questions among the commands, and carry out the rest."""
    from service.desk.answering.effects import effect_of

    commands = game.terminal.commands(text)
    asked = [one for one in commands if one.entry is not None and one.entry.asks and not one.barred]
    if asked:
        _answer(game.terminal, effect_of(game, asked))
    if acts := [command for command in commands if command not in asked]:
        _direct(store, service, game.table, acts, go)


def _answer(terminal: "TerminalChannel", effect: "Effect") -> None:
    told = list(terminal.printed(effect.results))
    if any(result.status == "no" for result in effect.results):
        fail(" ".join(told))
    for text in told:
        lines(text)


def _direct(
    store: "Store", service: "Service", table: "GameTable", commands: "Sequence[Command]", go: bool
) -> None:
    """Carry out commands of a director as the operator; all players hear of it.

    The ruling is recorded like the director's own.
    """
    from service.app.office import seconds
    from service.desk.director.acts import act_of
    from service.desk.director.carrying_out import carried_out
    from service.desk.door import NOTHING, finish
    from service.desk.letters.desk import Desk
    from service.games.directing import OPERATOR
    from service.refusal import Refused
    from service.store import Occasion

    now = seconds()
    acts = [act_of(command, sure=go) for command in commands]
    # earlier rulings make it a new occasion
    key = f"game-{table.row.name}-{len(table.rulings) + 1}-{table.next_number}"
    desk = Desk(service, now, Occasion("operator", key, table.row.name))
    try:
        with store.reading() as reads:
            plan, done = carried_out(reads, desk, table, OPERATOR, acts)
        _tell(plan, go)
        finish(store, now, NOTHING, done)
    except Refused as why:
        fail(str(why))
    out.print("Done; emails are on their way." if plan.does else "Nothing was done.")


def _tell(plan: "DirectorPlan", go: bool) -> None:
    for result in plan.results:
        for note in (result.canonical, *result.notes):
            if note:
                out.print(note)
    if not plan.good:
        fail("not done")
    if plan.shown and not go:
        out.print("It was only shown: add --go to do it.")

"""The command `waybill game`: an operator's actions in a game, without an email."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.options import ConfigOption, fail, load_settings, out, plain_errors

if TYPE_CHECKING:
    from service.desk.director.director_known import DirectorPlan
    from service.desk.letters.post import House
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

    Commands: hold, resume, rollback 212, redo, correct cash TC +20, announce: …, rule 212: …,
    clock each 72h, end game, abandon. Each needs --because. `settings` shows the organizer's
    choices.  Examples:

    waybill game dixie7 show

    waybill game dixie7 rollback 212 --because "the tile was misread"
    """
    from service.app.wiring import house_of, open_store
    from service.desk.seats.replacing import NO_SUCH_GAME
    from service.games.games import load, with_rulings

    chosen = load_settings(config)
    text = " ".join(words or ["show"])
    with plain_errors():
        store = open_store(chosen)
        try:
            with store.transaction() as tx:
                found = load(tx, name.lower())
                table = with_rulings(tx, found) if found is not None else None
            if table is None:
                fail(NO_SUCH_GAME.format(game=name))
            if text == "settings":
                _settings(table)
            elif text == "show":
                _show(table)
            else:
                said = f"{text} because {because}" if because else text
                _direct(store, house_of(chosen), table, said, go)
        finally:
            store.close()


def _settings(table: "GameTable") -> None:
    import msgspec

    for key, value in msgspec.to_builtins(table.settings).items():
        if key != "seed":
            out.print(f"{key}: {value}")


def _show(table: "GameTable") -> None:
    """Print the state of the game, its director and the rulings."""
    from service.desk.options.game_options import directing
    from service.games.directing import logged

    settings, row = table.settings, table.row
    players = ", ".join(seat.name for seat in table.players)
    out.print(f"{row.name} ({table.title.name}), {row.status}. Players: {players}")
    state = table.state if table.head else None
    out.print(directing(table, settings, state)[0])
    if table.held:
        out.print(table.held)
    assistant = settings.assistant or "nobody"
    out.print(f"organizer {row.organiser}, assistant {assistant}")
    for ruling in table.rulings:
        out.print(f"#{ruling.position} {logged(ruling)}")


def _direct(store: "Store", house: "House", table: "GameTable", text: str, go: bool) -> None:
    """Carry out one director's command as the operator; all players hear of it.

    The ruling is recorded like the director's own.
    """
    from service.app.office import seconds
    from service.commands.entry import When, Where, Who
    from service.desk.director.acts import act_of
    from service.desk.director.directing import read_acts
    from service.desk.director.director import Planner
    from service.desk.director.director_known import OPERATOR, DirectingPerson, know
    from service.desk.director.director_post import carried_out
    from service.desk.door import NOTHING, finish
    from service.desk.letters.post import Desk
    from service.mail.replies import Line
    from service.refusal import Refused
    from service.store import Occasion

    now = seconds()
    when = {"open": When.OPEN, "running": When.RUNNING}.get(table.row.status, When.OVER)
    entries = house.commands.entries
    commands = read_acts(entries, [Line(1, text)], Who.OPERATOR, Where.TERMINAL, when)
    acts = [act_of(command, sure=go) for command in commands]
    with store.transaction() as tx:
        known = know(tx, table, acts)
    plan = Planner(known, DirectingPerson(OPERATOR), now).all(acts)
    _tell(plan, go)
    # earlier rulings make it a new occasion
    key = f"game-{table.row.name}-{len(known.table.rulings) + 1}-{known.table.next_number}"
    desk = Desk(house, now, Occasion("operator", key, table.row.name))
    try:
        finish(store, now, NOTHING, carried_out(store, desk, known, plan))
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

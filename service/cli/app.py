"""The command `waybill`: one function a command; what each does stands in the modules it calls."""

import asyncio
import contextlib
import gc
import json
import os
import sys
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from service import settings
from service.cli.options import (
    ConfigOption,
    JsonOption,
    PlainGroup,
    TitleArgument,
    VariantsOption,
    fail,
    find_title,
    lines,
    load_settings,
    out,
    plain_errors,
    progress,
)
from service.visible import visible

app = typer.Typer(
    name="waybill",
    cls=PlainGroup,
    help="""Waybill moderates 18xx railway games by e-mail.

    \b
    See it at work:         waybill demo
    Play at this terminal:  waybill play 18AL Ann Bob Cat
    Serve a mailbox:        waybill check -c my.toml
                            waybill serve -c my.toml
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"waybill {version('waybill')}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Which version.")
    ] = False,
) -> None:
    """The program's own options."""


@app.command(short_help="Serve a mailbox until Ctrl-C.")
def serve(config: ConfigOption = None) -> None:
    """Serve: look into the mailbox, handle commands, send mails, until Ctrl-C.

    Example:  waybill serve --config config/example.toml
    """
    from service.app.daemon import Daemon
    from service.app.wiring import open_office
    from service.logs import configure

    chosen = load_settings(config)
    configure(chosen.log.level, chosen.log.as_json)
    with plain_errors():
        office = open_office(chosen)
        if office.mailbox is None:
            fail("no mailbox is set: give [imap] host in the settings (waybill demo needs none)")
        asyncio.run(Daemon(office, chosen).run())


@app.command(short_help="Do what there is to do now, and stop.")
def once(config: ConfigOption = None) -> None:
    """Do what there is to do now and stop: for cron, and for trying a configuration.

    What does not work, the mailbox or sending, keeps the rest from nothing; it is told at the end,
    and the exit code is 1 then.

    Example:  waybill once --config my.toml
    """
    from service.app.showing import keep_pages
    from service.app.wiring import open_office, publishing_of
    from service.logs import configure

    chosen = load_settings(config)
    configure(chosen.log.level, chosen.log.as_json)
    with plain_errors():
        office = open_office(chosen)
        done = asyncio.run(office.work_off())
        office.tidy(chosen.data.picture_days, chosen.data.letter_days)
        keep_pages(publishing_of(chosen, office.store))
        counts = office.store.counts()
        office.close()
    out.print(f"handled {done.handled} mails; letters: {_counted(counts.outbox)}")
    if done.troubles:
        fail("\n".join(done.troubles))


def _counted(numbers: object) -> str:
    assert isinstance(numbers, dict)
    return ", ".join(f"{n} {status}" for status, n in sorted(numbers.items())) or "none"


@app.command(short_help="Watch a game being played by real mails.")
def demo(
    title: Annotated[str, typer.Option("--title", help="Which recorded game to play.")] = "18AL",
    folder: Annotated[
        Path, typer.Option("--folder", help="Where mails and pictures are left.")
    ] = Path("demo-output"),
    mails: Annotated[
        int, typer.Option("--mails", help="Stop after so many mails of players; 0 plays it all.")
    ] = 0,
    on_list: Annotated[
        bool, typer.Option("--list", help="Play it on a mailing list, to which half of them write.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded game by real mails: SMTP and IMAP of this process, SQLite, the real daemon.

    Its players give orders ahead, as far as the rounds that are on; letters_per_player is how many
    letters the one got who got most. Every mail is left as .eml, every map as PNG, and index.html
    shows what each player saw last.
    """
    from service.demo.demo import run_demo

    found = find_title(title)
    try:
        with progress("mails played", None) as bar:
            report = run_demo(found.name, folder, bar, mails, on_list=on_list)
    except (FileExistsError, LookupError) as error:
        fail(str(error.args[0]))
    if as_json:
        print(json.dumps(report.figures))
    for line in () if as_json else report.lines:
        out.print(line)
    if not report.complete:
        fail("the game did not come to its recorded end", 1)


@app.command(short_help="Test a configuration end to end.")
def check(config: ConfigOption = None) -> None:
    """Test a configuration end to end: settings, files, database, log-ins, pictures, who may read.

    Nothing is changed or made: it says what `serve` will make, and for which user. What is marked
    NO must be mended; !! warns of what works and should not stay as it is.

    Example:  waybill check --config my.toml
    """
    from service.app.checkup import examine

    chosen = load_settings(config)
    good, warned = True, False
    for finding in examine(chosen):
        text = f"{finding.sign} {finding.what}: {finding.text}"
        out.print(text, soft_wrap=True)
        good = good and finding.sign != "NO"
        warned = warned or finding.sign == "!!"
    if not good:
        raise typer.Exit(1)
    well = "It works, but heed what is marked !!" if warned else "All is well"
    out.print(f"{well}: `waybill serve` can begin.")


@app.command("config", short_help="Show every setting and where it came from.")
def show_config(config: ConfigOption = None) -> None:
    """Show every setting, its value, where that came from and what it means."""
    table = Table("setting", "value", "from", "meaning", show_lines=False)
    for row in settings.explain(load_settings(config)):
        table.add_row(row.key, row.value, row.source, row.meaning)
    out.print(table)


@app.command(short_help="List the games of the database.")
def games(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the games of the database."""
    from service.app.wiring import open_store
    from service.games.games import load
    from service.games.watching import round_of

    with plain_errors():
        store = open_store(load_settings(config))
        with store.transaction() as tx:
            tables = [load(tx, row.name) for row in tx.games()]
            waiting = tx.waiting()
        store.close()
    rows = []
    for found in tables:
        assert found is not None
        number = found.head.number if found.head else 0
        awaited = [one for one in waiting if one.game_id == found.row.id]
        players = [seat.name for seat in found.players]
        row = found.row
        rows.append(
            {
                "game": row.name,
                "title": row.title,
                "status": row.status,
                "round": round_of(awaited[0]) if awaited else "-",
                "number": number,
                "players": players,
                "to_act": [one.seat for one in awaited],
                "since": _day(min(one.since for one in awaited)) if awaited else "-",
            }
        )
    if as_json:
        out.print_json(json.dumps(rows), ensure_ascii=True)
        return
    table = Table("game", "title", "status", "round", "#", "players", "to act", "since")
    for shown in rows:
        table.add_row(*(" ".join(v) if isinstance(v, list) else str(v) for v in shown.values()))
    out.print(table if rows else "There are no games yet.")


def _day(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


@app.command(short_help="Show the position of a game, or its log.")
def show(
    game: Annotated[str, typer.Argument(help="Its name, as `waybill games` lists it.")],
    config: ConfigOption = None,
    log: Annotated[
        bool, typer.Option("--log", help="All actions in the players' notation.")
    ] = False,
) -> None:
    """Show a game's position as its players see it, or its log."""
    from service.app.wiring import open_store
    from service.games.games import load
    from service.reports import Scene, answers

    with plain_errors():
        store = open_store(load_settings(config))
        with store.transaction() as tx:
            found = load(tx, game.lower())
            if found is None or found.head is None:
                fail(f"there is no running game called {game}; `waybill games` lists them")
            rows = tx.actions(found.row.id)
        store.close()
    if log:
        for row in rows:
            if row.seat:
                lines(f"{row.number:4} {row.seat}: {row.text}")
        return
    scene = Scene(found.row.name, found.title, found.state)
    lines(answers.status(scene).text)


@app.command(short_help="List mails and tasks put aside, or try one again.")
def shunt(
    config: ConfigOption = None,
    retry: Annotated[int, typer.Option("--retry", help="Try the mail of this number again.")] = 0,
    retry_task: Annotated[
        int, typer.Option("--retry-task", help="Try the task of this number again.")
    ] = 0,
) -> None:
    """List mails and tasks that could not be done because of a fault of ours, or try one again."""
    from service.app.wiring import open_store

    with plain_errors():
        store = open_store(load_settings(config))
        if retry:
            good = store.retry_shunted(retry)
            text = "will be tried again" if good else "is not among the mails put aside"
            out.print(f"mail {retry} {text}")
        elif retry_task:
            good = store.retry_task(retry_task)
            text = "will be tried again" if good else "is not among the tasks put aside"
            out.print(f"task {retry_task} {text}")
        else:
            for task in store.tasks_aside():
                out.print(f"task {task.id}  {task.key}  {task.game or '-'}  {task.note}")
            for row in store.shunted():
                out.print(f"{row.id}  {row.sender}  {row.game or '-'}  {row.note}")
            if not store.shunted():
                out.print("No mail is put aside.")
        store.close()


@app.command(short_help="Play at this terminal, without a database.")
def play(
    title: TitleArgument,
    players: Annotated[list[str], typer.Argument(help="Names in seating order, the first begins.")],
    variants: VariantsOption = None,
    seed: Annotated[int | None, typer.Option(help="Draw seats by lot from this number.")] = None,
) -> None:
    """Play at this terminal, without a database: everybody types commands in turn.

    Commands may also come from a file:  waybill play 18AL Ann Bob Cat < opening.txt
    """
    from service.demo.hotseat import HELP, HotSeat

    try:
        table = HotSeat(find_title(title, variants), players, seed)
    except ValueError as error:
        fail(str(error), 2)
    print(HELP)
    while table.actor:
        state = table.line.state
        try:
            text = input(visible(f"{state.round} #{state.number} {table.actor}> "))
        except (EOFError, KeyboardInterrupt):
            print()
            break
        if not sys.stdin.isatty():
            lines(text)
        if text.strip().lower() in ("quit", "exit"):
            break
        for line in table.enter(text):
            lines(line)


@app.command("map", short_help="Draw the map or the chart of a game or title.")
def draw_map(
    game: Annotated[
        str, typer.Argument(help="A game of the database, or a title for its empty map.")
    ],
    to: Annotated[Path, typer.Option("--to", "-o", help="A .png or .svg file.")] = Path("map.png"),
    market: Annotated[bool, typer.Option("--market", help="The stock chart instead.")] = False,
    number: Annotated[int, typer.Option("--at", help="The position of this number.")] = -1,
    width: Annotated[int, typer.Option(help="Pixels.")] = 1400,
    config: ConfigOption = None,
) -> None:
    """Draw the map or the stock chart of a game, at any position of its past, or of a title.

    Example:  waybill map dixie7 --at 120 --to then.png
    """
    from service.app.wiring import open_store
    from service.drawing import png
    from service.games.pictures import picture_of

    chosen = load_settings(config)
    try:
        svg = picture_of(game, lambda: open_store(chosen), number, market)
    except LookupError as error:
        fail(str(error.args[0]))
    data = svg.encode() if to.suffix == ".svg" else png(svg, width)
    to.write_bytes(data)
    out.print(f"{to} ({len(data) // 1024 or 1} kB)")


@cache
def program() -> typer.Typer:
    """The whole program, the commands of the other modules included."""
    from service.cli import (
        backup,
        commands,
        doctor,
        game,
        letters,
        login,
        practice,
        publish,
        rehearse,
        routes,
        seat,
        seating,
        title,
        tournament,
    )

    backup.register(app)
    commands.register(app)
    doctor.register(app)
    game.register(app)
    letters.register(app)
    login.register(app)
    practice.register(app)
    publish.register(app)
    rehearse.register(app)
    routes.register(app)
    seat.register(app)
    seating.register(app)
    title.register(app)
    tournament.register(app)
    return app


def main() -> None:
    """The entry point of the command."""
    from service.apart.solver import apart
    from service.app import seater

    # Whatever is written, a database, a picture, a mail of the demonstration, is for its user.
    os.umask(0o077)
    # Positions are made by the thousand and hold no circles: the collector need not look so often.
    gc.set_threshold(20_000, 20, 20)
    with contextlib.closing(apart()), contextlib.closing(seater.apart()):
        program()()

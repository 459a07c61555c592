"""The commands that play without a mailbox: a recorded game by email, a game at this terminal."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import (
    JsonOption,
    TitleArgument,
    VariantsOption,
    fail,
    find_title,
    lines,
    out,
    progress,
)
from service.visible import visible


def demo(
    title: Annotated[str, typer.Option("--title", help="The title of the recorded game.")] = "18AL",
    folder: Annotated[
        Path, typer.Option("--folder", help="The folder for emails and pictures.")
    ] = Path("demo-output"),
    mails: Annotated[
        int,
        typer.Option("--mails", help="Stop after this many emails of players; 0: play to the end."),
    ] = 0,
    on_list: Annotated[
        bool,
        typer.Option("--list", help="Play on a mailing list, to which half of the players write."),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded game by real email: SMTP and IMAP in this process, SQLite, the real daemon.

    The players give advance orders for the current rounds. letters_per_player is the largest
    number of emails to one player. The folder gets every email as .eml, every map as PNG, and
    index.html with the last email of each player.
    """
    from service.workshop.demo.demo import run_demo

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


def play(
    title: TitleArgument,
    players: Annotated[
        list[str], typer.Argument(help="Names in seating order. The first player begins.")
    ],
    variants: VariantsOption = None,
    seed: Annotated[
        int | None, typer.Option(help="Draw the seats by lot from this number.")
    ] = None,
) -> None:
    """Play at this terminal, without a database: all players type commands in turn.

    Commands may also come from a file:  waybill play 18AL Ann Bob Cat < opening.txt
    """
    from service.workshop.demo.hotseat import HotSeat

    try:
        table = HotSeat(find_title(title, variants), players, seed)
    except ValueError as error:
        fail(str(error), 2)
    lines(table.terminal.help().text)
    while table.actor and not table.left:
        state = table.line.state
        try:
            text = input(visible(f"{state.round} #{state.number} {table.actor}> "))
        except (EOFError, KeyboardInterrupt):
            print()
            break
        if not sys.stdin.isatty():
            lines(text)
        for line in table.enter(text):
            lines(line)

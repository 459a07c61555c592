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
    title: Annotated[str, typer.Option("--title", help="Which recorded game to play.")] = "18AL",
    folder: Annotated[
        Path, typer.Option("--folder", help="Where emails and pictures are left.")
    ] = Path("demo-output"),
    mails: Annotated[
        int, typer.Option("--mails", help="Stop after so many emails of players; 0 plays it all.")
    ] = 0,
    on_list: Annotated[
        bool, typer.Option("--list", help="Play it on a mailing list, to which half of them write.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Play a recorded game by real email: SMTP and IMAP in this process, SQLite, the real daemon.

    Its players give advance orders, as far as the rounds that are on. letters_per_player is the
    largest number of emails that one player got. Every email is kept as .eml, every map as PNG, and
    index.html shows the last email of each player.
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
    players: Annotated[list[str], typer.Argument(help="Names in seating order, the first begins.")],
    variants: VariantsOption = None,
    seed: Annotated[int | None, typer.Option(help="Draw seats by lot from this number.")] = None,
) -> None:
    """Play at this terminal, without a database: all players type commands in turn.

    Commands may also come from a file:  waybill play 18AL Ann Bob Cat < opening.txt
    """
    from service.workshop.demo.hotseat import HELP, HotSeat

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

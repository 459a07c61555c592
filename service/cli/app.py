"""The command `waybill` and the table of its commands. Each command has its own module."""

import contextlib
import gc
import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from service.cli.announced import Announced, AnnouncingGroup

#: name, place of its function, and its line in `waybill --help`; in the order of the help
COMMANDS = (
    ("serve", "serving:serve", "Serve a mailbox until Ctrl-C."),
    ("once", "serving:once", "Fetch, handle and send once, then stop."),
    ("deliver", "deliver:deliver", "Take an email from a pipe into a Maildir."),
    ("demo", "playing:demo", "Play a recorded game over real email servers on this machine."),
    ("setup", "setup:setup", "Ask for a mailbox, try it, and write the settings."),
    ("check", "serving:check", "Test a configuration end to end."),
    ("config", "serving:show_config", "Show every setting and where it came from."),
    ("games", "games:games", "List the games of the database."),
    ("show", "games:show", "Show the position of a game, or its log."),
    ("shunt", "games:shunt", "List emails that failed because of a bug, or try one again."),
    ("play", "playing:play", "Play at this terminal, without a database."),
    ("map", "games:draw_map", "Draw the map or the chart of a game or title."),
    ("backup", "backup:backup", "Back up the database and the secret while Waybill runs."),
    ("restore", "backup:restore", "Replace the database with a backup."),
    ("move", "move:move", "Move all data to another database, such as PostgreSQL."),
    ("commands", "commands:commands", "List all email commands."),
    ("doctor", "doctor:doctor", "Examine a running service."),
    ("game", "game:game", "Direct a game: hold, correct, roll back, end."),
    ("letters", "letters:letters", "List undelivered emails, show one, or send them again."),
    ("login", "login:login", "Let Waybill use a mailbox at Gmail or Microsoft 365."),
    ("person", "person:person", "Show what is stored about a person, or forget them."),
    ("verify", "verify:verify", "Replay games of 18xx.games and compare."),
    ("export", "practice:export", "Write a game for 18xx.games."),
    ("selfplay", "practice:selfplay", "Let bots play whole games, and check every action."),
    ("publish", "publish:publish", "Write public web pages of the games."),
    ("rehearse", "rehearse:rehearse", "Play a written scenario by email, days in seconds."),
    (
        "routes",
        "routes:routes",
        "Check runs: actual, best, and supposed ones.",
    ),
    ("seat", "seat:seat", "Give a seat another address or another token."),
    ("seating", "seating:seating", "Check the seatings of a tournament from its file."),
    (
        "tournament",
        "tournament:tournament",
        "Direct a tournament: seat, start, standings, report.",
    ),
    ("bench", "bench:bench", "Measure Waybill and print the figures."),
    ("title", "title:title", "Read, check and draw the facts of a title."),
)


#: commands that neither look for runs nor seat a tournament, so that they need no solver
SOLVES_NOTHING = frozenset(
    {"deliver", "setup", "check", "config", "backup", "restore", "move", "login"}
)


class Program(AnnouncingGroup):
    """All commands.

    ``ctx.obj`` is a context that is open while one of them runs that may need a solver, None for
    nothing.
    """

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - whatever typer gives a group
        super().__init__(**attributes)
        for name, place, short_help in COMMANDS:
            self.add_command(Announced(name, f"service.cli.{place}", short_help))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as below
        """The command that was asked for, loaded, and what it needs to run."""
        name, command, rest = super().resolve_command(ctx, args)
        if ctx.obj and name not in SOLVES_NOTHING:
            ctx.with_resource(ctx.obj())
        return name, command, rest


app = typer.Typer(
    name="waybill",
    cls=Program,
    help="""Waybill moderates 18xx railway games by email.

    \b
    See it at work:         waybill demo
    Play at this terminal:  waybill play 18AL Ann Bob Cat
    Serve a mailbox:        waybill setup -c my.toml
                            waybill check -c my.toml
                            waybill serve -c my.toml
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from service.running import running

        print(f"waybill {running()}")
        raise typer.Exit


@app.callback()
def _options(
    show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The program's own options."""


def program() -> typer.Typer:
    """The whole program."""
    return app


@contextlib.contextmanager
def _apart() -> Iterator[None]:
    """Run work that may hang in other processes, which end with this one."""
    from service.apart import solver
    from service.app import seater

    with contextlib.closing(solver.apart()), contextlib.closing(seater.apart()):
        yield


def main() -> None:
    """The entry point of the command."""
    # All written files, such as a database or an email of the demo, are for this user only.
    os.umask(0o077)
    # Positions are created by the thousand and have no reference cycles, so the garbage collector
    # can run less often.
    gc.set_threshold(20_000, 20, 20)
    program()(obj=_apart)

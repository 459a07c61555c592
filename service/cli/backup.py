"""The commands `waybill backup` and `waybill restore`: save all data and put it back."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from engine.wording import counted
from service.cli.options import ConfigOption, JsonOption, fail, load_settings, out, plain_errors

PROVED = "{path}: {games}; the copy was opened and every position agrees."
UNPROVED = (
    "{path}: {games}. The copy could not be tried: the database user may not make databases. "
    "Write ALTER ROLE … CREATEDB, or try `waybill restore` elsewhere."
)
NO_SECRET = "The secret is not in a file, so it is not in the backup: keep it yourself."


def backup(
    path: Annotated[Path, typer.Argument(help="The folder to write; it must not exist.")],
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Back up the database and the secret, while Waybill runs or not.

    Waybill then opens the copy, loads the position of every game, and compares its digest with the
    stored one. If one differs, no backup is kept, and the exit code is 1.

    Example:  waybill backup /backup/waybill-2027-03-01
    """
    from service.app.backup import NotCopied, back_up
    from service.app.office import seconds

    with plain_errors():
        try:
            made = back_up(load_settings(config), path, seconds())
        except NotCopied as why:
            fail(str(why))
    if as_json:
        print(json.dumps({"path": str(path), **asdict(made)}))
        return
    text = PROVED if made.proved else UNPROVED
    out.print(text.format(path=path, games=counted(made.games, "game")), soft_wrap=True)
    if not made.secret:
        out.print(NO_SECRET)


RESTORED = "Restored: {games}; every position agrees."
ASIDE = "The former files are now {file}."
UNREAD = (
    "Emails handled since the backup are marked as read on the mail server. Mark them as unread, "
    "and Waybill handles them again."
)


def restore(
    path: Annotated[Path, typer.Argument(help="A folder written by `waybill backup`.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Move an existing database and secret aside.")
    ] = False,
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Replace the database of the settings with a backup. Stop Waybill first.

    Waybill tests the backup before it changes anything. On SQLite, the old database is kept under
    another name. On PostgreSQL, the database must be empty.

    Example:  waybill restore /backup/waybill-2027-03-01 --replace
    """
    from service.app.backup import NotCopied
    from service.app.backup import restore as put_back
    from service.app.office import seconds

    with plain_errors():
        try:
            done = put_back(load_settings(config), path, seconds(), replace=replace)
        except NotCopied as why:
            fail(str(why))
    if as_json:
        told = {"backup": asdict(done.backup), **asdict(done.proof)}
        print(json.dumps({**told, "aside": [str(file) for file in done.aside]}))
        return
    out.print(RESTORED.format(games=counted(done.proof.games, "game")))
    for file in done.aside:
        out.print(ASIDE.format(file=file), soft_wrap=True)
    out.print(UNREAD, soft_wrap=True)

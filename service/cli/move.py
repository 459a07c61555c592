"""The command `waybill move`: takes a service from SQLite to PostgreSQL, or back."""

import json
from typing import Annotated

import typer

from engine.wording import counted
from service.cli.options import ConfigOption, JsonOption, load_settings, out, plain_errors, progress

MOVED = "Moved to {target}: {rows} in {tables}. Every row was read back and agrees."
NEXT = (
    "Set database.url to it, run `waybill check`, and start `waybill serve`. The former database "
    "is unchanged: keep it until you have seen a move, and do not serve it again."
)


def move(
    target: Annotated[
        str, typer.Argument(metavar="URL", help="The new, empty database, as in database.url.")
    ],
    as_json: JsonOption = False,
    config: ConfigOption = None,
) -> None:
    """Copy all data into another database: from SQLite to PostgreSQL, or back. Stop Waybill first.

    Waybill copies every row, reads it back and compares it, all in one transaction. If anything
    fails, the new database stays empty. It refuses a database that has rows, and one in use. The
    secret and other files stay where they are. Other users of this computer can see a password in
    the URL: leave it out and set PGPASSWORD.

    \b
    Example:  waybill move postgresql+psycopg://waybill@localhost/waybill
              waybill move sqlite:////srv/waybill/waybill.sqlite
    """
    from service.app.moving import move as move_data
    from service.store.copying import shown

    settings = load_settings(config)
    with plain_errors(), progress("move", None) as bar:
        moved = move_data(settings, target, lambda table, done, total: bar(done, total, table))
    if as_json:
        print(json.dumps({"target": shown(target), "rows": moved.rows}))
        return
    rows, tables = sum(moved.rows.values()), counted(len(moved.rows), "table")
    text = MOVED.format(target=shown(target), rows=counted(rows, "row"), tables=tables)
    out.print(text, soft_wrap=True)
    out.print(NEXT, soft_wrap=True)

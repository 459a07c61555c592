"""The commands that show the database: games, positions, maps, and work that was put aside."""

import json
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from service.cli.options import (
    ConfigOption,
    JsonOption,
    fail,
    lines,
    load_settings,
    out,
    plain_errors,
)

if TYPE_CHECKING:
    from service.store import WaitingRow

NO_GAMES = "There are no games yet."


def games(
    config: ConfigOption = None,
    as_json: JsonOption = False,
    every: Annotated[bool, typer.Option("--all", help="Also games that ended long ago.")] = False,
) -> None:
    """List the games of the database: those that are open or run, and those that ended lately.

    A game stays in the list for 30 days after its end.
    """
    from service.app.wiring import open_store
    from service.games.games import round_of
    from service.games.shown import LISTED

    since = 0 if every else int(time.time()) - LISTED
    with plain_errors():
        store = open_store(load_settings(config))
        with store.reading() as reads:
            shown = reads.games.lines("open", "running", ended_since=since)
            numbers = reads.log.numbers([row.id for row in shown])
            seats = reads.seats.of_all([row.id for row in shown])
            waiting = reads.games.waiting()
        store.close()
    awaits: dict[int, list[WaitingRow]] = {}
    for one in waiting:
        awaits.setdefault(one.game_id, []).append(one)
    rows = []
    for row in shown:
        awaited = awaits.get(row.id, [])
        rows.append(
            {
                "game": row.name,
                "title": row.title,
                "status": row.status,
                "round": round_of(awaited[0]) if awaited else "-",
                "number": numbers.get(row.id, 0),
                "players": [seat.name for seat in seats.get(row.id, ()) if seat.status == "joined"],
                "to_act": [one.seat for one in awaited],
                "since": _day(min(one.since for one in awaited)) if awaited else "-",
            }
        )
    if as_json:
        out.print_json(json.dumps(rows), ensure_ascii=True)
        return
    table = Table("game", "title", "status", "round", "#", "players", "to act", "since")
    for cells in rows:
        table.add_row(*(" ".join(v) if isinstance(v, list) else str(v) for v in cells.values()))
    out.print(table if rows else NO_GAMES)


def _day(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def show(
    game: Annotated[str, typer.Argument(help="The name of the game; see `waybill games`.")],
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
        with store.reading() as reads:
            found = load(reads, game.lower())
            if found is None or found.head is None:
                fail(f"there is no running game called {game}; `waybill games` lists them")
            rows = reads.log.actions(found.row.id)
        store.close()
    if log:
        for row in rows:
            if row.seat:
                lines(f"{row.number:4} {row.seat}: {row.text}")
        return
    scene = Scene(found.row.name, found.title, found.state)
    lines(answers.status(scene).text)


MAIL_AGAIN = "mail {number} will be tried again"
NO_MAIL_ASIDE = "mail {number} is not among the emails put aside"
TASK_AGAIN = "task {number} will be tried again"
NO_TASK_ASIDE = "task {number} is not among the tasks put aside"
TASK = "task {number}  {key}  {game}  {note}"
NOTHING_ASIDE = "No email is put aside."


def shunt(
    config: ConfigOption = None,
    retry: Annotated[int, typer.Option("--retry", help="Try the email of this number again.")] = 0,
    retry_task: Annotated[
        int, typer.Option("--retry-task", help="Try the task of this number again.")
    ] = 0,
) -> None:
    """List emails and tasks that failed because of a bug in Waybill, or try one again."""
    from service.app.wiring import open_store
    from service.desk import door
    from service.desk.door import Cause

    with plain_errors():
        store = open_store(load_settings(config))
        if retry:
            good = door.retry(store, Cause(mail=retry))
            text = MAIL_AGAIN if good else NO_MAIL_ASIDE
            out.print(text.format(number=retry))
        elif retry_task:
            good = door.retry(store, Cause(task=retry_task))
            text = TASK_AGAIN if good else NO_TASK_ASIDE
            out.print(text.format(number=retry_task))
        else:
            for task in store.tasks.aside():
                game, note = task.game or "-", task.note
                out.print(TASK.format(number=task.id, key=task.key, game=game, note=note))
            for row in store.mails.aside():
                out.print(f"{row.id}  {row.sender}  {row.game or '-'}  {row.note}")
            if not store.mails.aside():
                out.print(NOTHING_ASIDE)
        store.close()


def draw_map(
    game: Annotated[
        str, typer.Argument(help="A game of the database, or a title for its empty map.")
    ],
    to: Annotated[Path, typer.Option("--to", "-o", help="A .png or .svg file.")] = Path("map.png"),
    market: Annotated[bool, typer.Option("--market", help="Draw the stock chart.")] = False,
    number: Annotated[
        int, typer.Option("--at", help="The number of the position. Default: the present one.")
    ] = -1,
    width: Annotated[int, typer.Option(help="The width in pixels.")] = 1400,
    config: ConfigOption = None,
) -> None:
    """Draw the map or the stock chart of a game, now or in the past, or of a title.

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

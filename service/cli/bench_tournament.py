"""The command `bench tournament`: measures the speed of a large tournament."""

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer

from service.cli.options import Bar, JsonOption, err, fail, find_title, out, progress


def _shown(kind: str, bar: Bar) -> Callable[[str, int, int], None]:
    """Show the progress: as a bar on a terminal, otherwise a line at each tenth."""
    said = ""

    def show(what: str, done: int, of: int) -> None:
        nonlocal said
        bar(done, of or None, f"{kind}: {what}")
        line = f"{kind}: {what}" + (f", {10 * done // of * 10}%" if of else "")
        if line != said and not err.is_terminal:
            err.print(line)
        said = line

    return show


def bench_tournament(
    entrants: Annotated[
        int, typer.Option("--entrants", min=3, max=5000, help="How many players enter.")
    ] = 1000,
    mails: Annotated[int, typer.Option("--mails", min=1, help="Emails for each table.")] = 4,
    title: Annotated[str, typer.Option("--title", help="The title.")] = "18AL",
    database: Annotated[
        list[str] | None,
        typer.Option(
            "--database",
            help="An empty database, as postgresql+psycopg://…; may be given several times.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Let bots play a large tournament by email in memory: 1,000 entrants, 250 tables at once.

    Prints turns per second, the seconds for a seating with its bound, and the seconds for
    standings. It uses a temporary SQLite file, and each --database.  Example:

    waybill bench tournament --entrants 40 --database postgresql+psycopg://localhost/empty
    """
    from service.logs import configure
    from service.workshop.benches.bench_tournament import Size, told
    from service.workshop.benches.bench_tournament import bench_tournament as run

    configure("warning")
    size = Size(entrants, mails, find_title(title).name)
    found: dict[str, Any] = {}
    for url in ("", *(database or ())):
        kind = url.partition(":")[0].partition("+")[0] or "sqlite"
        with progress(kind, None) as bar:
            try:
                found[kind] = run(url, size, _shown(kind, bar))
            except ValueError as why:
                fail(str(why))
        if not as_json:
            out.print(kind)
            for line in told(found[kind]):
                out.print(f"  {line}")
    if as_json:
        print(json.dumps(found))
